package baseline

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// The orders keep what central.Order asks, with a filler and without.
func TestOrdersKeepTheirPromises(t *testing.T) {
	for _, test := range append(slices.Clip(orders), madeOrder{"Shortest", func(policy.Truth) central.Order { return Shortest() }}) {
		for name, fill := range map[string]func() central.Filler{"alone": func() central.Filler { return nil }, "filled": Conservative} {
			t.Run(test.name+", "+name, func(t *testing.T) {
				policytest.Test(t, policytest.Config{Allocates: true, New: func(truth policy.Truth) (policy.Scheduler, error) {
					return central.New(central.Config{Turn: policytest.Order(test.make(truth)), Fill: fill(), Forecast: forecast.LastTwo()})
				}})
			})
		}
	}
}

// but10 is a Forecast that knows nothing of what takes 10 s.
type but10 struct{ central.Forecast }

func (f but10) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	d, ok := f.Forecast.Runtime(j, stage)
	return d, ok && d.Mean() != 10
}

// Under Shortest, unknown jobs alternate with known ones on one core. On several no second one starts while the first one runs,
// unless a core would idle.
func TestShortestExplores(t *testing.T) {
	type bag struct {
		tasks, runtime int
	}
	for _, test := range []struct {
		name  string
		cores int32
		bags  []bag
		want  []policy.JobID // of each task, in the order of their starts
	}{
		{"one core", 1, []bag{{4, 1}, {1, 10}, {1, 10}, {2, 10}}, []policy.JobID{2, 1, 3, 1, 4, 1, 1, 4}},
		{"three cores", 3, []bag{{20, 1}, {1, 10}, {1, 10}}, slices.Concat([]policy.JobID{2}, slices.Repeat([]policy.JobID{1}, 20), []policy.JobID{3})},
		{"a core idles", 3, []bag{{1, 1}, {1, 10}, {1, 10}}, []policy.JobID{2, 1, 3}},
		{"all are unknown", 1, []bag{{2, 10}, {2, 10}}, []policy.JobID{1, 2, 1, 2}},
	} {
		var list []*workload.Job
		for i, b := range test.bags {
			list = append(list, &workload.Job{
				Job:      policy.Job{ID: policy.JobID(i + 1), Stages: []policy.Stage{{Tasks: uint32(b.tasks), Cores: 1}}},
				Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{policy.Duration(b.runtime) * 1e9}, b.tasks)},
			})
		}
		jobs, truth := workload.Split(list)
		known, err := forecast.Truth(truth)
		if err != nil {
			t.Fatal(err)
		}
		s, err := central.New(central.Config{Turn: Shortest(), Forecast: but10{known}})
		if err != nil {
			t.Fatal(err)
		}
		var got []policy.JobID
		if _, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: test.cores}), Jobs: jobs, Truth: truth}, starts{s, &got}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: starts %v, want %v", test.name, got, test.want)
		}
	}
}

// starts notes the jobs of the tasks that start.
type starts struct {
	policy.Scheduler
	jobs *[]policy.JobID
}

func (s starts) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Started {
		*s.jobs = append(*s.jobs, ev.Copy.Job)
	}
	return s.Scheduler.Step(ev, actions)
}
