package probing

import (
	"cmp"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

func (p *Scheduler) joined(info *policy.Node) {
	id := info.ID
	if n := int(id) + 1 - len(p.nodes); n > 0 {
		p.nodes = append(p.nodes, make([]nodeState, n)...)
	}
	p.nodes[id] = nodeState{cores: info.Cores, memory: info.Memory, there: true, until: math.MinInt64}
	p.all.add(id)
	p.clear.add(id)
	if len(p.open.nodes) < p.openNodes() {
		p.opened(id)
	} else {
		p.short.add(id)
	}
}

// openNodes returns how many of the nodes that are there are to be open to long jobs: at
// least one.
func (p *Scheduler) openNodes() int {
	return max(1, int(math.Round(p.config.LongShare*float64(len(p.all.nodes)))))
}

func (p *Scheduler) opened(id policy.NodeID) {
	p.open.add(id)
	p.nodes[id].open = true
	p.nodes[id].place = p.waits.Push(id)
}

// left forgets a node, and lets what was there or on its way there be sent elsewhere. If
// too few nodes are left for long jobs, one of the others is opened to them.
func (p *Scheduler) left(id policy.NodeID) {
	p.waits.Remove(p.nodes[id].place)
	p.nodes[id] = nodeState{}
	for _, s := range [...]*sampler{&p.all, &p.open, &p.short, &p.clear} {
		s.remove(id)
	}
	if n := len(p.short.nodes); n > 0 && len(p.open.nodes) < p.openNodes() {
		other := p.short.nodes[n-1]
		p.short.remove(other)
		p.opened(other)
	}
	for _, j := range p.view.Jobs() {
		o := &j.Own
		before := o.lost
		for i, node := range o.slots {
			if node == id {
				o.slots[i] = 0
				o.lost++
			}
		}
		// As many are sent anew: ratio for each task.
		o.unsought += int(math.Ceil(float64(o.lost-before) / p.config.ProbeRatio))
		for stage, tasks := range o.tasks {
			for i := range tasks {
				if tasks[i].node == id {
					tasks[i].node = 0
					p.view.Return(policy.Copy{Task: policy.Task{Job: j.Job.ID, Stage: uint32(stage), Index: uint32(i)}}, 0, true)
					o.unsought++
				}
			}
		}
		if o.unsought = min(o.unsought, j.Waiting); o.unsought > 0 {
			p.want(j)
		}
	}
}

// lessWait orders nodes by how long a long task would wait there, by estimates, counting
// long tasks only: first those where its core is free of such, then by when the last of
// them ends. Ties go to the smaller ID.
func (p *Scheduler) lessWait(a, b policy.NodeID) int {
	x, y := &p.nodes[a], &p.nodes[b]
	full := func(n *nodeState) int {
		if n.held < int64(n.cores) {
			return 0
		}
		return 1
	}
	return cmp.Or(full(x)-full(y), cmp.Compare(x.until, y.until), cmp.Compare(a, b))
}

// placeAll sends the tasks of a long job that wait, at most a batch, to the nodes where they would wait
// least, one by one.
func (p *Scheduler) placeAll(j *jobView, now policy.Time, actions []policy.Action) []policy.Action {
	for range p.batch {
		stage, ok := j.Next()
		if !ok {
			return actions
		}
		spec := &j.Job.Stages[stage]
		node := p.leastWait(spec)
		if node == 0 {
			return actions
		}
		c := p.view.Start(j, view.Where{}).Copy
		j.Own.tasks[c.Stage][c.Index] = sent{node: node}
		p.load(j, node, stage, now)
		actions = append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{
			Kind: msgLong, Copy: c, Count: uint32(spec.Cores), Seq: uint64(j.Own.estimate), Value: inMessage(spec.Memory),
		}})
	}
	return actions
}

// leastWait returns the node open to long jobs where a task of the stage would wait least.
// If none of these could hold it, any node that can will do; 0 if there is none.
func (p *Scheduler) leastWait(stage *policy.Stage) policy.NodeID {
	if id, ok := p.waits.Peek(); ok && p.holds(id, stage) {
		return id
	}
	best := policy.NodeID(0)
	for _, s := range [...]*sampler{&p.open, &p.short} {
		for _, id := range s.nodes {
			if p.holds(id, stage) && (best == 0 || p.lessWait(id, best) < 0) {
				best = id
			}
		}
		if best != 0 {
			break
		}
	}
	return best
}

// load notes that a task of a job is on its way to a node, if the job is long.
func (p *Scheduler) load(j *jobView, id policy.NodeID, stage uint32, now policy.Time) {
	n := p.node(id)
	if !j.Own.long || n == nil {
		return
	}
	cores := j.Job.Stages[stage].Cores
	n.until = max(n.until, now).Add(p.share(j, n, cores))
	n.held += int64(cores)
	if n.longs++; n.longs == 1 {
		p.clear.remove(id)
	}
	p.waits.Fix(n.place)
}

// unload notes that such a task has ended there, after some service.
func (p *Scheduler) unload(j *jobView, id policy.NodeID, stage uint32, service policy.Duration) {
	n := p.node(id)
	if !j.Own.long || n == nil || n.longs == 0 {
		return
	}
	cores := j.Job.Stages[stage].Cores
	// It was expected to take its estimate.
	n.until = n.until.Add(policy.Duration(float64(service)*float64(cores)/float64(n.cores)) - p.share(j, n, cores))
	n.held -= int64(cores)
	if n.longs--; n.longs == 0 {
		p.clear.add(id)
	}
	p.waits.Fix(n.place)
}

// share returns for how long a task of so many cores would keep all cores of a node busy.
func (p *Scheduler) share(j *jobView, n *nodeState, cores int32) policy.Duration {
	return policy.Duration(float64(j.Own.estimate) * float64(cores) / float64(n.cores))
}
