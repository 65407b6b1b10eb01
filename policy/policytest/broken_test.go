package policytest_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/policytest"
)

// A wrapper is a policy around another one, mostly FIFO, that breaks one rule.
type wrapper func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error)

func (w wrapper) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return w(ev, actions)
}

// broken makes policies that break a rule, each around a FIFO of its own.
func broken(breaks func(fifo policy.Scheduler) wrapper) policytest.Config {
	return policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return breaks(baseline.NewFIFO()), nil }}
}

// hears makes policies whose FIFO is told what change makes of an event.
func hears(change func(ev *policy.Event)) policytest.Config {
	return broken(func(fifo policy.Scheduler) wrapper {
		var own policy.Event
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			own = *ev
			change(&own)
			return fifo.Step(&own, actions)
		}
	})
}

// also makes policies that do more than FIFO wants, at an event that is not an error;
// more gets what FIFO wants.
func also(more func(ev *policy.Event, actions []policy.Action) []policy.Action) policytest.Config {
	return broken(func(fifo policy.Scheduler) wrapper {
		var wants []policy.Action
		return func(ev *policy.Event, actions []policy.Action) (_ []policy.Action, err error) {
			wants, err = fifo.Step(ev, wants[:0])
			if err != nil {
				return actions, err
			}
			wants = more(ev, wants)
			return append(actions, wants...), nil
		}
	})
}

// pick makes policies that serve the jobs in an order of their own.
func pick(order func(jobs []policy.JobID, ev *policy.Event)) policytest.Config {
	return policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		var view policy.View[struct{}]
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if _, err := view.Observe(ev); err != nil || !view.Decide(ev) {
				return actions, err
			}
			var jobs []policy.JobID
			for id := range view.Jobs() {
				jobs = append(jobs, id)
			}
			order(jobs, ev)
			for _, id := range jobs {
				for j := view.Job(id); view.Fits(j); {
					actions = append(actions, view.Start(j, 0))
				}
			}
			return actions, nil
		}), nil
	}, Allocates: true}
}

// onNodes makes distributed policies whose parts do more than they should.
func onNodes(more func(p *assigner, n policy.NodeID, ev *policy.Event, actions []policy.Action) []policy.Action) policytest.Config {
	return policytest.Config{Prepare: bags, Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
		p := newAssigner()
		p.part = func(q *queued) policy.Scheduler {
			return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
				wants, err := q.Step(ev, nil)
				return append(actions, more(p, q.id, ev, wants)...), err
			})
		}
		return p, nil
	}}
}

// everywhere are the groups of cases that run the simulator.
var everywhere = []string{"stories", "random", "faults", "restarts", "allocs"}

var shared int // between policies that should not share anything

// sink keeps the compiler from leaving an allocation out.
var sink []byte

// brokenPolicies break one rule each. The suite says which, and no other.
var brokenPolicies = []struct {
	name string
	c    policytest.Config
	rule string
	says string   // part of the failure's text
	in   []string // the groups of cases that find it
}{
	{"starts each task twice", also(func(_ *policy.Event, actions []policy.Action) []policy.Action {
		return append(actions, actions...)
	}), "P1", "was used before", everywhere},

	{"starts before Ready", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Submitted && !ev.Replay {
			actions = append(actions, policy.Action{Kind: policy.Start, Copy: ev.Copy})
		}
		return actions
	}), "P1", "not ready", everywhere},

	{"starts what ran before the restart", hears(func(ev *policy.Event) {
		if ev.Replay && ev.Kind != policy.Joined && ev.Kind != policy.Submitted && ev.Kind != policy.Ready {
			*ev = policy.Event{Time: ev.Time, Kind: policy.Woken, Replay: true}
		}
	}), "P1", "", []string{"stories", "restarts"}},

	{"starts on a node of its dreams", also(func(_ *policy.Event, actions []policy.Action) []policy.Action {
		for i := range actions {
			actions[i].Node = 1000
		}
		return actions
	}), "P2", "never joined", everywhere},

	{"kills what it never started", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Failed {
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: policy.Copy{Task: ev.Copy.Task, N: 1000}})
		}
		return actions
	}), "P3", "no Start", []string{"stories", "faults", "restarts"}},

	{"answers Refused with another Start", broken(func(fifo policy.Scheduler) wrapper {
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			actions, err := fifo.Step(ev, actions)
			if err == nil && ev.Kind == policy.Refused && !ev.More {
				actions, err = fifo.Step(&policy.Event{Time: ev.Time, Kind: policy.Woken}, actions)
			}
			return actions, err
		}
	}), "P4", "", everywhere},

	{"starts without a look at what is free", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		var view policy.View[struct{}]
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			j, err := view.Observe(ev)
			for err == nil && j != nil && j.Waiting > 0 && !ev.Replay {
				actions = append(actions, view.Start(j, 0))
			}
			return actions, err
		}), nil
	}}, "P4", "circle", everywhere},

	{"a part starts a task elsewhere", onNodes(func(_ *assigner, _ policy.NodeID, _ *policy.Event, actions []policy.Action) []policy.Action {
		for i := range actions {
			actions[i].Node = 1
		}
		return actions
	}), "P5", "on node 1", []string{"stories", "random", "faults", "restarts"}},

	{"acts in a replay", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Replay && ev.Kind == policy.Joined {
			actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time + 1})
		}
		return actions
	}), "P6", "during a replay", []string{"stories", "restarts"}},

	{"sends NaN", onNodes(func(_ *assigner, _ policy.NodeID, ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Joined && !ev.Replay {
			actions = append(actions, policy.Action{Kind: policy.Post, Msg: policy.Msg{Value: math.NaN()}})
		}
		return actions
	}), "P7", "NaN", []string{"stories", "random", "faults", "restarts"}},

	{"forgets lost tasks", hears(func(ev *policy.Event) { ev.Again = ev.Again && ev.Kind != policy.Lost }),
		"finish", "never finished", []string{"stories", "faults", "restarts"}},
	{"forgets failed tasks", hears(func(ev *policy.Event) { ev.Again = ev.Again && ev.Kind != policy.Failed }),
		"finish", "never finished", []string{"stories", "faults", "restarts"}},
	{"forgets refused tasks", hears(func(ev *policy.Event) { ev.Again = ev.Again && ev.Kind != policy.Refused }),
		"finish", "never finished", everywhere},
	{"forgets after a restart what was lost before", hears(func(ev *policy.Event) { ev.Again = ev.Again && !ev.Replay }),
		"finish", "never finished", []string{"stories", "restarts"}},
	{"does not see nodes that come back", func() policytest.Config {
		return broken(func(fifo policy.Scheduler) wrapper {
			gone := map[policy.NodeID]bool{}
			return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
				if ev.Kind == policy.Left {
					gone[ev.Node] = true
				}
				if ev.Kind == policy.Joined && gone[ev.Node] && ev.Info != nil {
					own := *ev
					own.Info = new(*ev.Info)
					own.Info.Cores = 1
					ev = &own
				}
				return fifo.Step(ev, actions)
			}
		})
	}(), "finish", "never finished", []string{"stories", "faults", "restarts"}},
	{"waits for an event when More was not set", hears(func(ev *policy.Event) { ev.More = ev.More || ev.Kind == policy.Ready }),
		"finish", "never finished", []string{"stories", "random", "restarts", "allocs"}},
	{"sleeps and sleeps", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		var view policy.View[struct{}]
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			_, err := view.Observe(ev)
			if err == nil && !ev.Replay {
				actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time.Add(time.Hour)})
			}
			return actions, err
		}), nil
	}}, "finish", "never finished", everywhere},
	{"gives jobs up", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Failed {
			actions = append(actions, policy.Action{Kind: policy.GiveUp, Copy: ev.Copy})
		}
		return actions
	}), "finish", "given up", []string{"stories", "faults", "restarts"}},

	{"refuses gangs", broken(func(fifo policy.Scheduler) wrapper {
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if len(ev.Gang) > 0 {
				return actions, errors.New("no gangs here")
			}
			return fifo.Step(ev, actions)
		}
	}), "legal", "no gangs here", []string{"stories", "random", "faults", "restarts"}},
	{"panics when a job is taken back", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Outcome == policy.Cancelled {
			panic("what now?")
		}
		return actions
	}), "legal", "what now?", []string{"stories", "faults", "restarts"}},

	{"panics at unknown jobs", broken(func(fifo policy.Scheduler) wrapper {
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			actions, err := fifo.Step(ev, actions)
			if err != nil {
				panic(err)
			}
			return actions, nil
		}
	}), "illegal", "it panicked", []string{"illegal"}},
	{"acts on what it has called an error", broken(func(fifo policy.Scheduler) wrapper {
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			actions, err := fifo.Step(ev, actions)
			if err != nil {
				actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time + 1})
			}
			return actions, err
		}
	}), "illegal", "it answers", []string{"illegal"}},
	{"takes note before it looks", broken(func(fifo policy.Scheduler) wrapper {
		seen := 0
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			seen++
			n := len(actions)
			actions, err := fifo.Step(ev, actions)
			if len(actions) > n {
				actions = append(actions, policy.Action{Kind: policy.Report, Copy: actions[n].Copy, At: ev.Time.Add(time.Duration(seen))})
			}
			return actions, err
		}
	}), "illegal", "once it had been told", []string{"illegal"}},

	{"draws from the global generator", pick(func(jobs []policy.JobID, _ *policy.Event) {
		rand.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	}), "repeat", "did not give the same actions", []string{"repeat"}},
	{"goes by the order of a map", pick(func(jobs []policy.JobID, _ *policy.Event) {
		set := map[policy.JobID]bool{}
		for _, id := range jobs {
			set[id] = true
		}
		jobs = jobs[:0]
		for id := range set {
			jobs = append(jobs, id)
		}
	}), "repeat", "did not give the same actions", []string{"repeat"}},
	{"shares a variable with its like", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		shared = 0
		c := pick(func(jobs []policy.JobID, _ *policy.Event) {
			shared++
			if shared%2 == 0 {
				slices.Reverse(jobs)
			}
		})
		return c.New(nil)
	}, Allocates: true}, "repeat", "disturb one another", []string{"repeat"}},

	{"reads the clock", pick(func(jobs []policy.JobID, _ *policy.Event) {
		if time.Now().Unix()%2 == 0 {
			slices.Reverse(jobs)
		}
	}), "clock", "if the clock goes on", []string{"clock"}},
	{"goes by the hour of the day", pick(func(jobs []policy.JobID, _ *policy.Event) {
		if time.Now().UTC().Hour() >= 8 {
			slices.Reverse(jobs)
		}
	}), "clock", "if the clock goes on", []string{"clock"}},

	{"a part that reads the books of the centre", onNodes(func(p *assigner, n policy.NodeID, ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Finished {
			actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time.Add(time.Duration(p.turn))})
		}
		return actions
	}), "parts", "the part on node", []string{"parts"}},
	{"a centre that hears of nodes from their parts", onNodes(func(p *assigner, n policy.NodeID, ev *policy.Event, actions []policy.Action) []policy.Action {
		p.turn += int(n)
		return actions
	}), "parts", "the centre", []string{"parts"}},

	{"starts a goroutine for each step", also(func(_ *policy.Event, actions []policy.Action) []policy.Action {
		done := make(chan bool)
		go close(done)
		<-done
		return actions
	}), "goroutines", "were started", []string{"goroutines"}},
	{"keeps a goroutine", func() policytest.Config {
		return policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
			go func() { select {} }()
			return baseline.NewFIFO(), nil
		}}
	}(), "goroutines", "when it was made", []string{"goroutines"}},

	{"keeps the event", broken(func(fifo policy.Scheduler) wrapper {
		var last *policy.Event
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			n := len(actions)
			actions, err := fifo.Step(ev, actions)
			if err != nil {
				return actions, err
			}
			if len(actions) > n && last != nil {
				actions = append(actions, policy.Action{Kind: policy.Report, Copy: actions[n].Copy, At: last.Time})
			}
			last = ev
			return actions, nil
		}
	}), "events", "the first time", []string{"events"}},
	{"changes the event", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		ev.Time++
		return actions
	}), "events", "changed the event", []string{"events"}},
	{"changes the job", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Submitted {
			ev.Job.Priority++
		}
		return actions
	}), "events", "changed job", []string{"events"}},
	{"overwrites what was in the slice", broken(func(fifo policy.Scheduler) wrapper {
		var own []policy.Action
		return func(ev *policy.Event, actions []policy.Action) (_ []policy.Action, err error) {
			own, err = fifo.Step(ev, own[:0])
			if err != nil {
				return actions, err
			}
			return own, nil
		}
	}), "events", "is gone", []string{"events"}},

	{"allocates", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Started {
			sink = make([]byte, 100)
		}
		return actions
	}), "allocs", "steps that are about copies", []string{"allocs"}},
}

// Each broken policy is found out, for its own reason and no other, where it should be.
func TestBrokenPolicies(t *testing.T) {
	if policytest.RaceDetector {
		t.Skip("slow, and no allocation is looked for")
	}
	for _, test := range brokenPolicies {
		t.Run(test.name, func(t *testing.T) {
			var in []string
			for _, f := range failures(policytest.Check(t, test.c)) {
				group, _, _ := strings.Cut(f.Case, "/")
				in = append(in, group)
				t.Log(f)
				if f.Rule != test.rule {
					t.Errorf("found in %s to break rule %q, want %q", f.Case, f.Rule, test.rule)
				}
				if !strings.Contains(f.Error(), test.says) {
					t.Errorf("the text does not say %q: %v", test.says, f)
				}
			}
			if !slices.Equal(in, test.in) {
				t.Errorf("found by %v, want %v", in, test.in)
			}
		})
	}
}

// failures takes apart what Check returns.
func failures(err error) (fs []*policytest.Failure) {
	if err == nil {
		return nil
	}
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		fs = append(fs, e.(*policytest.Failure))
	}
	return fs
}

// There is a broken policy for each rule.
func TestEveryRuleIsBroken(t *testing.T) {
	broken := map[string]bool{}
	for _, test := range brokenPolicies {
		broken[test.rule] = true
	}
	for _, rule := range []string{"P1", "P2", "P3", "P4", "P5", "P6", "P7", "finish", "legal", "illegal", "repeat", "clock", "parts", "goroutines", "events", "allocs"} {
		if !broken[rule] {
			t.Errorf("no policy breaks rule %q", rule)
		}
	}
}
