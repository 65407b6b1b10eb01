package journal

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// A stopper starts the task of job 1, kills its first copy with Save at 4 s, and starts the next one.
type stopper struct {
	runs, ready, stopped bool
	copy                 policy.Copy // that runs, or is to run
}

func (p *stopper) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	starts := ev.Kind == policy.Restored && !p.runs && p.ready
	switch {
	case ev.Kind == policy.Submitted:
		p.copy = ev.Copy
	case ev.Kind == policy.Ready:
		p.ready, starts = true, !ev.Replay
	case ev.Kind == policy.Started:
		p.runs, p.copy = true, ev.Copy
	case ev.Kind.End() && ev.Again: // after a Refused it waits for a restart
		p.runs, p.copy, starts = false, policy.Copy{Task: ev.Copy.Task, N: ev.Copy.N + 1}, !ev.Replay
	case ev.Kind.End():
		p.ready = false
	case ev.Kind == policy.Woken && p.runs && p.copy.N == 0 && !p.stopped:
		p.stopped = true
		actions = append(actions, policy.Action{Kind: policy.Kill, Copy: p.copy, Save: true})
	}
	if starts {
		actions = append(actions, policy.Action{Kind: policy.Start, Copy: p.copy, Node: 1})
	}
	if ev.Kind == policy.Started && !ev.Replay || ev.Kind == policy.Restored {
		actions = append(actions, policy.Action{Kind: policy.Wake, At: policy.Time(4 * time.Second)})
	}
	return actions, nil
}

// A saver is a machine of one core. A copy of the task takes 10 s, to save it 2 s, to reload it 1 s. It goes on while its host
// is down.
type saver struct {
	now    policy.Time
	copy   policy.Copy
	state  string          // of the copy: "", reloads, works, saves
	due    policy.Time     // when that changes
	done   policy.Duration // by the copy, and before
	saved  policy.Duration
	worked policy.Duration // in all
	news   []policy.Event  // that a host may not have heard
}

func (m *saver) says(kind policy.EventKind) {
	ev := policy.Event{Kind: kind, Time: m.now, Copy: m.copy, Node: 1, Service: m.done}
	if kind == policy.Killed {
		ev.Saved, ev.Again = m.saved, true
	}
	m.news = append(m.news, ev)
}

// do carries out an order, as often as it is asked.
func (m *saver) do(o *Order) {
	begun := false
	for i := range m.news {
		begun = begun || m.news[i].Copy == o.Copy
	}
	switch {
	case o.Kind == policy.Start && !begun:
		m.copy, m.state, m.done, m.due = o.Copy, "works", m.saved, m.now.Add(10*time.Second-m.saved)
		if m.saved > 0 {
			m.state, m.due = "reloads", m.now.Add(time.Second)
		}
		m.says(policy.Started)
	case o.Kind == policy.Kill && m.state == "works" && m.copy == o.Copy:
		m.state, m.due = "saves", m.now.Add(2*time.Second)
	}
}

// passes lets time pass.
func (m *saver) passes(to policy.Time) {
	for m.state != "" && m.due <= to {
		m.works(m.due)
		switch m.state {
		case "reloads":
			m.state, m.due = "works", m.due.Add(10*time.Second-m.done)
		case "works":
			m.state = ""
			m.says(policy.Finished)
		case "saves":
			m.settle()
		}
	}
	m.works(to)
}

// settle ends a copy that is being saved.
func (m *saver) settle() {
	if m.state == "saves" {
		m.saved, m.state = m.done, ""
		m.says(policy.Killed)
	}
}

func (m *saver) works(to policy.Time) {
	if m.state == "works" {
		m.done += to.Sub(m.now)
		m.worked += to.Sub(m.now)
	}
	m.now = to
}

// A requeuer is one life of a host of the machine: it dies after some steps.
type requeuer struct {
	m      *saver
	j      *Journal
	left   int // steps
	ledger Ledger
	check  *check.Checker
	heard  map[string]bool
}

var errDied = errors.New("it died")

// dies reports whether it dies now.
func (h *requeuer) dies() bool { h.left--; return h.left < 0 }

func key(ev *policy.Event) string { return fmt.Sprint(ev.Kind, ev.Copy) }

// heed takes note of what the policy was told.
func (h *requeuer) heed(_ policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	h.heard[key(ev)] = true
	err := h.check.Event(0, ev)
	for i := range actions {
		if err == nil {
			err = h.check.Action(0, ev.Time, &actions[i])
		}
	}
	return err
}

// tell tells the policy of an event, unless it has heard it. It may die before that is synced, and after.
func (h *requeuer) tell(ev policy.Event) error {
	if ev.Kind != policy.Woken && h.heard[key(&ev)] {
		return nil
	}
	ev.Time = max(ev.Time, h.m.now, h.j.last)
	actions, err := h.j.Step(0, &ev, nil)
	if err == nil {
		err = h.heed(0, &ev, actions)
	}
	if err == nil && h.dies() {
		return errDied
	}
	if err == nil {
		err = h.j.Sync()
	}
	if err == nil && h.dies() {
		err = errDied
	}
	return err
}

// state is what the host tells first, in a replay or not.
func (h *requeuer) state() []policy.Event {
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1, Saves: true, Reload: time.Second}}}
	of := policy.Copy{Task: policy.Task{Job: 1}}
	return []policy.Event{
		{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}},
		{Kind: policy.Submitted, Copy: of, Job: job}, {Kind: policy.Ready, Copy: of},
	}
}

// lives goes through the life of a host: it tells what has happened, and carries out what it owes.
func (h *requeuer) lives(f *memory, renew bool) error {
	h.check, h.heard = check.New(), make(map[string]bool)
	var err error
	if h.j, err = open(f, Config{New: func(map[string][]byte) (policy.Scheduler, error) { return new(stopper), nil }, Replayed: h.heed, Ledger: &h.ledger}); err != nil {
		return err
	}
	begin := h.state()
	for i := range begin {
		if err := h.tell(begin[i]); err != nil {
			return err
		}
	}
	for {
		for i := 0; i < len(h.m.news); i++ {
			if err := h.tell(h.m.news[i]); err != nil {
				return err
			}
		}
		if n := len(h.m.news); n > 0 && h.m.news[n-1].Kind == policy.Finished {
			return h.tell(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Outcome: policy.Done})
		}
		if o, ok := h.ledger.Next(); ok && renew && o.Kind == policy.Start { // what is under way is settled
			if err := h.tell(policy.Event{Kind: policy.Refused, Copy: o.Copy, Again: true}); err != nil {
				return err
			}
			continue
		} else if ok {
			h.m.do(&o)
			if h.dies() {
				return errDied
			}
			continue
		}
		if renew && h.m.state == "saves" {
			h.m.settle()
			continue
		}
		if renew {
			renew = false
			if err := h.renews(); err != nil {
				return err
			}
			continue
		}
		to := policy.Never
		if h.m.state != "" {
			to = h.m.due
		}
		_, at, rings := h.ledger.Alarm()
		if rings = rings && at <= to; rings {
			to = max(at, h.m.now)
		}
		h.m.passes(to)
		if rings {
			if err := h.tell(policy.Event{Kind: policy.Woken}); err != nil {
				return err
			}
		}
	}
}

// renews begins a new journal with the present state: what runs, or what has ended and waits, with what is saved.
func (h *requeuer) renews() error {
	h.check.Restart()
	told := append(h.state(), policy.Event{Kind: policy.Restored})
	if n := len(h.m.news); n > 0 {
		last := h.m.news[n-1]
		last.Service = h.m.done
		told = append(told[:3], last, told[3])
	}
	return h.j.Renew(func(next *Journal) error {
		for i := range told {
			ev := &told[i]
			ev.Time, ev.Replay = max(h.m.now, h.j.last), ev.Kind != policy.Restored
			actions, err := next.Step(0, ev, nil)
			if err == nil {
				err = h.heed(0, ev, actions)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// A host dies at each step from the begin of a task over Kill with Save to its end, and another one goes on, with its
// journal or with a new one: the task goes on from what was saved, and none of its work is lost or done twice.
func TestHostDiesAmidSaves(t *testing.T) {
	for _, renew := range []bool{false, true} {
		for _, down := range []policy.Duration{0, 3 * time.Second} {
			waited := 0
			for steps := 0; ; steps++ {
				m, f := new(saver), new(memory)
				first := &requeuer{m: m, left: steps}
				err := first.lives(f, false)
				if err == nil {
					if steps < 20 {
						t.Errorf("it lives for %d steps, want at least 20", steps)
					}
					break
				}
				if !errors.Is(err, errDied) {
					t.Fatalf("after %d steps: %v", steps, err)
				}
				f.b = f.b[:f.synced]
				m.passes(m.now.Add(down))
				if m.state == "" && m.saved > 0 {
					waited++
				}
				second := &requeuer{m: m, left: 1 << 30}
				if err := second.lives(f, renew); err != nil {
					t.Fatalf("died after %d steps, down for %v, renewed %v: %v", steps, down, renew, err)
				}
				if m.worked != 10*time.Second || m.copy.N != 1 || m.saved == 0 {
					t.Errorf("died after %d steps, down for %v, renewed %v: %v of work in %d copies, %v saved, want 10 s in 2 and some", steps, down, renew, m.worked, m.copy.N+1, m.saved)
				}
			}
			if waited == 0 {
				t.Error("no host died while a task waited of which something was saved")
			}
		}
	}
}
