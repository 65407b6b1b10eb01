package probing

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// bigcNode is what BigC keeps of a node. Cores of a copy that is being suspended count as
// free: the host lets what is started there wait for them.
type bigcNode struct {
	cores   int32
	free    int32
	running int32 // cores of long copies that run and are not about to be suspended
	stopped int   // copies that are suspended, or about to be
	limited bool  // memory is accounted for
	memory  int64 // free
	longs   []longCopy

	roomy, soft queue.Handle
}

// longCopy is a copy of a long job on a node; they are kept in the order of their Starts.
type longCopy struct {
	copy   policy.Copy
	memory int64
	cores  int32
	state  copyState
}

type copyState uint8

const (
	starting copyState = iota
	running
	stopping
	suspended
	resuming
)

// holds reports whether a task of the stage would find room if so many cores were free.
func (n *bigcNode) holds(stage *policy.Stage, free int32) bool {
	return stage.Cores <= free && (!n.limited || stage.Memory <= n.memory)
}

// last returns the long copy that was started last of those that run.
func (n *bigcNode) last() *longCopy {
	for i := len(n.longs) - 1; i >= 0; i-- {
		if c := &n.longs[i]; c.state == running {
			return c
		}
	}
	panic("probing: BigC: no long copy runs on a node that has cores of some")
}

// oldest returns the place of the first copy that is suspended, -1 if there is none or if
// an older one is about to be.
func (n *bigcNode) oldest() int {
	for i := range n.longs {
		switch n.longs[i].state {
		case suspended:
			return i
		case stopping:
			return -1
		}
	}
	return -1
}

func (p *BigC) moreFree(a, b policy.NodeID) int {
	return cmp.Or(cmp.Compare(p.nodes[b].free, p.nodes[a].free), cmp.Compare(a, b))
}

func (p *BigC) moreSoft(a, b policy.NodeID) int {
	x, y := p.nodes[a], p.nodes[b]
	return cmp.Or(cmp.Compare(y.free+y.running, x.free+x.running), cmp.Compare(a, b))
}

// first returns the first node of an order that will do for a task of so many cores, 0 if
// none. If the one at the top has the cores but not the memory, say, it looks at all others.
func (p *BigC) first(order *queue.Heap[policy.NodeID], cores int32, ok func(n *bigcNode) bool) policy.NodeID {
	top, some := order.Peek()
	if !some || ok(p.nodes[top]) {
		return top
	}
	if n := p.nodes[top]; cores > n.free && (order == p.roomy || cores > n.free+n.running) {
		return 0 // nor has any other node
	}
	compare, best := p.moreFree, policy.NodeID(0)
	if order == p.soft {
		compare = p.moreSoft
	}
	for id := range order.All() {
		if ok(p.nodes[id]) && (best == 0 || compare(id, best) < 0) {
			best = id
		}
	}
	return best
}

func (p *BigC) joined(info *policy.Node) {
	if n := int(info.ID) + 1 - len(p.nodes); n > 0 {
		p.nodes = append(p.nodes, make([]*bigcNode, n)...)
	}
	n := &bigcNode{cores: info.Cores, free: info.Cores, memory: info.Memory, limited: info.Memory > 0}
	p.nodes[info.ID] = n
	n.roomy, n.soft = p.roomy.Push(info.ID), p.soft.Push(info.ID)
	p.total += int64(info.Cores)
}

// left forgets a node. The copies that ran there have ended; what was on its way there will
// be refused.
func (p *BigC) left(id policy.NodeID) {
	for _, j := range p.view.jobs.All() {
		for stage, at := range j.Own.at {
			for i := range at {
				if at[i] == id {
					at[i] = 0
					p.used[j.Own.class] -= int64(j.Job.Stages[stage].Cores)
				}
			}
		}
	}
	n := p.nodes[id]
	p.roomy.Remove(n.roomy)
	p.soft.Remove(n.soft)
	p.total -= int64(n.cores)
	p.nodes[id] = nil
	p.touched = slices.DeleteFunc(p.touched, func(t policy.NodeID) bool { return t == id })
}

// told takes note of what has happened to a copy.
func (p *BigC) told(j *bigcView, ev *policy.Event) {
	o := &j.Own
	at := &o.at[ev.Copy.Stage][ev.Copy.Index]
	switch {
	case ev.Kind == policy.Started:
		if *at == 0 { // a replay, or its node was lost and came back while the Start was under way
			p.enter(j, ev.Copy, ev.Node)
		}
		*at = 0
		if c := p.find(ev.Node, ev.Copy); c != nil && c.state == starting {
			p.run(ev.Node, c)
		}
	case ev.Kind == policy.Refused:
		if *at != 0 {
			p.leave(j, ev.Copy, *at)
			*at = 0
		}
	case ev.Kind == policy.Suspended:
		c := p.find(ev.Node, ev.Copy)
		switch {
		case c == nil:
		case c.state == stopping:
			c.state = suspended
			p.touched = append(p.touched, ev.Node)
		case ev.Replay && c.state == running:
			p.stop(ev.Node, c)
			c.state = suspended
			p.touched = append(p.touched, ev.Node)
		case ev.Idle && c.state == resuming: // there was no room: it waits for other news of the node
			p.stop(ev.Node, c)
			c.state = suspended
		}
	case ev.Kind == policy.Resumed:
		if c := p.find(ev.Node, ev.Copy); c != nil && c.state == resuming {
			p.run(ev.Node, c)
		}
	case ev.Kind.End() && !ev.Replay:
		p.leave(j, ev.Copy, ev.Node)
	}
}

// node returns a node that is there, else nil.
func (p *BigC) node(id policy.NodeID) *bigcNode {
	if uint64(id) >= uint64(len(p.nodes)) {
		return nil
	}
	return p.nodes[id]
}

// find returns a copy of a long job on a node, nil if it is not there.
func (p *BigC) find(id policy.NodeID, c policy.Copy) *longCopy {
	n := p.node(id)
	if n == nil {
		return nil
	}
	for i := range n.longs {
		if l := &n.longs[i]; l.copy == c {
			return l
		}
	}
	return nil
}

// take takes cores of a node for a class, or gives some back if they are less than 0.
func (p *BigC) take(id policy.NodeID, cores int32, class int) {
	n := p.nodes[id]
	n.free -= cores
	p.used[class] += int64(cores)
	p.roomy.Fix(n.roomy)
	p.soft.Fix(n.soft)
}

// enter notes that a copy is on a node, or on its way there.
func (p *BigC) enter(j *bigcView, c policy.Copy, id policy.NodeID) {
	n, stage := p.nodes[id], &j.Job.Stages[c.Stage]
	n.memory -= stage.Memory
	if j.Own.class == longClass {
		n.longs = append(n.longs, longCopy{copy: c, cores: stage.Cores, memory: stage.Memory})
	}
	p.take(id, stage.Cores, j.Own.class)
}

// leave notes that a copy is no longer there.
func (p *BigC) leave(j *bigcView, c policy.Copy, id policy.NodeID) {
	n, stage := p.node(id), &j.Job.Stages[c.Stage]
	if n == nil {
		return
	}
	p.touched = append(p.touched, id)
	if j.Own.class == shortClass {
		n.memory += stage.Memory
		p.take(id, -stage.Cores, shortClass)
		return
	}
	for i := range n.longs {
		l := n.longs[i]
		if l.copy != c {
			continue
		}
		n.memory += l.memory
		n.longs = append(n.longs[:i], n.longs[i+1:]...)
		if l.state == stopping || l.state == suspended {
			n.stopped--
			return
		}
		if l.state == running {
			n.running -= l.cores
		}
		p.take(id, -l.cores, longClass)
		return
	}
}

// run notes that a long copy runs.
func (p *BigC) run(id policy.NodeID, c *longCopy) {
	c.state = running
	p.nodes[id].running += c.cores
	p.take(id, 0, longClass)
}

// stop gives back the cores of a long copy that is to be suspended.
func (p *BigC) stop(id policy.NodeID, c *longCopy) policy.Copy {
	n := p.nodes[id]
	if c.state == running {
		n.running -= c.cores
	}
	c.state = stopping
	n.stopped++
	p.take(id, -c.cores, longClass)
	return c.copy
}
