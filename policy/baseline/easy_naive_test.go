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
	nodes     []int64                 // cores, by ID
	trying    map[*central.Job]bool   // were refused, and wait for an answer
	refused   map[*central.Job][2]int // how often in a row, and what freed was the last time
	freed     int                     // events after which something was free
	barred    map[policy.Task]bool    // stages that were refused since anything else happened
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
	at    []policy.Share  // where it runs, nil while that is not known
}

// width returns the cores of a job's next unit.
func (o *naiveEASYJob) width() int64 {
	stage, _ := o.Next()
	return o.Job.Job.Stages[stage].Width()
}

// naiveTime returns for how long a unit of a job is expected to run that has run for some time, unbounded if nobody knows.
func naiveTime(f central.Forecast, j *central.Job, stage uint32, ran policy.Duration) policy.Duration {
	return naiveQuantile(f, j, stage, ran, 0.5)
}

func naiveQuantile(f central.Forecast, j *central.Job, stage uint32, ran policy.Duration, p float64) policy.Duration {
	if f != nil {
		if d, ok := f.Runtime(j, stage); ok {
			left := 1.0 // the probability that it runs on
			if ran > 0 {
				left -= d.CDF(ran.Seconds())
			}
			if x := d.Quantile(1 - left*(1-p)); math.IsInf(x, 1) {
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

func (l *naiveEASY) Update(*central.Job, central.Usage) {}

func (l *naiveEASY) find(id policy.JobID) *naiveEASYJob {
	return l.jobs[slices.IndexFunc(l.jobs, func(j *naiveEASYJob) bool { return j.Job.Job.ID == id })]
}

func (l *naiveEASY) Note(ev *policy.Event, j *central.Job) {
	l.now = ev.Time
	if ev.Kind == policy.Refused {
		l.barred[policy.Task{Job: j.Job.ID, Stage: ev.Copy.Stage}] = true
	} else {
		l.barred = map[policy.Task]bool{}
	}
	switch {
	case ev.Kind == policy.Refused && j.Refused:
		l.refused[j] = [2]int{l.refused[j][0] + 1, l.freed}
	case ev.Kind == policy.Started || ev.Kind == policy.Ended:
		delete(l.refused, j)
	case ev.Kind.End() || ev.Kind == policy.Joined || ev.Kind == policy.Woken || ev.Kind == policy.Suspended && !ev.Idle:
		l.freed++
	}
	if ev.Kind == policy.Joined {
		for j, x := range l.refused {
			l.refused[j] = [2]int{1, x[1]}
		}
	}
	if ev.Kind == policy.Started || ev.Kind == policy.Refused || ev.Kind == policy.Ended {
		delete(l.trying, j)
	}
	switch {
	case ev.Kind == policy.Joined:
		l.free += int64(ev.Info.Cores)
		l.nodes = append(l.nodes, int64(ev.Info.Cores))
	case ev.Kind == policy.Submitted:
		l.jobs = append(l.jobs, &naiveEASYJob{Job: j})
	case ev.Kind == policy.Ready:
		l.find(j.Job.ID).waiting += int(j.Job.Stages[ev.Copy.Stage].Units())
	case ev.Kind == policy.Started:
		u := l.running[slices.IndexFunc(l.running, func(u *naiveEASYUnit) bool { return u.copy == ev.Copy })]
		u.start, u.at = ev.Time, append(slices.Clone(ev.Gang), policy.Share{Node: max(1, ev.Node), Tasks: 1})
		if ev.Node == 0 {
			u.at = u.at[:len(ev.Gang)]
		}
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
	l.running = append(l.running, &naiveEASYUnit{j, c, l.now, time, time, nil})
	if j.Refused {
		l.trying[j] = true
	}
	l.free -= j.Job.Stages[c.Stage].Width()
	l.find(j.Job.ID).waiting--
	delete(l.promised, j.Job.ID)
}

// overtakes reports whether a job may try that was refused.
func (l *naiveEASY) overtakes(j *central.Job) bool {
	x, ok := l.refused[j]
	ends := []int{1, 2, 4, 8, 16} // by refusals in a row
	return !ok || len(l.trying) == 0 && l.freed > x[1] && (len(l.running) == 0 || l.freed-x[1] >= ends[min(x[0], 5)-1])
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
	for ; len(list) > 0 && l.fits(list[0]) && !l.bars(list[0]) && !l.trying[list[0].Job]; list = l.waiting() {
		if !start(list[0].Job) {
			return
		}
	}
	if len(list) == 0 {
		return
	}
	first := list[0].spec()
	shadow, extra := l.shadow(first)
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
	// Beside the first job nodes will have room for so many of its tasks, and so many cores will be free on each beside these.
	tasks, rest := int64(0), int64(0)
	if l.short(first) && shadow < never {
		tasks, rest = l.room(first, shadow)
		tasks -= int64(first.UnitTasks())
	}
	spare := func(o *naiveEASYJob) bool { return o.width() <= rest }
	small := func(o *naiveEASYJob) bool {
		stage, _ := o.Next()
		if l.config.Longest > 0 && float64(naiveQuantile(l.forecast, o.Job, stage, 0, 0.1)) > l.config.Longest*float64(max(shadow-l.now, policy.Time(l.time(list[0])))) {
			return false
		}
		return o.width() <= extra && (!l.short(first) || l.spoiled(o.spec(), first) <= tasks || spare(o))
	}
	for {
		waiting := l.waiting()
		if l.config.Shortest {
			slices.SortStableFunc(waiting, func(a, b *naiveEASYJob) int { return cmp.Compare(l.time(a), l.time(b)) })
		}
		i := slices.IndexFunc(waiting, func(o *naiveEASYJob) bool {
			return l.overtakes(o.Job) && !l.bars(o) && l.fits(o) && (small(o) || l.ends(o, shadow))
		})
		if i < 0 {
			return
		}
		next := waiting[i]
		if !l.ends(next, shadow) {
			extra -= next.width()
			if spare(next) {
				rest -= next.width()
			} else {
				tasks -= l.spoiled(next.spec(), first)
			}
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

// spec returns the stage of a job's next unit.
func (o *naiveEASYJob) spec() *policy.Stage {
	stage, _ := o.Next()
	return &o.Job.Job.Stages[stage]
}

func (l *naiveEASY) bars(o *naiveEASYJob) bool {
	stage, _ := o.Next()
	return l.barred[policy.Task{Job: o.Job.Job.ID, Stage: stage}]
}

// short reports whether it matters on which nodes cores are free.
func (l *naiveEASY) short(s *policy.Stage) bool { return s.Cores > 1 && len(l.nodes) > 1 }

// spoiled returns how many tasks of a stage lose their room at most if a unit of another starts anywhere: no more than fit on a
// node for each of its tasks.
func (l *naiveEASY) spoiled(other, s *policy.Stage) int64 {
	fit := max(1, slices.Max(l.nodes)/int64(s.Cores))
	return int64(other.UnitTasks()) * min(fit, int64(math.Ceil(float64(other.Cores)/float64(s.Cores))))
}

// fits reports whether nodes have room for the next unit of a job, wherever those run of which nothing is known.
func (l *naiveEASY) fits(o *naiveEASYJob) bool {
	if !l.short(o.spec()) || o.width() > l.free {
		return o.width() <= l.free
	}
	tasks, _ := l.room(o.spec(), -never)
	return tasks >= int64(o.spec().UnitTasks())
}

// room returns for how many tasks of a stage nodes have room once all has ended that should have by an instant, and how many
// cores are free at least, beside these, on each node with room for one.
func (l *naiveEASY) room(s *policy.Stage, by policy.Time) (tasks, rest int64) {
	free, unknown := slices.Clone(l.nodes), int64(0)
	for _, u := range l.running {
		switch spec := &u.job.Job.Stages[u.copy.Stage]; {
		case l.end(u) <= by && l.end(u) < never:
		case u.at == nil:
			tasks -= l.spoiled(spec, s)
			unknown += spec.Width()
		default:
			for _, x := range u.at {
				free[x.Node-1] -= int64(x.Tasks) * int64(spec.Cores)
			}
		}
	}
	rest = math.MaxInt64
	for _, cores := range free {
		tasks += cores / int64(s.Cores)
		if cores >= int64(s.Cores) {
			rest = min(rest, cores%int64(s.Cores))
		}
	}
	return tasks, rest - unknown
}

// shadow returns the first instant at which there will be room for a unit of a stage, and how many more cores will be free.
func (l *naiveEASY) shadow(s *policy.Stage) (at policy.Time, extra int64) {
	for _, u := range l.running {
		if l.end(u) <= l.now {
			u.time = naiveTime(l.forecast, u.job, u.copy.Stage, l.now.Sub(u.start))
		}
	}
	at = never
	for _, u := range l.running {
		end := max(l.end(u), l.now)
		if end >= at || l.freeAt(end) < s.Width() {
			continue
		}
		if tasks, _ := l.room(s, end); !l.short(s) || tasks >= int64(s.UnitTasks()) {
			at, extra = end, l.freeAt(end)-s.Width()
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
