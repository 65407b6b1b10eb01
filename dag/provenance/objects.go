package provenance

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

// objects cuts a text into its JSON objects: one a line, each over several lines, in a list, or in the list of an object
// whose field is called events. It passes over what stands before an object on its line, as in the log of a program, and
// over what follows the list of an object. Any other line that is not blank is returned as it is.
type objects struct {
	in       *bufio.Reader
	rest     []byte // of the piece of a line that was read last
	whole    bool   // that piece ends its line
	line     int    // the number of the line, from 1
	text     []byte // the object so far, no more than maxLine + 1 bytes of it
	inEvents bool   // the list of an object has begun
}

const (
	maxLine  = 1 << 24
	maxParts = 1 << 18 // objects and lists of a row: decoded, each takes many times the memory of its text
)

func newObjects(in io.Reader) *objects {
	o := &objects{in: bufio.NewReaderSize(in, 1<<16), whole: true}
	if mark, _ := o.in.Peek(3); string(mark) == "\ufeff" {
		o.in.Discard(3)
	}
	return o
}

// next returns the next object, valid until the next call, and the number of the line that it begins on. One that is broken
// off ends before a line that begins another one with a field of an event, and at the end of a line within a string. The error is io.EOF or that of the
// reader.
func (o *objects) next() (text []byte, line int, err error) {
	for {
		if other, err := o.seek(); err != nil || other != nil {
			return other, o.line, err
		}
		line = o.line
		if again, err := o.take(); err != nil || !again {
			return o.text, line, err
		}
	}
}

// seek goes on to the beginning of an object. It returns a line that has none.
func (o *objects) seek() (other []byte, err error) {
	for {
		if len(o.rest) == 0 {
			if err := o.read(); err != nil {
				return nil, err
			}
		}
		if at := bytes.IndexByte(o.rest, '{'); at >= 0 {
			o.rest = o.rest[at:]
			return nil, nil
		}
		other := bytes.Trim(o.rest, " \t\r\n[],}")
		if o.rest = nil; len(other) > 0 && !o.inEvents {
			return other, nil
		}
	}
}

// take reads the object that begins here, or says that it was but the beginning of one with a list of events.
func (o *objects) take() (again bool, err error) {
	o.text = o.text[:0]
	depth, quoted, escaped := 0, false, false
	for {
		for i, c := range o.rest {
			switch {
			case quoted:
				quoted, escaped = c != '"' || escaped, c == '\\' && !escaped
			case c == '"':
				quoted = true
			case c == '{', c == '[':
				if depth++; c == '[' && depth == 2 && !o.inEvents && o.endsInEvents(o.rest[:i]) {
					o.rest, o.inEvents = o.rest[i+1:], true
					return true, nil
				}
			case c == '}', c == ']':
				if depth--; depth == 0 {
					o.keep(o.rest[:i+1])
					o.rest = o.rest[i+1:]
					return false, nil
				}
			}
		}
		o.keep(o.rest)
		begins := o.whole
		switch err := o.read(); {
		case err != nil && err != io.EOF:
			return false, err
		case err == io.EOF, begins && (quoted || beginsEvent(o.rest)):
			return false, nil
		}
	}
}

// beginsEvent reports whether a line is likely to begin an event, and no object in one.
func beginsEvent(line []byte) bool {
	for _, key := range []string{"eventT", "producer", "schemaURL", "run", "inputs", "outputs"} {
		if bytes.HasPrefix(line, []byte(`{"`+key)) {
			return true
		}
	}
	return false
}

// read reads a line, or a piece of it that fits into the buffer.
func (o *objects) read() (err error) {
	o.rest, err = o.in.ReadSlice('\n')
	if len(o.rest) > 0 && (err == bufio.ErrBufferFull || err == io.EOF) {
		err = nil
	}
	if err == nil && o.whole {
		o.line++
	}
	o.whole = err != nil || o.rest[len(o.rest)-1] == '\n'
	return err
}

// keep adds to the object.
func (o *objects) keep(piece []byte) {
	o.text = append(o.text, piece[:min(len(piece), maxLine+1-len(o.text))]...)
}

// endsInEvents reports whether the object so far, and the last bytes that are given, end in the name of the field events.
func (o *objects) endsInEvents(last []byte) bool {
	if few := 64; len(last) < few {
		last = slices.Concat(o.text[max(0, len(o.text)-few):], last)
	}
	for _, token := range []string{":", `"events"`} {
		var ok bool
		if last, ok = bytes.CutSuffix(bytes.TrimRight(last, " \t\r\n"), []byte(token)); !ok {
			return false
		}
	}
	return true
}
