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

func part(tasks float64) int {
	if tasks != math.Floor(tasks) {
		return 1
	}
	return 0
}

// exact reports whether all sums are, with a job of so many tasks more.
func (t *tree) exact(tasks float64) bool { return t.parts == 0 && t.all.tasks+tasks < 1<<53 }

// add puts a job in, which is not there.
func (t *tree) add(s seat) {
	t.parts += part(s.tasks)
	exact := t.exact(s.tasks)
	t.room(s.place)
	t.addTo(t.root, t.root.find(s.place), s, s.least(), exact)
	t.all.n++
	t.resum(s.tasks, s.least(), exact)
}

func (t *tree) resum(more float64, l least, exact bool) {
	if t.least.add(l); exact {
		t.all.tasks += more
	} else {
		t.all.tasks = t.root.sum()
	}
}

// room makes a root that is not full.
func (t *tree) room(at place) {
	switch {
	case t.root == nil:
		t.root = t.spare.branch(true)
		t.least = nobody
		t.root.grow(0, at, child{leaf: t.spare.leaf()})
	case t.root.n == branchWidth:
		old := t.root
		t.root = t.spare.branch(false)
		t.root.grow(0, old.start[0], child{kid: old})
		t.root.recount(0)
		t.split(t.root, 0)
	}
}

// addTo puts a job below a branch that is not full, to its i-th child, which is where it belongs.
func (t *tree) addTo(b *branch, i int, s seat, l least, exact bool) {
	if s.before(b.start[i]) {
		b.start[i] = s.place
	}
	if b.kids[i].full() {
		t.split(b, i)
		if !s.before(b.start[i+1]) {
			i++
		}
	}
	c := &b.kids[i]
	if c.leaf != nil {
		c.leaf.insert(c.leaf.find(s.place), s)
	} else {
		t.addTo(c.kid, c.kid.find(s.place), s, l, exact)
	}
	c.n++
	c.resum(s.tasks, exact)
	b.least[i].add(l)
}

func (l *leaf) insert(i int, s seat) {
	copy(l.jobs[i+1:l.n+1], l.jobs[i:l.n])
	l.jobs[i] = s
	l.n++
}

// grow puts a child in.
func (b *branch) grow(i int, start place, c child) {
	copy(b.start[i+1:b.n+1], b.start[i:b.n])
	copy(b.least[i+1:b.n+1], b.least[i:b.n])
	copy(b.kids[i+1:b.n+1], b.kids[i:b.n])
	b.start[i], b.least[i], b.kids[i] = start, nobody, c
	b.n++
}

// drop takes a child out.
func (b *branch) drop(i int) {
	copy(b.start[i:b.n-1], b.start[i+1:b.n])
	copy(b.least[i:b.n-1], b.least[i+1:b.n])
	copy(b.kids[i:b.n-1], b.kids[i+1:b.n])
	b.n--
	b.kids[b.n] = child{}
}

// split makes two of a child that is full.
func (t *tree) split(b *branch, i int) {
	c := &b.kids[i]
	var right child
	var start place
	if l := c.leaf; l != nil {
		r := t.spare.leaf()
		r.n = copy(r.jobs[:], l.jobs[l.n/2:l.n])
		l.n -= r.n
		right.leaf, start = r, r.jobs[0].place
	} else {
		k := c.kid
		r := t.spare.branch(k.low)
		copy(r.start[:], k.start[k.n/2:k.n])
		copy(r.least[:], k.least[k.n/2:k.n])
		r.n = copy(r.kids[:], k.kids[k.n/2:k.n])
		k.n -= r.n
		clear(k.kids[k.n:])
		right.kid, start = r, r.start[0]
	}
	b.grow(i+1, start, right)
	b.recount(i)
	b.recount(i + 1)
}

// remove takes a job out, which is there.
func (t *tree) remove(at place) {
	exact := t.exact(0)
	t.removeFrom(t.root, t.root.find(at), at, exact)
	t.all.n--
	t.parts -= part(at.tasks)
	t.resum(-at.tasks, nobody, exact)
	t.shrink()
}

// shrink takes off a root that has one child or none.
func (t *tree) shrink() {
	switch old := t.root; {
	case old.n == 0:
		t.spare.branches = append(t.spare.branches, old)
		t.root = nil
	case old.n == 1 && !old.low:
		t.root = old.kids[0].kid
		*old = branch{}
		t.spare.branches = append(t.spare.branches, old)
	}
}

// removeFrom takes a job out from below the i-th child of a branch.
func (t *tree) removeFrom(b *branch, i int, at place, exact bool) {
	c := &b.kids[i]
	if l := c.leaf; l != nil {
		j := l.find(at)
		copy(l.jobs[j:l.n-1], l.jobs[j+1:l.n])
		l.n--
	} else {
		t.removeFrom(c.kid, c.kid.find(at), at, exact)
	}
	c.n--
	c.resum(-at.tasks, exact)
	if c.small() {
		t.tidy(b, i)
	}
}

// tidy takes out a child that is empty, and joins a small one with one beside it if there is room
// left in what comes of it.
func (t *tree) tidy(b *branch, i int) {
	if b.kids[i].size() == 0 {
		t.spare.take(&b.kids[i])
		b.drop(i)
		return
	}
	if i+1 < b.n && t.join(b, i) || i == 0 {
		return
	}
	t.join(b, i-1)
}

// join joins a child with the next one, if they are small together.
func (t *tree) join(b *branch, i int) bool {
	c, next := &b.kids[i], &b.kids[i+1]
	if l := c.leaf; l != nil {
		if l.n+next.leaf.n > leafWidth*3/4 {
			return false
		}
		l.n += copy(l.jobs[l.n:], next.leaf.jobs[:next.leaf.n])
	} else {
		k, from := c.kid, next.kid
		if k.n+from.n > branchWidth*3/4 {
			return false
		}
		copy(k.start[k.n:], from.start[:from.n])
		copy(k.least[k.n:], from.least[:from.n])
		k.n += copy(k.kids[k.n:], from.kids[:from.n])
	}
	b.recount(i)
	t.spare.take(next)
	b.drop(i + 1)
	return true
}

// move gives a job that is there another place.
func (t *tree) move(from place, to seat) {
	t.parts += part(to.tasks)
	exact := t.exact(to.tasks)
	if l := to.least(); t.moveIn(t.root, from, to, l, exact) {
		t.parts -= part(from.tasks)
		t.resum(to.tasks-from.tasks, l, exact)
		t.shrink()
		return
	}
	t.parts -= part(to.tasks)
	t.add(to)
	t.remove(from)
}

// moveIn moves a job within a branch, or reports that it would have to be split before.
func (t *tree) moveIn(b *branch, from place, to seat, l least, exact bool) bool {
	i, k := b.find(from), b.find(to.place)
	c := &b.kids[i]
	switch {
	case i != k:
		n := b.n
		if n == branchWidth {
			return false
		}
		if t.addTo(b, k, to, l, exact); b.n != n {
			i = b.find(from)
		}
		t.removeFrom(b, i, from, exact)
		return true
	case c.leaf != nil:
		c.leaf.move(c.leaf.find(from), to)
	default:
		if !t.moveIn(c.kid, from, to, l, exact) {
			return false
		}
	}
	if to.before(b.start[i]) {
		b.start[i] = to.place
	}
	c.resum(to.tasks-from.tasks, exact)
	b.least[i].add(l)
	if c.small() {
		t.tidy(b, i)
	}
	return true
}

// move puts a job in the place of the i-th one, and those between where they belong.
func (l *leaf) move(i int, to seat) {
	for ; i > 0 && to.before(l.jobs[i-1].place); i-- {
		l.jobs[i] = l.jobs[i-1]
	}
	for ; i+1 < l.n && l.jobs[i+1].before(to.place); i++ {
		l.jobs[i] = l.jobs[i+1]
	}
	l.jobs[i] = to
}

// use says how many slots a job has, which is there.
func (t *tree) use(s seat) {
	l := s.least()
	t.least.add(l)
	for b := t.root; ; {
		i := b.find(s.place)
		b.least[i].add(l)
		c := &b.kids[i]
		if c.leaf != nil {
			c.leaf.jobs[c.leaf.find(s.place)].used = s.used
			return
		}
		b = c.kid
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
