package hopper

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// tailsOf changes the tails of a scheduler.
func tailsOf(change func(t *tails)) *tails {
	t := newTails(homogeneousTail)
	change(&t)
	return &t
}

func TestTailsFindTheShape(t *testing.T) {
	for _, shape := range []float64{1.2, 1.5, 1.9} {
		// With 1000 runtimes in the fit the standard error is shape/sqrt(1000), 3 %.
		tails := tailsOf(func(t *tails) { t.window, t.enough = 10_000, 10_000 })
		r := rand.New(rand.NewPCG(6, 1))
		for n := range 10_000 {
			if got := tails.tail("a"); got != homogeneousTail {
				t.Fatalf("after %d runtimes: tail is %v, want %v", n, got, homogeneousTail)
			}
			tails.add("a", 3*math.Pow(1-r.Float64(), -1/shape))
		}
		if got := tails.tail("a"); math.Abs(got-shape) > 0.1*shape+0.025 {
			t.Errorf("shape %v: got %v", shape, got)
		}
		if got := tails.tail("b"); got != homogeneousTail {
			t.Errorf("another group: got %v, want %v", got, homogeneousTail)
		}
	}
}

func TestTailsFollow(t *testing.T) {
	tails := tailsOf(func(*tails) {})
	r := rand.New(rand.NewPCG(6, 2))
	changes := 0
	add := func(n int, shape float64) {
		for range n {
			before := tails.tail("a")
			changed := tails.add("a", math.Pow(1-r.Float64(), -1/shape))
			if changed != (tails.tail("a") != before) {
				t.Fatalf("changed is %v, from %v to %v", changed, before, tails.tail("a"))
			}
			if changed {
				changes++
			}
		}
	}
	add(1000, 0.5) // without a mean
	if got := tails.tail("a"); got != 1.05 {
		t.Errorf("shape 0.5: got %v, want 1.05, the least", got)
	}
	add(1000, 20)
	if got := tails.tail("a"); got != 4 {
		t.Errorf("shape 20: got %v, want 4, the most", got)
	}
	if changes < 2 || changes > 19 {
		t.Errorf("%d changes, want 2 to 19: one in 100 runtimes after the first 200", changes)
	}
	for range 1000 { // all alike: there is no tail
		tails.add("a", 1)
	}
	if got := tails.tail("a"); !(got >= 1.05 && got <= 4) {
		t.Errorf("all alike: got %v, want what was before", got)
	}
}

// A group that is forgotten has the tail of a new one, and whoever asks for tails by what has changed is told.
func TestTailsOfForgottenGroupsChange(t *testing.T) {
	tails := tailsOf(func(t *tails) { t.most, t.enough = 1, 3 })
	for i, step := range []struct {
		name    string
		runtime float64
		want    bool
	}{
		{"a", 1, false}, {"b", 1, false}, // nothing was learnt of a
		{"b", 2, false}, {"b", 9, true}, {"c", 1, true}, {"c", 1, false},
	} {
		if got := tails.add(step.name, step.runtime); got != step.want {
			t.Errorf("step %d, a runtime of %s: tails have changed: %v, want %v", i, step.name, got, step.want)
		}
	}
}

// Of more groups than are kept, the one is forgotten of which nothing has been heard for longest.
func TestTailsForgetGroups(t *testing.T) {
	tails := tailsOf(func(t *tails) { t.most, t.enough = 2, 2 })
	add := func(name string) {
		t.Helper()
		for _, x := range []float64{1, 2} {
			tails.add(name, x)
		}
	}
	for _, step := range []struct {
		add, known, unknown string
	}{
		{"a", "a", "b"}, {"b", "ab", "c"}, {"a", "ab", "c"}, {"c", "ac", "b"}, {"d", "cd", "a"}, {"a", "ad", "c"},
	} {
		add(step.add)
		for _, name := range step.known {
			if got := tails.tail(string(name)); got == homogeneousTail {
				t.Errorf("after %s: group %c has the tail of one that is not known", step.add, name)
			}
		}
		if got := tails.tail(step.unknown); got != homogeneousTail {
			t.Errorf("after %s: group %s has tail %v, want %v: it is not known", step.add, step.unknown, got, homogeneousTail)
		}
	}
}

// However few of the numbers are looked at, they are not all small or all large. Of i points of
// van der Corput's sequence as many as should be are below any bound, but for log2(i)/3 + 1: so it is
// for the lower half of n, and for all n, of the at most 2 n points that make them.
func TestSpread(t *testing.T) {
	for n := range 700 {
		var all []int
		low := 0
		for i := range spread(n) {
			all = append(all, i)
			if 2*i < n {
				low++
			}
			off := 3 * (math.Log2(2*float64(n))/3 + 1)
			if math.Abs(2*float64(low)-float64(len(all))) > off+1 { // n may be odd
				t.Fatalf("of the first %d of %d, %d are in the lower half", len(all), n, low)
			}
		}
		slices.Sort(all)
		for want, got := range all {
			if got != want {
				t.Fatalf("%d numbers: got %v", n, all)
			}
		}
		if len(all) != n {
			t.Fatalf("got %d numbers, want %d", len(all), n)
		}
	}
}

// Phases may have too much memory for a float64 to add up: what they ask for is never negative, and at the end nothing.
func TestAmountOfHugeMemory(t *testing.T) {
	for _, bytes := range []int64{1, 1000} {
		small, large := &policy.Stage{Tasks: 2, Cores: 1, Memory: bytes}, &policy.Stage{Tasks: 1, Cores: 1, Memory: 1 << 62}
		var a amount
		a.add(taken(small, 2))
		a.add(taken(large, 1))
		a.sub(taken(large, 1))
		a.sub(taken(small, 1))
		if a.memory < 0 {
			t.Errorf("beside tasks of %d bytes %v bytes are left", bytes, a.memory)
		}
		a.sub(taken(small, 1))
		if a != (amount{}) {
			t.Errorf("after tasks of %d bytes: got %+v, want nothing", bytes, a)
		}
	}
}
