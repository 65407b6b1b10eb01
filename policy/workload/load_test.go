package workload_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// every returns jobs of one task, a second apart, of which the i-th runs for i s.
func every(n int) []*workload.Job {
	jobs := make([]*workload.Job, n)
	for i := range jobs {
		d := policy.Duration(i) * s
		jobs[i] = jobtest.Bag(policy.JobID(i+1), d, d)
	}
	return jobs
}

func TestMeasure(t *testing.T) {
	at := func(seconds int) policy.Time { return policy.Time(policy.Duration(seconds) * s) }
	burst := []*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, 0, 2*s), jobtest.Bag(3, 0, 4*s)}
	for _, test := range []struct {
		name string
		jobs []*workload.Job
		want workload.OfferedLoad
		load float64 // of two cores
	}{
		{"none", nil, workload.OfferedLoad{}, math.NaN()},
		{"one", []*workload.Job{jobtest.Bag(1, 5*s, 7*s)}, workload.OfferedLoad{Begin: at(5), End: at(5), Work: 7}, math.NaN()},
		{"all at once", burst, workload.OfferedLoad{Work: 7}, math.NaN()},
		{"two", []*workload.Job{jobtest.Bag(1, 5*s, 3*s), jobtest.Bag(2, 9*s, s)}, workload.OfferedLoad{Begin: at(5), End: at(9), Work: 4}, 0.5},
		{"199: too few to cut", every(199), workload.OfferedLoad{End: at(198), Work: 198 * 199 / 2}, 199. / 4},
		// Of 1000 jobs, the first 5 and the last 5 are left out.
		{"1000", every(1000), workload.OfferedLoad{Begin: at(5), End: at(994), Work: (5 + 994) * 990 / 2}, (5 + 994) * 990 / 2 / 989. / 2},
		// Of 201 jobs, one is cut at each end; those at the same instant as the second stay.
		{"ties", append([]*workload.Job{jobtest.Bag(1, 0, 100*s)}, every(200)...), workload.OfferedLoad{End: at(198), Work: 100 + 198*199/2}, (100 + 198*199/2) / 198. / 2},
	} {
		got := workload.Measure(test.jobs)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
		if load := got.Load(2); !(math.Abs(load-test.load) < 1e-12*test.load || math.IsNaN(load) && math.IsNaN(test.load)) {
			t.Errorf("%s: got load %v, want %v", test.name, load, test.load)
		}
		if span, want := got.Span(), test.want.End.Sub(test.want.Begin).Seconds(); span != want {
			t.Errorf("%s: got a span of %v s, want %v", test.name, span, want)
		}
	}
}

func TestStretch(t *testing.T) {
	jobs := []*workload.Job{jobtest.Bag(1, 10*s, 2*s), due(jobtest.Bag(2, 14*s, s), 20*s), jobtest.Bag(3, 8*s, s)} // the last is before the first
	before := jobtest.Text(t, jobs...)
	stretched, err := workload.Stretch(jobs, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	want := []*workload.Job{jobtest.Bag(1, 10*s, 2*s), due(jobtest.Bag(2, 16*s, s), 22*s), jobtest.Bag(3, 7*s, s)}
	if diff := cmp.Diff(want, stretched); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !bytes.Equal(before, jobtest.Text(t, jobs...)) {
		t.Error("the jobs given were changed")
	}
	if got, err := workload.Stretch(nil, 2); len(got) != 0 || err != nil {
		t.Errorf("no jobs: got %d and error %v, want none", len(got), err)
	}
}

// Instants are nanoseconds: those of a calendar are not rounded to what a float64 holds.
func TestStretchKeepsNanoseconds(t *testing.T) {
	now := policy.Duration(time.Date(2026, time.January, 5, 0, 0, 0, 1, time.UTC).UnixNano())
	jobs := []*workload.Job{jobtest.Bag(1, now, s), jobtest.Bag(2, now+3, s), jobtest.Bag(3, now+6, s)}
	for _, test := range []struct {
		factor float64
		want   []*workload.Job
	}{
		{1, jobs},
		{1.0 / 3, []*workload.Job{jobtest.Bag(1, now, s), jobtest.Bag(2, now+1, s), jobtest.Bag(3, now+2, s)}},
		{0.5, []*workload.Job{jobtest.Bag(1, now, s), jobtest.Bag(2, now+2, s), jobtest.Bag(3, now+3, s)}}, // halves go up
	} {
		got, err := workload.Stretch(jobs, test.factor)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("by %v: got error %v, want none; -want +got:\n%s", test.factor, err, diff)
		}
	}
}

func TestStretchRefuses(t *testing.T) {
	for _, factor := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := workload.Stretch(every(2), factor); err == nil || !strings.Contains(err.Error(), "want a finite factor above 0") {
			t.Errorf("by %v: got error %v, want one that says what is allowed", factor, err)
		}
	}
	for _, test := range []struct {
		name   string
		second *workload.Job // the first is at instant 0
		factor float64
		want   string
	}{
		{"late", jobtest.Bag(2, s, s), 5e9, "job 2 is moved from 1 s to 5e+09 s"},
		{"early", jobtest.Bag(2, -s, s), 5e9, "job 2 is moved from -1 s to -5e+09 s"},
		{"far too late", jobtest.Bag(2, s, s), 1e200, "job 2 is moved from 1 s to 1e+200 s"},
		{"late already", jobtest.Bag(2, math.MaxInt64, s), 1, "job 2 is moved from 9.223372036854776e+09 s to 9.223372036854776e+09 s"},
		{"brought back", jobtest.Bag(2, math.MaxInt64, s), 0.25, "job 2 is moved from 9.223372036854776e+09 s to 2.305843009213694e+09 s"},
		{"deadline late", due(jobtest.Bag(2, s, s), 2_000_001*s), 4.611e9, "job 2 is moved from 1 s to 4.611e+09 s"},
		{"deadline never", due(jobtest.Bag(2, s, s), math.MaxInt64), 0.5, "job 2 is moved from 1 s to 0.5 s"},
	} {
		got, err := workload.Stretch([]*workload.Job{jobtest.Bag(1, 0, s), test.second}, test.factor)
		if err == nil || !strings.Contains(err.Error(), test.want+", want both, and its deadline at both, within 4.6e9 s") || got != nil {
			t.Errorf("%s: got %d jobs and error %v, want none and one with %q", test.name, len(got), err, test.want)
		}
	}
}

func TestToLoad(t *testing.T) {
	jobs := jobtest.Generate(t, 2000)
	before := jobtest.Text(t, jobs...)
	for _, load := range []float64{1e-3, 0.5, 0.95, 1.4, 50} {
		got, err := workload.ToLoad(jobs, 77, load)
		if err != nil {
			t.Fatal(err)
		}
		if l := workload.Measure(got).Load(77); math.Abs(l/load-1) > 1e-9 {
			t.Errorf("got load %v, want %v", l, load)
		}
	}
	if !bytes.Equal(before, jobtest.Text(t, jobs...)) {
		t.Error("the jobs given were changed")
	}
}

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
	before := jobtest.Text(t, jobs...)
	got, err := workload.Window(jobs, policy.Time(10*s), policy.Time(20*s))
	want := []*workload.Job{jobtest.Bag(2, 0, s), jobtest.Bag(3, 2*s, s), due(reads(jobtest.Bag(4, 5*s, s), 2), 30*s)}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("got error %v, want none; -want +got:\n%s", err, diff)
	}
	if !bytes.Equal(before, jobtest.Text(t, jobs...)) {
		t.Error("the jobs given were changed")
	}
}

func TestLoadRefuses(t *testing.T) {
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
