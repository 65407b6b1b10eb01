package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

func newLATE(c hopper.LATEConfig) *hopper.LATE {
	return jobtest.Must(hopper.NewLATE(c))
}

func ExampleLATE() {
	rule, err := hopper.NewLATE(hopper.LATEConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	// All tasks have run for 20 s. Two are far behind the others. The slower one, task 2, gets a copy
	// first: it has 180 s to go.
	var tracker hopper.Tracker
	second := policy.Time(time.Second)
	for task, done := range []float64{0.5, 0.2, 0.1, 0.6, 0.5, 0.5, 0.5, 0.5} {
		tracker.Start(0, uint32(task), 0, 0)
		tracker.Report(20*second, uint32(task), 0, 20*time.Second, done)
	}
	room := hopper.Room{Slots: 20} // so two extra copies may run
	for {
		move, ok := rule.Next(tracker.Phase(20*second, 0, 10), room)
		if !ok {
			break
		}
		fmt.Println(move.Kind, move.Task)
		tracker.Start(20*second, move.Task, 1, 0)
		room.Copies++
	}
	// Output:
	// Duplicate 2
	// Duplicate 1
}

// slowQuantile is the quantile of some values by its definition.
func slowQuantile(values []float64, p float64) float64 {
	values = slices.Sorted(slices.Values(values))
	at := p * float64(len(values)-1)
	low, high := values[int(math.Floor(at))], values[int(math.Ceil(at))]
	if low == high {
		return low
	}
	return low + (high-low)*(at-math.Floor(at))
}

func TestLATEAgainstItsDefinition(t *testing.T) {
	seen, none := 0, 0
	for seed := range uint64(20000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		p := randomPhase(rng)
		for i := range p.Running {
			p.Running[i].Copies = 1 + rng.IntN(2)
		}
		slow := []float64{0.25, 0.5, 1}[rng.IntN(3)]
		var rates []float64
		for i := range p.Running {
			if rate := p.Running[i].Rate; !math.IsNaN(rate) {
				rates = append(rates, rate)
			}
		}
		for _, runtime := range p.Finished {
			rates = append(rates, 1/runtime)
		}
		want := -1
		if len(rates) > 0 {
			threshold := slowQuantile(rates, slow)
			want = bestOf(p, func(r *hopper.Running) float64 {
				if r.Copies > 1 || r.Started >= 16 || !(r.Rate < threshold) {
					return math.NaN()
				}
				return r.Remaining
			})
		}
		got := -1
		if move, ok := newLATE(hopper.LATEConfig{Slow: slow}).Next(p, hopper.Room{Slots: 6}); ok {
			got = int(move.Task)
			seen++
		} else {
			none++
		}
		if got != want {
			t.Fatalf("seed %d: task %d is copied, want %d, in %+v", seed, got, want, p)
		}
	}
	if seen < 1000 || none < 1000 {
		t.Errorf("%d copies and %d times none, want at least 1000 of each", seen, none)
	}
}
