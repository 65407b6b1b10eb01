package probing

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

func (p *Scheduler) joined(info *policy.Node) {
	id := info.ID
	if n := int(id) + 1 - len(p.nodes); n > 0 {
		p.nodes = append(p.nodes, make([]*nodeState, n)...)
	}
	p.nodes[id] = &nodeState{cores: info.Cores, memory: info.Memory, until: math.MinInt64}
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
	return max(1, saturate.To[int](math.Round(p.config.LongShare*float64(len(p.all.nodes)))))
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
	p.nodes[id] = nil
	for _, s := range [...]*sampler{&p.all, &p.open, &p.short, &p.clear} {
		s.remove(id)
	}
	if n := len(p.short.nodes); n > 0 && len(p.open.nodes) < p.openNodes() {
		other := p.short.nodes[n-1]
		p.short.remove(other)
		p.opened(other)
	}
	for _, j := range p.view.jobs.All() {
		o := &j.Own
		before := o.lost
		for i, node := range o.slots {
			if node == id {
				o.slots[i] = 0
				o.lost++
			}
		}
		// As many are sent anew: ratio for each task.
		o.unsought += saturate.To[int](math.Ceil(float64(o.lost-before) / p.config.ProbeRatio))
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
// long tasks only: first those with a core that is free of such, then by until. Ties go to the smaller ID.
func (p *Scheduler) lessWait(a, b policy.NodeID) int {
	x, y := p.nodes[a], p.nodes[b]
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
	var v *vector
	for range p.batch {
		stage, ok := j.Next()
		if !ok {
			break
		}
		spec := &j.Job.Stages[stage]
		node := p.leastWait(spec, now)
		if node == 0 {
			break
		}
		c := p.view.Start(j.record, central.Where{}).Copy
		j.Own.tasks[c.Stage][c.Index] = sent{node: node}
		p.load(j, node, stage, now)
		if v == nil && p.kind == eagle && !p.config.FreshVector {
			v = new(vector)
		}
		p.nodes[node].vector = v
		actions = append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{
			Kind: msgLong, Copy: c, Count: uint32(spec.Cores), Seq: uint64(j.Own.estimate), Value: inMessage(spec.Memory),
		}})
	}
	if v != nil {
		p.fill(v) // now that all of these count
	}
	return actions
}

// leastWait returns the node open to long jobs where a task of the stage would wait least.
// If none of these could hold it, any node that can will do; 0 if there is none.
func (p *Scheduler) leastWait(stage *policy.Stage, now policy.Time) policy.NodeID {
	id, ok := p.waits.Peek()
	for ok && p.rank(id, now) {
		id, ok = p.waits.Peek()
	}
	if ok && p.holds(id, stage) {
		return id
	}
	best := policy.NodeID(0)
	for _, s := range [...]*sampler{&p.open, &p.short} {
		for _, id := range s.nodes {
			if p.holds(id, stage) {
				if p.rank(id, now); best == 0 || p.lessWait(id, best) < 0 {
					best = id
				}
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
	n.work += n.share(j.Own.estimate, cores)
	n.held += int64(cores)
	if n.longs++; n.longs == 1 {
		p.clear.remove(id)
	}
	p.rank(id, now)
	p.waits.Fix(n.place) // held has changed
}

// runs notes that such a task runs.
func (p *Scheduler) runs(j *jobView, ev *policy.Event) {
	if n := p.node(ev.Node); j.Own.long && n != nil && n.longs > 0 {
		n.running = append(n.running, longTask{ev.Copy.Task, ev.Time, j.Own.estimate, j.Job.Stages[ev.Copy.Stage].Cores})
		p.rank(ev.Node, ev.Time)
	}
}

// unload notes that such a task has ended there.
func (p *Scheduler) unload(j *jobView, id policy.NodeID, task policy.Task, now policy.Time) {
	n := p.node(id)
	if !j.Own.long || n == nil || n.longs == 0 {
		return
	}
	cores := j.Job.Stages[task.Stage].Cores
	n.work -= n.share(j.Own.estimate, cores)
	n.running = slices.DeleteFunc(n.running, func(l longTask) bool { return l.task == task })
	n.held -= int64(cores)
	if n.longs--; n.longs == 0 {
		n.work, n.running = 0, n.running[:0]
		p.clear.add(id)
	}
	p.rank(id, now)
	p.waits.Fix(n.place)
}

// rank brings until up to date, and reports whether it has changed. A further long task would wait for the estimates of
// those that are there, less the time for which each has run, up to its estimate:
//
//	wait = sum of cores * (estimate - min(time run, estimate)) / cores of the node
//
// That falls no faster than time goes by: as fast if all cores run long tasks that have not overrun their estimates. So
// until never comes to lie after the true instant, and only the first in the order must be looked at again, until one
// has not changed.
func (p *Scheduler) rank(id policy.NodeID, now policy.Time) (changed bool) {
	n := p.nodes[id]
	until := policy.Time(math.MinInt64)
	if n.longs > 0 {
		wait := n.work
		for i := range n.running {
			l := &n.running[i]
			wait -= n.share(min(now.Sub(l.start), l.estimate), l.cores)
		}
		until = now.Add(saturate.To[policy.Duration](min(max(wait, 0), float64(policy.Never/2))))
	}
	if until == n.until {
		return false
	}
	n.until = until
	p.waits.Fix(n.place)
	return true
}

// share returns for how long a task of so many cores keeps all cores of the node busy, ns.
func (n *nodeState) share(d policy.Duration, cores int32) float64 {
	return float64(d) * float64(cores) / float64(n.cores)
}
