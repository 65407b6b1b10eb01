package main

import (
	"cmp"
	"slices"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A job is a job of the trace, with the runtime that is to be predicted.
type job struct {
	*workload.Job
	seconds float64
}

// describe makes the jobs of a list ready for predicting.
func describe(list []*workload.Job, runtime func(*workload.Job) float64) []job {
	jobs := make([]job, len(list))
	for i, w := range list {
		jobs[i] = job{w, runtime(w)}
	}
	return jobs
}

// runtimes are what can be predicted of a job, in seconds.
var runtimes = map[string]func(*workload.Job) float64{
	"job":  func(j *workload.Job) float64 { return j.Ideal().Seconds() },
	"task": cli.MeanTask,
}

// A moment is the submission of a job or its end.
type moment struct {
	at  policy.Time
	end bool
	job int
}

// moments returns what happens to the jobs, in order, if each runs as soon as it is
// submitted, with all that it needs. Of an instant, ends come first.
func moments(jobs []job) []moment {
	list := make([]moment, 0, 2*len(jobs))
	for i := range jobs {
		j := &jobs[i]
		end := j.Submitted + max(policy.Time(j.Ideal()), 1)
		list = append(list, moment{j.Submitted, false, i}, moment{end, true, i})
	}
	slices.SortFunc(list, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(order(a), order(b)), cmp.Compare(a.job, b.job))
	})
	return list
}

func order(m moment) int {
	if m.end {
		return 0
	}
	return 1
}
