package policytest

import "testing"

// A group is a kind of test, and its cases are what it tries.
type group struct {
	name  string
	cases []testCase
	// alone: if a case fails, nothing can be said by the groups that follow.
	alone bool
}

type testCase struct {
	name  string
	check func(t *testing.T, c *suite) *Failure
}

// groups returns the tests in the order in which they are tried, and are best read. What they
// stand on: a scene (scene.go) is a run in the simulator, in which a guard (guard.go) stands between
// host and policy; a shadow (shadow.go) is another policy that follows such a run, in one way or another; a world (world.go)
// is what is known at some point of a run, to make events up from; and a script (script.go) is bytes that make a scene.
func groups() []group {
	return []group{
		{name: "stories", cases: storyCases()},
		{name: "random", cases: randomCases()},
		{name: "faults", cases: faultCases()},
		{name: "restarts", cases: restartCases()},
		{name: "slips", cases: slipCases()},
		{name: "idle", cases: idleCases()},
		{name: "goroutines", cases: goroutineCases(), alone: true},
		{name: "repeat", cases: repeatCases()},
		{name: "clock", cases: clockCases()},
		{name: "parts", cases: partCases()},
		{name: "events", cases: eventCases()},
		{name: "illegal", cases: illegalCases()},
		{name: "allocs", cases: allocCases()},
	}
}

// first returns the first failure of a group, nil if there is none.
func (g *group) first(t *testing.T, c *suite) *Failure {
	for _, tc := range g.cases {
		if f := tc.check(t, c); f != nil {
			f.Case = g.name + "/" + tc.name
			return f
		}
	}
	return nil
}
