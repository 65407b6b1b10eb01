package hopper_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/policy/hopper"
)

func TestSimpleAgainstItsDefinition(t *testing.T) {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for seed := range uint64(20000) {
		p := randomPhase(rand.New(rand.NewPCG(seed, 2)))
		want := bestOf(p, func(r *hopper.Running) float64 {
			if r.Elapsed < 3 || r.Copies >= 2 || !(r.Remaining > r.New) {
				return math.NaN()
			}
			return r.Remaining
		})
		got := -1
		if move, ok := rule.Next(p, hopper.Room{}); ok {
			got = int(move.Task)
			seen++
		}
		if got != want {
			t.Fatalf("seed %d: task %d is copied, want %d, in %+v", seed, got, want, p)
		}
	}
	if seen < 1000 {
		t.Errorf("only %d copies", seen)
	}
}
