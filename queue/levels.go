package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

const maxLevels = 64

// MultilevelConfig describes [Levels], and those of a [Multilevel]. First is required here; a policy may have a default.
type MultilevelConfig struct {
	Levels int     // number of levels, of which the last is unbounded, 1 to 64; 0 means 10
	First  float64 // threshold of level 0, in the unit of the keys, > 0 and finite
	Growth float64 // ratio of neighbouring thresholds, > 1 and finite; 0 means 10
}

// Levels are the levels of a [Multilevel], for whoever keeps the elements in another way:
//
//	level 0                        key < First
//	level i    First*Growth^(i-1) ≤ key < First*Growth^i
//	the last   First*Growth^(i-1) ≤ key
//
// The zero Levels are one level.
type Levels struct {
	ends []float64 // thresholds of all levels but the last
}

// NewLevels returns the levels. The error names the field that is outside its range.
func NewLevels(c MultilevelConfig) (Levels, error) {
	c.Levels, c.Growth = cmp.Or(c.Levels, 10), cmp.Or(c.Growth, 10)
	if c.Levels < 1 || c.Levels > maxLevels {
		return Levels{}, fmt.Errorf("queue: MultilevelConfig.Levels is %d, want 1 to %d, or 0 for 10", c.Levels, maxLevels)
	}
	if !(c.First > 0) || math.IsInf(c.First, 0) {
		return Levels{}, fmt.Errorf("queue: MultilevelConfig.First is %v, want a finite number above 0", c.First)
	}
	if !(c.Growth > 1) || math.IsInf(c.Growth, 0) {
		return Levels{}, fmt.Errorf("queue: MultilevelConfig.Growth is %v, want a finite number above 1, or 0 for 10", c.Growth)
	}
	var l Levels
	for end := c.First; len(l.ends) < c.Levels-1; end *= c.Growth {
		l.ends = append(l.ends, end)
	}
	return l, nil
}

// Level returns the level of a key, and false if the key is NaN.
func (l Levels) Level(key float64) (level int, ok bool) {
	if math.IsNaN(key) {
		return 0, false
	}
	level, found := slices.BinarySearch(l.ends, key)
	if found {
		level++ // a level ends just before its end
	}
	for level < len(l.ends) && l.ends[level] <= key {
		level++ // thresholds so large that they are the same
	}
	return level, true
}

// Threshold returns the upper threshold of a level, the least key that is above the level. It is
// +Inf for the last level, and NaN if there is no such level.
func (l Levels) Threshold(level int) float64 {
	switch {
	case level < 0 || level > len(l.ends):
		return math.NaN()
	case level == len(l.ends):
		return math.Inf(1)
	}
	return l.ends[level]
}
