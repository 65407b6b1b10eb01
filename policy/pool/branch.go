package pool

import (
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// The groups of a tenant are in a tree. Its root is the tenant, each limit that applies to a task is a branch on the way to
// it, and at the end is a group. So a limit that is reached, or has room again, moves a branch, however many groups are behind it.

// A branch has those groups of a tenant that the same limits apply to, down to its own one. The root has all.
type branch struct {
	member
	tenant   *tenant
	limit    *limit // nil: it is the root
	at       int    // its position among the branches of limit
	full     bool   // limit is reached
	branches map[*limit]*branch
	groups   map[any]*group // by like
	lines    [orders]*queue.Heap[*member]
}

// A member is what a branch has in its lines: a group, or another branch.
type member struct {
	in    *branch       // nil: it is the root
	self  *branch       // nil: it is a group
	first [orders]place // of its tasks, by line; that of no entry if it has none there
	held  [orders]bool  // a limit of the branch, or further down, holds that task back
	turns [orders]queue.Handle
}

// init readies a branch of a tenant.
func (b *branch) init(t *tenant) {
	b.tenant, b.self, b.groups = t, b, make(map[any]*group)
	for order := range orders {
		b.lines[order] = queue.NewHeap(func(x, y *member) int {
			switch {
			case x.held[order] == y.held[order]:
				return compare(x.first[order], y.first[order])
			case x.held[order]:
				return 1
			}
			return -1
		})
	}
}

// branchOf returns the branch for a task of a tenant with these attributes.
func (c *core) branchOf(t *tenant, attrs predict.Job) *branch {
	b := &t.root
	if attrs == nil {
		return b
	}
	for _, bound := range c.bounds {
		l := bound.limitOf(attrs)
		if l == nil {
			continue
		}
		next := b.branches[l]
		if next == nil {
			next = &branch{limit: l, at: len(l.branches), full: l.running >= l.most}
			next.init(t)
			next.in = b
			if b.branches == nil {
				b.branches = make(map[*limit]*branch)
			}
			b.branches[l] = next
			l.branches = append(l.branches, next)
		}
		b = next
	}
	return b
}

// rise puts a member where it belongs in the lines, after its first tasks have changed or are held back, and all that it is in.
// Its tenant takes turns if some task may start.
func (c *core) rise(m *member, t *tenant) {
	for order := range orders {
		m.rise(order)
	}
	if t.least(byAge) != nil {
		c.shares.Join(t.share)
	} else {
		c.shares.Leave(t.share)
	}
}

func (m *member) rise(order order) {
	for b := m.in; b != nil; m, b = &b.member, b.in {
		line := b.lines[order]
		switch {
		case m.first[order].entry != nil:
			if !line.Fix(m.turns[order]) {
				m.turns[order] = line.Push(m)
			}
		default:
			if _, was := line.Remove(m.turns[order]); !was {
				return
			}
		}
		b.look(order)
	}
}

// look takes note of the first task of a branch in a line.
func (b *branch) look(order order) {
	b.first[order], b.held[order] = place{}, false
	if m, ok := b.lines[order].Peek(); ok {
		b.first[order], b.held[order] = m.first[order], b.full || m.held[order]
	}
}

// least returns the first group in a line that has a task that may start; nil if there is none.
func (t *tenant) least(order order) *group {
	if e := t.root.first[order].entry; e != nil && !t.root.held[order] {
		return e.group
	}
	return nil
}

// some appends groups that are in a line to list, in no particular order, for as long as it has room.
func (b *branch) some(order order, list []*group) []*group {
	for m := range b.lines[order].All() {
		switch {
		case len(list) == cap(list):
			return list
		case m.self != nil:
			list = m.self.some(order, list)
		default:
			list = append(list, m.first[order].group)
		}
	}
	return list
}
