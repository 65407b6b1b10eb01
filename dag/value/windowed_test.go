package value

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/augur/dag"
)

// exactly walks all paths from j, one by one, whose jobs but j are submitted at most width after j completes. It returns their
// value at j by the number of hops. If through is not j, only paths whose second job is through count.
func exactly(g *dag.Graph, submitted, completed []int64, width time.Duration, own []float64, j, through uint32) (sums []*big.Rat) {
	var walk func(v uint32, weight *big.Rat, hops int)
	walk = func(v uint32, weight *big.Rat, hops int) {
		for len(sums) <= hops {
			sums = append(sums, new(big.Rat))
		}
		x := new(big.Rat).SetFloat64(own[v])
		sums[hops].Add(sums[hops], x.Mul(x, weight))
		for _, d := range g.Out(v) {
			if submitted[d]-completed[j] <= int64(width) && (v != j || through == j || through == d) {
				walk(d, new(big.Rat).Mul(weight, big.NewRat(1, int64(len(g.In(d))))), hops+1)
			}
		}
	}
	walk(j, big.NewRat(1, 1), 0)
	if through != j {
		sums[0] = new(big.Rat)
	}
	return sums
}

func sum(xs []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, x := range xs {
		sum.Add(sum, x)
	}
	return sum
}

func windowedEqualsAllPaths(t *testing.T) {
	valid, early, cutOff, missed, through := 0, 0, 0, 0, 0
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g, submitted, completed := randomLog(rng)
		if !fewPaths(g) {
			continue
		}
		own, compute := randomOwn(rng, g.Len()), randomOwn(rng, g.Len())
		width := time.Duration(1 + rng.IntN(80))
		end := int64(rng.IntN(300))
		var all [2]*Windowed
		for i, least := range []float64{0, rng.Float64() / 2} {
			w, err := NewWindowed(g, submitted, completed, WindowConfig{width, end, least}, own, compute)
			if err != nil {
				t.Fatal(err)
			}
			all[i] = w.Clone()
		}
		eps := float64(4*g.Len()+2*g.Edges()) / (1 << 53)
		for j := range uint32(g.Len()) {
			want := completed[j] <= end-int64(width)
			if got := all[0].Valid(j); got != want {
				t.Fatalf("seed %d: job %d completes at %d of %d, width %d: Valid is %v, want %v", seed, j, completed[j], end, width, got, want)
			}
			if !want {
				if c, ok := all[0].Aggregate([]float64{7}, j); ok || len(c) != 1 {
					t.Fatalf("seed %d: job %d, not valid, has %v", seed, j, c)
				}
				if all[0].ByHops(nil, j, 0) {
					t.Fatalf("seed %d: job %d, not valid, has paths", seed, j)
				}
				early++
				continue
			}
			valid++
			for q, x := range [][]float64{own, compute} {
				hops := exactly(g, submitted, completed, width, x, j, j)
				want := sum(hops)
				if want.Cmp(sum(exactly(g, submitted, completed, math.MaxInt64, x, j, j))) < 0 {
					cutOff++
				}
				got, ok := all[0].Aggregate([]float64{7}, j)
				if !ok || len(got) != 3 || got[0] != 7 || !near(t, got[1+q], want, eps) {
					t.Fatalf("seed %d: job %d, quantity %d: got %v, want %s", seed, j, q, got, want.FloatString(9))
				}
				sums := make([]float64, 1+rng.IntN(len(hops)+2))
				if !all[0].ByHops(sums, j, q) {
					t.Fatalf("seed %d: job %d is valid and has no paths", seed, j)
				}
				for h, x := range sums {
					want := new(big.Rat)
					if h < len(hops) {
						want = hops[h]
					}
					if !near(t, x, want, eps) {
						t.Fatalf("seed %d: job %d, quantity %d, %d hops: got %v, want %s", seed, j, q, h, x, want.FloatString(9))
					}
				}
				less, _ := all[1].Aggregate(nil, j)
				exact, _ := want.Float64()
				if less[q] > exact*(1+eps) {
					t.Fatalf("seed %d: job %d, quantity %d: got %v, want at most %v", seed, j, q, less, exact)
				}
				if less[q] < exact*(1-eps) {
					missed++
				}
			}
			parts := own[j]
			for d := range uint32(g.Len()) {
				got, ok := all[0].Through(nil, j, d)
				if ok != slices.Contains(g.Out(j), d) {
					t.Fatalf("seed %d: job %d through %d: ok is %v", seed, j, d, ok)
				}
				if !ok {
					continue
				}
				want := sum(exactly(g, submitted, completed, width, own, j, d))
				if len(got) != 2 || !near(t, got[0], want, eps) {
					t.Fatalf("seed %d: job %d through %d: got %v, want %s", seed, j, d, got, want.FloatString(9))
				}
				parts += got[0]
				through++
			}
			got, _ := all[0].Aggregate(nil, j)
			if math.Abs(parts-got[0]) > eps*parts {
				t.Fatalf("seed %d: job %d: its parts are %v, its aggregate %v", seed, j, parts, got[0])
			}
		}
	}
	for name, n := range map[string]int{"valid": valid, "not valid": early, "cut off by the window": cutOff, "missed for their weight": missed, "dependents": through} {
		if n < 300 {
			t.Errorf("%s: got %d, want 300 or more", name, n)
		}
	}
}

// In a log of many jobs, numbered in order or not, one pass over all of them for each one that is
// asked for gives the same. Clones may be used at the same time.
func TestWindowedOfManyJobs(t *testing.T) {
	inOrder, submitted, completed := benchLog(20_000, 14)
	n := inOrder.Len()
	own := benchOwn(n)
	perm := rand.New(rand.NewPCG(1, 15)).Perm(n)
	var edges []dag.Edge
	other := [2][]int64{make([]int64, n), make([]int64, n)}
	otherOwn := make([]float64, n)
	for j, k := range perm {
		other[0][k], other[1][k], otherOwn[k] = submitted[j], completed[j], own[j]
		for _, d := range inOrder.Out(uint32(j)) {
			edges = append(edges, dag.Edge{From: uint32(k), To: uint32(perm[d])})
		}
	}
	shuffled, err := dag.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	const width = week
	window := WindowConfig{Width: width, End: submitted[n-1]}
	w, err := NewWindowed(inOrder, submitted, completed, window, own)
	if err != nil {
		t.Fatal(err)
	}
	window.MinWeight = 0.01
	u, err := NewWindowed(inOrder, submitted, completed, window, own)
	if err != nil {
		t.Fatal(err)
	}
	window.MinWeight = 0
	v, err := NewWindowed(shuffled, other[0], other[1], window, otherOwn)
	if err != nil {
		t.Fatal(err)
	}
	naive := func(j uint32, least float64) (sum float64, reached int) {
		weight := make([]float64, n)
		weight[j] = 1
		for i := j; int(i) < n; i++ { // numbers are in order
			if weight[i] == 0 {
				continue
			}
			sum += weight[i] * own[i]
			if reached++; weight[i] < least {
				continue
			}
			for _, d := range inOrder.Out(i) {
				if submitted[d] <= completed[j]+int64(width) {
					weight[d] += weight[i] / float64(len(inOrder.In(d)))
				}
			}
		}
		return sum, reached
	}
	step := uint32(500)
	if testing.Short() {
		step = 2000
	}
	var wg sync.WaitGroup
	for start := range uint32(2) {
		w, u, v := w.Clone(), u.Clone(), v.Clone()
		wg.Go(func() {
			hops, most := make([]float64, 500), 0
			for j := start; w.Valid(j); j += step {
				want, reached := naive(j, 0)
				part, _ := naive(j, 0.01)
				less, _ := u.Aggregate(nil, j)
				most = max(most, reached)
				got, _ := w.Aggregate(nil, j)
				also, ok := v.Aggregate(nil, uint32(perm[j]))
				if !ok || math.Abs(got[0]-want) > 1e-12*want || math.Abs(also[0]-want) > 1e-12*want || math.Abs(less[0]-part) > 1e-12*want {
					t.Errorf("job %d: got %v, %v for other numbers and %v of large weights, want %v and %v", j, got, also, less, want, part)
				}
				w.ByHops(hops, j, 0)
				sum := 0.0
				for _, x := range hops {
					sum += x
				}
				if math.Abs(sum-want) > 1e-12*want {
					t.Errorf("job %d: got %v over all hops, want %v", j, sum, want)
				}
			}
			if most < 300 {
				t.Errorf("got at most %d jobs in a window, want 300", most)
			}
		})
	}
	wg.Wait()
}

func TestNewWindowedRefuses(t *testing.T) {
	g, err := dag.New(2, []dag.Edge{{From: 0, To: 1}})
	if err != nil {
		t.Fatal(err)
	}
	own := []float64{1, 1}
	late, inOrder := []int64{5, 5}, []int64{1, 2}
	for _, test := range []struct {
		name                 string
		g                    *dag.Graph
		submitted, completed []int64
		w                    WindowConfig
		own                  [][]float64
		want                 string
	}{
		{"no graph", nil, inOrder, late, WindowConfig{}, nil, "no graph"},
		{"no graph, values", nil, inOrder, late, WindowConfig{}, [][]float64{own}, "graph is nil"},
		{"no values", g, inOrder, late, WindowConfig{}, nil, "no own values"},
		{"second values", g, inOrder, late, WindowConfig{}, [][]float64{own, {1, -1}}, "job 1 is -1"},
		{"submissions", g, inOrder[:1], late, WindowConfig{}, [][]float64{own}, "1 submissions and 2 completions of 2 jobs"},
		{"completions", g, inOrder, nil, WindowConfig{}, [][]float64{own}, "2 submissions and 0 completions of 2 jobs"},
		{"completes early", g, inOrder, []int64{5, 1}, WindowConfig{}, [][]float64{own}, "job 1 completes at 1, and is submitted at 2"},
		{"depends on a later one", g, []int64{2, 1}, late, WindowConfig{}, [][]float64{own}, "job 1 is submitted at 1, and job 0, which it depends on, at 2"},
		{"Width", g, inOrder, late, WindowConfig{Width: -1}, [][]float64{own}, "Width is -1ns"},
		{"MinWeight below", g, inOrder, late, WindowConfig{MinWeight: -0.1}, [][]float64{own}, "MinWeight is -0.1"},
		{"MinWeight above", g, inOrder, late, WindowConfig{MinWeight: 1.1}, [][]float64{own}, "MinWeight is 1.1"},
		{"MinWeight NaN", g, inOrder, late, WindowConfig{MinWeight: math.NaN()}, [][]float64{own}, "MinWeight is NaN"},
	} {
		if w, err := NewWindowed(test.g, test.submitted, test.completed, test.w, test.own...); w != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
	}
	w, err := NewWindowed(g, inOrder, []int64{3, math.MaxInt64}, WindowConfig{Width: 10, End: 13}, own)
	if err != nil {
		t.Fatal(err)
	}
	if !w.Valid(0) || w.Valid(1) || w.Valid(2) || w.Valid(math.MaxUint32) {
		t.Error("want job 0 alone to be valid, as 1 has not completed and there are no others")
	}
	if c, ok := w.Aggregate(nil, 0); !ok || c[0] != 2 {
		t.Errorf("got %v, want what has not completed to count for others", c)
	}
	sums := []float64{7}
	if w.ByHops(sums, 0, 1) || w.ByHops(sums, 0, -1) || w.ByHops(sums, 1, 0) || sums[0] != 7 {
		t.Errorf("got %v, want it as it was", sums)
	}
	if _, ok := w.Through(nil, 0, 2); ok {
		t.Error("job 2 does not exist, and is no dependent")
	}
}

// Instants near the ends of their range must not wrap.
func TestWindowAtTheEndsOfTime(t *testing.T) {
	g, err := dag.New(3, []dag.Edge{{From: 0, To: 1}, {From: 1, To: 2}})
	if err != nil {
		t.Fatal(err)
	}
	at := []int64{math.MinInt64, math.MinInt64 + 5, math.MaxInt64}
	w, err := NewWindowed(g, at, at, WindowConfig{Width: math.MaxInt64, End: math.MaxInt64}, []float64{1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := w.Aggregate(nil, 0); !ok || c[0] != 3 {
		t.Errorf("first: got %v, %v, want 3", c, ok)
	}
	if _, ok := w.Aggregate(nil, 2); ok {
		t.Error("last: got an answer, want none")
	}
	w, err = NewWindowed(g, at, at, WindowConfig{Width: 10, End: math.MinInt64}, []float64{1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	if w.Valid(0) {
		t.Error("the log ends at once, and no job is valid")
	}
}

func TestWindowedAllocatesNothing(t *testing.T) {
	g, submitted, completed := benchLog(3000, 14)
	own := benchOwn(g.Len())
	w, err := NewWindowed(g, submitted, completed, WindowConfig{End: completed[g.Len()-1], MinWeight: 0.01}, own)
	if err != nil {
		t.Fatal(err)
	}
	var dst []float64
	reach := 0
	all := func() {
		for j := range uint32(g.Len()) {
			dst, _ = w.Aggregate(dst[:0], j)
			reach = max(reach, len(w.sweep.reached))
		}
	}
	all()
	if n := testing.AllocsPerRun(3, all); n != 0 || reach < 10 {
		t.Errorf("got %v allocations and at most %d jobs at once, want 0 and 10", n, reach)
	}
}

// A chain takes one step for each of its jobs, however many follow in the window.
func TestWindowedChain(t *testing.T) {
	const n, width = 1000, 700
	edges, own := make([]dag.Edge, 0, n), make([]float64, n)
	at := make([]int64, n)
	for j := range uint32(n) {
		if own[j], at[j] = float64(j), int64(j); j > 0 {
			edges = append(edges, dag.Edge{From: j - 1, To: j})
		}
	}
	g, err := dag.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWindowed(g, at, at, WindowConfig{Width: width, End: n}, own)
	if err != nil {
		t.Fatal(err)
	}
	for j := range uint32(n) {
		got, ok := w.Aggregate(nil, j)
		if ok != (j <= n-width) {
			t.Fatalf("job %d is valid: %v", j, ok)
		}
		last := min(float64(j)+width, n-1)
		if want := (float64(j) + last) * (last - float64(j) + 1) / 2; ok && got[0] != want {
			t.Fatalf("job %d has %v, want %v", j, got[0], want)
		}
		if ok && len(w.sweep.reached) != 1 {
			t.Fatalf("job %d takes %d steps, want 1", j, len(w.sweep.reached))
		}
	}
}
