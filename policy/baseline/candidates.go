package baseline

import (
	"math/bits"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// candidates are the jobs that wait, kept so that the first one, in order, that may be
// backfilled is found without looking at the others. They are parted into classes of like
// width, since in a class what is narrow enough and what is short enough is found by one
// search of a tree; all classes up to the free cores are asked. A class spans widths up to a
// quarter apart: 1, 2, ... 7, 8 and 9, 10 and 11, ... 16 to 19, and so on.
type candidates struct {
	classes []tree[candidate] // by class
	order   central.Order
	fixed   bool // see there
	time    times
}

// A candidate is a job and the next unit of it that waits.
type candidate struct {
	job      *central.Job
	width    int64           // cores
	time     policy.Duration // that it takes
	minWidth int64           // least of the part of the tree below
	minTime  policy.Duration // least of the part of the tree below
}

// spot is where a candidate is found.
type spot struct {
	class int
	node  uint32 // 0: it is not among the candidates
}

func class(width int64) int {
	shift := max(0, bits.Len64(uint64(width))-3)
	return 4*shift + int(width>>shift)
}

// place puts a job among the candidates if something of it waits and it was not refused room, and takes it out
// if not. It is told where the job was, and returns where it is.
func (c *candidates) place(j *central.Job, at spot) spot {
	stage, ok := j.Next()
	if j.Refused || !ok {
		return c.remove(at)
	}
	width := j.Job.Stages[stage].Width()
	if at.node != 0 {
		if t := &c.classes[at.class]; t.nodes[at.node].e.width == width && t.nodes[at.node].e.time == c.time.of(j, stage) && (c.fixed || !t.misplaced(at.node)) {
			return at
		}
		c.remove(at)
	}
	k := class(width)
	for len(c.classes) <= k {
		c.classes = append(c.classes, tree[candidate]{
			less: func(a, b *candidate) bool { return c.order.Compare(a.job, b.job) < 0 },
			sum: func(e, left, right *candidate) {
				e.minWidth, e.minTime = e.width, e.time
				if left != nil {
					e.minWidth, e.minTime = min(e.minWidth, left.minWidth), min(e.minTime, left.minTime)
				}
				if right != nil {
					e.minWidth, e.minTime = min(e.minWidth, right.minWidth), min(e.minTime, right.minTime)
				}
			},
		})
	}
	return spot{k, c.classes[k].insert(candidate{job: j, width: width, time: c.time.of(j, stage)})}
}

func (c *candidates) remove(at spot) spot {
	if at.node != 0 {
		c.classes[at.class].remove(at.node)
	}
	return spot{}
}

// A gap is room for a unit that is at most so wide, and either short or narrow.
type gap struct {
	free  int64           // cores
	time  policy.Duration // for which they are free
	extra int64           // cores that are free for longer
}

func (g *gap) holds(width int64, time policy.Duration) bool {
	return width <= g.free && (time <= g.time || width <= g.extra)
}

// first returns the first candidate whose next unit fits into a gap, nil if there is none.
func (c *candidates) first(g gap) (found *central.Job) {
	if g.free <= 0 {
		return nil
	}
	for k := 0; k < min(len(c.classes), class(g.free)+1); k++ {
		t := &c.classes[k]
		if i := find(t, t.root, &g); i != 0 {
			if j := t.nodes[i].e.job; found == nil || c.order.Compare(j, found) < 0 {
				found = j
			}
		}
	}
	return found
}

// find returns the first node below at whose candidate fits into a gap, 0 if there is none.
func find(t *tree[candidate], at uint32, g *gap) uint32 {
	for at != 0 {
		n := &t.nodes[at]
		if !g.holds(n.e.minWidth, n.e.minTime) {
			return 0
		}
		if i := find(t, n.left, g); i != 0 {
			return i
		}
		if g.holds(n.e.width, n.e.time) {
			return at
		}
		at = n.right
	}
	return 0
}
