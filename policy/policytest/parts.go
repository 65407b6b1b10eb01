package policytest

import (
	"fmt"
	"maps"
	"slices"

	"example.com/augur/policy"
)

// partCases plays to each part of a distributed policy what that part was told, while the
// others are told nothing, as if each were on a machine of its own. If it answers
// otherwise it knows of the others what no message has said.
func partCases() []testCase {
	return bubble(func(c *suite, seed uint64) *Failure {
		tp := c.recorded(seed)
		if !tp.repeats {
			return nil
		}
		parts := map[policy.NodeID]bool{}
		for i := range tp.entries {
			parts[tp.entries[i].part] = true
		}
		for _, part := range slices.Sorted(maps.Keys(parts)) {
			pl := newPlayer(c, tp)
			for i := range tp.entries {
				if e := &tp.entries[i]; e.part != part && !e.restart {
					continue
				}
				if err := pl.play(i); err != nil {
					return &Failure{Rule: "shared", Err: fmt.Errorf("it answers otherwise if the other parts are told nothing: %w", err)}
				}
			}
		}
		return nil
	})
}
