package histogram

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// What a Histogram promises.
func TestPromises(t *testing.T) {
	t.Run("is exact while there are no more distinct values than bins", exactWhileBinsAreEnough)
	t.Run("by default its CDF is off by at most 0.02, and by 0.001 in the mean", accuracy)
	t.Run("has the mean and the variance of its values", momentsAreExact)
	t.Run("has the bins of a naive histogram, to the last bit", addEqualsNaive)
	t.Run("refuses what is not finite, and is then as it was", refuses)
	t.Run("reads no bytes that are of another version, cut or damaged", unmarshalRefuses)
	t.Run("allocates nothing in the steady state", noAllocations)
}

func of(t testing.TB, c Config, values ...float64) *Histogram {
	t.Helper()
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range values {
		if err := h.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func exactWhileBinsAreEnough(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var values []float64
	h := of(t, Config{Bins: 30})
	for range 500 {
		x := float64(rng.IntN(30))*10 - 100
		values = append(values, x)
		if err := h.Add(x); err != nil {
			t.Fatal(err)
		}
		slices.Sort(values)
		for x := -105.0; x < 205; x += 5 {
			at, found := slices.BinarySearch(values, x)
			for ; found && at < len(values) && values[at] == x; at++ {
			}
			if got, want := h.CDF(x), float64(at)/float64(len(values)); got != want {
				t.Fatalf("after %d values: CDF(%v) = %v, want %v", len(values), x, got, want)
			}
		}
		for i, want := range values {
			p := float64(i+1) / float64(len(values))
			if got := h.Quantile(p); got != want {
				t.Fatalf("after %d values: Quantile(%v) = %v, want %v", len(values), p, got, want)
			}
		}
	}
}

// The bins of a full histogram, by hand.
func TestJoins(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   []float64 // centre, count, centre, count, ...
	}{
		{[]float64{1, 2, 4, 8}, []float64{1.5, 2, 4, 1, 8, 1}}, // leftmost
		{[]float64{1, 2, 100, 110}, []float64{1, 1, 2, 1, 105, 2}},
		{[]float64{-110, -100, 0, 1}, []float64{-105, 2, 0, 1, 1, 1}},
		{[]float64{1, 2, 2, 2, 4, 14}, []float64{1, 1, 2, 3, 9, 2}},
		{[]float64{0, math.SmallestNonzeroFloat64, 1, -1}, []float64{-1, 1, 0, 2, 1, 1}},
	} {
		h := of(t, Config{Bins: 3}, test.values...)
		var got []float64
		for c, n := range h.All() {
			got = append(got, c, n)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("of %v: got bins %v, want %v", test.values, got, test.want)
		}
	}
}

func TestSmallQuantiles(t *testing.T) {
	for _, test := range []struct {
		values  []float64
		p, want float64
	}{
		{[]float64{1, 2, 3}, 0.5, 2},
		{[]float64{1, 2, 3, 4}, 0.5, 2},
		{[]float64{1, 2, 3}, 0, 1},
		{[]float64{1, 2, 3}, 1, 3},
		{[]float64{7}, 0.3, 7},
		{[]float64{7}, -0.1, math.NaN()},
		{[]float64{7}, math.NaN(), math.NaN()},
		{nil, 0.5, math.NaN()},
	} {
		h := of(t, Config{}, test.values...)
		if got := h.Quantile(test.p); got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("Quantile(%v) of %v = %v, want %v", test.p, test.values, got, test.want)
		}
	}
}

func refuses(t *testing.T) {
	h := of(t, Config{}, 1, 2)
	before, _ := h.MarshalBinary()
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if err := h.Add(x); err == nil {
			t.Errorf("Add(%v) is no error", x)
		}
	}
	for _, n := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if err := h.AddN(1, n); err == nil {
			t.Errorf("AddN(1, %v) is no error", n)
		}
		if n == 0 {
			continue // by which Scale empties
		}
		if err := h.Scale(n); err == nil {
			t.Errorf("Scale(%v) is no error", n)
		}
	}
	if after, _ := h.MarshalBinary(); !slices.Equal(before, after) {
		t.Errorf("a refused value changed the histogram")
	}
	for _, c := range []Config{{Bins: -1}, {Bins: maxBins + 1}} {
		if _, err := New(c); err == nil {
			t.Errorf("New(%+v) gave no error", c)
		}
	}
}

// A histogram that is a field or in a map, not behind a pointer, is encoded as well.
func TestEncodesByValue(t *testing.T) {
	h := *of(t, Config{Bins: 4}, 1, 2, 3)
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(map[string]Histogram{"runtimes": h}); err != nil {
		t.Fatal(err)
	}
	var got map[string]*Histogram
	if err := gob.NewDecoder(&b).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if back := got["runtimes"]; len(back.bins) != 3 || back.Mean() != 2 {
		t.Errorf("decoded %d bins of mean %v", len(back.bins), back.Mean())
	}
}

// Mean and variance are those of the values, computed with many digits, also where these
// are far from 0, come in order, differ much in weight, and are merged and scaled.
func momentsAreExact(t *testing.T) {
	const prec = 300
	big0 := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	for name, next := range map[string]func(rng *rand.Rand, i int) (x, n float64){
		"far from 0":  func(rng *rand.Rand, i int) (float64, float64) { return 1e9 + rng.NormFloat64(), 1 },
		"heavy tail":  func(rng *rand.Rand, i int) (float64, float64) { return math.Exp(3 * rng.NormFloat64()), 1 },
		"in order":    func(rng *rand.Rand, i int) (float64, float64) { return 1e6 + float64(i), 1 },
		"first apart": func(rng *rand.Rand, i int) (float64, float64) { return 1e12 * float64(1/(i+1)), 1 },
		"last apart":  func(rng *rand.Rand, i int) (float64, float64) { return 1e12 * float64(i/2999), 1 },
		"weights":     func(rng *rand.Rand, i int) (float64, float64) { return rng.Float64(), math.Exp(9 * rng.NormFloat64()) },
		"equal":       func(rng *rand.Rand, i int) (float64, float64) { return 0.1, 1 },
	} {
		rng := rand.New(rand.NewPCG(1, 13))
		h, o := of(t, Config{}), of(t, Config{})
		var xs, ns []float64
		for i := range 3000 {
			x, n := next(rng, i)
			to := h
			if i%3 == 0 {
				to = o
			}
			if err := to.AddN(x, n); err != nil {
				t.Fatal(err)
			}
			xs, ns = append(xs, x), append(ns, n)
		}
		h.Scale(0.5)
		o.Scale(0.5)
		if err := h.Merge(o); err != nil {
			t.Fatal(err)
		}
		weight, sum, squares := big0(0), big0(0), big0(0)
		for i, x := range xs {
			nx := big0(0).Mul(big0(x), big0(ns[i]))
			weight.Add(weight, big0(ns[i]))
			sum.Add(sum, nx)
			squares.Add(squares, big0(0).Mul(nx, big0(x)))
		}
		mean := big0(0).Quo(sum, weight)
		variance := big0(0).Quo(squares, weight)
		variance.Sub(variance, big0(0).Mul(mean, mean))
		wantMean, _ := mean.Float64()
		wantVariance, _ := variance.Float64()
		if got := h.Mean(); math.Abs(got-wantMean) > 1e-13*math.Abs(wantMean) {
			t.Errorf("%s: mean %v, want %v", name, got, wantMean)
		}
		if got := h.Variance(); math.Abs(got-wantVariance) > 1e-11*wantVariance+1e-40 {
			t.Errorf("%s: variance %v, want %v", name, got, wantVariance)
		}
	}
}

// Whatever the factor, the mean stays, and what is encoded can be read back.
func TestScaleByAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, spread := range []float64{1, 1e10, 1e140, 1e-160} {
		for _, factor := range []float64{1e305, 1e300, 1e20, 0.5, 1e-20, 1e-300, 1e-307, 0x1p-1073, 0x1p-1074} {
			h := of(t, Config{Bins: 40})
			for range 60 {
				h.AddN(1+rng.NormFloat64()*spread, 1+2*rng.Float64())
			}
			h.Scale(0.1) // counts that a small factor rounds
			mean := h.Mean()
			if err := h.Scale(factor); err != nil {
				t.Fatal(err)
			}
			b, err := h.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var back Histogram
			if err := back.UnmarshalBinary(b); err != nil {
				t.Errorf("values of spread %v, scaled by %v: %v", spread, factor, err)
			}
			check(t, h)
			if h.Count() > 0 && math.Abs(h.Mean()-mean) > 1e-12*(math.Abs(mean)+spread) {
				t.Errorf("values of spread %v, scaled by %v: mean %v, was %v", spread, factor, h.Mean(), mean)
			}
		}
	}
}

func TestOverflow(t *testing.T) {
	const most = math.MaxFloat64
	h := of(t, Config{Bins: 2}, -most, most, most, most)
	if got, want := h.Mean(), most/2; math.Abs(got/want-1) > 1e-15 {
		t.Errorf("mean %v, want %v", got, want)
	}
	if got := h.Variance(); !math.IsInf(got, 1) {
		t.Errorf("variance %v, want +Inf", got)
	}
	if got := h.CDF(0); got != 0.25 {
		t.Errorf("CDF(0) = %v, want 0.25", got)
	}
	if got := h.SurvivalIntegral(-1, 1); got != 1.5 {
		t.Errorf("SurvivalIntegral(-1, 1) = %v, want 1.5", got)
	}
	if got := of(t, Config{}, -most, most).SurvivalIntegral(-most, most); got != most {
		t.Errorf("SurvivalIntegral(%v, %v) = %v, want %v", -most, most, got, most)
	}
	before, _ := h.MarshalBinary()
	if err := h.AddN(1, most); err != nil {
		t.Errorf("AddN(1, %v) = %v", most, err)
	}
	if err := h.AddN(1, most); err == nil {
		t.Error("AddN to a weight that is infinite is no error")
	}
	if err := h.Merge(h); err == nil {
		t.Error("merging to a weight that is infinite is no error")
	}
	if err := h.UnmarshalBinary(before); err != nil {
		t.Error(err)
	}

	h = of(t, Config{}, 0, math.Copysign(0, -1))
	if len(h.bins) != 1 || math.Signbit(h.Min()) || math.Signbit(h.Quantile(0.5)) {
		t.Errorf("0 and -0 are %d bins, minimum %v", len(h.bins), h.Min())
	}
	h = of(t, Config{Bins: 1}, math.SmallestNonzeroFloat64, 2*math.SmallestNonzeroFloat64)
	if got := h.Quantile(0.5); !(got > 0 && got <= 2*math.SmallestNonzeroFloat64) {
		t.Errorf("median of the least numbers is %v", got)
	}
}

func noAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 14))
	h, o := of(t, Config{}), of(t, Config{})
	for range 1000 {
		h.Add(rng.ExpFloat64())
		o.Add(rng.ExpFloat64())
	}
	for name, f := range map[string]func(){
		"Add":      func() { h.Add(rng.ExpFloat64()) },
		"Quantile": func() { h.Quantile(rng.Float64()) },
		"CDF":      func() { h.CDF(rng.ExpFloat64()) },
		"Merge":    func() { h.Merge(o) },
		"Reset": func() {
			h.Reset()
			h.Add(1)
			h.Merge(o)
		},
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

// A histogram takes no more room than its bins and one more, and Merge leaves its argument alone.
func TestRoom(t *testing.T) {
	few, full, all, ten := of(t, Config{Bins: 1000}), of(t, Config{}), of(t, Config{}), of(t, Config{Bins: 10})
	for i := range 1000 {
		if i < 20 {
			few.Add(float64(i))
		}
		full.Add(float64(i))
	}
	for _, h := range []*Histogram{all, ten} {
		if err := h.Merge(full); err != nil {
			t.Fatal(err)
		}
	}
	before := slices.Clone(full.bins)
	all.Add(0.5)
	if !slices.Equal(full.bins, before) {
		t.Error("a histogram shares the bins of one that was merged into it")
	}
	if cap(few.bins) > 25 || cap(full.bins) > 82 || cap(all.bins) > 82 {
		t.Errorf("room for %d bins of 20 values, and for %d and %d of 80 bins", cap(few.bins), cap(full.bins), cap(all.bins))
	}
	if len(ten.bins) > 10 {
		t.Errorf("%d bins after a Merge, want at most 10", len(ten.bins))
	}
}
