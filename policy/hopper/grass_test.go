package hopper_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

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
	grass, err := hopper.NewGRASS(hopper.GRASSConfig{})
	if err != nil {
		t.Fatal(err)
	}
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

func TestGRASSRules(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	run := func(task uint32, copies int, remaining, fresh float64) hopper.Running {
		return hopper.Running{Task: task, Copies: copies, Remaining: remaining, New: fresh}
	}
	grass := func(waves float64) hopper.Speculator {
		g, err := hopper.NewGRASS(hopper.GRASSConfig{Waves: waves})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, tt := range []struct {
		name  string
		rule  hopper.Speculator
		phase hopper.Phase
		want  int // task, -1: none
	}{
		{"nothing runs", hopper.GS{}, hopper.Phase{Waiting: 3, New: 1}, -1},
		{"GS: no gain if as long", hopper.GS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, 2, 2)}}, -1},
		{"GS: longest first", hopper.GS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, 3, 2), run(2, 1, 4, 3)}}, 2},
		{"GS: ties to the lower task", hopper.GS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, 4, 2), run(2, 1, 4, 1)}}, 1},
		{"GS: a third copy", hopper.GS{}, hopper.Phase{Running: []hopper.Running{run(1, 2, 4, 2)}}, 1},
		{"GS: before waiting tasks", hopper.GS{}, hopper.Phase{Waiting: 5, New: 1, Running: []hopper.Running{run(1, 1, 4, 2)}}, 1},
		{"GS, deadline: soonest first", hopper.GS{}, hopper.Phase{Left: 9, Running: []hopper.Running{run(1, 1, 5, 3), run(2, 1, 4, 2)}}, 2},
		{"GS, deadline: a waiting task as soon", hopper.GS{}, hopper.Phase{Left: 9, Waiting: 1, New: 2, Running: []hopper.Running{run(1, 1, 5, 2)}}, -1},
		{"GS, deadline: a waiting task later", hopper.GS{}, hopper.Phase{Left: 9, Waiting: 1, New: 2.5, Running: []hopper.Running{run(1, 1, 5, 2)}}, 1},
		{"GS, deadline: too late", hopper.GS{}, hopper.Phase{Left: 1, Running: []hopper.Running{run(1, 1, 5, 2)}}, -1},
		{"GS: not known", hopper.GS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, nan, 2), run(2, 1, 3, nan)}}, -1},
		{"RAS: exactly twice", hopper.RAS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, 4, 2)}}, -1},
		{"RAS: more than twice", hopper.RAS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, 4.5, 2)}}, 1},
		{"RAS: two copies need half as much again", hopper.RAS{}, hopper.Phase{Running: []hopper.Running{run(1, 2, 3.5, 2)}}, 1},
		{"RAS: two copies, exactly that", hopper.RAS{}, hopper.Phase{Running: []hopper.Running{run(1, 2, 3, 2)}}, -1},
		{"RAS: what saves most, not the longest", hopper.RAS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, 9, 4), run(2, 1, 6, 1)}}, 2},
		{"RAS: what does not move", hopper.RAS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, 9, 1), run(2, 1, inf, 1)}}, 2},
		{"RAS, deadline: too late", hopper.RAS{}, hopper.Phase{Left: 1, Running: []hopper.Running{run(1, 1, 5, 2)}}, -1},
		{"RAS: not known", hopper.RAS{}, hopper.Phase{Running: []hopper.Running{run(1, 1, nan, 2), run(2, 1, 3, nan)}}, -1},
		{"GRASS: more than two waves", grass(0), hopper.Phase{Slots: 2, Waiting: 4, Running: []hopper.Running{run(1, 1, 3, 2)}}, -1},
		{"GRASS: two waves", grass(0), hopper.Phase{Slots: 2, Waiting: 3, Running: []hopper.Running{run(1, 1, 3, 2)}}, 1},
		{"GRASS: three waves allowed", grass(3), hopper.Phase{Slots: 2, Waiting: 5, Running: []hopper.Running{run(1, 1, 3, 2)}}, 1},
		{"GRASS: always GS", grass(inf), hopper.Phase{Slots: 0, Waiting: 5, Running: []hopper.Running{run(1, 1, 3, 2)}}, 1},
	} {
		move, ok := tt.rule.Next(&tt.phase, hopper.Room{})
		got := -1
		if ok {
			got = int(move.Task)
		}
		if got != tt.want || ok && move.Kind != hopper.Duplicate {
			t.Errorf("%s: got task %d (%v), want %d", tt.name, got, move, tt.want)
		}
	}
}

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
			Task: task, Copies: 1 + rng.IntN(4), Restarts: rng.IntN(5), Elapsed: float64(rng.IntN(8)),
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

func TestGRASSAgainstItsDefinition(t *testing.T) {
	grass, err := hopper.NewGRASS(hopper.GRASSConfig{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for seed := range uint64(20000) {
		p := randomPhase(rand.New(rand.NewPCG(seed, 1)))
		greedy := bestOf(p, func(r *hopper.Running) float64 {
			switch {
			case !(r.Remaining > r.New), p.Left > 0 && r.New > p.Left, p.Left > 0 && p.Waiting > 0 && p.New <= r.New:
				return math.NaN()
			case p.Left > 0:
				return 1 / r.New
			}
			return r.Remaining
		})
		aware := bestOf(p, func(r *hopper.Running) float64 {
			without, with := r.Remaining*float64(r.Copies), r.New*float64(r.Copies+1)
			if !(without > with) || p.Left > 0 && r.New > p.Left {
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
