package probing

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// One Step sends out no more than two batches, however many tasks wait: of one large job, or of many that are ready at
// the same instant.
func TestProbesInBatches(t *testing.T) {
	long := policy.Duration(200 * s)
	for name, make := range map[string]func() *Scheduler{
		"Sparrow": func() *Scheduler { return newSparrow() },
		"Hawk": func() *Scheduler {
			return jobtest.Must(NewHawk(Config{Src: seeded(), Estimate: asRequested, Cutoff: 100 * s}))
		},
		"Eagle": func() *Scheduler { return newEagle(nil) },
	} {
		for _, test := range []struct {
			jobs      policy.JobID
			tasks     uint32
			requested policy.Duration
		}{{1, 1 << 17, s}, {128, 1 << 10, long}} {
			p := make()
			most := 0
			step := func(ev policy.Event) {
				t.Helper()
				actions, err := p.Step(&ev, nil)
				if err != nil {
					t.Fatal(err)
				}
				most = max(most, len(actions))
			}
			for id := policy.NodeID(1); id <= 4; id++ {
				step(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 1, Speed: 1}})
			}
			for id := policy.JobID(1); id <= test.jobs; id++ {
				c := policy.Copy{Task: policy.Task{Job: id}}
				j := &policy.Job{ID: id, Requested: test.requested, Stages: []policy.Stage{{Tasks: test.tasks, Cores: 1}}}
				step(policy.Event{Kind: policy.Submitted, Copy: c, Job: j, More: true})
				step(policy.Event{Kind: policy.Ready, Copy: c, More: id < test.jobs})
			}
			if most < 1<<16 || most > 1<<17 {
				t.Errorf("%s: of %d jobs of %d tasks that take %v, one Step returned %d actions, want %d to %d",
					name, test.jobs, test.tasks, test.requested, most, 1<<16, 1<<17)
			}
		}
	}
}

// What one Step leaves, later ones send: all tasks run.
func TestSmallBatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	var jobs []*workload.Job
	for id := policy.JobID(1); id <= 60; id++ {
		jobs = append(jobs, bagOf(id, float64(6*id), float64(1+rng.IntN(30)), uint32(1+rng.IntN(16))))
	}
	for name, make := range map[string]func() *Scheduler{
		"Sparrow": func() *Scheduler { return newSparrow() },
		"Hawk": func() *Scheduler {
			return jobtest.Must(NewHawk(Config{Src: seeded(), Estimate: asRequested, Cutoff: 20 * s}))
		},
		"Eagle": func() *Scheduler {
			return newEagle(func(c *Config) { c.Cutoff = 20 * s })
		},
	} {
		for _, size := range []int{2, 5} {
			p := make()
			p.batch = size
			r := runtest.Run(t, sim.Config{
				Nodes: sim.Cluster(sim.Partition{Nodes: 8, Cores: 2}), Delay: s / 1000, MaxFailures: 100,
				Faults: sim.Faults{Seed: 1, MeanUp: 600 * s, MeanDown: 20 * s, TaskFailure: 0.05},
			}, jobs, p)
			if m := r.Metrics(); m.Done != len(jobs) {
				t.Errorf("%s: with batches of %d, %d of %d jobs are done", name, size, m.Done, len(jobs))
			}
		}
	}
}

// A job that a step leaves, since it has sent a batch, finds the idle nodes in the next step, at the same instant,
// though nothing else happens for hours.
func TestLeftJobsFindIdleNodes(t *testing.T) {
	p := jobtest.Must(NewHawk(Config{Src: seeded(), Estimate: asRequested, Cutoff: 100 * s, LongShare: 0.8}))
	p.batch = 10
	jobs := []*workload.Job{bagOf(1, 0, 36_000, 4), bagOf(2, 1, 200, 40), bagOf(3, 1, 1, 3)}
	r := runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 5, Cores: 1})}, jobs, p)
	if end := r.Jobs[2].Ended; end > policy.Time(10*s) {
		t.Errorf("the short job ends at %v s, want 10 s at most", end.Seconds())
	}
}
