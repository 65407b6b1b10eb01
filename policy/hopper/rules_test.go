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

func newMantri(t testing.TB, c hopper.MantriConfig) *hopper.Mantri {
	t.Helper()
	rule, err := hopper.NewMantri(c)
	if err != nil {
		t.Fatal(err)
	}
	return rule
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
		if move, ok := newMantri(t, hopper.MantriConfig{}).Next(p, hopper.Room{}); ok != tt.duplicates || ok && move.Kind != hopper.Duplicate {
			t.Errorf("%s: got %v, %t, want a copy: %t", tt.name, move, ok, tt.duplicates)
		}
	}
}

func TestMantriAgainstItsDefinition(t *testing.T) {
	const period, chance = 2.0, 0.25
	rule := newMantri(t, hopper.MantriConfig{Period: 2 * time.Second})
	applies := func(kind hopper.MoveKind, p *hopper.Phase, r *hopper.Running) bool {
		if r.Youngest < period {
			return false
		}
		switch kind {
		case hopper.Drop:
			return r.Copies > 2
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
