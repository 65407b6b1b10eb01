package workload_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

func TestScaleWidth(t *testing.T) {
	jobs := jobtest.Generate(t, 600)
	before := copies(t, jobs)
	for _, factor := range []float64{0.01, 0.3, 0.5, 1, 1.5, 4} {
		got, err := workload.ScaleWidth(jobs, factor, 3)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := workload.ScaleWidth(jobs, factor, 3)
		if !reflect.DeepEqual(got, again) {
			t.Errorf("by %v: the same seed gave other jobs, want the same", factor)
		}
		other, _ := workload.ScaleWidth(jobs, factor, 4)
		if same := reflect.DeepEqual(got, other); same != (factor == 1) {
			t.Errorf("by %v: another seed gave the same jobs: %v, want %v", factor, same, factor == 1)
		}
		alone, _ := workload.ScaleWidth(jobs[300:301], factor, 3)
		if diff := cmp.Diff(got[300], alone[0]); diff != "" {
			t.Errorf("by %v: a job on its own: -with others +alone:\n%s", factor, diff)
		}
		for i, j := range got {
			if err := j.Validate(); err != nil {
				t.Fatal(err)
			}
			if want := max(1, math.Floor(float64(jobs[i].Tasks())*factor+0.5)); float64(j.Tasks()) != want {
				t.Fatalf("by %v: job %d has %d tasks, want %v", factor, j.ID, j.Tasks(), want)
			}
			wantDrawn(t, jobs[i].Runtimes[0], j.Runtimes[0])
		}
	}
	if !bytes.Equal(before, copies(t, jobs)) {
		t.Error("the jobs given were changed")
	}
}

// wantDrawn checks that the new runtimes are drawn from the old: without replacement if
// there are at most as many, else all of them first.
func wantDrawn(t *testing.T, old, new []policy.Duration) {
	t.Helper()
	if len(new) > len(old) {
		if diff := cmp.Diff(old, new[:len(old)]); diff != "" {
			t.Fatalf("the first runtimes: -want +got:\n%s", diff)
		}
		for _, d := range new {
			if !slices.Contains(old, d) {
				t.Fatalf("got runtime %v, want one of the stage's own", d)
			}
		}
		return
	}
	at := 0
	for _, d := range new { // in the old order
		i := slices.Index(old[at:], d)
		if i < 0 {
			t.Fatalf("got runtimes %v, want a part of %v", new, old)
		}
		at += i + 1
	}
}

// Each task of a stage is as likely to stay, or to be drawn again, as any other.
func TestScaleWidthIsFair(t *testing.T) {
	const jobs, tasks = 20_000, 10
	var runtimes []policy.Duration
	for i := range tasks {
		runtimes = append(runtimes, policy.Duration(i))
	}
	list := make([]*workload.Job, jobs)
	for i := range list {
		list[i] = jobtest.Bag(policy.JobID(i+1), 0, runtimes...)
	}
	for _, test := range []struct {
		factor float64
		from   int     // the first place that is drawn
		p      float64 // that a draw is a given task
		draws  float64
	}{{0.3, 0, 0.1, 3}, {3, 10, 0.1, 20}} {
		got, err := workload.ScaleWidth(list, test.factor, 1)
		if err != nil {
			t.Fatal(err)
		}
		var counts [tasks]float64
		for _, j := range got {
			for _, d := range j.Runtimes[0][test.from:] {
				counts[d]++
			}
		}
		n := jobs * test.draws
		for d := range counts {
			// Without replacement the variance is smaller still.
			jobtest.WantWithin(t, fmt.Sprintf("by %v: task %d", test.factor, d), counts[d], n*test.p, math.Sqrt(n*test.p*(1-test.p)))
		}
	}
}

func TestScaleWidthOfStages(t *testing.T) {
	j := jobtest.Full(5) // stages of 3, 1 and 2 tasks
	got, err := workload.ScaleWidth([]*workload.Job{j}, 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	var tasks []uint32
	for i := range got[0].Stages {
		tasks = append(tasks, got[0].Stages[i].Tasks)
		wantDrawn(t, j.Runtimes[i], got[0].Runtimes[i])
	}
	if diff := cmp.Diff([]uint32{2, 1, 1}, tasks); diff != "" {
		t.Errorf("tasks of the stages: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(jobtest.Full(5), j); diff != "" {
		t.Errorf("the job given: -want +got:\n%s", diff)
	}
}

func BenchmarkScaleWidth(b *testing.B) {
	jobs := jobtest.Generate(b, 5000)
	for _, factor := range []float64{0.5, 2} {
		b.Run(fmt.Sprintf("jobs=%d/factor=%v", len(jobs), factor), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := workload.ScaleWidth(jobs, factor, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
