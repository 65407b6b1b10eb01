package central_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// response is how much longer than it requests a job has taken so far: whoever suffers most is next. Short jobs go first, and
// long ones do not starve (P. Brinch Hansen, "An analysis of response ratio scheduling", IFIP Congress 1971).
func response(j *central.Job, now policy.Time) float64 {
	return 1 + now.Sub(j.Job.Submitted).Seconds()/j.Job.Requested.Seconds()
}

// An order that changes with time is one function of a job and the present.
func ExampleScored() {
	source, err := workload.HeavyTail{Seed: 1, Jobs: 1000}.Source()
	if err == nil {
		source, err = workload.FillRequested(source, 2)
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, order := range []central.Order{baseline.FIFO(), central.Scored(response)} {
		scheduler, err := central.New(central.Config{Turn: order, Fill: baseline.EASY()})
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.SplitSource(source)
		cluster := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 5, Cores: 4}), Jobs: jobs, Truth: truth}
		result, err := sim.Run(context.Background(), cluster, scheduler)
		if err != nil {
			log.Fatal(err)
		}
		m := result.Metrics()
		fmt.Printf("mean completion time %.0f s, longest wait %.0f s\n", m.MeanJCT, m.MaxWait)
	}
	// Output:
	// mean completion time 1066 s, longest wait 1986 s
	// mean completion time 308 s, longest wait 5780 s
}

// It keeps to the contract, alone and with fillers, and its order is an order.
func TestScored(t *testing.T) {
	erratic := func(j *central.Job, now policy.Time) float64 { // NaN for a third of the jobs, and equal for many
		if j.Job.ID%3 == 0 {
			return math.NaN()
		}
		return math.Floor(now.Sub(j.Job.Submitted).Seconds()/4)*float64(1+j.Job.ID%5) - 3*float64(j.Cores)
	}
	for name, fill := range map[string]func() central.Filler{
		"alone": func() central.Filler { return nil }, "easy": baseline.EASY, "conservative": baseline.Conservative,
	} {
		t.Run(name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
				return central.New(central.Config{Turn: policytest.Order(central.Scored(erratic)), Fill: fill()})
			}})
		})
	}
	t.Run("allocates nothing", func(t *testing.T) {
		policytest.Test(t, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
			return central.New(central.Config{Turn: central.Scored(erratic)})
		}})
	})
	if _, err := central.New(central.Config{Turn: central.Scored(nil)}); err == nil {
		t.Error("Scored without a function is taken")
	}
}

// Where the score does not change with time it is the same as a comparison.
func TestScoredIsOrdered(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	list := jobtest.Generate(t, 300)
	for _, j := range list {
		j.Priority = float64(rng.IntN(4))
	}
	run := func(o central.Order) policy.Time {
		jobs, truth := workload.Split(list)
		sum := policy.Time(0)
		_, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 4}), Jobs: jobs, Truth: truth, Ended: func(r *sim.JobRecord) {
			sum = sum.Add(r.JCT() % time.Hour)
		}}, jobtest.Must(central.New(central.Config{Turn: o})))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	if got, want := run(central.Scored(func(j *central.Job, _ policy.Time) float64 { return j.Job.Priority })), run(baseline.Priority()); got != want {
		t.Errorf("the jobs end otherwise than by priority: %v, want %v", got, want)
	}
}
