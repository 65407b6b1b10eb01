package value

import (
	"encoding/binary"
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

// checkFunction compares a function with its definition, at every instant where it may change.
func checkFunction(t *testing.T, rest float64, drops []Drop) {
	t.Helper()
	valid, all := rest >= 0, rest
	for _, d := range drops {
		valid = valid && d.Value >= 0
		all += d.Value
	}
	before := slices.Clone(drops)
	f, err := NewFunction(rest, drops)
	if (err == nil) != (valid && all <= MaxSum) {
		t.Fatalf("rest %v and drops %v: %v", rest, drops, err)
	}
	if err != nil {
		return
	}
	if !slices.Equal(drops, before) {
		t.Fatalf("drops afterwards: got %v, want %v", drops, before)
	}
	instants := []int64{math.MinInt64, 0, math.MaxInt64}
	for _, d := range drops {
		instants = append(instants, d.At)
		if d.At < math.MaxInt64 {
			instants = append(instants, d.At+1)
		}
	}
	for _, at := range instants {
		want, got := worth(rest, drops, at), f.At(at)
		if !(math.Abs(got-want) <= 1e-9*want) {
			t.Fatalf("rest %v and drops %v: at %d it is %v, want %v", rest, drops, at, got, want)
		}
		until, ok := f.Until(at)
		if !ok {
			until = math.MaxInt64
		}
		if until < at || f.At(until) != got || ok && until < math.MaxInt64 && !(f.At(until+1) < got) {
			t.Fatalf("rest %v and drops %v: at %d it is %v until %d, %v", rest, drops, at, got, until, ok)
		}
	}
	slices.Reverse(drops)
	if g, err := NewFunction(rest, drops); err != nil || !slices.Equal(g.steps, f.steps) {
		t.Fatalf("the order of drops matters: got %v, want %v", g, f)
	}
}

func functions(t *testing.T) {
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var drops []Drop
		for range rng.IntN(20) { // of which many are at one instant
			drops = append(drops, Drop{int64(rng.IntN(30)), float64(rng.IntN(5))})
		}
		checkFunction(t, float64(rng.IntN(3)), drops)
	}
}

// Whatever the drops, what is not refused never rises, and is at each instant what a sum says.
func FuzzFunction(f *testing.F) {
	add := func(rest float64, drops ...Drop) {
		var b []byte
		for _, d := range drops {
			b = binary.LittleEndian.AppendUint64(b, uint64(d.At))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(d.Value))
		}
		f.Add(rest, b)
	}
	add(1, Drop{10, 2}, Drop{5, 3}, Drop{10, 1})
	add(0, Drop{math.MaxInt64, 1e300}, Drop{math.MinInt64, 5e-324})
	add(MaxSum, Drop{0, 1})
	f.Fuzz(func(t *testing.T, rest float64, b []byte) {
		var drops []Drop
		for ; len(b) >= 16; b = b[16:] {
			drops = append(drops, Drop{int64(binary.LittleEndian.Uint64(b)), math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))})
		}
		checkFunction(t, rest, drops)
	})
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
