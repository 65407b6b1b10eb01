package main

import (
	"encoding/json"
	"flag"
	"fmt"
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

func TestShift(t *testing.T) {
	for _, w := range worlds {
		if w.slow && *shifts == 1 { // which .ci/nightly runs
			continue
		}
		t.Run(strings.Join(w.args, " "), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(*shifts) {
				e := newExperiment(t, append(slices.Clone(w.args), "-seed", fmt.Sprint(seed+1)))
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
