package threesigma_test

import (
	"testing"

	"example.com/augur/policy/policytest"
	"example.com/augur/policy/threesigma"
)

// All systems; in half of them what is late is given up.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for i, system := range []threesigma.System{
		threesigma.ThreeSigma, threesigma.PointPerfEst, threesigma.PointRealEst, threesigma.Prio,
		threesigma.NoDist, threesigma.NoOE, threesigma.NoAdapt,
	} {
		giveUp := i%2 == 1
		configs = append(configs, policytest.Config{GivesUp: giveUp, New: scheduler(system, giveUp)})
	}
	policytest.Fuzz(f, configs...)
}
