package workload

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/augur/policy"
)

// Options says how a trace is read.
type Options struct {
	// Format is the name of a format, one of [Formats]; "auto" or "" looks at the first
	// line.
	Format string
	// Lenient drops rows that cannot be read, and counts them by reason, instead of
	// failing at the first one.
	Lenient bool
}

// A RowError says which row of a trace cannot be read, and why.
type RowError struct {
	File   string
	Line   int    // from 1
	Reason string // such as "runtime is negative"
	Detail string // the culprit, such as "task 3: -1"
}

// Error gives file, line, reason and culprit.
func (e *RowError) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, e.Reason, e.Detail)
}

// problem is a RowError before it is known where.
type problem struct{ reason, detail string }

func (p *problem) Error() string { return p.reason + ": " + p.detail }

// A format turns a line into a job, nil if the line holds none.
type format struct {
	name   string
	about  string
	opens  func(first []byte) bool // a look at the first line
	parser func() func(line []byte) (*Job, *problem)
}

// formats in the order in which auto tries them.
var formats = []format{
	{"augur", "augur's own: a job per line, JSON", looksAugur, augurParser},
	{"tr", "Sparrow, Hawk, Eagle: arrival, number of tasks, mean, runtimes (s)", looksTR, trParser},
}

// Formats returns the names of the formats, each with a line about it.
func Formats() (names, about []string) {
	for _, f := range formats {
		names, about = append(names, f.name), append(about, f.about)
	}
	return names, about
}

// A Reader is a [Source] that reads a trace row by row, and keeps nothing of a row that it
// has returned. A row may have 2^24 bytes; one of JSON, 2^18 objects, arrays and nulls.
type Reader struct {
	file    string
	in      *bufio.Reader
	parse   func(line []byte) (*Job, *problem)
	lenient bool
	line    int
	last    policy.JobID // of the last job returned
	long    []byte       // a line that does not fit into the buffer
	dropped map[string]int
	err     error // sticks
	close   func() error
}

// NewReader returns a reader of r. It recognises gzip. The file's name is for errors.
// The error names an unknown format or says that the first line that is not blank is of
// none; it must begin within the first 4096 bytes.
func NewReader(file string, r io.Reader, o Options) (*Reader, error) {
	in := bufio.NewReaderSize(r, 1<<18)
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		in = bufio.NewReaderSize(z, 1<<18)
	}
	rd := &Reader{file: file, in: in, lenient: o.Lenient, dropped: make(map[string]int)}
	f, err := find(file, in, o.Format)
	if err != nil {
		return nil, err
	}
	rd.parse = f.parser()
	return rd, nil
}

// find returns the format by its name, or by the first line.
func find(file string, in *bufio.Reader, name string) (*format, error) {
	names, _ := Formats()
	if name != "" && name != "auto" {
		for i := range formats {
			if formats[i].name == name {
				return &formats[i], nil
			}
		}
		return nil, fmt.Errorf("workload: unknown format %q, want auto or one of %s", name, strings.Join(names, ", "))
	}
	const window = 1 << 12
	first, err := in.Peek(window)
	if len(first) == 0 && err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for {
		line, rest, more := bytes.Cut(first, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 || !more {
			first = line
			break
		}
		first = rest
	}
	for i := range formats {
		if formats[i].opens(first) {
			return &formats[i], nil
		}
	}
	switch {
	case len(first) == 0 && err != nil:
		return &formats[0], nil // an empty file is an empty workload
	case len(first) == 0:
		return nil, fmt.Errorf("%s: the first %d bytes are blank, so name the format, one of %s", file, window, strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("%s: the first line is of no known format: %q", file, first[:min(len(first), 40)])
}

// Open opens a file as [NewReader] does. Close it after use.
func Open(path string, o Options) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(filepath.Base(path), f, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.close = f.Close
	return r, nil
}

// Close closes the file of a reader made by [Open].
func (r *Reader) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

// Dropped returns the number of rows that were dropped so far.
func (r *Reader) Dropped() int {
	n := 0
	for _, k := range r.dropped {
		n += k
	}
	return n
}

// Reasons returns why rows were dropped so far, as "reason: number", sorted.
func (r *Reader) Reasons() []string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(r.dropped)) {
		list = append(list, fmt.Sprintf("%s: %d", reason, r.dropped[reason]))
	}
	return list
}

// Next returns the next job. The error is a [*RowError], which sticks, or io.EOF. A
// lenient reader ends, and counts a row as dropped, where a file breaks off.
func (r *Reader) Next() (*Job, error) {
	for r.err == nil {
		line, err := r.read()
		if err == io.EOF && len(line) == 0 {
			r.err = io.EOF
			break
		}
		r.line++
		if len(line) > maxLine {
			r.reject(tooLong(line))
			continue
		}
		if err != nil && err != io.EOF {
			r.reject(&problem{"the file breaks off", err.Error()})
			if r.err == nil {
				r.err = io.EOF
			}
			break
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		j, p := r.parse(line)
		if p == nil && j != nil {
			p = r.check(j)
		}
		if p != nil {
			r.reject(p)
		} else if j != nil {
			r.last = j.ID
			return j, nil
		}
	}
	return nil, r.err
}

func (r *Reader) check(j *Job) *problem {
	if err := j.Validate(); err != nil {
		return &problem{"the job is not valid", err.Error()}
	}
	return beyond(j, r.last)
}

func (r *Reader) reject(p *problem) {
	if r.lenient {
		r.dropped[p.reason]++
		return
	}
	r.err = &RowError{r.file, r.line, p.reason, p.detail}
}

// read returns the next line, valid until the next call. Of one that is too long it
// returns the beginning, more than maxLine bytes; a lenient reader passes over the rest.
func (r *Reader) read() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	r.long = append(r.long[:0], line...)
	for err == bufio.ErrBufferFull && (r.lenient || len(r.long) <= maxLine) {
		line, err = r.in.ReadSlice('\n')
		if len(r.long) <= maxLine {
			r.long = append(r.long, line...)
		}
	}
	return r.long, err
}
