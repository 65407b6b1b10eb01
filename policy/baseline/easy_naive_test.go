package baseline

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// naiveEASY is EASY as it is told: lists, sorted anew for each start, loops over all that waits or runs, and a forecast
// that is asked about each of them at each decision.
type naiveEASY struct {
	order     central.Order
	forecast  central.Forecast
	now       policy.Time
	jobs      []*naiveEASYJob
	running   []*naiveEASYUnit
	free      int64
	config    BackfillConfig
	reserved  policy.Time                  // for the first job, 0 if it has no reservation
	promised  map[policy.JobID]policy.Time // with the slack, of jobs that were the first, until they start
	overtaken int                          // units that started before one of an earlier job
}

type naiveEASYJob struct {
	*central.Job
	waiting int // units
}

type naiveEASYUnit struct {
	job   *central.Job
	copy  policy.Copy
	start policy.Time
	first policy.Duration // that it was expected to run for
	time  policy.Duration // that it is expected to run for now
}

// width returns the cores of a job's next unit.
func (o *naiveEASYJob) width() int64 {
	stage, _ := o.Next()
	return o.Job.Job.Stages[stage].Width()
}

// naiveTime returns for how long a unit of a job is expected to run that has run for some time, unbounded if nobody knows.
func naiveTime(f central.Forecast, j *central.Job, stage uint32, ran policy.Duration) policy.Duration {
	if f != nil {
		if d, ok := f.Runtime(j, stage); ok {
			left := 1.0 // the probability that it runs on
			if ran > 0 {
				left -= d.CDF(ran.Seconds())
			}
			if x := d.Quantile(1 - left/2); math.IsInf(x, 1) {
				return unbounded
			} else {
				return max(1, policy.Duration(math.Round(x*1e9)))
			}
		}
	}
	if j.Job.Requested > 0 {
		return j.Job.Requested
	}
	return unbounded
}

func (l *naiveEASY) Bind(b central.Books) error {
	l.order, l.forecast = orderOf(b), b.Forecast
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
		l.jobs = append(l.jobs, &naiveEASYJob{Job: j})
	case ev.Kind == policy.Ready:
		l.find(j.Job.ID).waiting += int(j.Job.Stages[ev.Copy.Stage].Units())
	case ev.Kind == policy.Started:
		l.running[slices.IndexFunc(l.running, func(u *naiveEASYUnit) bool { return u.copy == ev.Copy })].start = ev.Time
	case ev.Kind.End() || ev.Kind == policy.Refused:
		l.free += j.Job.Stages[ev.Copy.Stage].Width()
		l.running = slices.DeleteFunc(l.running, func(u *naiveEASYUnit) bool { return u.copy == ev.Copy })
		if ev.Again {
			l.find(j.Job.ID).waiting++
		}
	case ev.Kind == policy.Ended:
		l.jobs = slices.DeleteFunc(l.jobs, func(o *naiveEASYJob) bool { return o.Job == j })
	}
	for _, u := range l.running {
		if time := naiveTime(l.forecast, u.job, u.copy.Stage, 0); u.job == j && (time != u.first || u.copy == ev.Copy && ev.Kind == policy.Started) {
			u.first, u.time = time, time
		}
	}
}

func (l *naiveEASY) Began(j *central.Job, c policy.Copy, _ bool) {
	time := naiveTime(l.forecast, j, c.Stage, 0)
	l.running = append(l.running, &naiveEASYUnit{j, c, l.now, time, time})
	l.free -= j.Job.Stages[c.Stage].Width()
	l.find(j.Job.ID).waiting--
	delete(l.promised, j.Job.ID)
}

// end returns when a unit that runs should end.
func (l *naiveEASY) end(u *naiveEASYUnit) policy.Time {
	return ending(u.start, u.time)
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
	for ; len(list) > 0 && list[0].width() <= l.free; list = l.waiting() {
		if !start(list[0].Job) {
			return
		}
	}
	if len(list) == 0 {
		return
	}
	shadow, extra := l.shadow(list[0].width())
	l.reserved = shadow
	if shadow < never && l.config.Slack > 0 {
		first := list[0]
		if _, ok := l.promised[first.Job.Job.ID]; !ok {
			l.promised[first.Job.Job.ID] = shadow
			if time := l.time(first); time < unbounded {
				l.promised[first.Job.Job.ID] += policy.Time(l.config.Slack * float64(time))
			}
		}
		shadow = max(shadow, l.promised[first.Job.Job.ID])
		extra = l.freeAt(shadow) - first.width()
	}
	for {
		waiting := l.waiting()
		if l.config.Shortest {
			slices.SortStableFunc(waiting, func(a, b *naiveEASYJob) int { return cmp.Compare(l.time(a), l.time(b)) })
		}
		i := slices.IndexFunc(waiting, func(o *naiveEASYJob) bool {
			return !o.Refused && o.width() <= l.free && (o.width() <= extra || l.ends(o, shadow))
		})
		if i < 0 {
			return
		}
		next := waiting[i]
		if !l.ends(next, shadow) {
			extra -= next.width()
		}
		l.overtaken++
		if !start(next.Job) {
			return
		}
	}
}

// time returns how long the next unit of a job is expected to run.
func (l *naiveEASY) time(o *naiveEASYJob) policy.Duration {
	stage, _ := o.Next()
	return naiveTime(l.forecast, o.Job, stage, 0)
}

// ends reports whether a unit that starts now ends by an instant.
func (l *naiveEASY) ends(o *naiveEASYJob, by policy.Time) bool {
	end := ending(l.now, l.time(o))
	return end <= by && end < never
}

// shadow returns the first instant at which so many cores will be free, and how many more.
func (l *naiveEASY) shadow(width int64) (at policy.Time, extra int64) {
	for _, u := range l.running {
		if l.end(u) <= l.now {
			u.time = naiveTime(l.forecast, u.job, u.copy.Stage, l.now.Sub(u.start))
		}
	}
	at = never
	for _, u := range l.running {
		if end := max(l.end(u), l.now); end < at && l.freeAt(end) >= width {
			at, extra = end, l.freeAt(end)-width
		}
	}
	return at, extra
}

func (l *naiveEASY) freeAt(at policy.Time) int64 {
	free := l.free
	for _, u := range l.running {
		if l.end(u) <= at {
			free += u.job.Job.Stages[u.copy.Stage].Width()
		}
	}
	return free
}
