package central_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// patient is an order, but a job that has waited for the limit and has not begun goes before all others. It looks at all
// jobs that want something; with many, keep those that are late and those that are not in two heaps.
type patient struct {
	central.Order // does what is not below
	limit         policy.Duration
	view          *central.View
	wants         map[policy.JobID]*central.Job
	begun         map[policy.JobID]bool
	asked         policy.Time // when Reordered was called last
}

func newPatient(o central.Order, limit policy.Duration) *patient {
	return &patient{Order: o, limit: limit, wants: make(map[policy.JobID]*central.Job), begun: make(map[policy.JobID]bool), asked: math.MinInt64}
}

func (p *patient) Bind(b central.Books) error { return errors.Join(b.Enter(&p.view), p.Order.Bind(b)) }

func (p *patient) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Started:
		p.begun[j.Job.ID] = true
	case policy.Ended:
		delete(p.begun, j.Job.ID)
	}
	return p.Order.Note(ev, j)
}

func (p *patient) Update(j *central.Job, u central.Usage) {
	p.Order.Update(j, u)
	delete(p.wants, j.Job.ID)
	if u.Wants {
		p.wants[j.Job.ID] = j
	}
}

// due is when the job will be late.
func (p *patient) due(j *central.Job) policy.Time {
	if p.begun[j.Job.ID] {
		return policy.Never
	}
	return j.Job.Submitted.Add(p.limit)
}

func (p *patient) Compare(a, b *central.Job) int {
	x, y := p.due(a) <= p.view.Now(), p.due(b) <= p.view.Now()
	switch {
	case x && y:
		return cmp.Or(cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
	case x:
		return -1
	case y:
		return 1
	}
	return p.Order.Compare(a, b)
}

func (p *patient) Next() (first *central.Job) {
	for _, j := range p.wants {
		if first == nil || p.Compare(j, first) < 0 {
			first = j
		}
	}
	return first
}

// Reordered reports whether a job has become late, or the other order has changed.
func (p *patient) Reordered() bool {
	reordered := p.Order.Reordered()
	for _, j := range p.wants {
		reordered = reordered || p.asked < p.due(j) && p.due(j) <= p.view.Now()
	}
	p.asked = p.view.Now()
	return reordered
}

// Until is when the next job will be late.
func (p *patient) Until() policy.Time {
	until := policy.Never
	for _, j := range p.wants {
		if due := p.due(j); due > p.view.Now() {
			until = min(until, due)
		}
	}
	return until
}

// The shortest job goes first, but one that has waited for ten minutes goes before all that have not. On these narrow jobs
// none waits for much longer.
func ExampleOrder() {
	for _, order := range []central.Order{baseline.Shortest(), newPatient(baseline.Shortest(), 10*time.Minute)} {
		source, err := workload.DefaultHeavyTail().Source()
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.SplitSource(source)
		runtimes, err1 := forecast.Truth(truth)
		s, err2 := central.New(central.Config{Turn: order, Forecast: runtimes})
		if err := errors.Join(err1, err2); err != nil {
			log.Fatal(err)
		}
		result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 21, Cores: 4}), Jobs: jobs, Truth: truth}, s)
		if err != nil {
			log.Fatal(err)
		}
		m := result.Metrics()
		fmt.Printf("mean wait %.0f s, longest %.0f s\n", m.MeanWait, m.MaxWait)
	}
	// Output:
	// mean wait 22 s, longest 2626 s
	// mean wait 19 s, longest 608 s
}

// Test such an order inside policytest.Order, and with a limit that matters in scenes of seconds.
func TestPatient(t *testing.T) {
	policytest.Test(t, policytest.Config{Allocates: true, New: func(truth policy.Truth) (policy.Scheduler, error) {
		runtimes, err := forecast.Truth(truth)
		if err != nil {
			return nil, err
		}
		order := policytest.Order(newPatient(baseline.Shortest(), time.Second))
		return central.New(central.Config{Turn: order, Forecast: runtimes, Fill: baseline.EASY()})
	}})
}
