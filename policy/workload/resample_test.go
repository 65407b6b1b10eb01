package workload_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// copies returns the jobs as bytes, to see whether they are changed.
func copies(t testing.TB, jobs []*workload.Job) []byte { return jobtest.Text(t, jobs...) }

// reads makes a job read others.
func reads(j *workload.Job, ids ...policy.JobID) *workload.Job {
	j.Inputs = &policy.Inputs{Jobs: ids, Wait: true}
	return j
}

func due(j *workload.Job, deadline policy.Duration) *workload.Job {
	j.SLO = &policy.SLO{Deadline: policy.Time(deadline), Utility: 1}
	return j
}

func TestWindow(t *testing.T) {
	jobs := []*workload.Job{
		jobtest.Bag(1, 0, s), jobtest.Bag(2, 10*s, s), reads(jobtest.Bag(3, 12*s, s), 1), due(reads(jobtest.Bag(4, 15*s, s), 1, 2), 40*s), reads(jobtest.Bag(5, 20*s, s), 2),
	}
	before := copies(t, jobs)
	got, err := workload.Window(jobs, policy.Time(10*s), policy.Time(20*s))
	want := []*workload.Job{jobtest.Bag(2, 0, s), jobtest.Bag(3, 2*s, s), due(reads(jobtest.Bag(4, 5*s, s), 2), 30*s)}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("got error %v, want none; -want +got:\n%s", err, diff)
	}
	if !bytes.Equal(before, copies(t, jobs)) {
		t.Error("the jobs given were changed")
	}
}

func TestResampleRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	two := []*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, s, s)}
	late := []*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, math.MaxInt64-1, s)}
	lateDeadline := []*workload.Job{jobtest.Bag(1, 0, s), due(jobtest.Bag(2, s, s), math.MaxInt64)}
	list := func(jobs []*workload.Job, err error) error { return err }
	for _, test := range []struct {
		want string
		err  error
	}{
		{"load of NaN cores", list(workload.ToLoad(two, nan, 1))},
		{"load of 0 cores", list(workload.ToLoad(two, 0, 1))},
		{"load of +Inf cores", list(workload.ToLoad(two, inf, 1))},
		{"load is to be -1", list(workload.ToLoad(two, 1, -1))},
		{"load is to be NaN", list(workload.ToLoad(two, 1, nan))},
		{"0 jobs with 0 core-seconds of work over 0 s", list(workload.ToLoad(nil, 1, 1))},
		{"1 jobs with 1 core-seconds of work over 0 s", list(workload.ToLoad(two[:1], 1, 1))},
		{"2 jobs with 0 core-seconds of work over 1 s", list(workload.ToLoad([]*workload.Job{jobtest.Bag(1, 0, 0), jobtest.Bag(2, s, 0)}, 1, 1))},
		{"job 1 is submitted before job 2", list(workload.ToLoad([]*workload.Job{jobtest.Bag(2, s, s), jobtest.Bag(1, 0, s), jobtest.Bag(3, 2*s, s)}, 1, 1))},
		{"a window from 1 s to 1 s", list(workload.Window(two, policy.Time(s), policy.Time(s)))},
		{"a window from -9.2", list(workload.Window(two, math.MinInt64, 0))},
		{"job 2 is submitted at 9.2", list(workload.Window(late, 0, math.MaxInt64))},
		{"job 2 is moved from 1 s to 1 s", list(workload.Window(lateDeadline, 0, math.MaxInt64))},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), "workload: ") || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", test.err, test.want)
		}
	}
}
