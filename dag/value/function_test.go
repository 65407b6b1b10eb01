package value

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/dag"
)

// worth is At by its definition.
func worth(rest float64, drops []Drop, t int64) float64 {
	sum := rest
	for _, d := range drops {
		if t <= d.At {
			sum += d.Value
		}
	}
	return sum
}

func TestFunction(t *testing.T) {
	joined, zero := 0, 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var drops []Drop
		for range rng.IntN(20) {
			drops = append(drops, Drop{int64(rng.IntN(30)), float64(rng.IntN(5))}) // whole numbers: no rounding
		}
		rest := float64(rng.IntN(3))
		before := slices.Clone(drops)
		f, err := NewFunction(rest, drops)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(drops, before) {
			t.Fatalf("seed %d: drops afterwards: got %v, want %v", seed, drops, before)
		}
		for at := int64(-2); at < 33; at++ {
			want := worth(rest, drops, at)
			if got := f.At(at); got != want {
				t.Fatalf("seed %d: %v at %d: got %v, want %v", seed, drops, at, got, want)
			}
			until, ok := f.Until(at)
			if ok && !(until >= at && f.At(until) == want && f.At(until+1) < want) || !ok && f.At(math.MaxInt64) != want {
				t.Fatalf("seed %d: %v from %d: worth the same until %d, %v", seed, drops, at, until, ok)
			}
		}
		if got := f.At(math.MaxInt64); got != rest {
			t.Fatalf("seed %d: %v: got %v in the end, want %v", seed, drops, got, rest)
		}
		if len(f.steps) < len(drops) {
			joined++
		}
		if len(drops) == 0 {
			zero++
		}
		rng.Shuffle(len(drops), func(i, j int) { drops[i], drops[j] = drops[j], drops[i] })
		g, err := NewFunction(rest, drops)
		if err != nil || !slices.Equal(g.steps, f.steps) {
			t.Fatalf("seed %d: the order of drops matters: got %v, want %v", seed, g, f)
		}
	}
	if joined < 100 || zero < 20 {
		t.Errorf("got %d functions with drops joined and %d without, want 100 and 20", joined, zero)
	}
}

func TestNewFunctionRefuses(t *testing.T) {
	for _, test := range []struct {
		rest  float64
		drops []Drop
		want  string
	}{
		{-1, nil, "rest is -1"},
		{math.NaN(), nil, "rest is NaN"},
		{math.Inf(1), nil, "+Inf together"},
		{0, []Drop{{3, 1}, {4, -2}}, "drop 1, at 4, is of -2"},
		{0, []Drop{{3, math.NaN()}}, "drop 0, at 3, is of NaN"},
		{MaxSum, []Drop{{1, MaxSum}}, "together"},
	} {
		if _, err := NewFunction(test.rest, test.drops); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, %v: got error %v, want %q", test.rest, test.drops, err, test.want)
		}
	}
	var f Function
	if _, ok := f.Until(0); f.At(0) != 0 || f.At(math.MinInt64) != 0 || f.At(math.MaxInt64) != 0 || ok {
		t.Errorf("the zero Function is %v, want 0 for ever", f)
	}
}

// A function made of a log begins with the job's aggregate and ends with what is not hard.
func TestDependents(t *testing.T) {
	soft := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		g, submitted, completed := randomLog(rng)
		own := randomOwn(rng, g.Len())
		agg, err := Aggregate(nil, g, own)
		if err != nil {
			t.Fatal(err)
		}
		hard := func(d uint32) bool { return d%3 > 0 }
		for j := range uint32(g.Len()) {
			first := Drop{completed[j] + 3, own[j]} // one download
			drops, rest, err := Dependents([]Drop{first}, 1, g, j, submitted, agg, hard)
			if err != nil || drops[0] != first {
				t.Fatal(err)
			}
			f, err := NewFunction(rest, drops)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []int64{math.MinInt64, completed[j], math.MaxInt64} {
				want := 1.0
				if at <= first.At {
					want += own[j]
				}
				for _, d := range g.Out(j) {
					if !hard(d) || at <= submitted[d] {
						want += agg[d] / float64(len(g.In(d)))
					}
					if !hard(d) {
						soft++
					}
				}
				if got := f.At(at); math.Abs(got-want) > 1e-13*want {
					t.Fatalf("seed %d: job %d at %d: got %v, want %v", seed, j, at, got, want)
				}
			}
			if begin := f.At(math.MinInt64); math.Abs(begin-1-agg[j]) > 1e-13*begin {
				t.Fatalf("seed %d: job %d: begins with %v, its aggregate is %v", seed, j, begin-1, agg[j])
			}
		}
	}
	if soft < 100 {
		t.Errorf("got %d soft dependencies, want 100", soft)
	}
}

func TestDependentsRefuses(t *testing.T) {
	g, err := dag.New(2, []dag.Edge{{From: 0, To: 1}})
	if err != nil {
		t.Fatal(err)
	}
	at, agg := []int64{1, 2}, []float64{3, 4}
	for name, call := range map[string]func() ([]Drop, float64, error){
		"job 2":         func() ([]Drop, float64, error) { return Dependents(nil, 5, g, 2, at, agg, nil) },
		"job 0":         func() ([]Drop, float64, error) { return Dependents(nil, 5, nil, 0, at, agg, nil) },
		"1 submissions": func() ([]Drop, float64, error) { return Dependents(nil, 5, g, 0, at[:1], agg, nil) },
		"0 aggregates":  func() ([]Drop, float64, error) { return Dependents(nil, 5, g, 0, at, nil, nil) },
	} {
		if drops, rest, err := call(); err == nil || !strings.Contains(err.Error(), name) || drops != nil || rest != 5 {
			t.Errorf("got %v, %v, %v, want an error with %q", drops, rest, err, name)
		}
	}
	drops, rest, err := Dependents(nil, 5, g, 0, at, agg, nil)
	if err != nil || rest != 5 || !slices.Equal(drops, []Drop{{2, 4}}) {
		t.Errorf("got %v, %v, %v, want all to be hard", drops, rest, err)
	}
}
