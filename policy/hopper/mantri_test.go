package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/hopper"
)

func newMantri(c hopper.MantriConfig) *hopper.Mantri {
	return jobtest.Must(hopper.NewMantri(c))
}

func ExampleMantri() {
	rule, err := hopper.NewMantri(hopper.MantriConfig{Period: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Four tasks finished, after 20 s on average.
	phase := hopper.Phase{Finished: []float64{15, 19, 21, 25}, New: 20}
	for _, c := range []struct {
		waiting, restarts int
		remaining         float64
	}{
		{10, 0, 29}, // as good as a new copy and a report
		{10, 0, 40}, // a new one has more than 10 s less to go
		{10, 3, 40}, // it was killed three times already, but two in four copies take less than half of 40 s
		{0, 0, 40},  // no task waits for the slot
	} {
		phase.Waiting = c.waiting
		phase.Running = []hopper.Running{
			{Task: 5, Copies: 1, Restarts: c.restarts, Elapsed: 30, Remaining: c.remaining, New: 20, Youngest: 30},
		}
		if move, ok := rule.Next(&phase, hopper.Room{}); ok {
			fmt.Println(move.Kind)
		} else {
			fmt.Println("leave it alone")
		}
	}
	// Output:
	// leave it alone
	// Restart
	// Duplicate
	// Duplicate
}

// If all finished tasks took no time, nor does another copy of a task of their size, and it saves whatever is left to do.
func TestMantriAfterTasksOfNoTime(t *testing.T) {
	for _, tt := range []struct {
		name       string
		finished   []float64
		remaining  float64
		fresh      float64 // of another copy
		duplicates bool
	}{
		{"any time left", []float64{0, 0}, 1, 0, true},
		{"no time left", []float64{0, 0}, 0, 0, false},
		{"a copy of half the time", []float64{0, 0}, 2, 1, false},
		{"a copy of less than half", []float64{0, 0}, 2.1, 1, true},
		{"no task finished", []float64{}, 1, 0, false},
	} {
		p := &hopper.Phase{Waiting: 1, Finished: tt.finished, Running: []hopper.Running{
			{Task: 1, Copies: 1, Remaining: tt.remaining, New: tt.fresh, Youngest: 10},
		}}
		if move, ok := newMantri(hopper.MantriConfig{}).Next(p, hopper.Room{}); ok != tt.duplicates || ok && move.Kind != hopper.Duplicate {
			t.Errorf("%s: got %v, %t, want a copy: %t", tt.name, move, ok, tt.duplicates)
		}
	}
}

func TestMantriAgainstItsDefinition(t *testing.T) {
	const period, chance = 2.0, 0.25
	rule := newMantri(hopper.MantriConfig{Period: 2 * time.Second})
	applies := func(kind hopper.MoveKind, p *hopper.Phase, r *hopper.Running) bool {
		if r.Youngest < period {
			return false
		}
		switch kind {
		case hopper.Drop:
			return r.Copies > 2
		}
		if r.Started >= 16 {
			return false
		}
		switch kind {
		case hopper.Restart:
			return p.Waiting > 0 && r.Copies == 1 && r.Restarts < 3 && r.Remaining > r.New+period
		}
		c, saves := float64(r.Copies), 0
		for _, runtime := range p.Finished {
			if r.Remaining*c*p.New > runtime*(c+1)*r.New {
				saves++
			}
		}
		if p.Waiting > 0 {
			return saves > 0 && float64(saves)/float64(len(p.Finished)) > chance
		}
		return r.Remaining-r.New > period
	}
	kinds := []hopper.MoveKind{hopper.Drop, hopper.Restart, hopper.Duplicate}
	seen := map[hopper.MoveKind]int{}
	none := 0
	for seed := range uint64(20000) {
		p := randomPhase(rand.New(rand.NewPCG(seed, 5)))
		for i := range p.Running {
			if seed%4 > 0 { // no task has too many copies
				p.Running[i].Copies = 1 + p.Running[i].Copies%2
			}
		}
		want, some := hopper.Move{}, false
		for i, kind := range kinds {
			task := bestOf(p, func(r *hopper.Running) float64 {
				for _, earlier := range kinds[:i] {
					if applies(earlier, p, r) {
						return math.NaN()
					}
				}
				switch gain := r.Remaining - r.New; {
				case !applies(kind, p, r):
					return math.NaN()
				case math.IsNaN(gain):
					return math.Inf(-1)
				default:
					return gain
				}
			})
			if task < 0 {
				continue
			}
			want, some = hopper.Move{Kind: kind, Task: uint32(task)}, true
			for _, r := range p.Running {
				if r.Task == want.Task && kind != hopper.Duplicate {
					want.Copy = r.Last
				}
			}
			break
		}
		got, ok := rule.Next(p, hopper.Room{})
		if got != want || ok != some {
			t.Fatalf("seed %d: got %+v, %t, want %+v, %t, in %+v", seed, got, ok, want, some, p)
		}
		if some {
			seen[want.Kind]++
		} else {
			none++
		}
	}
	for _, kind := range kinds {
		if seen[kind] < 1000 || none < 1000 {
			t.Errorf("%d of %v and %d times nothing, want at least 1000 of each", seen[kind], kind, none)
		}
	}
}
