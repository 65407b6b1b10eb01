package kairos

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// alone takes away from a job what Kairos does not run.
func alone(j *workload.Job) {
	for i := range j.Stages {
		j.Stages[i].Cores, j.Stages[i].Gang, j.Stages[i].Needs = 1, false, nil
	}
}

// paused reports whether a job waits after a refusal.
func paused(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
	return p.(interface{ Waits(policy.JobID) bool }).Waits(task.Job)
}

// under returns a scheduler of nodes under a turn.
func under(turn central.Turn, n *Nodes) *central.Distributed {
	return jobtest.Must(central.NewDistributed(central.Config{Turn: turn, Node: n}))
}

// A withNodes is a scheduler that says what its nodes have.
type withNodes struct {
	*central.Distributed
	nodes *Nodes
}

// Whatever fits is started at once, but for a second in which a job waits after a refusal, and, if nodes are adaptive, but for what
// is on its way to a node.
func TestConformance(t *testing.T) {
	config := Config{}
	config.Node.Quantum, config.Heartbeat = 1e9, 0
	for name, c := range map[string]policytest.Config{
		"paper": {New: func(policy.Truth) (policy.Scheduler, error) { return NewScheduler(config) }, Keeps: paused},
		"nodes": {Keeps: paused, New: func(policy.Truth) (policy.Scheduler, error) {
			s, _ := sampling(jobtest.Must(NewNodes(Config{})))
			return s, nil
		}},
		"adaptive": {
			New: func(policy.Truth) (policy.Scheduler, error) {
				n := NewAdaptiveNodes()
				return withNodes{under(baseline.Fair(), n), n}, nil
			},
			Keeps: func(p policy.Scheduler, task policy.Task, node policy.NodeID) bool {
				for _, copy := range p.(withNodes).nodes.centre.on(task.Job) {
					if copy.Task == task {
						return true
					}
				}
				return paused(p, task, node)
			},
		},
	} {
		c.Prepare = alone
		t.Run(name, func(t *testing.T) { policytest.Test(t, c) })
	}
}

// Kairos with each way to break ties and with short quanta, and the adaptive one.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for _, change := range []func(c *Config){
		func(*Config) {},
		func(c *Config) { c.Tie, c.Src = AtRandom, rand.NewPCG(1, 2) },
		func(c *Config) { c.Tie = LeastSum },
		func(c *Config) { c.Node.Quantum, c.Heartbeat = 1e9, 0 },
	} {
		configs = append(configs, policytest.Config{Prepare: alone, New: func(policy.Truth) (policy.Scheduler, error) {
			c := Config{}
			change(&c)
			return NewScheduler(c)
		}})
	}
	configs = append(configs, policytest.Config{Prepare: alone, New: func(policy.Truth) (policy.Scheduler, error) {
		return NewAdaptive(), nil
	}})
	policytest.Fuzz(f, configs...)
}

// sampling returns queues that share by weight, by pilots, over Kairos' nodes.
func sampling(nodes *Nodes) (*central.Distributed, central.Forecast) {
	forecast := slearn.NewForecast(jobtest.Must(slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(1, 2)})))
	turn := jobtest.Must(slearn.NewTurn(slearn.TurnConfig{Queues: queue.MultilevelConfig{First: 5}}))
	return jobtest.Must(central.NewDistributed(central.Config{Turn: turn, Forecast: forecast, Node: nodes})), forecast
}

// A copy on its way to a node that is lost waits again, and the Turn and the Forecast hear of it as of one that was refused.
func TestLostOnItsWay(t *testing.T) {
	nodes := jobtest.Must(NewNodes(small()))
	s, forecast := sampling(nodes)
	h := hostWith(t, s, nodes, 2)
	out := h.submit(1, 4)
	if len(out) != 4 {
		t.Fatalf("got %d tasks sent, want 4", len(out))
	}
	job := s.View().Job(1)
	sampled := func() central.Sampled { return forecast.(central.Sampler).Sampled(job) }
	if got := sampled(); got.Wait || got.Cores != 1 || job.Cores != 4 {
		t.Errorf("got %+v and %d cores, want one pilot on its way of four tasks", got, job.Cores)
	}
	pilot := slices.IndexFunc(out, func(a policy.Action) bool { return forecast.(central.Sampler).Pilot(a.Msg.Copy.Task) })
	again := h.tell(0, policy.Event{Kind: policy.Left, Node: out[pilot].Node})
	if len(again) > 0 || job.Waiting != 2 || job.Cores != 2 {
		t.Errorf("a node is lost: got %v sent, %d tasks that wait, %d cores; want none, as the other has no place, 2, 2", again, job.Waiting, job.Cores)
	}
	if got := sampled(); !got.Wait || got.Cores != 0 {
		t.Errorf("got %+v, want that the pilot waits again", got)
	}
}

// at is an instant so many seconds after the epoch.
func at(seconds float64) policy.Time { return policy.Time(seconds * 1e9) }

// seconds is a span of so many seconds.
func seconds(n float64) policy.Duration { return policy.Duration(n * 1e9) }

// bag is a job of one-core tasks with these runtimes, in seconds.
func bag(id policy.JobID, submitted float64, memory int64, runtimes ...float64) *workload.Job {
	j := &workload.Job{
		Job: policy.Job{ID: id, Submitted: at(submitted), Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1, Memory: memory}}},
	}
	j.Runtimes = make([][]policy.Duration, 1)
	for _, r := range runtimes {
		j.Runtimes[0] = append(j.Runtimes[0], seconds(r))
	}
	return j
}

// small is Kairos with W = 50 s and Q = 1.
func small() Config {
	c := Config{}
	c.Queue = 1
	return c
}

// A story is a run of few jobs, and when each is to end, in seconds.
type story struct {
	name   string
	kairos Config
	sim    sim.Config
	jobs   []*workload.Job
	want   []float64 // 0: not Done
}

func TestStories(t *testing.T) {
	nodes := func(p ...sim.Partition) []policy.Node { return sim.Cluster(p...) }
	for _, st := range []story{
		{
			name: "a task on its way to a lost node", kairos: small(),
			sim: sim.Config{
				Nodes: nodes(sim.Partition{Nodes: 2, Cores: 1}), Delay: seconds(1),
				Faults: sim.Faults{Outages: []sim.Outage{{Node: 2, At: at(0.5)}}},
			},
			// The first begins at 1 s. At 1.5 s the centre hears that the other's node is lost; that
			// one then comes to the first's node, at 2.5 s, and takes its core for 10 s.
			jobs: []*workload.Job{bag(1, 0, 0, 10, 10)},
			want: []float64{21},
		},
		{
			name: "a task that ran on a lost node", kairos: small(),
			sim: sim.Config{
				Nodes:  nodes(sim.Partition{Nodes: 2, Cores: 1}),
				Faults: sim.Faults{Outages: []sim.Outage{{Node: 2, At: at(5), For: seconds(3)}}},
			},
			jobs: []*workload.Job{bag(1, 0, 0, 100, 10)},
			want: []float64{110},
		},
		{
			name: "a restart keeps service", kairos: small(),
			sim: sim.Config{
				Nodes:  nodes(sim.Partition{Nodes: 1, Cores: 1}),
				Faults: sim.Faults{Restarts: []policy.Time{at(90)}},
			},
			// At 90 s one has run for 60 s, the other for 30 s. It goes on for a quantum, until 140 s;
			// then the first needs 40 s, and the other 20 s.
			jobs: []*workload.Job{bag(1, 0, 0, 100), bag(2, 60, 0, 100)},
			want: []float64{180, 200},
		},
		{
			name: "a restart keeps who is younger", kairos: func() Config { c := small(); c.Queue = 2; return c }(),
			sim: sim.Config{
				Nodes:  nodes(sim.Partition{Nodes: 1, Cores: 1}),
				Faults: sim.Faults{Restarts: []policy.Time{at(55)}},
			},
			// At 55 s they have run for 30, 20 and 5 s. The third goes on until 65 s, then the second
			// until 95 s, although the first has had no service for longer.
			jobs: []*workload.Job{bag(1, 0, 0, 60), bag(2, 30, 0, 50), bag(3, 50, 0, 15)},
			want: []float64{125, 95, 65},
		},
		{
			name: "a job that waits for memory is taken back", kairos: func() Config { c := small(); c.Queue = 2; return c }(),
			sim: sim.Config{
				Nodes:  nodes(sim.Partition{Nodes: 1, Cores: 1, Memory: 10}),
				Faults: sim.Faults{Cancels: []sim.Cancel{{Job: 2, At: at(20)}}},
			},
			// Job 2 waits on the node. Once it is gone there is room for job 3, which takes the core, and
			// for job 4 on the node.
			jobs: []*workload.Job{bag(1, 0, 4, 100), bag(2, 10, 8, 100), bag(3, 30, 6, 10), bag(4, 31, 8, 10)},
			want: []float64{110, 0, 40, 120},
		},
		{
			name: "a task that one node can hold", kairos: small(),
			sim: sim.Config{Nodes: nodes(sim.Partition{Nodes: 1, Cores: 1, Memory: 4}, sim.Partition{Nodes: 1, Cores: 1, Memory: 16})},
			// Two come to node 2, which is full then; the third waits at the centre, and job 2 behind
			// it, until one of the two ends at 50 s. The third passes the other, which ends last.
			jobs: []*workload.Job{bag(1, 0, 8, 40, 50, 40), bag(2, 10, 2, 10)},
			want: []float64{130, 60},
		},
	} {
		t.Run(st.name, func(t *testing.T) {
			st.sim.Faults.NewPolicy = func() (policy.Scheduler, error) { return NewScheduler(st.kairos) }
			scheduler := jobtest.Must(NewScheduler(st.kairos))
			r := runtest.Run(t, st.sim, st.jobs, scheduler)
			for i, j := range r.Jobs {
				if want := st.want[i]; j.Done() != (want != 0) || j.Done() && j.Ended != at(want) {
					t.Errorf("job %d: %v at %v s, with %d copies, want %v s", j.ID, j.Outcome, j.Ended.Seconds(), j.Copies, want)
				}
			}
		})
	}
}
