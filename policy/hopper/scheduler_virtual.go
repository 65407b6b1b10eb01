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

// demand returns what a job asks for.
func (s *Scheduler) demand(j *jobView) Demand {
	d := Demand{Tail: j.Own.tail, Weight: s.alpha(j)}
	for _, p := range j.Own.phases {
		d.Tasks += float64(s.size(&j.Job.Stages[p.stage]) * float64(p.left))
	}
	return d
}

// classed returns a job's demand as the pool is told of it, and as much as that can bear.
func (s *Scheduler) classed(j *jobView) Demand {
	d := s.demand(j)
	if s.config.Throughput {
		d.Weight = math.Exp2(math.Round(math.Log2(d.Weight))) // few classes
	} else {
		d = Demand{Tasks: VirtualSize(d.Tasks, d.Tail, d.Weight), Tail: 2, Weight: 1}
	}
	d.Tasks = min(math.Round(d.Tasks*grain), most)
	return d
}

// size returns for how many slots each unit of a stage counts.
func (s *Scheduler) size(stage *policy.Stage) float64 {
	width := float64(stage.Width())
	if !s.config.Memory || s.each == 0 {
		return width
	}
	return (width + float64(memoryOf(stage)*s.each)) / 2 // the mean of the two, in cores
}

// alpha returns the weight of a job.
func (s *Scheduler) alpha(j *jobView) float64 {
	work, transfer := 0.0, 0.0
	for _, p := range j.Own.phases {
		for _, reader := range p.readers {
			transfer += float64(j.Job.Stages[reader].Units() - j.Stages[reader].Finished)
		}
		if len(p.readers) > 0 {
			work += float64(p.left)
		}
	}
	if work == 0 {
		return 1
	}
	return max(1, dampened(transfer, work, s.config.Dampening))
}

// dampened returns (transfer / work)^dampening.
//
// # Source
//
// Hopper, sections 4.1, 5.2 and 6.2.1. The paper does not say how the dampening value acts; as an
// exponent it keeps a common factor of all weights a common factor.
func dampened(transfer, work, dampening float64) float64 {
	return min(most, math.Pow(transfer/work, dampening))
}
