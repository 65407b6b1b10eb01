package policytest

import (
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"

	"example.com/augur/internal/parts"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// goroutineCases count the goroutines that are started while a replica is told something. Others than the policy may start some;
// so the least of several counts is taken.
func goroutineCases() []testCase {
	return seeds(1, func(_ *testing.T, c *Config, seed uint64) *finding {
		least, when := uint64(1), ""
		for try := 0; try < 3 && least > 0; try++ {
			n, first := countGoroutines(c, seed)
			if n < least || try == 0 {
				least, when = n, first
			}
		}
		if least > 0 {
			return failure("goroutines", "%d were started, the first %s", least, when)
		}
		return nil
	})
}

func countGoroutines(c *Config, seed uint64) (n uint64, first string) {
	count := func(before uint64, when string) {
		if more := goroutinesCreated() - before; more > 0 {
			if n += more; first == "" {
				first = when
			}
		}
	}
	counted := *c
	counted.New = func(truth policy.Truth) (policy.Scheduler, error) {
		defer count(goroutinesCreated(), "when it was made")
		return c.New(truth)
	}
	counted.follow(seed, &replica{rule: "goroutines", blind: true, step: func(p policy.Scheduler, ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
		defer count(goroutinesCreated(), "when told "+tell(ev))
		return step(p, ev, actions)
	}})
	return n, first
}

// steadyScene is a queue in balance: jobs of ten tasks come at such a rate that four
// nodes of four cores are busy for four fifths of the time. Some tasks take two cores, so
// that a Start may be refused. Two of three jobs request a time.
func steadyScene() *scene {
	rng := rand.New(rand.NewPCG(1, 3))
	var jobs []*workload.Job
	now := 0.0
	for id := policy.JobID(1); id <= 400; id++ {
		now += rng.ExpFloat64() * 5
		runtimes := make([]policy.Duration, 10)
		for i := range runtimes {
			runtimes[i] = saturate.To[policy.Duration](rng.ExpFloat64() * 5e9)
		}
		j := bag(id, now, runtimes...)
		if id%3 > 0 {
			j.Requested = 2 * slices.Max(runtimes)
		}
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

// allocCases keep what a policy is told in a steady state, tell it to another, and count what that allocates in the second
// half.
func allocCases() []testCase {
	return []testCase{{"steady", func(_ *testing.T, c *Config) *finding {
		if c.Allocates || raceDetector {
			return nil
		}
		var events []toldTo
		keeper := &replica{blind: true, before: func(_ *replica, part policy.NodeID, ev *policy.Event) error {
			events = append(events, toldTo{part, clone(ev)})
			return nil
		}}
		sc := steadyScene()
		sc.replicas = []*replica{keeper}
		if f := sc.run(c); f != nil {
			return f
		}
		least, steps := uint64(0), uint64(0)
		for try := range 3 { // other goroutines may allocate too, now and then
			p, err := c.make(keeper.truth)
			if err != nil {
				return nil // for others to say
			}
			allocs, n, err := countAllocs(parts.Of(p), events)
			if err != nil {
				return nil
			}
			if try == 0 || allocs < least {
				least, steps = allocs, n
			}
		}
		if least > steps/allocEvery {
			return failure("allocs", "%d allocations in %d steps that are about copies, want none in the steady state (at most %d, for growing tables)",
				least, steps, steps/allocEvery)
		}
		return nil
	}}}
}

type toldTo struct {
	part  policy.NodeID
	event policy.Event
}

// countAllocs counts the allocations in the second half of some events, and the steps that
// should make none.
func countAllocs(p *parts.Parts, events []toldTo) (allocs, steps uint64, err error) {
	var actions []policy.Action
	half := len(events) / 2
	mayAllocate, before := true, uint64(0)
	for i := range events {
		e := &events[i]
		k := e.event.Kind
		aboutJob := i < half || k == policy.Submitted || k == policy.Ready || k == policy.Ended
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
		if actions, err = p.Step(e.part, &e.event, actions[:0]); err != nil {
			return 0, 0, err
		}
	}
	if !mayAllocate {
		allocs += mallocs() - before
	}
	return allocs, steps, nil
}

// goroutinesCreated returns how many goroutines this program has ever started.
func goroutinesCreated() uint64 {
	sample := [1]metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(sample[:])
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // this runtime does not count them
	}
	return sample[0].Value.Uint64()
}

// mallocs returns how many objects this program has ever allocated.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
