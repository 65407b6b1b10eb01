package baseline

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
	"example.com/augur/queue"
)

// fuzz fuzzes policies that are made without a truth.
func fuzz(f *testing.F, new ...func() (policy.Scheduler, error)) {
	var configs []policytest.Config
	for _, n := range new {
		configs = append(configs, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return n() }})
	}
	policytest.Fuzz(f, configs...)
}

func FuzzFIFO(f *testing.F) { fuzz(f, func() (policy.Scheduler, error) { return NewFIFO(), nil }) }
func FuzzFair(f *testing.F) { fuzz(f, func() (policy.Scheduler, error) { return NewFair(), nil }) }

func FuzzSRPT(f *testing.F) {
	policytest.Fuzz(f, policytest.Config{New: func(truth policy.Truth) (policy.Scheduler, error) { return NewSRPT(truth) }})
}

func FuzzLAS(f *testing.F) {
	fuzz(f, func() (policy.Scheduler, error) { return NewLAS(queue.MultilevelConfig{}) })
}

func FuzzDRF(f *testing.F) {
	fuzz(f, func() (policy.Scheduler, error) { return NewDRF(DRFConfig{}) })
}

func FuzzEASY(f *testing.F) { fuzzFiller(f, EASY) }

func FuzzConservative(f *testing.F) { fuzzFiller(f, Conservative) }

// fuzzFiller fuzzes a filler without a forecast and with one that changes.
func fuzzFiller(f *testing.F, new func() central.Filler) {
	fuzz(f,
		func() (policy.Scheduler, error) { return filled(FIFO(), new()), nil },
		func() (policy.Scheduler, error) {
			_, changing := forecasts(4)
			return central.New(central.Config{Turn: FIFO(), Fill: new(), Forecast: changing})
		})
}

func FuzzMultifactor(f *testing.F) {
	fuzz(f, func() (policy.Scheduler, error) { return NewMultifactor(MultifactorConfig{}) })
}

func FuzzOrdered(f *testing.F) {
	fuzz(f,
		func() (policy.Scheduler, error) { return NewPriority(), nil },
		func() (policy.Scheduler, error) {
			return NewOrdered(func(a, b *policy.Job) int { return cmp.Compare(a.Tasks(), b.Tasks()) }), nil
		})
}

func FuzzRandom(f *testing.F) {
	fuzz(f, func() (policy.Scheduler, error) { return NewRandom(rand.NewPCG(1, 2)) })
}
