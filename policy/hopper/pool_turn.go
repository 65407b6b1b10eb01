package hopper

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"example.com/augur/policy"
)

// Use says how many slots a job has now, 0 to 1e15, and whether it could use one more: a task of it
// waits, or a copy pays. A job that has just been set has none and wants none; [Pool.Set] keeps
// both. Shares do not depend on them. It is an error if the job is not there. It takes O(log n) time, less
// than a Set.
func (p *Pool) Use(id policy.JobID, slots float64, wants bool) error {
	if !(slots >= 0 && slots <= most) {
		return fmt.Errorf("hopper: job %d: slots in use are %v, must be 0 to %v", id, slots, most)
	}
	j := p.jobs.Get(id)
	if j == nil {
		return fmt.Errorf("hopper: job %d is not in the pool", id)
	}
	used := math.Inf(1)
	if wants {
		used = slots
	}
	if used == j.used {
		return nil
	}
	if j.used <= most {
		p.wants--
	}
	if wants {
		p.wants++
	}
	j.used = used
	j.class.use(j.seat)
	return nil
}

// Next returns the job whose turn the next slot is, and false if it is nobody's: the first that
// [Pool.Waiting] yields. Ask with 1-1e-9 first, then with 1e-9: so jobs that start from no slots
// come to their shares but for less than a slot each. With 1e-9 alone small jobs have theirs
// rounded up, and large ones what that leaves. With short near 0 or 1, or math.Inf(-1), it takes
// O(log n) time for each class that has a job so short, or had one when it was last asked, and O(1)
// for others. With other numbers it may take up to O(n).
func (p *Pool) Next(short float64) (id policy.JobID, ok bool) {
	if p.wants == 0 {
		return 0, false
	}
	if !p.known {
		p.solve()
	}
	s := newSeek(short)
	for i := -1; i < len(p.classes); i++ {
		c := p.nth(i)
		s.of(p.due(c), c.level)
		if l, k := s.first(&c.tree, place{}); l != nil {
			if size := c.level * l.jobs[k].tasks; size < s.limit || size == s.limit && l.jobs[k].id < id {
				s.limit, id, ok = size, l.jobs[k].id, true
			}
		}
	}
	return id, ok
}

// nth returns the i-th class, and before the first the jobs without tasks.
func (p *Pool) nth(i int) *class {
	if i < 0 {
		return &p.idle
	}
	return p.classes[i]
}

// Waiting yields the jobs that want a slot and are short of some,
//
//	share - slots in use ≥ short
//
// by virtual size without weight, least first; ties go to the lower ID. So
// with short 1-1e-9 they miss a whole slot of their share, and with 1e-9 a part of one. With
// math.Inf(-1) they are all that want, since a slot that nobody misses is better lent than idle. A
// job without tasks has size 0 and share 0, so it can but borrow.
//
// The first takes what [Pool.Next] takes, and each further one O(C), with C the number of
// classes, or O(log n) where the next one so short is far. p must not change meanwhile. It allocates
// nothing with up to 7 classes.
func (p *Pool) Waiting(short float64) iter.Seq[policy.JobID] {
	return func(yield func(policy.JobID) bool) {
		if p.wants == 0 {
			return
		}
		if !p.known {
			p.solve()
		}
		var few [8]head
		heads := few[:0] // of the classes that have any, the next one last
		for i := -1; i < len(p.classes); i++ {
			c := p.nth(i)
			h := head{seek: newSeek(short), tree: &c.tree}
			h.of(p.due(c), c.level)
			if h.leaf, h.i = h.first(h.tree, place{}); h.leaf != nil {
				heads = append(heads, h)
			}
		}
		for len(heads) > 0 {
			best := 0
			for i := range heads {
				if heads[i].before(&heads[best]) {
					best = i
				}
			}
			if !yield(heads[best].leaf.jobs[heads[best].i].id) {
				return
			}
			if !heads[best].next() {
				heads = slices.Delete(heads, best, best+1)
			}
		}
	}
}

// A head is the next job sought of a class.
type head struct {
	seek
	tree *tree
	leaf *leaf
	i    int
}

func (h *head) before(other *head) bool {
	a, b := &h.leaf.jobs[h.i], &other.leaf.jobs[other.i]
	x, y := h.size*a.tasks, other.size*b.tasks
	return x < y || x == y && a.id < b.id
}

// next goes on to the job after it, and reports whether there is one.
func (h *head) next() bool {
	if h.i = h.on(h.leaf, h.i+1); h.i < h.leaf.n {
		return true
	}
	at := h.leaf.jobs[h.leaf.n-1].place
	at.id++ // it may be the largest, but then no job is after it
	if at.id == 0 {
		at.tasks = math.Nextafter(at.tasks, math.Inf(1))
	}
	h.leaf, h.i = h.first(h.tree, at)
	return h.leaf != nil
}
