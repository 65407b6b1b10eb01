package hopper_test

import (
	"context"
	"iter"
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
)

// Whatever fits is started at once, but for what slots are kept from.
func TestSchedulerConformance(t *testing.T) {
	for _, c := range settings(t) {
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New:       func(policy.Truth) (policy.Scheduler, error) { return c.scheduler() },
				Allocates: c.Keep, // then jobs come faster than they end
				Keeps: func(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
					return p.(*line).Keeps(task.Job)
				},
			})
		})
	}
}

// truth21 is Table 2.1, in seconds.
type truth21 struct{}

func (truth21) Runtime(c policy.Copy) (policy.Duration, bool) {
	task := table21[c.Job-1][c.Index]
	if c.N == 0 {
		return policy.Duration(task.init) * time.Second, true
	}
	return policy.Duration(task.fresh) * time.Second, true
}

// jobs21 yields jobs that come at 0.
func jobs21(jobs []*policy.Job) iter.Seq2[*policy.Job, error] {
	return func(yield func(*policy.Job, error) bool) {
		for _, j := range jobs {
			if !yield(j, nil) {
				return
			}
		}
	}
}

// The example of section 2, in the simulator.
func TestSchedulerSection2(t *testing.T) {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c := asking(rule, time.Second)
	c.Epsilon, c.Keep, c.Tails.Start = 1, true, 1.6
	c.Expected = func(task policy.Task) float64 { return float64(table21[task.Job-1][task.Index].fresh) }
	for _, tt := range []struct {
		name     string
		rival    func() central.Turn
		reserved float64
		want     [2]float64
	}{
		{"SRPT", fewest, 0, [2]float64{5, 8}},
		{"Fair", fair, 0, [2]float64{6, 8}},
		{"SRPT, reserved", fewest, 1. / 3, [2]float64{3, 7}},
		{"Fair, reserved", fair, 1. / 3, [2]float64{6, 8}},
		{"Hopper", nil, 0, [2]float64{3, 6}},
	} {
		s := newLine(t, setting{Config: c, rival: tt.rival, reserved: tt.reserved})
		jobs := []*policy.Job{
			{ID: 1, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
			{ID: 2, Stages: []policy.Stage{{Tasks: 6, Cores: 1}}},
		}
		result, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 6, Cores: 1}), Jobs: jobs21(jobs), Truth: truth21{},
		}, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range result.Jobs {
			if got := result.Jobs[i].Ended.Seconds(); math.Abs(got-tt.want[i]) > 0 {
				t.Errorf("%s: job %d is done at %v s, want %v", tt.name, i+1, got, tt.want[i])
			}
		}
	}
}
