package hopper_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/policy/hopper"
)

func TestSimpleAgainstItsDefinition(t *testing.T) {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: 3 * time.Second, Copies: 3})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for seed := range uint64(20000) {
		p := randomPhase(rand.New(rand.NewPCG(seed, 2)))
		want := bestOf(p, func(r *hopper.Running) float64 {
			if r.Elapsed < 3 || r.Copies >= 3 || !(r.Remaining > r.New) {
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

// A task is detected the delay after its start, not before, and gets no more copies than
// it may have.
func TestSimpleAtItsEdges(t *testing.T) {
	rule, err := hopper.NewSimple(hopper.SimpleConfig{Delay: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name                    string
		copies                  int
		elapsed, remaining, new float64
		want                    bool
	}{
		{"detected", 1, 1, 3, 2, true},
		{"too early", 1, 0.999, 3, 2, false},
		{"as long", 1, 1, 2, 2, false},
		{"two copies", 2, 1, 3, 2, false},
		{"does not move", 1, 1, math.Inf(1), 2, true},
		{"t_rem not known", 1, 1, math.NaN(), 2, false},
		{"t_new not known", 1, 1, 3, math.NaN(), false},
	} {
		p := &hopper.Phase{Running: []hopper.Running{{Task: 4, Copies: tt.copies, Elapsed: tt.elapsed, Remaining: tt.remaining, New: tt.new}}}
		move, got := rule.Next(p, hopper.Room{})
		if got != tt.want || got && move != (hopper.Move{Kind: hopper.Duplicate, Task: 4}) {
			t.Errorf("%s: got %v, %t, want %t", tt.name, move, got, tt.want)
		}
	}
}
