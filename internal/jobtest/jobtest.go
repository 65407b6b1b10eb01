// Package jobtest makes jobs for tests, and reads sources of jobs. It imports no policy and no simulator, so that their
// tests can import it.
package jobtest

import (
	"bytes"
	"iter"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

const s = time.Second

// Must returns what a function has made, and panics at its error.
func Must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

// Bag returns a job of one stage of one-core tasks, which run for the given times.
func Bag(id policy.JobID, submitted policy.Duration, runtimes ...policy.Duration) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: policy.Time(submitted),
			Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
}

// Full returns a job with every field set to something that is not the default.
func Full(id policy.JobID) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID:        id,
			Submitted: -1500,
			At:        time.Date(2026, time.March, 29, 23, 30, 0, 1, time.FixedZone("", -5*3600)),
			Attrs:     []policy.Attr{{Name: "user", Value: "Ł <&>\u2028\n"}, {Name: "", Value: ""}},
			Stages: []policy.Stage{
				{Tasks: 3, Cores: 2, Memory: 1 << 40, Gang: true, Prefer: []policy.PartitionID{7, policy.MaxID}, Elsewhere: 1.25},
				{Tasks: 1, Cores: 1<<31 - 1, Needs: []policy.Need{{Name: "gpu", Amount: 500}, {Name: "ł", Amount: policy.MaxAmount}}},
				{Tasks: 2, Cores: 1, Reads: []policy.Dep{{Stage: 0}, {Stage: 1, Pipe: true}}, Holders: []policy.NodeID{1, policy.MaxID, 7, 0}},
			},
			Queue:    "night",
			Priority: -0.1,
			SLO:      &policy.SLO{Deadline: 1e18, Utility: 5e-324},
			Inputs:   &policy.Inputs{Jobs: []policy.JobID{1<<32 - 1, 1}, Wait: true},
		},
		Name:     "17[1].ł",
		Runtimes: [][]policy.Duration{{0, 1, 1e18}, {s}, {2 * s, 3 * s}},
		Luck:     &workload.Luck{Seed: 1<<64 - 1, Tail: 1.1, Bound: 100, Base: []policy.Duration{0, 1e18, s}},
	}
}

// Generate returns that many jobs of DefaultHeavyTail.
func Generate(t testing.TB, jobs int) []*workload.Job {
	t.Helper()
	g := workload.DefaultHeavyTail()
	g.Jobs = jobs
	return Made(t)(g.Source())
}

// Text writes jobs in augur's own form.
func Text(t testing.TB, jobs ...*workload.Job) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := trace.Write(&text, workload.Of(jobs)); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// Drain reads a source in its own order, up to its end or an error.
func Drain(source workload.Source) ([]*workload.Job, error) {
	var jobs []*workload.Job
	for j, err := range source {
		if err != nil {
			return jobs, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// All reads a source to its end.
func All(t testing.TB, source workload.Source) []*workload.Job {
	t.Helper()
	jobs, err := Drain(source)
	if err != nil {
		t.Fatalf("got error %v after %d jobs, want none", err, len(jobs))
	}
	return jobs
}

// Made reads a source that is made without error, as in Made(t)(generator.Source()).
func Made(t testing.TB) func(source workload.Source, err error) []*workload.Job {
	return func(source workload.Source, err error) []*workload.Job {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return All(t, source)
	}
}

// WantRefused changes what config returns in one respect after another, and makes a source of it, which must be
// refused with the prefix and the text of the change.
func WantRefused[C any](t *testing.T, prefix string, config func() C, source func(C) (workload.Source, error), changes map[string]func(*C)) {
	t.Helper()
	for text, change := range changes {
		c := config()
		change(&c)
		if source, err := source(c); err == nil || err.Error() != prefix+text || source != nil {
			t.Errorf("got %v and error %v, want none and %s%s", source, err, prefix, text)
		}
	}
}

// First returns what a source yields first.
func First[T any](source iter.Seq2[*T, error]) (*T, error) {
	for j, err := range source {
		return j, err
	}
	return nil, nil
}

// Count reads a source to its end and returns the number of jobs, which it does not keep.
func Count(b *testing.B, source workload.Source) int {
	b.Helper()
	n := 0
	for _, err := range source {
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	return n
}

// Failing is a source that yields nothing but an error.
func Failing(err error) workload.Source {
	return func(yield func(*workload.Job, error) bool) { yield(nil, err) }
}

// Slack returns the slack of an SLO job: 3Sigma, section 5.
func Slack(j *workload.Job) float64 {
	return (j.SLO.Deadline.Sub(j.Submitted).Seconds() - j.Ideal().Seconds()) / j.Ideal().Seconds()
}
