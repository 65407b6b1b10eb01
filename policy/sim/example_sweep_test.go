package sim_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// setup makes 1,000 jobs with heavy tails, and a cluster on which they offer a load of 0.9.
func setup(seed uint64) (sim.Config, error) {
	generator := workload.DefaultHeavyTail()
	generator.Seed, generator.Jobs = seed, 1000
	source, err := generator.Source()
	if err != nil {
		return sim.Config{}, err
	}
	list, err := workload.ReadAll(source)
	if err != nil {
		return sim.Config{}, err
	}
	nodes := sim.Cluster(sim.Partition{Nodes: 4, Cores: 4})
	if list, err = workload.ToLoad(list, 16, 0.9); err != nil {
		return sim.Config{}, err
	}
	jobs, truth := workload.Split(list)
	return sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, nil
}

// An experiment of one's own: three policies with ten seeds, on all cores. The ratios to FIFO have 95 % intervals.
func ExampleSweep() {
	sweep := sim.Sweep{Setup: setup, Trim: 0.1, Policies: []sim.Contender{
		{Name: "fifo", New: func(uint64, *sim.Config) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }},
		{Name: "fair", New: func(uint64, *sim.Config) (policy.Scheduler, error) { return baseline.NewFair(), nil }},
		{Name: "srpt", New: func(_ uint64, c *sim.Config) (policy.Scheduler, error) { return baseline.NewSRPT(c.Truth) }},
	}}
	for seed := range uint64(10) {
		sweep.Seeds = append(sweep.Seeds, seed+1)
	}
	runs, err := sweep.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	jct := func(r *sim.SweepRun) float64 { return r.MeanJCT }
	faster := func(r *sim.SweepRun) float64 { return r.ToFirst.Faster }
	for i, p := range sweep.Policies {
		mean := sim.MeanWithin(runs.Of(i, jct), 0, math.Inf(1)).Mean
		ratio := sim.RatioInterval(runs.Of(i, jct), runs.Of(0, jct))
		fmt.Printf("%s  mean JCT %3.0f s, %v of FIFO's; %.0f %% of the jobs are faster\n",
			p.Name, mean, ratio, 100*sim.MeanWithin(runs.Of(i, faster), 0, 1).Mean)
	}
	// Output:
	// fifo  mean JCT 1024 s, 1 [1 1] of FIFO's; 0 % of the jobs are faster
	// fair  mean JCT 187 s, 0.225 [0.143 0.356] of FIFO's; 76 % of the jobs are faster
	// srpt  mean JCT 136 s, 0.177 [0.111 0.283] of FIFO's; 77 % of the jobs are faster
}
