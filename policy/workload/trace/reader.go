package trace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"example.com/augur/internal/calendar"
	"example.com/augur/policy/workload"
)

// A RowError reports a row of a trace that cannot be read, and why.
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

// problem is a RowError without its place.
type problem struct{ reason, detail string }

func (p *problem) Error() string { return p.reason + ": " + p.detail }

// A Reader reads a trace row by row: see [Reader.Jobs]. It keeps nothing of a job after it has
// yielded it. A row may have 2^24 bytes, and a row of JSON 2^18 objects, arrays and nulls.
type Reader struct {
	streams []*stream
	file    string // last file read, for errors
	line    int
	format  *format
	parser  parser
	lenient bool
	dropped map[string]int
	unknown int // number of files of a directory that auto left out
	budget  budget
	err     error // sticks; io.EOF at the end
}

// NewReader returns a reader of r. It recognises gzip. Errors name the file. NewReader returns an
// error if the format is unknown, if an option is not allowed, or if it cannot recognise the format
// by the first line that is not blank, which must begin within the first 2^14 bytes.
func NewReader(file string, r io.Reader, c ReaderConfig) (*Reader, error) {
	if r == nil {
		return nil, fmt.Errorf("trace: the reader of %q is nil", file)
	}
	f, err := c.format()
	if err != nil {
		return nil, err
	}
	in, err := newLines(file, r, c.Lenient)
	if err != nil {
		return nil, err
	}
	return readerOf(in, f, &c)
}

// readerOf reads one file. The format is nil for auto.
func readerOf(in *lines, f *format, c *ReaderConfig) (*Reader, error) {
	if f == nil {
		var err error
		if f, err = guess(in); err != nil {
			return nil, err
		}
		if f == nil {
			f = &formats[0] // an empty file is an empty workload
		}
	}
	return newReader([]*stream{{in: in}}, f, c)
}

func newReader(streams []*stream, f *format, c *ReaderConfig) (*Reader, error) {
	p, err := f.parser(c)
	if err != nil {
		return nil, err
	}
	b, err := newBudget(c, p.common())
	if err != nil {
		return nil, err
	}
	return &Reader{streams: streams, format: f, parser: p, lenient: c.Lenient, dropped: make(map[string]int), budget: b}, nil
}

// Open opens a file as [NewReader] does. It opens a directory as one trace: all files in it and below it, in the order of
// their names. It ignores files whose name begins with a dot, files that are not part of a trace in the format, and links to
// directories. In a directory, auto takes the first format that it recognises, and skips the files before; [Reader.Skipped]
// counts these. Close the reader after use.
func Open(path string, c ReaderConfig) (*Reader, error) {
	f, err := c.format()
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("trace: the path of a trace is empty, want a file or a directory")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if info.IsDir() {
		return openDir(path, f, &c)
	}
	in, err := openLines(path, filepath.Base(path), c.Lenient)
	if err != nil {
		return nil, err
	}
	r, err := readerOf(in, f, &c)
	if err != nil {
		in.close()
	}
	return r, err
}

// openDir opens a directory. The format is nil for auto.
func openDir(path string, f *format, c *ReaderConfig) (*Reader, error) {
	names, err := files(path)
	if err != nil {
		return nil, err
	}
	open := func(name string) (*lines, error) {
		return openLines(filepath.Join(path, name), name, c.Lenient)
	}
	unknown := 0
	if f == nil {
		if f, unknown, err = guessAny(names, open); err != nil {
			return nil, err
		}
		names = names[unknown:]
	}
	if f.only != nil {
		names = slices.DeleteFunc(names, func(name string) bool { return !f.only(name) })
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("trace: directory %s holds no files of format %s", path, f.name)
	}
	r, err := newReader(streamsOf(names, f, open), f, c)
	if r != nil {
		r.unknown = unknown
	}
	return r, err
}

// guessAny returns the format of the first file with a recognised format, and the number of files
// before it. If there is none, the error is that of the first file.
func guessAny(names []string, open func(string) (*lines, error)) (f *format, unknown int, err error) {
	var first error
	for i, name := range names {
		in, err := open(name)
		if err != nil {
			return nil, 0, err
		}
		f, err := guess(in)
		in.close()
		if f != nil {
			return f, i, nil
		}
		if _, ok := err.(*formatError); err != nil && !ok {
			return nil, 0, err
		}
		first = cmp.Or(first, err)
	}
	if first != nil {
		return nil, 0, first
	}
	return &formats[0], 0, nil // empty files are an empty workload
}

// files returns the names of the files below a directory, at least one.
func files(path string) (names []string, err error) {
	err = fs.WalkDir(os.DirFS(path), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch hidden := name != "." && d.Name()[0] == '.'; {
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden:
			return nil
		}
		mode := d.Type()
		if mode&fs.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(path, name))
			if err != nil {
				return err
			}
			mode = info.Mode().Type()
		}
		if mode.IsRegular() {
			names = append(names, filepath.FromSlash(name))
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("trace: directory %s holds no files, want those of a trace", path)
	}
	return names, err
}

// Close closes the files that a reader made by [Open] reads.
func (r *Reader) Close() error {
	var err error
	for _, s := range r.streams {
		if s.in != nil {
			err = errors.Join(err, s.in.close())
		}
	}
	return err
}

// Dropped returns the number of rows dropped so far, by reason.
func (r *Reader) Dropped() map[string]int { return maps.Clone(r.dropped) }

// Skipped returns the number of valid things left out so far, such as tasks that never ran, by
// reason. The package comment says for each format what is left out.
func (r *Reader) Skipped() map[string]int {
	left := make(map[string]int)
	maps.Copy(left, r.parser.common().skips)
	if r.unknown > 0 {
		left["file of no known format"] = r.unknown
	}
	return left
}

// Cluster returns the cluster that the comments of a log tell, as a number of nodes and the cores of each; 0 nodes if they do not tell MaxProcs.
// Call it after all jobs have been read. Only the Standard Workload Format has it, as MaxNodes and MaxProcs. If the processors do not
// divide evenly among the nodes, or MaxNodes is missing, each processor is a node of one core. Of several files the largest counts.
func (r *Reader) Cluster() (nodes, cores int) {
	p := r.parser.common()
	switch {
	case p.procs == 0:
		return 0, 0
	case p.nodes > 0 && p.procs%p.nodes == 0:
		return p.nodes, p.procs / p.nodes
	}
	return p.procs, 1
}

// Jobs yields each job once: a second range continues where the first one stopped. The error is a [*RowError] about a row or
// the budget, or says that one of several files cannot be opened. No job follows an error, and a further range yields the
// same error. If a file is truncated, a lenient reader ends the file there and counts a dropped row.
func (r *Reader) Jobs() workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		for r.err == nil {
			j, p := r.step()
			if p == nil && j != nil {
				p = r.finish(j)
			}
			if p != nil {
				r.reject(p)
			} else if p = r.budget.spend(j); p != nil {
				r.fail(p)
			} else if j != nil {
				r.parser.common().last = j.ID
				if !yield(j, nil) {
					return
				}
			}
		}
		if r.err != io.EOF {
			yield(nil, r.err)
		}
	}
}

// step reads or takes a line, ends a file, or returns the remaining jobs after the last file.
func (r *Reader) step() (*workload.Job, *problem) {
	s, line := take(r.streams)
	switch {
	case s == nil:
		j, p := r.parser.rest()
		if j == nil && p == nil {
			r.err = io.EOF
		}
		return j, p
	case s.in == nil:
		r.err = s.advance()
		return nil, nil
	case line == nil:
		return r.read(s)
	}
	r.file, r.line = s.in.file, s.in.line
	return r.parser.row(line)
}

// read reads the next line of a stream, or ends its file.
func (r *Reader) read(s *stream) (*workload.Job, *problem) {
	line, p, err := s.in.next(r.format.table)
	r.file, r.line = s.in.file, s.in.line
	r.budget.read += s.in.stored.n
	s.in.stored.n = 0
	switch {
	case p != nil:
		r.reject(p)
		if err == nil || r.err != nil {
			return nil, nil
		}
	case err == nil:
		s.head, s.key = line, firstKey
		if r.format.key != nil {
			s.key = r.format.key(line)
		}
		return nil, nil
	}
	j, p := r.parser.end()
	if err := s.advance(); err != nil {
		r.err = err
	}
	return j, p
}

// finish completes a job and checks it.
func (r *Reader) finish(j *workload.Job) *problem {
	last := r.parser.common().last
	if !r.format.described {
		j.ID = last + 1
		calendar.Add(&j.Job)
	}
	if err := j.Validate(); err != nil {
		return &problem{"the job is not valid", err.Error()}
	}
	return beyond(j, last)
}

func (r *Reader) reject(p *problem) {
	if r.lenient && r.parser.common().bad == nil {
		r.dropped[p.reason]++
		return
	}
	r.fail(p)
}

// fail ends the reader, be it lenient or not.
func (r *Reader) fail(p *problem) {
	r.err = &RowError{File: r.file, Line: r.line, Reason: p.reason, Detail: p.detail}
}
