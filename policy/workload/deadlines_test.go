package workload_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Half of the jobs of a workload without deadlines get one.
func ExampleDeadlines() {
	g := workload.DefaultHeavyTail()
	g.Jobs = 4
	jobs, err := g.Source()
	if err != nil {
		log.Fatal(err)
	}
	d := workload.DefaultDeadlines()
	d.Slack = []float64{0.2, 0.8}
	d.Partitions = []policy.PartitionID{1, 2, 3, 4}
	jobs, err = d.Source(jobs)
	if err != nil {
		log.Fatal(err)
	}
	for j, err := range jobs {
		if err != nil {
			log.Fatal(err)
		}
		if j.SLO == nil {
			fmt.Printf("job %d: best effort\n", j.ID)
			continue
		}
		left := j.SLO.Deadline.Sub(j.Submitted)
		fmt.Printf("job %d: %.1f s for a job of %.1f s, on partitions %v or %v times as long\n",
			j.ID, left.Seconds(), j.Ideal().Seconds(), j.Stages[0].Prefer, j.Stages[0].Elsewhere)
	}
	// Output:
	// job 1: 7.8 s for a job of 4.3 s, on partitions [1 2 4] or 1.5 times as long
	// job 2: best effort
	// job 3: 15.1 s for a job of 12.6 s, on partitions [1 2 3] or 1.5 times as long
	// job 4: best effort
}

func dated(t testing.TB, d workload.Deadlines, jobs []*workload.Job) []*workload.Job {
	t.Helper()
	return jobtest.Made(t)(d.Source(workload.Of(jobs)))
}

func fourPartitions() workload.Deadlines {
	d := workload.DefaultDeadlines()
	d.Partitions = []policy.PartitionID{4, 2, 3, 9}
	return d
}

func deadlinesAreThoseOf3Sigma(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var jobs []*workload.Job
	for id := range policy.JobID(2_000) {
		j := staged(id+1, rng)
		j.Runtimes[0][0] += s // none takes no time at all
		jobs = append(jobs, j)
	}
	d := fourPartitions()
	slacks, prefers, slos := make(map[int]float64), make(map[policy.PartitionID]float64), 0.0
	for i, j := range dated(t, d, jobs) {
		if err := j.Validate(); err != nil {
			t.Fatal(err)
		}
		if j.SLO == nil {
			if !reflect.DeepEqual(j, jobs[i]) {
				t.Fatalf("best-effort job: got %+v, want it as it was: %+v", j, jobs[i])
			}
			continue
		}
		slos++
		slacks[int(math.Round(jobtest.Slack(j)*100))]++
		if j.SLO.Utility != 1 {
			t.Fatalf("job %d: got utility %v, want 1", j.ID, j.SLO.Utility)
		}
		for k, stage := range j.Stages {
			if len(stage.Prefer) != 3 || stage.Elsewhere != 1.5 || !slices.Equal(stage.Prefer, j.Stages[0].Prefer) {
				t.Fatalf("job %d, stage %d: got %v preferred, factor %v; want three, the same as those of the first stage, and 1.5", j.ID, k, stage.Prefer, stage.Elsewhere)
			}
		}
		for _, p := range j.Stages[0].Prefer {
			prefers[p]++
		}
	}
	n := float64(len(jobs))
	jobtest.WantWithin(t, "share of SLO jobs", slos/n, 0.5, math.Sqrt(0.25/n))
	for _, percent := range []int{20, 40, 60, 80} {
		got := slacks[percent] / slos
		jobtest.WantWithin(t, fmt.Sprintf("share with slack %d %%", percent), got, 0.25, math.Sqrt(0.25*0.75/slos))
	}
	if len(slacks) != 4 {
		t.Errorf("got slacks %v, want four of them", slacks)
	}
	for _, p := range d.Partitions {
		got := prefers[p] / slos
		jobtest.WantWithin(t, fmt.Sprintf("share that prefers partition %d", p), got, 0.75, math.Sqrt(0.25*0.75/slos))
	}
}

// What a job gets depends on its ID alone; another seed gives it something else.
func TestDeadlinesOfAJobAlone(t *testing.T) {
	jobs := jobtest.Generate(t, 300)
	d := fourPartitions()
	together := dated(t, d, jobs)
	for i := range jobs {
		if diff := cmp.Diff(together[i:i+1], dated(t, d, jobs[i:i+1])); diff != "" {
			t.Fatalf("job %d: -with others +alone:\n%s", jobs[i].ID, diff)
		}
	}
	d.Seed++
	if bytes.Equal(jobtest.Text(t, together...), jobtest.Text(t, dated(t, d, jobs)...)) {
		t.Error("another seed gave the same deadlines, want others")
	}
	// A greater share only adds SLO jobs.
	d.Seed, d.Share = 1, 0.8
	more := 0
	for i, j := range dated(t, d, jobs) {
		if together[i].SLO == nil {
			if j.SLO != nil {
				more++
			}
		} else if diff := cmp.Diff(together[i], j); diff != "" {
			t.Errorf("job %d: -share 0.5 +share 0.8:\n%s", j.ID, diff)
		}
	}
	if more == 0 {
		t.Error("share 0.8 has no more SLO jobs than 0.5")
	}
}

func TestDeadlinesExtremes(t *testing.T) {
	jobs := jobtest.Generate(t, 200)
	jobs[0].SLO = &policy.SLO{Deadline: 1}
	slos := func(d workload.Deadlines) (n int) {
		for _, j := range dated(t, d, jobs) {
			if j.SLO != nil {
				n++
			}
		}
		return n
	}
	d := workload.DefaultDeadlines()
	d.Share = 0
	if n := slos(d); n != 0 {
		t.Errorf("share 0: got %d SLO jobs", n)
	}
	d.Share, d.Slack = 1, []float64{0}
	if n := slos(d); n != len(jobs) {
		t.Errorf("share 1: got %d SLO jobs, want all %d", n, len(jobs))
	}
	for _, j := range dated(t, d, jobs) {
		if want := j.Submitted.Add(j.Ideal()); j.SLO.Deadline != want || j.Stages[0].Prefer != nil {
			t.Fatalf("slack 0, no partitions: got deadline %d and stages %v, want %d and none preferred", j.SLO.Deadline, j.Stages, want)
		}
	}
	for _, test := range []struct {
		prefer     float64
		partitions []policy.PartitionID
		want       int
	}{{0.75, []policy.PartitionID{5}, 1}, {0.01, []policy.PartitionID{5, 6}, 1}, {0.75, []policy.PartitionID{5, 6}, 2}, {1, []policy.PartitionID{5, 6, 7}, 3}, {0.5, []policy.PartitionID{5, 6, 7}, 2}} {
		d.Prefer, d.Partitions = test.prefer, test.partitions
		for _, j := range dated(t, d, jobs) {
			if got := len(j.Stages[0].Prefer); got != test.want {
				t.Fatalf("%v of %v: got %d preferred, want %d", test.prefer, test.partitions, got, test.want)
			}
		}
	}
}

func TestDeadlinesRefuse(t *testing.T) {
	jobtest.WantRefused(t, "workload: Deadlines.", workload.DefaultDeadlines, func(d workload.Deadlines) (workload.Source, error) { return d.Source(workload.Of(nil)) }, map[string]func(d *workload.Deadlines){
		"Slack is [], want at least one":                   func(d *workload.Deadlines) { d.Slack = nil },
		"Slack[1] is -0.01, want finite, at least 0":       func(d *workload.Deadlines) { d.Slack = []float64{0, -0.01} },
		"Share is -1, want 0 to 1":                         func(d *workload.Deadlines) { d.Share = -1 },
		"Share is 1.5, want 0 to 1":                        func(d *workload.Deadlines) { d.Share = 1.5 },
		"Utility is +Inf, want 0 to 1e+12":                 func(d *workload.Deadlines) { d.Utility = math.Inf(1) },
		"Utility is -1, want 0 to 1e+12":                   func(d *workload.Deadlines) { d.Utility = -1 },
		"Prefer is 0, want above 0, to 1":                  func(d *workload.Deadlines) { d.Prefer = 0 },
		"Elsewhere is 0.9, want finite, at least 1":        func(d *workload.Deadlines) { d.Elsewhere = 0.9 },
		"Partitions[1] is 0, want 1 to 2^24-1, none twice": func(d *workload.Deadlines) { d.Partitions = []policy.PartitionID{1, 0} },
		"Partitions[2] is 1, want 1 to 2^24-1, none twice": func(d *workload.Deadlines) { d.Partitions = []policy.PartitionID{1, 2, 1} },
	})
	d := workload.DefaultDeadlines()
	d.Share, d.Slack = 1, []float64{1}
	invalid := jobtest.Bag(3, 0, s)
	invalid.Runtimes = nil
	for _, test := range []struct {
		j    *workload.Job
		want string
	}{
		{jobtest.Bag(3, 9e17, 60e15), "workload: job 3, submitted at 9e+08 s to run for 16666h40m0s, would get its deadline at 1.02e+09 s by a slack of 1, want both within 1e9 s of instant 0"},
		{jobtest.Bag(3, -2e18, s), "workload: job 3, submitted at -2e+09 s to run for 1s, would get its deadline at -1.999999998e+09 s by a slack of 1, want both within 1e9 s of instant 0"},
		{jobtest.Bag(3, 0, math.MaxInt64), "workload: job 3, submitted at 0 s to run for 2562047h47m16.854775807s, would get its deadline at 1.8446744073709553e+10 s by a slack of 1, want both within 1e9 s of instant 0"},
		{invalid, "workload: job 3 has runtimes of 0 stages, want 1"},
	} {
		source, err := d.Source(workload.Of([]*workload.Job{test.j}))
		if err != nil {
			t.Fatal(err)
		}
		if j, err := jobtest.First(source); err == nil || err.Error() != test.want || j != nil {
			t.Errorf("got %v and error %v, want none and %s", j, err, test.want)
		}
	}
}
