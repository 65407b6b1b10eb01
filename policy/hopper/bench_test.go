package hopper_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// BenchmarkScheduler runs 200 jobs on 24 cores, with GRASS: the simulator's own work is part of the time.
func BenchmarkScheduler(b *testing.B) {
	all, err := workload.ReadAll(small(200).source(b))
	if err != nil {
		b.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		s    setting
	}{
		{"SRPT", setting{Config: paper(), rival: fewest}},
		{"Hopper", setting{Config: paper()}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				runtest.Run(b, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 6, Cores: 4})}, all, newLine(b, tt.s))
			}
		})
	}
}

// speculators are the rules with their defaults.
func speculators(t testing.TB) map[string]hopper.Speculator {
	t.Helper()
	simple := jobtest.Must(hopper.NewSimple(hopper.SimpleConfig{Delay: time.Second}))
	grass := jobtest.Must(hopper.NewGRASS(hopper.GRASSConfig{}))
	return map[string]hopper.Speculator{
		"Simple": simple, "LATE": newLATE(hopper.LATEConfig{}), "Mantri": newMantri(hopper.MantriConfig{}),
		"GS": hopper.GS{}, "RAS": hopper.RAS{}, "GRASS": grass,
	}
}

// straggling returns a tracker of so many tasks that run, and as many that are finished, with
// runtimes of a Pareto tail of 1.5 and at least 10 s, at the instant 30 s; all have reported.
func straggling(t testing.TB, tasks int) *hopper.Tracker {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	tracker := &hopper.Tracker{}
	for task := range uint32(2 * tasks) {
		runtime := 10 * math.Pow(1-rng.Float64(), -1/1.5)
		began := policy.Time(rng.Int64N(int64(20 * second)))
		service := policy.Duration(30*second - began)
		err := tracker.Start(began, task, 0, 0)
		if err == nil && task%2 == 0 {
			err = tracker.Finish(task, policy.Duration(runtime*1e9))
		} else if err == nil {
			err = tracker.Report(30*second, task, 0, service, min(1, service.Seconds()/runtime))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return tracker
}

func TestNothingAllocatesInTheSteadyState(t *testing.T) {
	tracker := straggling(t, 100)
	round := func() {
		for _, err := range []error{
			tracker.Start(30*second, 4, 1, 0), tracker.Report(31*second, 4, 1, time.Second, 0.5),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		tracker.Phase(31*second, 10, 100)
		tracker.Restarted(4)
		tracker.End(4, 1)
	}
	round()
	if got := testing.AllocsPerRun(100, round); got > 0 {
		t.Errorf("Tracker: %v allocations", got)
	}
	tracker = straggling(t, 100)
	phase := tracker.Phase(31*second, 10, 100)
	for name, rule := range speculators(t) {
		question := func() { rule.Next(phase, hopper.Room{Slots: 1000}) }
		question()
		if got := testing.AllocsPerRun(100, question); got > 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}
