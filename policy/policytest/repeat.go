package policytest

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

const tapes = 3

// bubble runs a check where the clock stands still, unless the check itself sleeps.
func bubble(check func(c *suite, seed uint64) *Failure) []testCase {
	return seeds(tapes, func(t *testing.T, c *suite, seed uint64) (f *Failure) {
		synctest.Test(t, func(*testing.T) { f = check(c, seed) })
		return f
	})
}

// repeatCases plays a tape to policies one after the other, and to two at once.
func repeatCases() []testCase {
	return bubble(func(c *suite, seed uint64) *Failure {
		tp := c.recorded(seed)
		for k := range 3 {
			if err := newPlayer(c, tp).all(nil); err != nil {
				return failure("repeat", "the same events, told %d times more, did not give the same actions: %w", k+1, err)
			}
		}
		twin := newPlayer(c, tp)
		if err := newPlayer(c, tp).all(twin.play); err != nil {
			return failure("repeat", "two policies, told the same events side by side, disturb one another: %w", err)
		}
		return nil
	})
}

// clockCases plays a tape while the clock goes on between the events, by anything from a
// nanosecond to a month. The clock is that of a bubble, and stood still while the tape
// was recorded.
func clockCases() []testCase {
	return bubble(func(c *suite, seed uint64) *Failure {
		tp := c.recorded(seed)
		start := time.Now()
		err := newPlayer(c, tp).all(func(i int) error {
			time.Sleep(time.Duration(1) << (i * 7 % 52))
			return nil
		})
		if err != nil && tp.repeats {
			return failure("clock", "it answers otherwise if the clock goes on between the events (by %v since the first): %w", time.Since(start), err)
		}
		return nil
	})
}

// goroutineCases plays a tape and counts the goroutines that are started meanwhile. Others
// than the policy may start some; so the least of several counts is taken.
func goroutineCases() []testCase {
	return seeds(1, func(_ *testing.T, c *suite, seed uint64) *Failure {
		tp := record(c, seed)
		least, when := uint64(1), ""
		for try := 0; try < 3 && least > 0; try++ {
			n, first := countGoroutines(c, tp)
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

func countGoroutines(c *suite, tp *tape) (n uint64, first string) {
	pl := newPlayer(c, tp)
	for i := range tp.entries {
		e := &tp.entries[i]
		before := goroutinesCreated()
		err := pl.play(i)
		if more := goroutinesCreated() - before; more > 0 {
			if n == 0 {
				first = "when it was made"
				if !e.restart {
					first = fmt.Sprint(e)
				}
			}
			n += more
		}
		if err != nil {
			break // for others to say
		}
	}
	return n, first
}
