package baseline

import (
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// never is the end of what is not known to end, and unbounded the time it takes.
const (
	never     = policy.Never
	unbounded = policy.Duration(math.MaxInt64)
)

// times says for how long jobs hold the cores of each of their tasks: by the mean of a forecast, if there is one that
// knows it, else for as long as they request, or for ever.
type times struct{ forecast central.Forecast }

func (t times) of(j *central.Job, stage uint32) policy.Duration {
	if t.forecast != nil {
		if d, ok := t.forecast.Runtime(j, stage); ok {
			if x := d.Mean() * 1e9; x < float64(unbounded) {
				return max(1, policy.Duration(x))
			}
			return unbounded
		}
	}
	if j.Job.Requested == 0 {
		return unbounded
	}
	return j.Job.Requested
}

// after returns t + d, and never if d is unbounded.
func after(t policy.Time, d policy.Duration) policy.Time {
	if d == unbounded {
		return never
	}
	return t.Add(d)
}

// orderOf returns the order that a filler fills the gaps of: central sees to it that the turn is one.
func orderOf(b central.Books) central.Order { return b.Turn.(central.Order) }

// fixed reports whether an order changes for no job that waits, but for what Reordered says.
func fixed(o central.Order) bool {
	f, ok := o.(interface{ Fixed() bool })
	return ok && f.Fixed()
}

// A unit is a task, or a whole gang, that holds cores until its requested time is over.
type unit struct {
	end   policy.Time
	seq   uint64 // tells units with the same end apart
	width int64  // cores
	sum   int64  // cores of the part of the tree below
}

// units are those that hold cores, by their requested ends. The zero units are not usable;
// see newUnits.
type units struct {
	time times
	tree tree[unit]
	at   map[policy.Copy]uint32 // nodes of the tree
	seq  uint64
}

func newUnits() units {
	return units{
		at: make(map[policy.Copy]uint32),
		tree: tree[unit]{
			less: func(a, b *unit) bool { return a.end < b.end || a.end == b.end && a.seq < b.seq },
			sum: func(e, left, right *unit) {
				e.sum = e.width
				if left != nil {
					e.sum += left.sum
				}
				if right != nil {
					e.sum += right.sum
				}
			},
		},
	}
}

// observe takes note of an event about a job.
func (u *units) observe(j *central.Job, ev *policy.Event) {
	switch {
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		u.hold(j, ev.Copy, ev.Time.Add(-ev.Service))
	case ev.Kind == policy.Refused || ev.Kind == policy.Suspended || ev.Kind.End():
		u.release(ev.Copy)
	}
}

// hold says that a copy holds its cores, as if since the given instant.
func (u *units) hold(j *central.Job, c policy.Copy, since policy.Time) {
	end := after(since, u.time.of(j, c.Stage))
	if i, ok := u.at[c]; ok {
		if u.tree.nodes[i].e.end == end {
			return
		}
		u.tree.remove(i)
	}
	u.seq++
	u.at[c] = u.tree.insert(unit{end: end, seq: u.seq, width: j.Job.Stages[c.Stage].Width()})
}

// release says that a copy no longer holds cores, if it ever did.
func (u *units) release(c policy.Copy) {
	if i, ok := u.at[c]; ok {
		u.tree.remove(i)
		delete(u.at, c)
	}
}

// end returns when a copy should end, and false if it holds no cores.
func (u *units) end(c policy.Copy) (end policy.Time, ok bool) {
	i, ok := u.at[c]
	if !ok {
		return 0, false
	}
	return u.tree.nodes[i].e.end, true
}

// until returns the earliest requested end by which so many cores, at least one, will have
// been freed; never if not all will.
func (u *units) until(cores int64) policy.Time {
	t := &u.tree
	end := never
	for i := t.root; i != 0; {
		n := &t.nodes[i]
		left := int64(0)
		if n.left != 0 {
			left = t.nodes[n.left].e.sum
		}
		if left+n.e.width >= cores {
			end = n.e.end
			i = n.left
		} else {
			cores -= left + n.e.width
			i = n.right
		}
	}
	return end
}

// freed returns how many cores will have been freed by an instant.
func (u *units) freed(by policy.Time) (cores int64) {
	t := &u.tree
	for i := t.root; i != 0; {
		n := &t.nodes[i]
		if n.e.end > by {
			i = n.left
			continue
		}
		cores += n.e.width
		if n.left != 0 {
			cores += t.nodes[n.left].e.sum
		}
		i = n.right
	}
	return cores
}
