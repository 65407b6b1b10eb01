package advise_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/check"
)

// FuzzAdvisor lets bytes decide what a host does that asks an Advisor: what it carries out of what is granted,
// what it starts of its own accord, and what goes wrong. What the policy behind the Advisor hears is held to the
// contract by a Checker. Between, the Advisor is told what cannot be: that is an error, and changes nothing. In the
// end all that can be granted is, until all jobs are done.
func FuzzAdvisor(f *testing.F) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 0x616476))
		script := make([]byte, 300)
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		script[0] = byte(seed)
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		h := newAsker(t, script)
		for len(h.script) > 0 && h.steps < 1000 {
			h.next()
			h.look()
		}
		h.finish()
	})
}

// heard is a policy behind an Advisor, and the Checker that hears what it is told.
type heard struct {
	policy.Scheduler
	fail    func(err error)
	checker *check.Checker
	held    []policy.Event
}

func (p *heard) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	n := len(actions)
	actions, err := p.Scheduler.Step(ev, actions)
	if err != nil {
		return actions, err
	}
	told := *ev
	own := told.Kind == policy.Started && told.Replay
	if own { // as if the policy had wanted it
		told.Replay = false
		p.check(p.checker.Action(0, told.Time, &policy.Action{Kind: policy.Start, Copy: told.Copy}))
	}
	for i := range p.held {
		p.check(p.checker.Event(0, &p.held[i]))
	}
	if p.held = p.held[:0]; told.Kind == policy.Refused && told.More && !told.Again {
		p.held = append(p.held, told) // it is overtaken by what comes next, which goes on in its place
	} else {
		p.check(p.checker.Event(0, &told))
	}
	for i := range actions[n:] {
		p.check(p.checker.Action(0, ev.Time, &actions[n+i]))
	}
	return actions, nil
}

func (p *heard) check(err error) {
	if err != nil {
		p.fail(err)
	}
}

func (p *heard) Compare(a, b policy.JobID) int {
	if c, ok := p.Scheduler.(interface{ Compare(a, b policy.JobID) int }); ok {
		return c.Compare(a, b)
	}
	return cmp.Compare(a, b)
}

func newAsker(t *testing.T, script []byte) *asker {
	h := &asker{t: t, script: script}
	p := &heard{fail: func(err error) { t.Fatal(err) }, checker: check.New()}
	switch h.of(5) {
	case 0:
		p.Scheduler = baseline.NewFIFO()
	case 1:
		p.Scheduler = baseline.NewEASY()
	case 2:
		p.Scheduler = baseline.NewFair()
	case 3:
		p.Scheduler = jobtest.Must(baseline.NewMultifactor(baseline.MultifactorConfig{}))
	case 4: // suspends, resumes and has alarms
		p.Scheduler = new(urgent)
	}
	h.policy, h.advisor = p.Scheduler, jobtest.Must(advise.New(p))
	h.join(1)
	return h
}

func (h *asker) next() {
	var j *advisedJob
	if len(h.jobs) > 0 {
		j = h.jobs[h.of(len(h.jobs))]
	}
	switch k := h.of(14); {
	case k == 0:
		h.now = h.now.Add(policy.Duration(h.of(5)) * 1e9)
		h.tell(policy.Event{Kind: policy.Woken})
	case k == 1:
		h.join(policy.NodeID(1 + h.of(3)))
	case k == 2:
		h.leave(policy.NodeID(1 + h.of(3)))
	case k == 3 || k == 4 || j == nil:
		h.submit()
	case k == 5:
		h.answer(j, h.of(4) > 0)
	case k == 6 || k == 7:
		h.answer(j, true)
	case k == 8:
		h.own(j)
	case k == 9 || k == 10:
		h.end(j, h.of(len(j.runs)), policy.EventKind(int(policy.Finished)+h.of(4)))
	case k == 11:
		h.obey()
	case k == 12:
		h.close(j, policy.Cancelled)
	case k == 13:
		h.forge(j)
	}
}

// forge tells the Advisor what cannot be.
func (h *asker) forge(j *advisedJob) {
	job := policy.Copy{Task: policy.Task{Job: j.spec.ID}}
	unknown := policy.Copy{Task: policy.Task{Job: h.made + 1}}
	nowhere := policy.Copy{Task: policy.Task{Job: j.spec.ID, Stage: 9}}
	untried := policy.Copy{Task: job.Task, N: 77}
	events := []policy.Event{
		{}, {Kind: 99}, {Kind: policy.Submitted, Copy: job, Job: j.spec}, {Kind: policy.Submitted, Copy: unknown}, {Kind: policy.Ready, Copy: job},
		{Kind: policy.Ready, Copy: nowhere}, {Kind: policy.Ended, Copy: unknown, Outcome: policy.Done}, {Kind: policy.Started, Copy: unknown, Node: 1},
		{Kind: policy.Started, Copy: nowhere, Node: 1}, {Kind: policy.Started, Copy: job, Node: 9}, {Kind: policy.Refused, Copy: untried},
		{Kind: policy.Finished, Copy: untried}, {Kind: policy.Suspended, Copy: untried}, {Kind: policy.Progress, Copy: untried, Value: 2},
		{Kind: policy.Joined, Node: 9}, {Kind: policy.Left, Node: 9}, {Kind: policy.Woken, Time: h.now - 1},
		{Kind: policy.Started, Copy: untried, Node: 1, Service: -1},
	}
	if len(j.runs) > 0 {
		r := j.runs[h.of(len(j.runs))]
		events = append(events, policy.Event{Kind: policy.Started, Copy: r.copy, Node: r.node}, policy.Event{Kind: policy.Finished, Copy: r.copy, Again: true},
			policy.Event{Kind: policy.Killed, Copy: r.copy, Node: r.node%3 + 1}, policy.Event{Kind: policy.Killed, Copy: r.copy, Gang: []policy.Share{{Node: r.node, Tasks: 9}}},
			policy.Event{Kind: policy.Ended, Copy: job, Outcome: policy.Done},
			policy.Event{Kind: policy.Left, Node: r.node}, policy.Event{Kind: policy.Joined, Node: r.node, Info: &h.nodes[r.node]})
	}
	for g := range h.advisor.Grants(j.spec.ID) {
		events = append(events, policy.Event{Kind: policy.Refused, Copy: g.Copy, Service: -1}, policy.Event{Kind: policy.Started, Copy: g.Copy, Node: 1, Service: -1})
	}
	ev := events[h.of(len(events))]
	if ev.Time == 0 {
		ev.Time = h.now
	}
	before := h.state()
	if err := h.advisor.Observe(&ev); err == nil {
		h.t.Fatalf("no error for %+v", ev)
	} else if after := h.state(); after != before {
		h.t.Fatalf("%v, for %+v, but the Advisor has changed:\n%s\nbefore:\n%s", err, ev, after, before)
	}
}

// state writes what the policy knows and what the Advisor answers.
func (h *asker) state() string {
	var b strings.Builder
	b.WriteString(jobtest.Dump(h.policy))
	for id := range h.made + 2 {
		ok, again := h.advisor.Admit(id)
		fmt.Fprintf(&b, "\n%d: %v %v %v", id, ok, again, slices.Collect(h.advisor.Grants(id)))
		for n := range policy.NodeID(5) {
			fmt.Fprintf(&b, " %v", h.advisor.Score(id, n))
		}
	}
	at, some := h.advisor.Alarm()
	fmt.Fprintf(&b, "\n%v %v", at, some)
	return b.String()
}

// look holds the answers of the Advisor to one another.
func (h *asker) look() {
	for _, j := range h.jobs {
		id, grants := j.spec.ID, 0
		for g := range h.advisor.Grants(id) {
			grants++
			if g.Copy.Job != id || j.done[g.Copy.Stage][g.Copy.Index] {
				h.t.Fatalf("job %d is granted %v, which is not its, or done", id, g.Copy)
			}
			if slices.ContainsFunc(j.runs, func(r advisedCopy) bool { return r.copy.Task == g.Copy.Task }) {
				h.t.Fatalf("job %d is granted %v, of whose task a copy runs", id, g.Copy)
			}
		}
		if ok, again := h.advisor.Admit(id); ok != (grants > 0) || again < 0 || ok && again != 0 {
			h.t.Fatalf("Admit(%d) = %v, %v with %d grants", id, ok, again, grants)
		}
		for n := range policy.NodeID(5) {
			if x := h.advisor.Score(id, n); !(x >= 0 && x <= 1) {
				h.t.Fatalf("Score(%d, %d) = %v, want 0 to 1", id, n, x)
			}
		}
		for _, k := range h.jobs {
			x, y := h.advisor.Compare(id, k.spec.ID), h.advisor.Compare(k.spec.ID, id)
			if cmp.Compare(x, 0) != -cmp.Compare(y, 0) || (x == 0) != (j == k) {
				h.t.Fatalf("Compare(%d, %d) = %d, and the other way round %d", id, k.spec.ID, x, y)
			}
		}
	}
}

// finish carries out all that is granted until all jobs are done.
func (h *asker) finish() {
	for id := range policy.NodeID(3) {
		h.join(id + 1)
	}
	for idle := 0; len(h.jobs) > 0; {
		h.obey()
		progress := false
		for _, j := range slices.Clone(h.jobs) {
			progress = h.answer(j, true) || progress
		}
		h.look()
		if progress {
			idle++
		}
		for _, j := range slices.Clone(h.jobs) {
			for i := range j.runs {
				if !j.runs[i].stands {
					h.end(j, i, policy.Finished)
					idle = 0
					break
				}
			}
		}
		at, some := h.advisor.Alarm()
		if h.now = h.now.Add(1e9); some {
			h.now = max(h.now, at)
		}
		h.tell(policy.Event{Kind: policy.Woken})
		if idle++; idle > 200 {
			h.t.Fatalf("job %d of %d that are left is never done: nothing has ended in %d rounds", h.jobs[0].spec.ID, len(h.jobs), idle)
		}
	}
}
