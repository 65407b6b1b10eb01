package baseline_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// A long job comes just before a short one, and there are two cores.
func Example() {
	bag := func(id policy.JobID, each time.Duration) *workload.Job {
		return &workload.Job{
			Job:      policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
			Runtimes: [][]policy.Duration{{each, each, each, each}},
		}
	}
	jobs, truth := workload.Split([]*workload.Job{bag(1, 10*time.Second), bag(2, time.Second)})
	srpt, err := baseline.NewSRPT(truth)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range []struct {
		name string
		policy.Scheduler
	}{
		{"FIFO", baseline.NewFIFO()},
		{"Fair", baseline.NewFair()},
		{"SRPT", srpt},
	} {
		r, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Jobs: jobs, Truth: truth,
		}, p)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %v and %v\n", p.name, r.Jobs[0].JCT(), r.Jobs[1].JCT())
	}
	// Output:
	// FIFO: 20s and 22s
	// Fair: 24s and 4s
	// SRPT: 22s and 2s
}

// batchJob makes a job of a batch system, which runs for as long as its user requests.
func batchJob(id policy.JobID, user string, tasks uint32, requested time.Duration) *workload.Job {
	runtimes := make([]policy.Duration, tasks)
	for i := range runtimes {
		runtimes[i] = requested
	}
	return &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: policy.Time(id), Requested: requested,
			Attrs:  []policy.Attr{{Name: "user", Value: user}},
			Stages: []policy.Stage{{Tasks: tasks, Cores: 1, Gang: true}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
}

// short returns a job that runs for less than it requests.
func short(j *workload.Job, runtime time.Duration) *workload.Job {
	for i := range j.Runtimes[0] {
		j.Runtimes[0][i] = runtime
	}
	return j
}

// startTimes runs jobs on four cores and says when each starts.
func startTimes(p policy.Scheduler, list ...*workload.Job) {
	jobs, truth := workload.Split(list)
	r, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 1}), Jobs: jobs, Truth: truth,
	}, p)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range r.Jobs {
		fmt.Printf("job %d starts after %v\n", j.ID, j.FirstStart.Sub(0).Round(time.Second))
	}
}

// Job 1 leaves one core free for an hour. Job 2 wants all four and has to wait for it. Of
// those behind, job 4 fits into the gap, and job 3, which would delay job 2, does not.
func ExampleEASY() {
	startTimes(baseline.NewEASY(),
		batchJob(1, "ann", 3, time.Hour),
		batchJob(2, "bob", 4, time.Hour),
		batchJob(3, "cid", 1, 2*time.Hour),
		batchJob(4, "dan", 1, 30*time.Minute))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 1h0m0s
	// job 3 starts after 2h0m0s
	// job 4 starts after 0s
}

// After ten minutes there is a gap of one core beside job 1, until job 3 can start, which wants all four. EASY would begin with
// job 4, which came first, and SJBF begins with job 5, which is shorter.
func ExampleSJBF() {
	p, err := central.New(central.Config{Turn: baseline.FIFO(), Fill: baseline.SJBF()})
	if err != nil {
		log.Fatal(err)
	}
	startTimes(p,
		batchJob(1, "ann", 3, time.Hour),
		batchJob(2, "bob", 1, 10*time.Minute),
		batchJob(3, "cid", 4, time.Hour),
		batchJob(4, "dan", 1, 35*time.Minute),
		batchJob(5, "eve", 1, 10*time.Minute))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 0s
	// job 3 starts after 1h0m0s
	// job 4 starts after 20m0s
	// job 5 starts after 10m0s
}

// All ask for an hour, so under EASY Cid's jobs 4 and 5 could not overtake Bob's, which wants all cores. EASY++ knows after ten
// minutes that Cid's jobs are short: the next one starts when job 2 has ended, and the last one when that has.
func ExampleSJBF_easyPlusPlus() {
	p, err := central.New(central.Config{Turn: baseline.FIFO(), Fill: baseline.SJBF(), Forecast: forecast.LastTwo()})
	if err != nil {
		log.Fatal(err)
	}
	startTimes(p,
		short(batchJob(1, "ann", 3, time.Hour), 35*time.Minute),
		short(batchJob(2, "cid", 1, time.Hour), 10*time.Minute),
		short(batchJob(3, "bob", 4, time.Hour), 20*time.Minute),
		short(batchJob(4, "cid", 1, time.Hour), 10*time.Minute),
		short(batchJob(5, "cid", 1, time.Hour), 10*time.Minute))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 0s
	// job 3 starts after 35m0s
	// job 4 starts after 10m0s
	// job 5 starts after 20m0s
}

// Job 2 could start after an hour. With a slack of half of its own hour it may start half an hour later, so job 3 can overtake it,
// and job 4 cannot.
func ExampleBackfill() {
	fill, err := baseline.Backfill(baseline.BackfillConfig{Slack: 0.5})
	if err != nil {
		log.Fatal(err)
	}
	p, err := central.New(central.Config{Turn: baseline.FIFO(), Fill: fill})
	if err != nil {
		log.Fatal(err)
	}
	startTimes(p,
		batchJob(1, "ann", 3, time.Hour),
		batchJob(2, "bob", 4, time.Hour),
		batchJob(3, "cid", 1, 80*time.Minute),
		batchJob(4, "dan", 1, 2*time.Hour))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 1h20m0s
	// job 3 starts after 0s
	// job 4 starts after 2h20m0s
}

// Job 4 fits beside jobs 1 and 2, and EASY would start it at once. But then job 3 would
// start an hour later than it was promised.
func ExampleConservative() {
	startTimes(baseline.NewConservative(),
		batchJob(1, "ann", 3, time.Hour),
		batchJob(2, "bob", 2, time.Hour),
		batchJob(3, "cid", 4, time.Hour),
		batchJob(4, "dan", 1, 3*time.Hour))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 1h0m0s
	// job 3 starts after 2h0m0s
	// job 4 starts after 3h0m0s
}

// A policy of one's own, of which the whole is an order: the job that requests least goes first.
func ExampleOrdered() {
	shortest := func(a, b *policy.Job) int { return cmp.Compare(a.Requested, b.Requested) }
	startTimes(baseline.NewOrdered(shortest),
		batchJob(1, "ann", 4, time.Hour), // alone there when it starts
		batchJob(2, "bob", 4, 2*time.Hour),
		batchJob(3, "cid", 4, time.Minute))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 1h1m0s
	// job 3 starts after 1h0m0s
}

// Ann has used all that was used so far, so Bob's job goes first although it came later.
func ExampleMultifactor() {
	p, err := baseline.NewMultifactor(baseline.MultifactorConfig{})
	if err != nil {
		log.Fatal(err)
	}
	startTimes(p,
		batchJob(1, "ann", 4, time.Hour),
		batchJob(2, "ann", 4, time.Hour),
		batchJob(3, "bob", 4, time.Hour))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 2h0m0s
	// job 3 starts after 1h0m0s
}

// When its first tasks end, job 1 has had 8 core-hours; its others wait behind jobs that have
// had nothing.
func ExampleLAS() {
	p, err := baseline.NewLAS(queue.MultilevelConfig{First: 3600}) // core-seconds
	if err != nil {
		log.Fatal(err)
	}
	long := batchJob(1, "ann", 8, 2*time.Hour)
	long.Stages[0].Gang = false // eight tasks, one after the other as cores are free
	startTimes(p, long, batchJob(2, "bob", 1, time.Minute), batchJob(3, "cid", 4, time.Minute))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 2h0m0s
	// job 3 starts after 2h1m0s
}

// Ann's jobs came first, but all cores are not hers: Bob's job goes before her second one.
func ExampleDRF() {
	p, err := baseline.NewDRF(baseline.DRFConfig{})
	if err != nil {
		log.Fatal(err)
	}
	startTimes(p,
		batchJob(1, "ann", 3, 2*time.Hour),
		batchJob(2, "ann", 2, time.Hour),
		batchJob(3, "bob", 1, time.Hour))
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 2h0m0s
	// job 3 starts after 0s
}
