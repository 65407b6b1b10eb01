package sim_test

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// watched runs jobs and returns what a Monitor tells, as text.
func watched(t *testing.T, c sim.Config, p policy.Scheduler, jobs ...*workload.Job) (spans, uses []string, r *sim.Result) {
	t.Helper()
	m := &sim.Monitor{
		Span: func(x sim.Span) {
			spans = append(spans, fmt.Sprintf("node %d %v %d cores %v-%v %v", x.Node, x.Copy, x.Cores, x.Begin.Seconds(), x.End.Seconds(), x.How))
		},
		Use: func(u sim.Use) {
			uses = append(uses, fmt.Sprintf("%v: %d/%d cores, %d tasks of %d jobs", u.Time.Seconds(), u.InUse, u.Cores, u.Tasks, u.Jobs))
		},
	}
	c.Watch = m.Event
	r = run(t, c, p, jobs...)
	m.Flush()
	return spans, uses, r
}

// A job whose task is suspended for another's, a gang over two nodes, and a second copy that loses the race.
func TestMonitor(t *testing.T) {
	gang := bag(2, 5*s, 4*s, 4*s, 4*s)
	gang.Stages[0].Gang = true
	p := quiet(func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), startOn(2, task(1, 0, 0), 1))
		case isReady(ev, 2, 0):
			return list(do(policy.Kill, task(1, 0, 0), 1), do(policy.Suspend, task(1, 0, 0), 0), start(task(2, 0, 0), 0))
		case ev.Kind == policy.Finished && ev.Copy.Job == 2:
			return list(do(policy.Resume, task(1, 0, 0), 0), startOn(2, task(1, 0, 1), 0))
		}
		return nil
	})
	spans, uses, _ := watched(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 2})}, p, bag(1, 0, 10*s, 3*s), gang)
	if diff := gocmp.Diff([]string{
		"node 2 1/0/0#1 1 cores 0-5 Killed",
		"node 1 1/0/0#0 1 cores 0-5 Suspended",
		"node 1 2/0/0#0 1 cores 5-9 Finished",
		"node 2 2/0/0#0 2 cores 5-9 Finished",
		"node 2 1/0/1#0 1 cores 9-12 Finished",
		"node 1 1/0/0#0 1 cores 9-14 Finished",
	}, spans); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{
		"0: 2/3 cores, 1 tasks of 0 jobs",
		"5: 3/3 cores, 2 tasks of 1 jobs",
		"9: 2/3 cores, 0 tasks of 0 jobs",
		"12: 1/3 cores, 0 tasks of 0 jobs",
		"14: 0/3 cores, 0 tasks of 0 jobs",
	}, uses); diff != "" {
		t.Errorf("use (-want +got):\n%s", diff)
	}
}

// What spans and uses add up to is what the simulator has counted, under a policy that suspends, resumes and kills whenever it can.
func monitorAgreesWithTheResult(t *testing.T) {
	for seed := range uint64(6) {
		jobs, truth := workload.Split(mixed(seed, 25, false))
		config := sim.Config{
			Nodes: mixedNodes(), Jobs: jobs, Truth: truth, SuspendCost: policy.Duration(seed%2) * s,
			Faults: sim.Faults{
				Seed: seed, MeanUp: 60 * s, MeanDown: 10 * s, TaskFailure: 0.02, Restarts: []policy.Time{at(20), at(40.3), at(100)},
				NewPolicy: func() (policy.Scheduler, error) { return newChaos(seed + 1000), nil },
			},
		}
		var held, busy float64
		last := sim.Use{}
		m := &sim.Monitor{
			Span: func(x sim.Span) { held += x.End.Sub(x.Begin).Seconds() * float64(x.Cores) },
			Use: func(u sim.Use) {
				busy += u.Time.Sub(last.Time).Seconds() * float64(last.InUse)
				last = u
			},
		}
		config.Watch = m.Event
		r, err := sim.Run(t.Context(), config, newChaos(seed))
		if err != nil {
			t.Fatal(err)
		}
		m.Flush()
		if !scalar.EqualWithinRel(held, r.Busy, 1e-9) || !scalar.EqualWithinRel(busy, r.Busy, 1e-9) || last.InUse != 0 || last.Tasks != 0 || last.Jobs != 0 {
			t.Errorf("seed %d: spans of %v core-seconds, use of %v, and %+v in the end; the simulator counted %v", seed, held, busy, last, r.Busy)
		}
	}
}
