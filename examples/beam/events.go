package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"example.com/augur/dag/provenance"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Event]())
	register.DoFn3x1[context.Context, fileio.ReadableFile, func(string, Event), error](&readEvents{})
	register.Emitter2[string, Event]()
	register.DoFn5x1[string, func(*Event) bool, func(string, int64), func(string, Op), func(string, Op), error](&readRun{})
	register.Iter1[Event]()
}

// An Event is a line of a file of run events of OpenLineage.
type Event struct {
	File string
	Line int64
	Text string
}

// readEvents reads the events of runs, as KV<ID of the run, Event>.
type readEvents struct{}

func (*readEvents) ProcessElement(ctx context.Context, file fileio.ReadableFile, emit func(string, Event)) error {
	path := file.Metadata.Path
	in, err := file.Open(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	e := Event{File: path, Line: 1}
	for ; lines.Scan(); e.Line++ {
		e.Text = strings.TrimPrefix(lines.Text(), "\ufeff")
		if run, ok := provenance.RunOf([]byte(e.Text)); ok {
			emit(run, e)
			continue
		}
		log, err := logOf(e)
		if err != nil {
			return err
		}
		if len(log.Jobs) > 0 {
			return fmt.Errorf("%s:%d: line is more than an event, want one event a line", path, e.Line)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", path, e.Line, err)
	}
	return nil
}

// logOf returns what the library reads in events, in this order. Its errors name file and line.
func logOf(events ...Event) (*provenance.Log, error) {
	r, err := provenance.NewReader(provenance.ReaderConfig{})
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, e := range events {
		text.WriteString(e.Text + "\n")
	}
	err = r.OpenLineage("", strings.NewReader(text.String()))
	if damaged, ok := errors.AsType[*provenance.RowError](err); ok {
		e := events[damaged.Line-1]
		damaged.File, damaged.Line = e.File, int(e.Line)
	}
	return r.Take(), err
}

// readRun makes of the events of a run what tables say of its job. It holds them.
type readRun struct{}

func (*readRun) ProcessElement(_ string, events func(*Event) bool, submitted func(string, int64), byJob, byUser func(string, Op)) error {
	var (
		all []Event
		e   Event
	)
	for events(&e) {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Event) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	log, err := logOf(all...)
	if err != nil {
		return err
	}
	for i, j := range log.Jobs {
		submitted(log.IDs.Name(uint32(i)), int64(j.Submitted))
	}
	ends := make(map[provenance.Time]Event) // the first event that ends a run at an instant
	for _, e := range all {
		lone, err := logOf(e)
		if err != nil {
			return err
		}
		for _, j := range lone.Jobs {
			if _, ok := ends[j.Completed]; !ok && j.State == provenance.Complete {
				ends[j.Completed] = e
			}
		}
	}
	for i, o := range log.Ops {
		row, ok := ends[o.Time]
		if !ok { // a read, or a write by a run that goes on
			row = all[0]
		}
		op := Op{Time: int64(o.Time), Write: o.Kind == provenance.Write, File: log.Files.Name(o.File), Table: row.File, Line: row.Line, Part: int64(i)}
		if o.Job == provenance.User {
			byUser(op.File, op)
		} else {
			op.Job = log.IDs.Name(o.Job)
			byJob(op.Job, op)
		}
	}
	return nil
}
