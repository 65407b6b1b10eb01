package check

import (
	"math"

	"example.com/augur/policy"
)

// saved is what is saved of a task, at speed 1.
type saved struct {
	work     policy.Duration
	believed bool // a replay named a copy of it, and perhaps not all that is saved
}

// saves checks what the end of a copy says is saved of its task, and keeps it.
func (c *Checker) saves(st *watchedStage, stage *policy.Stage, done bool, ev *policy.Event) error {
	before := st.saved[ev.Copy.Index]
	factor := c.factor(stage, ev)
	switch {
	case ev.Kind == policy.Finished && ev.Saved != 0:
		return c.violation(ruleCopy, "%v of %v has saved %v, but its task is finished", ev.Kind, ev.Copy, ev.Saved)
	case ev.Saved == before.work || ev.Kind == policy.Finished:
		return nil
	case done:
		return c.violation(ruleCopy, "%v of %v has saved %v, but its task is finished", ev.Kind, ev.Copy, ev.Saved)
	case !stage.Saves:
		return c.violation(ruleCopy, "%v of %v has saved %v, but its stage does not save", ev.Kind, ev.Copy, ev.Saved)
	case ev.Saved < before.work:
		return c.violation(ruleCopy, "%v of %v has saved %v, but %v was saved of the task before", ev.Kind, ev.Copy, ev.Saved, before.work)
	case !before.believed && above(ev.Saved, ev.Service, 1/factor):
		return c.violation(ruleCopy, "%v of %v has saved %v at speed 1, more than the %v that it has done at %v times that", ev.Kind, ev.Copy, ev.Saved, ev.Service, factor)
	}
	st.keep(ev.Copy.Index, saved{ev.Saved, before.believed})
	return nil
}

func (st *watchedStage) keep(index uint32, s saved) {
	if st.saved == nil {
		st.saved = make(map[uint32]saved)
	}
	st.saved[index] = s
}

// goesFrom checks that a copy that starts goes on from what was saved of its task: at least from what the policy had heard of
// when it asked for the copy.
func (c *Checker) goesFrom(st *watchedStage, stage *policy.Stage, done bool, ev *policy.Event) error {
	least, most := c.due[ev.Copy], st.saved[ev.Copy.Index]
	delete(c.due, ev.Copy)
	if done || ev.Replay || !stage.Saves && ev.Service == 0 {
		return nil
	}
	factor := c.factor(stage, ev)
	if !most.believed && above(ev.Service, most.work, factor) || above(least, ev.Service, 1/factor) {
		return c.violation(ruleCopy, "%v of %v with %v of service, but %v was saved of the task at speed 1, of which it takes %v times as long here",
			ev.Kind, ev.Copy, ev.Service, most.work, factor)
	}
	return nil
}

// above reports whether a is more than b times a factor, but for rounding.
func above(a, b policy.Duration, factor float64) bool {
	return float64(a) > float64(b)*factor*(1+1e-9)+math.Ceil(factor)+1
}

// factor returns how many times longer a copy runs where an event says that it is than at speed 1 where its stage prefers.
func (c *Checker) factor(stage *policy.Stage, ev *policy.Event) (factor float64) {
	index := ev.Copy.Index
	at := func(id policy.NodeID, tasks uint32) {
		n := c.node(id)
		for range tasks {
			factor = max(factor, stage.Slowdown(n.partition, n.speed, stage.Local(index, id)))
			index++
		}
	}
	if ev.Node != 0 {
		at(ev.Node, 1)
	}
	for _, share := range ev.Gang {
		at(share.Node, share.Tasks)
	}
	return factor
}
