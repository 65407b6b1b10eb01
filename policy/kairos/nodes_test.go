package kairos_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// turns are those that Kairos' nodes are tried under.
var turns = []struct {
	name string
	new  func(truth policy.Truth) (central.Config, error)
}{
	{"fair", func(policy.Truth) (central.Config, error) { return central.Config{Turn: baseline.Fair()}, nil }},
	{"attained service", func(policy.Truth) (c central.Config, err error) {
		c.Turn, err = baseline.LAS(queue.MultilevelConfig{First: 5})
		return c, err
	}},
	{"shortest", func(truth policy.Truth) (c central.Config, err error) {
		c.Turn = baseline.Shortest()
		c.Forecast, err = forecast.Truth(truth)
		return c, err
	}},
	{"pilots", func(policy.Truth) (c central.Config, err error) {
		e, err := slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(1, 2)})
		if err != nil {
			return c, err
		}
		c.Forecast, c.BySpeed = slearn.NewForecast(e), true
		c.Turn, err = slearn.NewQueues(slearn.QueuesConfig{Queues: queue.MultilevelConfig{First: 5}})
		return c, err
	}},
}

// under returns the nodes of Kairos under a turn.
func under(c central.Config, nodes kairos.Config) (*central.Distributed, error) {
	n, err := kairos.NewNodes(nodes)
	if err != nil {
		return nil, err
	}
	c.Node = n
	return central.NewDistributed(c)
}

// With several centres, each of which knows only what it has sent and heard, a turn that does not deal the jobs out waits
// with all of them for one.
func TestConformanceOfNodes(t *testing.T) {
	for i, turn := range turns {
		for _, centres := range []int{1, 3} {
			name := turn.name
			config := kairos.DefaultConfig()
			patience := policy.Duration(0)
			if centres > 1 {
				if i > 0 && testing.Short() {
					continue
				}
				name += " with centres"
				config.Centres, patience = centres, config.Heartbeat
			}
			t.Run(name, func(t *testing.T) {
				policytest.Test(t, policytest.Config{
					New: func(truth policy.Truth) (policy.Scheduler, error) {
						c, err := turn.new(truth)
						if err != nil {
							return nil, err
						}
						return under(c, config)
					},
					Prepare: alone, Patience: patience, Keeps: paused,
				})
			})
		}
	}
}

// Whatever becomes of heartbeats, nodes and the centre, every job is done under any turn. The simulator's checker
// looks on.
func TestNodesUnderTrouble(t *testing.T) {
	for _, turn := range turns {
		lost := int64(0)
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 0x7475726e))
			var list []*workload.Job
			for id := range policy.JobID(80) {
				runtimes := make([]float64, 1+rng.IntN(8))
				scale := 10.0
				if rng.IntN(5) == 0 {
					scale = 300
				}
				for i := range runtimes {
					runtimes[i] = 0.1 + scale*rng.ExpFloat64()
				}
				list = append(list, bag(id+1, 40*float64(id), rng.Int64N(8), runtimes...))
			}
			jobs, truth := workload.Split(list)
			config := kairos.DefaultConfig()
			config.Node.Quantum, config.Central.Queue = seconds(20), rng.IntN(4)
			if seed%2 == 1 {
				config.Centres = 1 + rng.IntN(4)
			}
			make := func() (policy.Scheduler, error) {
				c, err := turn.new(truth)
				if err != nil {
					return nil, err
				}
				return under(c, config)
			}
			first, err := make()
			if err != nil {
				t.Fatal(err)
			}
			r, err := sim.Run(context.Background(), sim.Config{
				Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 1, Speed: 0.5}, sim.Partition{Nodes: 2, Cores: 3, Memory: 8}),
				Jobs:  jobs, Truth: truth, Delay: policy.Duration(rng.IntN(3)) * 700e6, MaxFailures: 100,
				Faults: sim.Faults{
					Seed: seed, PostLoss: 0.2, PostLate: 0.3, MeanLate: seconds(30), MeanUp: seconds(1000), MeanDown: seconds(50), TaskFailure: 0.02,
					Restarts: []policy.Time{at(500), at(1500)}, NewPolicy: make,
					Cancels: []sim.Cancel{{Job: 20, At: list[19].Submitted + 5e9}},
				},
			}, first)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", turn.name, seed, err)
			}
			for _, j := range r.Jobs {
				if !j.Done() && j.ID != 20 {
					t.Errorf("%s, seed %d: job %d is %v", turn.name, seed, j.ID, j.Outcome)
				}
				lost += int64(j.Copies) - int64(j.Tasks)
			}
		}
		if lost < 100 {
			t.Errorf("%s: %d copies were in vain, want 100", turn.name, lost)
		}
	}
}

// A node of one core has places for four tasks, all of the first job, when a second one comes. Under first come, first served
// each place that becomes free is the first job's. Under Fair it is of the job that has fewer tasks out.
func TestFairSendsWhoHasFewTasksOut(t *testing.T) {
	for _, test := range []struct {
		turn central.Turn
		want []policy.JobID
	}{
		{baseline.FIFO(), []policy.JobID{1, 1, 1, 1, 1, 1}},
		// 3 of job 1 and none of job 2 are out, 2 and 1; and then 2 of each with ties for who came first.
		{baseline.Fair(), []policy.JobID{2, 2, 1, 1, 1, 1}},
	} {
		config := small()
		config.Central.Queue = 3
		s, err := under(central.Config{Turn: test.turn}, config)
		if err != nil {
			t.Fatal(err)
		}
		h := hostWith(t, s, 1)
		out := h.submit(1, 20)
		if len(out) != 4 {
			t.Fatalf("got %d tasks sent, want 4: one for the core, and three wait there", len(out))
		}
		if late := h.submit(2, 20); len(late) > 0 {
			t.Fatalf("got %v while the node has no place, want nothing", late)
		}
		var got []policy.JobID
		for range test.want {
			i := slices.IndexFunc(out, func(a policy.Action) bool { return a.Msg.Copy.Job == 1 })
			c := out[i].Msg.Copy
			h.tell(0, policy.Event{Kind: policy.Started, Copy: c, Node: 1, More: true})
			next := h.tell(0, policy.Event{Kind: policy.Finished, Copy: c, Node: 1})
			if len(next) != 1 || next[0].Kind != policy.Send {
				t.Fatalf("got %v for a place that is free, want one task sent", next)
			}
			out = append(slices.Delete(out, i, i+1), next...)
			got = append(got, next[0].Msg.Copy.Job)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%T sends tasks of (-want +got):\n%s", test.turn, diff)
		}
	}
}

// A job that has attained more goes after one that has attained less, though it came first.
func TestLeastAttainedIsSentFirst(t *testing.T) {
	las, err := baseline.LAS(queue.MultilevelConfig{First: 5})
	if err != nil {
		t.Fatal(err)
	}
	config := small()
	config.Central.Queue = 0
	s, err := under(central.Config{Turn: las}, config)
	if err != nil {
		t.Fatal(err)
	}
	h := hostWith(t, s, 1)
	out := h.submit(1, 20)
	h.submit(2, 20)
	c := out[0].Msg.Copy
	h.tell(0, policy.Event{Kind: policy.Started, Copy: c, Node: 1})
	h.now = at(10)
	out = h.tell(0, policy.Event{Kind: policy.Finished, Copy: c, Node: 1, Service: seconds(10)})
	if len(out) != 1 || out[0].Msg.Copy.Job != 2 {
		t.Errorf("job 1 has attained 10 core-seconds, job 2 none: got %v, want a task of job 2", out)
	}
}

// A copy on its way to a node that is lost waits again, and the Turn and the Forecast hear of it as of one that was refused.
func TestLostOnItsWay(t *testing.T) {
	c, err := turns[3].new(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := under(c, small())
	if err != nil {
		t.Fatal(err)
	}
	h := hostWith(t, s, 2)
	out := h.submit(1, 4)
	if len(out) != 4 {
		t.Fatalf("got %d tasks sent, want 4", len(out))
	}
	job := s.View().Job(1)
	sampled := func() central.Sampled { return c.Forecast.(central.Sampler).Sampled(job) }
	if got := sampled(); got.Wait || got.Cores != 1 || job.Cores != 4 {
		t.Errorf("got %+v and %d cores, want one pilot on its way of four tasks", got, job.Cores)
	}
	pilot := slices.IndexFunc(out, func(a policy.Action) bool { return c.Forecast.(central.Sampler).Pilot(a.Msg.Copy.Task) })
	again := h.tell(0, policy.Event{Kind: policy.Left, Node: out[pilot].Node})
	if len(again) > 0 || job.Waiting != 2 || job.Cores != 2 {
		t.Errorf("a node is lost: got %v sent, %d tasks that wait, %d cores; want none, as the other has no place, 2, 2", again, job.Waiting, job.Cores)
	}
	if got := sampled(); !got.Wait || got.Cores != 0 {
		t.Errorf("got %+v, want that the pilot waits again", got)
	}
}
