package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/augur/dag/provenance"
)

// Lineages are what files tell of what jobs read and wrote.
type Lineages struct {
	*provenance.Log
	Dropped, Notes []string // with numbers
}

// A file is one that may tell of lineage, or standard input.
type file struct {
	name  string
	path  string // "": it is open
	text  *bufio.Reader
	named bool // it is no file of a directory
}

// ReadLineages reads events of OpenLineage and tables of jobs and of operations: files, those of directories, or standard
// input, which is -. It recognises them, and gzip. Other files of directories are counted among the notes. If there are
// no such files at all, it returns nil, and the standard input, if that was given, from its beginning.
func ReadLineages(ctx context.Context, paths []string, stdin io.Reader, c provenance.ReaderConfig, progress *Progress) (*Lineages, io.Reader, error) {
	r, err := provenance.NewReader(c)
	if err != nil {
		return nil, nil, Usage(err)
	}
	files, err := filesOf(paths, stdin)
	if err != nil {
		return nil, nil, err
	}
	kinds := make(map[lineageKind][]*file)
	for _, f := range files {
		k, err := f.kind(c.Columns)
		if err != nil {
			return nil, nil, err
		}
		kinds[k] = append(kinds[k], f)
	}
	others := kinds[noLineage]
	if len(others) == len(files) {
		if i := slices.IndexFunc(files, func(f *file) bool { return f.path == "" }); i >= 0 {
			return nil, files[i].text, nil
		}
		return nil, nil, nil
	}
	if i := slices.IndexFunc(others, func(f *file) bool { return f.named }); i >= 0 {
		return nil, nil, NoLineage(others[i].name)
	}
	for _, part := range []struct {
		files []*file
		read  func(string, io.Reader) error
	}{{kinds[lineageJobs], r.JobsCSV}, {kinds[lineageOps], r.OpsCSV}, {kinds[lineageEvents], r.OpenLineage}} {
		for _, f := range part.files {
			if err := f.read(ctx, part.read, progress); err != nil {
				return nil, nil, err
			}
		}
	}
	l := &Lineages{Log: r.Take()}
	notes := r.Notes()
	if len(others) > 0 {
		notes["file without lineage, passed over"] = len(others)
	}
	l.Dropped, l.Notes = append([]string{}, Counts(r.Dropped())...), append([]string{}, Counts(notes)...) // not null in JSON
	return l, nil, nil
}

// NoLineage is the usage error that files tell nothing of what jobs read and wrote.
func NoLineage(files string) error {
	return Usagef("%s: want run events of OpenLineage, or a table of jobs, with columns job and submitted, and one of operations, with time, op, file and job", files)
}

// filesOf returns the files, and those in directories and below them, but for those that are hidden.
func filesOf(paths []string, stdin io.Reader) (files []*file, err error) {
	for _, path := range paths {
		if path == "-" {
			text, err := unpacked(stdin)
			if err != nil {
				return nil, fmt.Errorf("standard input: %w", err)
			}
			files = append(files, &file{name: "standard input", text: text, named: true})
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, Usage(err)
		}
		if !info.IsDir() {
			files = append(files, &file{name: path, path: path, named: true})
			continue
		}
		below := os.DirFS(path) // which follows a link to a directory
		if err := fs.WalkDir(below, ".", func(name string, d fs.DirEntry, err error) error {
			switch hidden := name != "." && strings.HasPrefix(d.Name(), "."); {
			case err != nil:
				return err
			case hidden && d.IsDir():
				return fs.SkipDir
			case hidden || d.IsDir():
				return nil
			}
			// No links to directories, which may lead round, and no pipes, which may wait for ever.
			if info, err := fs.Stat(below, name); err == nil && info.Mode().IsRegular() {
				name = filepath.Join(path, filepath.FromSlash(name))
				files = append(files, &file{name: name, path: name})
			}
			return nil
		}); err != nil {
			return nil, Usage(err)
		}
	}
	if len(files) == 0 {
		return nil, Usagef("%s has no files, want a file or more", strings.Join(paths, ", "))
	}
	return files, nil
}

// unpacked returns a text that may be packed by gzip.
func unpacked(in io.Reader) (*bufio.Reader, error) {
	text := bufio.NewReaderSize(in, 1<<16)
	if magic, _ := text.Peek(2); string(magic) != "\x1f\x8b" {
		return text, nil
	}
	z, err := gzip.NewReader(text)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 1<<16), nil
}

// open calls a function with the text of a file.
func (f *file) open(do func(text *bufio.Reader) error) error {
	if f.path == "" {
		return do(f.text)
	}
	in, err := os.Open(f.path)
	if err != nil {
		return Usage(err)
	}
	defer in.Close()
	text, err := unpacked(in)
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	return do(text)
}

// read lets a reader read the file.
func (f *file) read(ctx context.Context, to func(string, io.Reader) error, progress *Progress) error {
	return f.open(func(text *bufio.Reader) error {
		return to(f.name, &interruptible{ctx, text, progress})
	})
}

// interruptible ends when its context does.
type interruptible struct {
	ctx context.Context
	io.Reader
	progress *Progress
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(p)
	r.progress.Read(n, "bytes")
	return n, err
}

// A lineageKind is what a file tells of lineage.
type lineageKind int

const (
	noLineage lineageKind = iota
	lineageEvents
	lineageJobs
	lineageOps
)

// kind recognises events by the names of their fields, and tables by those of their columns, which may have others.
func (f *file) kind(columns map[string]string) (kind lineageKind, err error) {
	err = f.open(func(text *bufio.Reader) error {
		head, err := text.Peek(1 << 16)
		if len(head) == 0 && err != io.EOF {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		kind = kindOf(head, columns)
		return nil
	})
	return kind, err
}

func kindOf(head []byte, columns map[string]string) lineageKind {
	if _, object, ok := bytes.Cut(head, []byte("{")); ok && (bytes.Contains(object, []byte(`"eventTime"`)) || bytes.Contains(object, []byte(`"eventType"`))) {
		return lineageEvents
	}
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("\n"))
	line = bytes.Map(func(c rune) rune { // names of columns have none of these
		if strings.ContainsRune(";\t|", c) {
			return ','
		}
		return c
	}, line)
	titles, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return noLineage
	}
	for i := range titles {
		titles[i] = strings.ToLower(strings.TrimSpace(titles[i]))
	}
	has := func(table string, names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			for _, key := range []string{table + "." + name, name} {
				if other, ok := columns[key]; ok {
					name = other
					break
				}
			}
			return !slices.Contains(titles, strings.ToLower(name))
		})
	}
	switch {
	case has("operations", "time", "op", "file", "job"):
		return lineageOps
	case has("jobs", "job", "submitted"):
		return lineageJobs
	}
	return noLineage
}
