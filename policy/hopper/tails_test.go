package hopper

import (
	"math"
	"math/rand/v2"
	"testing"
)

func newTails(t *testing.T, c TailsConfig) *Tails {
	t.Helper()
	tails, err := NewTails(c)
	if err != nil {
		t.Fatal(err)
	}
	return tails
}

func TestTailsFindTheShape(t *testing.T) {
	for _, shape := range []float64{1.2, 1.5, 1.9} {
		// With 1000 runtimes in the fit the standard error is shape/sqrt(1000), 3 %.
		tails := newTails(t, TailsConfig{Window: 10_000, Enough: 10_000})
		r := rand.New(rand.NewPCG(6, 1))
		for n := range 10_000 {
			if got := tails.Tail("a"); got != HomogeneousTail {
				t.Fatalf("after %d runtimes: tail is %v, want %v", n, got, HomogeneousTail)
			}
			if _, err := tails.Add("a", 3*math.Pow(1-r.Float64(), -1/shape)); err != nil {
				t.Fatal(err)
			}
		}
		if got := tails.Tail("a"); math.Abs(got-shape) > 0.1*shape+0.025 {
			t.Errorf("shape %v: got %v", shape, got)
		}
		if got := tails.Tail("b"); got != HomogeneousTail {
			t.Errorf("another group: got %v, want %v", got, HomogeneousTail)
		}
	}
}

func TestTailsFollow(t *testing.T) {
	tails := newTails(t, TailsConfig{})
	r := rand.New(rand.NewPCG(6, 2))
	changes := 0
	add := func(n int, shape float64) {
		for range n {
			before := tails.Tail("a")
			changed, err := tails.Add("a", math.Pow(1-r.Float64(), -1/shape))
			if err != nil {
				t.Fatal(err)
			}
			if changed != (tails.Tail("a") != before) {
				t.Fatalf("changed is %v, from %v to %v", changed, before, tails.Tail("a"))
			}
			if changed {
				changes++
			}
		}
	}
	add(1000, 0.5) // without a mean
	if got := tails.Tail("a"); got != 1.05 {
		t.Errorf("shape 0.5: got %v, want 1.05, the least", got)
	}
	add(1000, 20)
	if got := tails.Tail("a"); got != 4 {
		t.Errorf("shape 20: got %v, want 4, the most", got)
	}
	if changes < 2 || changes > 19 {
		t.Errorf("%d changes, want 2 to 19: one in 100 runtimes after the first 200", changes)
	}
	for range 1000 { // all alike: there is no tail
		if _, err := tails.Add("a", 1); err != nil {
			t.Fatal(err)
		}
	}
	if got := tails.Tail("a"); !(got >= 1.05 && got <= 4) {
		t.Errorf("all alike: got %v, want what was before", got)
	}
}

func TestTailsRefuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []TailsConfig{
		{Start: 1}, {Start: nan}, {Start: inf}, {Enough: 1}, {Enough: -1}, {Enough: 50, Window: 49}, {Every: -1},
		{Top: 1}, {Top: -0.1}, {Top: nan}, {Least: 1}, {Least: nan}, {Least: 5}, {Most: inf}, {Most: nan}, {Step: -1}, {Step: nan}, {Step: inf},
	} {
		if _, err := NewTails(c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	tails := newTails(t, TailsConfig{})
	for _, x := range []float64{0, -1, nan, inf} {
		if _, err := tails.Add("a", x); err == nil {
			t.Errorf("runtime %v: no error", x)
		}
	}
	if len(tails.groups) > 0 {
		t.Error("a refused runtime has made a group")
	}
}
