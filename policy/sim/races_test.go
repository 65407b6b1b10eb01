package sim_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// What crosses on the network, or falls into one instant with something else.

func newFIFO() (policy.Scheduler, error) { return baseline.NewFIFO(), nil }

// A job is cancelled while a Start of it is under way, and then the policy restarts.
func TestRestartWithStartUnderWay(t *testing.T) {
	config := sim.Config{Delay: 2 * s, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}),
		Faults: sim.Faults{Cancels: []sim.Cancel{{Job: 1, At: at(9.5)}}, Restarts: []policy.Time{at(10)}, NewPolicy: newFIFO}}
	r := run(t, config, baseline.NewFIFO(), bag(1, 0, 100*s, 5*s, 5*s))
	if r.Jobs[0].Outcome != policy.Cancelled {
		t.Errorf("job 1 is %v, want Cancelled", r.Jobs[0].Outcome)
	}
}

// The only copy that runs is lost while a second one is being started, and then the policy
// restarts: the task must be started again.
func TestRestartWithSecondCopyUnderWay(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(10)})
		case ev.Kind == policy.Woken:
			return list(startOn(2, task(1, 0, 0), 1))
		}
		return nil
	}
	r := run(t, sim.Config{Delay: 2 * s, Faults: sim.Faults{
		Outages: []sim.Outage{{Node: 1, At: at(11)}}, Restarts: []policy.Time{at(11.5)}, NewPolicy: newFIFO,
	}}, p, bag(1, 0, 100*s))
	if !r.Jobs[0].Done() {
		t.Errorf("job 1 is %v, want Done", r.Jobs[0].Outcome)
	}
}

// The last copy of a task is lost while another Start of it is under way to a node that is
// full: what reads it through a pipe is lost as soon as that Start is refused (see Pipelines in package policy).
func TestPipeLosesItsInputByARefusal(t *testing.T) {
	j, runtimes := pipeline([]policy.Duration{20 * s}, []policy.Duration{5 * s})
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0))
		case isReady(ev, 1, 1):
			return list(startOn(2, task(1, 1, 0), 0), policy.Action{Kind: policy.Wake, At: at(9.5)})
		case ev.Kind == policy.Woken: // node 1 is lost, but the news has not come
			return list(startOn(2, task(1, 0, 0), 1))
		case ev.Kind == policy.Lost && ev.Copy.Stage == 1:
			return list(startOn(2, task(1, 0, 0), 2))
		}
		return nil
	}
	run(t, sim.Config{Delay: s, Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 1}),
		Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(9)}}}}, p, &workload.Job{Job: *j, Runtimes: runtimes})
	lost := ""
	for _, line := range p.log {
		if strings.Contains(line, "Lost 1/1/0#0") {
			lost = line
		}
	}
	// Refused is heard at 11.5 s; the order to end the reader takes a second, and so does
	// the news.
	if !strings.HasPrefix(lost, "13.5s ") {
		t.Errorf("the reader's end is %q, want Lost at 13.5 s; all: %q", lost, p.log)
	}
}

// A second copy that breaks after the task was finished does not count.
func TestLoserFailsAfterFinish(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 1, 0) {
			return list(startOn(1, task(1, 0, 0), 0), startOn(2, task(1, 0, 0), 1), startOn(1, task(1, 0, 1), 0))
		}
		return nil
	}
	for seed := range uint64(200) {
		p.log = nil
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}, sim.Partition{Nodes: 1, Cores: 2, Speed: 0.5}),
			Delay: 10 * s, MaxFailures: 1, Faults: sim.Faults{Seed: seed, TaskFailure: 0.3}}
		r := run(t, config, p, bag(1, 0, 10*s, 100*s))
		log := strings.Join(p.log, "\n")
		finished, failed := strings.Index(log, "Finished 1/0/0#0"), strings.Index(log, "Failed 1/0/0#1")
		if finished < 0 || failed < finished || strings.Contains(log, "Failed 1/0/1#0") {
			continue
		}
		if !r.Jobs[0].Done() {
			t.Errorf("seed %d: job 1 is %v, want Done:\n%s", seed, r.Jobs[0].Outcome, log)
		}
		return
	}
	t.Error("no seed makes the loser break late")
}

// An order takes back the one before it, though that takes time.
func TestSuspendAndResumeCross(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(1)})
		case ev.Kind == policy.Woken:
			return list(do(policy.Suspend, task(1, 0, 0), 0), do(policy.Resume, task(1, 0, 0), 0))
		}
		return nil
	}
	run(t, sim.Config{SuspendCost: s}, p, bag(1, 0, 10*s))
	want := []string{"1s Woken", "2s Suspended 1/0/0#0 node=1 service=1s", "2s Resumed 1/0/0#0 node=1 service=1s", "11s Finished 1/0/0#0 node=1 service=10s"}
	if diff := cmp.Diff(want, after(p.log, "1s Woken")); diff != "" {
		t.Errorf("Suspend, Resume (-want +got):\n%s", diff)
	}

	p = &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(1)})
		case ev.Kind == policy.Woken && ev.Time == at(1):
			return list(do(policy.Suspend, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(3)})
		case ev.Kind == policy.Suspended && ev.Time == at(2):
			return list(start(task(1, 0, 1), 0))
		case ev.Kind == policy.Woken:
			return list(do(policy.Suspend, task(1, 0, 1), 0), do(policy.Resume, task(1, 0, 0), 0), do(policy.Suspend, task(1, 0, 0), 0))
		case ev.Kind == policy.Suspended && ev.Copy.Index == 1:
			return list(do(policy.Resume, task(1, 0, 1), 0))
		case ev.Kind == policy.Finished && ev.Copy.Index == 1:
			return list(do(policy.Resume, task(1, 0, 0), 0))
		}
		return nil
	}
	run(t, sim.Config{SuspendCost: s, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, p, bag(1, 0, 10*s, 10*s))
	want = []string{"3s Woken", "3s Suspended 1/0/0#0 node=1 service=1s idle", "4s Suspended 1/0/1#0 node=1 service=1s", "4s Resumed 1/0/1#0 node=1 service=1s",
		"13s Finished 1/0/1#0 node=1 service=10s", "13s Resumed 1/0/0#0 node=1 service=1s", "22s Finished 1/0/0#0 node=1 service=10s"}
	if diff := cmp.Diff(want, after(p.log, "3s Woken")); diff != "" {
		t.Errorf("Resume waits, Suspend (-want +got):\n%s", diff)
	}
}

// What waits for cores starts when there are enough, though more are about to be freed.
func TestStartAmidTwoSuspensions(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), start(task(1, 0, 1), 0), policy.Action{Kind: policy.Wake, At: at(1)})
		case ev.Kind == policy.Woken && ev.Time == at(1):
			return list(do(policy.Suspend, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(2)})
		case ev.Kind == policy.Woken:
			return list(do(policy.Suspend, task(1, 0, 1), 0), startOn(1, task(1, 0, 2), 0))
		case ev.Kind == policy.Finished:
			return list(do(policy.Resume, task(1, 0, 0), 0), do(policy.Resume, task(1, 0, 1), 0))
		}
		return nil
	}
	run(t, sim.Config{SuspendCost: 2 * s, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2})}, p, bag(1, 0, 10*s, 10*s, 10*s))
	if want := "3s Started 1/0/2#0 node=1"; !slices.Contains(p.log, want) {
		t.Errorf("got %q, want %q among them", p.log, want)
	}
}

// after returns a log from a line on, without the end of the job.
func after(log []string, line string) []string {
	for i := range log {
		if log[i] == line {
			return log[i : len(log)-1]
		}
	}
	return log
}

// A Report for later is answered also if the copy still waits for its cores when it is made.
func TestReportOfACopyThatWaits(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(1)})
		case ev.Kind == policy.Woken:
			report := do(policy.Report, task(1, 0, 1), 0)
			report.At = at(5)
			return list(do(policy.Suspend, task(1, 0, 0), 0), startOn(1, task(1, 0, 1), 0), report)
		case ev.Kind == policy.Finished && ev.Copy.Index == 1:
			return list(do(policy.Resume, task(1, 0, 0), 0))
		}
		return nil
	}
	run(t, sim.Config{SuspendCost: s, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, p, bag(1, 0, 10*s, 10*s))
	if log := strings.Join(p.log, "\n"); !strings.Contains(log, "5s Progress 1/0/1#0 node=1 service=3s") {
		t.Errorf("no Progress at 5 s:\n%s", log)
	}
}

// Progress is a share of all the work, though the copy will break.
func TestProgressOfACopyThatWillBreak(t *testing.T) {
	value := 0.0
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			report := do(policy.Report, task(1, 0, 0), 0)
			report.At = at(1)
			return list(start(task(1, 0, 0), 0), report)
		case ev.Kind == policy.Progress:
			value = ev.Value
		}
		return nil
	}
	run(t, sim.Config{MaxFailures: 1, Faults: sim.Faults{TaskFailure: 1}}, p, bag(1, 0, 100*s))
	if value != 0.01 {
		t.Errorf("after 1 s of 100, progress is %v, want 0.01", value)
	}
}

// A message that was sent before the centre heard that the node had left and come back is
// not for the part that is there now (rule Parts).
func TestMailForAnEarlierLife(t *testing.T) {
	centre := &script{}
	centre.on = func(ev *policy.Event) []policy.Action {
		switch ev.Kind {
		case policy.Ready:
			return list(policy.Action{Kind: policy.Wake, At: at(11.5)})
		case policy.Woken, policy.Joined:
			return list(policy.Action{Kind: policy.Send, Node: 1, Msg: policy.Msg{Seq: uint64(ev.Time)}})
		}
		return nil
	}
	var parts []*script
	centre.part = func(*policy.Node) *script {
		parts = append(parts, &script{on: func(*policy.Event) []policy.Action { return nil }})
		return parts[len(parts)-1]
	}
	run(t, sim.Config{Delay: 3 * s, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(10), For: s}}}}, distributed{centre}, bag(1, 0, s))
	want := [][]string{{"node 1: 0s Joined node=1", "node 1: 3s Arrived"}, {"node 1: 11s Joined node=1", "node 1: 17s Arrived"}}
	var got [][]string
	for _, part := range parts {
		got = append(got, part.log)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the parts heard (-want +got):\n%s", diff)
	}
}

// The stage that is read has the larger index. When its task is lost, it must go first.
func TestReaderBeforeWhatItReads(t *testing.T) {
	j := &workload.Job{Job: policy.Job{ID: 1, Stages: []policy.Stage{
		{Tasks: 2, Cores: 1, Reads: []policy.Dep{{Stage: 1, Pipe: true}}},
		{Tasks: 1, Cores: 1},
	}}, Runtimes: [][]policy.Duration{{5 * s, 5 * s}, {20 * s}}}
	for _, b := range baselines {
		if b.name == "prober" {
			continue // takes no pipelines
		}
		p, err := b.make(truthOf([]*workload.Job{j}))
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 1}),
			Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(2), For: s}}}}, p, j)
		if !r.Jobs[0].Done() {
			t.Errorf("%s: job 1 is %v, want Done", b.name, r.Jobs[0].Outcome)
		}
	}
}

// A job that needs all the memory of a node, which FIFO does not count, gets it in its turn.
func TestFIFODoesNotStarveWhatIsRefused(t *testing.T) {
	var jobs []*workload.Job
	for i := range 300 {
		j := bag(policy.JobID(i+1), policy.Duration(i)*3*s, 10*s)
		j.Stages[0].Memory = 1
		if i == 2 {
			j.Stages[0].Memory = 8
		}
		jobs = append(jobs, j)
	}
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 4, Memory: 8})}, baseline.NewFIFO(), jobs...)
	if got := r.Jobs[2].FirstStart; got != at(13) { // when the second job is done
		t.Errorf("the wide job starts at %v s, want 13 s", got.Seconds())
	}
}

// A job may be refused more often than there are numbers for its copies.
func TestRefusedForLong(t *testing.T) {
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 4}, sim.Partition{Nodes: 8, Cores: 2})
	wide := bag(2, 1e9, 5*s)
	wide.Stages[0].Cores = 4
	long := make([]policy.Duration, 70_000)
	for i := range long {
		long[i] = policy.Duration(1+i%7) * s
	}
	p, err := baseline.NewRandom(rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, sim.Config{Nodes: nodes}, p, bag(1, 0, 1_000_000*s), wide, bag(3, 1e9, long...))
	for _, j := range r.Jobs {
		if !j.Done() {
			t.Errorf("job %d is %v, want Done", j.ID, j.Outcome)
		}
	}
}

// A node that is gone for good needs no more weather.
func TestOutageForGood(t *testing.T) {
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(1)}}, MeanUp: 60 * s, MeanDown: 10 * s}}, baseline.NewFIFO(), bag(1, 0, 100*s))
	if got := r.Jobs[0]; got.Outcome != policy.Stalled || got.Ended > at(10_000) {
		t.Errorf("job 1 is %v at %v s, want Stalled soon", got.Outcome, got.Ended.Seconds())
	}
}

// A policy that only waits is not stalled while a node is about to come back.
func TestWaitForANode(t *testing.T) {
	p := &script{quiet: true}
	p.on = func(ev *policy.Event) []policy.Action {
		actions := list(policy.Action{Kind: policy.Wake, At: ev.Time.Add(s / 1000)})
		switch {
		case isReady(ev, 1, 0):
			return append(actions, start(task(1, 0, 0), 0))
		case ev.Kind == policy.Joined && ev.Time > 0:
			return append(actions, start(task(1, 0, 0), 1))
		}
		return actions
	}
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(1), For: 1100 * s}}}}, p, bag(1, 0, 2*s))
	if !r.Jobs[0].Done() {
		t.Errorf("job 1 is %v, want Done", r.Jobs[0].Outcome)
	}
}

// A policy that suspends and resumes for ever at one instant goes round in a circle.
func TestSuspendAndResumeForEver(t *testing.T) {
	p := &script{quiet: true}
	p.on = func(ev *policy.Event) []policy.Action {
		switch ev.Kind {
		case policy.Ready:
			return list(start(task(1, 0, 0), 0))
		case policy.Started, policy.Resumed:
			return list(do(policy.Suspend, task(1, 0, 0), 0))
		case policy.Suspended:
			return list(do(policy.Resume, task(1, 0, 0), 0))
		}
		return nil
	}
	_, err := try(t, sim.Config{}, p, bag(1, 0, 100*s))
	if v, ok := errors.AsType[*sim.Violation](err); !ok || v.Rule != "No circles" {
		t.Errorf("error %v, want a violation of No circles", err)
	}
}

// Copies that have lost the race for a task that ends with its input are ended once.
func TestDrainWithSecondCopies(t *testing.T) {
	j, runtimes := pipeline([]policy.Duration{10 * s}, []policy.Duration{s, s})
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(start(task(1, 0, 0), 0))
		case isReady(ev, 1, 1):
			return list(start(task(1, 1, 0), 0), start(task(1, 1, 0), 1), start(task(1, 1, 1), 0), start(task(1, 1, 1), 1))
		}
		return nil
	}
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 5})}, p, &workload.Job{Job: *j, Runtimes: runtimes})
	if got := r.Jobs[0]; !got.Done() || got.Copies != 5 || math.Abs(got.Service-50) > 1e-9 {
		t.Errorf("%+v, want Done with 5 copies and 50 core-seconds", got)
	}
}

// A run ends with its context even if the policy is told nothing.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	jobs := make([]*workload.Job, 100_000)
	for i := range jobs {
		jobs[i] = bag(policy.JobID(i+1), policy.Duration(i)*s, s)
	}
	source, truth := workload.Split(jobs)
	_, err := sim.Run(ctx, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: source, Truth: truth}, baseline.NewFIFO())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// What the checker finds is an error even if it cannot be recorded.
func TestViolationIsNotLostInTheRecord(t *testing.T) {
	p := &script{on: func(*policy.Event) []policy.Action {
		return list(policy.Action{Kind: policy.Send, Msg: policy.Msg{Value: math.NaN()}})
	}}
	var record strings.Builder
	_, err := try(t, sim.Config{Record: &record}, p, bag(1, 0, s))
	if v, ok := errors.AsType[*sim.Violation](err); !ok || v.Rule != "Legal start" {
		t.Errorf("error %v, want a violation of Legal start", err)
	}
}
