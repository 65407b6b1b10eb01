package main

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

var (
	prio       = wingPolicy{"PRIO", func(*lakelab.Lab) (wing.Ranker, error) { return wing.ByPriority(), nil }}
	wingAgg    = wingPolicy{"Wing-Agg", (*lakelab.Lab).Agg}
	wingDirect = wingPolicy{"Wing-Direct", (*lakelab.Lab).Direct}
	mil        = milOf("MIL", pipeline.ForecastConfig{})
	wingMIL    = milOf("Wing-MIL", pipeline.ForecastConfig{Dependents: true})
	// heedfulMIL minds which dependents fail and which wait: section 7.1 tells of an attempt at that,
	// without numbers.
	heedfulMIL = milOf("Wing-MIL that knows who waits", pipeline.ForecastConfig{Dependents: true, Hard: true})
	// raised is not in the evaluation: footnote 9 says that it can be done.
	raised        = wingPolicy{"PRIO with upstream jobs raised", (*lakelab.Lab).Raise}
	oracleAgg     = oracleOf(true, 1)
	oracleDirect  = oracleOf(false, 1)
	oracleMIL     = wingPolicy{"Oracle MIL", func(l *lakelab.Lab) (wing.Ranker, error) { return l.OracleMIL(false) }}
	oracleWingMIL = wingPolicy{"Oracle Wing-MIL", func(l *lakelab.Lab) (wing.Ranker, error) { return l.OracleMIL(true) }}
)

func milOf(name string, c pipeline.ForecastConfig) wingPolicy {
	return wingPolicy{name, func(l *lakelab.Lab) (wing.Ranker, error) { return l.MIL(c) }}
}

// oracleOf is Wing-Agg, or Wing-Direct, by what is true; each efficiency is multiplied by something
// between 1/shift and shift.
func oracleOf(aggregate bool, shift float64) wingPolicy {
	name := "Oracle Wing-Direct"
	if aggregate {
		name = "Oracle Wing-Agg"
	}
	if shift > 1 {
		name += fmt.Sprintf(" shifted by up to %v", shift)
	}
	return wingPolicy{name, func(l *lakelab.Lab) (wing.Ranker, error) {
		return l.Oracle(aggregate, shift, rand.NewPCG(1, 0x7368696674))
	}}
}
