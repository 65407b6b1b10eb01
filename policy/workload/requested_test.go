package workload_test

import (
	"fmt"
	"log"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// A log of a batch system that does not tell the requested time of its second job.
func ExampleFillRequested() {
	const text = `; 18 columns; the 4th is the run time, the 9th the requested time
1  0 0 100 4 -1 -1 4 3600 -1 1 1 1 -1 -1 -1 -1 -1
2 10 0 100 4 -1 -1 4   -1 -1 1 1 1 -1 -1 -1 -1 -1
`
	reader, err := trace.NewReader("log", strings.NewReader(text), trace.ReaderConfig{})
	if err != nil {
		log.Fatal(err)
	}
	source, err := workload.FillRequested(reader.Jobs(), 2)
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range jobs {
		fmt.Println("job", j.ID, "requests", j.Requested)
	}
	// Output:
	// job 1 requests 1h0m0s
	// job 2 requests 3m20s
}

func TestRequest(t *testing.T) {
	told := jobtest.Bag(3, 0, 5*s)
	told.Requested = s
	stages := jobtest.Bag(4, 0, s, 7*s)
	stages.Stages = append(stages.Stages, policy.Stage{Tasks: 1, Cores: 1})
	stages.Runtimes = append(stages.Runtimes, []policy.Duration{9 * s})
	for _, test := range []struct {
		name   string
		job    *workload.Job
		factor float64
		want   policy.Duration
	}{
		{"the longest task", jobtest.Bag(1, 0, s, 4*s, 2*s), 1.5, 6 * s},
		{"of all stages", stages, 2, 18 * s},
		{"factor 1", jobtest.Bag(1, 0, 4*s), 1, 4 * s},
		{"runtime 0", jobtest.Bag(1, 0, 0), 2, 1},
		{"at most 1e9 s", jobtest.Bag(1, 0, 1e18), 1e300, 1e18},
		{"told", told, 2, s},
	} {
		source, err := workload.FillRequested(workload.Of([]*workload.Job{test.job}), test.factor)
		if err != nil {
			t.Fatal(err)
		}
		jobs := jobtest.All(t, source)
		if len(jobs) != 1 || jobs[0].Requested != test.want {
			t.Fatalf("%s: got %+v, want one job that requests %v", test.name, jobs, test.want)
		}
		same := *jobs[0]
		same.Requested = test.job.Requested
		if diff := cmp.Diff(test.job, &same); diff != "" {
			t.Errorf("%s: other fields: -want +got:\n%s", test.name, diff)
		}
	}
	for _, factor := range []float64{0, -1, 0.99, math.NaN(), math.Inf(1)} {
		if _, err := workload.FillRequested(workload.Of(nil), factor); err == nil {
			t.Errorf("factor %v: got no error", factor)
		}
	}
}

// Only jobs that request a time become Limited, and those of the source stay as they were.
func TestLimited(t *testing.T) {
	asks := jobtest.Bag(1, 0, s)
	asks.Requested = 2 * s
	list := []*workload.Job{asks, jobtest.Bag(2, 0, s)}
	got := jobtest.All(t, workload.Limited(workload.Of(list)))
	if len(got) != 2 || !got[0].Limited || got[1].Limited || asks.Limited || got[0].Requested != 2*s {
		t.Errorf("got %+v", got)
	}
}
