package main

import (
	"math"

	"example.com/augur/estimate"
)

// levels are the coverages that intervals state.
var levels = [2]float64{0.80, 0.95}

// intervals are those of the two levels around the predictions of one kind, and how many of
// them held what came true.
type intervals struct {
	by     [2]*estimate.Conformal // what widens them; nil: nothing
	held   [2]int
	made   [2]int
	widths [2][]float64 // upper end over lower end
}

// conformal returns intervals that widen by as much as would have been right in the past;
// with a rate they adapt to how many they have missed.
func conformal(rate float64) *intervals {
	var v intervals
	for k, level := range levels {
		c, err := estimate.NewConformal(estimate.ConformalConfig{Coverage: level, Rate: rate})
		if err != nil {
			panic(err) // the levels are fine
		}
		v.by[k] = c
	}
	return &v
}

// learn notes what came true of an earlier prediction.
func (v *intervals) learn(k int, low, high, actual float64) error {
	if v.by[k] == nil {
		return nil
	}
	return v.by[k].Add(low, high, actual)
}

// predict makes the interval of a prediction, and looks whether it holds what will come
// true. The first ones, when there is nothing to calibrate with, are left out.
func (v *intervals) predict(k int, low, high, actual float64) error {
	if c := v.by[k]; c != nil {
		if float64(c.N()+1)*(1-levels[k]) < 1 {
			return nil
		}
		var err error
		if low, high, err = c.Interval(low, high); err != nil {
			return err
		}
	}
	v.made[k]++
	if low <= actual && actual <= high {
		v.held[k]++
	}
	v.widths[k] = append(v.widths[k], high/low)
	return nil
}

// coverage returns the share of the intervals that held; NaN if there are none.
func (v *intervals) coverage(k int) float64 {
	if v == nil {
		return math.NaN()
	}
	return float64(v.held[k]) / float64(v.made[k])
}
