package sim

import (
	"cmp"
	"slices"

	"example.com/augur/internal/slab"
	"example.com/augur/policy"
)

// slips are the actions that the host carries out late, in the order that rule Order requires: an action waits for
// earlier ones that concern the same copy or name the same node.
type slips struct {
	clock  *clock
	faults *Faults
	count  *FaultCount

	list     slab.Slab[slip]
	made     uint64 // so far
	channels map[channel]queued
}

// A slip is a late order or message.
type slip struct {
	order    order
	message  message // if mail
	mail     bool
	void     bool      // it has been dealt with
	made     uint64    // its number, 0 if there is none at this place
	channels []channel // in which others wait for it
}

// A channel is a queue whose order is kept: the orders about one copy, the orders of the centre or of the part on one
// node, or the messages from one part to another.
type channel struct {
	copy     policy.Copy
	from, to policy.NodeID
	mail     bool
}

// queued is the last thing that waits in a channel.
type queued struct {
	till policy.Time
	made uint64
}

// from returns the node whose part asked for it, 0 for the centre.
func (x *slip) from() policy.NodeID {
	if x.mail {
		return x.message.from
	}
	return x.order.from
}

// draw draws by how much an action is late, 0 if it is not.
func (sl *slips) draw(kind policy.ActionKind, key ...uint64) policy.Duration {
	key = append(key, uint64(kind))
	if sl.faults.luck(luckSlip, key...) >= sl.faults.ActionLate {
		return 0
	}
	return max(1, exponential(sl.faults.MeanSlip, sl.faults.luck(luckSlipFor, key...)))
}

// ofAlarm returns by how much an alarm is late, if no other alarm replaces it.
func (sl *slips) ofAlarm(part policy.NodeID, at policy.Time) policy.Duration {
	if sl.faults.ActionLate == 0 {
		return 0
	}
	return sl.draw(policy.Wake, uint64(part), uint64(at.Sub(sl.clock.begin)))
}

// keep keeps an action that is late by so much, or that earlier ones in its channels hold up. It returns false if neither
// is so.
func (sl *slips) keep(late policy.Duration, x slip) bool {
	till, waits := sl.clock.now.Add(late), late > 0
	if waits {
		sl.count.ActionsLate++
	}
	for _, l := range x.channels {
		if q, some := sl.channels[l]; some {
			till, waits = max(till, q.till), true
		}
	}
	if !waits {
		return false
	}
	sl.made++
	x.made, x.order.late = sl.made, true
	i := sl.list.Take()
	*sl.list.At(i) = x
	sl.clock.at(till, slipDue, uint32(i))
	for _, l := range x.channels {
		sl.channels[l] = queued{till, x.made}
	}
	return true
}

// due takes out what the host was late to do and does now, and returns false if it has been dealt with.
func (sl *slips) due(i int32) (x slip, ok bool) {
	x = *sl.list.At(i)
	sl.list.Drop(i)
	for _, l := range x.channels {
		if sl.channels[l].made == x.made {
			delete(sl.channels, l)
		}
	}
	return x, !x.void
}

// open yields the slips that are to come.
func (sl *slips) open(yield func(*slip) bool) {
	for i := range sl.list.End() {
		if x := sl.list.At(i); x.made > 0 && !x.void && !yield(x) {
			return
		}
	}
}

// settle closes the open slips for which which returns true, and returns them in the order in which they were made.
func (sl *slips) settle(which func(*slip) bool) (late []slip) {
	for x := range sl.open {
		if which(x) {
			late = append(late, *x)
			x.void = true
		}
	}
	slices.SortFunc(late, func(a, b slip) int { return cmp.Compare(a.made, b.made) })
	return late
}
