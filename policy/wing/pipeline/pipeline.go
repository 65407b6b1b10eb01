// Package pipeline computes what the policies of package wing need from a log of which jobs read and wrote which
// files. It combines dag/provenance, which finds dependencies, and dag/value, which computes what they are worth:
//
//	result, err := pipeline.Run(log, pipeline.Config{Start: start, End: end})
//	live.Swap(result.Store)
//	lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: live.Priority}) // Wing-Agg
//
// Run it every week or so on the log of the past weeks, and swap the new store in. A [Result] also makes
//
//   - [Result.Valuations], how the value of a job falls with time, for wing.NewMIL: MIL and Wing-MIL;
//   - a [Result.Foresight], which jobs will read a job's output, for wing.NewRaise.
//
// A host that has values or predictions from elsewhere needs none of this: wing only needs functions of a job.
//
// A log may lack what this goes by. Without downloads no job has a value: set Config.Value. Where the Compute of a job is 0, as
// in all of OpenLineage, the job ranks before all others that have a value: set Compute in Log.Jobs before Run, to
// runtime times slots for example.
//
// # When not to use it
//
// By default a template recurs if it was seen in three months in a row, and only what a job is worth within a week counts: for a
// shorter log set Classes.Month, Classes.Months and Window. Run analyses the log of the past weeks as a whole, in a goroutine of the host beside the scheduler;
// it does not process a stream. For a log that does not fit on one machine see examples/beam.
//
// # Cost
//
// [Run] takes O(n log n) time for n jobs and operations. For each job it also takes time in proportion to what depends
// on it within the window, which dominates in densely connected logs: see value.Windowed, and Config.Least, which
// bounds it. The Store takes about 700 bytes for each recurring template and each user.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, sections 3 and 4, and for the store
// section 4.1. As there, only what follows a job within a window counts. A late dependent's downloads count only as
// far as they are in the log. So jobs of the last weeks seem worth a little less than they are.
package pipeline

import (
	"errors"
	"fmt"
	"math"
	"time"

	"example.com/augur/dag"
	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/policy"
)

const week = 7 * 24 * time.Hour

// Config says how a log is analysed. Start and End are required. For a log shorter than three months set
// Classes.Month and Classes.Months too: for two weeks, say, a Month of a week, and 2 Months. Window is a few days then.
type Config struct {
	// The log covers [Start, End). A job that had not ended has the State Running. A log that continues after End is
	// cut there: later operations are ignored, jobs submitted later do not count, and jobs that end later still run
	// and have no compute time yet. If the log was read with calendar times, Start and End are a time.Time's
	// UnixNano. If a log has jobs, but none was submitted in [Start, End), Run returns an error: its times may be since another epoch.
	Start, End provenance.Time
	// Join is the longest time from a write to a read that depends on it; 0 means 30 days.
	Join time.Duration
	// Classes says which templates recur. Start and End 0 mean those of the log. End must not be after the log's. If
	// hard dependencies matter, let Start be some days after the log's: jobs of the first days have read what was
	// written before the log, so that many hard dependencies are missed.
	Classes provenance.ClassConfig
	// Train is the part of the log that predictions are learnt from. From and To 0 mean the last week. To must not be
	// after End.
	Train provenance.TrainConfig

	// Window is how long after a job's completion downloads and submitted jobs count for it. It is more than 0; 0
	// means a week. A job counts if it completes at least a Window before End.
	Window time.Duration
	// Least bounds the time that large logs take, 0 to 1: see value.WindowConfig. 0 counts all.
	Least float64
	// Hops is the longest path, in dependencies, from a job to what counts for it in the Store, 0 to 65535; 0 means
	// any. Iteration i of the paper reaches 2^(i-1) hops. The values in the Store then ignore Least. The number of
	// downstream jobs in its Spread always ignores Hops.
	Hops int

	// Value returns what a job is worth by itself, given the times at which its output was downloaded, in order and
	// within Window; for a job that still runs, all downloads. It is 0 to value.MaxSum, and so is the sum over all
	// jobs. Nil means the number of downloads.
	Value func(j *provenance.Job, downloads []provenance.Download) float64

	// Template and User return the template, named as in the log, and the user of a job that is to be scheduled; they serve
	// [Result.Valuations] and [Result.Foresight]. Nil means the attributes "template" and "user". See [TemplateOf].
	Template, User func(j *policy.Job) string
}

// A Result is the analysis of a log. Jobs and templates have their numbers in Log. The caller must not change it.
// Only one goroutine at a time may use Windowed or call Valuations.
type Result struct {
	Config    Config          // with Window, the spans of Classes and Train, and all functions filled in
	Log       *provenance.Log // that was given, or a copy that ends at End; numbers are the same
	Found     *provenance.Lineage
	Classes   *provenance.Classes // Dependencies are those of Found
	Predictor *provenance.Model

	Windowed *value.Windowed // of what jobs are worth, quantity 0, and take, quantity 1
	Store    *value.Store
	// Aggregates are what complete jobs are worth and take, with all that depends on them within the window, if Windowed
	// finds them valid.
	Aggregates []value.Worth

	graph          *dag.Graph
	value, compute []float64 // of each job by itself

	jobs [][]uint32 // those submitted before End, by template, in order of submission
}

// Run analyses a log. It does not change the log, but the Result continues to use it. The Store, and the functions that
// Valuations and Foresight return, have their own copies, so the log may change once they are made.
//
// Run returns an error that names the field that is out of range, or what is wrong in the log. If no job is old enough for
// Window, the Store knows the templates but no values. If no template recurs and no job has a user, the Store is empty;
// value.Aggregate still computes what the jobs of the log were worth. For the time see the package comment.
func Run(l *provenance.Log, c Config) (*Result, error) {
	c.fill()
	switch {
	case l == nil:
		return nil, errors.New("pipeline: the log is nil; read one with provenance.Reader")
	case c.Start >= c.End:
		return nil, fmt.Errorf("pipeline: Config.End %d is not after Start %d", c.End, c.Start)
	case c.Window < 0:
		return nil, fmt.Errorf("pipeline: Config.Window is %v, want more than 0", c.Window)
	case c.Hops < 0 || c.Hops > math.MaxUint16:
		return nil, fmt.Errorf("pipeline: Config.Hops is %d, want 0 to %d", c.Hops, math.MaxUint16)
	case !(c.Least >= 0 && c.Least <= 1):
		return nil, fmt.Errorf("pipeline: Config.Least is %v, want 0 to 1", c.Least)
	case c.Classes.End > c.End:
		return nil, fmt.Errorf("pipeline: Config.Classes.End is %d, want at most End, %d", c.Classes.End, c.End)
	case c.Train.To > c.End:
		return nil, fmt.Errorf("pipeline: Config.Train.To is %d, want at most End, %d", c.Train.To, c.End)
	}
	l = l.AsOf(c.End)
	if err := c.covers(l); err != nil {
		return nil, err
	}
	r := &Result{Config: c, Log: l}
	var err error
	if r.Found, err = l.Find(c.Join); err != nil {
		return nil, err
	}
	if r.Classes, err = provenance.Classify(l, r.Found.Dependencies, c.Classes); err != nil {
		return nil, err
	}
	if r.Predictor, err = provenance.Train(l, r.Found.Dependencies, r.Classes, c.Train); err != nil {
		return nil, err
	}
	if r.graph, err = r.Found.Graph(len(l.Jobs)); err != nil {
		return nil, err
	}
	r.jobs = r.byTemplate()
	if err := r.weigh(); err != nil {
		return nil, err
	}
	if err := r.window(); err != nil {
		return nil, err
	}
	if err := r.store(); err != nil {
		return nil, err
	}
	return r, nil
}

// covers returns an error if a log has jobs, and none was submitted in [Start, End).
func (c *Config) covers(l *provenance.Log) error {
	if len(l.Jobs) == 0 {
		return nil
	}
	first, last := l.Jobs[0].Submitted, l.Jobs[0].Submitted
	for i := range l.Jobs {
		at := l.Jobs[i].Submitted
		if c.Start <= at && at < c.End {
			return nil
		}
		first, last = min(first, at), max(last, at)
	}
	return fmt.Errorf("pipeline: no job of the log was submitted from Config.Start, %d, to End, %d, but all from %d to %d: are they since the same epoch?", c.Start, c.End, first, last)
}

// fill replaces zeros by defaults.
func (c *Config) fill() {
	if c.Window == 0 {
		c.Window = week
	}
	if c.Classes.Start == 0 && c.Classes.End == 0 {
		c.Classes.Start, c.Classes.End = c.Start, c.End
	}
	if c.Train.From == 0 && c.Train.To == 0 {
		c.Train.From, c.Train.To = c.Start, c.End
		if from := c.End - provenance.Time(week); c.Start < from && from < c.End { // also of a log of all time
			c.Train.From = from
		}
	}
	if c.Value == nil {
		c.Value = func(_ *provenance.Job, downloads []provenance.Download) float64 { return float64(len(downloads)) }
	}
	if c.Template == nil {
		c.Template = attribute("template")
	}
	if c.User == nil {
		c.User = attribute("user")
	}
}

// weigh computes each job's own value and compute time.
func (r *Result) weigh() error {
	n := len(r.Log.Jobs)
	r.value, r.compute = make([]float64, n), make([]float64, n)
	for i := range r.Log.Jobs {
		j := &r.Log.Jobs[i]
		r.value[i], r.compute[i] = r.Config.Value(j, r.downloads(uint32(i))), j.Compute
		if x := r.value[i]; !(x >= 0 && x <= value.MaxSum) {
			return fmt.Errorf("pipeline: Config.Value of %s is %v, want 0 to %v", r.name(i), x, value.MaxSum)
		}
		if x := r.compute[i]; !(x >= 0 && x <= value.MaxSum) {
			return fmt.Errorf("pipeline: compute time of %s is %v, want 0 to %v", r.name(i), x, value.MaxSum)
		}
	}
	return nil
}

// name names a job in an error.
func (r *Result) name(job int) string {
	return fmt.Sprintf("job %d, %q", job, r.Log.IDs.Name(uint32(job)))
}

// downloads returns the downloads that count for a job.
func (r *Result) downloads(job uint32) []provenance.Download {
	all := r.Found.Of(job)
	j, n := &r.Log.Jobs[job], len(all)
	if j.State == provenance.Running {
		return all
	}
	for n > 0 && all[n-1].Time.Sub(j.Completed) > r.Config.Window {
		n--
	}
	return all[:n:n]
}

func (r *Result) window() (err error) {
	submitted, completed := make([]int64, len(r.Log.Jobs)), make([]int64, len(r.Log.Jobs))
	for i := range r.Log.Jobs {
		j := &r.Log.Jobs[i]
		submitted[i], completed[i] = int64(j.Submitted), int64(j.Completed)
		if j.State == provenance.Running {
			completed[i] = math.MaxInt64
		}
	}
	w := value.WindowConfig{Width: r.Config.Window, End: int64(r.Config.End), MinWeight: r.Config.Least}
	r.Windowed, err = value.NewWindowed(r.graph, submitted, completed, w, r.value, r.compute)
	return err
}

// TemplateOf returns a function for the Template of a [Config] or a wing.LookupConfig. It derives the template of a
// job from its name with provenance.Template, as a provenance.Reader does if its config says so. attr is the attribute that holds the name;
// a job without it has no template.
//
// A Store knows templates, such as report-#, and not the names of single jobs, such as report-2020-11-04. If it is
// asked by names of jobs it finds no template, and all jobs rank by their user's ad-hoc jobs.
//
// The function allocates a string at each call. A lookup calls it once for each job, MIL each time that the value of
// a job falls. If many jobs wait, let the host set an attribute "template" at submission, which is the default.
func TemplateOf(attr string) func(j *policy.Job) string {
	return func(j *policy.Job) string {
		name, _ := j.Attr(attr)
		return provenance.Template(name)
	}
}

func attribute(name string) func(j *policy.Job) string {
	return func(j *policy.Job) string {
		value, _ := j.Attr(name)
		return value
	}
}
