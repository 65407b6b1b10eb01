// Package pipeline goes from a log of who read and wrote which files to what the policies of
// package wing ask for. It puts together packages dag/provenance, which finds out what depends on
// what, and dag/value, which says what that is worth:
//
//	result, err := pipeline.Run(log, pipeline.Config{Start: start, End: end})
//	live.Swap(result.Store)
//	lookup, err := wing.NewLookup(wing.LookupConfig{Efficiency: live.Aggregate}) // Wing-Agg
//
// Run it every week or so, on the log of the past weeks, and swap the new store in. Besides, a
// [Result] makes
//
//   - [Result.Valuations], which say how the value of a job falls with time, for wing.NewMIL: MIL and Wing-MIL;
//   - a [Result.Foresight] of who will read a job's output, for wing.NewRaise;
//   - what wing.Advise wants to know of templates and links.
//
// Whoever has values or predictions from elsewhere needs none of this: what wing asks for are functions
// of a job.
//
// # When not to use it
//
// By default a template recurs if it was seen in three months in a row: for a shorter log set
// Classes.Month and Classes.Months. It is no stream: the log of the past weeks is analysed as
// a whole, in a goroutine of the host's, beside the scheduler. A log of more than a machine is
// for examples/beam.
//
// # Cost
//
// [Run] takes O(n log n) time for n jobs and operations, and for each job time in proportion
// to what depends on it within the window, which is the larger part in logs in which much
// hangs together: see value.Windowed, and Config.Least, which bounds it. What comes of it, a
// Store, takes about a kilobyte for each recurring template and each user.
//
// # Source
//
// Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
// dependencies for better cluster scheduling", OSDI 2020, sections 3 and 4, and for the store
// section 4.1. What follows a job is counted within a window, as there, but not what follows from
// that: of a dependent that comes late in the log, those downloads count that are in it. So jobs of
// the last weeks seem worth a little less than they are.
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

// Config says how a log is analysed. Start and End are required. A log that is shorter than three
// months needs Classes.Month and Classes.Months too, or it is an error; for two weeks, say, a Month of
// a week, and 2 of them.
type Config struct {
	// The log covers [Start, End). Of jobs that had not ended, the State is Running. A log that goes
	// on is taken as it was at End: operations then or later are not seen, jobs submitted then or later
	// count nowhere, and those that end then or later still run, and have taken no compute time yet. If
	// the log was read with calendar times, these are a time.Time's UnixNano; of another epoch, they
	// leave nothing of it to count, and that is no error.
	Start, End provenance.Time
	// Join is the longest time from a write to a read that depends on it; 0 means 30 days.
	Join time.Duration
	// Classes says what recurs. Its Start and End may be left at 0: those of the log. End is not
	// after that of the log. Let Start be some days after the log's, if hard dependencies matter: jobs
	// of the first days have read what was written before. In two weeks of a generated lake, 18 % of
	// the recurring dependencies that are hard are found from the first day on, and 79 % from the fifth.
	Classes provenance.ClassConfig
	// Train is what predictions are learnt from. With From and To at 0 it is the last week. To is not
	// after End.
	Train provenance.TrainConfig

	// Window is for how long after a job completes what follows counts for it: downloads, and jobs
	// submitted. It is more than 0; 0 means a week. A job counts if it completes at least so long
	// before End.
	Window time.Duration
	// Least bounds the time that large logs take, 0 to 1: see value.WindowConfig. 0 counts all.
	Least float64
	// Hops is the length of the longest path from a job to what counts for it in the Store, in
	// dependencies, 0 to 65535; 0 means any. The paper's iterations 1, 2, 3, 4 ... are 1, 2, 4, 8 ...
	// here. Least plays no part in the Store then.
	Hops int

	// Value is what a job is worth by itself, given when its output was downloaded, in order and
	// within Window; of a job that still runs, all that there are. 0 to value.MaxSum, which all jobs
	// together must not exceed either. Nil means the number of downloads.
	Value func(j *provenance.Job, downloads []provenance.Download) float64

	// Template and User return the template, named as in the log, and the user of a job that is to be
	// scheduled, for what [Result.Valuations] and [Result.Foresight] return. Nil means the attributes
	// "template" and "user". See [TemplateOf].
	Template, User func(j *policy.Job) string
}

// A Result is what a log tells. Jobs and templates have their numbers in Log. It does not change,
// and must not be changed; but one goroutine at a time may use Windowed, or call Valuations.
type Result struct {
	Config    Config          // with Window, the spans of Classes and Train, and all functions filled in
	Log       *provenance.Log // that was given, or a copy that ends at End; numbers are the same
	Found     *provenance.Lineage
	Classes   *provenance.Classes // Dependencies are those of Found
	Predictor *provenance.Model

	Windowed *value.Windowed // of what jobs are worth, quantity 0, and take, quantity 1
	Store    *value.Store

	graph          *dag.Graph
	value, compute []float64 // of each job by itself

	jobs       [][]uint32    // those submitted before End, by template, in order of submission
	aggregates []value.Worth // of jobs that are complete and old enough, by the whole window
}

// Run analyses a log, which it leaves as it is; the Result goes on to use it. A host whose log goes
// on gives a Clone of it. The Store, and what Valuations and Foresight return, have copies of all that
// they need, and the log may change once they are made.
//
// The error names the field that is not allowed, or what of the log is not sound. If no job is old
// enough for Window, the Store knows the templates, but nothing of their worth; if none recurs and
// none has a user, it is empty: value.Aggregate still says what the jobs of the log were worth. Run
// takes O(n log n) time for n operations and jobs, and for each job time in proportion to what
// depends on it within the window: see value.Windowed.
func Run(l *provenance.Log, c Config) (*Result, error) {
	c.fill()
	switch {
	case l == nil:
		return nil, errors.New("pipeline: there is no log")
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

// fill replaces zeros that mean something else.
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

// weigh finds what each job is worth and takes by itself.
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

// name says which job an error is about.
func (r *Result) name(job int) string {
	return fmt.Sprintf("job %d, %q", job, r.Log.IDs.Name(uint32(job)))
}

// downloads returns those of a job that count for it.
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

// TemplateOf returns a function for the Template of a [Config] or a wing.LookupConfig: it makes the
// template of a job from its name, by provenance.Template, as a provenance.Reader does. The name is the
// given attribute; a job without it has no template.
//
// A Store knows templates by the names that they have in the log, and nothing by those of single
// jobs: report-#, and not report-2020-11-04. Where names of jobs are given to it, no template is
// found, and all jobs go by what their user's ad-hoc ones were worth.
//
// The function allocates a string at each call. A lookup calls it once for each job, MIL each time
// that the value of a job falls; for many jobs that wait, let the host make an attribute "template"
// when it submits them, which is what is read without such a function.
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
