package hopper

import (
	"math"

	"example.com/augur/policy"
)

// A wanted is the demand of a job's running phase, and of the transfer from it. It is updated as tasks finish: a job may
// have very many stages, so summing them at each event would take quadratic time.
//
// The running phase is the stages that are Ready, except those that read an unfinished stage through a pipe: they are the
// downstream phase. Its tasks are T′, the transfer, until all that they read through pipes is finished; then they are T. So
// they never count twice, though they may hold slots all the time: the room for them is what the weight α adds to the
// virtual size T·sqrt(α).
//
// # Source
//
// Hopper, sections 4.1 and 5.2: T is what remains of the current phase, T′ of the transfer to the downstream phase, and only
// two phases count at a time, "the currently running phase and the downstream phase reading the output". The thesis measures
// transfers in bytes, which jobs do not report here, so T′ is tasks, as where section 4.1 sets α to T′/T. Section 5.2
// divides the bytes left to read by the bytes left to write; if all tasks of a phase write about as much, as was
// measured there, their number of bytes cancels.
type wanted struct {
	tasks    amount // not finished, of the running phase
	transfer amount // tasks that read stages of the running phase through pipes
}

// An amount is what a number of tasks takes.
type amount struct {
	slots  int64
	memory float64 // bytes
}

// taken returns what this many units of a stage take.
func taken(stage *policy.Stage, units uint32) amount {
	return amount{stage.Width() * int64(units), float64(stage.Memory) * float64(stage.UnitTasks()) * float64(units)}
}

// add adds another amount.
func (a *amount) add(b amount) {
	a.slots = min(a.slots+b.slots, 1<<61) // the readers of very many stages may be more than an int64 holds
	a.memory += b.memory
}

// sub subtracts another amount.
func (a *amount) sub(b amount) {
	a.slots = max(0, a.slots-b.slots)
	a.memory = max(0, a.memory-b.memory) // it is a rounded sum
	if a.slots == 0 {
		a.memory = 0
	}
}

// piped is what a turn knows of a stage of a job with pipes.
type piped struct {
	readers []uint32 // the stages that read it through pipes
	reads   int      // stages that it reads through pipes and that are not finished
	from    int      // of these, those of the running phase. While there is one, its tasks are T′: they end no earlier than their input
}

// pipesOf returns what is known of each stage when its job comes, nil if the job has no pipes.
func pipesOf(stages []policy.Stage) (pipes []piped) {
	for i := range stages {
		for _, read := range stages[i].Reads {
			if !read.Pipe {
				continue
			}
			if pipes == nil {
				pipes = make([]piped, len(stages))
			}
			pipes[read.Stage].readers = append(pipes[read.Stage].readers, uint32(i))
			pipes[i].reads++
		}
	}
	return pipes
}

// opened adds a stage, if it has come to belong to the running phase.
func (own *sized) opened(i uint32) {
	s, stage := &own.Stages[i], &own.Job.Job.Stages[i]
	if !s.Ready || !own.runs(i) || s.Finished == stage.Units() {
		return
	}
	own.wanted.tasks.add(taken(stage, stage.Units()-s.Finished))
	own.transfers(i, 1)
}

// transfers adds a stage to the running phase for those that read it through pipes, or takes it out with -1. What reads several
// stages counts once.
func (own *sized) transfers(i uint32, n int) {
	if own.pipes == nil {
		return
	}
	for _, r := range own.pipes[i].readers {
		reader, stage := &own.pipes[r], &own.Job.Job.Stages[r]
		before := reader.from > 0
		reader.from += n
		switch after := reader.from > 0; {
		case after && !before:
			own.wanted.transfer.add(taken(stage, stage.Units()))
		case before && !after:
			own.wanted.transfer.sub(taken(stage, stage.Units()))
		}
	}
}

// runs reports whether a stage reads no unfinished one through a pipe.
func (own *sized) runs(i uint32) bool { return own.pipes == nil || own.pipes[i].reads == 0 }

// finished subtracts a unit of a stage that has just finished, perhaps the last one: then the stages that read it through
// pipes may begin to count.
func (own *sized) finished(i uint32, last bool) {
	if own.runs(i) { // else its input's end is still to be replayed after a restart
		own.wanted.tasks.sub(taken(&own.Job.Job.Stages[i], 1))
		if last {
			own.transfers(i, -1)
		}
	}
	if !last || own.pipes == nil {
		return
	}
	for _, reader := range own.pipes[i].readers {
		own.pipes[reader].reads--
		own.opened(reader)
	}
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

// size returns what an amount is in slots.
func (t *turn) size(a amount) float64 {
	size := float64(a.slots)
	if t.config.Memory && t.each > 0 {
		size = (size + float64(a.memory*t.each)) / 2 // the mean of the two, in cores
	}
	return min(size, maxAmount)
}

// demand returns the demand of a job.
func (t *turn) demand(own *sized) Demand {
	d := Demand{Tasks: t.size(own.wanted.tasks), Tail: own.tail, Weight: 1, Downstream: t.size(own.wanted.transfer)}
	if d.Downstream > 0 {
		d.Weight = max(1, dampened(d.Downstream, d.Tasks, t.config.Dampening))
	}
	return d
}
