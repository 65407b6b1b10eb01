package hopper_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload/paper"
)

// After every event, the shares are those of the allocators that share all at once.
func TestSchedulerShares(t *testing.T) {
	grass := speculators(t)["GRASS"]
	for _, tt := range []struct {
		name   string
		change func(*hopper.Config)
		pipe   bool
		faults bool
	}{
		{"ε 0.1", func(*hopper.Config) {}, true, false},
		{"ε 0, groups", func(c *hopper.Config) { c.Epsilon, c.Group = 0, "group" }, false, false},
		{"ε 1, groups, kept", func(c *hopper.Config) { c.Epsilon, c.Group, c.Keep = 1, "group", true }, true, false},
		{"faults", func(c *hopper.Config) { c.Group = "group" }, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := hopper.DefaultConfig()
			c.Rule = grass
			tt.change(&c)
			compared, tails := 0, map[float64]bool{}
			compare := func(b *books, ev *policy.Event) error {
				ids, demands, err := b.demands(c.Dampening)
				if err != nil {
					return err
				}
				for i := range demands {
					d := &demands[i]
					tails[d.Tail] = true
					slots := math.Round(1024*hopper.VirtualSize(d.Tasks, d.Tail, d.Weight)) / 1024
					*d = hopper.Demand{Tasks: slots, Tail: 2}
				}
				want, err := hopper.EpsilonFair(nil, float64(b.cores), c.Epsilon, demands)
				if err != nil {
					return err
				}
				for i, id := range ids {
					if e, ok := b.Explain(id); !ok || math.Abs(e.Share-want[i]) > 1e-9*(1+want[i]) {
						return fmt.Errorf("after %v of %v: the share of job %d is %v, %t, want %v", ev.Kind, ev.Copy, id, e.Share, ok, want[i])
					}
					compared++
				}
				return nil
			}
			newLife := func() *books {
				b := newBooks(t, setting{Config: c})
				b.hopper.LearnFrom(40, 20)
				b.after = func(ev *policy.Event) error { return compare(b, ev) }
				return b
			}
			config := sim.Config{}
			if tt.faults {
				config.Faults = sim.Faults{Seed: 3, MeanUp: 10 * time.Minute, MeanDown: time.Minute, TaskFailure: 0.02}
				config.Delay = 50 * time.Millisecond
				config.Faults.Restarts = []policy.Time{200 * second, 201 * second, 900 * second}
				config.Faults.NewPolicy = func() (policy.Scheduler, error) { return newLife(), nil }
			}
			newLife().run(t, facebook(60, func(h *paper.Hopper) { h.Pipe = tt.pipe }), config)
			if compared < 2000 {
				t.Errorf("compared %d shares only", compared)
			}
			if c.Group != "" && len(tails) < 3 {
				t.Errorf("%d tails came up, want several", len(tails))
			}
		})
	}
}

// Without a rule, it is plain who is next: the least virtual size of those that have less than their
// share, and then, unless slots are kept, the least of all that wait.
func TestSchedulerNext(t *testing.T) {
	for _, epsilon := range []float64{0, 0.1, 1} {
		for _, keep := range []bool{false, true} {
			t.Run(fmt.Sprintf("epsilon=%v/keep=%t", epsilon, keep), func(t *testing.T) {
				var c hopper.Config
				c.Epsilon, c.Keep, c.Group = epsilon, keep, "group"
				b := newBooks(t, setting{Config: c})
				due, lent, idle := 0, 0, 0
				// next is whose turn it is by looking at all.
				next := func() (first *entry, short bool) {
					least, leastDue := math.Inf(1), math.Inf(1)
					var lends *entry
					for id := policy.JobID(1); id <= 100; id++ {
						j := b.jobs[id]
						if j == nil || j.waiting() == 0 {
							continue
						}
						e, _ := b.Explain(id)
						size, share := e.VirtualSize, e.Share
						slots, _ := j.slots()
						if size < least {
							least, lends = size, j
						}
						if share-float64(slots) >= 1e-9 && size < leastDue {
							leastDue, first = size, j
						}
					}
					if first != nil || keep {
						return first, true
					}
					return lends, false
				}
				b.start = func(j *entry, c policy.Copy, another bool) error {
					want, short := next()
					if another || want != j {
						return fmt.Errorf("%v starts, another copy is %t, but it is the turn of %v", c, another, want)
					}
					if short {
						due++
					} else {
						lent++
					}
					return nil
				}
				b.after = func(ev *policy.Event) error {
					used := 0
					for _, j := range b.jobs {
						slots, _ := j.slots()
						used += slots
					}
					if used == b.cores || ev.More {
						return nil
					}
					if j, _ := next(); j != nil {
						return fmt.Errorf("after %v of %v: %d of %d slots are used, and job %d waits for one", ev.Kind, ev.Copy, used, b.cores, j.job.ID)
					}
					for _, j := range b.jobs {
						if j.waiting() > 0 {
							idle++
							break
						}
					}
					return nil
				}
				b.run(t, facebook(60, func(h *paper.Hopper) { h.Pipe, h.Load = false, 1.2 }), sim.Config{})
				if due < 100 || (lent > 20) == keep || (idle > 20) != keep {
					t.Errorf("%d starts were due, %d lent; %d times slots were idle", due, lent, idle)
				}
			})
		}
	}
}
