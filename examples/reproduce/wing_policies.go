package main

import (
	"fmt"
	"math"
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
	oracleAgg     = oracleOf(true)
	oracleDirect  = oracleOf(false)
	oracleMIL     = wingPolicy{"Oracle MIL", func(l *lakelab.Lab) (wing.Ranker, error) { return l.OracleMIL(false) }}
	oracleWingMIL = wingPolicy{"Oracle Wing-MIL", func(l *lakelab.Lab) (wing.Ranker, error) { return l.OracleMIL(true) }}
)

func milOf(name string, c pipeline.ForecastConfig) wingPolicy {
	return wingPolicy{name, func(l *lakelab.Lab) (wing.Ranker, error) { return l.MIL(c) }}
}

// oracleOf is Wing-Agg, or Wing-Direct, by what is true.
func oracleOf(aggregate bool) wingPolicy {
	name := "Oracle Wing-Direct"
	if aggregate {
		name = "Oracle Wing-Agg"
	}
	return wingPolicy{name, func(l *lakelab.Lab) (wing.Ranker, error) { return l.Oracle(aggregate, nil) }}
}

// A wingError is how efficiencies are wrong: each is multiplied by something between 1/most and most.
type wingError struct {
	most        float64
	logarithmic bool // uniform in its logarithm, instead of in itself
}

// String says the multiplier.
func (e wingError) String() string {
	if e.logarithmic {
		return fmt.Sprintf("%v, uniform in the logarithm", e.most)
	}
	return fmt.Sprint(e.most)
}

// oracle is Oracle Wing-Agg with such errors.
func (e wingError) oracle() wingPolicy {
	return wingPolicy{"Oracle Wing-Agg wrong by up to " + e.String(), func(l *lakelab.Lab) (wing.Ranker, error) {
		rng := rand.New(rand.NewPCG(1, 0x7368696674))
		return l.Oracle(true, func() float64 {
			if e.logarithmic {
				return math.Pow(e.most, 2*rng.Float64()-1)
			}
			return 1/e.most + rng.Float64()*(e.most-1/e.most)
		})
	}}
}
