package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
	"example.com/augur/predict"
)

// JobFlags are the flags that choose jobs: those of a trace, or a generated workload.
type JobFlags struct {
	Trace, Format, Columns string
	Throughput             float64
	Budget                 int64 // bytes; 0: the reader's default
	Strict                 bool
	Preceding              bool // jobs wait for those that the log says precede them
	Workload               string
	Jobs                   int      // 0: all of a trace, or the number that is usual for the workload
	Skip                   int      // of a trace: how many jobs to leave out at its start
	Features               []string // those of -features; some job must have each; nil: the default
	paper                  bool     // they are those of 3Sigma

	Stdin  io.Reader // a trace called -; nil: that of the process
	Stderr io.Writer // shows how far reading is, if it is a terminal; nil: that of the process
}

// Register defines the flags.
func (f *JobFlags) Register(fs *flag.FlagSet) {
	formats := []string{"auto"}
	for name := range trace.Formats() {
		formats = append(formats, name)
	}
	formats = append(formats, lineageFormat)
	fs.StringVar(&f.Trace, "trace", "", "read the jobs from `FILE`, a directory of files, or - for standard input; gzip is recognised")
	fs.StringVar(&f.Format, "format", "auto", "`FORMAT` of the trace: "+strings.Join(formats, "|"))
	fs.StringVar(&f.Columns, "columns", "", "the columns of a table, as `MAP` such as submit=t:s,runtime=seconds,user=owner, 1=submit,2=runtime if it has no header, or a preset; compare -list has them")
	fs.Func("throughput", "`bytes` that a task handles in a second, for traces that give sizes instead of runtimes (default 1e8)", Between(&f.Throughput, 1, math.MaxFloat64, "a finite number of at least 1"))
	fs.Func("budget", "most `bytes` of memory for the jobs of a trace, beyond 128 for each byte of its files (default 2^29)", Between(&f.Budget, 1, 1<<60, "a number of 1 to 2^60"))
	fs.BoolVar(&f.Strict, "strict", false, "fail at the first row of the trace that cannot be read, instead of leaving it out")
	fs.StringVar(&f.Workload, "workload", "heavytail", "generate the jobs of workload `NAME`; compare -list has them")
	fs.Func("jobs", "`number` of jobs to generate, or to take from the start of the trace", Whole(&f.Jobs, 1, 1<<28))
	fs.Func("skip", "`number` of jobs to leave out at the start of the trace; -jobs counts those after them", Whole(&f.Skip, 0, 1<<28))
}

// Check refuses flags that do not go together, and an unknown workload. It returns the
// generator of the workload; nil if there is a trace.
func (f *JobFlags) Check(given map[string]bool) (*Generator, error) {
	switch {
	case given["trace"] && given["workload"]:
		return nil, Usagef("both -trace and -workload are given, want one of them")
	case given["trace"] && f.Trace == "":
		return nil, Usagef("-trace is empty, want a file or a directory")
	case given["format"] && !given["trace"]:
		return nil, Usagef("-format %s without -trace, want both", f.Format)
	}
	for _, name := range []string{"columns", "throughput", "budget", "strict", "preceding", "skip"} {
		if given[name] && !given["trace"] {
			return nil, Usagef("-%s without -trace, want both", name)
		}
	}
	if f.Columns != "" && f.Format != "csv" && f.Format != "auto" {
		return nil, Usagef("-columns %s with -format %s, want csv", f.Columns, f.Format)
	}
	if given["trace"] {
		return nil, nil
	}
	return findGenerator(f.Workload)
}

// Generator returns what generates the jobs; nil if they are those of a trace, or there is
// no such workload.
func (f *JobFlags) Generator() *Generator {
	if f.Trace != "" {
		return nil
	}
	g, _ := findGenerator(f.Workload)
	return g
}

// Jobs are those that the flags choose, in order of submission.
type Jobs struct {
	Name             string
	List             []*workload.Job
	Dropped, Skipped []string // of a trace: why rows were left out, and how many
	Unread           []string // attributes that -columns makes, and neither 3Sigma nor Wing goes by
	// History makes the jobs before them anew, to learn from; nil: there are none.
	History func() (workload.Source, error)
	LakeLog *paper.LakeLog // that they are of; nil: none
	Waiting *int           // the number of jobs with preceding jobs; nil: these do not count
	Own     sim.Partition  // the cluster that the log itself tells; no nodes if it does not
	noted   []string       // what else is unusual
}

// Read reads or generates the jobs, at least one. The error is one of usage if the trace
// cannot be opened or holds no job, or the generator makes none from the flags; it is ctx.Err()
// if ctx ends meanwhile.
func (f *JobFlags) Read(ctx context.Context, seed uint64) (js Jobs, err error) {
	if f.Trace != "" {
		if js.Name = filepath.Base(f.Trace); f.Trace == "-" {
			js.Name = "standard input"
		}
		err = f.read(ctx, &js)
	} else {
		js.Name = f.Workload
		err = f.generate(ctx, &js, seed)
	}
	if err != nil {
		return js, err
	}
	js.List = js.List[min(f.Skip, len(js.List)):]
	if f.Jobs > 0 && len(js.List) > f.Jobs {
		js.List = js.List[:f.Jobs]
	}
	if len(js.List) == 0 {
		return js, NoJobs(js.Name+" has", append(js.Dropped, js.Skipped...))
	}
	if f.Trace != "" {
		// One window of all of them: it drops the inputs that were cut off.
		windows, err := workload.Windows(js.List, 1)
		if err != nil {
			return js, err
		}
		js.List = windows[0].Jobs
	}
	if f.Preceding {
		js.Waiting = new(int)
		for _, j := range js.List {
			if j.Inputs != nil {
				*js.Waiting++
			}
		}
	}
	return js, f.lacking(&js)
}

// NoJobs is the usage error that some input has no jobs, with the reasons why rows were left out.
func NoJobs(input string, why []string) error {
	reasons := ""
	if len(why) > 0 {
		reasons = " (" + strings.Join(why, ", ") + ")"
	}
	return Usagef("%s no jobs%s, want at least 1", input, reasons)
}

func (f *JobFlags) read(ctx context.Context, js *Jobs) error {
	stdin := f.Stdin
	if stdin == nil {
		stdin = os.Stdin
	}
	progress := NewProgress(cmp.Or[io.Writer](f.Stderr, os.Stderr), js.Name, 0)
	defer progress.Clear()
	if f.Format == lineageFormat || f.Format == "auto" && f.Columns == "" {
		c := provenance.ReaderConfig{Lenient: !f.Strict}
		l, open, err := ReadLineages(ctx, []string{f.Trace}, stdin, c, progress)
		switch {
		case err != nil:
			return err
		case l != nil:
			return js.take(l, f.Preceding)
		case f.Format == lineageFormat:
			return NoLineage(f.Trace)
		case open != nil:
			stdin = open
		}
	}
	c := trace.ReaderConfig{Format: f.Format, Lenient: !f.Strict, Preceding: f.Preceding, Columns: f.Columns, Throughput: f.Throughput, Budget: f.Budget}
	open := func() (*trace.Reader, error) { return trace.Open(f.Trace, c) }
	if f.Trace == "-" {
		open = func() (*trace.Reader, error) { return trace.NewReader("standard input", stdin, c) }
	}
	r, err := open()
	if err != nil {
		return Usage(err)
	}
	defer r.Close()
	js.List, err = workload.ReadAll(until(ctx, r.Jobs(), progress))
	js.Dropped, js.Skipped = Counts(r.Dropped()), Counts(r.Skipped())
	nodes, cores := r.Cluster()
	js.Own = sim.Partition{Nodes: nodes, Cores: int32(cores)}
	if strings.Contains(f.Columns, "=") && (f.Features == nil || f.paper) {
		js.Unread = unread(js.List)
	}
	return err
}

// take makes the jobs those of lineages.
func (js *Jobs) take(l *Lineages, wait bool) (err error) {
	unended := 0
	js.List, unended, err = l.jobs(wait)
	js.Dropped, js.noted = l.Dropped, append(l.Notes, "jobs of lineage have one task of one core; those that failed run as long as they did")
	if unended > 0 {
		js.Skipped = append(js.Skipped, fmt.Sprintf("job without a known start or end: %d", unended))
	}
	return err
}

// unread returns the names of attributes that are no part of a feature of 3Sigma, nor what Wing knows jobs by.
func unread(list []*workload.Job) (names []string) {
	read := []string{"template"}
	for _, feature := range predict.ThreeSigmaFeatures() {
		read = append(read, strings.Split(feature, "+")...)
	}
	for _, j := range list {
		for _, a := range j.Attrs {
			if !slices.Contains(read, a.Name) && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// Counts returns lines such as "runtime is negative: 2".
func Counts(of map[string]int) (lines []string) {
	for _, reason := range slices.Sorted(maps.Keys(of)) {
		lines = append(lines, fmt.Sprintf("%s: %d", reason, of[reason]))
	}
	return lines
}

func (f *JobFlags) generate(ctx context.Context, js *Jobs, seed uint64) error {
	g, err := findGenerator(f.Workload)
	if err != nil {
		return err
	}
	var source workload.Source
	if g.Lake != nil {
		lake, err := g.Lake(f.Jobs, seed)
		if err != nil {
			return Usage(err)
		}
		js.LakeLog, source = lake, lake.Source()
		js.History = func() (workload.Source, error) { return lake.History(), nil }
	} else {
		if source, err = g.Source(f.Jobs, seed); err != nil {
			return Usage(err)
		}
		if g.History != nil {
			js.History = func() (workload.Source, error) { return g.History(seed) }
		}
	}
	js.List, err = workload.ReadAll(until(ctx, source, NewProgress(io.Discard, js.Name, 0)))
	return err
}

// until ends a source with the error of ctx as soon as it has one, and shows how many jobs there have been.
func until(ctx context.Context, source workload.Source, progress *Progress) workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		for j, err := range source {
			if over := ctx.Err(); over != nil {
				yield(nil, over)
				return
			}
			if progress.Read(1, "jobs"); !yield(j, err) {
				return
			}
		}
	}
}

// RequestFactor is how many times its runtime a job requests that does not say.
const RequestFactor = 2

// Requested returns the jobs for a policy that goes by requested times: those that request none request their runtime times
// [RequestFactor]. It returns how many these are. Other policies must not get these jobs, since such requests tell the runtime.
func (js *Jobs) Requested() (list []*workload.Job, without int, err error) {
	for _, j := range js.List {
		if j.Requested == 0 {
			without++
		}
	}
	source, err := workload.FillRequested(workload.Of(js.List), RequestFactor)
	if err != nil {
		return nil, 0, err
	}
	list, err = workload.ReadAll(source)
	return list, without, err
}

// WriteList prints what the flags can name: workloads, formats, and presets of columns.
func WriteList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "workloads")
	for _, g := range Generators {
		fmt.Fprintf(t, "  %s\t%s\n", g.Name, g.About)
	}
	list := func(title string, of iter.Seq2[string, string]) {
		fmt.Fprintln(t, title)
		for name, about := range of {
			fmt.Fprintf(t, "  %s\t%s\n", name, about)
		}
	}
	list("formats of traces", trace.Formats())
	fmt.Fprintf(t, "  %s\t%s\n", lineageFormat, "run events of OpenLineage, or tables of jobs and of operations, as for lineage")
	list("columns of tables in CSV", trace.Presets())
	return t.Flush()
}

// Notes says what of a trace was left out or is not used, and why.
func (js *Jobs) Notes() (notes []string) {
	for _, why := range js.Dropped {
		notes = append(notes, "rows dropped: "+why)
	}
	for _, why := range js.Skipped {
		notes = append(notes, "left out: "+why)
	}
	notes = append(notes, js.noted...)
	if js.Waiting != nil {
		notes = append(notes, fmt.Sprintf("%s of %s jobs wait for preceding jobs; think times are left out", Thousands(*js.Waiting), Thousands(len(js.List))))
	}
	if len(js.Unread) > 0 {
		notes = append(notes, fmt.Sprintf("the features of 3Sigma do not have %s; to learn from a column, list it with -features, or map it to program, jobname or user", strings.Join(js.Unread, ", ")))
	}
	return notes
}
