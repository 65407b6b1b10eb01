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

// fixed reports whether an order or a forecast says of itself that it does not change.
func fixed(part any) bool {
	f, ok := part.(interface{ Fixed() bool })
	return ok && f.Fixed()
}

// A unit is a task, or a whole gang, that holds cores until its expected time is over.
type unit struct {
	end   policy.Time
	seq   uint64 // tells units with the same end apart
	width int64  // cores
	sum   int64  // cores of the part of the tree below
}

// units are those that hold cores, by their expected ends. The zero units are not usable;
// see newUnits.
type units struct {
	time   times
	tree   tree[unit]
	at     map[policy.Copy]uint32 // nodes of the tree
	seq    uint64
	groups groups
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

// bind says by which forecast units are expected to end, nil if there is none.
func (u *units) bind(f central.Forecast) {
	u.time.forecast, u.groups.changing = f, f != nil && !fixed(f)
}

// observe takes note of an event about a job, and reports whether the forecast has changed with it, and so the ends of
// running units.
func (u *units) observe(j *central.Job, ev *policy.Event) (renewed bool) {
	switch {
	case ev.Kind == policy.Submitted:
		u.groups.add(j)
		return false
	case ev.Kind == policy.Ended:
		u.groups.jobs.Delete(j.Job.ID)
		return false
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		u.hold(j, ev.Copy, ev.Time.Add(-ev.Service))
	case ev.Kind == policy.Refused || ev.Kind == policy.Suspended || ev.Kind.End():
		u.release(ev.Copy)
	}
	return u.renew(j)
}

// hold says that a copy holds its cores, as if since the given instant.
func (u *units) hold(j *central.Job, c policy.Copy, since policy.Time) {
	time := u.time.of(j, c.Stage)
	end := after(since, time)
	i, ok := u.at[c]
	if ok {
		u.groups.leave(i)
	}
	if ok && u.tree.nodes[i].e.end != end {
		u.tree.remove(i)
		ok = false
	}
	if !ok {
		u.seq++
		i = u.tree.insert(unit{end: end, seq: u.seq, width: j.Job.Stages[c.Stage].Width()})
		u.at[c] = i
	}
	u.groups.join(c, i, since, time)
}

// release says that a copy no longer holds cores, if it ever did.
func (u *units) release(c policy.Copy) {
	if i, ok := u.at[c]; ok {
		u.groups.leave(i)
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

// until returns the earliest expected end by which so many cores, at least one, will have
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
