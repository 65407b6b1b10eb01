package hopper

import "math"

// upTo returns the total of the jobs for which factor * tasks is at most limit, and the largest
// stretch of tasks within which none of the tree's jobs is, so that the total holds as long as the limit is
// there: all jobs of the total have at most low tasks, and others at least high.
func (t *tree) upTo(factor, limit float64) (sum total, low, high float64) {
	n := uint32(0)
	low, high = math.Inf(-1), math.Inf(1)
	for b := t.root; b != nil; {
		i := 0
		for ; i < b.n && factor*b.start[i].tasks <= limit; i++ {
		}
		if i < b.n {
			high = b.start[i].tasks
		}
		if i--; i < 0 {
			break
		}
		low = b.start[i].tasks
		for k := range i {
			n += b.kids[k].n
			sum.tasks += b.kids[k].sum
		}
		if l := b.kids[i].leaf; l != nil {
			for k := range l.n {
				tasks := l.jobs[k].tasks
				if factor*tasks > limit {
					high = tasks
					break
				}
				low = tasks
				n++
				sum.tasks += tasks
			}
		}
		b = b.kids[i].kid
	}
	sum.n = float64(n)
	return sum, low, high
}

// reach returns the first job, in order, with which those up to it have enough, and the total of
// those before it; false if all have not. enough must not fall from one job to the next.
func (t *tree) reach(enough func(total) bool) (at place, before total, ok bool) {
	for b := t.root; b != nil; {
		i := 0
		for ; i < b.n; i++ {
			c := &b.kids[i]
			with := total{before.n + float64(c.n), before.tasks + c.sum}
			if enough(with) {
				break
			}
			before = with
		}
		if i == b.n {
			if !ok {
				return at, before, false
			}
			// Sums that are rounded may disagree: it is the last job.
			i--
			before.n -= float64(b.kids[i].n)
			before.tasks -= b.kids[i].sum
		}
		ok = true
		if l := b.kids[i].leaf; l != nil {
			for k := 0; ; k++ {
				tasks := l.jobs[k].tasks
				with := total{before.n + 1, before.tasks + tasks}
				if k+1 == l.n || enough(with) {
					return l.jobs[k].place, before, true
				}
				before = with
			}
		}
		b = b.kids[i].kid
	}
	return at, before, false
}

// A due says what the jobs of a tree are due: before the edge their tasks times each, if that is more than
// the floor, at the edge something, and after it the floor.
type due struct {
	floor, each float64
	edge        place
	at          float64
}

func (d *due) share(at place) float64 {
	switch {
	case at.before(d.edge):
		return max(d.floor, d.each*at.tasks)
	case at == d.edge:
		return d.at
	}
	return d.floor
}

// A seek looks for jobs that want a slot and have less than they are due.
type seek struct {
	due
	short float64 // by how much less, at least; finite if negative
	size  float64 // of a job for each of its tasks
	limit float64 // of the size

	// Nobody is short for whom each and next of the least, so weighted, are more than enough.
	byEach, byNext, enough float64
}

// newSeek returns a seek that has no limit yet.
func newSeek(short float64) seek {
	// Who wants none has infinitely many, and is never short by a finite number.
	s := seek{short: max(short, -math.MaxFloat64), limit: math.Inf(1)}
	// (used + short) / tasks is to be at most what is due for each task. Its least is concave in
	// short, so it is not below the line between what it is for 0 and 1.
	switch {
	case short > 1:
		s.byNext = 1
	case short >= 0:
		s.byEach, s.byNext = 1-short, short
	}
	return s
}

// of makes it a seek in a class.
func (s *seek) of(d due, size float64) {
	s.due, s.size, s.enough = d, size, d.each*(1+4e-15) // more than the rounding
}

// may reports whether one of some jobs, none of which is before a place, may be sought.
func (s *seek) may(start place, l *least) bool {
	return s.floor-l.used >= s.short ||
		float64(s.byEach*l.each)+float64(s.byNext*l.next) <= s.enough && !s.edge.before(start)
}

// first returns the first job sought of a tree that is not before a place; no leaf if there is none.
func (s *seek) first(t *tree, from place) (*leaf, int) {
	if t.root == nil || s.size*t.root.start[0].tasks > s.limit || !s.may(from, &t.least) {
		return nil, 0
	}
	l, i := s.in(t.root, from)
	if l == nil {
		t.least = t.root.lowest()
	}
	return l, i
}

func (s *seek) in(b *branch, from place) (*leaf, int) {
	i := 0
	if from != (place{}) {
		i = b.find(from)
	}
	for ; i < b.n; i++ {
		if !s.may(b.start[i], &b.least[i]) {
			continue
		}
		if s.size*b.start[i].tasks > s.limit {
			break
		}
		c := &b.kids[i]
		if c.leaf == nil {
			if l, k := s.in(c.kid, from); l != nil {
				return l, k
			}
			b.least[i] = c.kid.lowest()
			continue
		}
		k := 0
		if b.start[i].before(from) {
			k = c.leaf.find(from)
		}
		if k = s.on(c.leaf, k); k < c.leaf.n {
			return c.leaf, k
		}
		b.least[i] = c.leaf.lowest()
	}
	return nil, 0
}

// on returns the first job sought of a leaf from the i-th one on.
func (s *seek) on(l *leaf, i int) int {
	jobs := l.jobs[:l.n]
	if n := len(jobs); n > 0 && jobs[n-1].before(s.edge) {
		for ; i < n; i++ {
			j := &jobs[i]
			if s.floor-j.used >= s.short || float64(s.each*j.tasks)-j.used >= s.short {
				break
			}
		}
		return i
	}
	for ; i < len(jobs); i++ {
		if j := &jobs[i]; s.share(j.place)-j.used >= s.short {
			break
		}
	}
	return i
}
