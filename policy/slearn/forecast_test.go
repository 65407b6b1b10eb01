package slearn

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
)

// others are turns by which the forecast of an estimator is asked other than its queues.
var others = []struct {
	name string
	new  func() central.Config
}{
	{"easy", func() central.Config { return central.Config{Turn: baseline.FIFO(), Fill: baseline.EASY()} }},
}

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

func (s spy) Ended(j *policy.Job, r Record) {
	s.asked[j.ID].ends++
	s.asked[j.ID].record = r
}

// Under any turn the pilots of a job start first, and in the order of the plan. The Forecast says of each job what it has
// been told, and the Estimator is asked for its work once, when the pilots are finished, and told once what came true.
func TestForecastUnderOtherTurns(t *testing.T) {
	for _, other := range others {
		sampled, estimated, failed := 0, 0, 0
		for seed := range uint64(4) {
			jobs, plan := mixed(seed, 150)
			e := spy{plan, map[policy.JobID]*questions{}}
			f := NewForecast(e)
			c := other.new()
			c.Forecast, c.BySpeed = f, seed%3 == 0
			g := must(central.New(c))
			n := newNaive(GSConfig{BySpeed: c.BySpeed}, plan)
			firsts := map[policy.JobID]int{} // tasks of the pilots' stage that have been started
			service := map[policy.JobID]float64{}
			p := watch{g, func(ev *policy.Event, actions []policy.Action) error {
				n.observe(ev)
				switch {
				case ev.Kind == policy.Finished:
					service[ev.Copy.Job] += ev.Service.Seconds() * n.speed(ev)
				case ev.Kind == policy.Failed:
					failed++
				}
				for _, a := range actions {
					if a.Kind != policy.Start {
						continue
					}
					plan := plan(n.jobs[a.Copy.Job].job)
					if i := firsts[a.Copy.Job]; a.Copy.Stage == plan.Stage && plan.When == Later {
						if i < plan.Pilots && !n.jobs[a.Copy.Job].pilots[a.Copy.Task] && int(a.Copy.Index) != plan.Tasks[i] {
							return fmt.Errorf("start of %v, want pilot %d of %v", a.Copy, i, plan.Tasks)
						}
					}
					if n.take(a) {
						firsts[a.Copy.Job]++
						sampled++
					}
				}
				for id, j := range n.jobs {
					if err := says(f, g.View().Job(id), j); err != nil {
						return err
					}
				}
				return nil
			}}
			r, err := sim.Run(t.Context(), troubled(seed, jobs), p)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", other.name, seed, err)
			}
			for _, j := range r.Jobs {
				q := e.asked[j.ID]
				if q.plans != 1 || q.ends != 1 || q.works > 1 || q.record.Outcome != j.Outcome || q.record.JCT < j.JCT() {
					t.Fatalf("%s, seed %d: of job %d, which is %v after %v, got %+v, want one plan, one record, and at most one work", other.name, seed, j.ID, j.Outcome, j.JCT(), q)
				}
				if math.Abs(q.record.Runtimes.Sum()-service[j.ID]) > 1e-6 {
					t.Fatalf("%s, seed %d: job %d is said to have run for %v s, want %v s", other.name, seed, j.ID, q.record.Runtimes.Sum(), service[j.ID])
				}
				if want := q.works == 1 || q.record.Plan.When == Now && !q.record.Plan.Bypass; q.record.Estimated != want || q.record.Plan.Tasks != nil {
					t.Fatalf("%s, seed %d: the record of job %d is %+v, want it estimated: %v", other.name, seed, j.ID, q.record, want)
				}
				estimated += q.works
			}
			if f.jobs.Len() > 0 {
				t.Errorf("%s, seed %d: %d jobs are kept that are over", other.name, seed, f.jobs.Len())
			}
		}
		if sampled < 300 || estimated < 150 || failed < 50 {
			t.Errorf("%s: %d pilots, %d estimates by them and %d failures, want 300, 150 and 50", other.name, sampled, estimated, failed)
		}
	}
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
		if ok != known || known && math.Abs(d.Mean()*Width(j.Job)-want.work) > 1e-9*want.work {
			return fmt.Errorf("the runtime of stage %d of job %d is %v, %v, want %v over %v cores, %v", i, j.Job.ID, d, ok, want.work, Width(j.Job), known)
		}
	}
	return nil
}

// Further copies of a pilot count as the pilot's, and its queue is charged for them, until they end.
func TestCopiesOfPilots(t *testing.T) {
	f := NewForecast(plans(func(*policy.Job) Plan { return Plan{When: Later, Pilots: 1, Tasks: []int{0}} }))
	q := must(NewQueues(low()))
	h := newByHand(t, 2, central.Config{Turn: q, Forecast: f, Copy: new(twins)})
	job := func(cores int64, wait bool) {
		t.Helper()
		e, _ := q.Explain(1)
		if got := f.Sampled(h.s.View().Job(1)); got.Cores != cores || got.Wait != wait || e.Charged != cores || e.Cores != cores {
			t.Errorf("got %+v, and %v, want %d cores, and that the pilot waits: %v", got, e, cores, wait)
		}
	}
	of := func(n uint32) policy.Copy { return policy.Copy{Task: policy.Task{Job: 1}, N: n} }
	if got := h.submit(1, 1); len(got) != 2 {
		t.Fatalf("got %v started, want the pilot and another copy of it", got)
	}
	job(2, false)
	h.end(policy.Failed, of(0), false)
	job(1, false)
	h.tell(policy.Event{Kind: policy.Lost, Copy: of(1), Node: 1, Service: s, Again: true, More: true})
	h.tell(policy.Event{Kind: policy.Left, Node: 1})
	job(0, true)
}
