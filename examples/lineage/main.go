// Lineage reads what jobs have read and written. It prints the dependencies of jobs, their value, predictions of who will
// read what, and advice for owners of jobs.
//
//	go run ./examples/lineage
//	go run ./examples/lineage -template -strict events-*.jsonl.gz
//	zcat events.gz | go run ./examples/lineage -owner sales -
//	go run ./examples/lineage -columns org=team,op=action -unit ms jobs.csv operations.csv
//	go run ./examples/lineage -tables tables events # both are directories
//	go run ./examples/lineage -demo >events.jsonl
//
// Files are recognised: they have run events of OpenLineage, or are two tables of CSV (see OpenLineage, JobsCSV and OpsCSV of
// package dag/provenance). A single file may also be a trace whose jobs name their preceding jobs, such as swf. A directory
// stands for the files in it and below. Rows that cannot be used are left out and counted; with -strict the first one ends
// the program. A job's template is its name, or, with -template, its name without numbers and dates. Without files the program
// makes up the events of a small lake, of four weeks, with damaged, duplicated and late lines among them, and dates in
// names; -demo prints these.
//
// OpenLineage has neither downloads nor compute time. A job is then worth 1, so its aggregate value counts the jobs that
// depend on it, each by its share in what that job reads; its compute time is the time from submission to completion. The
// output says so.
//
// On request the program writes tables for examples/beam and itself, and a store for a scheduler. Each file is replaced as a
// whole; a new one is for its owner only.
//
// In the paper a template recurs if it was submitted in each of three months in a row. In a log of less than 90 days the
// months are thirds of it. A job's value counts within a week, or a quarter of the log if that is less. Predictions are
// learnt from the end of the log, which is its last submission, as long; to try them, they are learnt from as long before, and compared with the end.
//
// The log is kept in memory, but not the events: 100,000 events (118 MB), of 50,000 jobs with 180,000 dependencies in two
// weeks, take 140 MB, and 5 to 7 s on one core, most of it for reading JSON. As CSV, with downloads, they take 160 MB and 3 s.
// With many templates and long windows, -least bounds the time.
//
// Times are used as they are: a clock that is wrong by years makes the log so much longer.
//
// The exit status is 1 if -strict meets a bad row, and 2 if a flag, a file or a value is wrong, with one line on stderr.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, sections 2 to 4 (the profiler) and 7.3
// (the advisory tool). The rules for short logs, and for logs without downloads, are ours.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("lineage", execute) }

// options are the flags.
type options struct {
	files    []string
	strict   bool
	ofTables string // a flag that is not for a trace
	reader   provenance.ReaderConfig

	value         string
	window, month time.Duration // 0: by the length of the log
	months        int
	least         float64
	threshold     float64

	top                int
	owner              string
	dependencies, save string
	tables             string
	json, demo         bool
}

func execute(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return run(ctx, args, os.Stdin, stdout, stderr)
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if o.demo {
		_, err := fmt.Fprintln(stdout, strings.Join(demoLines(), "\n"))
		return err
	}
	jobs, operations := "", ""
	if o.tables != "" {
		jobs, operations = filepath.Join(o.tables, "jobs.csv"), filepath.Join(o.tables, "operations.csv")
	}
	outputs := cli.Files{Inputs: o.files}
	for _, name := range []string{jobs, operations, o.dependencies, o.save} {
		if err := outputs.Claim(name); err != nil {
			return err
		}
	}
	in, err := readAll(ctx, o, stdin, stderr)
	if err != nil {
		return err
	}
	if o.tables != "" {
		if err := os.MkdirAll(o.tables, 0o777); err != nil {
			return cli.Usage(err)
		}
		if err := cli.WriteFile(jobs, in.log.WriteJobsCSV); err != nil {
			return err
		}
		if err := cli.WriteFile(operations, in.log.WriteOpsCSV); err != nil {
			return err
		}
	}
	a, err := analyse(ctx, o, in)
	if err != nil {
		return err
	}
	if o.dependencies != "" {
		if err := cli.WriteFile(o.dependencies, a.writeDependencies); err != nil {
			return err
		}
	}
	if o.save != "" {
		if err := cli.WriteFile(o.save, a.result.Store.Save); err != nil {
			return err
		}
	}
	if o.json {
		return a.writeJSON(stdout)
	}
	return a.writeText(stdout)
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{threshold: provenance.BestThreshold, months: 3, top: 10}
	fs := flag.NewFlagSet("lineage", flag.ContinueOnError)
	fs.Func("columns", "names of columns in tables if they differ, as `MAP` such as org=team,op=action", o.columns)
	fs.Func("unit", "`unit` of times that are plain numbers: s, ms, us or ns (default s)", cli.OneOf(&o.reader.Unit, map[string]time.Duration{"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond, "ns": time.Nanosecond}, "s, ms, us or ns"))
	fs.BoolVar(&o.strict, "strict", false, "fail at the first row that cannot be used, instead of leaving it out")
	fs.BoolVar(&o.reader.Template, "template", false, "drop numbers and dates from the names of jobs, so that runs of a program have one template")
	span(fs, &o.reader.Lateness, "lateness", "the most `time` by which a row may be late, such as 2h (default: any)")
	fs.Func("value", "a job's own value: its number of `downloads`, or jobs: 1 each (default: downloads if there are any)", cli.OneOf(&o.value, map[string]string{"downloads": "downloads", "jobs": "jobs"}, "downloads or jobs"))
	span(fs, &o.window, "window", "the `time` within which dependents count for a job, such as 7d (default: a week, or a quarter of the log if that is less)")
	span(fs, &o.month, "month", "the `length` of a month: a recurring template is submitted in each of -months in a row (default: 30d, or a part of the log if that is less)")
	fs.Func("months", "the `number` of months in a row for -month (default 3)", cli.Whole(&o.months, 1, 1000))
	fs.Func("least", "ignore a dependent that counts for less than this `share` of its value; makes large logs faster (default 0)", cli.Share(&o.least))
	fs.Func("threshold", "least `share` of a template's jobs that were read, to predict that the next will be (default 0.2)", cli.Between(&o.threshold, 0.01, 1, "a number of 0.01 to 1"))
	fs.Func("top", "the most `rows` of each list (default 10; with -json all)", cli.Whole(&o.top, 1, 1<<30))
	fs.StringVar(&o.owner, "owner", "", "give advice to `ORGANISATION` only")
	fs.StringVar(&o.dependencies, "dependencies", "", "also write all dependencies to `FILE`, CSV")
	fs.StringVar(&o.save, "save", "", "also write the values of jobs to `FILE`, which a scheduler reads with value.Load")
	fs.StringVar(&o.tables, "tables", "", "also write jobs.csv and operations.csv to `DIRECTORY`, for examples/beam")
	fs.BoolVar(&o.json, "json", false, "print JSON instead of text")
	fs.BoolVar(&o.demo, "demo", false, "print the made-up events that are used without files, and stop")
	given, files, err := cli.ParseFiles(fs, args, stdout, "Lineage reads what jobs have read and written, and prints dependencies, values, predictions and advice. Use: lineage [flags] [FILE ...]. Files have OpenLineage's run events, are tables of jobs (columns job and submitted) and of operations (time, op, file, job), or are a trace that names preceding jobs; what comes after the last submission does not count; - is standard input, and a directory stands for its files. Flags:")
	if err != nil {
		return nil, err
	}
	o.files, o.reader.Lenient = files, !o.strict
	return o, o.check(given)
}

// check refuses flags that do not go together.
func (o *options) check(given map[string]bool) error {
	for i, file := range o.files {
		if slices.Contains(o.files[:i], file) {
			return cli.Usagef("file %s is given twice, want it once", file)
		}
	}
	for _, name := range []string{"columns", "dependencies", "lateness", "save", "strict", "tables", "template", "unit"} {
		if given[name] && len(o.files) == 0 {
			return cli.Usagef("-%s without a file to read, want one; -demo prints one to try", name)
		}
	}
	for _, name := range []string{"columns", "lateness", "unit"} {
		if given[name] {
			o.ofTables = name
		}
	}
	if o.json && !given["top"] {
		o.top = 1 << 30
	}
	return nil
}

// columns reads a list of name=name.
func (o *options) columns(list string) error {
	o.reader.Columns = make(map[string]string)
	for pair := range strings.SplitSeq(list, ",") {
		ours, theirs, ok := strings.Cut(pair, "=")
		if !ok || ours == "" || theirs == "" {
			return fmt.Errorf("have %q, want a list such as org=team,op=action", pair)
		}
		if _, ok := o.reader.Columns[ours]; ok {
			return fmt.Errorf("column %s comes twice", ours)
		}
		o.reader.Columns[ours] = theirs
	}
	return nil
}

// span defines a flag for a span of time, which may be in days.
func span(fs *flag.FlagSet, x *time.Duration, name, usage string) {
	fs.Func(name, usage, func(s string) error {
		d, err := time.ParseDuration(s)
		if days, ok := strings.CutSuffix(s, "d"); ok {
			var n float64
			if n, err = cli.Decimal(days); err == nil && n <= 1e5 {
				d = time.Duration(n * float64(24*time.Hour))
			}
		}
		if err != nil || d <= 0 {
			return errors.New("want a time above 0, such as 90m, 12h or 7d")
		}
		*x = d
		return nil
	})
}
