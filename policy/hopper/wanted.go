package hopper

import (
	"math"

	"example.com/augur/policy"
)

// A wanted is the total demand of a job's Ready stages. It is updated as tasks finish: a job may have very many
// stages, so summing them at each event would take quadratic time.
type wanted struct {
	slots    int64   // of their tasks that are not finished
	memory   float64 // of these tasks, bytes
	work     int64   // tasks not finished of the stages that others read through pipes
	transfer int64   // tasks that read these
}

// opened adds a stage that is Ready and that this many tasks read through pipes.
func (w *wanted) opened(stage *policy.Stage, readers int64) {
	units := int64(stage.Units())
	w.slots += stage.Width() * units
	w.memory += memoryOf(stage) * float64(units)
	w.transfer += readers
	if readers > 0 {
		w.work += units
	}
}

// finished subtracts a unit of a stage that has just finished, perhaps the last one.
func (w *wanted) finished(stage *policy.Stage, readers int64, last bool) {
	w.slots -= stage.Width()
	w.memory = max(0, w.memory-memoryOf(stage)) // it is a rounded sum
	if w.slots == 0 {
		w.memory = 0
	}
	if readers > 0 {
		w.work--
	}
	if last {
		w.transfer -= readers
	}
}

// memoryOf returns the bytes that a unit of a stage takes.
func memoryOf(stage *policy.Stage) float64 {
	return float64(stage.Memory) * float64(stage.Tasks/stage.Units())
}

// reads returns how many tasks read a stage through pipes.
func (own *sized) reads(stage uint32) int64 {
	if own.readers == nil {
		return 0
	}
	return own.readers[stage]
}

// readers returns how many tasks read each stage through pipes, nil if no stage is read so. A task ends no earlier
// than its input, so all of them remain as long as the stage is not finished.
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
// Hopper, sections 4.1, 5.2 and 6.2.1. The paper does not define how the dampening value acts. As an exponent it
// keeps a common factor of all weights a common factor.
func dampened(transfer, work, dampening float64) float64 {
	return min(maxAmount, math.Pow(transfer/work, dampening))
}

// demand returns the demand of a job.
func (t *turn) demand(own *sized) Demand {
	w := &own.wanted
	tasks := float64(w.slots)
	if t.config.Memory && t.each > 0 {
		tasks = (tasks + w.memory*t.each) / 2 // the mean of the two, in cores
	}
	return Demand{Tasks: min(tasks, maxAmount), Tail: own.tail, Weight: w.weight(t.config.Dampening)}
}
