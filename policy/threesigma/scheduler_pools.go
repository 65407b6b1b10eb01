package threesigma

import (
	"math/bits"
	"slices"
	"strings"

	"example.com/augur/policy/threesigma/plan"
)

// sets are sets of partitions, each of which has a number.
type sets struct {
	list   []set
	number map[string]int32
}

// A set has a bit for each partition.
type set []uint64

func (s set) has(p int32) bool { return int(p/64) < len(s) && s[p/64]>>(p%64)&1 != 0 }

func (s set) within(t set) bool {
	for i, x := range s {
		if i < len(t) {
			x &^= t[i]
		}
		if x != 0 {
			return false
		}
	}
	return true
}

func (s set) count() (n int) {
	for _, x := range s {
		n += bits.OnesCount64(x)
	}
	return n
}

// of returns the number of the set of some partitions.
func (s *sets) of(parts []int32) int32 {
	var t set
	for _, p := range parts {
		for int(p/64) >= len(t) {
			t = append(t, 0)
		}
		t[p/64] |= 1 << (p % 64)
	}
	var key strings.Builder
	for _, x := range t {
		for range 8 {
			key.WriteByte(byte(x))
			x >>= 8
		}
	}
	if n, ok := s.number[key.String()]; ok {
		return n
	}
	if s.number == nil {
		s.number = make(map[string]int32)
	}
	n := int32(len(s.list))
	s.list = append(s.list, t)
	s.number[key.String()] = n
	return n
}

// maxPools bounds the pools of a problem.
const maxPools = 64

// pools are the rows of capacity of a problem. Jobs that may each be anywhere in a set of partitions find
// room together if and only if, for each union of such sets, those that must be in it find room there (P.
// Hall, "On representatives of subsets", Journal of the London Mathematical Society 10, 1935); so there is a pool
// for each of these unions. If there would be more than maxPools, there are those of the sets alone: what is
// planned may then find no room when its time comes, and has to wait.
type pools struct {
	sets   sets
	used   []int32   // the sets that may be taken from, by number
	list   []set     // the pools
	above  [][]int32 // by set: the pools that contain it; nil if the set is not used
	member [][]int32 // by partition: the pools that contain it
}

// begin makes the pools for the sets that are used, in rising order, and partitions; it reports whether
// they are the same as before.
func (p *pools) begin(used []int32, parts int) (same bool) {
	if slices.Equal(p.used, used) && len(p.member) == parts {
		return true
	}
	p.used = append(p.used[:0], used...)
	p.list = p.list[:0]
	for _, u := range used {
		p.list = append(p.list, p.sets.list[u])
	}
	for i := 0; i < len(p.list) && len(p.list) <= maxPools; i++ {
		for _, u := range used {
			both := union(p.list[i], p.sets.list[u])
			if !slices.ContainsFunc(p.list, func(s set) bool { return slices.Equal(s, both) }) {
				p.list = append(p.list, both)
			}
		}
	}
	if len(p.list) > maxPools {
		p.list = p.list[:len(used)]
	}
	p.above = make([][]int32, len(p.sets.list))
	for _, u := range used {
		for k, pool := range p.list {
			if p.sets.list[u].within(pool) {
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

func union(a, b set) set {
	u := make(set, max(len(a), len(b)))
	copy(u, a)
	for i, x := range b {
		u[i] |= x
	}
	return u
}

// appendPlace appends to dst what so many cores anywhere in a set take of the pools.
func (p *pools) appendPlace(dst plan.Place, set int32, cores float64) plan.Place {
	for _, k := range p.above[set] {
		dst = append(dst, plan.Share{Pool: k, Nodes: cores})
	}
	return dst
}

// appendHeld appends to dst what cores that are held in partitions take of the pools. Room is for one number
// for each pool.
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
