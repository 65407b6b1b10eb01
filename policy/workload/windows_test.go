package workload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// oneByOne returns n jobs of one task that runs for 15 s. They are submitted 10 s apart, and each reads from the one before it.
func oneByOne(n int) (jobs []*workload.Job) {
	for i := range n {
		j := &workload.Job{Job: policy.Job{ID: policy.JobID(i + 1), Submitted: policy.Time(time.Duration(i) * 10 * s), Stages: []policy.Stage{{Tasks: 1, Cores: 1}}},
			Runtimes: [][]policy.Duration{{15 * s}}}
		if i > 0 {
			j.Inputs = &policy.Inputs{Jobs: []policy.JobID{policy.JobID(i)}}
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func ids(jobs []*workload.Job) (list []policy.JobID) {
	for _, j := range jobs {
		list = append(list, j.ID)
	}
	return list
}

// Together the windows are the log, and what a window's jobs read lies in the window. The past of the third window lacks job 7: it
// would still run when job 8 is submitted.
func TestWindows(t *testing.T) {
	jobs := oneByOne(11)
	windows, err := workload.Windows(jobs, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"[1 2 3] []", "[4 5 6 7] [1 2]", "[8 9 10 11] [1 2 3 4 5 6]"} {
		w := windows[i]
		past, err := workload.ReadAll(w.Past)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(ids(w.Jobs), ids(past)); got != want || w.Jobs[0].Inputs != nil || w.Jobs[1].Inputs == nil {
			t.Errorf("window %d is %v, its first job reads %v and its second %v; want %v, nothing, and the first", i, got, w.Jobs[0].Inputs, w.Jobs[1].Inputs, want)
		}
	}
	if jobs[3].Inputs == nil {
		t.Error("the log itself has lost an input")
	}
	for n, want := range map[int]string{0: "cut into 0 windows, want 1", 12: "11 jobs cut into 12 windows"} {
		if _, err := workload.Windows(jobs, n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d windows: got error %v, want one with %q", n, err, want)
		}
	}
	if _, err := workload.Windows([]*workload.Job{jobs[1], jobs[0]}, 1); err == nil || !strings.Contains(err.Error(), "want order of submission") {
		t.Errorf("got error %v of jobs out of order, want one", err)
	}
}

// A copy lacks the share of the jobs, in no order but that of the log, and another seed leaves out others.
func TestThin(t *testing.T) {
	jobs := oneByOne(59)
	thin := func(share float64, seed uint64) []*workload.Job {
		t.Helper()
		list, err := workload.Thin(jobs, share, seed)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	one, two := thin(0.1, 1), thin(0.1, 2)
	if len(one) != 54 || !slices.IsSorted(ids(one)) || slices.Equal(ids(one), ids(two)) || !slices.Equal(ids(one), ids(thin(0.1, 1))) {
		t.Errorf("got %v and %v, want 54 of 59 jobs in order, other ones for another seed, and the same for the same", ids(one), ids(two))
	}
	for i, j := range one {
		if before := i > 0 && one[i-1].ID == j.ID-1; (j.Inputs != nil) != before {
			t.Errorf("job %d reads %v, want what is there: %v", j.ID, j.Inputs, before)
		}
	}
	if len(thin(0, 1)) != 59 {
		t.Error("a share of 0 leaves out some jobs")
	}
	if _, err := workload.Thin(jobs, 1, 1); err == nil || !strings.Contains(err.Error(), "a share of 1, want at least 0 and below 1") {
		t.Errorf("got error %v, want one that names the share", err)
	}
}
