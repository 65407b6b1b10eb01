package provenance

import (
	"strings"
	"unicode/utf8"
)

// A jsonScanner goes over a text of JSON once. Its methods go past a value and report whether it is
// what they take; if not, the scanner is of no more use.
type jsonScanner struct {
	text []byte
	at   int
}

// object takes an object. It calls value where the value of one of some keys begins, with the place
// of the key, and skips those of other keys.
func (s *jsonScanner) object(keys []string, value func(key int) bool) bool {
	if !s.is('{') {
		return false
	}
	if s.is('}') {
		return true
	}
	for seen := uint8(0); ; {
		key, ok := s.word()
		if !ok || !s.is(':') {
			return false
		}
		switch i, ok := find(keys, key); {
		case !ok:
			return false
		case i < 0:
			if !s.skip(0) {
				return false
			}
		case seen&(1<<i) != 0 || !value(i):
			return false
		default:
			seen |= 1 << i
		}
		if s.is('}') {
			return true
		}
		if !s.is(',') {
			return false
		}
	}
}

// find returns the place of a key, -1 if it is none of them, and false if it is one in other letters
// or could be: letters beyond ASCII may stand for some of it.
func find(keys []string, key []byte) (place int, ok bool) {
	for i, k := range keys {
		if string(key) == k {
			return i, true
		}
		if len(key) == len(k) && strings.EqualFold(string(key), k) {
			return 0, false
		}
	}
	for _, c := range key {
		if c >= utf8.RuneSelf {
			return 0, false
		}
	}
	return -1, true
}

// array takes an array, and calls value where each of its values begins.
func (s *jsonScanner) array(value func() bool) bool {
	if !s.is('[') {
		return false
	}
	if s.is(']') {
		return true
	}
	for {
		if !value() {
			return false
		}
		if s.is(']') {
			return true
		}
		if !s.is(',') {
			return false
		}
	}
}

// string takes a string without escapes.
func (s *jsonScanner) string(to *string) bool {
	word, ok := s.word()
	*to = string(word)
	return ok
}

// word returns a string without escapes.
func (s *jsonScanner) word() ([]byte, bool) {
	if !s.is('"') {
		return nil, false
	}
	begin, ascii := s.at, true
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			word := s.text[begin:s.at]
			s.at++
			return word, ascii || utf8.Valid(word)
		case c == '\\' || c < ' ':
			return nil, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, false
}

// deepest is how deep values that are skipped may lie in others.
const deepest = 100

// skip takes any value, at some depth.
func (s *jsonScanner) skip(depth int) bool {
	s.space()
	if s.at == len(s.text) || depth > deepest {
		return false
	}
	switch c := s.text[s.at]; c {
	case '{':
		s.at++
		if s.is('}') {
			return true
		}
		for {
			if s.space(); !s.quoted() || !s.is(':') || !s.skip(depth+1) {
				return false
			}
			if s.is('}') {
				return true
			}
			if !s.is(',') {
				return false
			}
		}
	case '[':
		return s.array(func() bool { return s.skip(depth + 1) })
	case '"':
		return s.quoted()
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	return s.number()
}

// quoted takes a string that begins here.
func (s *jsonScanner) quoted() bool {
	if s.at == len(s.text) || s.text[s.at] != '"' {
		return false
	}
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return true
		case c < ' ':
			return false
		case c == '\\':
			if s.at++; !s.escape() {
				return false
			}
		}
	}
	return false
}

// escape reports whether an escape goes on here as it may. It ends at its last byte.
func (s *jsonScanner) escape() bool {
	if s.at == len(s.text) {
		return false
	}
	if s.text[s.at] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, s.text[s.at]) >= 0
	}
	for range 4 {
		if s.at++; s.at == len(s.text) || !hexa(s.text[s.at]) {
			return false
		}
	}
	return true
}

func (s *jsonScanner) literal(word string) bool {
	if len(s.text)-s.at < len(word) || string(s.text[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

func (s *jsonScanner) number() bool {
	s.one('-')
	if !s.one('0') && !s.digits() {
		return false
	}
	if s.one('.') && !s.digits() {
		return false
	}
	if s.one('e') || s.one('E') {
		if !s.one('+') {
			s.one('-')
		}
		return s.digits()
	}
	return true
}

func (s *jsonScanner) digits() bool {
	begin := s.at
	for s.at < len(s.text) && digit(s.text[s.at]) {
		s.at++
	}
	return s.at > begin
}

// is takes a byte, after white space.
func (s *jsonScanner) is(c byte) bool {
	s.space()
	return s.one(c)
}

func (s *jsonScanner) one(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *jsonScanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// done reports whether nothing follows.
func (s *jsonScanner) done() bool {
	s.space()
	return s.at == len(s.text)
}
