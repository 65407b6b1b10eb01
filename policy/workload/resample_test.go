package workload_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// A day of jobs is made out of a thousand, then half as wide, then brought to load 0.8 of
// 40 cores.
func ExampleBootstrap() {
	g := workload.DefaultHeavyTail()
	g.Jobs = 1000
	source, err := g.Source()
	if err != nil {
		log.Fatal(err)
	}
	given, err := workload.ReadAll(source)
	if err != nil {
		log.Fatal(err)
	}
	more, err := workload.Bootstrap(given, 24*time.Hour, 20, 7)
	if err != nil {
		log.Fatal(err)
	}
	day, err := workload.ReadAll(more)
	if err != nil {
		log.Fatal(err)
	}
	show := func(what string, jobs []*workload.Job) {
		tasks := 0
		for _, j := range jobs {
			tasks += j.Tasks()
		}
		fmt.Printf("%s: %.1f tasks a job, load %.2f\n", what, float64(tasks)/float64(len(jobs)), workload.Measure(jobs).Load(40))
	}
	show("given", given)
	show("a day", day)
	if day, err = workload.ScaleWidth(day, 0.5, 7); err != nil {
		log.Fatal(err)
	}
	show("half as wide", day)
	if day, err = workload.ToLoad(day, 40, 0.8); err != nil {
		log.Fatal(err)
	}
	show("brought to load 0.8", day)
	// Output:
	// given: 4.4 tasks a job, load 0.62
	// a day: 4.3 tasks a job, load 0.60
	// half as wide: 2.6 tasks a job, load 0.40
	// brought to load 0.8: 2.6 tasks a job, load 0.80
}

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

func filled(t testing.TB, jobs []*workload.Job, span policy.Duration, block int, seed uint64) []*workload.Job {
	t.Helper()
	source, err := workload.Bootstrap(jobs, span, block, seed)
	if err != nil {
		t.Fatal(err)
	}
	return jobtest.All(t, source)
}

// Blocks are runs of the jobs given, with the gaps between them, and begin anywhere.
func TestBootstrapBlocks(t *testing.T) {
	const n, block = 50, 7
	jobs := every(n)
	for i := range jobs { // gaps of i seconds
		jobs[i].Submitted = policy.Time(policy.Duration(i*(i+1)/2) * s)
		jobs[i].Inputs = &policy.Inputs{Jobs: []policy.JobID{policy.JobID((i+n-3)%n + 1)}}
		jobs[i].At = time.Unix(1000, int64(jobs[i].Submitted))
		due(jobs[i], policy.Duration(jobs[i].Submitted)+policy.Duration(i)*s)
	}
	before := copies(t, jobs)
	place := func(j *workload.Job) int { return int(j.Runtimes[0][0] / s) }
	got := filled(t, jobs, 1000*time.Hour, block, 1)
	if !bytes.Equal(before, copies(t, jobs)) {
		t.Error("the jobs given were changed")
	}
	starts := make(map[int]float64)
	for i, j := range got {
		if want := policy.JobID(i + 1); j.ID != want {
			t.Fatalf("got ID %d, want %d", j.ID, want)
		}
		if i%block == 0 {
			starts[place(j)]++
		} else if want := (place(got[i-1]) + 1) % n; place(j) != want {
			t.Fatalf("job %d: got the job at place %d, want %d", j.ID, place(j), want)
		}
		if i > 0 {
			want := policy.Duration(place(j)) * s
			if place(j) == 0 {
				want = n * s / 2 // the mean
			}
			if gap := j.Submitted.Sub(got[i-1].Submitted); gap != want {
				t.Fatalf("job %d: got a gap of %v, want %v", j.ID, gap, want)
			}
		}
		if want := j.Submitted + policy.Time(policy.Duration(place(j))*s); j.SLO.Deadline != want {
			t.Fatalf("job %d: got deadline %v, want %v", j.ID, j.SLO.Deadline, want)
		}
		if want := time.Unix(1000, int64(j.Submitted)); !j.At.Equal(want) {
			t.Fatalf("job %d: got calendar time %v, want %v", j.ID, j.At, want)
		}
		switch {
		case i%block < 3:
			if j.Inputs != nil {
				t.Fatalf("job %d reads %v, want none: it is not in the block", j.ID, j.Inputs)
			}
		case j.Inputs == nil || j.Inputs.Jobs[0] != j.ID-3:
			t.Fatalf("job %d reads %v, want the third before it", j.ID, j.Inputs)
		}
	}
	blocks := math.Ceil(float64(len(got)) / block)
	for i := range n {
		jobtest.WantWithin(t, fmt.Sprintf("blocks that begin at %d", i), starts[i], blocks/n, math.Sqrt(blocks/n))
	}
	if last := got[len(got)-1].Submitted; last >= policy.Time(1000*time.Hour) || last < policy.Time(1000*time.Hour-n*s) {
		t.Errorf("got the last job at %v s, want it just before the end of the span", last.Seconds())
	}
}

// The distributions of gaps and of work stay, and with blocks of one they are independent.
func TestBootstrapDistribution(t *testing.T) {
	jobs := jobtest.Generate(t, 2000)
	gaps := func(jobs []*workload.Job) (gaps []float64) {
		for i := 1; i < len(jobs); i++ {
			gaps = append(gaps, jobs[i].Submitted.Sub(jobs[i-1].Submitted).Seconds())
		}
		return gaps
	}
	work := func(jobs []*workload.Job) (work []float64) {
		for _, j := range jobs {
			work = append(work, j.Work())
		}
		return work
	}
	got := filled(t, jobs, 4*24*time.Hour, 1, 1)
	mean, _ := jobtest.Moments(gaps(jobs))
	wantWork, wantGaps := empirical(work(jobs)), empirical(append(gaps(jobs), math.Round(mean*1e9)/1e9))
	jobtest.WantDistribution(t, "gaps", gaps(got), wantGaps)
	jobtest.WantDistribution(t, "work", work(got), wantWork)
	t.Logf("%-22s %10s %10s", "", "given", "generated")
	gotGap, gotGapSigma := jobtest.Moments(gaps(got))
	_, gapSigma := jobtest.Moments(gaps(jobs))
	gotWork, _ := jobtest.Moments(work(got))
	meanWork, _ := jobtest.Moments(work(jobs))
	t.Logf("%-22s %10d %10d", "jobs", len(jobs), len(got))
	t.Logf("%-22s %10.3f %10.3f", "mean gap, s", mean, gotGap)
	t.Logf("%-22s %10.3f %10.3f", "squared CoV of gaps", gapSigma*gapSigma/mean/mean, gotGapSigma*gotGapSigma/gotGap/gotGap)
	t.Logf("%-22s %10.1f %10.1f", "mean work, core-s", meanWork, gotWork)

	if !bytes.Equal(copies(t, got[:500]), copies(t, filled(t, jobs, 4*24*time.Hour, 1, 1)[:500])) {
		t.Error("the same seed gave other jobs, want the same")
	}
	if bytes.Equal(copies(t, got[:500]), copies(t, filled(t, jobs, 4*24*time.Hour, 1, 2)[:500])) {
		t.Error("another seed gave the same jobs, want others")
	}
}

// empirical returns the distribution of the given values.
func empirical(values []float64) func(x float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return func(x float64) float64 {
		i, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int {
			if v <= x {
				return -1
			}
			return 1
		})
		return float64(i) / float64(len(sorted))
	}
}

func TestResampleRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	two := []*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, s, s)}
	late := []*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, math.MaxInt64-1, s)}
	lateDeadline := []*workload.Job{jobtest.Bag(1, 0, s), due(jobtest.Bag(2, s, s), math.MaxInt64)}
	list := func(jobs []*workload.Job, err error) error { return err }
	source := func(_ workload.Source, err error) error { return err }
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
		{"widths scaled by 0,", list(workload.ScaleWidth(two, 0, 1))},
		{"widths scaled by NaN,", list(workload.ScaleWidth(two, nan, 1))},
		{"widths scaled by +Inf,", list(workload.ScaleWidth(two, inf, 1))},
		{"job 1 would have 1e+300 tasks, want at most 2^28", list(workload.ScaleWidth(two, 1e300, 1))},
		{"job 1, stage 0 has 0 runtimes, want 1", list(workload.ScaleWidth([]*workload.Job{{Job: two[0].Job, Runtimes: [][]policy.Duration{{}}}}, 1, 1))},
		{"a window from 1 s to 1 s", list(workload.Window(two, policy.Time(s), policy.Time(s)))},
		{"a window from -9.2", list(workload.Window(two, math.MinInt64, 0))},
		{"job 2 is submitted at 9.2", list(workload.Window(late, 0, math.MaxInt64))},
		{"job 2 is moved from 1 s to 1 s", list(workload.Window(lateDeadline, 0, math.MaxInt64))},
		{"job 2 is moved from 9.2", source(workload.Bootstrap(late, time.Hour, 1, 1))},
		{"a span of 0s to fill", source(workload.Bootstrap(two, 0, 1, 1))},
		{"a span of 2562047h47m16.854775807s to fill", source(workload.Bootstrap(two, math.MaxInt64, 1, 1))},
		{"0 jobs at one instant", source(workload.Bootstrap(nil, s, 1, 1))},
		{"2 jobs at one instant", source(workload.Bootstrap([]*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, 0, s)}, s, 1, 1))},
		{"job 1 is submitted before job 2", source(workload.Bootstrap([]*workload.Job{jobtest.Bag(2, s, s), jobtest.Bag(1, 0, s)}, s, 1, 1))},
		{"blocks of 0 jobs, want 1 to 2", source(workload.Bootstrap(two, s, 0, 1))},
		{"blocks of 3 jobs, want 1 to 2", source(workload.Bootstrap(two, s, 3, 1))},
		{"about 3.6e+12 jobs would fill 1h0m0s, want at most 2^28", source(workload.Bootstrap([]*workload.Job{jobtest.Bag(1, 0, s), jobtest.Bag(2, 1, s)}, time.Hour, 1, 1))},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), "workload: ") || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", test.err, test.want)
		}
	}
}

func BenchmarkBootstrap(b *testing.B) {
	jobs := jobtest.Generate(b, 5000)
	b.Run(fmt.Sprintf("jobs=%d", len(jobs)), func(b *testing.B) {
		span := jobs[len(jobs)-1].Submitted.Sub(jobs[0].Submitted)
		b.ReportAllocs()
		for b.Loop() {
			source, err := workload.Bootstrap(jobs, span, 10, 1)
			if err != nil {
				b.Fatal(err)
			}
			if n := jobtest.Count(b, source); n < 3000 || n > 7000 {
				b.Fatalf("got %d jobs, want about %d", n, len(jobs))
			}
		}
	})
}
