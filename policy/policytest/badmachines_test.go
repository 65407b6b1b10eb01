package policytest_test

import (
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/policytest"
)

// badMachines are not the state machines that they should be.
var badMachines = []brokenPolicy{
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
	}), "illegal", "after the impossible event", []string{"illegal"}},

	{"goes by the order of a map", pick(func(jobs []policy.JobID, _ *policy.Event) {
		set := map[policy.JobID]bool{}
		for _, id := range jobs {
			set[id] = true
		}
		jobs = jobs[:0]
		for id := range set {
			jobs = append(jobs, id)
		}
	}), "repeat", "side by side answer the same events differently", []string{"repeat"}},
	{"shares a variable with its like", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		shared = 0
		c := pick(func(jobs []policy.JobID, _ *policy.Event) {
			shared++
			if shared%2 == 0 {
				slices.Reverse(jobs)
			}
		})
		return c.New(nil)
	}, Allocates: true}, "repeat", "side by side answer the same events differently", []string{"repeat"}},

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
	}), "shared", "the part on node", []string{"parts"}},
	{"a centre that hears of nodes from their parts", onNodes(func(p *assigner, n policy.NodeID, ev *policy.Event, actions []policy.Action) []policy.Action {
		p.turn += int(n)
		return actions
	}), "shared", "the centre", []string{"parts"}},

	{"starts a goroutine for each step", also(func(_ *policy.Event, actions []policy.Action) []policy.Action {
		done := make(chan bool)
		go close(done)
		<-done
		return actions
	}), "goroutines", "were started", []string{"goroutines"}},
	{"keeps a goroutine", policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		go func() { select {} }()
		return baseline.NewFIFO(), nil
	}}, "goroutines", "when it was made", []string{"goroutines"}},

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
	}), "events", "events were overwritten after Step", []string{"events"}},
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

	{"allocates for jobs that request a time", broken(func(fifo policy.Scheduler) wrapper {
		requests := make(map[policy.JobID]bool)
		return func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if ev.Kind == policy.Submitted && ev.Job != nil && ev.Job.Requested > 0 {
				requests[ev.Copy.Job] = true
			}
			if ev.Kind == policy.Started && requests[ev.Copy.Job] {
				sink = make([]byte, 100)
			}
			return fifo.Step(ev, actions)
		}
	}), "allocs", "steps that are about copies", []string{"allocs"}},
}

var shared int // between policies that should not share anything

// sink keeps the compiler from leaving an allocation out.
var sink []byte
