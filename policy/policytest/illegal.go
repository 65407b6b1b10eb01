package policytest

import (
	"errors"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// A forgery makes up an event.
type forgery struct {
	name string
	make func(w *world) policy.Event
}

// illegalCases tell shadows, one for each bad kind of event, such events amid the others: impossible ones may not be answered,
// and may not change what follows, and after untrue ones a policy does not panic.
func illegalCases() []testCase {
	return bubble(func(c *suite, seed uint64) *Failure {
		repeats := c.repeats(seed) == nil
		var shadows []*shadow
		for i, kind := range slices.Concat(impossible, untrue) {
			blind := i >= len(impossible)
			if uint64(i)%shadowed != seed || !blind && !repeats { // else what follows changes by itself
				continue
			}
			events := 0
			shadows = append(shadows, &shadow{rule: "illegal", blind: blind, before: func(sh *shadow, _ policy.NodeID, _ *policy.Event) error {
				if events++; events%forgeEvery != 0 || !sh.world.live() {
					return nil
				}
				return sh.forge(kind, 0)
			}})
		}
		return c.follow(seed, shadows...)
	})
}

// forge tells the shadow of the part what cannot be, or, if it is blind, what is not true.
func (sh *shadow) forge(kind forgery, part policy.NodeID) error {
	ev := sh.world.forge(kind)
	sh.says = fmt.Sprintf("once it had been told %s, which its like was not", tell(&ev))
	got, err := step(sh.parts[part], new(clone(&ev)), nil)
	switch {
	case isPanic(err):
		return fmt.Errorf("told %s: %w", tell(&ev), err)
	case len(got) > 0 && !sh.blind:
		return fmt.Errorf("told %s, it answers %s", tell(&ev), list(got))
	}
	return nil
}

// forgeEvery is the number of true events from one false one to the next.
const forgeEvery = 5

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicked](err)
	return ok
}
