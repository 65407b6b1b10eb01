package sim_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// mixed makes jobs of every shape that the contract knows: bags, stages, pipelines,
// gangs, wide tasks, memory, inputs, preferences, places of data; or bags of one-core tasks only.
func mixed(seed uint64, n int, bags bool) []*workload.Job {
	rng := rand.New(rand.NewPCG(seed, 7))
	var jobs []*workload.Job
	now := policy.Duration(0)
	for i := range n {
		now += policy.Duration(rng.ExpFloat64() * 3e9)
		j := &workload.Job{Job: policy.Job{ID: policy.JobID(i + 1), Submitted: policy.Time(now), Priority: float64(rng.IntN(3))}}
		j.Requested = policy.Duration(i%4) * 4 * s // 0: not known
		j.Attrs = []policy.Attr{{Name: "user", Value: fmt.Sprint(i % 5)}}
		for k := range 1 + rng.IntN(4) {
			stage := policy.Stage{
				Tasks: uint32(1 + rng.IntN(6)), Cores: int32(1 + rng.IntN(2)), Memory: int64(rng.IntN(3)),
				Gang: rng.IntN(4) == 0,
			}
			if rng.IntN(3) == 0 {
				stage.Prefer, stage.Elsewhere = []policy.PartitionID{2}, 1.5
			}
			if i%3 == 1 {
				stage.Elsewhere = 2
				for t := range stage.Tasks { // the last of four nodes is not there
					stage.Holders = append(stage.Holders, policy.NodeID(1+(uint32(i)+t)%4))
				}
			}
			if bags {
				stage.Cores, stage.Memory, stage.Gang = 1, 0, false
			}
			for up := range k {
				if rng.IntN(2) == 0 {
					stage.Reads = append(stage.Reads, policy.Dep{Stage: uint32(up), Pipe: rng.IntN(2) == 0})
				}
			}
			runtimes := make([]policy.Duration, stage.Tasks)
			for t := range runtimes {
				runtimes[t] = policy.Duration(rng.ExpFloat64() * 5e9)
			}
			j.Stages = append(j.Stages, stage)
			j.Runtimes = append(j.Runtimes, runtimes)
		}
		if rng.IntN(5) == 0 && i > 0 {
			j.Inputs = &policy.Inputs{Jobs: []policy.JobID{policy.JobID(1 + rng.IntN(i))}, Wait: rng.IntN(4) > 0}
		}
		if seed%2 == 1 {
			shuffle(j, rng)
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// shuffle gives the stages of a job another order, so that one may come before what it
// reads.
func shuffle(j *workload.Job, rng *rand.Rand) {
	stages, runtimes := make([]policy.Stage, len(j.Stages)), make([][]policy.Duration, len(j.Stages))
	to := rng.Perm(len(j.Stages))
	for i, k := range to {
		for r := range j.Stages[i].Reads {
			d := &j.Stages[i].Reads[r]
			d.Stage = uint32(to[d.Stage])
		}
		stages[k], runtimes[k] = j.Stages[i], j.Runtimes[i]
	}
	j.Stages, j.Runtimes = stages, runtimes
}

func mixedNodes() []policy.Node {
	return sim.Cluster(
		sim.Partition{Nodes: 4, Cores: 4, Memory: 8},
		sim.Partition{Nodes: 3, Cores: 4, Speed: 1.5},
		sim.Partition{Nodes: 2, Cores: 2, Speed: 0.5})
}

func faults(t *testing.T) {
	const jobs = 60
	for name, newPolicy := range map[string]func() (policy.Scheduler, error){
		"las": func() (policy.Scheduler, error) {
			return baseline.NewLAS(queue.MultilevelConfig{First: 2}) // core-seconds, of jobs that have ten or so
		},
		"kairos": newKairos,
	} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%s/seed=%d", name, seed), func(t *testing.T) {
				var record bytes.Buffer
				js, truth := workload.Split(mixed(seed, jobs, name == "kairos"))
				p, err := newPolicy()
				if err != nil {
					t.Fatal(err)
				}
				restarts := []policy.Time{at(25), at(70.5), at(70.6)}
				if seed%4 == 3 {
					for i := range 15 {
						restarts = append(restarts, at(3.1*float64(i)))
					}
				}
				config := sim.Config{
					Nodes: mixedNodes(), Jobs: js, Truth: truth, Record: &record,
					Delay:       [...]policy.Duration{0, s / 100, s, 3 * s}[seed%4],
					SuspendCost: policy.Duration(seed%2) * s / 10,
					Faults: sim.Faults{
						Seed: seed, MeanUp: 100 * s, MeanDown: 10 * s, TaskFailure: 0.01,
						PostLoss: 0.01, PostLate: 0.01, MeanLate: s,
						Cancels:  []sim.Cancel{{Job: 7, At: at(30)}, {Job: 20, At: at(60)}, {Job: 21, At: at(62)}},
						Restarts: restarts, NewPolicy: newPolicy,
					},
				}
				if seed >= 3 {
					slips(&config.Faults)
				}
				r, err := sim.Run(t.Context(), config, p)
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Jobs) != jobs {
					t.Errorf("%d jobs ended, want %d", len(r.Jobs), jobs)
				}
				for _, j := range r.Jobs {
					if j.Outcome == policy.Stalled {
						t.Errorf("job %d was never finished", j.ID)
					}
				}
				events, err := sim.Replay(&record, newPolicy)
				if err != nil {
					t.Error(err)
				}
				if int64(events) != r.Events {
					t.Errorf("the record has %d events, want %d", events, r.Events)
				}
			})
		}
	}
}

// slips adds what may go wrong with the host.
func slips(f *sim.Faults) {
	f.PostEarly, f.PostTwice, f.MeanLate = 0.1, 0.1, 2*s
	f.ActionLate, f.MeanSlip = 0.2, 2*s
	f.MeanSteady, f.MeanJump = 20*s, 5*s
	f.Jumps = []sim.Jump{{At: at(22), For: 10 * s}, {At: at(30), For: 4 * s}}
}

func stalls(t *testing.T) {
	for name, answer := range map[string]func(ev *policy.Event) []policy.Action{
		"silent": func(*policy.Event) []policy.Action { return nil },
		"awake": func(ev *policy.Event) []policy.Action {
			return list(policy.Action{Kind: policy.Wake, At: ev.Time.Add(s)})
		},
		"awake after a task": func(ev *policy.Event) []policy.Action {
			if isReady(ev, 1, 0) {
				return list(start(task(1, 0, 0), 0))
			}
			return list(policy.Action{Kind: policy.Wake, At: ev.Time.Add(s)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, sim.Config{}, quiet(answer), bag(1, 0, s), bag(2, 5*s, s))
			if j := r.Jobs[1]; j.Outcome != policy.Stalled {
				t.Errorf("job %d ended as %v, want Stalled", j.ID, j.Outcome)
			}
		})
	}
}

// quiet is a script without a log.
type quiet func(ev *policy.Event) []policy.Action

func (q quiet) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return append(actions, q(ev)...), nil
}

func TestRunRefusesBadConfiguration(t *testing.T) {
	for _, test := range []struct {
		change func(*sim.Config)
		want   string
	}{
		{func(c *sim.Config) { c.Delay = -1 }, "Config.Delay"},
		{func(c *sim.Config) { c.SuspendCost = -1 }, "Config.SuspendCost"},
		{func(c *sim.Config) { c.ResumeCost = -1 }, "Config.ResumeCost"},
		{func(c *sim.Config) { c.MaxFailures = -1 }, "Config.MaxFailures"},
		{func(c *sim.Config) { c.MaxFailures = 256 }, "Config.MaxFailures"},
		{func(c *sim.Config) { c.Nodes = []policy.Node{{ID: 2, Partition: 1, Cores: 1, Speed: 1}} }, "Config.Nodes[0]"},
		{func(c *sim.Config) { c.Nodes = []policy.Node{{ID: 1, Partition: 9, Cores: 1, Speed: 1}} }, "partition 9"},
		{func(c *sim.Config) { c.Nodes = []policy.Node{{ID: 1, Partition: 1, Speed: 1}} }, "0 cores"},
		{func(c *sim.Config) { c.Nodes = []policy.Node{{ID: 1, Partition: 1, Cores: 1}} }, "speed 0"},
		{func(c *sim.Config) { c.Faults.TaskFailure = 1.5 }, "Faults.TaskFailure"},
		{func(c *sim.Config) { c.Faults.TaskFailure, c.Faults.TaskEviction = 0.6, 0.6 }, "TaskFailure + TaskEviction"},
		{func(c *sim.Config) { c.Faults.PostLoss, c.Faults.PostLate = 0.6, 0.6 }, "PostLoss + PostLate"},
		{func(c *sim.Config) { c.Faults.PostLate = 0.6 }, "Faults.MeanLate"},
		{func(c *sim.Config) { c.Faults.PostTwice = 0.6 }, "Faults.MeanLate"},
		{func(c *sim.Config) { c.Faults.PostEarly = -1 }, "Faults.PostEarly"},
		{func(c *sim.Config) { c.Faults.PostTwice, c.Faults.MeanLate = 2, 1 }, "Faults.PostTwice"},
		{func(c *sim.Config) { c.Faults.ActionLate, c.Faults.MeanSlip = 1.5, 1 }, "Faults.ActionLate"},
		{func(c *sim.Config) { c.Faults.ActionLate = 0.6 }, "Faults.MeanSlip"},
		{func(c *sim.Config) { c.Faults.MeanSteady = -1 }, "Faults.MeanSteady"},
		{func(c *sim.Config) { c.Faults.MeanSteady = 1 }, "Faults.MeanJump"},
		{func(c *sim.Config) { c.Faults.Jumps = []sim.Jump{{For: -1}} }, "Faults.Jumps[0]"},
		{func(c *sim.Config) { c.Faults.Jumps = []sim.Jump{{At: 1<<63 - 1, For: 1}} }, "Faults.Jumps[0]"},
		{func(c *sim.Config) { c.Faults.MeanUp = 1 }, "Faults.MeanDown"},
		{func(c *sim.Config) { c.Faults.Outages = []sim.Outage{{Node: 3}} }, "Faults.Outages[0]"},
		{func(c *sim.Config) { c.Faults.Restarts = []policy.Time{1} }, "Faults.NewPolicy"},
		{func(c *sim.Config) {
			c.Faults.Restarts, c.Faults.NewPolicy = []policy.Time{1}, func() (policy.Scheduler, error) { return nil, nil }
		}, "Faults.NewPolicy returned a nil policy"},
	} {
		var config sim.Config
		test.change(&config)
		_, err := try(t, config, baseline.NewFIFO(), bag(1, 0, s))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one about %s", err, test.want)
		}
	}
	if _, err := try(t, sim.Config{}, nil, bag(1, 0, s)); err == nil {
		t.Error("no error without a policy")
	}
	if _, err := try(t, sim.Config{}, kairos.NewAdaptive().Scheduler, bag(1, 0, s)); err == nil || !strings.Contains(err.Error(), "no method Part") {
		t.Errorf("error %v, want one about a policy that hides its parts", err)
	}
	if _, err := try(t, sim.Config{}, baseline.NewFIFO(), bag(1, 5*s, s), bag(2, 0, s)); err == nil || !strings.Contains(err.Error(), "job 2") {
		t.Errorf("jobs out of order: error %v, want one about job 2", err)
	}
	if _, err := try(t, sim.Config{}, baseline.NewFIFO(), bag(1, 0, s), bag(1, 0, s)); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a job twice: error %v, want one about it", err)
	}
}

// A task that is tried again and again ends the run, and the error says who is to blame.
func TestTaskThatNeverFinishes(t *testing.T) {
	kills := quiet(func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0))
		case ev.Kind == policy.Started:
			return list(do(policy.Kill, task(1, 0, 0), ev.Copy.N))
		case ev.Kind == policy.Killed:
			return list(start(task(1, 0, 0), ev.Copy.N+1))
		}
		return nil
	})
	for _, test := range []struct {
		name   string
		p      policy.Scheduler
		faults sim.Faults
		want   string
	}{
		{"evictions", baseline.NewFIFO(), sim.Faults{TaskEviction: 1}, "no policy can finish it: the last copy ended as "},
		{"nodes that flap", baseline.NewFIFO(), sim.Faults{MeanUp: s / 10, MeanDown: 1}, "no policy can finish it: the last copy ended as Lost after "},
		{"a policy that kills", kills, sim.Faults{}, "the policy broke rule "},
	} {
		_, err := try(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Faults: test.faults}, test.p, bag(1, 0, 100*s))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "task 1/0/0 has had 262144 copies") {
			t.Errorf("%s: got error %v, want one that says that task 1/0/0 has had 262144 copies, and %q", test.name, err, test.want)
		}
	}
}
