package policy

import (
	"fmt"
	"iter"
)

// A node is what a View knows of a node.
type node struct {
	room      int64       // free cores, less those of Starts that named it and are not answered
	partition PartitionID // the last one, if it has left; 0 if it was never there
	cores     int32       // 0: it is not there
}

// A place is what a Start that named a node took its cores from.
type place struct {
	node      NodeID
	partition PartitionID // of the node at that time: it may come back in another
}

// Free returns the number of free cores of partition p, or of all partitions if p is 0.
// It may be negative for a moment, when a node leaves while a Start is on its way.
func (v *View[T]) Free(p PartitionID) int64 {
	if p == 0 {
		return v.total
	}
	if uint64(p) < uint64(len(v.free)) {
		return v.free[p]
	}
	return 0
}

// Room returns the number of free cores of node n, 0 if it is not there. The cores of a Start
// that names the node, [View.StartOn], count as taken at once, those of other Starts when they
// are Started there; so while such are on their way, Room may say more than the node will
// have, and the sum over all nodes may be more than Free(0). It may be negative for a moment,
// when a node leaves, and comes back, while a Start is on its way. It takes constant time.
func (v *View[T]) Room(n NodeID) int64 {
	if v.partition(n) == 0 {
		return 0
	}
	return v.nodes[n].room
}

// Open yields the nodes that have free cores, Room above 0, by increasing ID. Starts may be
// made and events observed meanwhile: what it yields has free cores at that moment. It
// takes a few steps for each node that it yields, however many there are that are full.
func (v *View[T]) Open() iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		for id, ok := v.open.next(0); ok && yield(NodeID(id)); {
			id, ok = v.open.next(id + 1)
		}
	}
}

// Fits reports whether the next unit of j that waits finds enough free cores, in the whole
// cluster; false if none waits. Memory is not counted.
func (v *View[T]) Fits(j *JobView[T]) bool {
	stage, ok := j.Next()
	return ok && j.Job.Stages[stage].Width() <= v.total
}

// take makes the action that starts a copy on a partition, or anywhere.
func (v *View[T]) take(j *JobView[T], c Copy, p PartitionID) Action {
	if uint64(p) >= uint64(max(1, len(v.free))) {
		panic(fmt.Sprintf("policy: Start on partition %d, which has not joined", p))
	}
	width := j.Job.Stages[c.Stage].Width()
	j.Cores += width
	if p == 0 {
		v.total -= width
	} else {
		v.give(p, -width)
	}
	return Action{Kind: Start, Copy: c, Partition: p}
}

// takeOn makes the action that starts a copy on a node. The answer does not say that the
// Start named the node, so the View remembers it.
func (v *View[T]) takeOn(j *JobView[T], c Copy, n NodeID) Action {
	at := place{n, v.nodes[n].partition}
	if v.named == nil {
		v.named = make(map[Copy]place)
	}
	v.named[c] = at
	width := j.Job.Stages[c.Stage].Width()
	j.Cores += width
	v.giveNode(n, -width)
	return Action{Kind: Start, Copy: c, Node: n}
}

// joinedOnce panics if a node has never joined.
func (v *View[T]) joinedOnce(n NodeID) {
	if uint64(n) >= uint64(len(v.nodes)) || v.nodes[n].partition == 0 {
		panic(fmt.Sprintf("policy: Start on node %d, which has not joined", n))
	}
}

// account keeps the counts of cores. What a Start took comes back with its answer; a copy
// takes its cores from the nodes where it runs.
func (v *View[T]) account(ev *Event, j *JobView[T], stage *Stage) {
	width := stage.Width()
	switch {
	case ev.Kind == Started:
		if ev.Replay {
			j.Cores += width
		} else {
			v.answer(ev.Copy, ev.Partition, width)
		}
		v.held(ev, stage, -1)
	case ev.Kind == Refused && !ev.Replay:
		j.Cores -= width
		v.answer(ev.Copy, ev.Partition, width)
	case ev.Kind == Suspended && !ev.Idle:
		j.Cores -= width
		v.held(ev, stage, +1)
	case ev.Kind == Resumed:
		j.Cores += width
		v.held(ev, stage, -1)
	case ev.Kind.End() && !ev.Idle && !ev.Replay:
		j.Cores -= width
		v.held(ev, stage, +1)
	}
}

// answer gives back what a Start took, when its answer has come.
func (v *View[T]) answer(c Copy, p PartitionID, width int64) {
	if len(v.named) > 0 {
		if at, ok := v.named[c]; ok {
			delete(v.named, c)
			v.giveNode(at.node, width)
			if now := v.nodes[at.node].partition; now != at.partition { // it came back in another
				v.free[now] -= width
				v.free[at.partition] += width
			}
			return
		}
	}
	if p == 0 {
		v.total += width
	} else {
		v.give(p, width)
	}
}

// forget gives back what Starts on nodes took that will not be answered, since the job has
// ended: a part hears of them too late.
func (v *View[T]) forget(j *JobView[T]) {
	if len(v.named) == 0 || j.Cores == 0 {
		return
	}
	for c := range v.named {
		if c.Job == j.Job.ID {
			v.answer(c, 0, j.Job.Stages[c.Stage].Width())
		}
	}
}

// held gives back (sign +1) or takes (-1) the cores that a copy holds.
func (v *View[T]) held(ev *Event, stage *Stage, sign int64) {
	cores := sign * int64(stage.Cores)
	if ev.Node != 0 {
		v.giveNode(ev.Node, cores)
	}
	for _, share := range ev.Gang {
		v.giveNode(share.Node, cores*int64(share.Tasks))
	}
}

// giveNode gives cores back to a node and to its partition.
func (v *View[T]) giveNode(id NodeID, cores int64) {
	n := &v.nodes[id]
	v.give(n.partition, cores)
	before := n.room
	n.room += cores
	if before > 0 != (n.room > 0) {
		v.mark(id)
	}
}

func (v *View[T]) give(p PartitionID, cores int64) {
	v.total += cores
	v.free[p] += cores
}

// mark notes whether a node is open.
func (v *View[T]) mark(id NodeID) {
	if n := &v.nodes[id]; n.cores > 0 && n.room > 0 {
		v.open.add(int(id))
	} else {
		v.open.remove(int(id))
	}
}
