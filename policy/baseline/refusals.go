package baseline

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// refusals are about jobs for which the host found no room although there seemed to be some ([central.Job.Refused]). Such a job tries one
// unit at a time. Beside the first job only one of them tries at a time, once something has become free since its refusal. After
// several refusals in a row that must have happened 2, 4, 8 and then 16 times, unless nothing runs. So events cost few refusals, whatever it
// is that the host knows and the policy does not, and nobody waits for long beside room.
type refusals struct {
	jobs     map[policy.JobID]refused
	tries    map[policy.JobID]bool // of these, those whose next order is not answered
	releases uint64                // events after which something was free
}

type refused struct {
	times int    // in a row, at least 1
	at    uint64 // refusals.releases at the last one
}

func newRefusals() refusals {
	return refusals{jobs: make(map[policy.JobID]refused), tries: make(map[policy.JobID]bool)}
}

// heard takes note of any event. It reports whether a job that was refused may start a unit sooner than before.
func (r *refusals) heard(j *central.Job, ev *policy.Event) bool {
	switch {
	case ev.Kind == policy.Joined:
		for id, x := range r.jobs {
			x.times = 1
			r.jobs[id] = x
		}
	case ev.Kind == policy.Woken || ev.Kind.End() || ev.Kind == policy.Suspended && !ev.Idle:
	case ev.Kind == policy.Refused:
		delete(r.tries, j.Job.ID)
		if j.Refused {
			r.jobs[j.Job.ID] = refused{r.jobs[j.Job.ID].times + 1, r.releases}
		}
		return false
	case ev.Kind == policy.Started || ev.Kind == policy.Ended:
		_, was := r.jobs[j.Job.ID]
		delete(r.tries, j.Job.ID)
		delete(r.jobs, j.Job.ID)
		return was
	default:
		return false
	}
	r.releases++
	return len(r.jobs) > 0
}

// due reports whether a job may try beside the first job, if no other one tries.
func (u *units) due(id policy.JobID) bool {
	x, ok := u.jobs[id]
	since := u.releases - x.at
	return !ok || since > 0 && (len(u.list) == 0 || since >= 1<<min(x.times-1, 4))
}

// overtakes reports whether a job may start a unit beside the first job, as far as refusals go.
func (u *units) overtakes(id policy.JobID) bool {
	_, refused := u.jobs[id]
	return !refused || len(u.tries) == 0 && u.due(id)
}
