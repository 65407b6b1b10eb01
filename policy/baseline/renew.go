package baseline

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// running says how many units of a stage hold cores, and for how long they were expected to run when they began, unless
// that differs.
type running struct {
	stage   uint32
	units   int
	first   policy.Duration
	differs bool
}

// count counts a unit that holds cores from now on, if more is +1, or that no longer does, if -1.
func (u *units) count(c policy.Copy, first policy.Duration, more int) {
	all, ok := u.jobs[c.Job]
	if !ok {
		return
	}
	at, there := slices.BinarySearchFunc(all, c.Stage, func(r running, stage uint32) int { return cmp.Compare(r.stage, stage) })
	if !there {
		all = slices.Insert(all, at, running{stage: c.Stage, first: first})
	}
	r := &all[at]
	r.differs = r.differs || first != r.first
	if r.units += more; r.units == 0 {
		all = slices.Delete(all, at, at+1)
	}
	u.jobs[c.Job] = all
}

// renew moves the ends of a job's running units where the forecast has changed, and reports whether it has.
func (u *units) renew(j *central.Job) (renewed bool) {
	if !slices.ContainsFunc(u.jobs[j.Job.ID], func(r running) bool { return r.differs || r.first != u.time.of(j, r.stage, 0) }) {
		return false
	}
	times := append(u.times[:0], make([]policy.Duration, len(j.Job.Stages))...) // 0: not asked
	changed := u.changed[:0]
	for _, x := range u.list {
		if x.copy.Job != j.Job.ID {
			continue
		}
		time := &times[x.copy.Stage]
		if *time == 0 {
			*time = u.time.of(j, x.copy.Stage, 0)
		}
		if *time != u.spans[x.copy].first {
			changed = append(changed, x.copy)
		}
	}
	for _, c := range changed {
		held := u.spans[c]
		u.hold(j, c, held.since, u.release(c))
	}
	for i := range u.jobs[j.Job.ID] {
		r := &u.jobs[j.Job.ID][i]
		r.first, r.differs = times[r.stage], false
	}
	u.times, u.changed = times, changed
	return len(changed) > 0
}
