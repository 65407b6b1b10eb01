package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy/hopper"
)

// deadline9 runs the example of GRASS, section 3: 9 tasks on two slots. At time 1 task 1 has still to
// run for 5, a new copy of it for 2, task 2 has just ended, and copies of the others run for 1, the last
// one for 3. It returns how many tasks are done at the deadline.
func deadline9(rule hopper.Speculator, deadline int) int {
	fresh := []int{2, 0, 1, 1, 1, 1, 1, 1, 3}
	ends := map[int][]int{0: {6}} // of the copies that run, by task
	done, next := 1, 2
	for now := 1; ; now++ {
		for task := range fresh {
			if slices.Contains(ends[task], now) {
				delete(ends, task)
				done++
			}
		}
		if now == deadline {
			return done
		}
		for {
			used := 0
			p := &hopper.Phase{Waiting: len(fresh) - next, New: math.NaN(), Slots: 2, Left: float64(deadline - now)}
			if next < len(fresh) {
				p.New = float64(fresh[next])
			}
			for task := range fresh {
				if copies := ends[task]; len(copies) > 0 {
					used += len(copies)
					p.Running = append(p.Running, hopper.Running{
						Task: uint32(task), Copies: len(copies),
						Remaining: float64(slices.Min(copies) - now), New: float64(fresh[task]),
					})
				}
			}
			if used == 2 {
				break
			}
			if move, ok := rule.Next(p, hopper.Room{Slots: 2}); ok {
				ends[int(move.Task)] = append(ends[int(move.Task)], now+fresh[move.Task])
			} else if next < len(fresh) {
				ends[next] = append(ends[next], now+fresh[next])
				next++
			} else {
				break
			}
		}
	}
}

func TestGreedyAndResourceAwareOnDeadlines(t *testing.T) {
	grass := jobtest.Must(hopper.NewGRASS(hopper.GRASSConfig{}))
	for _, tt := range []struct {
		name     string
		rule     hopper.Speculator
		deadline int
		want     int
	}{
		{"GS", hopper.GS{}, 3, 3},
		{"RAS", hopper.RAS{}, 3, 2},
		{"GS", hopper.GS{}, 6, 7},
		{"RAS", hopper.RAS{}, 6, 8},
		{"GRASS", grass, 3, 3}, // the better of the two, each time
		{"GRASS", grass, 6, 8},
	} {
		if got := deadline9(tt.rule, tt.deadline); got != tt.want {
			t.Errorf("%s with a deadline at %d: %d of 9 tasks are done, want %d", tt.name, tt.deadline, got, tt.want)
		}
	}
}

func ExampleGRASS() {
	rule, err := hopper.NewGRASS(hopper.GRASSConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	// A job on 4 slots, of which one is free. Task 9 has 3 s to go, and a copy of it takes 2 s. That
	// would save a second, but cost 2 * 2 s of slots instead of 3 s.
	phase := hopper.Phase{Slots: 4, New: 2, Running: []hopper.Running{
		{Task: 7, Copies: 1, Remaining: 1, New: 2},
		{Task: 8, Copies: 1, Remaining: 2, New: 2},
		{Task: 9, Copies: 1, Remaining: 3, New: 2},
	}}
	for _, phase.Waiting = range []int{10, 0} {
		move, ok := rule.Next(&phase, hopper.Room{})
		if ok {
			fmt.Printf("%2d tasks wait: %v task %d\n", phase.Waiting, move.Kind, move.Task)
		} else {
			fmt.Printf("%2d tasks wait: the slot is for one of them\n", phase.Waiting)
		}
	}
	// Output:
	// 10 tasks wait: the slot is for one of them
	//  0 tasks wait: Duplicate task 9
}

func TestGRASSAgainstItsDefinition(t *testing.T) {
	grass := jobtest.Must(hopper.NewGRASS(hopper.GRASSConfig{}))
	seen := map[string]int{}
	for seed := range uint64(20000) {
		p := randomPhase(rand.New(rand.NewPCG(seed, 1)))
		greedy := bestOf(p, func(r *hopper.Running) float64 {
			switch {
			case r.Started >= 16, !(r.Remaining > r.New), p.Left > 0 && r.New > p.Left, p.Left > 0 && p.Waiting > 0 && p.New <= r.New:
				return math.NaN()
			case p.Left > 0:
				return 1 / r.New
			}
			return r.Remaining
		})
		aware := bestOf(p, func(r *hopper.Running) float64 {
			without, with := r.Remaining*float64(r.Copies), r.New*float64(r.Copies+1)
			if r.Started >= 16 || !(without > with) || p.Left > 0 && r.New > p.Left {
				return math.NaN()
			}
			return without - with
		})
		left, perWave := float64(len(p.Running)+p.Waiting), float64(p.Slots)
		if p.Left > 0 {
			left, perWave = p.Left, p.New
		}
		both := aware
		if left <= 2*perWave && left+perWave > 0 {
			both = greedy
		}
		for _, c := range []struct {
			name string
			rule hopper.Speculator
			want int
		}{{"GS", hopper.GS{}, greedy}, {"RAS", hopper.RAS{}, aware}, {"GRASS", grass, both}} {
			got := -1
			if move, ok := c.rule.Next(p, hopper.Room{}); ok {
				got = int(move.Task)
				seen[c.name]++
			}
			if got != c.want {
				t.Fatalf("seed %d: %s copies task %d, want %d, in %+v", seed, c.name, got, c.want, p)
			}
		}
		if greedy != aware {
			seen["differ"]++
		}
	}
	for _, what := range []string{"GS", "RAS", "GRASS", "differ"} {
		if seen[what] < 1000 {
			t.Errorf("%s: only %d cases", what, seen[what])
		}
	}
}
