package kairos

import "example.com/augur/policy"

// place brings the place of a job in its queue up to date.
func (s *Scheduler) place(j *jobView) {
	jobs := s.centres[s.of(j.Job.ID)].jobs
	if j.Waiting == 0 || j.Own.shy {
		jobs.Remove(j.Own.handle)
	} else if _, ok := jobs.Get(j.Own.handle); !ok {
		j.Own.handle = jobs.Push(j)
	}
}

// dispatch sends out tasks of a centre's jobs as long as nodes have places.
func (s *Scheduler) dispatch(centre int, actions []policy.Action) []policy.Action {
	c := &s.centres[centre]
	for !c.full() {
		j, ok := c.jobs.Peek()
		if !ok {
			break
		}
		node := policy.NodeID(0)
		if stage, _ := j.Next(); j.Job.Stages[stage].Memory > s.least {
			if node, ok = s.roomy(c, j.Job.Stages[stage].Memory); !ok {
				break
			}
		}
		copy := s.view.Start(j, 0).Copy
		a, _ := c.assign(copy, node)
		j.Own.sent++
		actions = append(actions, s.send(assign, centre, a))
		s.place(j)
	}
	return actions
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
func (s *Scheduler) roomy(c *centre, memory int64) (best policy.NodeID, ok bool) {
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
