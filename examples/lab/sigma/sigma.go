// Package sigma has the systems that the paper of 3Sigma compares. Each is a [threesigma.Config].
package sigma

import (
	"errors"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/predict"
)

// A System is a configuration that the paper compares: what is known of runtimes, and how over-estimates are handled
// (Table 1, section 6.2).
type System uint8

// The systems.
const (
	ThreeSigma   System = iota // distributions, adaptive handling of over-estimates
	PointPerfEst               // the true runtimes, no handling
	PointRealEst               // point estimates, no handling
	Prio                       // nothing is known: those with deadlines first
	NoDist                     // 3SigmaNoDist: point estimates, adaptive handling
	NoOE                       // 3SigmaNoOE: distributions, no handling
	NoAdapt                    // 3SigmaNoAdapt: distributions, all jobs are handled as over-estimated
)

var systems = [...]string{"3sigma", "point-perf", "point-real", "3s-prio", "3sigma-nodist", "3sigma-nooe", "3sigma-noadapt"}

// Systems returns all systems.
func Systems() []System {
	return []System{ThreeSigma, PointPerfEst, PointRealEst, Prio, NoDist, NoOE, NoAdapt}
}

// String returns a name in small letters, such as 3sigma or point-real.
func (s System) String() string {
	if int(s) < len(systems) {
		return systems[s]
	}
	return fmt.Sprintf("System(%d)", uint8(s))
}

// Configure returns c with the fields that make the system: Forecast and Overestimate.Handling, and for Prio also
// BestEffort.Value, which is so small that jobs with deadlines come first whatever they cost others. The predictor
// learns, so it is for one run. PointPerfEst needs the truth and no predictor, Prio neither, and the others only the
// predictor. Configure returns an error if what the system needs is nil.
func (s System) Configure(c threesigma.Config, p *predict.Predictor, truth policy.Truth) (threesigma.Config, error) {
	c.Overestimate.Handling = threesigma.Never
	switch s {
	case ThreeSigma, NoDist:
		c.Overestimate.Handling = threesigma.Adaptive
	case NoAdapt:
		c.Overestimate.Handling = threesigma.Always
	}
	var err error
	switch s {
	case Prio:
		c.Forecast, c.BestEffort.Value = forecast.Nothing(), 1e-6
	case PointPerfEst:
		c.Forecast, err = forecast.Truth(truth)
	case ThreeSigma, NoOE, NoAdapt, PointRealEst, NoDist:
		c.Forecast, err = forecast.NewHistory(forecast.HistoryConfig{Predictor: p, Point: s == PointRealEst || s == NoDist})
	default:
		return threesigma.Config{}, errors.New("sigma: unknown " + s.String() + ", want one of Systems()")
	}
	if err != nil {
		return threesigma.Config{}, fmt.Errorf("%v: %w", s, err)
	}
	return c, nil
}
