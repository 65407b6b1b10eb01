package policytest

import (
	"errors"
	"testing"
)

// Failure is what Check finds.
type Failure = finding

// Bags makes of a job one of one-core tasks that anybody can run anywhere.
var Bags = bags

// RaceDetector says whether the tests run under it.
const RaceDetector = raceDetector

// Drive drives a policy by a script drawn at random.
func Drive(c Config, seed uint64) *Failure { return drive(&c, randomScript(0, seed)[1:], nil) }

// Check is like Test without subtests: it returns the failures as joined errors of type [*Failure], at most one for
// each group of cases. t controls the clock, and does not fail.
func Check(t *testing.T, c Config) error {
	if f := c.validate(); f != nil {
		return errors.Join(f)
	}
	var found []error
	for _, group := range groups() {
		f := group.first(t, &c)
		if f == nil {
			continue
		}
		if found = append(found, f); group.alone {
			break
		}
	}
	return errors.Join(found...)
}

// first returns the first failure of a group, nil if there is none.
func (g *group) first(t *testing.T, c *Config) *Failure {
	for _, tc := range g.cases {
		if f := tc.check(t, c); f != nil {
			f.Case = g.name + "/" + tc.name
			return f
		}
	}
	return nil
}
