package kairos

import (
	"slices"

	"example.com/augur/policy"
)

// A naiveCentral is a Central for tasks that are numbers, by its definition: it writes down
// all that happens, and looks through all of it for each answer. It draws no lots: candidates
// returns all nodes among which only the tie is left to decide.
type naiveCentral struct {
	queue int
	tie   Tie
	nodes []*naiveWorker // by ID
	line  []naiveTurn    // by turn
	turns int
	last  uint64
}

type naiveTurn struct{ task, turn int }

type naiveWorker struct {
	id     policy.NodeID
	cores  int
	joined uint64
	log    []naiveSent
	report Report // the last; Number 0: none
}

type naiveSent struct {
	naiveTurn
	number uint64
	over   bool
}

func (c *naiveCentral) node(id policy.NodeID) *naiveWorker {
	for _, n := range c.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

func (c *naiveCentral) joined(id policy.NodeID, cores int) {
	c.last++
	c.nodes = append(c.nodes, &naiveWorker{id: id, cores: cores, joined: c.last})
	slices.SortFunc(c.nodes, func(a, b *naiveWorker) int { return int(a.id) - int(b.id) })
	c.last--
}

func (c *naiveCentral) left(id policy.NodeID) (lost []int) {
	n := c.node(id)
	for _, s := range n.log {
		if !s.over {
			c.back(s.naiveTurn)
			lost = append(lost, s.task)
		}
	}
	c.last = max(c.last, n.sent())
	c.nodes = slices.DeleteFunc(c.nodes, func(m *naiveWorker) bool { return m == n })
	return lost
}

func (c *naiveCentral) submit(task int) {
	c.turns++
	c.line = append(c.line, naiveTurn{task, c.turns})
}

func (c *naiveCentral) back(t naiveTurn) {
	c.line = append(c.line, t)
	slices.SortFunc(c.line, func(a, b naiveTurn) int { return a.turn - b.turn })
}

// send puts a task on a node.
func (c *naiveCentral) send(n *naiveWorker, t naiveTurn) uint64 {
	number := n.sent() + 1
	n.log = append(n.log, naiveSent{t, number, false})
	return number
}

func (c *naiveCentral) ended(id policy.NodeID, number uint64) (t naiveTurn, ok bool) {
	n := c.node(id)
	if n == nil {
		return t, false
	}
	for i := range n.log {
		if s := &n.log[i]; s.number == number && !s.over {
			s.over = true
			return s.naiveTurn, true
		}
	}
	return t, false
}

func (c *naiveCentral) heartbeat(r Report) bool {
	n := c.node(r.Node)
	if n == nil || r.Seen < n.joined || r.Number <= n.report.Number {
		return false
	}
	n.report = r
	return true
}

// candidates returns the nodes that have least tasks beyond their cores and, by the rule
// for ties, the least measure. All of them have room.
func (c *naiveCentral) candidates() (ids []policy.NodeID) {
	var least [2]float64
	for _, n := range c.nodes {
		beyond := n.tasks() - n.cores
		if beyond >= c.queue {
			continue
		}
		key := [2]float64{float64(beyond), n.report.Variance}
		switch c.tie {
		case LeastSum:
			key[1] = n.report.Sum
		case AtRandom:
			key[1] = 0
		}
		order := slices.Compare(key[:], least[:])
		if len(ids) == 0 || order < 0 {
			ids, least = ids[:0], key
		} else if order > 0 {
			continue
		}
		ids = append(ids, n.id)
	}
	return ids
}

func (n *naiveWorker) sent() uint64 {
	if len(n.log) == 0 {
		return n.joined
	}
	return n.log[len(n.log)-1].number
}

// tasks returns the least of what is known to be at least the number of the node's tasks:
// those whose ends were not heard, and those of the heartbeat with those sent after it.
func (n *naiveWorker) tasks() int {
	open, after := 0, 0
	for _, s := range n.log {
		if !s.over {
			open++
		}
		if s.number > n.report.Seen {
			after++
		}
	}
	if n.report.Number == 0 {
		return open
	}
	return min(n.report.Others+open, n.report.Tasks+after)
}
