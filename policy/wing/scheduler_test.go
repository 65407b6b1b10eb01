package wing_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// twins runs a Scheduler and the naive one side by side, and fails when they start other tasks. Besides the alarms of the
// Scheduler, which only it hears, there is one after every quarter of a second, which only the naive one hears: so a change
// of priorities that ought to start something, and of which the Scheduler does not ask to be woken, is found.
type twins struct {
	fast *wing.Scheduler
	slow *naive

	alarm, tick policy.Time // of the Scheduler, and the next quarter
	asked       policy.Time // of the host
	busy        bool        // jobs are there
	open        int         // Starts without an answer
	compared    *int        // Starts so far
	woken       *int        // Starts at an alarm of the Scheduler's
}

func newTwins(c wing.Config, compared, woken *int) *twins {
	return &twins{fast: jobtest.Must(wing.NewScheduler(c)), slow: newNaive(c), alarm: policy.Never, asked: policy.Never, compared: compared, woken: woken}
}

func (t *twins) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	mine := ev.Kind != policy.Woken || t.alarm <= ev.Time
	decide := false
	var err error
	if (ev.Kind == policy.Started || ev.Kind == policy.Refused) && !ev.Replay {
		t.open--
	}
	if mine || !t.slow.refused() && t.open == 0 { // else it would try again, for no reason but that time has passed
		if decide, err = t.slow.observe(ev); err != nil {
			return actions, err
		}
	}
	var got, want []policy.Action
	if ev.Kind == policy.Woken {
		t.asked = policy.Never
	}
	if mine {
		var answer []policy.Action
		if answer, err = t.fast.Step(ev, nil); err != nil {
			return actions, err
		}
		if ev.Kind == policy.Woken {
			t.alarm = policy.Never
		}
		for _, a := range answer {
			if a.Kind == policy.Wake {
				t.alarm = a.At
			} else {
				got = append(got, a)
			}
		}
	}
	if decide {
		want = t.slow.decide(ev.Time)
	}
	if !reflect.DeepEqual(got, want) {
		return actions, fmt.Errorf("at %v, after %v (an alarm of its own: %v), starts %v, want %v", ev.Time, ev.Kind, mine, got, want)
	}
	for id, j := range t.slow.view.Jobs() {
		if p, ok := t.fast.Priority(id); mine && decide && j.Waiting > 0 && (!ok || p != t.slow.own(j).priority) {
			return actions, fmt.Errorf("at %v: priority of job %d is %v, want %v", ev.Time, id, p, t.slow.own(j).priority)
		}
	}
	*t.compared += len(got)
	t.open += len(got)
	if ev.Kind == policy.Woken {
		*t.woken += len(got)
	}
	actions = append(actions, got...)

	if decide {
		t.busy = false
		for range t.slow.view.Jobs() {
			t.busy = true
			break
		}
	}
	if t.tick <= ev.Time { // never at an instant at which the Scheduler hears something
		t.tick = (ev.Time/policy.Time(s/4)+1)*policy.Time(s/4) + 1
	}
	if at := t.earliest(); at != t.asked && !ev.Replay {
		t.asked = at
		actions = append(actions, policy.Action{Kind: policy.Wake, At: at})
	}
	return actions, nil
}

func (t *twins) earliest() policy.Time {
	if !t.busy {
		return t.alarm
	}
	return min(t.tick, t.alarm)
}

// randomJobs draws jobs of all kinds in queues of all kinds.
func randomJobs(rng *rand.Rand) []*workload.Job {
	names := []string{"ads", "search", "ads/daily", "ads/trial", "elsewhere"}
	var jobs []*workload.Job
	at := policy.Time(0)
	for id := 1 + rng.IntN(2); len(jobs) < 40; id += 1 + rng.IntN(3) {
		at = at.Add(policy.Duration(rng.IntN(5)) * s / 4)
		j := &workload.Job{Job: policy.Job{
			ID: policy.JobID(id), Submitted: at, Queue: names[rng.IntN(len(names))], Priority: float64(rng.IntN(4)),
		}}
		for i := range 1 + rng.IntN(2) {
			st := policy.Stage{Tasks: uint32(1 + rng.IntN(6)), Cores: int32(1 + rng.IntN(2)), Gang: rng.IntN(2) == 0}
			if i > 0 {
				st.Reads = []policy.Dep{{Stage: 0}}
			}
			var runtimes []policy.Duration
			for range st.Tasks {
				runtimes = append(runtimes, policy.Duration(1+rng.IntN(12))*s/4)
			}
			j.Stages = append(j.Stages, st)
			j.Runtimes = append(j.Runtimes, runtimes)
		}
		if len(jobs) > 0 && rng.IntN(2) == 0 {
			in := &policy.Inputs{Wait: rng.IntN(4) > 0}
			for range 1 + rng.IntN(3) {
				in.Jobs = append(in.Jobs, jobs[max(0, len(jobs)-1-rng.IntN(8))].ID) // perhaps one twice
			}
			j.Inputs = in
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func admissionIsThatOfTheNaive(t *testing.T) {
	rankers := []wing.Ranker{
		wing.ByPriority(), falling{}, jobtest.Must(wing.NewMIL(wing.MILConfig{Value: hourglass, Unknown: wing.ByPriority()})),
	}
	compared, woken := 0, 0
	runs := 120
	if testing.Short() {
		runs = 30
	}
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := wing.Config{Ranker: rankers[seed%3], Inherit: wing.Inheritance(rng.IntN(3))}
		if rng.IntN(4) > 0 {
			c.Queues = organisations()
		}
		jobs := randomJobs(rng)
		source, truth := workload.Split(jobs)
		config := sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 3 + rng.IntN(4), Cores: 4}), Jobs: source, Truth: truth,
			Delay: policy.Duration(rng.IntN(2)) * s / 100,
		}
		if rng.IntN(2) == 0 {
			config.Faults = sim.Faults{
				Seed: seed, MeanUp: 20 * s, MeanDown: 5 * s, TaskFailure: 0.05,
				Cancels: []sim.Cancel{{Job: jobs[5].ID, At: jobs[5].Submitted.Add(s)}, {Job: jobs[20].ID, At: jobs[20].Submitted.Add(2 * s)}},
			}
		}
		if rng.IntN(3) == 0 {
			config.Faults.Restarts = []policy.Time{policy.Time(3 * s), policy.Time(11*s) + 7}
			config.Faults.NewPolicy = func() (policy.Scheduler, error) { return newTwins(c, &compared, &woken), nil }
		}
		if _, err := sim.Run(t.Context(), config, newTwins(c, &compared, &woken)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if compared < runs*50 || woken < runs/4 {
		t.Errorf("only %d Starts compared, and %d at alarms", compared, woken)
	}
	t.Logf("%d Starts compared, %d of them at alarms", compared, woken)
}

type host struct {
	jobtest.Hand[policy.Scheduler]
}

func newHost(t *testing.T, p policy.Scheduler) *host {
	return &host{jobtest.Hand[policy.Scheduler]{TB: t, Policy: p}}
}

func bag(id policy.JobID, tasks uint32, priority float64) *policy.Job {
	return &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}, Priority: priority}
}

func (h *host) priorities(t *testing.T, p *wing.Scheduler, want ...float64) {
	t.Helper()
	for i, w := range want {
		if got, ok := p.Priority(policy.JobID(i + 1)); !ok || got != w {
			t.Errorf("priority of job %d is %v, %v, want %v", i+1, got, ok, w)
		}
	}
}

// Nothing is free while a Start is on its way, so no alarm is needed. If it is refused, what came meanwhile starts, and one is.
func TestAlarmAfterRefusal(t *testing.T) {
	h := newHost(t, jobtest.Must(wing.NewScheduler(wing.Config{Ranker: falling{}})))
	h.Join(1, 2)
	wide := bag(1, 2, 0)
	wide.Stages[0].Gang = true
	actions := h.Submit(wide, true)
	if len(actions) != 1 || actions[0].Kind != policy.Start {
		t.Fatalf("got %v, want one Start", actions)
	}
	h.Submit(bag(2, 1, 0), true)
	actions = h.Tell(policy.Event{Kind: policy.Refused, Copy: actions[0].Copy, Again: true})
	want := []policy.Action{{Kind: policy.Start, Copy: policy.Copy{Task: policy.Task{Job: 2}}}, {Kind: policy.Wake, At: policy.Time(s / 2)}}
	if !reflect.DeepEqual(actions, want) {
		t.Errorf("got %v, want %v", actions, want)
	}
}

// A dependent may come before what it waits for, as in a restart, where jobs come by ID.
func TestInheritanceFromEarlierJob(t *testing.T) {
	p := jobtest.Must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority(), Inherit: wing.FromQueue}))
	h := newHost(t, p)
	h.Join(1, 4)
	first := bag(1, 1, 7)
	first.Inputs = &policy.Inputs{Jobs: []policy.JobID{2}, Wait: true}
	second := bag(2, 1, 1)
	second.Inputs = &policy.Inputs{Jobs: []policy.JobID{3, 3}, Wait: true}
	h.Submit(first, false)
	h.Submit(second, false)
	h.Submit(bag(3, 9, 2), true)
	h.priorities(t, p, 7, 7, 7)
	if own, from := p.Inherited(3); from != 2 || own != 2 {
		t.Errorf("job 3 has inherited from %d, and its own is %v, want 2 and 2", from, own)
	}
	h.Tell(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Outcome: policy.Cancelled})
	for id, want := range map[policy.JobID]float64{2: 1, 3: 2} {
		if got, _ := p.Priority(id); got != want {
			t.Errorf("priority of job %d is %v after its heir was cancelled, want %v", id, got, want)
		}
	}
}

func widerThanItsQueue(t *testing.T) {
	p := jobtest.Must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{
		{Name: "narrow", Share: queue.Share{Guaranteed: 0.25, Maximum: 0.25}},
	}}))
	h := newHost(t, p)
	h.Join(1, 16)
	small, wide := bag(1, 1, 2), bag(2, 10, 1)
	small.Queue, wide.Queue = "narrow", "narrow"
	wide.Stages[0].Gang = true
	c := h.Submit(small, true)[0].Copy
	h.Tell(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
	if got := h.Submit(wide, true); len(got) > 0 {
		t.Fatalf("got %v, want nothing", got)
	}
	if use, maximum, _ := p.Use(2); use != 1 || maximum != 4 {
		t.Errorf("the queue uses %v of %v cores, want 1 of 4", use, maximum)
	}
	if got := h.Tell(policy.Event{Kind: policy.Finished, Copy: c, Node: 1}); len(got) != 1 || got[0].Kind != policy.Start {
		t.Errorf("got %v, want one Start", got)
	}
}
