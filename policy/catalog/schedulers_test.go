package catalog

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
)

// NewScheduler of each package is the policy of a name, to the last byte of what it was told and answered.
func TestNewSchedulers(t *testing.T) {
	index := func(o gittins.Options) policy.Scheduler { return jobtest.Must(gittins.NewScheduler(o)) }
	for name, whole := range map[string]func() policy.Scheduler{
		"index":      func() policy.Scheduler { return index(gittins.Options{}) },
		"index-easy": func() policy.Scheduler { return index(gittins.Options{Fill: baseline.EASY()}) },
		"index+grass": func() policy.Scheduler {
			return index(gittins.Options{Copies: jobtest.Must(hopper.NewSpeculation(hopper.SpeculationConfig{}))})
		},
		"index/none": func() policy.Scheduler {
			return index(gittins.Options{History: jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{}))})
		},
		"gs-slearn":       func() policy.Scheduler { return jobtest.Must(slearn.NewScheduler(slearn.Config{Seed: 3})) },
		"3sigma":          func() policy.Scheduler { return jobtest.Must(threesigma.NewScheduler(threesigma.Config{Seed: 3})) },
		"hopper":          func() policy.Scheduler { return jobtest.Must(hopper.NewScheduler(hopper.Config{})) },
		"kairos-adaptive": func() policy.Scheduler { return kairos.NewAdaptive() },
		"kairos": func() policy.Scheduler {
			return jobtest.Must(kairos.NewScheduler(kairos.Config{Src: rand.NewPCG(3, 0x6b6169726f73)}))
		},
		"wing-prio": func() policy.Scheduler { return jobtest.Must(wing.NewScheduler(wing.Config{})) },
	} {
		record := func(of func(policy.Truth) policy.Scheduler) []byte {
			list, _ := halves(strings.HasPrefix(name, "kairos"))
			jobs, truth := workload.Split(list[:80])
			var text bytes.Buffer
			if _, err := sim.Run(context.Background(), sim.Config{Nodes: cluster(), Jobs: jobs, Truth: truth, Record: &text}, of(truth)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return text.Bytes()
		}
		got := record(func(policy.Truth) policy.Scheduler { return whole() })
		want := record(func(truth policy.Truth) policy.Scheduler {
			return jobtest.Must(New(name, Setting{Truth: truth, Seed: 3}))
		})
		if !bytes.Equal(got, want) {
			t.Errorf("NewScheduler does otherwise than %s: %d bytes of record, want these %d", name, len(got), len(want))
		}
	}
}
