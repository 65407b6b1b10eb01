package value

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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
