package kairos_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/policy/kairos"
)

// The pool of the example does what a node promises: short tasks are done as if long ones were not
// there, all slices run, and neither core is left idle.
func TestPoolOfExample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(kairos.NodeConfig{Cores: 2, Quantum: 20 * time.Millisecond})
		var (
			tasks sync.WaitGroup
			mu    sync.Mutex
			took  = map[string]time.Duration{}
			runs  = map[string]int{}
			order []string
		)
		for _, task := range []struct {
			name   string
			slices int
			slice  time.Duration // no two alike, so that few things happen at one instant
		}{
			{"a", 300, 1003 * time.Microsecond}, {"b", 250, 1007 * time.Microsecond}, {"c", 5, 1013 * time.Microsecond},
			{"d", 100, 1019 * time.Microsecond}, {"e", 5, 1021 * time.Microsecond}, {"f", 30, 1031 * time.Microsecond},
		} {
			tasks.Go(func() {
				came := time.Now()
				p.run(task.name, task.slices, func() {
					time.Sleep(task.slice)
					mu.Lock()
					runs[task.name]++
					mu.Unlock()
				})
				mu.Lock()
				defer mu.Unlock()
				took[task.name] = time.Since(came)
				order = append(order, task.name)
				if runs[task.name] != task.slices {
					t.Errorf("task %s ran for %d slices, want %d", task.name, runs[task.name], task.slices)
				}
			})
			time.Sleep(10 * time.Millisecond)
		}
		tasks.Wait()
		if want := []string{"c", "e", "f", "d", "b", "a"}; !slices.Equal(order, want) {
			t.Errorf("done were %q, want %q", order, want)
		}
		for _, short := range []string{"c", "e"} {
			if took[short] > 6*time.Millisecond {
				t.Errorf("task %s of 5 ms took %v, want at most 6 ms", short, took[short])
			}
		}
		// 690 slices of about 1 ms on two cores take 350 ms; more if one had been left idle.
		if total := time.Since(p.begun); total < 345*time.Millisecond || total > 400*time.Millisecond {
			t.Errorf("all took %v, want about 350 ms", total)
		}
	})
}
