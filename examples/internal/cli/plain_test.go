package cli

import (
	"fmt"
	"strings"
	"testing"
)

// A terminal is told nothing by names, however they are cut into writes, and ordinary text stays as it is.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"mean ± 3 µs\tnaïve 日本 \U0001f600\u00a0\n": "mean ± 3 µs\tnaïve 日本 \U0001f600\u00a0\n",
		"\x1b]52;c;cm0K\a\x1bc":                    `\u001b]52;c;cm0K\u0007\u001bc`,
		"\u009b2J\x9b\r\x7f":                       `\u009b2J\ufffd\u000d\u007f`,
		"left\u202eright \U000e0001\ufffd":         `left\u202eright \udb40\udc01\ufffd`,
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		var b strings.Builder
		p := &plainWriter{w: &b}
		for i := range len(text) {
			fmt.Fprint(p, text[i:i+1])
		}
		if b.String() != want {
			t.Errorf("%q, byte by byte: got %q, want %q", text, b.String(), want)
		}
	}
}
