package probing

import (
	"math/rand/v2"

	"example.com/augur/policy"
)

// A sampler draws nodes at random, each once before any is drawn again: it shuffles its
// nodes as far as they are drawn (Fisher and Yates). All operations take constant time.
type sampler struct {
	nodes []policy.NodeID
	place []int32 // in nodes, plus one, by ID; 0 if it is not there
	drawn int     // nodes[:drawn] have been drawn since the last rewind
}

func (s *sampler) has(id policy.NodeID) bool {
	return int64(id) < int64(len(s.place)) && s.place[id] > 0
}

func (s *sampler) add(id policy.NodeID) {
	if s.has(id) {
		return
	}
	if n := int(id) + 1 - len(s.place); n > 0 {
		s.place = append(s.place, make([]int32, n)...)
	}
	s.nodes = append(s.nodes, id)
	s.place[id] = int32(len(s.nodes))
}

func (s *sampler) remove(id policy.NodeID) {
	if !s.has(id) {
		return
	}
	i, last := int(s.place[id]-1), len(s.nodes)-1
	s.swap(i, last)
	s.nodes, s.place[id] = s.nodes[:last], 0
	s.drawn = 0
}

func (s *sampler) swap(i, j int) {
	s.nodes[i], s.nodes[j] = s.nodes[j], s.nodes[i]
	s.place[s.nodes[i]], s.place[s.nodes[j]] = int32(i+1), int32(j+1)
}

// rewind lets all nodes be drawn again.
func (s *sampler) rewind() { s.drawn = 0 }

// draw returns a node that has not been drawn since the last rewind, which it does itself
// when all have been. There must be one.
func (s *sampler) draw(rng *rand.Rand) policy.NodeID {
	if s.drawn >= len(s.nodes) {
		s.drawn = 0
	}
	s.swap(s.drawn, s.drawn+rng.IntN(len(s.nodes)-s.drawn))
	s.drawn++
	return s.nodes[s.drawn-1]
}
