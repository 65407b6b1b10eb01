package hopper_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
)

// table21 is Table 2.1: for how long the first copy of each task of jobs A and B runs, and for how long another one would, s.
var table21 = [2][]struct{ first, again policy.Duration }{
	{{8, 2}, {3, 2}, {3, 2}, {3, 2}},
	{{6, 2}, {6, 2}, {3, 2}, {3, 2}, {1, 1}, {1, 1}},
}

type truth21 struct{}

func (truth21) Runtime(c policy.Copy) (policy.Duration, bool) {
	task := table21[c.Job-1][c.Index]
	if c.N == 0 {
		return task.first * time.Second, true
	}
	return task.again * time.Second, true
}

// section2 makes the schedulers of section 2: SRPT or Fair with copies by best effort or in reserved slots, or, without a
// turn, Hopper.
func section2(turn func() central.Turn, reserved float64) (policy.Scheduler, error) {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: time.Second})
	if err != nil {
		return nil, err
	}
	c := hopper.SpeculationConfig{Rule: rule, Period: time.Second, Expected: func(t policy.Task) float64 {
		return float64(table21[t.Job-1][t.Index].again)
	}}
	if turn == nil {
		sizes := hopper.TurnConfig{Epsilon: 1, Keep: true, Tail: 1.6, Locality: -1, Dampening: -1} // 2/β is 1.25
		return hopper.NewScheduler(hopper.Config{SpeculationConfig: c, TurnConfig: sizes})
	}
	copies, err := hopper.NewSpeculation(c)
	if err != nil {
		return nil, err
	}
	return central.New(central.Config{Turn: turn(), Copy: copies, Reserved: reserved, CopyTurn: turn()})
}

// The example of section 2: two jobs on 6 slots. A straggler is detected one second after its task starts.
func ExampleSimple() {
	srpt, fair := func() central.Turn { return baseline.Fewest() }, func() central.Turn { return baseline.Fair() }
	for _, s := range []struct {
		name     string
		turn     func() central.Turn
		reserved float64
	}{
		{"SRPT, best effort (Fig. 2.1a)", srpt, 0},
		{"Fair, best effort (Fig. 2.1b)", fair, 0},
		{"SRPT, 2 slots reserved (Fig. 2.2a)", srpt, 1. / 3},
		{"Fair, 2 slots reserved (Fig. 2.2b)", fair, 1. / 3},
		{"Hopper (Fig. 2.3)", nil, 0},
	} {
		p, err := section2(s.turn, s.reserved)
		if err != nil {
			log.Fatal(err)
		}
		jobs := func(yield func(*policy.Job, error) bool) {
			for i, tasks := range table21 {
				if !yield(&policy.Job{ID: policy.JobID(i + 1), Stages: []policy.Stage{{Tasks: uint32(len(tasks)), Cores: 1}}}, nil) {
					return
				}
			}
		}
		result, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 6, Cores: 1}), Jobs: jobs, Truth: truth21{},
		}, p)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-34s A %v, B %v\n", s.name, result.Jobs[0].JCT(), result.Jobs[1].JCT())
	}
	// Output:
	// SRPT, best effort (Fig. 2.1a)      A 5s, B 8s
	// Fair, best effort (Fig. 2.1b)      A 6s, B 8s
	// SRPT, 2 slots reserved (Fig. 2.2a) A 3s, B 7s
	// Fair, 2 slots reserved (Fig. 2.2b) A 6s, B 8s
	// Hopper (Fig. 2.3)                  A 3s, B 6s
}
