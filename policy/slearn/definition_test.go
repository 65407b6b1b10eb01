package slearn

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/queue"
)

// What GS starts is what the definition says: of the queue that has the least of its share, the job that joined first; of
// idle cores, the job that was submitted first; and cores are idle only if nothing waits that finds room. The Forecast says
// of each job what it has been told, and the Estimator is asked for its work once, when the pilots are finished, and told
// once what came true.
func againstDefinition(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	by, refusals, estimated := [4]int{}, 0, 0
	for seed := range uint64(20) {
		jobs, plan := mixed(seed, 120)
		byService := seed >= 12
		if all := plan; byService {
			plan = func(j *policy.Job) Plan { // nobody goes by attained service
				p := all(j)
				if p.When == Never {
					p = Plan{Work: float64(j.ID % 50)} // of all sorts, and some 0: an estimate may be wrong
				}
				return p
			}
		}
		e := spy{plan, map[policy.JobID]*questions{}}
		f := NewForecast(e)
		config := Config{Forecast: f}
		config.Queues = queue.MultilevelConfig{Levels: 5, First: 2, Growth: 3}
		config.Decay = 2
		config.NoWorkConservation = seed%4 >= 2
		config.PilotQueue = seed%8 > 3
		switch {
		case byService: // as by default
		case seed%5 == 4:
			config.Sharing = queue.ByNextUse
		default:
			config.Sharing = queue.ByUse
		}
		queues := jobtest.Must(NewTurn(config.TurnConfig))
		g := &Scheduler{jobtest.Must(central.New(central.Config{Forecast: f, Turn: queues})), queues}
		n := newNaive(config, plan)
		if byService {
			n.shares = newNaiveShares(n)
		}
		c := troubled(seed, jobs)
		one := len(c.Nodes) == 1
		runtimes, work := map[policy.JobID]float64{}, map[policy.JobID]float64{}
		p := watch{g, func(ev *policy.Event, actions []policy.Action) error {
			n.observe(ev)
			n.queueUp(ev.Time)
			if byService {
				n.shares.note(ev)
			}
			switch {
			case ev.Kind == policy.Refused:
				if refusals++; one {
					return errors.New("refused on a single node")
				}
			case ev.Kind == policy.Finished:
				x := ev.Service.Seconds() / n.slowdown(ev)
				runtimes[ev.Copy.Job] += x
				work[ev.Copy.Job] += x * float64(n.jobs[ev.Copy.Job].width(ev.Copy))
			}
			for _, a := range actions {
				if err := n.start(a, ev.Time); err != nil {
					return err
				}
				n.queueUp(ev.Time)
				if byService {
					n.shares.place(n.jobs[a.Copy.Job])
				}
			}
			for id, j := range n.jobs {
				e, ok := g.Explain(id)
				if !ok || e.When != j.when || e.Queue != n.home(j, ev.Time) && j.when != Never || math.Abs(e.Attained-j.service(ev.Time)) > 1e-6 {
					return fmt.Errorf("job %d is in %v, want it in queue %d, known %d, with %v core-seconds", id, e, n.home(j, ev.Time), j.when, j.service(ev.Time))
				}
				const widest = 4
				if !ev.More && one && n.free >= widest && (j.queue >= 0 || !config.NoWorkConservation && len(j.waiting) > 0) {
					return fmt.Errorf("job %d waits, but %d cores are free", id, n.free)
				}
				if err := says(f, g.View().Job(id), j); err != nil {
					return err
				}
			}
			return nil
		}}
		r, err := sim.Run(t.Context(), c, p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range by {
			by[i] += n.by[i]
		}
		for _, j := range r.Jobs {
			q := e.asked[j.ID]
			if q.plans != 1 || q.ends != 1 || q.works > 1 || q.record.Outcome != j.Outcome || q.record.JCT < j.JCT() {
				t.Fatalf("seed %d: of job %d, which is %v after %v, got %+v, want one plan, one record, and at most one work", seed, j.ID, j.Outcome, j.JCT(), q)
			}
			if math.Abs(q.record.Runtimes.Sum()-runtimes[j.ID]) > 1e-6 || math.Abs(q.record.Work-work[j.ID]) > 1e-6 {
				t.Fatalf("seed %d: job %d is said to have run for %v s, of %v core-seconds, want %v and %v", seed, j.ID, q.record.Runtimes.Sum(), q.record.Work, runtimes[j.ID], work[j.ID])
			}
			if want := q.works == 1 || q.record.Plan.When == Now && !q.record.Plan.Bypass; q.record.Estimated != want || q.record.Plan.Tasks != nil {
				t.Fatalf("seed %d: the record of job %d is %+v, want it estimated: %v", seed, j.ID, q.record, want)
			}
			estimated += q.works
		}
		if f.jobs.Len() > 0 {
			t.Errorf("seed %d: %d jobs are kept that are over", seed, f.jobs.Len())
		}
	}
	if min(by[0], by[1], by[2], by[3], estimated) < 100 || refusals < 20 {
		t.Errorf("%v tasks of jobs known now, later, never, and on idle cores, %d refusals, and %d estimates by pilots, want more of each", by, refusals, estimated)
	}
}
