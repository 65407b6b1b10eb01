package sim_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// These tests say everything through the contract that a policy may want to say, one
// thing each, and compare what it hears with the story that a reader expects.

func TestStartOnNamedNode(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 1, 0) {
			return list(startOn(2, task(1, 0, 0), 0))
		}
		return nil
	}
	run(t, sim.Config{}, p, bag(1, 0, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=2
		5s Finished 1/0/0#0 node=2 service=5s
		5s Ended 1 Done`)
}

func TestStartOnPartitionOrAnywhere(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 1, 0) {
			a := start(task(1, 0, 0), 0)
			a.Partition = 2
			b := start(task(1, 0, 1), 0)
			full := start(task(1, 0, 2), 0)
			full.Partition = 2
			return list(a, b, full)
		}
		if ev.Kind == policy.Finished && ev.Copy.Index == 0 {
			return list(start(task(1, 0, 2), 1))
		}
		return nil
	}
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}, sim.Partition{Nodes: 1, Cores: 1, Speed: 2})
	run(t, sim.Config{Nodes: nodes}, p, bag(1, 0, 4*s, 4*s, 4*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=2
		0s Started 1/0/1#0 node=1
		0s Refused 1/0/2#0 again
		2s Finished 1/0/0#0 node=2 service=2s
		2s Started 1/0/2#1 node=1
		4s Finished 1/0/1#0 node=1 service=4s
		6s Finished 1/0/2#1 node=1 service=4s
		6s Ended 1 Done`)
}

func TestGangAllOrNothing(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0): // one core of four is taken: three are not enough
			return list(startOn(2, task(1, 0, 0), 0))
		case isReady(ev, 2, 0):
			return list(start(task(2, 0, 0), 0))
		case ev.Kind == policy.Finished && ev.Copy.Job == 1:
			return list(start(task(2, 0, 0), 1))
		}
		return nil
	}
	gang := bag(2, 0, 3*s, 2*s, 3*s, 1*s)
	gang.Stages[0].Gang = true
	run(t, sim.Config{}, p, bag(1, 0, 5*s), gang)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Submitted 2
		0s Ready 2/0
		0s Started 1/0/0#0 node=2
		0s Refused 2/0/0#0 again
		5s Finished 1/0/0#0 node=2 service=5s
		5s Ended 1 Done
		5s Started 2/0/0#1 node=1x2 node=2x2
		8s Finished 2/0/0#1 node=1x2 node=2x2 service=3s
		8s Ended 2 Done`)
}

func TestGangWiderThanClusterFails(t *testing.T) {
	p := &script{on: func(*policy.Event) []policy.Action { return nil }}
	gang := bag(1, 0, s, s, s, s, s)
	gang.Stages[0].Gang = true
	run(t, sim.Config{}, p, gang)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ended 1 TooLarge`)
}

// The second copy is put on a node that is twice as fast; it wins, and the host kills
// the first one.
func TestSecondCopyWins(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(2)})
		case ev.Kind == policy.Woken:
			return list(startOn(2, task(1, 0, 0), 1))
		}
		return nil
	}
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 1, Speed: 2})
	r := run(t, sim.Config{Nodes: nodes}, p, bag(1, 0, 10*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		2s Woken
		2s Started 1/0/0#1 node=2
		7s Finished 1/0/0#1 node=2 service=5s
		7s Killed 1/0/0#0 node=1 service=7s
		7s Ended 1 Done`)
	if got, want := r.Jobs[0].Wasted, 7.0; got != want {
		t.Errorf("wasted %v core-seconds, want %v", got, want)
	}
}

func TestSuspendAndResumeKeepService(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0))
		case isReady(ev, 2, 0): // the Start waits for the core that Suspend frees
			return list(do(policy.Suspend, task(1, 0, 0), 0), startOn(1, task(2, 0, 0), 0))
		case ev.Kind == policy.Started && ev.Copy.Job == 2: // there is no room
			return list(do(policy.Resume, task(1, 0, 0), 0))
		case ev.Kind == policy.Finished && ev.Copy.Job == 2:
			return list(do(policy.Resume, task(1, 0, 0), 0))
		}
		return nil
	}
	config := sim.Config{
		Nodes:       sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		SuspendCost: s, ResumeCost: 2 * s,
	}
	r := run(t, config, p, bag(1, 0, 10*s), bag(2, 4*s, 3*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		4s Submitted 2
		4s Ready 2/0
		5s Suspended 1/0/0#0 node=1 service=4s
		5s Started 2/0/0#0 node=1
		5s Suspended 1/0/0#0 node=1 service=4s idle
		8s Finished 2/0/0#0 node=1 service=3s
		8s Ended 2 Done
		10s Resumed 1/0/0#0 node=1 service=4s
		16s Finished 1/0/0#0 node=1 service=10s
		16s Ended 1 Done`)
	if got, want := r.Jobs[0].Preemptions, 1; got != want {
		t.Errorf("job 1 was preempted %d times, want %d", got, want)
	}
}

func TestKillLosesService(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(3)})
		case ev.Kind == policy.Woken:
			return list(do(policy.Kill, task(1, 0, 0), 0))
		case ev.Again:
			return list(startOn(2, ev.Copy.Task, ev.Copy.N+1))
		case ev.Kind == policy.Finished: // too late, and so without effect
			return list(do(policy.Kill, task(1, 0, 0), 1), do(policy.Suspend, task(1, 0, 0), 0))
		}
		return nil
	}
	r := run(t, sim.Config{}, p, bag(1, 0, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		3s Woken
		3s Killed 1/0/0#0 node=1 service=3s again
		3s Started 1/0/0#1 node=2
		8s Finished 1/0/0#1 node=2 service=5s
		8s Ended 1 Done`)
	if got, want := r.Jobs[0].Wasted, 3.0; got != want {
		t.Errorf("wasted %v core-seconds, want %v", got, want)
	}
}

func TestGiveUp(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(1)})
		case ev.Kind == policy.Woken: // the second Start crosses the end of the job
			return list(do(policy.GiveUp, task(1, 0, 0), 0), start(task(1, 0, 1), 0))
		}
		return nil
	}
	run(t, sim.Config{}, p, bag(1, 0, 5*s, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		1s Woken
		1s Killed 1/0/0#0 node=1 service=1s
		1s Refused 1/0/1#0
		1s Ended 1 GivenUp`)
}

func TestWakeReplacesAndCancels(t *testing.T) {
	wake := func(t float64) policy.Action { return policy.Action{Kind: policy.Wake, At: at(t)} }
	p := &script{}
	woken := 0
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(wake(2), wake(4)) // the second takes the place of the first
		case ev.Kind == policy.Woken:
			if woken++; woken == 1 {
				return list(wake(3)) // has passed: now
			}
			return list(wake(5), start(task(1, 0, 0), 0))
		case ev.Kind == policy.Started:
			return list(policy.Action{Kind: policy.Wake, At: policy.Never})
		}
		return nil
	}
	run(t, sim.Config{}, p, bag(1, 0, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		4s Woken
		4s Woken
		4s Started 1/0/0#0 node=1
		9s Finished 1/0/0#0 node=1 service=5s
		9s Ended 1 Done`)
}

func TestNodeLossAndReturn(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), startOn(1, task(1, 0, 1), 0), do(policy.Suspend, task(1, 0, 1), 0))
		case ev.Kind == policy.Lost && ev.Copy.Index == 0: // the node is gone: Refused
			return list(startOn(1, task(1, 0, 0), 1))
		case ev.Kind == policy.Joined && ev.Time > 0:
			return list(startOn(1, task(1, 0, 0), 2), startOn(1, task(1, 0, 1), 1))
		}
		return nil
	}
	config := sim.Config{Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(3), For: 4 * s}}}}
	run(t, config, p, bag(1, 0, 5*s, 2*s))
	wantLog(t, p.log, `
		0s Joined node=1
		0s Joined node=2
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		0s Started 1/0/1#0 node=1
		0s Suspended 1/0/1#0 node=1
		3s Lost 1/0/0#0 node=1 service=3s again
		3s Lost 1/0/1#0 node=1 again idle
		3s Left node=1
		3s Refused 1/0/0#1 again
		7s Joined node=1
		7s Started 1/0/0#2 node=1
		7s Started 1/0/1#1 node=1
		9s Finished 1/0/1#1 node=1 service=2s
		12s Finished 1/0/0#2 node=1 service=5s
		12s Ended 1 Done`)
}

func TestProgress(t *testing.T) {
	p := &script{}
	report := func(seconds float64) policy.Action {
		a := do(policy.Report, task(1, 0, 0), 0)
		a.At = at(seconds)
		return a
	}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 1, 0) { // the last comes too late
			return list(startOn(2, task(1, 0, 0), 0), report(0), report(2), report(6))
		}
		return nil
	}
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 1, Speed: 2})
	run(t, sim.Config{Nodes: nodes}, p, bag(1, 0, 10*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=2
		0s Progress 1/0/0#0 node=2 value=0
		2s Progress 1/0/0#0 node=2 service=2s value=0.4
		5s Finished 1/0/0#0 node=2 service=5s
		5s Ended 1 Done`)
}

func TestStagesWaitForWhatTheyRead(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if ev.Kind == policy.Ready {
			var all []policy.Action
			for i := range uint32(2) {
				all = append(all, start(task(1, ev.Copy.Stage, i), 0))
			}
			return all
		}
		return nil
	}
	j := bag(1, 0, 2*s, 3*s)
	j.Stages = append(j.Stages, policy.Stage{Tasks: 2, Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
	j.Runtimes = append(j.Runtimes, []policy.Duration{1 * s, 1 * s})
	r := run(t, sim.Config{}, p, j)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		0s Started 1/0/1#0 node=1
		2s Finished 1/0/0#0 node=1 service=2s
		3s Finished 1/0/1#0 node=1 service=3s
		3s Ready 1/1
		3s Started 1/1/0#0 node=1
		3s Started 1/1/1#0 node=1
		4s Finished 1/1/0#0 node=1 service=1s
		4s Finished 1/1/1#0 node=1 service=1s
		4s Ended 1 Done`)
	if got, want := r.Jobs[0].Ideal, 4*s; got != want {
		t.Errorf("ideal completion time %v, want %v", got, want)
	}
}

// pipeline is a job of two stages, the second reading the first while it runs.
func pipeline(first, second []policy.Duration) (j *policy.Job, runtimes [][]policy.Duration) {
	return &policy.Job{ID: 1, Stages: []policy.Stage{
		{Tasks: uint32(len(first)), Cores: 1},
		{Tasks: uint32(len(second)), Cores: 1, Reads: []policy.Dep{{Stage: 0, Pipe: true}}},
	}}, [][]policy.Duration{first, second}
}

func TestPipelinedStagesFlow(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(1)})
		case ev.Kind == policy.Woken && ev.Time == at(1):
			return list(start(task(1, 0, 1), 0), policy.Action{Kind: policy.Wake, At: at(4)})
		case isReady(ev, 1, 1):
			return list(start(task(1, 1, 0), 0), start(task(1, 1, 1), 0))
		case ev.Kind == policy.Woken: // a copy that waits for its input can be suspended
			return list(do(policy.Suspend, task(1, 1, 0), 0))
		case ev.Kind == policy.Finished && ev.Copy.Stage == 0 && ev.Copy.Index == 1:
			return list(do(policy.Resume, task(1, 1, 0), 0))
		}
		return nil
	}
	j := bag(1, 0)
	spec, runtimes := pipeline([]policy.Duration{2 * s, 5 * s}, []policy.Duration{1 * s, 6 * s})
	j.Job, j.Runtimes = *spec, runtimes
	r := run(t, sim.Config{}, p, j)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		1s Woken
		1s Started 1/0/1#0 node=1
		1s Ready 1/1
		1s Started 1/1/0#0 node=2
		1s Started 1/1/1#0 node=2
		2s Finished 1/0/0#0 node=1 service=2s
		4s Woken
		4s Suspended 1/1/0#0 node=2 service=3s
		6s Finished 1/0/1#0 node=1 service=5s
		6s Resumed 1/1/0#0 node=2 service=3s
		6s Finished 1/1/0#0 node=2 service=3s
		7s Finished 1/1/1#0 node=2 service=6s
		7s Ended 1 Done`)
	if got, want := r.Jobs[0].Ideal, 6*s; got != want {
		t.Errorf("ideal completion time %v, want %v", got, want)
	}
}

// A task that is read through a pipe breaks. Its readers fill the rest of the cluster
// and would wait for it for ever: they go down with it, and are refused until it runs
// again.
func TestPipelineLosesItsInput(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0))
		case isReady(ev, 1, 1):
			return list(start(task(1, 1, 0), 0), policy.Action{Kind: policy.Wake, At: at(2)})
		case ev.Kind == policy.Woken && ev.Time == at(2):
			return list(do(policy.Kill, task(1, 0, 0), 0))
		case ev.Kind == policy.Lost: // the wrong order, on purpose
			return list(start(task(1, 1, 0), 1), start(task(1, 0, 0), 1))
		case ev.Kind == policy.Started && ev.Copy == (policy.Copy{Task: task(1, 0, 0), N: 1}):
			return list(start(task(1, 1, 0), 2))
		}
		return nil
	}
	j := bag(1, 0)
	spec, runtimes := pipeline([]policy.Duration{5 * s}, []policy.Duration{1 * s})
	j.Job, j.Runtimes = *spec, runtimes
	run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2})}, p, j)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		0s Ready 1/1
		0s Started 1/1/0#0 node=1
		2s Woken
		2s Killed 1/0/0#0 node=1 service=2s again
		2s Lost 1/1/0#0 node=1 service=2s again
		2s Refused 1/1/0#1 again
		2s Started 1/0/0#1 node=1
		2s Started 1/1/0#2 node=1
		7s Finished 1/0/0#1 node=1 service=5s
		7s Finished 1/1/0#2 node=1 service=5s
		7s Ended 1 Done`)
}

func TestJobWithoutInputFailsOrWaits(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if ev.Kind == policy.Ready {
			return list(start(task(ev.Copy.Job, 0, 0), 0))
		}
		return nil
	}
	producer, fails, waits, after := bag(1, 0, 5*s), bag(2, s, s), bag(3, s, s), bag(4, 7*s, s)
	fails.Inputs = &policy.Inputs{Jobs: []policy.JobID{1}}
	waits.Inputs = &policy.Inputs{Jobs: []policy.JobID{1}, Wait: true}
	after.Inputs = &policy.Inputs{Jobs: []policy.JobID{1, 3}}
	orphan := bag(5, 7*s, s) // what it waits for has failed
	orphan.Inputs = &policy.Inputs{Jobs: []policy.JobID{2}, Wait: true}
	run(t, sim.Config{}, p, producer, fails, waits, after, orphan)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		1s Submitted 2
		1s Ended 2 NoInput
		1s Submitted 3
		5s Finished 1/0/0#0 node=1 service=5s
		5s Ended 1 Done
		5s Ready 3/0
		5s Started 3/0/0#0 node=1
		6s Finished 3/0/0#0 node=1 service=1s
		6s Ended 3 Done
		7s Submitted 4
		7s Ready 4/0
		7s Submitted 5
		7s Ended 5 NoInput
		7s Started 4/0/0#0 node=1
		8s Finished 4/0/0#0 node=1 service=1s
		8s Ended 4 Done`)
}

func TestTaskThatFailsTooOftenFailsItsJob(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), start(task(1, 0, 1), 0))
		case ev.Again:
			return list(start(ev.Copy.Task, ev.Copy.N+1))
		}
		return nil
	}
	config := sim.Config{MaxFailures: 2, Faults: sim.Faults{TaskFailure: 1}}
	r := run(t, config, p, bag(1, 0, 0, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		0s Started 1/0/1#0 node=1
		0s Failed 1/0/0#0 node=1 again
		0s Started 1/0/0#1 node=1
		0s Failed 1/0/0#1 node=1
		0s Killed 1/0/1#0 node=1
		0s Ended 1 TaskFailed`)
	if got := r.Jobs[0].Outcome; got != policy.TaskFailed {
		t.Errorf("outcome %v, want TaskFailed", got)
	}
}

func TestCancelledJob(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 1, 0) {
			return list(start(task(1, 0, 0), 0))
		}
		return nil
	}
	config := sim.Config{Faults: sim.Faults{Cancels: []sim.Cancel{{Job: 1, At: at(2)}, {Job: 1, At: at(9)}}}}
	run(t, config, p, bag(1, 0, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		2s Killed 1/0/0#0 node=1 service=2s
		2s Ended 1 Cancelled`)
}

// With a network that takes a second, an order arrives a second later, and news of it
// another second later. A Kill that crosses the end of its copy changes nothing.
func TestNetworkDelay(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(6)})
		case ev.Kind == policy.Woken:
			return list(do(policy.Kill, task(1, 0, 0), 0))
		}
		return nil
	}
	run(t, sim.Config{Delay: s}, p, bag(1, 0, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		2s Started 1/0/0#0 node=1
		6s Woken
		7s Finished 1/0/0#0 node=1 service=5s
		7s Ended 1 Done`)
}

// Two copies finish before the centre hears of either: the task is finished once, and
// the second copy counts as killed.
func TestRaceOverSlowNetwork(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 1, 0) {
			return list(startOn(1, task(1, 0, 0), 0), startOn(2, task(1, 0, 0), 1))
		}
		return nil
	}
	run(t, sim.Config{Delay: s}, p, bag(1, 0, 5*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		2s Started 1/0/0#0 node=1
		2s Started 1/0/0#1 node=2
		7s Finished 1/0/0#0 node=1 service=5s
		7s Killed 1/0/0#1 node=2 service=5s
		7s Ended 1 Done`)
}

// Luck says what becomes of each copy: it breaks, the host kills it or loses it, or it ends.
func TestEvictions(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case ev.Kind == policy.Ready:
			return list(start(task(1, 0, 0), 0))
		case ev.Again:
			return list(start(ev.Copy.Task, ev.Copy.N+1))
		}
		return nil
	}
	drawn, draws := map[float64]float64{}, []float64{0, 0, 0.1, 0.5, 0.3, 0.5, 0.5, 0.5, 0.7} // the first two are of the clock
	luck := func(u float64) float64 {
		if _, again := drawn[u]; !again {
			drawn[u] = draws[len(drawn)]
		}
		return drawn[u]
	}
	r := run(t, sim.Config{Faults: sim.Faults{TaskFailure: 0.2, TaskEviction: 0.4, Luck: luck}}, p, bag(1, 0, 4*s))
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		2s Failed 1/0/0#0 node=1 service=2s again
		2s Started 1/0/0#1 node=1
		4s Killed 1/0/0#1 node=1 service=2s again
		4s Started 1/0/0#2 node=1
		6s Lost 1/0/0#2 node=1 service=2s again
		6s Started 1/0/0#3 node=1
		10s Finished 1/0/0#3 node=1 service=4s
		10s Ended 1 Done`)
	if got := r.Faults.Failures; got != 3 {
		t.Errorf("%d copies broke or were evicted, want 3", got)
	}
}
