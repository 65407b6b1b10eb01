package hopper

import (
	"math"

	"example.com/augur/policy"
)

// virtual serves jobs by their virtual sizes.
type virtual struct {
	s          *Scheduler
	pool       *Pool
	candidates []candidate
}

// shortPart is how much of a slot a job is short of at least that has less than its share: more
// than what rounding makes of shares.
const shortPart = 1e-9

func (v *virtual) placed(s *holding, _ int64, _ float64) {
	id := s.job.Job.ID
	if own := &s.job.Own; own.changed {
		own.changed = false
		must(v.pool.Set(id, v.s.classed(s.job)))
	}
	must(v.pool.Use(id, v.grains(s.slots), s.wants))
}

// grain is how many grains there are in a slot. The pool counts in these, since it is faster with
// whole numbers than with fractions, and shares grow as slots and tasks do.
const grain = 1024

// grains returns a number of slots as the pool counts them.
func (v *virtual) grains(slots int64) float64 {
	return min(most, float64(max(0, slots))*grain)
}

// share returns the share of a job in slots.
func (v *virtual) share(id policy.JobID) (slots float64, ok bool) {
	grains, ok := v.pool.Share(id)
	return float64(grains / grain), ok
}

func (v *virtual) remove(s *holding) { v.pool.Remove(s.job.Job.ID) }

func (v *virtual) resize(slots, _ int64) { must(v.pool.SetSlots(v.grains(slots))) }

func (v *virtual) next() *holding {
	if s := v.nextShort(shortPart); s != nil || v.s.config.Keep {
		return s
	}
	return v.nextShort(math.Inf(-1))
}

// nextShort returns who is next of those that are short of so many slots.
func (v *virtual) nextShort(short float64) *holding {
	first, ok := v.pool.Next(float64(short * grain))
	if !ok {
		return nil
	}
	return &v.s.view.Job(v.nearest(first, short)).Own.holdings[0]
}
