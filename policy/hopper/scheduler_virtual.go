package hopper

import (
	"math"

	"example.com/augur/policy"
)

// virtual serves jobs by their virtual sizes.
type virtual struct {
	s          *Scheduler
	pool       *Pool
	candidates []Candidate
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

// nearest returns the job that data locality lets go before the first.
func (v *virtual) nearest(first policy.JobID, short float64) policy.JobID {
	look := v.s.local.Look(v.pool.Wants())
	if look < 2 || v.s.placed == 0 || !v.s.fewOpen() {
		return first
	}
	if id, ok := v.s.local.Picked(); ok {
		if j := v.s.view.Job(id); j != nil && j.Waiting > 0 {
			if share, _ := v.share(id); share-float64(j.Own.holdings[0].slots) >= short {
				return id
			}
		}
	}
	v.candidates = v.candidates[:0]
	for id := range v.pool.Waiting(float64(short * grain)) {
		v.candidates = append(v.candidates, Candidate{id, v.s.localTasks(id)})
		if len(v.candidates) == look {
			break
		}
	}
	id, _ := v.s.local.Pick(v.candidates)
	return id
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
	alpha, err := Alpha(transfer, work, s.config.Dampening)
	must(err)
	return max(1, alpha)
}

// fewOpen finds the nodes with free cores, and reports whether there are few.
func (s *Scheduler) fewOpen() bool {
	s.open = s.open[:0]
	for n := range s.view.Open() {
		if len(s.open) == mostOpen {
			return false
		}
		s.open = append(s.open, n)
	}
	return true
}

// mostOpen is with how many open nodes tasks are chosen by where their data is. With more the host
// finds a place near it by itself.
const mostOpen = 16

// localTasks returns how many waiting tasks of a job would be local on the open nodes.
func (s *Scheduler) localTasks(id policy.JobID) int {
	j, tasks := s.view.Job(id), 0
	if j.Own.placed == 0 {
		return 0
	}
	for _, n := range s.open {
		tasks += s.view.Local(j, n)
	}
	return tasks
}

// startLocal starts a waiting task of a job where it is local, if there is one.
func (s *Scheduler) startLocal(j *jobView, stage uint32) (policy.Action, bool) {
	if j.Own.refused { // perhaps there is no memory left where it is local
		return policy.Action{}, false
	}
	if d := j.Job.Stages[stage].Data; d == nil || len(d.Holders) == 0 || !s.fewOpen() {
		return policy.Action{}, false
	}
	width, memory := j.Job.Stages[stage].Width(), j.Job.Stages[stage].Memory
	for _, n := range s.open {
		// What a node has in all is enough: if it is taken, something there ends, and we try again.
		if all := s.nodes.Get(n).memory; s.view.Room(n) >= width && (memory <= all || all == 0) {
			if a, ok := s.view.StartLocal(j, n); ok {
				return a, true
			}
		}
	}
	return policy.Action{}, false
}
