package policytest

import (
	"testing"

	"example.com/augur/policy"
)

// A task may be started for ever as long as more of it is saved each time.
func TestStartsThatSaveMore(t *testing.T) {
	for _, more := range []policy.Duration{0, 1} {
		v := &monitor{world: newWorld(1)}
		v.restart()
		var failed error
		for n := range uint32(2 * maxBegun) {
			c := policy.Copy{Task: policy.Task{Job: 1}, N: n}
			for _, ev := range []policy.Event{{Kind: policy.Started, Copy: c}, {Kind: policy.Killed, Copy: c, Saved: s + more*policy.Duration(n)}} {
				if err := v.count(&ev); err != nil && failed == nil {
					failed = err
				}
			}
		}
		if (failed != nil) != (more == 0) {
			t.Errorf("%v more saved at each end: error %v", more, failed)
		}
	}
}
