package policytest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// steadyScene is a queue in balance: jobs of ten tasks come at such a rate that four
// nodes of four cores are busy for four fifths of the time. Some tasks take two cores, so
// that a Start may be refused.
func steadyScene() *scene {
	rng := rand.New(rand.NewPCG(1, 3))
	var jobs []*workload.Job
	now := 0.0
	for id := policy.JobID(1); id <= 400; id++ {
		now += rng.ExpFloat64() * 5
		runtimes := make([]policy.Duration, 10)
		for i := range runtimes {
			runtimes[i] = policy.Duration(rng.ExpFloat64() * 5e9)
		}
		j := bag(id, now, runtimes...)
		if id%4 == 0 {
			j.Stages[0].Cores = 2
		}
		jobs = append(jobs, j)
	}
	return &scene{jobs: jobs, config: sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4})}}
}

// allocCases plays a tape of a steady state and counts what the policy allocates in its
// second half.
func allocCases() []testCase {
	return []testCase{{"steady", func(_ *testing.T, c *suite) *Failure {
		if c.Allocates {
			return nil
		}
		tp := new(tape)
		if f := steadyScene().run(c, tp); f != nil {
			return f
		}
		perJob := cmp.Or(c.JobAllocs, defaultJobAllocs)
		var err error
		for range 3 { // other goroutines may allocate too, now and then
			var jobs, steps usage
			if jobs, steps, err = countAllocs(c, tp); err != nil {
				return nil
			}
			switch {
			case steps.allocs > steps.n/allocEvery:
				err = fmt.Errorf("%d allocations in %d steps that are about copies, want none in the steady state (at most %d, for tables that still grow)",
					steps.allocs, steps.n, steps.n/allocEvery)
			case jobs.allocs > jobs.n*uint64(perJob):
				err = fmt.Errorf("%d allocations for %d jobs, when they are submitted, ready and over, want at most %d a job (Config.JobAllocs)", jobs.allocs, jobs.n, perJob)
			default:
				return nil
			}
		}
		return &Failure{Rule: "allocs", Err: err}
	}}}
}

const allocEvery = 100 // steps, in which one allocation is let pass

// usage is what n jobs, or steps, have allocated.
type usage struct{ n, allocs uint64 }

func countAllocs(c *suite, tp *tape) (jobs, steps usage, err error) {
	pl := newPlayer(c, tp)
	half := len(tp.entries) / 2
	for i := range half {
		if err := pl.play(i); err != nil {
			return jobs, steps, err
		}
	}
	var actions []policy.Action
	count := &steps
	before := mallocs()
	for i := half; i < len(tp.entries); i++ {
		e := &tp.entries[i]
		if e.restart || e.node != nil {
			return jobs, steps, fmt.Errorf("%v: unexpected in a steady state", e)
		}
		next := &steps
		switch e.event.Kind {
		case policy.Submitted:
			jobs.n++
			next = &jobs
		case policy.Ready, policy.Ended:
			next = &jobs
		default:
			steps.n++
		}
		if next != count {
			now := mallocs()
			count.allocs += now - before
			count, before = next, now
		}
		if actions, err = step(pl.parts[e.part], &e.event, actions[:0]); err != nil {
			return jobs, steps, err
		}
	}
	count.allocs += mallocs() - before
	return jobs, steps, nil
}
