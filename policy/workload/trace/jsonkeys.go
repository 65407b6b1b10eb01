package trace

import (
	"bytes"
	"fmt"
	"slices"
)

// exactKeys says what is wrong with the keys of a text of JSON that has been decoded without unknown fields.
// encoding/json takes keys in any case, and of a key that comes twice the last one, so that two programs may
// read two jobs from one line. Here every key must be in lower case, as all fields are, and come once in its object.
func exactKeys(text []byte) *problem {
	var room [32][]byte
	keys := room[:0] // of the objects that are open
	var opened []int // where in keys those of each begin
	for len(text) > 0 {
		c := text[0]
		text = text[1:]
		switch c {
		case '{':
			opened = append(opened, len(keys))
		case '}':
			keys, opened = keys[:opened[len(opened)-1]], opened[:len(opened)-1]
		case '"':
			key := text[:endOfString(text)]
			text = bytes.TrimLeft(text[len(key)+1:], " \t\r\n")
			switch {
			case len(text) == 0 || text[0] != ':':
				// it is a value
			case len(bytes.Trim(key, "abcdefghijklmnopqrstuvwxyz")) > 0:
				return &problem{notJob, fmt.Sprintf("key %s is not in lower case", quote(key))}
			case slices.ContainsFunc(keys[opened[len(opened)-1]:], func(k []byte) bool { return bytes.Equal(k, key) }):
				return &problem{notJob, fmt.Sprintf("key %s comes twice", quote(key))}
			default:
				keys = append(keys, key)
			}
		}
	}
	return nil
}

// endOfString returns where the quote is that closes a string.
func endOfString(text []byte) int {
	for at := 0; ; at++ {
		switch text[at] {
		case '"':
			return at
		case '\\':
			at++
		}
	}
}
