package main

import (
	"context"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// hopperExample is section 2: two jobs of Table 2.1 on six slots, under SRPT and Fair with copies by
// best effort and with two slots reserved for them, and under Hopper. What Hopper is given
// (2/β of 1.25, an ε of 1, and slots that are kept for copies) is what its schedule in Fig. 2.3
// needs; the text does not say it. Of the readings of best effort only copies in turn give the published times.
func hopperExample() item {
	b := &bed[[]*workload.Job]{name: "Table 2.1", seeds: 1, draw: func(uint64) ([]*workload.Job, error) { return exampleJobs(), nil }}
	type schedule struct {
		name      string
		allocator allocator
		copies    central.When
		reserved  float64
		published [2]float64
	}
	var schedules []schedule
	for _, reading := range copyReadings {
		schedules = append(schedules,
			schedule{"SRPT best effort, copies " + reading.name, bySRPT, reading.turn, 0, [2]float64{5, 8}},
			schedule{"Fair best effort, copies " + reading.name, byFair, reading.turn, 0, [2]float64{6, 8}})
	}
	schedules = append(schedules,
		schedule{"SRPT budgeted", bySRPT, central.InTurn, 1. / 3, [2]float64{3, 7}},
		schedule{"Fair budgeted", byFair, central.InTurn, 1. / 3, [2]float64{6, 8}},
		schedule{"Hopper", allocator{}, central.InTurn, 0, [2]float64{3, 6}})
	return func(l *lab) func(r *report) {
		var trials []*trial[[2]float64]
		for _, e := range schedules {
			trials = append(trials, ask(l, b, e.name, func(ctx context.Context, jobs []*workload.Job) ([2]float64, error) {
				return exampleTimes(ctx, jobs, e.allocator, e.copies, e.reserved)
			}))
		}
		return func(r *report) {
			for k, e := range schedules {
				for i, name := range []string{"A", "B"} {
					r.add("example "+e.name, b.name, "completion of job "+name, e.published[i], []float64{trials[k].runs[0][i]})
				}
			}
		}
	}
}

// exampleTimes returns when the two jobs are done, in s.
func exampleTimes(ctx context.Context, list []*workload.Job, a allocator, copies central.When, reserved float64) (times [2]float64, err error) {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: 1e9})
	if err != nil {
		return times, err
	}
	c := hopper.Config{
		SpeculationConfig: hopper.SpeculationConfig{
			Rule: rule, Period: 1e9,
			Expected: func(t policy.Task) float64 { return exampleRuntimes[t.Job-1][t.Index].again },
		},
		TurnConfig: hopper.TurnConfig{Epsilon: 1, Keep: true, Tail: 1.6, Locality: -1, Dampening: -1},
	}
	var s policy.Scheduler
	if a.turn == nil {
		s, err = hopper.NewScheduler(c)
	} else {
		s, err = a.speculating(c.SpeculationConfig, copies, reserved)
	}
	if err != nil {
		return times, err
	}
	jobs, _ := workload.Split(list)
	result, err := sim.Run(ctx, sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 6, Cores: 1}), Jobs: jobs, Truth: exampleTruth{},
	}, s)
	if err != nil {
		return times, err
	}
	return [2]float64{result.Jobs[0].JCT().Seconds(), result.Jobs[1].JCT().Seconds()}, nil
}

// exampleRuntimes is Table 2.1: for how long the first copy of each task runs, and for how long
// others do, in s.
var exampleRuntimes = [2][]struct{ first, again float64 }{
	{{8, 2}, {3, 2}, {3, 2}, {3, 2}},
	{{6, 2}, {6, 2}, {3, 2}, {3, 2}, {1, 1}, {1, 1}},
}

func exampleJobs() (jobs []*workload.Job) {
	for i, tasks := range exampleRuntimes {
		j := &workload.Job{Runtimes: [][]policy.Duration{nil}}
		j.ID, j.Stages = policy.JobID(i+1), []policy.Stage{{Tasks: uint32(len(tasks)), Cores: 1}}
		for _, t := range tasks {
			j.Runtimes[0] = append(j.Runtimes[0], seconds(t.first))
		}
		jobs = append(jobs, j)
	}
	return jobs
}

type exampleTruth struct{}

func (exampleTruth) Runtime(c policy.Copy) (policy.Duration, bool) {
	t := exampleRuntimes[c.Job-1][c.Index]
	if c.N == 0 {
		return seconds(t.first), true
	}
	return seconds(t.again), true
}
