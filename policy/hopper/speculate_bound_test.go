package hopper_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

// mostCopies is how many copies of a task each of speculators lets run at once.
var mostCopies = map[string]int{"Simple": 2, "LATE": 2, "Mantri": 3, "GS": 16, "RAS": 16, "GRASS": 16}

// stragglerCopies runs a job on 1,000 cores: others tasks finish after a service of runtime, and every copy of one
// more would run for 10 hours. It returns the largest number of copies of that one which run at once in 100 periods.
func stragglerCopies(t *testing.T, s setting, others uint32, runtime policy.Duration) int {
	t.Helper()
	h := newHost(t, 1000, s)
	h.submit(1, []policy.Stage{{Tasks: others + 1, Cores: 1}}, false)
	live := map[uint32]policy.Time{} // when each copy of the straggler started, by its number
	var order []uint32
	most := 0
	carryOut := func() {
		t.Helper()
		for actions := h.actions; len(actions) > 0; actions = actions[1:] {
			switch a := actions[0]; {
			case a.Kind == policy.Kill:
				delete(live, a.Copy.N)
				h.copy(policy.Killed, a.Copy, policy.Duration(h.now), false)
			case a.Kind == policy.Start && a.Copy.Index == others:
				live[a.Copy.N] = h.now
				order = append(order, a.Copy.N)
				most = max(most, len(live))
				h.copy(policy.Started, a.Copy, 0, false)
			case a.Kind == policy.Start:
				h.copy(policy.Started, a.Copy, 0, false)
			default:
				continue // a Report, which comes at every period anyway
			}
			actions = append(actions, h.actions...)
		}
	}
	carryOut()
	h.now += policy.Time(runtime)
	for i := range others {
		h.copy(policy.Finished, copyOf(1, i, 0), runtime, false)
		carryOut()
	}
	for range 100 {
		h.now += policy.Time(s.Period)
		for i, n := range order {
			if began, ok := live[n]; ok {
				service := policy.Duration(h.now - began)
				h.step(policy.Event{
					Kind: policy.Progress, Copy: copyOf(1, others, n), Node: 1, Service: service, Value: service.Hours() / 10,
				}, i < len(order)-1)
			}
		}
		carryOut()
	}
	return most
}

// One task that takes long among tasks that take no time, or little, has no more copies at once than the rule's
// comment says, however many cores are free.
func TestSchedulerBoundsCopies(t *testing.T) {
	for name, rule := range speculators(t) {
		for _, s := range allocators(rule, 3*time.Second, 0.1)[:2] {
			for _, tt := range []struct {
				name    string
				others  uint32
				runtime policy.Duration
			}{{"one task of 0 s", 1, 0}, {"tasks of 0 s", 50, 0}, {"tasks of 1 s", 50, time.Second}} {
				if got, most := stragglerCopies(t, s, tt.others, tt.runtime), mostCopies[name]; got > most || got < 2 {
					t.Errorf("%s, %s, %s: a task has %d copies at once, want 2 to %d", name, s.name, tt.name, got, most)
				}
			}
		}
	}
}

// Whatever a Tracker hears, among it services, progress and runtimes of 0, no rule wants more copies of a task than its
// comment says, nor two at one instant: the first one counts at once.
func TestRulesBoundCopies(t *testing.T) {
	spans := []policy.Duration{1, time.Second, 3 * time.Second, 0, 0, time.Hour, math.MaxInt64}
	shares := []float64{0, math.SmallestNonzeroFloat64, 1e-12, 0.5, 1}
	for name, rule := range speculators(t) {
		reached := 0
		for seed := range uint64(300) {
			rng := rand.New(rand.NewPCG(seed, 25))
			spans, shares := spans, shares
			if seed%2 == 1 { // all tasks are slow, and have as many copies as they may
				spans, shares = spans[:3], shares[:3]
			}
			span := func() policy.Duration { return spans[rng.IntN(len(spans))] }
			share := func() float64 { return shares[rng.IntN(len(shares))] }
			var tracker hopper.Tracker
			must := func(err error) {
				if err != nil {
					t.Fatal(err)
				}
			}
			copies := map[uint32]map[uint32]bool{} // that run, by task and number
			var now policy.Time
			started := uint32(0)
			start := func(task uint32) {
				if copies[task] == nil {
					copies[task] = map[uint32]bool{}
				}
				copies[task][started] = true
				must(tracker.Start(now, task, started, 0))
				started++
			}
			tasks := 1 + rng.Uint32N(4)
			for task := range tasks {
				start(task)
			}
			for range 60 {
				now += policy.Time(rng.IntN(3)) * 3 * second
				for task := range tasks {
					for n := range started {
						if copies[task][n] && rng.IntN(4) > 0 {
							must(tracker.Report(now, task, n, span(), share()))
						}
					}
				}
				if rng.IntN(4) == 0 {
					must(tracker.Finish(tasks, span())) // a task that is none of these
				}
				waiting, left := rng.IntN(3), float64(rng.IntN(2)*rng.IntN(10))
				copied := map[uint32]bool{} // at this instant
				for {
					p := tracker.Phase(now, waiting, 1+rng.IntN(10))
					p.Left = left
					move, ok := rule.Next(p, hopper.Room{Slots: 1000})
					if !ok {
						break
					}
					if move.Kind == hopper.Duplicate {
						if copied[move.Task] {
							t.Fatalf("%s, seed %d: two copies of task %d at %v", name, seed, move.Task, now)
						}
						copied[move.Task] = true
						start(move.Task)
					} else {
						delete(copies[move.Task], move.Copy)
						tracker.End(move.Task, move.Copy)
					}
					if move.Kind == hopper.Restart {
						tracker.Restarted(move.Task)
						start(move.Task)
					}
					if got, most := len(copies[move.Task]), mostCopies[name]; got > most {
						t.Fatalf("%s, seed %d: %d copies of task %d at once, want at most %d", name, seed, got, move.Task, most)
					} else if got == most {
						reached++
					}
				}
			}
		}
		if reached == 0 {
			t.Errorf("%s: no task had %d copies", name, mostCopies[name])
		}
	}
}

// If the host says t_new, the copy that has just started runs for that too, whatever the mean of the finished tasks
// is, or if there is none: one Step starts at most one more copy of a task.
func TestSchedulerExpectedBoundsCopies(t *testing.T) {
	for name, rule := range speculators(t) {
		for _, expected := range []float64{0, 1, 15} {
			for _, tt := range []struct {
				name    string
				runtime policy.Duration // of the other task; 0: it runs, too
			}{{"nothing finished", 0}, {"mean 20 s", 20 * time.Second}, {"mean 10 ms", 10 * time.Millisecond}} {
				c := hopper.DefaultConfig()
				c.Rule, c.Expected = rule, func(policy.Task) float64 { return expected }
				h := newHost(t, 100, setting{Config: c})
				h.submit(1, []policy.Stage{{Tasks: 2, Cores: 1}}, false)
				h.copy(policy.Started, copyOf(1, 0, 0), 0, true)
				h.copy(policy.Started, copyOf(1, 1, 0), 0, false)
				if tt.runtime > 0 {
					h.now = policy.Time(tt.runtime)
					h.copy(policy.Finished, copyOf(1, 1, 0), tt.runtime, false)
				}
				for n := range 3 {
					h.now = policy.Time(21+3*n) * second
					starts := map[uint32]int{}
					for range 2 { // the second report says nothing new
						h.step(policy.Event{
							Kind: policy.Progress, Copy: copyOf(1, 0, 0), Node: 1, Service: policy.Duration(h.now), Value: 0.01,
						}, false)
						for _, a := range h.actions {
							if a.Kind == policy.Start {
								starts[a.Copy.Index]++
							}
						}
					}
					for task, started := range starts {
						if started > 1 {
							t.Errorf("%s, t_new %v s, %s: %d copies of task %d at %v s, want at most one",
								name, expected, tt.name, started, task, h.now.Seconds())
						}
					}
					if name == "GS" && n == 0 && starts[0] == 0 {
						t.Errorf("%s, t_new %v s, %s: no copy of task 0", name, expected, tt.name)
					}
				}
			}
		}
	}
}

// endless always wants another copy of the first task that runs.
type endless struct{}

func (endless) Next(p *hopper.Phase, _ hopper.Room) (hopper.Move, bool) {
	return hopper.Move{Task: p.Running[0].Task}, true
}

// A rule without a bound has 64 copies of a task at most.
func TestSchedulerBoundsEndlessRule(t *testing.T) {
	for _, s := range allocators(endless{}, 3*time.Second, 0.1)[:2] {
		if got := stragglerCopies(t, s, 1, time.Second); got != 64 {
			t.Errorf("%s: a task has %d copies at once, want 64", s.name, got)
		}
	}
}
