package workload_test

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
	"math"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

func sourcesComeAgain(t *testing.T) {
	heavy := workload.DefaultHeavyTail()
	heavy.Jobs = 50
	list := jobtest.Made(t)(heavy.Source())
	before := jobtest.Text(t, list...)
	must := func(source workload.Source, err error) workload.Source {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return source
	}
	for name, source := range map[string]workload.Source{
		"heavytail":  must(heavy.Source()),
		"requested":  must(workload.FillRequested(workload.Of(list), 2)),
		"deadlines":  must(fourPartitions().Source(workload.Of(list))),
		"locality":   must(workload.Locality{Nodes: 9}.Source(workload.Of(list))),
		"stragglers": must(workload.Stragglers{Tail: 2}.Source(workload.Of(list))),
	} {
		for range source {
			break
		}
		once, again := jobtest.All(t, source), jobtest.All(t, source)
		if len(once) < 2 || !reflect.DeepEqual(once, again) {
			t.Errorf("%s: got %d jobs, and then %d that are not the same", name, len(once), len(again))
		}
		if !bytes.Equal(before, jobtest.Text(t, list...)) {
			t.Errorf("%s: the jobs given were changed", name)
		}
	}
}

// Many at few instants, which an unstable sort would mix; the list that is given stays as it is.
func TestReadAllSortsStably(t *testing.T) {
	var many []*workload.Job
	for id := range policy.JobID(1000) {
		many = append(many, jobtest.Bag(id+1, policy.Duration(id*7%3)-1, s))
	}
	source, given := workload.Of(many), slices.Clone(many)
	got, err := workload.ReadAll(source)
	inOrder := slices.IsSortedFunc(got, func(a, b *workload.Job) int {
		return cmp.Or(cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.ID, b.ID))
	})
	if err != nil || len(got) != len(many) || !inOrder {
		t.Errorf("got %d jobs, in order: %v, and error %v, want %d in order of submission and ID", len(got), inOrder, err, len(many))
	}
	if again, err := jobtest.Drain(source); err != nil || !slices.Equal(again, given) || !slices.Equal(many, given) {
		t.Errorf("again: got %d jobs and error %v, want the list as it was", len(again), err)
	}
	if got, err := workload.ReadAll(workload.Of(nil)); len(got) != 0 || err != nil {
		t.Errorf("no jobs: got %d and error %v, want none", len(got), err)
	}
}

func splits(t *testing.T) {
	one, two := jobtest.Full(2), jobtest.Bag(300, s, 4*s, 5*s)
	one.Luck = nil
	jobs, truth := workload.Split([]*workload.Job{one, two})
	want := func(job policy.JobID, stage, index uint32, runtime policy.Duration, ok bool) {
		t.Helper()
		for n := range uint32(2) { // all copies of a task run for the same time, without luck
			c := policy.Copy{Task: policy.Task{Job: job, Stage: stage, Index: index}, N: n}
			if got, gotOK := truth.Runtime(c); got != runtime || gotOK != ok {
				t.Errorf("Runtime(%v) = %v, %v, want %v, %v", c, got, gotOK, runtime, ok)
			}
		}
	}
	next, stop := iter.Pull2(jobs)
	defer stop()
	yields := func(job *policy.Job) {
		t.Helper()
		got, err, _ := next()
		if diff := gocmp.Diff(job, got); diff != "" || err != nil {
			t.Errorf("got error %v, want none; -want +got:\n%s", err, diff)
		}
	}

	want(2, 0, 0, 0, false) // not yet read
	yields(&one.Job)
	want(2, 0, 1, 1, true)
	want(2, 0, 2, 1e18, true)
	want(2, 0, 0, 0, true)
	want(2, 2, 1, 3*s, true)
	want(2, 0, 3, 0, false) // no such task
	want(2, 1, 1, 0, false)
	want(2, 3, 0, 0, false) // no such stage
	want(2, math.MaxUint32, math.MaxUint32, 0, false)
	want(300, 0, 1, 0, false)
	yields(&two.Job)
	want(300, 0, 1, 5*s, true)
	want(0, 0, 0, 0, false) // no such job
	want(math.MaxUint32, 0, 0, 0, false)
	if j, err, ok := next(); ok {
		t.Errorf("after the last: got %v and error %v, want neither", j, err)
	}
	want(300, 0, 1, 5*s, true)

	truth.Forget(2)
	want(2, 0, 1, 0, false)
	want(300, 0, 1, 5*s, true)
	truth.Forget(2) // again, and one that never was
	truth.Forget(77)
	want(300, 0, 1, 5*s, true)

	for range jobs { // once more, for another run
	}
	want(2, 0, 1, 1, true)
}

// A nil among jobs is named by its place, wherever it would be the first to be looked at.
func TestNilJobs(t *testing.T) {
	list := []*workload.Job{jobtest.Bag(1, 0, s), nil}
	err := func(_ any, err error) error { return err }
	var split error
	jobs, _ := workload.Split(list)
	for _, split = range jobs {
	}
	for what, err := range map[string]error{
		"Split":   split,
		"ReadAll": err(workload.ReadAll(workload.Of(list))),
		"ToLoad":  err(workload.ToLoad(list, 1, 1)),
		"Stretch": err(workload.Stretch(list, 2)),
		"Window":  err(workload.Window(list, 0, 1)),
	} {
		if want := "workload: number 2 of the jobs is nil"; err == nil || err.Error() != want {
			t.Errorf("%s: got error %v, want %s", what, err, want)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	bad := jobtest.Bag(2, 0, s, -s)
	jobs, truth := workload.Split([]*workload.Job{bad})
	got, err := jobtest.First(jobs)
	if want := "workload: job 2, stage 0: task 1 runs for -1s, want at least 0"; got != nil || err == nil || err.Error() != want {
		t.Errorf("got %v and error %v, want none and %s", got, err, want)
	}
	if d, ok := truth.Runtime(policy.Copy{Task: policy.Task{Job: 2}}); ok {
		t.Errorf("got runtime %v of a job that was refused, want none", d)
	}
	torn := errors.New("torn")
	jobs, _ = workload.SplitSource(jobtest.Failing(torn))
	if _, err := jobtest.First(jobs); err != torn {
		t.Errorf("got error %v, want that of the source", err)
	}
}
