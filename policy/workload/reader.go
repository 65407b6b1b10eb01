package workload

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"example.com/augur/policy"
)

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

// A Reader is a [Source] that reads a trace row by row. It keeps nothing of a job that it
// has returned. A row may have 2^24 bytes; one of JSON, 2^18 objects, arrays and nulls.
type Reader struct {
	in      *lines                 // the file that is read; nil after the last
	file    string                 // its name, for errors
	line    int                    // of what was read last
	next    func() (*lines, error) // opens the next one; nil after the last
	parser  parser
	lenient bool
	last    policy.JobID // of the last job returned
	dropped map[string]int
	err     error // sticks
}

// NewReader returns a reader of r. It recognises gzip. The file's name is for errors.
// The error names an unknown format or a bad option, or says that the first line that is
// not blank is of no format; it must begin within the first 4096 bytes.
func NewReader(file string, r io.Reader, o Options) (*Reader, error) {
	in, err := newLines(file, r, o.Lenient)
	if err != nil {
		return nil, err
	}
	return newReader(in, o)
}

func newReader(in *lines, o Options) (*Reader, error) {
	f, err := find(in.file, in.in, o.Format)
	if err != nil {
		return nil, err
	}
	p, err := f.parser(&o)
	if err != nil {
		return nil, err
	}
	none := func() (*lines, error) { return nil, nil }
	return &Reader{in: in, file: in.file, next: none, parser: p, lenient: o.Lenient, dropped: make(map[string]int)}, nil
}

// Open opens a file as [NewReader] does; of a directory, the files in it and in those
// below it, in the order of their names, as one trace. Files whose name begins with a dot
// are left out. Close the reader after use.
func Open(path string, o Options) (*Reader, error) {
	names, err := files(path)
	if err != nil {
		return nil, err
	}
	next := func() (*lines, error) {
		if len(names) == 0 {
			return nil, nil
		}
		name := names[0]
		names = names[1:]
		short, err := filepath.Rel(path, name)
		if err != nil || short == "." {
			short = filepath.Base(name)
		}
		return openLines(name, short, o.Lenient)
	}
	in, err := next()
	if err != nil {
		return nil, err
	}
	r, err := newReader(in, o)
	if err != nil {
		in.close()
		return nil, err
	}
	r.next = next
	return r, nil
}

// files returns the names of the files of a trace, at least one.
func files(path string) (names []string, err error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, err
	}
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != path && d.Name()[0] == '.' && d.IsDir():
			return filepath.SkipDir
		case d.Type().IsRegular() && d.Name()[0] != '.':
			names = append(names, name)
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("workload: directory %s holds no files, want those of a trace", path)
	}
	return names, err
}

// Close closes the file that a reader made by [Open] reads.
func (r *Reader) Close() error {
	if r.in == nil {
		return nil
	}
	return r.in.close()
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
func (r *Reader) Reasons() []string { return counts(r.dropped) }

// Skipped returns what was left out so far although nothing is wrong with it, such as
// tasks that never ran, as "reason: number", sorted. The comment on the format says what
// and why.
func (r *Reader) Skipped() []string {
	if p, ok := r.parser.(skipper); ok {
		return counts(p.skipped())
	}
	return nil
}

// A skipper is a parser that leaves out what is no part of a job to be run.
type skipper interface {
	skipped() map[string]int // by reason
}

func counts(of map[string]int) []string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%s: %d", reason, of[reason]))
	}
	return list
}

// Next returns the next job. The error is a [*RowError], which sticks, or io.EOF; of a
// trace of several files, also that one of them cannot be opened. A lenient reader ends a
// file, and counts a row as dropped, where it breaks off.
func (r *Reader) Next() (*Job, error) {
	for r.err == nil {
		j, p := r.step()
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

// step reads a line, ends a file, or asks for what is left after the last one.
func (r *Reader) step() (*Job, *problem) {
	if r.in == nil {
		j, p := r.parser.rest()
		if j == nil && p == nil {
			r.err = io.EOF
		}
		return j, p
	}
	line, p, err := r.in.next()
	r.file, r.line = r.in.file, r.in.line
	switch {
	case p != nil:
		r.reject(p)
		if err == nil || r.err != nil {
			return nil, nil
		}
	case err == nil:
		return r.parser.row(line)
	}
	j, p := r.parser.end()
	last := r.in
	if r.in, err = r.next(); err != nil {
		r.err = err
	}
	last.close()
	return j, p
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
	r.err = &RowError{File: r.file, Line: r.line, Reason: p.reason, Detail: p.detail}
}
