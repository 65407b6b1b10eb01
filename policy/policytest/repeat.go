package policytest

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy"
)

// bubble makes cases of a check for which the clock stands still, unless the check itself sleeps.
func bubble(check func(c *suite, seed uint64) *Failure) []testCase {
	return seeds(shadowed, func(t *testing.T, c *suite, seed uint64) (f *Failure) {
		synctest.Test(t, func(*testing.T) { f = check(c, seed) })
		return f
	})
}

// likeable makes cases of shadows of policies that repeat what they do.
func likeable(shadows func(seed uint64) []*shadow) []testCase {
	return bubble(func(c *suite, seed uint64) *Failure {
		if c.repeats(seed) != nil {
			return nil
		}
		return c.follow(seed, shadows(seed)...)
	})
}

// repeatCases tell several policies the same.
func repeatCases() []testCase { return bubble((*suite).repeats) }

// clockCases let the clock go on between a policy and its shadow, by anything from a nanosecond to a month. The clock is that
// of a bubble.
func clockCases() []testCase {
	return likeable(func(uint64) []*shadow {
		start, events := time.Now(), 0
		return []*shadow{{rule: "clock", says: "it answers otherwise if the clock goes on between the events", before: func(sh *shadow, _ policy.NodeID, _ *policy.Event) error {
			time.Sleep(time.Duration(1) << (events * 7 % 52))
			events++
			sh.says = fmt.Sprintf("it answers otherwise if the clock goes on between the events (by %v since the first)", time.Since(start))
			return nil
		}}}
	})
}

// partCases tell each part of a distributed policy what that part is told, while the others are told nothing, as if each were on
// a machine of its own. If it answers otherwise it knows of the others what no message has said.
func partCases() []testCase {
	return likeable(func(uint64) []*shadow {
		return []*shadow{{rule: "shared", says: "it answers otherwise if the other parts are told nothing", alone: true}}
	})
}

// goroutineCases count the goroutines that are started while a shadow is told something. Others than the policy may start some;
// so the least of several counts is taken.
func goroutineCases() []testCase {
	return seeds(1, func(_ *testing.T, c *suite, seed uint64) *Failure {
		least, when := uint64(1), ""
		for try := 0; try < 3 && least > 0; try++ {
			n, first := countGoroutines(c, seed)
			if n < least || try == 0 {
				least, when = n, first
			}
		}
		if least > 0 {
			return failure("goroutines", "%d were started, the first %s", least, when)
		}
		return nil
	})
}

func countGoroutines(c *suite, seed uint64) (n uint64, first string) {
	count := func(before uint64, when string) {
		if more := goroutinesCreated() - before; more > 0 {
			if n += more; first == "" {
				first = when
			}
		}
	}
	counted := newSuite(c.Config)
	counted.New = func(truth policy.Truth) (policy.Scheduler, error) {
		defer count(goroutinesCreated(), "when it was made")
		return c.New(truth)
	}
	counted.follow(seed, &shadow{rule: "goroutines", blind: true, step: func(p policy.Scheduler, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
		defer count(goroutinesCreated(), "when told "+tell(ev))
		return step(p, ev, actions)
	}})
	return n, first
}
