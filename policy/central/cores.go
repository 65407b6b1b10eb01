package central

import (
	"fmt"
	"iter"
	"slices"

	"example.com/augur/policy"
)

// A node is a View's record of one node.
type node struct {
	room      int64              // free cores, less those of Starts that named it and are not answered
	partition policy.PartitionID // the last one, if it has left; 0 if it was never there
	cores     int32              // 0: it is not there
	memory    int64              // bytes; 0: no limit
	used      int64              // bytes of what is on the node, and of Starts that named it and are not answered
	speed     float64            // within bounds
}

// A place records where a Start that named a node took its cores.
type place struct {
	node      policy.NodeID
	partition policy.PartitionID // of the node at that time: it may come back in another
	stock     *policy.Stock      // of the node at that time, if it took something from it
	devices   policy.Devices     // that it took
}

// Free returns the number of free cores of partition p, or of all partitions if p is 0. It may be negative for a
// moment if a node leaves while a Start is on its way.
func (v *View) Free(p policy.PartitionID) int64 {
	if p == 0 {
		return v.total
	}
	if uint64(p) < uint64(len(v.free)) {
		return v.free[p]
	}
	return 0
}

// Room returns the number of free cores of node n, 0 if it is not there, in constant time. The cores of a Start that
// names the node ([Where]) count as taken at once, those of other Starts only when they are Started there. So while
// such Starts are on their way, Room may be more than the node will have, and the sum over all nodes more than
// Free(0). Room may be negative for a moment if a node leaves and comes back while a Start is on its way.
func (v *View) Room(n policy.NodeID) int64 {
	if v.partition(n) == 0 {
		return 0
	}
	return v.nodes[n].room
}

// Open yields the nodes with free cores (Room above 0) by increasing ID. Starts may be made and events observed
// meanwhile: each node has free cores when it is yielded. It takes a few steps for each node that it yields, however
// many are full.
func (v *View) Open() iter.Seq[policy.NodeID] {
	return func(yield func(policy.NodeID) bool) {
		for id, ok := v.open.next(0); ok && yield(policy.NodeID(id)); {
			id, ok = v.open.next(id + 1)
		}
	}
}

// Fits reports whether there surely is room for the next waiting unit of j ([View.Rooms]). It is false if none waits.
func (v *View) Fits(j *Job) bool {
	stage, ok := j.Next()
	if !ok {
		return false
	}
	sure, _ := v.Rooms(&j.Job.Stages[stage])
	return sure
}

// Sent returns where the Start of a task goes that named a node and is not answered.
func (v *View) Sent(c policy.Copy) (at policy.Share, ok bool) {
	place, ok := v.named[c]
	return policy.Share{Node: place.node, Tasks: 1, Devices: place.devices}, ok
}

// Barred reports whether a Start of the job's next stage, which named no partition, was refused and nothing but refusals has come
// since. The job may not try the same again now (rule No circles).
func (v *View) Barred(j *Job) bool {
	stage, ok := j.Next()
	return ok && j.Stages[stage].refused == v.round+1
}

// A Where says where a Start goes. The zero Where leaves the choice to the host.
type Where struct {
	Node      policy.NodeID      // on this node; 0: any
	Partition policy.PartitionID // if Node is 0, on a node of this partition; 0: any
	// Local takes the next unit that is local on Node, see [View.Local]. If there is none, it takes the next unit of
	// all.
	Local bool
}

// check panics if no node of a place has ever joined.
func (v *View) check(where Where) {
	switch n, p := where.Node, where.Partition; {
	case n != 0 && (uint64(n) >= uint64(len(v.nodes)) || v.nodes[n].partition == 0):
		panic(fmt.Sprintf("central: Start on node %d, which has not joined", n))
	case n == 0 && uint64(p) >= uint64(max(1, len(v.free))):
		panic(fmt.Sprintf("central: Start on partition %d, which has not joined", p))
	}
}

// take makes the action that starts a copy. The answer does not say that the Start named a node, so the View
// remembers it.
func (v *View) take(j *Job, c policy.Copy, where Where) policy.Action {
	stage := &j.Job.Stages[c.Stage]
	width := stage.Width()
	v.asked++
	j.Cores += width
	j.Memory += memoryOf(stage)
	if stage.Needs != nil {
		v.charge(j, stage, 1)
	}
	switch {
	case where.Node != 0:
		if v.named == nil {
			v.named = make(map[policy.Copy]place)
		}
		at := place{node: where.Node, partition: v.nodes[where.Node].partition}
		if stage.Needs != nil && !stage.Gang {
			if devices, ok := v.Stock(where.Node).Take(stage); ok {
				at.stock, at.devices = v.Stock(where.Node), devices
			}
		}
		v.named[c] = at
		v.giveNode(where.Node, -width)
		v.nodes[where.Node].used += stage.Memory * tasksOf(stage)
		return policy.Action{Kind: policy.Start, Copy: c, Node: where.Node}
	case where.Partition != 0:
		v.ask(stage, 1)
		v.give(where.Partition, -width)
	default:
		v.ask(stage, 1)
		v.total -= width
	}
	return policy.Action{Kind: policy.Start, Copy: c, Partition: where.Partition}
}

// memoryOf returns the bytes that a unit of a stage takes.
func memoryOf(stage *policy.Stage) float64 {
	if stage.Memory == 0 || !stage.Gang {
		return float64(stage.Memory)
	}
	return float64(stage.Memory) * float64(stage.Tasks)
}

// account counts cores and memory. The answer to a Start gives back what the Start took, and a Started copy takes its
// cores from the nodes where it runs.
func (v *View) account(ev *policy.Event, j *Job, stage *policy.Stage) {
	width := stage.Width()
	v.changes++
	if len(j.extra.copies) > 0 {
		v.accountExtra(&j.extra, ev, stage)
	}
	if stage.Needs != nil {
		v.accountNeeds(ev, j, stage)
	}
	switch {
	case ev.Kind == policy.Started:
		j.Refused = false
		if ev.Replay {
			j.Cores += width
			j.Memory += memoryOf(stage)
		} else {
			v.answer(ev.Copy, ev.Partition, stage)
		}
		v.held(ev, stage, -1)
		v.heldMemory(ev, stage, +1)
	case ev.Kind == policy.Refused && !ev.Replay:
		if v.bound > 0 {
			v.news = max(v.news, refusal)
		}
		j.Cores -= width
		j.Memory -= memoryOf(stage)
		v.answer(ev.Copy, ev.Partition, stage)
		j.Refused = j.Refused || ev.Again && looksForRoom(stage)
	case ev.Kind == policy.Suspended && !ev.Idle:
		j.Cores -= width
		v.held(ev, stage, +1)
	case ev.Kind == policy.Resumed:
		j.Cores += width
		v.held(ev, stage, -1)
	case ev.Kind.End() && !ev.Replay:
		j.Memory -= memoryOf(stage)
		v.heldMemory(ev, stage, -1)
		if !ev.Idle {
			j.Cores -= width
			v.held(ev, stage, +1)
		}
	}
}

// looksForRoom reports whether a unit of a stage may find no room although cores are free.
func looksForRoom(stage *policy.Stage) bool {
	return stage.Width() > 1 || stage.Memory > 0 || stage.Needs != nil || slices.ContainsFunc(stage.Reads, func(d policy.Dep) bool { return d.Pipe })
}

// answer gives back what a Start took. Call it when the Start's answer has come.
func (v *View) answer(c policy.Copy, p policy.PartitionID, stage *policy.Stage) {
	width := stage.Width()
	v.asked--
	v.bound = max(0, v.bound-1) // the older ones are answered first, more or less
	if len(v.named) > 0 {
		if at, ok := v.named[c]; ok {
			delete(v.named, c)
			v.giveNode(at.node, width)
			v.nodes[at.node].used -= stage.Memory * tasksOf(stage)
			if now := v.nodes[at.node].partition; now != at.partition { // it came back in another
				v.free[now] -= width
				v.free[at.partition] += width
			}
			return
		}
	}
	v.ask(stage, -1)
	if p == 0 {
		v.total += width
	} else {
		v.give(p, width)
	}
}

// forget gives back what Starts on nodes took that will never be answered, because the job has ended before a part
// heard of them.
func (v *View) forget(j *Job) {
	if len(v.named) == 0 || j.Cores == 0 {
		return
	}
	for c := range v.named {
		if c.Job == j.Job.ID {
			stage := &j.Job.Stages[c.Stage]
			v.charge(j, stage, -1)
			v.restock(c, stage)
			v.answer(c, 0, stage)
		}
	}
}

// held gives back (sign +1) or takes (-1) the cores that a copy holds.
func (v *View) held(ev *policy.Event, stage *policy.Stage, sign int64) {
	cores := sign * int64(stage.Cores)
	if ev.Node != 0 {
		v.giveNode(ev.Node, cores)
	}
	for _, share := range ev.Gang {
		v.giveNode(share.Node, cores*int64(share.Tasks))
	}
}

// heldMemory does for memory what held does for cores: +1 takes it.
func (v *View) heldMemory(ev *policy.Event, stage *policy.Stage, sign int64) {
	if stage.Memory == 0 {
		return
	}
	if ev.Node != 0 {
		v.nodes[ev.Node].used += sign * stage.Memory
	}
	for _, share := range ev.Gang {
		v.nodes[share.Node].used += sign * int64(share.Tasks) * stage.Memory
	}
}

// giveNode gives cores back to a node and to its partition.
func (v *View) giveNode(id policy.NodeID, cores int64) {
	n := &v.nodes[id]
	v.changes++
	v.give(n.partition, cores)
	before := n.room
	n.room += cores
	if before > 0 != (n.room > 0) {
		v.mark(id)
	}
}

func (v *View) give(p policy.PartitionID, cores int64) {
	v.total += cores
	v.free[p] += cores
}

// mark notes whether a node is open.
func (v *View) mark(id policy.NodeID) {
	if n := &v.nodes[id]; n.cores > 0 && n.room > 0 {
		v.open.add(int(id))
	} else {
		v.open.remove(int(id))
	}
}
