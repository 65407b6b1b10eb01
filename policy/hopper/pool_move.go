package hopper

import "math"

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
