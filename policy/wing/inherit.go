package wing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/dag"
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
func (h *heirs) submitted(s *Turn, j *job) {
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
func (h *heirs) ready(s *Turn, j *job) {
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
func (h *heirs) ended(s *Turn, j *job) {
	delete(h.waitFor, j.Job.Job.ID) // before those that wait for it are ready, one after the other
	h.ready(s, j)
	s.changes.Remove(j.change)
}

// handOn updates the priorities of the jobs that a job waits for, and of those that these wait for.
func (h *heirs) handOn(s *Turn, j *job) {
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
func (s *Turn) settle(j *job) {
	if s.inheritNow(j) {
		s.heirs.handOn(s, j)
	}
}

// inheritFrom updates the priority of job u after that of d, which waits for it, has changed, and reports whether u's
// changes too. It looks at the other waiting jobs only if they may now be the greatest.
func (s *Turn) inheritFrom(u, d *job) bool {
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
func (s *Turn) inherits(u, d *job) bool {
	return u != d && (s.inherit == FromAll || d.queue == u.queue)
}

// inheritNow computes the priority of a job, and reports whether it has changed.
func (s *Turn) inheritNow(j *job) bool {
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
func (s *Turn) set(j *job, priority float64) bool {
	if priority == j.priority {
		return false
	}
	j.priority = priority
	if j.queue.waiting.Fix(j.waiting) {
		s.ask(j.queue)
	}
	return true
}

// Inherit appends to dst, for each node, the greatest priority of the node itself and of all nodes that depend on it,
// directly or not, and returns the longer slice. Use it to look further than one dependency ahead. Nodes are jobs or
// templates. Edges between templates may form cycles; those between jobs do not.
//
// It returns an error that names a priority that is NaN, or an edge to a node that does not exist. It takes O(n log n
// + m) time for n nodes and m edges.
func Inherit(dst, priorities []float64, edges []dag.Edge) ([]float64, error) {
	n := len(priorities)
	for i, p := range priorities {
		if math.IsNaN(p) {
			return dst, fmt.Errorf("wing: priority of node %d is %v, want a number", i, p)
		}
	}
	up := make([][]uint32, n) // of each node, those that it depends on
	for i, e := range edges {
		if uint64(e.From) >= uint64(n) || uint64(e.To) >= uint64(n) {
			return dst, fmt.Errorf("wing: edge %d is from %d to %d, want nodes below %d", i, e.From, e.To, n)
		}
		up[e.To] = append(up[e.To], e.From)
	}

	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(priorities[b], priorities[a]), cmp.Compare(a, b))
	})
	result := append(dst, priorities...)
	best := result[len(dst):]
	seen := make([]bool, n)
	var stack []uint32
	for _, i := range order { // the first to come by a node is the greatest
		if seen[i] {
			continue
		}
		seen[i] = true
		stack = append(stack, i)
		for len(stack) > 0 {
			d := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			best[d] = priorities[i]
			for _, u := range up[d] {
				if !seen[u] {
					seen[u] = true
					stack = append(stack, u)
				}
			}
		}
	}
	return result, nil
}
