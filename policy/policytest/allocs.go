package policytest

import (
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
		now += float64(rng.ExpFloat64() * 5)
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

// allocEvery is the number of steps in which one allocation is let pass, for tables that
// still grow.
const allocEvery = 100

// allocCases plays a tape of a steady state and counts what the policy allocates in its
// second half.
func allocCases() []testCase {
	return []testCase{{"steady", func(_ *testing.T, c *suite) *Failure {
		if c.Allocates || raceDetector {
			return nil
		}
		tp := new(tape)
		if f := steadyScene().run(c, tp); f != nil {
			return f
		}
		least, steps := uint64(0), uint64(0)
		for try := range 3 { // other goroutines may allocate too, now and then
			allocs, n, err := countAllocs(c, tp)
			if err != nil {
				return nil // for others to say
			}
			if try == 0 || allocs < least {
				least, steps = allocs, n
			}
		}
		if least > steps/allocEvery {
			return failure("allocs", "%d allocations in %d steps that are about copies, want none in the steady state (at most %d, for tables that still grow)",
				least, steps, steps/allocEvery)
		}
		return nil
	}}}
}

// countAllocs counts the allocations in the second half of a tape, and the steps that
// should make none.
func countAllocs(c *suite, tp *tape) (allocs, steps uint64, err error) {
	pl := newPlayer(c, tp)
	half := len(tp.entries) / 2
	for i := range half {
		if err := pl.play(i); err != nil {
			return 0, 0, err
		}
	}
	var actions []policy.Action
	mayAllocate, before := false, mallocs()
	for i := half; i < len(tp.entries); i++ {
		e := &tp.entries[i]
		if e.restart || e.node != nil {
			return 0, 0, fmt.Errorf("%v: unexpected in a steady state", e)
		}
		k := e.event.Kind
		aboutJob := k == policy.Submitted || k == policy.Ready || k == policy.Ended
		if aboutJob != mayAllocate {
			now := mallocs()
			if !mayAllocate {
				allocs += now - before
			}
			mayAllocate, before = aboutJob, now
		}
		if !aboutJob {
			steps++
		}
		if actions, err = step(pl.parts[e.part], &e.event, actions[:0]); err != nil {
			return 0, 0, err
		}
	}
	if !mayAllocate {
		allocs += mallocs() - before
	}
	return allocs, steps, nil
}
