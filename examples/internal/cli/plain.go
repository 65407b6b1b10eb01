package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Plain returns a text without control characters, which it writes as JSON may, so that JSON stays JSON: a terminal obeys what
// is in a name. Ends of lines and tabulators stay.
func Plain(text string) string {
	if strings.IndexFunc(text, func(c rune) bool { return !shown(c) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		switch high, low := utf16.EncodeRune(c); {
		case shown(c):
			b.WriteRune(c)
		case c > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default: // what is no UTF-8 is a replacement character
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

func shown(c rune) bool { return c == '\n' || c == '\t' || c != utf8.RuneError && unicode.IsGraphic(c) }

// plainWriter passes on what is written to it as [Plain] text.
type plainWriter struct {
	w    io.Writer
	part []byte // the beginning of a character that the next Write ends
}

// Write implements [io.Writer].
func (p *plainWriter) Write(text []byte) (int, error) {
	all := append(p.part, text...)
	end := len(all)
	for i := max(0, end-utf8.UTFMax); i < end; i++ {
		if utf8.RuneStart(all[i]) && !utf8.FullRune(all[i:]) {
			end = i
		}
	}
	if _, err := io.WriteString(p.w, Plain(string(all[:end]))); err != nil {
		return 0, err
	}
	p.part = append(p.part[:0], all[end:]...)
	return len(text), nil
}
