package sim

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// An attempt is a copy of a task, or of a gang, that the centre has started. The first attempt at a task also keeps
// what is known of the task itself, from the first Start until the task is finished and has no copy left; its own
// copy may end earlier. It takes 64 bytes.
type attempt struct {
	job *job // nil if the place is free
	// begun is the instant at which the copy would have begun to run had it not stood still
	// since; while it stands, it is its service.
	begun int64
	past  policy.Duration // how much more of the task's time limit is used than the copy has served: see machines.limit

	stage, index uint32
	node         policy.NodeID // of the copy; 0 for a gang: see books.gangs
	next         int32         // the next attempt at the task, by place plus one
	event        ticket        // of what is to happen to the copy next

	n    uint32 // of the copy
	used uint32 // the numbers of the task's copies are below
	live uint32 // copies that run or are being started, as far as the centre has heard
	open uint32 // the same, as far as the policy was told

	state    state
	failures uint8
	last     policy.EventKind // the last end of a copy; Finished stays
	flags    flags
}

type flags uint8

const (
	local    flags = 1 << iota // it was started by the part on the node
	idle                       // the last thing said of it is Suspended
	tried                      // a copy of the task has run
	covered                    // a copy of it runs, or it is finished
	overran                    // the copy has run for the requested time
	written                    // a copy of the task has finished; perhaps the centre has not heard of it yet
	unloaded                   // the copy goes on from a save, and has not reloaded it
	stopped                    // it is to be saved, or was
)

func (a *attempt) is(f flags) bool { return a.flags&f != 0 }

func (a *attempt) set(f flags, on bool) {
	if a.flags &^= f; on {
		a.flags |= f
	}
}

// done reports whether the task is finished.
func (a *attempt) done() bool { return a.last == policy.Finished }

func (a *attempt) id() policy.Copy {
	return policy.Copy{Task: policy.Task{Job: a.job.id, Stage: a.stage, Index: a.index}, N: a.n}
}

func (a *attempt) of() *stage { return &a.job.stages[a.stage] }

// state is what a copy is doing.
type state uint8

const (
	away       state = iota // there is none, or it is on its way
	runs                    // it has its cores, and works
	drains                  // has done its own work and waits for the end of what it reads
	suspending              // still holds its cores
	turning                 // the same, and will be resumed
	suspended
	resuming  // holds its cores again
	reloading // holds its cores and does not work yet
	saving    // holds its cores until it is saved
)

// A stage keeps an int32 for each of its units: 0 if it was never started, below 0 if it is finished (and how many
// numbers of copies were used), else the place of its first attempt plus one.

// first returns the first attempt at a unit, nil if there is none or the unit is finished.
func (b *books) first(st *stage, index uint32) *attempt {
	if at := st.units[index]; at > 0 {
		return b.attempts.At(at - 1)
	}
	return nil
}

// unit returns the first attempt at a unit, and makes it if there is none. tidy must be called afterwards.
func (b *books) unit(j *job, c policy.Copy) *attempt {
	units := j.stages[c.Stage].units
	at := units[c.Index]
	if at > 0 {
		return b.attempts.At(at - 1)
	}
	place := b.attempts.Take()
	a := b.attempts.At(place)
	a.job, a.stage, a.index = j, c.Stage, c.Index
	if at < 0 {
		a.used, a.last, a.flags = uint32(-at), policy.Finished, tried|covered
	}
	units[c.Index] = place + 1
	return a
}

// tidy frees the attempt at a finished unit, if it has no copy left.
func (b *books) tidy(a *attempt) {
	if a.done() && a.live == 0 && a.open == 0 && a.state == away && a.next == 0 {
		at := &a.job.stages[a.stage].units[a.index]
		place := *at - 1
		*at = -int32(max(1, a.used))
		b.attempts.Drop(place)
	}
}

// used records the number of a copy that a part starts.
func (b *books) used(c policy.Copy) {
	if j := b.jobs.Get(c.Job); j != nil {
		u := b.unit(j, c)
		u.used = max(u.used, c.N+1)
		b.tidy(u)
	}
}

// clear frees all attempts at the units of a job that is over.
func (b *books) clear(j *job) {
	for i := range j.stages {
		for _, at := range j.stages[i].units {
			for at > 0 {
				place := at - 1
				at = b.attempts.At(place).next
				b.attempts.Drop(place)
			}
		}
	}
}

// find returns the place of a copy that is on a node, plus one; 0 if it is on no node.
func (b *books) find(id policy.Copy) int32 {
	j := b.jobs.Get(id.Job)
	if j == nil {
		return 0
	}
	for at := j.stages[id.Stage].units[id.Index]; at > 0; {
		a := b.attempts.At(at - 1)
		if a.state != away && a.n == id.N {
			return at
		}
		at = a.next
	}
	return 0
}

// copies returns the copies of a unit that are on nodes, by their numbers.
func (b *books) copies(st *stage, index uint32) (places []int32) {
	for at := st.units[index]; at > 0; {
		a := b.attempts.At(at - 1)
		if a.state != away {
			places = append(places, at-1)
		}
		at = a.next
	}
	slices.SortFunc(places, func(p, q int32) int { return cmp.Compare(b.attempts.At(p).n, b.attempts.At(q).n) })
	return places
}

// enroll returns the place of an attempt for a copy that is about to start.
func (b *books) enroll(j *job, c policy.Copy) int32 {
	first := b.unit(j, c)
	at := j.stages[c.Stage].units[c.Index] - 1
	if first.state != away {
		place := b.attempts.Take()
		*b.attempts.At(place) = attempt{job: j, stage: c.Stage, index: c.Index, next: first.next}
		first.next = place + 1
		at = place
	}
	a := b.attempts.At(at)
	a.n = c.N
	return at
}

// strike removes the attempt of a copy that has ended.
func (b *books) strike(place int32) {
	a := b.attempts.At(place)
	at := &a.job.stages[a.stage].units[a.index]
	if *at == place+1 { // it may still say something of the task
		a.state, a.event, a.node, a.begun, a.past = away, 0, 0, 0, 0
		a.flags &= tried | covered | written
		return
	}
	for *at != place+1 {
		at = &b.attempts.At(*at - 1).next
	}
	*at = a.next
	b.attempts.Drop(place)
}

// waits reports whether a unit is to be started: it is not finished, and no copy of it is there or asked for.
func (b *books) waits(st *stage, index uint32) bool {
	at := st.units[index]
	if at <= 0 {
		return at == 0
	}
	first := b.attempts.At(at - 1)
	if first.done() || first.live > 0 || first.open > 0 {
		return false
	}
	for ; at > 0; at = b.attempts.At(at - 1).next {
		if b.attempts.At(at-1).state != away {
			return false
		}
	}
	return true
}
