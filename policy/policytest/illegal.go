package policytest

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"example.com/augur/policy"
)

// A forgery makes up an event.
type forgery struct {
	name string
	make func(w *world) policy.Event
}

// illegalCases tells policies events of one bad kind, amid a tape.
func illegalCases() (cases []testCase) {
	add := func(kinds []forgery, play func(c *suite, tp *tape, kind forgery, seed uint64) error) {
		for _, kind := range kinds {
			seed := uint64(len(cases) % tapes)
			cases = append(cases, testCase{kind.name, func(t *testing.T, c *suite) (f *Failure) {
				synctest.Test(t, func(*testing.T) {
					if err := play(c, c.recorded(seed), kind, seed); err != nil {
						f = &Failure{Rule: "illegal", Err: err}
					}
				})
				return f
			}})
		}
	}
	add(impossible, playImpossible)
	add(untrue, playUntrue)
	return cases
}

// playImpossible plays a tape with impossible events between, which may not be answered
// and may not change what follows.
func playImpossible(c *suite, tp *tape, kind forgery, seed uint64) error {
	if !tp.repeats {
		return nil // what follows changes by itself
	}
	pl, w := newPlayer(c, tp), newWorld(seed)
	var told policy.Event
	for i := range tp.entries {
		if w.live() && i%forgeEvery == 0 {
			told = w.forge(kind)
			got, err := step(pl.parts[0], new(clone(&told)), nil)
			if isPanic(err) {
				return fmt.Errorf("told %s: %w", tell(&told), err)
			}
			if len(got) > 0 {
				return fmt.Errorf("told %s, it answers %s", tell(&told), describe(got, 0))
			}
		}
		if err := pl.play(i); err != nil {
			return fmt.Errorf("once it had been told %s: %w", tell(&told), err)
		}
		w.observe(&tp.entries[i])
	}
	return nil
}

// playUntrue plays a tape with untrue events between. All that counts is that the policy
// does not panic, then or later.
func playUntrue(c *suite, tp *tape, kind forgery, seed uint64) error {
	pl, w := newPlayer(c, tp), newWorld(seed)
	pl.blind = true
	var told policy.Event
	for i := range tp.entries {
		if w.live() && i%forgeEvery == 0 {
			told = w.forge(kind)
			if _, err := step(pl.parts[0], new(clone(&told)), nil); isPanic(err) {
				return fmt.Errorf("told %s: %w", tell(&told), err)
			}
		}
		if err := pl.play(i); isPanic(err) {
			return fmt.Errorf("once it had been told %s: %w", tell(&told), err)
		}
		w.observe(&tp.entries[i])
	}
	return nil
}

// forgeEvery is the number of true events from one false one to the next.
const forgeEvery = 5

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicked](err)
	return ok
}
