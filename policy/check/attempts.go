package check

import "example.com/augur/policy"

// watched is the checker's counterpart of the simulator's attempt: a copy, and, if it is the first of its task or
// gang, what is known of that.
type watched struct {
	service   policy.Duration
	node      policy.NodeID      // where it is, or is to be if its Start says so
	partition policy.PartitionID // that its Start named
	next      int32              // the next attempt at the task, by place plus one
	n         uint32
	used      uint32 // of the task: all numbers below have been used
	live      uint32 // of the task: copies that run or are being started by the centre
	state     copyState
	gang      bool
	seen      bool // in the replay
	done      bool // the task is finished
}

type copyState uint8

const (
	copyAway  copyState = iota // it has ended
	copyAsked                  // Start is not answered
	copyAskedByPart
	copyRuns
	copyStands
)

// placed reports whether a copy is on a node.
func (w *watched) placed() bool { return w.state == copyRuns || w.state == copyStands }

// state returns what is known of a unit: the numbers of its copies, whether it is finished, and its entry in the
// stage.
func (c *Checker) state(st *watchedStage, index uint32) (used uint32, done bool, first int32) {
	switch at := st.units[index]; {
	case at > 0:
		u := c.attempts.At(at - 1)
		return u.used, u.done, at
	default:
		return uint32(-at), at < 0, at
	}
}

// unit returns the first attempt at a unit, and makes it if there is none.
func (c *Checker) unit(st *watchedStage, index uint32) *watched {
	at := st.units[index]
	if at > 0 {
		return c.attempts.At(at - 1)
	}
	place := c.attempts.Take()
	u := c.attempts.At(place)
	u.used, u.done = uint32(-at), at < 0
	st.units[index] = place + 1
	return u
}

// enroll returns the attempt of a copy of a unit that is about to start.
func (c *Checker) enroll(st *watchedStage, first *watched, index uint32) *watched {
	if first.state == copyAway {
		return first
	}
	place := c.attempts.Take()
	w := c.attempts.At(place)
	w.next, first.next = first.next, place+1
	return w
}

// strike removes the attempt of a copy that has ended.
func (c *Checker) strike(st *watchedStage, index uint32, place int32) {
	w := c.attempts.At(place)
	if w.gang {
		delete(c.gangs, place)
	}
	delete(c.devices, place)
	at := &st.units[index]
	if *at == place+1 { // it may still say something of the task
		*w = watched{next: w.next, used: w.used, live: w.live, done: w.done}
		return
	}
	for *at != place+1 {
		at = &c.attempts.At(*at - 1).next
	}
	*at = w.next
	c.attempts.Drop(place)
}

// tidy frees the attempt at a finished unit, if it has no copy left.
func (c *Checker) tidy(st *watchedStage, index uint32) {
	at := &st.units[index]
	if *at <= 0 {
		return
	}
	if u := c.attempts.At(*at - 1); u.done && u.state == copyAway && u.next == 0 {
		place := *at - 1
		*at = -int32(max(1, u.used))
		c.attempts.Drop(place)
	}
}

// find returns the place of a copy, -1 if there is none. first is the entry of its unit.
func (c *Checker) find(first int32, n uint32) int32 {
	for at := first; at > 0; {
		w := c.attempts.At(at - 1)
		if w.state != copyAway && w.n == n {
			return at - 1
		}
		at = w.next
	}
	return -1
}
