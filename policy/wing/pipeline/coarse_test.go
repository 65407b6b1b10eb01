package pipeline

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/dag/value"
)

// Whatever the drops are: all is lost in the end, in steps that are few enough, and at no instant is
// more than a part too much or too little gone. If there are steps enough, nothing is.
func TestCoarse(t *testing.T) {
	joined := 0
	for seed := range uint64(3_000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var drops []value.Drop
		for range rng.IntN(20) {
			drops = append(drops, value.Drop{At: int64(rng.IntN(25)) - 5, Value: float64(rng.IntN(3) * rng.IntN(1+rng.IntN(30)))})
		}
		steps := 1 + rng.IntN(12)
		all := slices.Clone(drops)
		got := coarse(drops, steps)

		lost := func(drops []value.Drop, before int64) (sum float64) {
			for _, d := range drops {
				if d.At < before {
					sum += d.Value
				}
			}
			return sum
		}
		instants := make(map[int64]bool)
		for _, d := range all {
			if d.Value > 0 {
				instants[d.At] = true
			}
		}
		total := lost(all, math.MaxInt64)
		part := total / float64(steps)
		if len(instants) <= steps {
			part = 0
		} else {
			joined++
		}
		if len(got) > steps || lost(got, math.MaxInt64) != total {
			t.Errorf("got %d steps of %v, want at most %d of %v", len(got), lost(got, math.MaxInt64), steps, total)
		}
		if !slices.IsSortedFunc(got, func(a, b value.Drop) int { return cmp.Or(cmp.Compare(a.At, b.At), -1) }) {
			t.Errorf("got %v, want increasing instants", got)
		}
		for _, d := range got {
			if !(d.Value > 0) {
				t.Errorf("got a step of %v", d.Value)
			}
		}
		for at := int64(-6); at < 22; at++ {
			if x, want := lost(got, at), lost(all, at); math.Abs(x-want) > part {
				t.Errorf("before %d: lost %v, want %v to within %v", at, x, want, part)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v in %d steps is %v", seed, all, steps, got)
		}
	}
	if joined == 0 {
		t.Error("there were always steps enough")
	}
}
