package sim_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

func contenders() []sim.Contender {
	return []sim.Contender{
		{Name: "fifo", New: func(uint64, *sim.Config) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }},
		{Name: "srpt", New: func(_ uint64, c *sim.Config) (policy.Scheduler, error) { return baseline.NewSRPT(c.Truth) }},
	}
}

// A Sweep has the runs that each policy has alone, whatever the number of cores, and its figures are those of these runs.
func sweeps(t *testing.T) {
	sweep := sim.Sweep{Seeds: []uint64{7, 3, 5}, Setup: setup, Policies: contenders(), Trim: 0.1}
	sweepOn := func(cores int) *sim.SweepResult {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		r, err := sweep.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	got := sweepOn(4)
	var want []sim.SweepRun
	for _, seed := range sweep.Seeds {
		var first *sim.Result
		for _, p := range sweep.Policies {
			config, err := setup(seed)
			if err != nil {
				t.Fatal(err)
			}
			scheduler, err := p.New(seed, &config)
			if err != nil {
				t.Fatal(err)
			}
			r, err := sim.Run(t.Context(), config, scheduler)
			if err != nil {
				t.Fatal(err)
			}
			r = r.Trim(0.1)
			if first == nil {
				first = r
			}
			want = append(want, sim.SweepRun{Seed: seed, Policy: p.Name, Metrics: r.Metrics(), ToFirst: sim.Compare(r, first)})
		}
	}
	if diff := gocmp.Diff(want, got.Runs, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(want, sweepOn(1).Runs, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("runs on one core (-want +got):\n%s", diff)
	}
	wait := func(r *sim.SweepRun) float64 { return r.MeanWait }
	for i, want := range map[int][]float64{1: {want[1].MeanWait, want[3].MeanWait, want[5].MeanWait}, 2: nil, -1: nil} {
		if diff := gocmp.Diff(want, got.Of(i, wait)); diff != "" {
			t.Errorf("waits of policy %d (-want +got):\n%s", i, diff)
		}
	}
}

// The error is that of the first run that fails, and names it.
func TestSweepRefuses(t *testing.T) {
	no := errors.New("no")
	good := sim.Sweep{Seeds: []uint64{1, 2}, Setup: setup, Policies: contenders()}
	for want, change := range map[string]func(*sim.Sweep){
		"Config.Ended is set": func(s *sim.Sweep) {
			s.Setup = func(seed uint64) (sim.Config, error) {
				c, err := setup(seed)
				c.Ended = func(*sim.JobRecord) {}
				return c, err
			}
		},
		"Sweep.Seeds is empty":    func(s *sim.Sweep) { s.Seeds = nil },
		"Sweep.Seeds has 2 twice": func(s *sim.Sweep) { s.Seeds = []uint64{2, 1, 2} },
		"Sweep.Setup is nil":      func(s *sim.Sweep) { s.Setup = nil },
		"Sweep.Policies is empty": func(s *sim.Sweep) { s.Policies = nil },
		"Sweep.Policies[1], x, has no New": func(s *sim.Sweep) {
			s.Policies = append(contenders()[:1], sim.Contender{Name: "x"})
		},
		"policy fifo, seed 2: no": func(s *sim.Sweep) {
			s.Setup = func(seed uint64) (sim.Config, error) {
				if seed == 2 {
					return sim.Config{}, no
				}
				return setup(seed)
			}
		},
		"policy bad, seed 1: no": func(s *sim.Sweep) {
			s.Policies = append(contenders(), sim.Contender{Name: "bad", New: func(uint64, *sim.Config) (policy.Scheduler, error) { return nil, no }})
		},
		"policy fifo, seed 1: sim: Config.Nodes is empty": func(s *sim.Sweep) {
			s.Setup = func(seed uint64) (sim.Config, error) {
				c, err := setup(seed)
				c.Nodes = nil
				return c, err
			}
		},
	} {
		s := good
		change(&s)
		if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
}
