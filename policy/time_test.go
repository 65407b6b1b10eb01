package policy_test

import (
	"math"
	"testing"

	"example.com/augur/policy"
)

func timeEnds(t *testing.T) {
	const first, last = policy.Time(math.MinInt64), policy.Time(math.MaxInt64)
	for _, tt := range []struct {
		t    policy.Time
		d    policy.Duration
		want policy.Time
	}{
		{5, 3, 8}, {5, -8, -3}, {last, 0, last}, {last - 1, 1, last}, {last, 1, last}, {1, math.MaxInt64, last}, {last, math.MaxInt64, last},
		{first, -1, first}, {-2, math.MinInt64, first}, {-1, math.MinInt64 + 1, first}, {0, math.MinInt64, first}, {first, math.MaxInt64, -1},
	} {
		if got := tt.t.Add(tt.d); got != tt.want {
			t.Errorf("%d.Add(%d) = %d, want %d", tt.t, tt.d, got, tt.want)
		}
	}
	for _, tt := range []struct {
		t, u policy.Time
		want policy.Duration
	}{
		{8, 5, 3}, {5, 8, -3}, {last, -1, math.MaxInt64}, {last, first, math.MaxInt64}, {0, first, math.MaxInt64}, {-1, first, math.MaxInt64},
		{first, last, math.MinInt64}, {first, 1, math.MinInt64}, {first, 0, math.MinInt64}, {last, last, 0}, {first, first, 0},
	} {
		if got := tt.t.Sub(tt.u); got != tt.want {
			t.Errorf("%d.Sub(%d) = %d, want %d", tt.t, tt.u, got, tt.want)
		}
	}
}
