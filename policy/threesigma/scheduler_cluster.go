package threesigma

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// A cluster is the nodes that are there, by partition.
type cluster struct {
	nodes []member // by ID
	parts []part   // in the order in which they were first seen
	index []int32  // of parts, by PartitionID; -1: none
	epoch int      // changes when sites may
}

// member is a node.
type member struct {
	part  int32
	cores int64 // 0: it is not there
	speed float64
}

// part is a partition.
type part struct {
	id    policy.PartitionID
	cores int64   // of the nodes that are there
	wide  int64   // cores of the widest of them, or, if there is none, of what was there last
	alike int     // how many of them are as wide as that
	speed float64 // of the slowest node that was ever there
}

func (c *cluster) join(n *policy.Node) {
	for int(n.Partition) >= len(c.index) {
		c.index = append(c.index, -1)
	}
	if c.index[n.Partition] < 0 {
		c.index[n.Partition] = int32(len(c.parts))
		c.parts = append(c.parts, part{id: n.Partition, speed: n.Speed})
		c.epoch++
	}
	p := &c.parts[c.index[n.Partition]]
	if cores := int64(n.Cores); p.cores == 0 || cores > p.wide {
		c.widen(p, cores, 1)
	} else if cores == p.wide {
		p.alike++
	}
	p.cores += int64(n.Cores)
	if n.Speed < p.speed {
		p.speed = n.Speed
		c.epoch++
	}
	for int(n.ID) >= len(c.nodes) {
		c.nodes = append(c.nodes, member{})
	}
	c.nodes[n.ID] = member{c.index[n.Partition], int64(n.Cores), n.Speed}
}

func (c *cluster) leave(id policy.NodeID) {
	n := &c.nodes[id]
	p, was := &c.parts[n.part], n.cores
	p.cores -= was
	n.cores = 0
	if was < p.wide {
		return
	}
	if p.alike--; p.alike > 0 || p.cores == 0 {
		return
	}
	wide, alike := int64(0), 0
	for i := range c.nodes {
		switch other := &c.nodes[i]; {
		case other.part != n.part || other.cores < wide:
		case other.cores > wide:
			wide, alike = other.cores, 1
		default:
			alike++
		}
	}
	c.widen(p, wide, alike)
}

// widen takes note of how wide the widest nodes of a partition are, and how many are.
func (c *cluster) widen(p *part, wide int64, alike int) {
	p.alike = alike
	if p.wide != wide {
		p.wide = wide
		c.epoch++
	}
}

// factor returns how many times longer a stage runs in a partition than where it would rather be, at speed 1.
func (c *cluster) factor(s *policy.Stage, p int32) float64 {
	return slowdown(s, c.parts[p].id, c.parts[p].speed)
}

// slowdown is that on a node of a speed in a partition.
func slowdown(s *policy.Stage, p policy.PartitionID, speed float64) float64 {
	if s.Prefers(p) || s.Elsewhere == 0 {
		return 1 / speed
	}
	return s.Elsewhere / speed
}

// least returns the least factor of a stage, and false if there are no partitions.
func (c *cluster) least(s *policy.Stage) (factor float64, ok bool) {
	for p := range c.parts {
		if f := c.factor(s, int32(p)); p == 0 || f < factor {
			factor = f
		}
	}
	return factor, len(c.parts) > 0
}

// complete reports whether all partitions have been seen where a stage would rather be.
func (c *cluster) complete(s *policy.Stage) bool {
	for _, id := range s.Prefer {
		if int64(id) >= int64(len(c.index)) || c.index[id] < 0 {
			return false
		}
	}
	return true
}

// partitions returns the IDs of a set, in rising order.
func (c *cluster) partitions(s set) (ids []policy.PartitionID) {
	for p := range c.parts {
		if s.has(int32(p)) {
			ids = append(ids, c.parts[p].id)
		}
	}
	slices.Sort(ids)
	return ids
}

// An area is a set of partitions, and how many times longer a stage runs if none of its tasks is outside of it.
type area struct {
	set    int32 // of sets
	factor float64
}

// areas returns those of a stage, from the fastest partitions alone to all: each has all partitions where the
// stage runs no slower. A partition without a node as wide as a task is in none: together with others like it, it
// would seem to have room for one for ever.
func (c *cluster) areas(s *policy.Stage, sets *sets) []area {
	order := make([]int32, 0, len(c.parts))
	for i := range c.parts {
		if c.parts[i].wide >= int64(s.Cores) {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(c.factor(s, a), c.factor(s, b)), cmp.Compare(a, b)) })
	var list []area
	for i, p := range order {
		f := c.factor(s, p)
		if i+1 < len(order) && c.factor(s, order[i+1]) == f {
			continue
		}
		list = append(list, area{sets.of(order[:i+1]), f})
	}
	return list
}
