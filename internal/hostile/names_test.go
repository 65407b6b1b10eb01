package hostile

import (
	"math"
	"testing"
	"time"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		text, culprit string
		x             any
		want          bool
	}{
		{"x: Levels is 65, want 1 to 64", "Levels", 65, true},
		{"x: Levels is 65, want 1 to 64", "Levels", 64, false}, // another number
		{"x: Levels is -9223372036854775808", "Levels", int64(math.MaxInt64), false},
		{"x: Config.Levels is -1", "levels", -1, true},
		{"x: Config.Levels must be at least 1", "Levels", 0, true},
		{"x: Sublevels must be at least 1", "Levels", 0, false}, // not a word
		{"x: Levels must be at least 1", "Level", 0, false},
		{"x: job 17 is not known", "id", uint64(17), true},
		{"x: job 17 is not known", "id", uint64(7), false},
		{"x: weight is NaN, must be finite", "weight", math.NaN(), true},
		{"x: weight is +Inf, must be finite", "weight", math.NaN(), false},
		{"x: weight is 1e+18, must be finite", "weight", 1e18, true},
		{"x: Delay is -1ns, want at least 0", "Delay", time.Duration(-1), true},
		{"x: Delay is 1s, want at least 0", "Delay", time.Duration(-1), false},
		{"x: Delay is 1s, want at least 0", "Delay", 1e9, false},
		{"x: weights[3] is -1, must be above 0", "weights", -1.0, true},
		{"x: weights[3] is -2, must be above 0", "weights", -1.0, false},
		{"x: Delay is not set", "Delay", time.Duration(0), true},
		{"x: cannot do that", "x1", 1, false},
	} {
		if got := names(tt.text, tt.culprit, tt.x); got != tt.want {
			t.Errorf("%q names %s, %v: got %v, want %v", tt.text, tt.culprit, tt.x, got, tt.want)
		}
	}
}
