package kairos_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/kairos"
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

// Whatever fits is started at once, but for a second in which a job waits after a refusal. Of several centres each hears only with
// a node's next heartbeat, after Config.Heartbeat, that tasks of another have ended there.
func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*kairos.Config)
	}{
		{"short quanta", func(c *kairos.Config) { c.Node.Quantum, c.Heartbeat, c.KeepAlive = 1e9, 0, 2e9 }},
		{"centres", func(c *kairos.Config) { c.Centres = 3 }},
	} {
		config := kairos.DefaultConfig()
		c.change(&config)
		patience := time.Duration(0)
		if config.Centres > 1 {
			patience = config.Heartbeat
		}
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New:     func(policy.Truth) (policy.Scheduler, error) { return kairos.NewScheduler(config) },
				Prepare: alone, Patience: patience, Keeps: paused,
			})
		})
	}
}

// Kairos with each way to break ties, with short quanta and with several centres, and the adaptive one.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for _, change := range []func(c *kairos.Config){
		func(*kairos.Config) {},
		func(c *kairos.Config) { c.Central.Tie, c.Central.Src = kairos.AtRandom, rand.NewPCG(1, 2) },
		func(c *kairos.Config) { c.Central.Tie = kairos.LeastSum },
		func(c *kairos.Config) { c.Node.Quantum, c.Heartbeat, c.KeepAlive = 1e9, 0, 2e9 },
		func(c *kairos.Config) { c.Node.Starvation = kairos.Never; c.Centres = 3 },
	} {
		configs = append(configs, policytest.Config{Prepare: alone, New: func(policy.Truth) (policy.Scheduler, error) {
			c := kairos.DefaultConfig()
			change(&c)
			return kairos.NewScheduler(c)
		}})
	}
	configs = append(configs, policytest.Config{Prepare: alone, New: func(policy.Truth) (policy.Scheduler, error) {
		return kairos.NewAdaptive(kairos.AdaptiveConfig{KeepAlive: 2e9})
	}})
	policytest.Fuzz(f, configs...)
}

// turns are those that Kairos' nodes are tried under.
var turns = []struct {
	name string
	new  func(truth policy.Truth) (central.Config, error)
}{
	{"fair", func(policy.Truth) (central.Config, error) { return central.Config{Turn: baseline.Fair()}, nil }},
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
	for centres, turn := range map[int]int{3: 0, 1: 1} {
		config := kairos.DefaultConfig()
		config.Centres = centres
		patience := policy.Duration(0)
		if centres > 1 {
			patience = config.Heartbeat
		}
		t.Run(turns[turn].name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New: func(truth policy.Truth) (policy.Scheduler, error) {
					c, err := turns[turn].new(truth)
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

// A copy on its way to a node that is lost waits again, and the Turn and the Forecast hear of it as of one that was refused.
func TestLostOnItsWay(t *testing.T) {
	c, err := turns[1].new(nil)
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
func small() kairos.Config {
	c := kairos.DefaultConfig()
	c.Central.Queue = 1
	return c
}

// A story is a run of few jobs, and when each is to end, in seconds.
type story struct {
	name   string
	kairos kairos.Config
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
			name: "a restart keeps who is younger", kairos: func() kairos.Config { c := small(); c.Central.Queue = 2; return c }(),
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
			name: "a job that waits for memory is taken back", kairos: func() kairos.Config { c := small(); c.Central.Queue = 2; return c }(),
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
			st.sim.Faults.NewPolicy = func() (policy.Scheduler, error) { return kairos.NewScheduler(st.kairos) }
			scheduler := jobtest.Must(kairos.NewScheduler(st.kairos))
			r := runtest.Run(t, st.sim, st.jobs, scheduler)
			for i, j := range r.Jobs {
				if want := st.want[i]; j.Done() != (want != 0) || j.Done() && j.Ended != at(want) {
					t.Errorf("job %d: %v at %v s, with %d copies, want %v s", j.ID, j.Outcome, j.Ended.Seconds(), j.Copies, want)
				}
			}
		})
	}
}
