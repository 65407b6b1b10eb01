package trace

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// ReaderConfig configures a [Reader]. The zero ReaderConfig is fine for most files.
type ReaderConfig struct {
	// Format is one of [Formats]. "auto" or "" means csv if Columns is set; otherwise the
	// reader recognises the format by the first line.
	Format string
	// Lenient drops and counts rows that cannot be read, instead of failing at the first one. A
	// header that lacks a requested column is still an error.
	Lenient bool
	// Columns names the columns of a CSV table, as the package comment says. If it is empty, the reader recognises a preset
	// by its header. Other formats ignore it.
	Columns string
	// Preceding lets a job of the Standard Workload Format wait until its preceding jobs are done, as the package comment
	// says. Other formats ignore it.
	Preceding bool
	// Throughput is the number of bytes that a task handles per second, ≥ 1; 0 means 1e8. It is
	// for formats with sizes instead of runtimes: swim.
	Throughput float64
	// Budget limits the memory of all jobs, in bytes, ≥ 1; 0 means 2^29. The limit is Budget plus 128 bytes for
	// each stored byte of the files. A row may stand for 2^20 tasks, so a small file could otherwise take all
	// memory. A task counts as 16 bytes: 8 for its runtime, and 8 for what a simulation that holds all jobs at once
	// keeps of it. A row that exceeds the limit is an error, even if the reader is lenient.
	Budget int64
}

// A parser turns the lines of a trace, which may be several files, into jobs.
type parser interface {
	// row reads a line, not empty and without blanks around it, but for those of a table. It returns a job that is now complete, or nil.
	row(line []byte) (*workload.Job, *problem)
	// end is called at the end of each file, and returns a job like row.
	end() (*workload.Job, *problem)
	// rest is called after the last file until it returns nil. It returns the jobs that were waiting for more rows.
	rest() (*workload.Job, *problem)
	common() *parsing
}

// A parsing is the common part of parsers.
type parsing struct {
	texts interned
	nodes int            // of the cluster, as comments of the log tell; 0: they do not
	procs int            // processors of all nodes, the same
	skips map[string]int // number of things left out, by reason
	held  int64          // approximate memory of the rows kept for incomplete jobs
	last  policy.JobID   // of the last job that the reader has yielded
	bad   *problem       // a problem with the header of this file: then no row can be read
}

func (p *parsing) common() *parsing              { return p }
func (*parsing) end() (*workload.Job, *problem)  { return nil, nil }
func (*parsing) rest() (*workload.Job, *problem) { return nil, nil }

// hold counts a row that is kept until its job is complete, and returns the bytes that it counts as. If it begins a job, that
// takes up to about a kilobyte.
func (p *parsing) hold(line []byte) int64 {
	bytes := 512 + int64(len(line))
	p.held += bytes
	return bytes
}

// skip counts a row, or another thing, that is left out.
func (p *parsing) skip(reason string) {
	if p.skips == nil {
		p.skips = make(map[string]int)
	}
	p.skips[reason]++
}

// eachLine is the parser of a format with a job on each line.
type eachLine struct {
	parsing
	parse func(texts *interned, line []byte) (*workload.Job, *problem)
}

func (e *eachLine) row(line []byte) (*workload.Job, *problem) { return e.parse(&e.texts, line) }

// A format is a file format of jobs.
type format struct {
	name      string
	about     string
	opens     func(first []byte) bool // recognises the first line that is not blank
	parser    func(c *ReaderConfig) (parser, error)
	hash      bool // lines that begin with # are comments
	table     bool // its columns may be separated by tabs, so a row keeps the blanks around it
	described bool // a job has its ID and all its attributes in the file; otherwise the reader numbers it and adds hour and day
	// only reports whether a file of a directory is part of a trace; nil: all are.
	only func(path string) bool
	// key is the sort key of a line. The folders of a directory are merged by it, smallest key
	// first; nil: all files are read one after another.
	key func(line []byte) int64
}

// formats in the order in which auto tries them.
var formats = []format{
	{name: "augur", about: "augur's own: a job per line, JSON", opens: looksAugur, parser: augurParser, described: true},
	{name: "swf", about: "Standard Workload Format 2.2 of batch logs", opens: looksSWF, parser: swfParser},
	{name: "gwf", about: "Grid Workload Format of the Grid Workloads Archive", opens: looksGWF, parser: gwfParser, hash: true},
	{name: "pbs", about: "accounting logs of PBS, OpenPBS and Torque", opens: looksPBS, parser: pbsParser},
	{name: "lsf", about: "accounting log lsb.acct of LSF and OpenLava", opens: looksLSF, parser: lsfParser},
	{name: "csv", about: "tables with commas, semicolons, tabs or |; auto knows those of presets", opens: looksCSV, parser: csvParser, table: true},
	{name: "sacct", about: "Slurm's accounts: the table of sacct -P, with any columns", opens: looksSacct, parser: sacctParser(false), table: true},
	{name: "sacct_needs", about: "the same as sacct, and jobs need the GPUs that they got", opens: func([]byte) bool { return false }, parser: sacctParser(true), table: true},
	{name: "google2011", about: "Google ClusterData2011_2: job_events and task_events, CSV", opens: looksGoogle2011, parser: google2011Parser,
		only: onlyGoogle2011, key: keyGoogle2011},
	{name: "alibaba2018", about: "Alibaba cluster-trace-v2018: batch_task and batch_instance, CSV", opens: looksAlibaba2018, parser: alibaba2018Parser,
		only: onlyAlibaba2018},
	{name: "wfcommons", about: "WfCommons: a workflow a file, WfFormat 1.0 to 1.5, JSON", opens: looksWFCommons, parser: wfcommonsParser,
		only: onlyWFCommons},
	{name: "swim", about: "SWIM samples of Facebook's Hadoop: bytes read, shuffled and put out", opens: looksSWIM, parser: swimParser},
	{name: "tr", about: "Sparrow, Hawk, Eagle: arrival, number of tasks, mean, runtimes (s)", opens: looksTR, parser: trParser},
}

// Formats yields the names of the formats, each with a line about it.
func Formats() iter.Seq2[string, string] {
	return func(yield func(name, about string) bool) {
		for _, f := range formats {
			if !yield(f.name, f.about) {
				return
			}
		}
	}
}

// listed returns names, separated by commas.
func listed(of iter.Seq2[string, string]) string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// format returns the format that the options name, nil for auto.
func (c *ReaderConfig) format() (*format, error) {
	name := c.Format
	if name == "" || name == "auto" {
		if c.Columns == "" {
			return nil, nil
		}
		name = "csv"
	}
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("trace: unknown format %q, want auto or one of %s", name, listed(Formats()))
	}
	return &formats[i], nil
}

// A formatError reports that auto does not recognise the format of a file.
type formatError struct{ text string }

func (e *formatError) Error() string { return e.text }

// guess recognises the format of a file by its first line; nil if the file is empty.
func guess(l *lines) (*format, error) {
	const window = 1 << 14
	first, err := l.in.Peek(window)
	if len(first) == 0 && err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", l.file, err)
	}
	line := func(text []byte) []byte {
		text, _, _ = bytes.Cut(text, []byte("\n"))
		return bytes.TrimSpace(text)
	}
	first = bytes.TrimSpace(first)
	past := first
	for len(past) > 0 && past[0] == '#' {
		_, past, _ = bytes.Cut(past, []byte("\n"))
		past = bytes.TrimSpace(past)
	}
	first, past = line(first), line(past)
	for i := range formats {
		if formats[i].opens(first) || formats[i].hash && formats[i].opens(past) {
			return &formats[i], nil
		}
	}
	switch {
	case len(first) == 0 && err != nil:
		return nil, nil
	case len(first) == 0:
		return nil, &formatError{fmt.Sprintf("%s: the first %d bytes are blank, so name the format, one of %s", l.file, window, listed(Formats()))}
	}
	shown, hint := 40, columnsHint(first)
	if hint != "" {
		shown = 200
	}
	return nil, &formatError{fmt.Sprintf("%s: the first line is of no known format, so name one, or the columns of a table: %q%s", l.file, first[:min(len(first), shown)], hint)}
}

// bag returns a job of one-core tasks.
func bag(runtimes ...policy.Duration) *workload.Job {
	return &workload.Job{
		Job:      policy.Job{Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}}},
		Runtimes: [][]policy.Duration{runtimes},
	}
}

// uniform returns a job of one-core tasks that all run for the same time.
func uniform(tasks int, runtime policy.Duration) *workload.Job {
	return bag(slices.Repeat([]policy.Duration{runtime}, tasks)...)
}

// waiting holds what is known of the jobs that get more rows, by their names.
type waiting[K comparable, J any] struct {
	jobs map[K]*J
	left []*J // after the end of the trace, in order
}

// next removes a job and returns it, the first one in order, or nil if there is none. There are no more rows.
func (w *waiting[K, J]) next(order func(a, b *J) int) (j *J) {
	if w.jobs != nil {
		w.left, w.jobs = slices.SortedFunc(maps.Values(w.jobs), order), nil
	}
	if len(w.left) > 0 {
		j, w.left[0] = w.left[0], nil
		w.left = w.left[1:]
	}
	return j
}

// maxAlike bounds the number of tasks that a row may give as a mere number: their runtimes take 8 MB.
const maxAlike = 1 << 20
