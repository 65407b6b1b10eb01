package policytest_test

import (
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
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
		var books central.View
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if _, err := books.Observe(ev); err != nil || !books.Decide(ev) {
				return actions, err
			}
			var jobs []policy.JobID
			for id := range books.Jobs() {
				jobs = append(jobs, id)
			}
			order(jobs, ev)
			for _, id := range jobs {
				for j := books.Job(id); books.Fits(j); {
					actions = append(actions, books.Start(j, central.Where{}))
				}
			}
			return actions, nil
		}), nil
	}, Allocates: true}
}

// patient makes of policies some that wait as long as they like.
func patient(c policytest.Config) policytest.Config {
	c.Patience = time.Hour
	return c
}

// ticking makes policies that start tasks only when the time is a whole number of ticks, if they
// are woken then.
func ticking(tick, patience policy.Duration, punctual bool) policytest.Config {
	return policytest.Config{Allocates: true, Patience: patience, New: func(policy.Truth) (policy.Scheduler, error) {
		var books central.View
		next := policy.Time(0) // the alarm, 0 if none is set
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if _, err := books.Observe(ev); err != nil || ev.Replay {
				return actions, err
			}
			if ev.Kind == policy.Woken && (ev.Time == next || ev.Time > next && !punctual) {
				next = 0
				for _, j := range books.Jobs() {
					for books.Fits(j) {
						actions = append(actions, books.Start(j, central.Where{}))
					}
				}
			}
			if next == 0 {
				next = (ev.Time/policy.Time(tick) + 1) * policy.Time(tick)
				actions = append(actions, policy.Action{Kind: policy.Wake, At: next})
			}
			return actions, nil
		}), nil
	}}
}

// lateGangs makes policies that start gangs only when the time is a whole number of ticks.
func lateGangs(tick policy.Duration) policytest.Config {
	return policytest.Config{Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
		var books central.View
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if _, err := books.Observe(ev); err != nil || !books.Decide(ev) {
				return actions, err
			}
			for _, j := range books.Jobs() {
				for books.Fits(j) {
					if i, _ := j.Next(); j.Job.Stages[i].Gang && ev.Time%policy.Time(tick) != 0 {
						actions = append(actions, policy.Action{Kind: policy.Wake, At: (ev.Time/policy.Time(tick) + 1) * policy.Time(tick)})
						break
					}
					actions = append(actions, books.Start(j, central.Where{}))
				}
			}
			return actions, nil
		}), nil
	}}
}

// begging makes policies that start tasks on one partition only, one after the other until one is Refused, and so are
// nearly always waiting after a Refused.
func begging() policytest.Config {
	return policytest.Config{Prepare: bags, Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
		var books central.View
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			if _, err := books.Observe(ev); err != nil || !books.Decide(ev) {
				return actions, err
			}
			for _, j := range books.Jobs() {
				if j.Waiting > 0 {
					return append(actions, books.Start(j, central.Where{Partition: 1})), nil
				}
			}
			return actions, nil
		}), nil
	}}
}

// waking makes policies that start nothing, but look again and again whether they should.
func waking(every policy.Duration) policytest.Config {
	return policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
		var books central.View
		return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
			_, err := books.Observe(ev)
			if err == nil && !ev.Replay {
				actions = append(actions, policy.Action{Kind: policy.Wake, At: ev.Time.Add(every)})
			}
			return actions, err
		}), nil
	}}
}

// onNodes makes distributed policies whose parts do more than they should.
func onNodes(more func(p *assigner, n policy.NodeID, ev *policy.Event, actions []policy.Action) []policy.Action) policytest.Config {
	return policytest.Config{Prepare: bags, Allocates: true, NodePatience: ownQueues, New: func(policy.Truth) (policy.Scheduler, error) {
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
