// Package workload holds jobs together with the truth about them, and changes them: to a load, to a
// length, with deadlines, with stragglers.
//
// A [Job] is what a policy may see and the truth; a [Source] yields jobs in order. Package
// [example.com/augur/policy/workload/trace] reads them from files, package
// [example.com/augur/policy/workload/paper] generates them as papers describe theirs, and [HeavyTail] and
// [Mixed] generate them here. [ReadAll] puts jobs in order of submission, which hosts want. [Split] takes
// them apart into jobs for a host and the truth about them, which only the host, and a clairvoyant policy, gets:
//
//	reader, err := trace.Open("trace.tr.gz", trace.ReaderConfig{})
//	...
//	list, err := workload.ReadAll(reader.Jobs())
//	...
//	jobs, truth := workload.Split(list)
//	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, baseline.NewFIFO())
//
// Jobs and truth serve one run at a time: the truth forgets jobs that have ended. [SplitSource] takes
// apart what is in order already and need not be in memory; of a file it serves one run only, since a
// file yields its jobs once. [Of] makes a source of a list.
//
// # Generated workloads
//
// [HeavyTail] is for comparing policies and fitted to nothing, and so is [Mixed], in which everything
// occurs at once that the five systems know of. Start from the Default functions. Each gives the same
// jobs for the same values.
//
// # Changing jobs
//
// What a trace does not have can be given to its jobs: [Deadlines], [Stragglers], [Locality],
// and requested times by [Request]. [ToLoad] and [Stretch] bring them to a load, and [Window] cuts out a part. [Measure]
// says what load they offer,
//
//	load = work of the jobs submitted in the span / (span · cores)
//
// over the span of the middle 99 % of the arrivals. Errors name the job, the field or the argument
// that is outside its range, and what is allowed.
//
// # When not to use it
//
// The generators are fitted to no trace: for a cluster of your own, read its log. [ToLoad] moves arrivals, and
// users would have behaved differently under another load. A requested time that [Request] makes tells more
// than a user would know.
//
// # Cost
//
// A job takes 8 bytes for each runtime, beside its description. A source that changes another one holds one
// job at a time; what takes a list makes a new one, which shares runtimes with the old one.
//
// # Source
//
// Some types name the sections of these papers that they follow:
//
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018
//     (CMU-PDL-17-107).
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

	"example.com/augur/policy"
)

// A Job is a job with the truth about it.
type Job struct {
	policy.Job
	// Runtimes says how long each task of each stage runs on a node of speed 1.
	Runtimes [][]policy.Duration `json:"runtimes"`
	// Luck says how long copies run that are not the first: see [Stragglers]. Nil: all
	// copies of a task run for the same time.
	Luck *Luck `json:"luck,omitempty"`
}

// Validate returns an error that names the first thing wrong with the job: see
// [policy.Job.Validate]; and every task needs a runtime of at least 0.
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

// MeanUnit returns how long the tasks of the job run in the mean, in seconds, where a gang counts as one task, which
// runs as long as its longest. Forecasts by history learn this number.
func (j *Job) MeanUnit() float64 {
	sum, n := 0.0, 0
	for i, tasks := range j.Runtimes {
		if j.Stages[i].Gang {
			sum += slices.Max(tasks).Seconds()
			n++
			continue
		}
		for _, d := range tasks {
			sum += d.Seconds()
		}
		n += len(tasks)
	}
	return sum / float64(n)
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

// Ideal returns how long the job takes on an idle cluster without end, where it runs best
// and at speed 1: the longest path through its stages. A stage begins when those that it
// reads have ended, or begun if it reads them through a pipe, and ends with its longest
// task, but no earlier than what it reads. So for a bag of tasks, or a gang, it is the
// longest task. The job must be valid.
//
// It takes time linear in tasks and in stages and what they read.
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

// saturated adds times, which are at least 0, as far as a Duration reaches.
func saturated(a, b policy.Duration) policy.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
