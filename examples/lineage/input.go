package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/cli"
)

// read is what was read.
type read struct {
	log     *provenance.Log
	Files   []string `json:"files"`
	Dropped []string `json:"dropped"` // reasons, and how many rows for each
	Skipped int      `json:"skipped"` // events that are not of a run
	Late    int      `json:"late"`    // rows after one of a later time
}

// readAll reads the files of the flags, or the events of the demo if there are none.
func readAll(ctx context.Context, o *options, stdin io.Reader) (*read, error) {
	r, err := provenance.NewReader(o.reader)
	if err != nil {
		return nil, cli.Usage(err)
	}
	in := &read{Files: o.events}
	switch {
	case o.jobs != "":
		in.Files = []string{o.jobs, o.operations}
		if err := readFile(ctx, o.jobs, stdin, r.JobsCSV); err != nil {
			return nil, err
		}
		if err := readFile(ctx, o.operations, stdin, r.OpsCSV); err != nil {
			return nil, err
		}
	case len(o.events) > 0:
		for _, file := range o.events {
			if err := readFile(ctx, file, stdin, r.OpenLineage); err != nil {
				return nil, err
			}
		}
	default:
		in.Files = []string{"demo"}
		if err := r.OpenLineage("demo", strings.NewReader(strings.Join(demoLines(), "\n"))); err != nil {
			return nil, err
		}
	}
	in.log = inOrder(r.Take())
	in.Late = r.Late()
	for _, n := range r.Skipped() {
		in.Skipped += n
	}
	in.Dropped = append([]string{}, cli.Counts(r.Dropped())...) // not null in JSON
	if len(in.log.Jobs) == 0 {
		return nil, cli.NoJobs(strings.Join(in.Files, ", ")+":", in.Dropped)
	}
	return in, nil
}

// readFile lets a reader read a file, or standard input if it is called -. Gzip is recognised.
func readFile(ctx context.Context, file string, stdin io.Reader, to func(string, io.Reader) error) error {
	in, name := stdin, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return cli.Usage(err)
		}
		defer f.Close()
		in, name = f, file
	}
	text := bufio.NewReaderSize(&interruptible{ctx, in}, 1<<16)
	if magic, _ := text.Peek(2); string(magic) != "\x1f\x8b" {
		return to(name, text)
	}
	z, err := gzip.NewReader(text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return to(name, z)
}

// interruptible ends when its context does.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
