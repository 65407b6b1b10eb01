package threesigma_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/threesigma"
	"example.com/augur/predict"
)

// All systems; in half of them what is late is given up.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for i, system := range []threesigma.System{
		threesigma.ThreeSigma, threesigma.PointPerfEst, threesigma.PointRealEst, threesigma.Prio,
		threesigma.NoDist, threesigma.NoOE, threesigma.NoAdapt,
	} {
		giveUp := i%2 == 1
		configs = append(configs, policytest.Config{
			GivesUp: giveUp,
			New: func(truth policy.Truth) (policy.Scheduler, error) {
				p, err := predict.New(predict.Config{})
				if err != nil {
					return nil, err
				}
				c, err := system.Configure(threesigma.Config{Interval: 10e9, Iterations: 20, GiveUpLate: giveUp}, p, truth)
				if err != nil {
					return nil, err
				}
				return threesigma.NewScheduler(c)
			},
		})
	}
	policytest.Fuzz(f, configs...)
}
