package hopper_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/hopper"
)

// randomPhase returns a phase with small whole numbers, so that there are ties, and now and then
// with something that is not known or does not move.
func randomPhase(rng *rand.Rand) *hopper.Phase {
	odd := func(x float64) float64 {
		switch rng.IntN(12) {
		case 0:
			return math.NaN()
		case 1:
			return math.Inf(1)
		}
		return x
	}
	p := &hopper.Phase{Waiting: rng.IntN(4), Slots: rng.IntN(5), New: float64(1 + rng.IntN(4))}
	if rng.IntN(4) == 0 {
		p.New = math.NaN()
	}
	if rng.IntN(3) == 0 {
		p.Left = float64(1 + rng.IntN(8))
	}
	for range rng.IntN(8) {
		p.Finished = append(p.Finished, float64(1+rng.IntN(6)))
	}
	slices.Sort(p.Finished)
	for task := range uint32(10) {
		if rng.IntN(3) == 0 {
			continue
		}
		fresh := float64(1 + rng.IntN(4))
		if rng.IntN(12) == 0 {
			fresh = math.NaN()
		}
		p.Running = append(p.Running, hopper.Running{
			Task: task, Copies: 1 + rng.IntN(4), Started: 12 + rng.IntN(5), Restarts: rng.IntN(5), Elapsed: float64(rng.IntN(8)),
			Rate: odd(float64(1+rng.IntN(8)) / 8), Remaining: odd(float64(rng.IntN(12))), New: fresh,
			Last: uint32(rng.IntN(4)), Youngest: float64(rng.IntN(5)),
		})
	}
	return p
}

// bestOf is the slow definition that rules share: all moves that are allowed, the best one
// first. value is NaN for none.
func bestOf(p *hopper.Phase, value func(*hopper.Running) float64) int {
	var tasks []int
	for i := range p.Running {
		if !math.IsNaN(value(&p.Running[i])) {
			tasks = append(tasks, i)
		}
	}
	slices.SortStableFunc(tasks, func(a, b int) int {
		switch x, y := value(&p.Running[a]), value(&p.Running[b]); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if len(tasks) == 0 {
		return -1
	}
	return int(p.Running[tasks[0]].Task)
}

func TestSimpleAgainstItsDefinition(t *testing.T) {
	rule := jobtest.Must(hopper.NewSimple(hopper.SimpleConfig{Delay: 3 * time.Second}))
	seen := 0
	for seed := range uint64(20000) {
		p := randomPhase(rand.New(rand.NewPCG(seed, 2)))
		want := bestOf(p, func(r *hopper.Running) float64 {
			if r.Elapsed < 3 || r.Copies >= 2 || r.Started >= 16 || !(r.Remaining > r.New) {
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
