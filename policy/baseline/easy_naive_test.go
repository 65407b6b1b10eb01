package baseline

import (
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// naiveEASY is EASY as it is told: lists, sorted anew for each start, and loops over all that waits or runs.
type naiveEASY struct {
	order     central.Order
	now       policy.Time
	jobs      []*naiveEASYJob
	running   []*naiveEASYUnit
	free      int64
	reserved  policy.Time // for the first job, 0 if it has no reservation
	overtaken int         // units that started before one of an earlier job
}

type naiveEASYJob struct {
	*central.Job
	waiting int // units
	width   int64
}

type naiveEASYUnit struct {
	job  *naiveEASYJob
	copy policy.Copy
	end  policy.Time // requested
}

func (l *naiveEASY) Bind(b central.Books) error {
	l.order = orderOf(b)
	return nil
}

func (l *naiveEASY) Claim(*central.Job, central.Claim) {}

func (l *naiveEASY) find(id policy.JobID) *naiveEASYJob {
	return l.jobs[slices.IndexFunc(l.jobs, func(j *naiveEASYJob) bool { return j.Job.Job.ID == id })]
}

func (l *naiveEASY) Note(ev *policy.Event, j *central.Job) {
	l.now = ev.Time
	switch {
	case ev.Kind == policy.Joined:
		l.free += int64(ev.Info.Cores)
	case ev.Kind == policy.Submitted:
		l.jobs = append(l.jobs, &naiveEASYJob{Job: j, width: ev.Job.Stages[0].Width()})
	case ev.Kind == policy.Ready:
		o := l.find(j.Job.ID)
		o.waiting = int(j.Job.Stages[0].Units())
	case ev.Kind.End() || ev.Kind == policy.Refused:
		o := l.find(j.Job.ID)
		l.free += o.width
		l.running = slices.DeleteFunc(l.running, func(u *naiveEASYUnit) bool { return u.copy == ev.Copy })
		if ev.Again {
			o.waiting++
		}
	case ev.Kind == policy.Ended:
		l.jobs = slices.DeleteFunc(l.jobs, func(o *naiveEASYJob) bool { return o.Job == j })
	}
}

func (l *naiveEASY) Began(j *central.Job, c policy.Copy, _ bool) {
	o := l.find(j.Job.ID)
	l.running = append(l.running, &naiveEASYUnit{job: o, copy: c, end: l.end(o)})
	l.free -= o.width
	o.waiting--
}

// end returns when a unit that starts now ends by its request.
func (l *naiveEASY) end(o *naiveEASYJob) policy.Time {
	if o.Job.Job.Requested == 0 {
		return math.MaxInt64
	}
	return l.now.Add(o.Job.Job.Requested)
}

// waiting returns the jobs that wait, in their order.
func (l *naiveEASY) waiting() (list []*naiveEASYJob) {
	for _, o := range l.jobs {
		if o.waiting > 0 {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *naiveEASYJob) int { return l.order.Compare(a.Job, b.Job) })
	return list
}

func (l *naiveEASY) Decide(start func(*central.Job) bool) {
	l.reserved = 0
	list := l.waiting()
	for ; len(list) > 0 && list[0].width <= l.free; list = l.waiting() {
		if !start(list[0].Job) {
			return
		}
	}
	if len(list) == 0 {
		return
	}
	shadow, extra := l.shadow(list[0].width)
	l.reserved = shadow
	for {
		i := slices.IndexFunc(l.waiting(), func(o *naiveEASYJob) bool {
			return !o.Refused && o.width <= l.free && (o.width <= extra || l.ends(o, shadow))
		})
		if i < 0 {
			return
		}
		next := l.waiting()[i]
		if !l.ends(next, shadow) {
			extra -= next.width
		}
		l.overtaken++
		if !start(next.Job) {
			return
		}
	}
}

// ends reports whether a unit that starts now ends by an instant.
func (l *naiveEASY) ends(o *naiveEASYJob, by policy.Time) bool {
	end := l.end(o)
	return end <= by && end < math.MaxInt64
}

// shadow returns the first instant at which so many cores will be free, and how many more.
func (l *naiveEASY) shadow(width int64) (at policy.Time, extra int64) {
	at = math.MaxInt64
	for _, u := range l.running {
		if end := max(u.end, l.now); end < at && l.freeAt(end) >= width {
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
