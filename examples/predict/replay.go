package main

import (
	"cmp"
	"slices"
	"strconv"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A job is a job of the trace, with what a predictor may know of it and the runtime that
// it is to predict.
type job struct {
	*workload.Job
	more    []policy.Attr
	seconds float64
}

// Attr returns the value of an attribute: those of the trace, and some more.
func (j *job) Attr(name string) (value string, ok bool) {
	if value, ok = j.Job.Attr(name); ok {
		return value, ok
	}
	for i := range j.more {
		if j.more[i].Name == name {
			return j.more[i].Value, true
		}
	}
	return "", false
}

// described returns the job as a policy sees it, with all attributes.
func (j *job) described() *policy.Job {
	described := j.Job.Job
	described.Attrs = slices.Clone(described.Attrs)
	for _, a := range j.more {
		if _, ok := j.Job.Attr(a.Name); !ok {
			described.Attrs = append(described.Attrs, a)
		}
	}
	return &described
}

// known are the attributes that jobs have besides those of the trace, where they say it:
// the number of tasks, the queue, the requested time, and what each task of the first stage
// takes.
const known = "width, queue, requested, cpu, memory"

// describe makes the jobs of a list ready for predicting.
func describe(list []*workload.Job, runtime func(*workload.Job) float64) []job {
	jobs := make([]job, len(list))
	for i, w := range list {
		first := &w.Stages[0]
		more := []policy.Attr{{Name: "width", Value: strconv.Itoa(w.Tasks())}, {Name: "cpu", Value: strconv.Itoa(int(first.Cores))}}
		if w.Queue != "" {
			more = append(more, policy.Attr{Name: "queue", Value: w.Queue})
		}
		if w.Requested > 0 {
			more = append(more, policy.Attr{Name: "requested", Value: w.Requested.String()})
		}
		if first.Memory > 0 {
			more = append(more, policy.Attr{Name: "memory", Value: strconv.FormatInt(first.Memory, 10)})
		}
		jobs[i] = job{w, more, runtime(w)}
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
