package trace

import (
	"math"
	"path/filepath"
)

// A stream is the lines of files, one after another.
type stream struct {
	in    *lines   // the file that is read; nil before the first, and after the last
	names []string // of the files that follow
	open  func(name string) (*lines, error)
	head  []byte // the next line, nil if it is not read yet
	key   int64  // of head
}

// streamsOf returns one stream of all files; if the format has a key, one for each folder,
// in the order in which they come.
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

// over reports whether the stream has neither a line nor a file left.
func (s *stream) over() bool { return s.in == nil && len(s.names) == 0 }

// advance closes the file that is read, if there is one, and opens the next.
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

// take returns the line that is next among the streams: the one with the smallest key, of
// the first of those with the same. A stream whose next line is not read yet comes first,
// with none. Nil if all are over.
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

// firstKey is the key of lines that have none: they are read at once.
const firstKey = math.MinInt64
