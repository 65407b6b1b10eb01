package sim

import (
	"fmt"
	"iter"
	"slices"

	"example.com/augur/policy"
)

// node is a machine. The fields that each start and end of a copy reads come first, in one cache line.
type node struct {
	memory    int64 // free, if limited
	speed     float64
	cores     int32 // free
	freeing   int32 // that suspended copies are about to leave
	partition policy.PartitionID
	leaf      int32   // its place in the room of the partition
	wants     []order // that wait for cores to be freed
	up        bool
	gone      bool   // for good
	limited   bool   // memory is accounted for; else there is always enough, unlimited
	alarm     ticket // of its part

	life   uint32  // how often it has joined
	known  uint32  // as life, as far as the centre was told
	copies []int32 // places of the copies on it, oldest first
	part   policy.Scheduler
	info   *policy.Node
	stock  *policy.Stock // free of named resources
}

// clear makes all of a node free.
func (n *node) clear() {
	n.cores, n.freeing, n.memory, n.limited = n.info.Cores, 0, n.info.Memory, n.info.Memory > 0
	if !n.limited {
		n.memory = unlimited
	}
	n.stock = policy.NewStock(n.info)
}

// fit returns how many tasks of a stage a node has room for.
func (n *node) fit(spec *policy.Stage) uint32 {
	fit := int64(n.cores / spec.Cores)
	if n.limited && spec.Memory > 0 {
		fit = min(fit, n.memory/spec.Memory)
	}
	if spec.Needs != nil {
		fit = min(fit, int64(n.stock.Fits(spec)))
	}
	return uint32(max(0, fit))
}

// fits reports whether a node has room for a task of a stage.
func (n *node) fits(spec *policy.Stage) bool { return n.cores >= spec.Cores && n.fitsRest(spec) }

// fitsRest is like fits, but without cores, which are still to be freed.
func (n *node) fitsRest(spec *policy.Stage) bool {
	return n.memory >= spec.Memory && (spec.Needs == nil || n.stock.Fits(spec) > 0)
}

// addNodes prepares the nodes and the index of their free resources; no node is up yet.
func (s *cluster) addNodes() error {
	s.config.Nodes = slices.Clone(s.config.Nodes)
	s.nodes = make([]node, len(s.config.Nodes)+1)
	members := make(map[policy.PartitionID][]int)
	for i := range s.config.Nodes {
		info := &s.config.Nodes[i]
		if err := info.Validate(); err != nil {
			return fmt.Errorf("sim: Config.Nodes[%d]: %w", i, err)
		}
		if info.ID != policy.NodeID(i+1) {
			return fmt.Errorf("sim: Config.Nodes[%d] has ID %d, want %d", i, info.ID, i+1)
		}
		if int64(info.Partition) > int64(len(s.config.Nodes)) {
			return fmt.Errorf("sim: Config.Nodes[%d] is in partition %d, want at most the number of nodes, %d", i, info.Partition, len(s.config.Nodes))
		}
		n := &s.nodes[info.ID]
		n.info, n.speed, n.partition = info, info.Speed, info.Partition
		n.clear()
		n.leaf = int32(len(members[info.Partition]))
		members[info.Partition] = append(members[info.Partition], i+1)
	}
	for id := 1; id < len(s.nodes); id++ {
		p := s.nodes[id].partition
		for int(p) >= len(s.rooms) {
			s.rooms = append(s.rooms, nil)
		}
		if s.rooms[p] == nil {
			s.rooms[p] = newRoom(members[p])
		}
	}
	return nil
}

// take changes what is free on a node.
func (s *cluster) take(n *node, cores int32, memory int64) {
	n.cores -= cores
	if n.limited {
		n.memory -= memory
	}
	s.rooms[n.partition].set(int(n.leaf), n.cores, n.memory)
	s.usage.busy += int64(cores)
}

// where yields the nodes of a copy or gang, each with the number of its tasks there.
func (s *cluster) where(at int32) iter.Seq2[*node, int32] {
	return func(yield func(*node, int32) bool) {
		if id := s.attempts.At(at).node; id != 0 {
			yield(&s.nodes[id], 1)
			return
		}
		for _, share := range s.gangs[at] {
			if !yield(&s.nodes[share.Node], int32(share.Tasks)) {
				return
			}
		}
	}
}

// hold takes (sign 1) or gives back (-1) a copy's cores, its memory, or both.
func (s *cluster) hold(at int32, sign int32, cores, memory bool) {
	spec := s.attempts.At(at).of().spec
	var cs int32
	var ms int64
	if cores {
		cs = sign * spec.Cores
	}
	if memory {
		ms = int64(sign) * spec.Memory
	}
	for n, tasks := range s.where(at) {
		s.take(n, cs*tasks, ms*int64(tasks))
	}
	if memory && spec.Needs != nil {
		s.holdNeeds(at, spec, sign)
	}
}

// holdNeeds is hold for named resources, which a copy holds as long as its memory.
func (s *cluster) holdNeeds(at int32, spec *policy.Stage, sign int32) {
	if id := s.attempts.At(at).node; id != 0 {
		s.nodes[id].stock.Add(spec, s.devices[at], -int64(sign))
		return
	}
	for _, share := range s.gangs[at] {
		s.nodes[share.Node].stock.Add(spec, share.Devices, -int64(sign)*int64(share.Tasks))
	}
}

// enter records a copy on its nodes.
func (s *cluster) enter(at int32) {
	for n := range s.where(at) {
		n.copies = append(n.copies, at)
	}
}

// leave undoes enter.
func (s *cluster) leave(at int32) {
	for n := range s.where(at) {
		i := slices.Index(n.copies, at)
		n.copies = slices.Delete(n.copies, i, i+1)
	}
}

// on reports whether a copy, or a part of a gang, is on a node.
func (s *cluster) on(at int32, id policy.NodeID) bool {
	for n := range s.where(at) {
		if n.info.ID == id {
			return true
		}
	}
	return false
}

// grant gives freed cores to the orders that wait for them.
func (s *cluster) grant(id policy.NodeID, gang []policy.Share) {
	if id != 0 {
		s.grantNode(id)
	}
	for _, share := range gang {
		s.grantNode(share.Node)
	}
}

func (s *cluster) grantNode(id policy.NodeID) {
	n := &s.nodes[id]
	for len(n.wants) > 0 {
		o := n.wants[0]
		wants := n.wants
		n.wants = n.wants[1:]
		spec := s.spec(o.action.Copy)
		if spec != nil && n.cores < spec.Cores && n.freeing > 0 {
			n.wants = wants // it goes on waiting
			return
		}
		rest := n.wants
		n.wants = nil // nobody is before it now
		s.carryOut(&o)
		n.wants = append(rest, n.wants...)
	}
}

// spec returns the stage of a copy, nil if its job has ended.
func (s *cluster) spec(c policy.Copy) *policy.Stage {
	if j := s.jobs.Get(c.Job); j != nil {
		return j.stages[c.Stage].spec
	}
	return nil
}
