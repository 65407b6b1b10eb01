// Package workload holds jobs together with their true runtimes, and transforms them: it scales the
// load, cuts out a window, and adds deadlines or stragglers.
//
// A [Job] is the description that a policy may see, and the truth; a [Source] yields jobs one by one. Package
// [example.com/augur/policy/workload/trace] reads jobs from files, [HeavyTail] generates some, and package
// [example.com/augur/examples/lab/paper] those of papers. [ReadAll] sorts jobs by submission, as hosts require. [Split] separates
// the descriptions, for the host and its policy, from the truth, for the host and clairvoyant policies only:
//
//	reader, err := trace.Open("trace.tr.gz", trace.ReaderConfig{})
//	...
//	list, err := workload.ReadAll(reader.Jobs())
//	...
//	jobs, truth := workload.Split(list)
//	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, baseline.NewFIFO())
//
// Jobs and truth may be run again when a run has ended. For runs at the same time call Split for each, since the truth
// forgets jobs that have ended. [SplitSource] does the same for a source that is sorted already and need not fit in
// memory; if it reads a file, it serves one run only. [Of] makes a source of a list.
//
// # Changing jobs
//
// Some transformations add what a trace lacks: [Deadlines], [Stragglers], [Locality], and requested times by
// [FillRequested]; [Limited] and [LetSave] say what the host does. [ToLoad] and [Stretch] scale the load, and [Window] cuts out a part.
// [Windows] and [Thin] make several runs of one log, for intervals. [Measure] returns the offered load,
//
//	load = work of the jobs submitted in the span / (span · cores)
//
// over the span of the middle 99 % of the arrivals. Errors name the job, the field or the argument
// that is outside its range, and what is allowed.
//
// # When not to use it
//
// [HeavyTail] is for comparing policies and is fitted to no trace: for your own cluster, read its log. [ToLoad] moves
// arrivals, but users would behave differently under another load. The requested times of [FillRequested] reveal more than
// users know.
//
// # Cost
//
// A job takes 8 bytes for each runtime, beside its description. A source that transforms another one holds
// one job at a time. A function that transforms a list returns a new list, which shares the runtimes.
//
// # Source
//
// Some types name the sections of these papers that they follow:
//
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma: distribution-based cluster
//     scheduling for runtime uncertainty", technical report CMU-PDL-17-107, 2017.
//   - Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's
//     thesis, California Institute of Technology, 2015.
//   - Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
//     dependencies for better cluster scheduling", OSDI 2020.
package workload

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/augur/policy"
)

// A Job is a job with the truth about it.
type Job struct {
	policy.Job
	// Name is what the log calls the job; "" if nothing. No policy sees it.
	Name string `json:"name,omitempty"`
	// Runtimes says how long each task of each stage runs on a node of speed 1.
	Runtimes [][]policy.Duration `json:"runtimes"`
	// Luck determines the runtimes of copies other than the first: see [Stragglers]. Nil: all
	// copies of a task run for the same time.
	Luck *Luck `json:"luck,omitempty"`
}

// NewJob returns a job of one stage, with a task for each runtime, that was submitted at a calendar time. Attributes are pairs of a
// name and a value: "user", "ann". Its ID and Submitted are 0, and experiment.List sets both. It panics if a name has no value.
func NewJob(at time.Time, cores int32, runtimes []policy.Duration, attrs ...string) *Job {
	if len(attrs)%2 != 0 {
		panic("workload: NewJob with a name without a value")
	}
	j := &Job{
		Job:      policy.Job{At: at, Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: cores}}},
		Runtimes: [][]policy.Duration{runtimes},
	}
	for pair := range slices.Chunk(attrs, 2) {
		j.Attrs = append(j.Attrs, policy.Attr{Name: pair[0], Value: pair[1]})
	}
	return j
}

// Validate returns an error that names the first fault of the job. It checks what
// [policy.Job.Validate] does, and that every task has a runtime of at least 0.
func (j *Job) Validate() error {
	if j == nil {
		return errors.New("workload: a job is nil")
	}
	if err := j.Job.Validate(); err != nil {
		return err
	}
	if len(j.Runtimes) != len(j.Stages) {
		return fmt.Errorf("workload: job %d has runtimes of %d stages, want %d", j.ID, len(j.Runtimes), len(j.Stages))
	}
	for i, tasks := range j.Runtimes {
		if int64(len(tasks)) != int64(j.Stages[i].Tasks) {
			return fmt.Errorf("workload: job %d, stage %d has %d runtimes, want %d", j.ID, i, len(tasks), j.Stages[i].Tasks)
		}
		for k, d := range tasks {
			if d < 0 {
				return fmt.Errorf("workload: job %d, stage %d: task %d runs for %v, want at least 0", j.ID, i, k, d)
			}
		}
	}
	if j.Luck != nil {
		return j.Luck.validate(fmt.Sprintf("workload: job %d: Luck", j.ID), len(j.Stages))
	}
	return nil
}

// Work returns the core-seconds that the job takes at speed 1. A gang holds the cores of
// all its tasks until the longest is done.
func (j *Job) Work() float64 {
	work := 0.0
	for i, tasks := range j.Runtimes {
		sum := 0.0
		if j.Stages[i].Gang {
			sum = slices.Max(tasks).Seconds() * float64(len(tasks))
		} else {
			for _, d := range tasks {
				sum += d.Seconds()
			}
		}
		work += sum * float64(j.Stages[i].Cores)
	}
	return work
}

// UnitRuntimes returns the runtimes of the job's tasks, stage by stage, where a gang counts as one task that runs as long
// as its longest. Forecasts learn them.
func (j *Job) UnitRuntimes() (list []policy.Duration) {
	for i, tasks := range j.Runtimes {
		if j.Stages[i].Gang {
			list = append(list, slices.Max(tasks))
		} else {
			list = append(list, tasks...)
		}
	}
	return list
}

// MeanUnit returns the mean of [Job.UnitRuntimes] in seconds.
func (j *Job) MeanUnit() float64 {
	list, sum := j.UnitRuntimes(), 0.0
	for _, d := range list {
		sum += d.Seconds()
	}
	return sum / float64(len(list))
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// An option is a field that a user sets, and what is allowed.
type option struct {
	name    string
	value   any
	ok      bool
	allowed string
}

// check returns an error that names the first option that is outside its range.
func check(of string, options []option) error {
	for _, o := range options {
		if !o.ok {
			return fmt.Errorf("workload: %s.%s is %v, want %s", of, o.name, o.value, o.allowed)
		}
	}
	return nil
}

// Ideal returns the length of the critical path through the job's stages: how long it takes on an idle, unlimited cluster of
// speed 1 where every task runs where it prefers. A stage begins when its inputs have ended, or begun if it reads them
// through a pipe. It ends with its longest task, but not before its inputs. For a bag of tasks, or a gang, Ideal is the
// longest task. The job must be valid.
//
// It takes time linear in the number of tasks, stages and dependencies between stages.
func (j *Job) Ideal() policy.Duration {
	order := []uint32{0}
	if len(j.Stages) > 1 {
		graph, err := j.Graph()
		if err != nil {
			panic("workload: Ideal of a job that is not valid: " + err.Error())
		}
		order = graph.Order()
	}
	begin, end := make([]policy.Duration, len(order)), make([]policy.Duration, len(order))
	for _, i := range order {
		for _, d := range j.Stages[i].Reads {
			if d.Pipe {
				begin[i] = max(begin[i], begin[d.Stage])
				end[i] = max(end[i], end[d.Stage])
			} else {
				begin[i] = max(begin[i], end[d.Stage])
			}
		}
		end[i] = max(end[i], saturated(begin[i], slices.Max(j.Runtimes[i])))
	}
	return slices.Max(end)
}

// saturated adds times of at least 0, saturating at the longest Duration.
func saturated(a, b policy.Duration) policy.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
