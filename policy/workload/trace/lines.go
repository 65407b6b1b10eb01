package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// lines reads the lines of a file, which may be packed with gzip.
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
	const mark = "\ufeff" // the byte-order mark that some programs begin a text with
	if begin, _ := in.Peek(len(mark)); string(begin) == mark {
		in.Discard(len(mark))
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

// next returns the next line that is not blank, without the blanks around it, or with them if it is to be whole, valid until
// the next call. It returns io.EOF after the last line, and a problem if a line is too long or if the file is truncated, which
// ends it.
func (l *lines) next(whole bool) ([]byte, *problem, error) {
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
		text := bytes.TrimSpace(line)
		switch {
		case len(text) > 0 && whole:
			return bytes.TrimRight(line, "\r\n"), nil, nil
		case len(text) > 0:
			return text, nil, nil
		}
	}
}

// read returns the next line, valid until the next call. If the line is too long, it returns the
// beginning, more than maxLine bytes; a lenient reader skips the rest.
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

// A stream reads the lines of files, one file after another.
type stream struct {
	in    *lines   // current file; nil before the first and after the last
	names []string // names of the files that follow
	open  func(name string) (*lines, error)
	head  []byte // next line, nil if it has not been read yet
	key   int64  // key of head
}

// streamsOf returns one stream of all files or, if the format has a key, one for each folder, in their order.
func streamsOf(names []string, f *format, open func(string) (*lines, error)) []*stream {
	if f.key == nil {
		return []*stream{{names: names, open: open}}
	}
	var streams []*stream
	folders := make(map[string]*stream)
	for _, name := range names {
		folder := filepath.Dir(name)
		s := folders[folder]
		if s == nil {
			s = &stream{open: open}
			folders[folder] = s
			streams = append(streams, s)
		}
		s.names = append(s.names, name)
	}
	return streams
}

// over reports whether the stream has no lines and no files left.
func (s *stream) over() bool { return s.in == nil && len(s.names) == 0 }

// advance closes the current file, if there is one, and opens the next.
func (s *stream) advance() error {
	if s.in != nil {
		s.in.close()
		s.in = nil
	}
	if len(s.names) == 0 {
		return nil
	}
	name := s.names[0]
	s.names = s.names[1:]
	in, err := s.open(name)
	s.in = in
	return err
}

// take returns the next line among the streams: the one with the smallest key, of the first stream
// if several have it. If the next line of a stream has not been read yet, take returns that stream
// first, without a line. It returns nil if all streams are over.
func take(streams []*stream) (s *stream, line []byte) {
	for _, t := range streams {
		switch {
		case t.over():
		case t.head == nil:
			return t, nil
		case s == nil || t.key < s.key:
			s = t
		}
	}
	if s != nil {
		line, s.head = s.head, nil
	}
	return s, line
}

// firstKey is the key of lines without a key: they come at once.
const firstKey = math.MinInt64
