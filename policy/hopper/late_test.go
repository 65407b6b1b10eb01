package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

func newLATE(t testing.TB, c hopper.LATEConfig) *hopper.LATE {
	t.Helper()
	rule, err := hopper.NewLATE(c)
	if err != nil {
		t.Fatal(err)
	}
	return rule
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

// lateTask is a task with one copy that has run for a minute at so much work in a second.
func lateTask(task uint32, rate, remaining float64) hopper.Running {
	return hopper.Running{Task: task, Copies: 1, Elapsed: 60, Rate: rate, Remaining: remaining, New: math.NaN()}
}

func TestLATERules(t *testing.T) {
	phase := func() *hopper.Phase {
		return &hopper.Phase{New: math.NaN(), Running: []hopper.Running{
			lateTask(0, 0.004, 50), lateTask(1, 0.001, 100), lateTask(2, 0.002, 200), lateTask(3, 0.01, 500),
			lateTask(4, 0.01, 10), lateTask(5, 0.01, 10), lateTask(6, 0.01, 10), lateTask(7, 0.01, 10), lateTask(8, 0.01, 10),
		}}
	}
	free := hopper.Room{Slots: 100}
	for _, tt := range []struct {
		name   string
		config hopper.LATEConfig
		room   hopper.Room
		change func(p *hopper.Phase)
		want   int // -1: none
	}{
		// The rates of 0, 1 and 2 are the least three of nine, the 0.25 quantile is the third: 0.004.
		{"the slow one with the longest time to end", hopper.LATEConfig{}, free, func(*hopper.Phase) {}, 2},
		{"a higher threshold", hopper.LATEConfig{Slow: 1}, free, func(p *hopper.Phase) { p.Running[3].Rate = 0.009 }, 3},
		{"below the threshold, not at it", hopper.LATEConfig{}, free, func(p *hopper.Phase) { p.Running[0].Remaining = 1000 }, 2},
		{"copied already", hopper.LATEConfig{}, free, func(p *hopper.Phase) { p.Running[2].Copies = 2 }, 1},
		{"too young", hopper.LATEConfig{Age: time.Minute + 1}, free, func(*hopper.Phase) {}, -1},
		{"old enough", hopper.LATEConfig{Age: time.Minute}, free, func(*hopper.Phase) {}, 2},
		{"cap reached", hopper.LATEConfig{}, hopper.Room{Slots: 100, Copies: 10}, func(*hopper.Phase) {}, -1},
		{"cap not reached", hopper.LATEConfig{}, hopper.Room{Slots: 100, Copies: 9}, func(*hopper.Phase) {}, 2},
		{"cap of 7 %", hopper.LATEConfig{Cap: 0.07}, hopper.Room{Slots: 100, Copies: 7}, func(*hopper.Phase) {}, -1},
		{"cap below one", hopper.LATEConfig{}, hopper.Room{Slots: 6}, func(*hopper.Phase) {}, 2},
		{"no slots", hopper.LATEConfig{}, hopper.Room{}, func(*hopper.Phase) {}, -1},
		{"all rates equal", hopper.LATEConfig{}, free, func(p *hopper.Phase) {
			for i := range p.Running {
				p.Running[i].Rate = 0.01
			}
		}, -1},
		{"the last task of a phase, others finished", hopper.LATEConfig{}, free, func(p *hopper.Phase) {
			p.Running, p.Finished = p.Running[1:2], []float64{100, 100, 100}
		}, 1},
		{"the last task, alone", hopper.LATEConfig{}, free, func(p *hopper.Phase) { p.Running = p.Running[1:2] }, -1},
		{"finished ones are slower", hopper.LATEConfig{}, free, func(p *hopper.Phase) {
			p.Running, p.Finished = p.Running[1:2], []float64{1001, 1002, 1003}
		}, -1},
		{"rates not known", hopper.LATEConfig{}, free, func(p *hopper.Phase) {
			for i := range p.Running {
				p.Running[i].Rate = math.NaN()
			}
		}, -1},
		{"nothing moves", hopper.LATEConfig{}, free, func(p *hopper.Phase) {
			p.Running[8].Rate, p.Running[8].Remaining = 0, math.Inf(1)
		}, 8},
	} {
		p := phase()
		tt.change(p)
		got := -1
		if move, ok := newLATE(t, tt.config).Next(p, tt.room); ok {
			got = int(move.Task)
		}
		if got != tt.want {
			t.Errorf("%s: task %d is copied, want %d", tt.name, got, tt.want)
		}
	}
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
				if r.Copies > 1 || !(r.Rate < threshold) || r.Elapsed < 2 {
					return math.NaN()
				}
				return r.Remaining
			})
		}
		got := -1
		if move, ok := newLATE(t, hopper.LATEConfig{Slow: slow, Age: 2 * time.Second}).Next(p, hopper.Room{Slots: 6}); ok {
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
