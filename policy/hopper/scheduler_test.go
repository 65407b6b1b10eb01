package hopper_test

import (
	"context"
	"iter"
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
)

// A setting of a scheduler under test, and for how long it may leave cores of a node free beside a task.
type setting struct {
	name string
	node time.Duration
	hopper.Config
}

// settings are allocators with rules of speculation, each of both at least once, by name.
//
// A Start may name a node, as the data of its task is there, which an unnamed one takes first; the core that it counts
// for stands free elsewhere until the answer, two seconds there and back in the slowest scenes. With 100 seeds no scheduler
// that keeps nothing free leaves cores free for longer where the host does all in time. Where it is late, or forgets, by
// times that have no limit, the answer is as late. Slots that are kept for shares, and for copies, are free as long as
// those have no use for them, which has no limit either. So beside the numbers stands what was seen with 100
// seeds, the longest of each.
func settings(t testing.TB) []setting {
	rules := speculators(t)
	of := func(name string, node time.Duration, change func(*hopper.Config)) setting {
		c := hopper.DefaultConfig()
		change(&c)
		return setting{name, node, c}
	}
	return []setting{
		of("DRF, after all", 4*time.Second, func(c *hopper.Config) { // 3.959 s
			c.Allocator, c.Copies = hopper.DRF, hopper.AfterAll
		}),
		of("Fair", 3*time.Second, func(c *hopper.Config) { // 2.536 s
			c.Allocator, c.Rule = hopper.Fair, rules["Mantri"]
		}),
		of("Fair, after own", 3*time.Second, func(c *hopper.Config) { // 2.865 s
			c.Allocator, c.Copies = hopper.Fair, hopper.AfterOwn
		}),
		of("Hopper", 4*time.Second, func(c *hopper.Config) { c.Group = "user" }), // 3.552 s
		of("Hopper, kept", 16*time.Second, func(c *hopper.Config) { // 14.916 s; with 300 seeds 18.449 s
			c.Keep, c.Epsilon, c.Rule = true, 1, rules["RAS"]
		}),
		of("Hopper, throughput", 4*time.Second, func(c *hopper.Config) { // 3.552 s
			c.Group, c.Throughput, c.Memory, c.Rule = "user", true, true, rules["Simple"]
		}),
		of("SRPT", 6*time.Second, func(c *hopper.Config) { // 5.090 s
			c.Allocator, c.Rule = hopper.SRPT, rules["LATE"]
		}),
		of("SRPT, no copies", 2*time.Second, func(c *hopper.Config) { // 1.877 s
			c.Allocator, c.Rule = hopper.SRPT, nil
		}),
		of("SRPT, reserved", 32*time.Second, func(c *hopper.Config) { // 30.180 s; with 300 seeds 128.658 s
			c.Allocator, c.Rule, c.Reserved = hopper.SRPT, rules["GS"], 0.25
		}),
	}
}

func TestSchedulerConformance(t *testing.T) {
	for _, c := range settings(t) {
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New:          func(policy.Truth) (policy.Scheduler, error) { return hopper.NewScheduler(c.Config) },
				Allocates:    c.Keep, // then jobs come faster than they end
				NodePatience: c.node,
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
	c := hopper.Config{
		Rule: rule, Period: time.Second, Epsilon: 1, Keep: true, Tails: hopper.TailsConfig{Start: 1.6},
		Expected: func(task policy.Task) float64 { return float64(table21[task.Job-1][task.Index].fresh) },
	}
	for _, tt := range []struct {
		name     string
		a        hopper.Allocator
		reserved float64
		want     [2]float64
	}{
		{"SRPT", hopper.SRPT, 0, [2]float64{5, 8}},
		{"Fair", hopper.Fair, 0, [2]float64{6, 8}},
		{"SRPT, reserved", hopper.SRPT, 1. / 3, [2]float64{3, 7}},
		{"Fair, reserved", hopper.Fair, 1. / 3, [2]float64{6, 8}},
		{"Hopper", hopper.VirtualSizes, 0, [2]float64{3, 6}},
	} {
		c.Allocator, c.Reserved = tt.a, tt.reserved
		s, err := hopper.NewScheduler(c)
		if err != nil {
			t.Fatal(err)
		}
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
