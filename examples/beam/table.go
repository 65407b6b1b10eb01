package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Op]())
	register.DoFn3x1[context.Context, fileio.ReadableFile, func(string, int64), error](&readJobs{})
	register.Emitter2[string, int64]()
	register.DoFn4x1[context.Context, fileio.ReadableFile, func(string, Op), func(string, Op), error](&readOps{})
	register.Emitter2[string, Op]()
}

// An Op is an operation on a file. Beam wants its fields exported.
type Op struct {
	Time      int64 // nanoseconds
	Submitted int64 // when the job was; 0 until it is known
	Write     bool
	Job       string // "" is a user
	File      string
	// Table and Line say which row it is, or which event of a run, and Part which operation of that. A
	// collection of Beam has no order, but of two writes at one instant the later row counts.
	Table      string
	Line, Part int64
}

var (
	jobColumns = []string{"job", "submitted"}
	opColumns  = []string{"time", "op", "file", "job"}
)

// checkColumns says which of the columns that have other names do not exist.
func checkColumns(names map[string]string) error {
	for column := range names {
		if !slices.Contains(jobColumns, column) && !slices.Contains(opColumns, column) {
			return fmt.Errorf("-columns has %q, want names out of %q and %q", column, jobColumns, opColumns)
		}
	}
	return nil
}

// read reads when jobs were submitted, KV<job, nanoseconds>, and what was done with files:
// operations of jobs as KV<job, Op>, and of users as KV<file, Op>.
//
// It does not read by textio, which tells neither where in a file a line is, nor which is the
// first one, that names the columns. A file is read by one worker, row by row, and different
// files by different workers: hence the reshuffle.
func (c *config) read(s beam.Scope) (submitted beam.PCollection, ops [2]beam.PCollection) {
	open := func(s beam.Scope, glob string) beam.PCollection {
		files := fileio.MatchFiles(s, glob, fileio.MatchEmptyDisallow())
		return beam.Reshuffle(s, fileio.ReadMatches(s, files))
	}
	if c.Events != "" {
		s = s.Scope("events")
		events := beam.ParDo(s, &readEvents{}, open(s, c.Events))
		submitted, ops[0], ops[1] = beam.ParDo3(s, &readRun{}, beam.GroupByKey(s, events))
		return submitted, ops
	}
	submitted = beam.ParDo(s, &readJobs{c.Columns}, open(s.Scope("jobs"), c.Jobs))
	ops[0], ops[1] = beam.ParDo2(s, &readOps{c.Columns}, open(s.Scope("operations"), c.Operations))
	return submitted, ops
}

// readJobs reads tables of jobs.
type readJobs struct{ Columns map[string]string }

func (f *readJobs) ProcessElement(ctx context.Context, file fileio.ReadableFile, emit func(string, int64)) error {
	return rows(ctx, file, jobColumns, f.Columns, func(_ int64, values []string) error {
		job, at := values[0], values[1]
		if job == "" {
			return fmt.Errorf("job has no ID")
		}
		t, err := nanoseconds("submitted", at)
		if err == nil {
			emit(job, t)
		}
		return err
	})
}

// readOps reads tables of operations.
type readOps struct{ Columns map[string]string }

func (f *readOps) ProcessElement(ctx context.Context, file fileio.ReadableFile, byJob, byUser func(string, Op)) error {
	return rows(ctx, file, opColumns, f.Columns, func(line int64, values []string) (err error) {
		op := Op{File: values[2], Job: values[3], Table: file.Metadata.Path, Line: line}
		if op.Time, err = nanoseconds("time", values[0]); err != nil {
			return err
		}
		user := false
		switch values[1] {
		case "read":
		case "write":
			op.Write = true
		case "download":
			user = true
		case "upload":
			op.Write, user = true, true
		default:
			return fmt.Errorf("op is %q, want read, write, download or upload", values[1])
		}
		switch {
		case user != (op.Job == ""):
			return fmt.Errorf("%s by job %q, want a job for read and write, and for nothing else", values[1], op.Job)
		case op.File == "":
			return fmt.Errorf("file has no name")
		case user:
			byUser(op.File, op)
		default:
			byJob(op.Job, op)
		}
		return nil
	})
}

// A reader reads a table of the file of a path. It gives pick the names of the columns, which chooses
// some by number, and take the values of these in each row, with the line of the row, or its number
// from 1 if the file has no lines. It returns their errors as they are; its own name the path.
type reader func(path string, in io.Reader, pick func(header []string) ([]int, error), take func(line int64, values []string) error) error

// rows calls take for each row of a file. What columns are called and how values are trimmed is as in
// provenance.Reader.
func rows(ctx context.Context, file fileio.ReadableFile, columns []string, names map[string]string, take func(line int64, values []string) error) error {
	path := file.Metadata.Path
	in, err := file.Open(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer in.Close()
	read := reader(readCSV)
	if strings.HasSuffix(path, ".parquet") {
		read = readParquet
	}
	pick := func(header []string) ([]int, error) {
		at := make([]int, len(columns))
		for i, column := range columns {
			name := cmp.Or(names[column], column)
			is := func(title string) bool { return strings.EqualFold(strings.TrimSpace(title), name) }
			if at[i] = slices.IndexFunc(header, is); at[i] < 0 {
				return nil, fmt.Errorf("%s: column %q is missing", path, name)
			}
			if slices.IndexFunc(header[at[i]+1:], is) >= 0 {
				return nil, fmt.Errorf("%s: column %q comes twice", path, name)
			}
		}
		return at, nil
	}
	return read(path, in, pick, func(line int64, values []string) error {
		for i, value := range values {
			values[i] = strings.TrimSpace(value)
		}
		if err := take(line, values); err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
		return nil
	})
}

func readCSV(path string, in io.Reader, pick func(header []string) ([]int, error), take func(line int64, values []string) error) error {
	text := bufio.NewReaderSize(in, 1<<16)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		text.Discard(3)
	}
	table := csv.NewReader(text) // each row must have as many values as the first
	header, err := table.Read()
	if err == io.EOF {
		return fmt.Errorf("%s: the file is empty, want a row that names the columns", path)
	} else if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	at, err := pick(header)
	if err != nil {
		return err
	}
	values := make([]string, len(at))
	for {
		row, err := table.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for i, column := range at {
			values[i] = row[column]
		}
		line, _ := table.FieldPos(0)
		if err := take(int64(line), values); err != nil {
			return err
		}
	}
}

// nanoseconds reads a time.
func nanoseconds(column, s string) (int64, error) {
	if strings.Contains(s, "T") {
		t, err := time.Parse(time.RFC3339Nano, s)
		if y := t.UTC().Year(); err == nil && 1678 <= y && y <= 2261 {
			return t.UnixNano(), nil
		}
	} else if t, err := strconv.ParseInt(s, 10, 64); err == nil && s[0] != '+' {
		return t, nil
	}
	return 0, fmt.Errorf("%s is %q, want whole nanoseconds, or a time such as 2020-11-04T13:00:00.5Z of the years 1678 to 2261", column, s)
}
