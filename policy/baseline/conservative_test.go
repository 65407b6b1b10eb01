package baseline

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Whatever Conservative starts over an order that stays, and what it reserves, is what the definition says.
func TestConservativeAgainstDefinition(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, test := range orders[:3] {
		t.Run(test.name, func(t *testing.T) {
			moved, changes := 0, 0
			for seed := range uint64(32) {
				config := small(0)
				config.Faults.Seed, config.Delay = seed, policy.Duration(seed/8%2)*s/5
				config.Jobs, config.Truth = workload.Split(staged(mixed(seed, 100, 16, seed%2 == 1)))
				naive := new(naivePlan)
				known, same := forecasts(seed)
				if seed%5 == 0 {
					known, same = forecast.LastTwo(), forecast.LastTwo()
				}
				slow := must(central.New(central.Config{Turn: test.make(nil), Fill: naive, Forecast: same}))
				fast := must(central.New(central.Config{Turn: test.make(nil), Fill: Conservative(), Forecast: known}))
				p := watch{fast, func(ev *policy.Event, actions []policy.Action) error {
					want, err := slow.Step(ev, nil)
					if err != nil {
						return err
					}
					for _, j := range naive.jobs {
						if ev.More || seed%3 == 0 {
							break // who asks has the whole plan made, which may hide that it should have been
						}
						at, ok := fast.Planned(j.Job.Job.ID)
						if known := j.waiting > 0 && j.start != never; ok != known || ok && at != j.start {
							return fmt.Errorf("job %d is reserved for %v (%v), want %v", j.Job.Job.ID, at, ok, j.start)
						}
					}
					return sameStarts(actions, want)
				}}
				if _, err := sim.Run(t.Context(), config, p); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
				moved += naive.moved
				if f, ok := known.(*fickle); ok {
					changes += f.changes
				}
			}
			if moved < 1000 || changes < 1000 {
				t.Errorf("%d reservations became earlier and the forecast changed %d times, want more", moved, changes)
			}
		})
	}
}

// inspected is a Conservative whose books are looked at in each decision.
type inspected struct {
	*conservative
	err     error
	changes int // of the order
}

func (p *inspected) Decide(start func(j *central.Job) bool) {
	was := slices.Clone(p.waiting)
	goes := p.renew(p.view.Now()) // as in Conservative's own
	if !slices.Equal(was, p.waiting) {
		p.changes++
	}
	if !slices.IsSortedFunc(p.waiting, p.compare) {
		p.err = errors.New("the list is not in order")
	}
	for _, o := range p.waiting {
		if o.job.Waiting == 0 {
			p.err = fmt.Errorf("job %d is in the list, and nothing of it waits", o.job.Job.ID)
		}
	}
	if goes {
		p.pass(p.view.Now(), start)
	}
	if p.void {
		return // the plan is not right until the next decision
	}
	for _, s := range p.profile.timeline {
		if s.free[0] < 0 {
			p.err = fmt.Errorf("%d cores are free from %v on", s.free, s.at)
		}
	}
}

// Over any order, all jobs are done, the list is in that order when it decides, and the plan holds no more
// cores than there are.
func TestConservativeOverOrders(t *testing.T) {
	for _, test := range orders {
		t.Run(test.name, func(t *testing.T) {
			changes := 0
			for seed := range uint64(20) {
				config := small(seed)
				config.Jobs, config.Truth = workload.Split(mixed(seed, 100, 16, seed%2 == 1))
				filler := &inspected{conservative: Conservative().(*conservative)}
				p := watch{filled(test.make(config.Truth), filler), func(*policy.Event, []policy.Action) error { return filler.err }}
				r, err := sim.Run(t.Context(), config, p)
				if err != nil {
					t.Errorf("seed %d: %v", seed, err)
				} else if done := r.Metrics().Done; done != 100 {
					t.Errorf("seed %d: %d jobs are done, want 100", seed, done)
				}
				changes += filler.changes
			}
			if changing := test.name != "FIFO" && test.name != "Ordered" && test.name != "Priority"; changing != (changes > 10) {
				t.Errorf("the order changed in %d decisions", changes)
			}
		})
	}
}
