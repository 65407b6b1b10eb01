package queue

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The winner has the least key of those who are there, looked for among all.
func TestTournament(t *testing.T) {
	type key struct {
		measure float64
		minor   uint64
		there   bool
	}
	measures := []float64{math.Inf(-1), -math.MaxFloat64, -1, math.Copysign(0, -1), 0, 5e-324, 1, 1 + 0x1p-52, math.MaxFloat64, math.Inf(1)}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var tour tournament
		if _, ok := tour.first(); ok {
			t.Error("no players: got a winner")
		}
		players := make([]key, 1+rng.IntN(40))
		for step := range 500 {
			i := rng.IntN(min(len(players), 1+step/8))
			tour.reserve(i + 1)
			if rng.IntN(3) == 0 {
				players[i].there = false
				tour.drop(uint32(i))
			} else {
				players[i] = key{measures[rng.IntN(len(measures))], rng.Uint64N(3)*100 + uint64(i), true}
				tour.set(uint32(i), players[i].measure, players[i].minor)
			}
			best, found := 0, false
			for j, k := range players {
				if b := players[best]; k.there && (!found || k.measure < b.measure || k.measure == b.measure && k.minor < b.minor) {
					best, found = j, true
				}
			}
			if got, ok := tour.first(); ok != found || ok && int(got) != best {
				t.Fatalf("seed %d, step %d: got %d, %v, want %d, %v", seed, step, got, ok, best, found)
			}
		}
	}
}
