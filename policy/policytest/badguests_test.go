package policytest_test

import (
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
)

// A forgetful FIFO counts events, saves how many, and does not read that.
type forgetful struct {
	*central.Scheduler
	events int
	whole  bool // it looks whether all is there
}

func (f *forgetful) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	f.events++
	return f.Scheduler.Step(ev, actions)
}

func (f *forgetful) Save(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%10d\n", f.events)
	return err
}

func (f *forgetful) Load(r io.Reader) error {
	if text, err := io.ReadAll(r); err != nil || f.whole && len(text) < 11 {
		return errors.New("not a whole snapshot")
	}
	return nil
}

// secretive declares that it starts nothing.
type secretive struct{ wrapper }

func (secretive) Actions() []policy.ActionKind { return []policy.ActionKind{policy.Wake} }

// badGuests do to the host, or to their jobs, what they should not.
var badGuests = []brokenPolicy{
	{"starts each task twice", also(func(_ *policy.Event, actions []policy.Action) []policy.Action {
		return append(actions, actions...)
	}), "Legal start", "was used before", everywhere},

	{"starts what ran before the restart", hears(func(ev *policy.Event) {
		if ev.Replay && ev.Kind != policy.Joined && ev.Kind != policy.Submitted && ev.Kind != policy.Ready {
			*ev = policy.Event{Time: ev.Time, Kind: policy.Woken, Replay: true}
		}
	}), "Legal start", "", []string{"stories", "restarts", "slips", "idle"}},

	{"answers Refused with another Start", broken(func(fifo policy.Scheduler) wrapper {
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			actions, err := fifo.Step(ev, actions)
			if err == nil && ev.Kind == policy.Refused && !ev.More {
				actions, err = fifo.Step(&policy.Event{Time: ev.Time, Kind: policy.Woken}, actions)
			}
			return actions, err
		}
	}), "No circles", "", []string{"faults"}}, // elsewhere the books know what has room

	{"starts without a look at what is free", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		var books central.View
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if _, err := books.Observe(ev); err != nil || ev.Replay {
				return actions, err
			}
			for _, j := range books.Jobs() {
				for j.Waiting > 0 {
					actions = append(actions, books.Start(j, central.Where{}))
				}
			}
			return actions, nil
		}), nil
	}}, "No circles", "goes round in a circle", punctual},

	{"a part starts a task elsewhere", onNodes(func(_ *assigner, _ policy.NodeID, _ *policy.Event, actions []policy.Action) []policy.Action {
		for i := range actions {
			actions[i].Node = 1
		}
		return actions
	}), "Parts", "on node 1", []string{"stories", "faults", "restarts", "slips", "idle"}},

	{"acts in a replay", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Replay && ev.Kind == policy.Joined {
			actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time + 1})
		}
		return actions
	}), "Legal start", "during a replay", []string{"stories", "restarts", "slips", "idle"}},

	{"returns what it does not declare", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		return secretive{wrapper(baseline.NewFIFO().Step)}, nil
	}}, "Legal start", "not among the Actions", everywhere},

	{"forgets lost tasks", hears(func(ev *policy.Event) { ev.Again = ev.Again && ev.Kind != policy.Lost }),
		"finish", "never finished", []string{"stories", "faults", "restarts", "slips", "idle"}},
	{"forgets refused tasks", hears(func(ev *policy.Event) { ev.Again = ev.Again && ev.Kind != policy.Refused }),
		"finish", "never finished", []string{"stories", "faults", "restarts", "slips", "idle"}},
	{"forgets after a restart what was lost before", hears(func(ev *policy.Event) { ev.Again = ev.Again && !ev.Replay }),
		"finish", "never finished", []string{"stories", "restarts", "slips", "idle"}},
	{"does not see nodes that come back", patient(broken(func(fifo policy.Scheduler) wrapper {
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
	})), "finish", "never finished", []string{"stories", "faults", "restarts", "slips", "idle"}},
	{"waits for an event when More was not set", patient(hears(func(ev *policy.Event) { ev.More = ev.More || ev.Kind == policy.Ready })),
		"finish", "never finished", []string{"stories", "restarts", "slips", "idle", "allocs"}},
	{"sleeps and sleeps", waking(time.Hour), "finish", "never finished", everywhere},
	{"wakes itself every nanosecond, and starts nothing", waking(1), "finish", "is never finished", everywhere},
	{"starts a task again and again", broken(func(fifo policy.Scheduler) wrapper {
		var running policy.Copy
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			actions, err := fifo.Step(ev, actions)
			if err != nil || ev.Replay {
				return actions, err
			}
			if ev.Kind == policy.Woken && running.Job != 0 {
				actions = append(actions, policy.Action{Kind: policy.Kill, Copy: running})
			}
			if ev.Kind == policy.Started {
				running = ev.Copy
				actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time + 1})
			}
			return actions, nil
		}
	}), "finish", "is never finished: 1001 copies of it have run", everywhere},
	{"saves what it does not load", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		return &forgetful{Scheduler: baseline.NewFIFO(), whole: true}, nil
	}}, "keeper", "other bytes", []string{"keeper"}},
	{"loads a part of a snapshot", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		return &forgetful{Scheduler: baseline.NewFIFO()}, nil
	}}, "keeper", "first half", []string{"keeper"}},
	{"gives jobs up", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Kind == policy.Failed {
			actions = append(actions, policy.Action{Kind: policy.GiveUp, Copy: ev.Copy})
		}
		return actions
	}), "finish", "given up", []string{"stories", "faults", "restarts", "slips", "idle"}},

	{"refuses gangs", broken(func(fifo policy.Scheduler) wrapper {
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if len(ev.Gang) > 0 {
				return actions, errors.New("no gangs here")
			}
			return fifo.Step(ev, actions)
		}
	}), "legal", "no gangs here", []string{"stories", "faults", "restarts", "slips", "idle"}},
	{"counts on a message coming once, and in order", broken(func(fifo policy.Scheduler) wrapper {
		sent, heard := uint64(0), uint64(0)
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if ev.Kind == policy.Arrived && ev.Msg.Seq <= heard {
				return actions, errors.New("a heartbeat that came before")
			}
			actions, err := fifo.Step(ev, actions)
			if err == nil && ev.Kind == policy.Arrived {
				heard = ev.Msg.Seq
			}
			if err == nil && ev.Kind == policy.Finished && !ev.Replay {
				sent++
				actions = append(actions, policy.Action{Kind: policy.Post, Msg: policy.Msg{Seq: sent}})
			}
			return actions, err
		}
	}), "legal", "a heartbeat that came before", []string{"faults", "restarts", "slips"}},
	{"counts on its alarm being punctual", ticking(time.Second, time.Hour, true), "finish", "never finished", []string{"slips", "idle"}},
	{"looks for work every ten seconds only", ticking(10*time.Second, 0, false), "idle", "Config.Patience is 0s", []string{"idle"}},
	{"lets gangs wait for the next ten seconds", lateGangs(10 * time.Second), "idle", "or Config.Keeps, if a limit keeps the room free", []string{"idle"}},
	// Seed 0 has no delay, so that it is always either doing nothing or waiting after a Refused.
	{"begs for what it was Refused", begging(), "idle", "in idle/seed=0: node 4 had room for task", []string{"idle"}},
	{"panics when a job is taken back", also(func(ev *policy.Event, actions []policy.Action) []policy.Action {
		if ev.Outcome == policy.Cancelled {
			panic("what now?")
		}
		return actions
	}), "legal", "what now?", []string{"stories", "faults", "restarts", "slips", "idle"}},
}

// punctual are those whose host is never late, which would break a circle.
var punctual = []string{"stories", "faults", "restarts", "idle", "allocs"}

// everywhere are the groups of cases that run the simulator.
var everywhere = []string{"stories", "faults", "restarts", "slips", "idle", "allocs"}
