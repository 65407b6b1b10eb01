package threesigma

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/threesigma/plan"
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
	if p.cores == 0 || int64(n.Cores) > p.wide {
		c.widen(p, int64(n.Cores))
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
	if was < p.wide || p.cores == 0 {
		return
	}
	wide := int64(0)
	for i := range c.nodes {
		if c.nodes[i].part == n.part {
			wide = max(wide, c.nodes[i].cores)
		}
	}
	c.widen(p, wide)
}

// widen records the width of the widest node of a partition.
func (c *cluster) widen(p *part, wide int64) {
	if p.wide != wide {
		p.wide = wide
		c.epoch++
	}
}

// factor returns how many times longer a stage runs in a partition than in a preferred one at speed 1.
func (c *cluster) factor(s *policy.Stage, p int32) float64 {
	return s.Slowdown(c.parts[p].id, c.parts[p].speed, true)
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

// complete reports whether all partitions that a stage prefers have been seen.
func (c *cluster) complete(s *policy.Stage) bool {
	for _, id := range s.Prefer {
		if int64(id) >= int64(len(c.index)) || c.index[id] < 0 {
			return false
		}
	}
	return true
}

// An area is a set of partitions, and how many times longer a stage runs if all of its tasks are there.
type area struct {
	set    int32 // of sets
	factor float64
}

// areas returns the areas of a stage, from only the fastest partitions to all. Each has all partitions where the
// stage runs no slower than in its slowest one. A partition without a node as wide as a task is in none: several such
// partitions would forever seem to have room together.
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

// sets are sets of partitions, each of which has a number: its index.
type sets []set

// A set has partitions, in rising order.
type set []int32

func (s set) has(p int32) bool { return slices.Contains(s, p) }

func (s set) within(t set) bool { return len(union(s, t)) == len(t) }

func union(a, b set) set { return sorted(slices.Concat(a, b)) }

func sorted(s set) set {
	slices.Sort(s)
	return slices.Compact(s)
}

// of returns the number of the set of some partitions.
func (s *sets) of(parts []int32) int32 {
	t := sorted(slices.Clone(parts))
	n := s.find(t)
	if n < 0 {
		n = len(*s)
		*s = append(*s, t)
	}
	return int32(n)
}

// find returns the number of a set, -1 if it has none.
func (s sets) find(t set) int {
	return slices.IndexFunc(s, func(u set) bool { return slices.Equal(u, t) })
}

// maxPools bounds the pools of a problem.
const maxPools = 64

// pools are the rows of capacity of a problem. Jobs that may each be anywhere in a set of partitions find room
// together if and only if, for each union of such sets, those that must be in it find room there (P. Hall, "On
// representatives of subsets", Journal of the London Mathematical Society 10, 1935). So there is a pool for each of
// these unions. If there would be more than maxPools, there is only a pool for each set; a planned job may then find
// no room when its time comes, and must wait.
type pools struct {
	sets   sets
	used   []int32   // the sets that may be taken from, by number
	list   sets      // the pools
	above  [][]int32 // by set: the pools that contain it; nil if the set is not used
	member [][]int32 // by partition: the pools that contain it
}

// begin makes the pools for the sets that are used, in rising order, and for partitions. It reports whether they are
// the same as before.
func (p *pools) begin(used []int32, parts int) (same bool) {
	if slices.Equal(p.used, used) && len(p.member) == parts {
		return true
	}
	p.used = append(p.used[:0], used...)
	p.list = p.list[:0]
	for _, u := range used {
		p.list = append(p.list, p.sets[u])
	}
	for i := 0; i < len(p.list) && len(p.list) <= maxPools; i++ {
		for _, u := range used {
			both := union(p.list[i], p.sets[u])
			if p.list.find(both) < 0 {
				p.list = append(p.list, both)
			}
		}
	}
	if len(p.list) > maxPools {
		p.list = p.list[:len(used)]
	}
	p.above = make([][]int32, len(p.sets))
	for _, u := range used {
		for k, pool := range p.list {
			if p.sets[u].within(pool) {
				p.above[u] = append(p.above[u], int32(k))
			}
		}
	}
	p.member = make([][]int32, parts)
	for q := range p.member {
		for k, pool := range p.list {
			if pool.has(int32(q)) {
				p.member[q] = append(p.member[q], int32(k))
			}
		}
	}
	return false
}

// appendPlace appends to dst what this many cores anywhere in a set take of the pools.
func (p *pools) appendPlace(dst plan.Place, set int32, cores float64) plan.Place {
	for _, k := range p.above[set] {
		dst = append(dst, plan.Share{Pool: k, Nodes: cores})
	}
	return dst
}

// appendHeld appends to dst what held cores take of the pools. room is scratch with a number for each pool.
func (p *pools) appendHeld(dst plan.Place, held []hold, room []float64) plan.Place {
	room = room[:len(p.list)]
	clear(room)
	for _, h := range held {
		for _, k := range p.member[h.part] {
			room[k] += float64(h.cores)
		}
	}
	for k, cores := range room {
		if cores > 0 {
			dst = append(dst, plan.Share{Pool: int32(k), Nodes: cores})
		}
	}
	return dst
}

// hold is what is held of a partition.
type hold struct {
	part  int32
	cores int64
}
