package wing

import (
	"slices"

	"example.com/augur/policy"
)

// heirs records which jobs wait for which, so that a job can inherit their priorities.
type heirs struct {
	waitFor map[policy.JobID][]*job         // by the job that is waited for, which may be over
	reads   map[policy.JobID][]policy.JobID // by the job that waits
	changed []*job                          // whose priorities are to be handed on
}

// hands reports whether a job may pass its priority on.
func (h *heirs) hands(id policy.JobID) bool { return len(h.reads[id]) > 0 }

// submitted records a job and the jobs that it waits for.
func (h *heirs) submitted(s *Hierarchy, j *job) {
	if h.waitFor == nil {
		h.waitFor, h.reads = map[policy.JobID][]*job{}, map[policy.JobID][]policy.JobID{}
	}
	if in := j.Job.Job.Inputs; in != nil && in.Wait && len(in.Jobs) > 0 {
		reads := slices.Clone(in.Jobs)
		slices.Sort(reads)
		reads = slices.Compact(reads)
		h.reads[j.Job.Job.ID] = reads
		for _, id := range reads {
			h.waitFor[id] = append(h.waitFor[id], j)
		}
	}
	s.settle(j) // in a restart, those that wait for it may have come before
	h.handOn(s, j)
}

// ready records that a job has all its input, or has ended: it passes nothing on any more.
func (h *heirs) ready(s *Hierarchy, j *job) {
	reads := h.reads[j.Job.Job.ID]
	delete(h.reads, j.Job.Job.ID)
	for _, id := range reads {
		if i := slices.Index(h.waitFor[id], j); i >= 0 {
			if left := slices.Delete(h.waitFor[id], i, i+1); len(left) > 0 {
				h.waitFor[id] = left
			} else {
				delete(h.waitFor, id)
			}
		}
	}
	for _, id := range reads {
		if u := s.jobs.Get(id); u != nil && u.from == j.Job.Job.ID {
			s.settle(u)
		}
	}
}

// ended forgets a job.
func (h *heirs) ended(s *Hierarchy, j *job) {
	delete(h.waitFor, j.Job.Job.ID) // before those that wait for it are ready, one after the other
	h.ready(s, j)
	s.changes.Remove(j.change)
}

// handOn updates the priorities of the jobs that a job waits for, and of those that these wait for.
func (h *heirs) handOn(s *Hierarchy, j *job) {
	h.changed = append(h.changed[:0], j)
	for i := 0; i < len(h.changed); i++ {
		d := h.changed[i]
		for _, id := range h.reads[d.Job.Job.ID] {
			if u := s.jobs.Get(id); u != nil && s.inheritFrom(u, d) {
				h.changed = append(h.changed, u)
			}
		}
	}
	clear(h.changed) // it keeps no job
}

// settle updates the priority of a job and passes it on.
func (s *Hierarchy) settle(j *job) {
	if s.inheritNow(j) {
		s.heirs.handOn(s, j)
	}
}

// inheritFrom updates the priority of job u after that of d, which waits for it, has changed, and reports whether u's
// changes too. It looks at the other waiting jobs only if they may now be the greatest.
func (s *Hierarchy) inheritFrom(u, d *job) bool {
	switch {
	case !s.inherits(u, d):
		return false
	case d.priority > u.priority:
		u.from = d.Job.Job.ID
		return s.set(u, d.priority)
	case u.from == d.Job.Job.ID:
		return s.inheritNow(u)
	}
	return false
}

// inherits reports whether job u may inherit from job d, which waits for it.
func (s *Hierarchy) inherits(u, d *job) bool {
	return u != d && (s.inherit == FromAll || d.queue == u.queue)
}

// inheritNow computes the priority of a job, and reports whether it has changed.
func (s *Hierarchy) inheritNow(j *job) bool {
	priority := j.own
	j.from = 0
	if s.inherit != FromNone {
		for _, d := range s.heirs.waitFor[j.Job.Job.ID] {
			if d.priority > priority && s.inherits(j, d) {
				priority, j.from = d.priority, d.Job.Job.ID
			}
		}
	}
	return s.set(j, priority)
}

// set sets the priority of a job, and reports whether it has changed.
func (s *Hierarchy) set(j *job, priority float64) bool {
	if priority == j.priority {
		return false
	}
	j.priority = priority
	if j.queue.waiting.Fix(j.waiting) {
		s.ask(j.queue)
	}
	return true
}
