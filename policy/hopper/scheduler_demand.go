package hopper

import (
	"math"

	"example.com/augur/policy"
)

// A wanted is what the phases of a job ask for in all. The job keeps it up to date as tasks finish, since it may have
// very many phases: to sum them up at each event would take time quadratic in their number.
type wanted struct {
	slots    int64   // of the phases' tasks that are not finished
	memory   float64 // of these tasks, bytes
	work     int64   // tasks not finished of the phases that others read through pipes
	transfer int64   // tasks that read these phases
}

// opened counts a phase that is new.
func (w *wanted) opened(p *phase, stage *policy.Stage) {
	w.slots += p.width * int64(p.left)
	w.memory += float64(memoryOf(stage) * float64(p.left))
	w.transfer += p.readers
	if p.readers > 0 {
		w.work += int64(p.left)
	}
}

// finished counts a unit of a phase that has just finished.
func (w *wanted) finished(p *phase, stage *policy.Stage) {
	w.slots -= p.width
	w.memory = max(0, w.memory-memoryOf(stage)) // it is a rounded sum
	if w.slots == 0 {
		w.memory = 0
	}
	if p.readers > 0 {
		w.work--
	}
	if p.left == 0 {
		w.transfer -= p.readers
	}
}

// readers returns how many tasks read each stage through pipes, nil if none reads any. A task ends no earlier than what
// it reads, so all of them are to be done as long as the stage is not finished.
func readers(stages []policy.Stage) []int64 {
	var tasks []int64
	for i := range stages {
		for _, read := range stages[i].Reads {
			if !read.Pipe {
				continue
			}
			if tasks == nil {
				tasks = make([]int64, len(stages))
			}
			tasks[read.Stage] += int64(stages[i].Units())
		}
	}
	return tasks
}

// demand returns what a job asks for.
func (s *Scheduler) demand(j *jobView) Demand {
	w := &j.Own.wanted
	tasks := float64(w.slots)
	if s.config.Memory && s.each > 0 {
		tasks = (tasks + float64(w.memory*s.each)) / 2 // the mean of the two, in cores
	}
	return Demand{Tasks: tasks, Tail: j.Own.tail, Weight: w.weight(s.config.Dampening)}
}

// classed returns the demand that a pool is told of a job, limited to what the pool accepts.
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

// weight returns the weight of a job, α.
func (w *wanted) weight(dampening float64) float64 {
	if w.work == 0 {
		return 1
	}
	return max(1, dampened(float64(w.transfer), float64(w.work), dampening))
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
