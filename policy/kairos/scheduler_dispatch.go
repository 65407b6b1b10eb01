package kairos

import (
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

// Slots implements [central.Nodes]: N + Q on each node.
func (s *Nodes) Slots() int64 {
	cores, _ := s.view.Capacity()
	return cores + int64(s.view.Nodes())*int64(s.config.Central.Queue)
}

// Free implements [central.Nodes].
func (s *Nodes) Free() bool {
	for i := range s.centres {
		if !s.centres[i].full() {
			return true
		}
	}
	return false
}

// Fits implements [central.Nodes].
func (s *Nodes) Fits(j *central.Job, stage uint32) bool {
	c := &s.centres[s.of(j.Job.ID)]
	if memory := j.Job.Stages[stage].Memory; memory > s.least {
		_, ok := s.roomy(c, memory)
		return ok
	}
	return !c.full()
}

// Send implements [central.Nodes].
func (s *Nodes) Send(j *central.Job, copy policy.Copy, actions []policy.Action) []policy.Action {
	i := s.of(j.Job.ID)
	c := &s.centres[i]
	node := policy.NodeID(0)
	if memory := j.Job.Stages[copy.Stage].Memory; memory > s.least {
		node, _ = s.roomy(c, memory)
	}
	a, _ := c.assign(copy, node)
	e := s.jobs.Get(j.Job.ID)
	if e.sent++; copy.N > 0 {
		e.copies++
	}
	return append(actions, s.send(assign, i, a))
}

// assign sends a task to a node that was chosen, or, if it is 0, to the one whose turn it is.
func (c *centre) assign(task policy.Copy, node policy.NodeID) (a Assignment[policy.Copy], ok bool) {
	if node == 0 {
		return c.give(task)
	}
	a, err := c.Adopt(task, node)
	return a, err == nil
}

// roomy returns the node that gets the next task among those with enough memory for it, and
// false if all of these are full. It looks at all nodes.
func (s *Nodes) roomy(c *centre, memory int64) (best policy.NodeID, ok bool) {
	var most int64
	var least float64
	for node := range c.nodes() {
		if *s.memory.Get(node) < memory {
			continue
		}
		w := c.workers.Get(node)
		free := int64(w.cores) + int64(s.config.Central.Queue) - w.tasks()
		measure := w.variance
		if s.config.Central.Tie == LeastSum {
			measure = w.sum
		}
		if free > 0 && (!ok || free > most || free == most && measure < least) {
			best, most, least, ok = node, free, measure, true
		}
	}
	return best, ok
}

// dealt is the turn of several centres: the jobs are dealt out to them, and each serves its own first come, first served.
// One whose first job finds no place waits, and the next one goes on.
type dealt struct {
	nodes *Nodes
	turns []central.Turn
}

// newDealt returns first come, first served for as many centres as there are.
func newDealt(n *Nodes) central.Turn {
	if len(n.centres) == 1 {
		return baseline.FIFO()
	}
	d := &dealt{nodes: n}
	for range n.centres {
		d.turns = append(d.turns, baseline.FIFO())
	}
	return d
}

// Bind implements [central.Turn].
func (d *dealt) Bind(b central.Books) error {
	for _, t := range d.turns {
		if err := t.Bind(b); err != nil {
			return err
		}
	}
	return nil
}

// Note implements [central.Turn].
func (d *dealt) Note(ev *policy.Event, j *central.Job) error {
	if j != nil {
		return d.turns[d.nodes.of(j.Job.ID)].Note(ev, j)
	}
	return nil
}

// Claim implements [central.Turn].
func (d *dealt) Claim(j *central.Job, c central.Claim) { d.turns[d.nodes.of(j.Job.ID)].Claim(j, c) }

// Next implements [central.Turn].
func (d *dealt) Next() *central.Job {
	for i := range d.turns {
		if d.nodes.centres[i].full() {
			continue
		}
		if j := d.turns[i].Next(); j != nil {
			if stage, ok := j.Next(); ok && d.nodes.Fits(j, stage) {
				return j
			}
		}
	}
	return nil
}
