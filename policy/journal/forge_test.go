package journal

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// Whatever a user writes into an attribute, a torn last record is cut off: nothing inside a record counts as one.
func TestAttributeWithRecords(t *testing.T) {
	first := appendEvent(nil, 0, 0, submitted(1))
	kept := len(journalOf(first).b)
	withAttr := func(value string) []byte { // a journal whose last record has the value
		ev := submitted(2)
		ev.Job.Attrs = []policy.Attr{{Name: "program", Value: value}}
		return journalOf(first, appendEvent(nil, 0, 1, ev)).b
	}
	const length = 1000
	place := bytes.Index(withAttr(strings.Repeat("x", length)), []byte("xxx"))
	// records has one whole record after another, each made for where it stands in the file.
	records := func(stands func(before []byte) int) string {
		var b []byte
		for len(b) < length-50 {
			b = appendFrame(b, tagStep, first, int64(place+stands(b)))
		}
		return string(append(b, make([]byte, length-len(b))...))
	}
	// heads has in each byte what could begin a long record, so that a search that tries them all takes long.
	heads := string(slices.Concat([]byte{tagStep}, binary.AppendUvarint(nil, 1<<17)))
	for name, value := range map[string]string{
		"records":         records(func(before []byte) int { return len(before) }),
		"escaped records": records(func(before []byte) int { return len(appendEscaped(nil, before)) }),
		"heads":           strings.Repeat(heads, 1<<17),
		"tags and ends":   strings.Repeat("\xf8\xf9\xfa\xfb\xfc\xe1\xe2\xe3", 1<<5),
	} {
		whole := withAttr(value)
		for at := kept; at <= len(whole); at++ {
			if len(value) > length && at == kept+50 {
				at = len(whole) - 50
			}
			f := &memory{b: slices.Clone(whole[:at])}
			j, err := open(f, Config{New: policies["fifo"]})
			if err != nil {
				t.Fatalf("%s, cut to %d of %d bytes: %v", name, at, len(whole), err)
			}
			events, cut := j.Restored()
			if at == len(whole) && events != 2 {
				t.Errorf("%s: %d events, %d bytes cut, want 2 events", name, events, cut)
			} else if at < len(whole) && (events != 1 || cut != int64(at-kept) || len(f.b) != kept) {
				t.Fatalf("%s, cut to %d of %d bytes: %d events, %d bytes cut, want 1 event", name, at, len(whole), events, cut)
			}
		}
	}
}
