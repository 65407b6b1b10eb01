package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// lines are those of a file, which may be packed with gzip.
type lines struct {
	file    string // its name, for errors
	line    int    // the number of the last line read, from 1
	in      *bufio.Reader
	stored  *counter // the bytes of the file
	lenient bool
	long    []byte // a line that does not fit into the buffer
	close   func() error
}

func newLines(file string, r io.Reader, lenient bool) (*lines, error) {
	stored := &counter{of: r}
	in := bufio.NewReaderSize(stored, 1<<18)
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		in = bufio.NewReaderSize(z, 1<<18)
	}
	return &lines{file: file, in: in, stored: stored, lenient: lenient, close: func() error { return nil }}, nil
}

func openLines(path, name string, lenient bool) (*lines, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	l, err := newLines(name, f, lenient)
	if err != nil {
		f.Close()
		return nil, err
	}
	l.close = f.Close
	return l, nil
}

// next returns the next line that is not blank, without the blanks around it, valid until
// the next call; io.EOF after the last one. There is a problem if a line is too long, and
// if the file breaks off, which is its end.
func (l *lines) next() ([]byte, *problem, error) {
	for {
		line, err := l.read()
		if err == io.EOF && len(line) == 0 {
			return nil, nil, io.EOF
		}
		l.line++
		if len(line) > maxLine {
			return nil, tooLong(line), nil
		}
		if err != nil && err != io.EOF {
			return nil, &problem{"the file breaks off", err.Error()}, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil, nil
		}
	}
}

// read returns the next line, valid until the next call. Of one that is too long it
// returns the beginning, more than maxLine bytes; a lenient reader passes over the rest.
func (l *lines) read() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	l.long = append(l.long[:0], line...)
	for err == bufio.ErrBufferFull && (l.lenient || len(l.long) <= maxLine) {
		line, err = l.in.ReadSlice('\n')
		if len(l.long) <= maxLine {
			l.long = append(l.long, line...)
		}
	}
	return l.long, err
}
