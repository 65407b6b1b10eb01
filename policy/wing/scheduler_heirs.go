package wing

import (
	"slices"

	"example.com/augur/policy"
)

// heirs says which jobs wait for which, so that a job can inherit their priorities.
type heirs struct {
	waitFor map[policy.JobID][]*jobView     // by the job that is waited for, which may be over
	reads   map[policy.JobID][]policy.JobID // by the job that waits
	changed []*jobView                      // whose priorities are to be handed on
}

// hands reports whether a job may hand its priority on.
func (h *heirs) hands(id policy.JobID) bool { return len(h.reads[id]) > 0 }

// submitted takes note of a job and of what it waits for.
func (h *heirs) submitted(s *Scheduler, j *jobView) {
	if h.waitFor == nil {
		h.waitFor, h.reads = map[policy.JobID][]*jobView{}, map[policy.JobID][]policy.JobID{}
	}
	if in := j.Job.Inputs; in != nil && in.Wait && len(in.Jobs) > 0 {
		reads := slices.Clone(in.Jobs)
		slices.Sort(reads)
		reads = slices.Compact(reads)
		h.reads[j.Job.ID] = reads
		for _, id := range reads {
			h.waitFor[id] = append(h.waitFor[id], j)
		}
	}
	s.settle(j) // in a restart, those that wait for it may have come before
	h.handOn(s, j)
}

// ended forgets a job, and those that it waited for lose what they inherited from it.
func (h *heirs) ended(s *Scheduler, j *jobView) {
	reads := h.reads[j.Job.ID]
	delete(h.reads, j.Job.ID)
	s.changes.Remove(j.Own.change)
	for _, id := range reads {
		i := slices.Index(h.waitFor[id], j)
		if left := slices.Delete(h.waitFor[id], i, i+1); len(left) > 0 {
			h.waitFor[id] = left
		} else {
			delete(h.waitFor, id)
		}
	}
	for _, id := range reads {
		if u := s.view.Job(id); u != nil {
			s.settle(u)
		}
	}
}

// handOn brings the priorities of those that a job waits for up to date, and of those that these
// wait for.
func (h *heirs) handOn(s *Scheduler, j *jobView) {
	h.changed = append(h.changed[:0], j)
	for i := 0; i < len(h.changed); i++ {
		for _, id := range h.reads[h.changed[i].Job.ID] {
			if u := s.view.Job(id); u != nil && s.inheritNow(u) {
				h.changed = append(h.changed, u)
			}
		}
	}
}

// settle brings the priority of a job up to date, and hands it on.
func (s *Scheduler) settle(j *jobView) {
	if s.inheritNow(j) {
		s.heirs.handOn(s, j)
	}
}

// inheritNow works out the priority of a job, and reports whether it has changed.
func (s *Scheduler) inheritNow(j *jobView) bool {
	o := &j.Own
	priority, from := o.own, policy.JobID(0)
	if s.inherit != FromNone {
		for _, d := range s.heirs.waitFor[j.Job.ID] {
			if d != j && d.Own.priority > priority && (s.inherit == FromAll || d.Own.queue == o.queue) {
				priority, from = d.Own.priority, d.Job.ID
			}
		}
	}
	o.from = from
	if priority == o.priority {
		return false
	}
	o.priority = priority
	if o.queue.waiting.Fix(o.waiting) {
		s.ask(o.queue)
	}
	return true
}
