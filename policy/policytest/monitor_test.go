package policytest

import (
	"testing"

	"example.com/augur/policy"
)

// A task may be started for ever as long as more of it is saved each time, or its copies are lost.
func TestStartsThatSaveMore(t *testing.T) {
	for end, more := range map[policy.EventKind]policy.Duration{policy.Killed: 0, policy.Failed: 1, policy.Lost: 0} {
		v := &monitor{world: newWorld(1)}
		v.restart()
		var failed error
		for n := range uint32(2 * maxBegun) {
			c := policy.Copy{Task: policy.Task{Job: 1}, N: n}
			for _, ev := range []policy.Event{{Kind: policy.Started, Copy: c}, {Kind: end, Copy: c, Saved: s + more*policy.Duration(n)}} {
				if err := v.count(&ev); err != nil && failed == nil {
					failed = err
				}
			}
		}
		if (failed != nil) != (end == policy.Killed) {
			t.Errorf("each time %v with %v more saved: error %v", end, more, failed)
		}
	}
}
