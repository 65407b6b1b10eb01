package main

import (
	"bytes"
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
	{[]string{"-jobs", "12", "-nodes", "4", "-cutoff", "60", "-delay", "1ms"}, func(c *contender) bool { return !c.Lake }, false},
	{[]string{"-workload", "facebook", "-jobs", "20", "-nodes", "10", "-delay", "1ms"}, func(c *contender) bool {
		return c.Name == "hopper" || strings.Contains(c.Name, "-late") || strings.Contains(c.Name, "-mantri") || strings.Contains(c.Name, "-grass") || strings.Contains(c.Name, "-budgeted")
	}, true},
	{[]string{"-workload", "e2e", "-jobs", "40", "-nodes", "40", "-cutoff", "60"}, func(c *contender) bool {
		return strings.HasPrefix(c.Name, "3s") || strings.HasPrefix(c.Name, "point")
	}, true},
	{[]string{"-workload", "lake", "-nodes", "100", "-jobs", "100"}, func(c *contender) bool { return c.Lake || c.Name == "wing-prio" }, true},
}

func TestShift(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, w := range worlds {
		if w.slow && *shifts == 1 { // which .ci/nightly runs
			continue
		}
		t.Run(strings.Join(w.args, " "), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(*shifts) {
				e := prepared(t, append(slices.Clone(w.args), "-seed", fmt.Sprint(seed+1)))
				for _, c := range contenders() {
					if w.of(&c) {
						e.shift(t, &c, false)
						e.shift(t, &c, true)
					}
				}
			}
		})
	}
}

// troubles returns faults of all kinds but outages and jumps at chosen instants.
func (e *host) troubles(rng *rand.Rand) sim.Faults {
	span := policy.Duration(e.in.List[len(e.in.List)-1].Submitted)
	return sim.Faults{
		Seed: e.seed, MeanUp: span, MeanDown: span/20 + 1, TaskFailure: 0.05,
		PostLoss: 0.05, PostLate: 0.1, PostTwice: 0.05, MeanLate: time.Second,
		ActionLate: 0.04, MeanSlip: time.Second,
		MeanSteady: span/5 + 1, MeanJump: time.Minute,
		Cancels: []sim.Cancel{{Job: e.in.List[rng.IntN(len(e.in.List))].ID, At: policy.Time(rng.Int64N(int64(span) + 1))}},
	}
}

// A host is the jobs and the cluster of a command line.
type host struct {
	*options
	in *input
}

// prepared returns the host of a command line, before the first policy runs.
func prepared(t *testing.T, args []string) *host {
	t.Helper()
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return &host{o, loaded(t, args...)}
}

// shift runs a policy at several shifts, and compares what passes.
func (e *host) shift(t *testing.T, c *contender, faulty bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(e.seed, 7))
	faults := sim.Faults{}
	if faulty {
		faults = e.troubles(rng)
		faults.Restarts = []policy.Time{e.in.List[len(e.in.List)/2].Submitted + 1}
		faults.Outages = []sim.Outage{{Node: 1, At: e.in.List[1].Submitted, For: time.Minute}}
		faults.Jumps = []sim.Jump{{At: e.in.List[2].Submitted, For: time.Minute}}
	}
	want, first := e.runAt(t, c, faults, 0)
	asked, events := instants(first)
	at0 := []policy.Time{want.End.Add(100 * time.Hour)} // what is to be at 0: all is before that, and each of these means something
	for _, instants := range [][]policy.Time{asked, events} {
		if len(instants) > 0 {
			at0 = append(at0, instants[rng.IntN(len(instants))])
		}
	}
	for _, at := range at0 {
		by := policy.Time(0).Sub(at)
		got, steps := e.runAt(t, c, faults, by)
		what := fmt.Sprintf("%s, faults %v, seed %d, all shifted by %v", c.Name, faulty, e.seed, by)
		for i := range max(len(steps), len(first)) {
			if i >= len(steps) || i >= len(first) || !reflect.DeepEqual(steps[i], first[i]) {
				t.Errorf("%s: step %d is\n%s, want\n%s", what, i, text(steps, i), text(first, i))
				break
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the result is\n%+v\nwant\n%+v", what, got, want)
		}
	}
}

// runAt runs a policy with all instants so much later, and returns the result and the steps with their instants brought back.
func (e *host) runAt(t *testing.T, c *contender, faults sim.Faults, by policy.Duration) (*sim.Result, []taken) {
	t.Helper()
	forth := func(at *policy.Time) { *at = at.Add(by) }
	back := func(at *policy.Time) { *at = at.Add(-by) }
	list := slices.Clone(e.in.List)
	for i := range list {
		j := *list[i]
		if forth(&j.Submitted); j.SLO != nil {
			j.SLO = new(*j.SLO)
			forth(&j.SLO.Deadline)
		}
		list[i] = &j
	}
	faults.Cancels, faults.Restarts = slices.Clone(faults.Cancels), slices.Clone(faults.Restarts)
	faults.Outages, faults.Jumps = slices.Clone(faults.Outages), slices.Clone(faults.Jumps)
	for i := range faults.Cancels {
		forth(&faults.Cancels[i].At)
	}
	for i := range faults.Restarts {
		forth(&faults.Restarts[i])
	}
	for i := range faults.Outages {
		forth(&faults.Outages[i].At)
	}
	for i := range faults.Jumps {
		forth(&faults.Jumps[i].At)
	}
	jobs, truth := workload.Split(list)
	faults.NewPolicy = func() (policy.Scheduler, error) { return c.scheduler(e.in.setting(e.options, e.seed, truth)) }
	p, err := faults.NewPolicy()
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	var record bytes.Buffer
	r, err := sim.Run(t.Context(), sim.Config{Nodes: e.in.cluster, Jobs: jobs, Truth: truth, Delay: e.delay, Faults: faults, Record: &record}, p)
	if err != nil {
		t.Fatalf("%s, seed %d, all shifted by %v: %v", c.Name, e.seed, by, err)
	}
	back(&r.Begin)
	back(&r.End)
	for i := range r.Jobs {
		j := &r.Jobs[i]
		back(&j.Submitted)
		back(&j.Ended)
		if back(&j.FirstStart); j.Copies == 0 {
			j.FirstStart = 0
		}
		j.SLO = nil
	}
	var steps []taken
	for dec := json.NewDecoder(&record); ; {
		var s taken
		if err := dec.Decode(&s); err == io.EOF {
			return r, steps
		} else if err != nil {
			t.Fatal(err)
		}
		if s.Event != nil { // else the host restarts
			back(&s.Event.Time)
			s.Event.Job = nil
		}
		for i := range s.Actions {
			if a := &s.Actions[i]; asks(a) {
				back(&a.At)
			}
		}
		steps = append(steps, s)
	}
}

// A taken is a step that a policy took, as the simulator records it.
type taken struct {
	Part    policy.NodeID   `json:"part,omitzero"`
	Event   *policy.Event   `json:"event,omitempty"`
	Actions []policy.Action `json:"actions,omitempty"`
	Restart bool            `json:"restart,omitzero"`
}

// asks reports whether an action asks for something at an instant.
func asks(a *policy.Action) bool {
	return (a.Kind == policy.Wake || a.Kind == policy.Report) && a.At != policy.Never
}

// text is a step in JSON, if there is such a step.
func text(steps []taken, i int) []byte {
	if i >= len(steps) {
		return []byte("none")
	}
	b, err := json.Marshal(&steps[i])
	if err != nil {
		return []byte(err.Error())
	}
	return b
}

// instants returns those of alarms and reports that the policy asks for, and those of events.
func instants(steps []taken) (asked, events []policy.Time) {
	for i := range steps {
		s := &steps[i]
		if s.Event != nil {
			events = append(events, s.Event.Time)
		}
		for k := range s.Actions {
			if a := &s.Actions[k]; asks(a) {
				asked = append(asked, a.At)
			}
		}
	}
	return asked, events
}
