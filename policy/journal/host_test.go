package journal_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

// The host of the Example keeps the contract while it is killed at any moment, while starts fail, and while it begins
// its journal anew.

// A watch has what a checker has seen: all that the policies of a host were told, one after the other.
type watch struct {
	checker  *sim.Checker
	seen     int  // events since the journal began
	renewing bool // the next policy is told the present state
}

// policy returns a policy that is told what the checker has seen of the journal, if anything, and then is watched.
func (w *watch) policy() policy.Scheduler {
	if w.renewing {
		w.checker.Restart()
		w.seen, w.renewing = 0, false
	}
	return &watched{w, baseline.NewFIFO(), w.seen}
}

type watched struct {
	*watch
	fifo policy.Scheduler
	skip int
}

func (w *watched) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if w.skip > 0 {
		w.skip--
		return w.fifo.Step(ev, actions)
	}
	w.seen++
	if err := w.checker.Event(0, ev); err != nil {
		return actions, err
	}
	before := len(actions)
	actions, err := w.fifo.Step(ev, actions)
	if err != nil {
		return actions, err
	}
	for i := range actions[before:] {
		if err := w.checker.Action(0, ev.Time, &actions[before+i]); err != nil {
			return actions[:before], err
		}
	}
	return actions, nil
}

// A deadly machine kills its host now and then, just before or just after it starts something, and has no room now
// and then.
type deadly struct {
	rng          *rand.Rand
	started      map[policy.Copy]bool
	over         map[policy.Copy]bool
	asked        int // to start something
	deaths, full int
}

type death struct{}

func (m *deadly) start(c policy.Copy) error {
	m.asked++
	die := m.rng.IntN(8)
	if die == 0 {
		m.deaths++
		panic(death{})
	}
	if !m.started[c] && m.rng.IntN(4) == 0 {
		m.full++
		return errors.New("no room")
	}
	m.started[c] = true
	if die == 1 {
		m.deaths++
		panic(death{})
	}
	return nil
}

// left returns the name of what is left when a host is killed, which its process, that of the test, still has open.
func left(t *testing.T, name string) string {
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return name
	}
	name = filepath.Join(t.TempDir(), "events")
	if err := errors.Join(err, os.WriteFile(name, b, 0o600)); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestHostOfTheExample(t *testing.T) {
	defer func(p func() policy.Scheduler) { newPolicy = p }(newPolicy)
	const most = 30
	deaths, full, renewed, jobs := 0, 0, 0, 0
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m := &deadly{rng: rng, started: make(map[policy.Copy]bool), over: make(map[policy.Copy]bool)}
		w := &watch{checker: sim.NewChecker()}
		newPolicy = w.policy
		name := filepath.Join(t.TempDir(), "events")
		var h *host
		// alive does something that the host may not live through.
		alive := func(do func() error) {
			defer func() {
				if r := recover(); r != nil {
					if _, ok := r.(death); !ok {
						panic(r)
					}
					h = nil
				}
			}()
			if err := do(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		for steps, submitted := 0, 0; ; steps++ {
			for h == nil {
				name = left(t, name)
				alive(func() (err error) { h, err = open(name, m); return err })
			}
			if int(h.Next) != submitted+1 {
				t.Fatalf("seed %d: the next job is %d, want %d", seed, h.Next, submitted+1)
			}
			if submitted == most && len(h.jobs) == 0 {
				break
			}
			if steps > 1000 {
				t.Fatalf("seed %d: %d jobs do not end", seed, len(h.jobs))
			}
			switch what := rng.IntN(10); {
			case what < 2 && submitted < most:
				submitted++
				alive(func() error { return h.submit(1 + rng.Uint32N(4)) })
			case what == 2:
				renewed++
				w.renewing = true
				alive(h.renew)
			case what == 3:
				h = nil
			case h.refused:
				asked := m.asked
				if alive(h.retry); h != nil && len(h.running) == 0 && m.asked == asked {
					t.Fatalf("seed %d: what was refused is not tried again", seed)
				}
			}
			for h != nil && len(h.running) > 0 && rng.IntN(3) == 0 {
				for c := range h.running { // there is one
					if !m.started[c] || m.over[c] {
						t.Fatalf("seed %d: %v runs, but was not started, or has finished", seed, c)
					}
					m.over[c] = true
					alive(func() error { return h.finish(c) })
				}
			}
		}
		if err := w.checker.Done(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if err := h.journal.Close(); err != nil {
			t.Error(err)
		}
		for c := range m.started {
			if !m.over[c] {
				t.Errorf("seed %d: %v was started and never finished", seed, c)
			}
		}
		deaths, full, jobs = deaths+m.deaths, full+m.full, jobs+most
	}
	t.Logf("%d jobs: the host was killed %d times, %d starts failed, the journal began anew %d times", jobs, deaths, full, renewed)
	if deaths < 20 || full < 20 || renewed < 20 {
		t.Error("these are too few")
	}
}
