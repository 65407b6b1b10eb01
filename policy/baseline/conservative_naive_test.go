package baseline

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// naivePlan is Conservative as it is told, for an order that stays: a list of what holds cores from when to
// when, and sums over all of it.
type naivePlan struct {
	order    central.Order
	forecast central.Forecast
	now      policy.Time
	jobs     []*naivePlannedJob // in their order
	runs     []*naivePlannedRun
	cores    int64
	ended    bool
	fresh    bool // a unit has become the next of its job
	void     bool // the forecast has changed
	moved    int  // to an earlier reservation
}

type naivePlannedJob struct {
	*central.Job
	waiting int
	stage   uint32 // of the next unit
	width   int64  // of that, 0 if nothing waits
	time    policy.Duration
	start   policy.Time // reserved
}

type naivePlannedRun struct {
	job   *central.Job
	copy  policy.Copy
	start policy.Time
	first policy.Duration // that it was expected to run for
	time  policy.Duration // that it is expected to run for now
}

func (r *naivePlannedRun) width() int64 { return r.job.Job.Stages[r.copy.Stage].Width() }

func (r *naivePlannedRun) end() policy.Time { return ending(r.start, r.time) }

// ask asks about all that runs and all that waits.
func (p *naivePlan) ask() {
	for _, r := range p.runs {
		if time := naiveTime(p.forecast, r.job, r.copy.Stage, 0); time != r.first {
			r.first, r.time, p.void = time, time, true
		}
	}
	for _, j := range p.jobs {
		p.next(j)
	}
}

// next looks what the next unit of a job is. Another one than before has no reservation.
func (p *naivePlan) next(j *naivePlannedJob) {
	if j.waiting == 0 {
		j.width, j.start = 0, never
		return
	}
	stage, _ := j.Next()
	width, time := j.Job.Job.Stages[stage].Width(), naiveTime(p.forecast, j.Job, stage, 0)
	switch {
	case width != j.width || stage != j.stage:
		p.ended = p.ended || j.start != never
		j.stage, j.width, j.start, p.fresh = stage, width, never, true
	case time != j.time:
		p.void = true
	}
	j.time = time
}

func ending(at policy.Time, d policy.Duration) policy.Time {
	if d == unbounded || at == never {
		return never
	}
	return at.Add(d)
}

func (p *naivePlan) Bind(b central.Books) error {
	p.order, p.forecast = orderOf(b), b.Forecast
	return nil
}

func (p *naivePlan) Update(*central.Job, central.Usage) {}

func (p *naivePlan) find(id policy.JobID) *naivePlannedJob {
	return p.jobs[slices.IndexFunc(p.jobs, func(j *naivePlannedJob) bool { return j.Job.Job.ID == id })]
}

func (p *naivePlan) Note(ev *policy.Event, j *central.Job) {
	p.now = ev.Time
	switch {
	case ev.Kind == policy.Joined:
		p.cores += int64(ev.Info.Cores)
	case ev.Kind == policy.Submitted:
		p.jobs = append(p.jobs, &naivePlannedJob{Job: j, start: never})
		slices.SortFunc(p.jobs, func(a, b *naivePlannedJob) int { return p.order.Compare(a.Job, b.Job) })
	case ev.Kind == policy.Ready:
		p.find(j.Job.ID).waiting += int(j.Job.Stages[ev.Copy.Stage].Units())
	case ev.Kind == policy.Started:
		r := p.runs[slices.IndexFunc(p.runs, func(r *naivePlannedRun) bool { return r.copy == ev.Copy })]
		end := r.end()
		r.start, r.time = ev.Time, r.first
		p.void = p.void || r.end() != end // it starts later than planned
	case ev.Kind.End():
		p.ended = true
		p.runs = slices.DeleteFunc(p.runs, func(r *naivePlannedRun) bool { return r.copy == ev.Copy })
		if ev.Again {
			p.find(j.Job.ID).waiting++
		}
	case ev.Kind == policy.Ended:
		p.ended = p.ended || p.find(j.Job.ID).waiting > 0
		p.jobs = slices.DeleteFunc(p.jobs, func(o *naivePlannedJob) bool { return o.Job == j })
	}
	p.ask()
}

func (p *naivePlan) Began(j *central.Job, c policy.Copy, _ bool) {
	o := p.find(j.Job.ID)
	p.runs = append(p.runs, &naivePlannedRun{j, c, p.now, o.time, o.time})
	o.waiting--
	o.start = never
	p.next(o)
}

// free returns the cores that are free at an instant, by the plan.
func (p *naivePlan) free(now, at policy.Time) int64 {
	free := p.cores
	for _, r := range p.runs {
		if at < max(r.end(), now+1) {
			free -= r.width()
		}
	}
	for _, j := range p.jobs {
		if j.waiting > 0 && j.start <= at && at < ending(j.start, j.time) {
			free -= j.width
		}
	}
	return free
}

// earliest looks at every instant at which something changes.
func (p *naivePlan) earliest(now policy.Time, j *naivePlannedJob) policy.Time {
	instants := []policy.Time{now}
	for _, r := range p.runs {
		instants = append(instants, max(r.end(), now+1))
	}
	for _, o := range p.jobs {
		if o.waiting > 0 && o.start != never {
			instants = append(instants, max(now, o.start), ending(o.start, o.time))
		}
	}
	slices.Sort(instants)
	for _, start := range instants {
		fits := start != never
		for _, at := range instants {
			if start <= at && at < ending(start, j.time) && at != never && p.free(now, at) < j.width {
				fits = false
			}
		}
		if fits {
			return start
		}
	}
	return never
}

func (p *naivePlan) reserve(now policy.Time, j *naivePlannedJob) policy.Time {
	for _, o := range p.jobs {
		if o == j {
			break
		}
		if o.waiting > 0 && o.start == never && j.time == unbounded {
			return never
		}
	}
	return p.earliest(now, j)
}

func (p *naivePlan) Decide(start func(*central.Job) bool) {
	now := p.now
	overdue := slices.ContainsFunc(p.runs, func(r *naivePlannedRun) bool { return r.end() <= now })
	for _, r := range p.runs {
		if r.end() <= now {
			r.time = naiveTime(p.forecast, r.job, r.copy.Stage, now.Sub(r.start))
		}
	}
	overdue = overdue || p.void || slices.ContainsFunc(p.jobs, func(j *naivePlannedJob) bool { return j.waiting > 0 && j.start < now })
	for _, j := range p.jobs {
		if overdue || j.waiting == 0 {
			j.start = never
		}
	}
	for _, j := range p.jobs {
		switch at := j.start; {
		case j.waiting == 0:
		case at == never:
			if p.ended || p.fresh || overdue {
				j.start = p.reserve(now, j)
			}
		case p.ended:
			j.start = never
			if j.start = min(at, p.earliest(now, j)); j.start < at {
				p.moved++
			}
		}
		for j.waiting > 0 && j.start <= now && start(j.Job) {
			if j.waiting > 0 {
				j.start = p.reserve(now, j)
			}
		}
	}
	p.ended, p.fresh, p.void = false, false, false
}
