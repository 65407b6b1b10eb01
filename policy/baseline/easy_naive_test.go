package baseline

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// naiveEASY is the policy as it is told: lists, and a loop over all that waits.
type naiveEASY struct {
	jobs      []*naiveEASYJob // by ID, the order of their submission
	running   []*naiveEASYUnit
	free      int64
	overtaken int // units that started before one of an earlier job
}

type naiveEASYJob struct {
	*policy.Job
	waiting int // units
	width   int64
}

type naiveEASYUnit struct {
	job  *naiveEASYJob
	copy policy.Copy
	end  policy.Time // requested
}

func (l *naiveEASY) observe(ev *policy.Event) {
	job := func() *naiveEASYJob {
		return l.jobs[slices.IndexFunc(l.jobs, func(j *naiveEASYJob) bool { return j.ID == ev.Copy.Job })]
	}
	switch {
	case ev.Kind == policy.Joined:
		l.free += int64(ev.Info.Cores)
	case ev.Kind == policy.Submitted:
		l.jobs = append(l.jobs, &naiveEASYJob{Job: ev.Job, width: ev.Job.Stages[0].Width()})
	case ev.Kind == policy.Ready:
		job().waiting = int(job().Stages[0].Units())
	case ev.Kind.End():
		j := job()
		l.free += j.width
		l.running = slices.DeleteFunc(l.running, func(u *naiveEASYUnit) bool { return u.copy == ev.Copy })
		if ev.Again {
			j.waiting++
		}
	case ev.Kind == policy.Ended:
		l.jobs = slices.DeleteFunc(l.jobs, func(j *naiveEASYJob) bool { return j.ID == ev.Copy.Job })
	}
}

// decide returns the units that start, and the shadow time, 0 if nothing waits.
func (l *naiveEASY) decide(now policy.Time) (starts []*naiveEASYUnit, shadow policy.Time) {
	extra := int64(0)
	var first *naiveEASYJob
	for _, j := range l.jobs {
		end := policy.Time(math.MaxInt64)
		if j.Requested > 0 {
			end = now.Add(j.Requested)
		}
		for j.waiting > 0 {
			if first == nil && j.width > l.free {
				first = j
				shadow, extra = l.shadow(now, j.width)
			}
			if first != nil {
				bySize := j.width <= extra
				byTime := end <= shadow && end < math.MaxInt64
				if j == first || j.width > l.free || !bySize && !byTime {
					break
				}
				if !byTime {
					extra -= j.width
				}
				l.overtaken++
			}
			u := &naiveEASYUnit{job: j, end: end}
			starts = append(starts, u)
			l.running = append(l.running, u)
			l.free -= j.width
			j.waiting--
		}
	}
	return starts, shadow
}

// shadow returns the first instant at which so many cores will be free, and how many more.
func (l *naiveEASY) shadow(now policy.Time, width int64) (at policy.Time, extra int64) {
	at = math.MaxInt64
	for _, u := range l.running {
		if end := max(u.end, now); end < at && l.freeAt(end) >= width {
			at, extra = end, l.freeAt(end)-width
		}
	}
	return at, extra
}

func (l *naiveEASY) freeAt(at policy.Time) int64 {
	free := l.free
	for _, u := range l.running {
		if u.end <= at {
			free += u.job.width
		}
	}
	return free
}
