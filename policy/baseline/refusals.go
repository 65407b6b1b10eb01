package baseline

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// refusals are about jobs for which the host found no room although there seemed to be some ([central.Job.Refused]). Such a job tries one
// unit at a time. Beside the first job it tries once something has become free: the one that has waited longest for that, and the next one
// when it gets through. So each event costs few refusals, whatever it is that the host knows and the policy does not.
type refusals struct {
	tries map[policy.JobID]bool // its next order is not answered
	alone map[policy.JobID]bool // it does not overtake
	queue []policy.JobID        // these, in the order of their refusals
}

// heard takes note of any event. It reports whether a job may overtake again.
func (r *refusals) heard(j *central.Job, ev *policy.Event) bool {
	freed := (ev.Kind == policy.Suspended || ev.Kind.End()) && !ev.Idle
	switch ev.Kind {
	case policy.Refused:
		delete(r.tries, j.Job.ID)
		if j.Refused && !r.alone[j.Job.ID] {
			r.alone[j.Job.ID] = true
			r.queue = append(r.queue, j.Job.ID)
		}
	case policy.Joined, policy.Woken:
		clear(r.alone)
		freed, r.queue = len(r.queue) > 0, r.queue[:0]
		return freed
	case policy.Started, policy.Ended:
		freed = ev.Kind == policy.Started && r.tries[j.Job.ID]
		delete(r.tries, j.Job.ID)
		if r.alone[j.Job.ID] {
			delete(r.alone, j.Job.ID)
			r.queue = slices.DeleteFunc(r.queue, func(id policy.JobID) bool { return id == j.Job.ID })
		}
	}
	if !freed || len(r.queue) == 0 {
		return false
	}
	delete(r.alone, r.queue[0])
	r.queue = slices.Delete(r.queue, 0, 1)
	return true
}

// overtakes reports whether a job may start a unit beside the first job, as far as refusals go.
func (r *refusals) overtakes(j *central.Job) bool {
	return !r.alone[j.Job.ID] && !r.tries[j.Job.ID]
}
