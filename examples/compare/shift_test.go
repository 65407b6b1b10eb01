package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Only the differences of instants matter: what happens in a run, and what the policy wants done, is the same wherever the
// host's epoch is. It is with all instants below 0, with an alarm or a report just at 0, and with an event there.

var shifts = flag.Int("shifts", 1, "with how many seeds each policy runs at several shifts of all instants")

// worlds are the jobs that the policies are tried on, such that each has what it goes by.
var worlds = []struct {
	args []string
	of   func(c *contender) bool
	slow bool
}{
	{[]string{"-jobs", "12", "-nodes", "4", "-cutoff", "60", "-delay", "1ms"}, func(c *contender) bool { return !c.lake }, false},
	{[]string{"-workload", "facebook", "-jobs", "20", "-nodes", "10", "-delay", "1ms"}, func(c *contender) bool {
		return c.name == "hopper" || strings.Contains(c.name, "-late") || strings.Contains(c.name, "-mantri") || strings.Contains(c.name, "-grass") || strings.Contains(c.name, "-budgeted")
	}, true},
	{[]string{"-workload", "e2e", "-jobs", "40", "-nodes", "40", "-cutoff", "60"}, func(c *contender) bool {
		return strings.HasPrefix(c.name, "3s") || strings.HasPrefix(c.name, "point")
	}, true},
	{[]string{"-workload", "lake", "-nodes", "100", "-jobs", "100"}, func(c *contender) bool { return c.lake || c.name == "wing-prio" }, true},
}

func TestShift(t *testing.T) {
	for _, w := range worlds {
		if w.slow && *shifts == 1 { // which .ci/nightly runs
			continue
		}
		t.Run(strings.Join(w.args, " "), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(*shifts) {
				e := prepared(t, append(slices.Clone(w.args), "-seed", fmt.Sprint(seed+1)))
				for i := range contenders {
					if c := &contenders[i]; w.of(c) {
						e.shift(t, c, false)
						e.shift(t, c, true)
					}
				}
			}
		})
	}
}

// troubles returns faults of all kinds but outages and jumps at chosen instants.
func (e *experiment) troubles(rng *rand.Rand) sim.Faults {
	span := policy.Duration(e.in.List[len(e.in.List)-1].Submitted)
	return sim.Faults{
		Seed: e.seed, MeanUp: span, MeanDown: span/20 + 1, TaskFailure: 0.05,
		PostLoss: 0.05, PostLate: 0.1, PostTwice: 0.05, MeanLate: time.Second,
		ActionLate: 0.02, ActionForgotten: 0.02, MeanSlip: time.Second,
		MeanSteady: span/5 + 1, MeanJump: time.Minute,
		Cancels: []sim.Cancel{{Job: e.in.List[rng.IntN(len(e.in.List))].ID, At: policy.Time(rng.Int64N(int64(span) + 1))}},
	}
}

// prepared returns the experiment of a command line, before the first policy runs.
func prepared(t *testing.T, args []string) *experiment {
	t.Helper()
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	e := &experiment{options: o, stderr: io.Discard, in: loaded(t, args...)}
	e.report = newReport(e.in, o, nil, e.faults)
	return e
}

// shift runs a policy at several shifts, and compares what passes.
func (e *experiment) shift(t *testing.T, c *contender, faulty bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(e.seed, 7))
	faults := sim.Faults{}
	if faulty {
		faults = e.troubles(rng)
		faults.Restarts = []policy.Time{e.in.List[len(e.in.List)/2].Submitted + 1}
		faults.Outages = []sim.Outage{{Node: 1, At: e.in.List[1].Submitted, For: time.Minute}}
		faults.Jumps = []sim.Jump{{At: e.in.List[2].Submitted, For: time.Minute}}
	}
	first := &trail{}
	want := e.runAt(t, c, faults, first)
	if want == nil {
		return
	}
	asked, events := first.instants()
	at0 := []policy.Time{want.End.Add(100 * time.Hour)} // what is to be at 0: all is before that, and each of these means something
	for _, instants := range [][]policy.Time{asked, events} {
		if len(instants) > 0 {
			at0 = append(at0, instants[rng.IntN(len(instants))])
		}
	}
	for _, at := range at0 {
		tr := &trail{by: policy.Time(0).Sub(at), want: first}
		got := e.runAt(t, c, faults, tr)
		if tr.differs == "" && len(tr.steps) < len(first.steps) {
			tr.differs = fmt.Sprintf("after %d steps it is over, want %d", len(tr.steps), len(first.steps))
		}
		if tr.differs != "" {
			t.Errorf("%s, faults %v, seed %d, all shifted by %v: %s", c.name, faulty, e.seed, tr.by, tr.differs)
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s, faults %v, seed %d, all shifted by %v: the result is\n%+v\nwant\n%+v", c.name, faulty, e.seed, tr.by, got, want)
		}
	}
}

// runAt runs a policy with all instants as much later as a trail is, which keeps what passes. Those of the result are
// brought back.
func (e *experiment) runAt(t *testing.T, c *contender, faults sim.Faults, tr *trail) *sim.Result {
	t.Helper()
	jobs, truth := workload.Split(tr.jobs(e.in.List))
	faults.Cancels, faults.Restarts = slices.Clone(faults.Cancels), slices.Clone(faults.Restarts)
	faults.Outages, faults.Jumps = slices.Clone(faults.Outages), slices.Clone(faults.Jumps)
	for i := range faults.Cancels {
		tr.forth(&faults.Cancels[i].At)
	}
	for i := range faults.Restarts {
		tr.forth(&faults.Restarts[i])
	}
	for i := range faults.Outages {
		tr.forth(&faults.Outages[i].At)
	}
	for i := range faults.Jumps {
		tr.forth(&faults.Jumps[i].At)
	}
	faults.NewPolicy = func() (policy.Scheduler, error) {
		p, err := c.of(e.setting(truth))
		if err != nil {
			return nil, err
		}
		return tapped(p, tr.note), nil
	}
	p, err := faults.NewPolicy()
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	r, err := sim.Run(t.Context(), sim.Config{Nodes: e.in.cluster, Jobs: jobs, Truth: truth, Delay: e.delay, Faults: faults}, p)
	if err != nil {
		t.Errorf("%s, seed %d, all shifted by %v: %v", c.name, e.seed, tr.by, err)
		return nil
	}
	tr.back(&r.Begin)
	tr.back(&r.End)
	for i := range r.Jobs {
		j := &r.Jobs[i]
		tr.back(&j.Submitted)
		tr.back(&j.Ended)
		if tr.back(&j.FirstStart); j.Copies == 0 {
			j.FirstStart = 0
		}
		j.SLO = nil
	}
	return r
}

// A taken is a step that a policy took.
type taken struct {
	Part    policy.NodeID   `json:"part,omitzero"`
	Event   *policy.Event   `json:"event"`
	Actions []policy.Action `json:"actions,omitempty"`
}

// A tap is a part of a policy of which each step is shown.
type tap struct {
	policy.Scheduler
	part policy.NodeID
	see  func(part policy.NodeID, ev *policy.Event, actions []policy.Action) error
}

func (p tap) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	before := len(actions)
	actions, err := p.Scheduler.Step(ev, actions)
	if err == nil {
		err = p.see(p.part, ev, actions[before:])
	}
	return actions, err
}

type tappedCentre struct {
	tap
	d policy.Distributed
}

func (p tappedCentre) Part(n *policy.Node) policy.Scheduler { return tap{p.d.Part(n), n.ID, p.see} }

// tapped returns a policy of which each step of each part is shown.
func tapped(p policy.Scheduler, see func(policy.NodeID, *policy.Event, []policy.Action) error) policy.Scheduler {
	centre := tap{p, 0, see}
	if d, ok := p.(policy.Distributed); ok {
		return tappedCentre{centre, d}
	}
	return centre
}

// A trail is what passes between a host and a policy, with all instants as without the shift.
type trail struct {
	by      policy.Duration // the shift
	steps   []taken
	want    *trail // nil: nothing is known
	differs string // the first step from what is wanted
}

func (s *taken) String() string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (tr *trail) forth(at *policy.Time) { *at = at.Add(tr.by) }

func (tr *trail) back(at *policy.Time) { *at = at.Add(-tr.by) }

// jobs returns shifted jobs.
func (tr *trail) jobs(list []*workload.Job) []*workload.Job {
	list = slices.Clone(list)
	for i := range list {
		j := *list[i]
		if tr.forth(&j.Submitted); j.SLO != nil {
			j.SLO = new(*j.SLO)
			tr.forth(&j.SLO.Deadline)
		}
		list[i] = &j
	}
	return list
}

// note takes down a step.
func (tr *trail) note(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	s := taken{part, new(*ev), slices.Clone(actions)}
	tr.back(&s.Event.Time)
	s.Event.Job, s.Event.Gang = nil, slices.Clone(ev.Gang)
	for i := range s.Actions {
		if a := &s.Actions[i]; (a.Kind == policy.Wake || a.Kind == policy.Report) && a.At != policy.Never {
			tr.back(&a.At)
		}
	}
	i := len(tr.steps)
	tr.steps = append(tr.steps, s)
	switch {
	case tr.want == nil || tr.differs != "":
	case i >= len(tr.want.steps):
		tr.differs = fmt.Sprintf("step %d is %v, want none", i, &s)
	case !reflect.DeepEqual(s, tr.want.steps[i]):
		tr.differs = fmt.Sprintf("step %d is\n%v, want\n%v", i, &s, &tr.want.steps[i])
	}
	return nil
}

// instants returns those of alarms and reports that the policy asks for, and those of events.
func (tr *trail) instants() (asked, events []policy.Time) {
	for i := range tr.steps {
		s := &tr.steps[i]
		events = append(events, s.Event.Time)
		for k := range s.Actions {
			if a := &s.Actions[k]; (a.Kind == policy.Wake || a.Kind == policy.Report) && a.At != policy.Never {
				asked = append(asked, a.At)
			}
		}
	}
	return asked, events
}
