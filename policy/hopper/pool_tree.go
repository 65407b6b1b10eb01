package hopper

import (
	"math"
	"math/bits"

	"example.com/augur/policy"
)

// A tree holds the jobs of a class in order, with the totals of its parts, so that totals of the
// jobs up to any one take O(log n) time. It is a B+ tree: jobs stand in blocks, side by side, since what
// takes time is to go from one block to another. All leaves are equally deep.
//
// Sums are of what is there now, each of its parts in order, and never what is left of a sum from which
// something was taken. So there is no drift. If all tasks are whole numbers, sums are exact.
type tree struct {
	root  *branch
	all   total
	least least
	parts int // jobs whose tasks are not a whole number
	spare *spare
}

const (
	leafWidth   = 32
	branchWidth = 32
)

// A place is where a job stands in the order: by tasks, and of equal ones by ID.
type place struct {
	tasks float64
	id    policy.JobID
}

func (a place) before(b place) bool { return a.less(b) == 1 }

// less is 1 if a is before b, else 0. Numbers that are not negative are in the order of their bits, and
// a search that does not branch is faster than one that is guessed wrong half of the time.
func (a place) less(b place) uint64 {
	_, borrow := bits.Sub64(uint64(a.id), uint64(b.id), 0)
	_, borrow = bits.Sub64(math.Float64bits(a.tasks), math.Float64bits(b.tasks), borrow)
	return borrow
}

// A seat is a place that is taken.
type seat struct {
	place
	used float64 // slots; +Inf if the job does not want another one
}

type leaf struct {
	n    int
	jobs [leafWidth]seat
}

// A branch has n children, leaves if it is low, else branches.
type branch struct {
	n     int
	low   bool
	start [branchWidth]place // the jobs of a child are not before it, but before the next child's
	least [branchWidth]least // of a child
	kids  [branchWidth]child
}

type child struct {
	sum  float64 // of tasks
	n    uint32  // of jobs
	leaf *leaf
	kid  *branch
}

// A total is the number of some jobs, and the sum of their tasks.
type total struct{ n, tasks float64 }

// least is at most what each job has that wants a slot: the slots in use, and for each of its tasks
// these, and one more than these. It falls at once and rises when somebody has looked for a job in vain.
type least struct{ used, each, next float64 }

var nobody = least{math.Inf(1), math.Inf(1), math.Inf(1)}

func (s *seat) least() least { return least{s.used, s.used / s.tasks, (s.used + 1) / s.tasks} }

func (l *least) add(other least) {
	if other.used < l.used {
		l.used = other.used
	}
	if other.each < l.each {
		l.each = other.each
	}
	if other.next < l.next {
		l.next = other.next
	}
}

// find returns the index of the first job that is not before a place.
func (l *leaf) find(at place) int {
	first, n := 0, l.n+1 // it is one of n
	for n > 1 {
		half := n / 2
		first += half & -int(l.jobs[(first+half-1)%leafWidth].less(at))
		n -= half
	}
	return first
}

// find returns the child for a place.
func (b *branch) find(at place) int {
	first, n := 0, b.n
	for n > 1 {
		half := n / 2
		first += half & (int(at.less(b.start[(first+half)%branchWidth])) - 1)
		n -= half
	}
	return first
}

func (l *leaf) sum() float64 {
	sum := 0.0
	for i := range l.n {
		sum += l.jobs[i].tasks
	}
	return sum
}

func (b *branch) sum() float64 {
	sum := 0.0
	for i := range b.n {
		sum += b.kids[i].sum
	}
	return sum
}

func (l *leaf) lowest() least {
	sum := nobody
	for i := range l.n {
		if s := &l.jobs[i]; s.used <= most {
			sum.add(s.least())
		}
	}
	return sum
}

func (b *branch) lowest() least {
	sum := nobody
	for i := range b.n {
		sum.add(b.least[i])
	}
	return sum
}

// size returns how many children or jobs a child has.
func (c *child) size() int {
	if c.leaf != nil {
		return c.leaf.n
	}
	return c.kid.n
}

func (c *child) full() bool {
	if c.leaf != nil {
		return c.leaf.n == leafWidth
	}
	return c.kid.n == branchWidth
}

func (c *child) small() bool {
	if c.leaf != nil {
		return c.leaf.n < leafWidth/4
	}
	return c.kid.n < branchWidth/4
}

// resum brings the sum of a child up to date after its tasks are more by so many. Sums
// of whole numbers are exact, so it makes no difference which way they are made.
func (c *child) resum(more float64, exact bool) {
	switch {
	case exact:
		c.sum += more
	case c.leaf != nil:
		c.sum = c.leaf.sum()
	default:
		c.sum = c.kid.sum()
	}
}

// recount makes all that is known of a child anew.
func (b *branch) recount(i int) {
	c := &b.kids[i]
	if c.leaf != nil {
		c.n, c.sum, b.least[i] = uint32(c.leaf.n), c.leaf.sum(), c.leaf.lowest()
		return
	}
	c.n, c.sum, b.least[i] = 0, c.kid.sum(), c.kid.lowest()
	for k := range c.kid.n {
		c.n += c.kid.kids[k].n
	}
}

// A spare keeps blocks that are empty.
type spare struct {
	leaves   []*leaf
	branches []*branch
}

func (s *spare) leaf() *leaf {
	n := len(s.leaves)
	if n == 0 {
		return new(leaf)
	}
	l := s.leaves[n-1]
	s.leaves = s.leaves[:n-1]
	return l
}

func (s *spare) branch(low bool) *branch {
	n := len(s.branches)
	if n == 0 {
		return &branch{low: low}
	}
	b := s.branches[n-1]
	s.branches = s.branches[:n-1]
	b.low = low
	return b
}

// take takes the block of a child that is about to be dropped.
func (s *spare) take(c *child) {
	if c.leaf != nil {
		c.leaf.n = 0
		s.leaves = append(s.leaves, c.leaf)
		return
	}
	*c.kid = branch{}
	s.branches = append(s.branches, c.kid)
}
