package slearn

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A spy counts what an Estimator is asked and told of each job.
type spy struct {
	plans
	asked map[policy.JobID]*questions
}

type questions struct {
	plans, works, ends int
	record             Record
}

func (s spy) Plan(j *policy.Job, now policy.Time) (Plan, error) {
	s.asked[j.ID] = &questions{plans: 1}
	return s.plans.Plan(j, now)
}

func (s spy) Work(j *policy.Job, now policy.Time, pilots []float64) float64 {
	s.asked[j.ID].works++
	return s.plans.Work(j, now, pilots)
}

func (s spy) Ended(j *policy.Job, r Record) error {
	s.asked[j.ID].ends++
	s.asked[j.ID].record = r
	return nil
}

// says compares what a Forecast says of a job with the definition.
func says(f *Forecast, j *central.Job, want *naiveJob) error {
	got := f.Sampled(j)
	wait, cores := len(want.pilots) < want.plan.Pilots, int64(0)
	for t := range want.pilots {
		wait = wait || want.waiting[t]
		if !f.Pilot(t) {
			return fmt.Errorf("%v is no pilot, want it to be", t)
		}
	}
	for c, r := range want.runs {
		if !r.ended && want.pilots[c.Task] {
			cores += want.width(c)
		}
		if f.Pilot(c.Task) != want.pilots[c.Task] {
			return fmt.Errorf("%v is a pilot: %v, want %v", c, f.Pilot(c.Task), want.pilots[c.Task])
		}
	}
	if got.Now != (want.when == Later) || got.Bypass != want.plan.Bypass || got.Pilots != want.plan.Pilots || got.Done != len(want.times) ||
		got.Now && (got.Wait != wait || got.Cores != cores) {
		return fmt.Errorf("of job %d got %+v, want %+v, that pilots wait %v, and %d cores", j.Job.ID, got, want, wait, cores)
	}
	known := want.when == Now && !want.plan.Bypass
	work, ok := f.Work(j)
	if ok != known || known && math.Abs(work-want.work) > 1e-9*want.work {
		return fmt.Errorf("the work of job %d is %v, %v, want %v, %v", j.Job.ID, work, ok, want.work, known)
	}
	for i := range j.Job.Stages {
		d, ok := f.Runtime(j, uint32(i))
		if ok != known || known && math.Abs(d.Mean()*width(j.Job)-want.work) > 1e-9*want.work {
			return fmt.Errorf("the runtime of stage %d of job %d is %v, %v, want %v over %v cores, %v", i, j.Job.ID, d, ok, want.work, width(j.Job), known)
		}
	}
	return nil
}
