package policytest

import "testing"

// A part is a kind of test, and its cases are what it tries.
type part struct {
	name  string
	cases []testCase
	// alone: if a case fails, nothing can be said by the parts that follow.
	alone bool
}

type testCase struct {
	name  string
	check func(t *testing.T, c *suite) *Failure
}

func parts() []part {
	return []part{
		{name: "stories", cases: storyCases()},
		{name: "random", cases: randomCases()},
		{name: "faults", cases: faultCases()},
		{name: "restarts", cases: restartCases()},
		{name: "goroutines", cases: goroutineCases(), alone: true},
		{name: "repeat", cases: repeatCases()},
		{name: "clock", cases: clockCases()},
		{name: "events", cases: eventCases()},
		{name: "illegal", cases: illegalCases()},
		{name: "allocs", cases: allocCases()},
	}
}

// first returns the first failure of a part, nil if there is none.
func (p *part) first(t *testing.T, c *suite) *Failure {
	for _, tc := range p.cases {
		if f := tc.check(t, c); f != nil {
			f.Case = p.name + "/" + tc.name
			return f
		}
	}
	return nil
}
