package workload

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

// A Source yields jobs one by one. It ends at the first error: the last pair is then a nil job and the error. The sources of
// this package number jobs from 1 in the order in which they yield them, unless they say otherwise.
//
// Ranging over a source again yields the same jobs again, unless the source reads a file: see Jobs of
// trace.Reader. A source that a function of this package makes from another one behaves like that one.
type Source = iter.Seq2[*Job, error]

// ReadAll reads a source to its end and returns the jobs in order of submission. Jobs submitted at the
// same instant keep the order of the source. The error is that of the source, or says that a job is nil.
func ReadAll(source Source) ([]*Job, error) {
	var jobs []*Job
	for j, err := range source {
		if err != nil {
			return nil, err
		}
		if j == nil {
			return nil, isNil(len(jobs))
		}
		jobs = append(jobs, j)
	}
	slices.SortStableFunc(jobs, func(a, b *Job) int { return cmp.Compare(a.Submitted, b.Submitted) })
	return jobs, nil
}

// isNil returns the error for a nil job, given the number of jobs before it.
func isNil(after int) error {
	return fmt.Errorf("workload: number %d of the jobs is nil", after+1)
}

// Of returns a source that yields the given jobs as they are.
func Of(jobs []*Job) Source {
	return func(yield func(*Job, error) bool) {
		for _, j := range jobs {
			if !yield(j, nil) {
				return
			}
		}
	}
}

// changed returns a source that applies change to each job. change gets valid jobs, which it must not modify.
func changed(jobs Source, change func(old *Job) (*Job, error)) Source {
	return func(yield func(*Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				err = j.Validate()
			}
			if err == nil {
				j, err = change(j)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(j, nil) {
				return
			}
		}
	}
}

// Each function of this package that draws numbers for single jobs has its own stream for each
// job, so that no choice depends on another job.
const (
	_ = 1 + iota
	_
	deadlineStream
	localityStream
	thinStream
)

func draws(seed, kind uint64, id policy.JobID) *rand.Rand {
	return rand.New(rand.NewPCG(seed, kind<<32|uint64(id)))
}

// Truth knows the runtimes of the jobs that have been read. It is a [policy.Truth], and not safe for concurrent use.
type Truth struct {
	jobs policy.Table[policy.JobID, Job]
}

// Split separates jobs into descriptions, which a policy may see, and the truth. Both serve any number of runs, one after
// the other; two runs at once need two calls. The jobs should be in order of submission, as [ReadAll] returns them.
func Split(jobs []*Job) (iter.Seq2[*policy.Job, error], *Truth) { return SplitSource(Of(jobs)) }

// SplitSource is Split for a source. It reads jobs one by one, so that they need not fit in memory. The truth knows a job
// from when it is read until it is forgotten. The error of the jobs is that of the source, or that of [Job.Validate].
func SplitSource(source Source) (iter.Seq2[*policy.Job, error], *Truth) {
	truth := new(Truth)
	return func(yield func(*policy.Job, error) bool) {
		before := -1
		for j, err := range source {
			before++
			if err == nil && j == nil {
				err = isNil(before)
			}
			if err == nil {
				err = j.Validate()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			truth.jobs.Put(j.ID, j)
			if !yield(&j.Job, nil) {
				return
			}
		}
	}, truth
}

// Runtime returns how long a copy runs. All copies of a task run for the same time, unless the job has a Luck.
func (t *Truth) Runtime(c policy.Copy) (policy.Duration, bool) {
	j := t.jobs.Get(c.Job)
	if j == nil || int64(c.Stage) >= int64(len(j.Runtimes)) || int64(c.Index) >= int64(len(j.Runtimes[c.Stage])) {
		return 0, false
	}
	if c.N > 0 && j.Luck != nil {
		return j.Luck.Runtime(c), true
	}
	return j.Runtimes[c.Stage][c.Index], true
}

// Forget drops the runtimes of a job. The simulator calls it when a job has ended, so that a trace need not fit in memory.
func (t *Truth) Forget(id policy.JobID) { t.jobs.Delete(id) }
