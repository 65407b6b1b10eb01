package predict

import (
	"fmt"
	"testing"
)

func TestHashText(t *testing.T) {
	// Values of MurmurHash3_x64_128 with seed 0, from the reference implementation.
	for _, test := range []struct {
		text string
		want key
	}{
		{"", key{}},
		{"hello", key{0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19}},
		{"The quick brown fox jumps over the lazy dog", key{0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347}},
	} {
		if got := hashText(key{}, test.text); got != test.want {
			t.Errorf("hash of %q is %x, want %x", test.text, got, test.want)
		}
	}
}

func TestHashTextTellsTextsApart(t *testing.T) {
	seen := map[key]string{}
	text := ""
	for i := range 40 { // all lengths about the blocks of 8 and 16 bytes
		for _, s := range []string{text, text + "\x00", text + "\x00\x00", "\x00" + text} {
			k := hashText(key{}, s)
			if other, ok := seen[k]; ok && other != s {
				t.Errorf("%q and %q have the same key", s, other)
			}
			seen[k] = s
		}
		text += fmt.Sprint(i % 10)
	}
}
