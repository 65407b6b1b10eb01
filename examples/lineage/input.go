package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/cli"
)

// read is what was read.
type read struct {
	log     *provenance.Log
	Files   []string `json:"files"`
	Dropped []string `json:"dropped"` // reasons, and how many rows for each
	Notes   []string `json:"notes"`   // what else is unusual, and how often
}

// readAll reads the files of the flags, or the events of the demo if there are none.
func readAll(ctx context.Context, o *options, stdin io.Reader, stderr io.Writer) (*read, error) {
	in := &read{Files: o.files}
	if len(in.Files) == 0 {
		in.Files, stdin = []string{"-"}, strings.NewReader(strings.Join(demoLines(), "\n"))
		o.reader.Template = true
	}
	progress := cli.NewProgress(stderr, strings.Join(in.Files, ", "), 0)
	l, open, err := cli.ReadLineages(ctx, in.Files, stdin, o.reader, progress)
	progress.Clear()
	if err == nil && l == nil && len(in.Files) == 1 {
		l, err = readTrace(ctx, o, in.Files[0], open, stderr)
	}
	if err != nil {
		return nil, err
	}
	if len(o.files) == 0 {
		in.Files = []string{"demo"}
	}
	name := strings.Join(in.Files, ", ")
	if l == nil {
		return nil, cli.NoLineage(name)
	}
	in.log, in.Dropped, in.Notes = inOrder(l.Log), l.Dropped, l.Notes
	if len(in.log.Jobs) == 0 {
		return nil, cli.NoJobs(name+":", in.Dropped)
	}
	if names, templates := in.alike(); templates <= names/2 && names > len(in.log.Jobs)/2 && !o.reader.Template {
		in.Notes = append(in.Notes, fmt.Sprintf("%d jobs have %d names, which differ by numbers and dates: with -template these are %s", len(in.log.Jobs), names, cli.Count(templates, "template")))
	}
	return in, nil
}

// alike returns the number of names of jobs, and of what is left of them without numbers and dates.
func (in *read) alike() (names, templates int) {
	var alike provenance.Names
	for i := range uint32(in.log.Templates.Len()) {
		alike.Number(provenance.Template(in.log.Templates.Name(i)))
	}
	return in.log.Templates.Len(), alike.Len()
}
