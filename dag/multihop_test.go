package dag

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// A pathSet is a weight that forgets nothing: the paths themselves, sorted. An answer in it is right
// for every algebra.
type pathSet []string

var everyPath = Algebra[pathSet]{
	Along: func(first, rest pathSet) pathSet {
		var all pathSet
		for _, a := range first {
			for _, b := range rest {
				all = append(all, a+b)
			}
		}
		slices.Sort(all)
		return all
	},
	Across: func(a, b pathSet) pathSet {
		all := slices.Concat(a, b)
		slices.Sort(all)
		return all
	},
}

func edgeSets(g *Graph) []pathSet {
	return Weigh(nil, g, func(e Edge) pathSet { return pathSet{fmt.Sprintf("%d>%d,", e.From, e.To)} })
}

// enumerate walks every path of at most so many edges through nodes that keep allows.
func enumerate[W any](g *Graph, weights []W, a Algebra[W], most int, keep func(source, v uint32) bool) map[Edge]W {
	weight := make(map[Edge]W)
	for from := range uint32(g.Len()) {
		for _, to := range g.Out(from) {
			weight[Edge{from, to}] = weights[len(weight)]
		}
	}
	found := make(map[Edge]W)
	var walk func(source, at uint32, w W, hops int)
	walk = func(source, at uint32, w W, hops int) {
		for _, to := range g.Out(at) {
			if hops == most || !keep(source, to) {
				continue
			}
			longer := weight[Edge{at, to}]
			if hops > 0 {
				longer = a.Along(w, longer)
			}
			pair := Edge{source, to}
			if before, ok := found[pair]; ok {
				found[pair] = a.Across(before, longer)
			} else {
				found[pair] = longer
			}
			walk(source, to, longer, hops+1)
		}
	}
	for v := range uint32(g.Len()) {
		var none W
		walk(v, v, none, 0)
	}
	return found
}

func all(_, _ uint32) bool { return true }

// rows says what is wrong with an answer for every source; increasing says that rows must be so,
// else they must be in an order in which edges lead forwards.
func rows[W any](g *Graph, from func(uint32) ([]uint32, []W), want map[Edge]W, equal func(a, b W) bool, increasing bool) error {
	pairs := 0
	place := places(forwards(g))
	for v := range uint32(g.Len()) {
		nodes, weights := from(v)
		if len(nodes) != len(weights) {
			return fmt.Errorf("from %d: %d nodes and %d weights", v, len(nodes), len(weights))
		}
		if !slices.IsSortedFunc(nodes, func(a, b uint32) int {
			if increasing {
				return cmp.Compare(a, b)
			}
			return cmp.Compare(place[a], place[b])
		}) {
			return fmt.Errorf("from %d: got %v, want them in order", v, nodes)
		}
		seen := make(map[uint32]bool)
		for i, to := range nodes {
			w, ok := want[Edge{v, to}]
			if !ok || seen[to] {
				return fmt.Errorf("from %d: got node %d, want it once if there is a path: %v", v, to, ok)
			}
			if !equal(weights[i], w) {
				return fmt.Errorf("from %d to %d: got %v, want %v", v, to, weights[i], w)
			}
			seen[to] = true
			pairs++
		}
	}
	if pairs != len(want) {
		return fmt.Errorf("got %d pairs, want %d", pairs, len(want))
	}
	return nil
}

func same[W comparable](a, b W) bool { return a == b }

func longestPath(g *Graph) int {
	ones := slices.Repeat([]int64{1}, g.Len())
	return int(slices.Max(append(BottomLevels(nil, g, ones), 1))) - 1
}

// fewPaths is a graph of up to a dozen nodes, most of them in one row, with some ways past them.
func fewPaths(rng *rand.Rand) *Graph {
	n := rng.IntN(13)
	place := rng.Perm(n)
	if rng.IntN(3) == 0 {
		slices.Sort(place) // numbered as edges lead
	}
	var edges []Edge
	for a := range n - 1 {
		if rng.IntN(10) > 0 {
			edges = append(edges, Edge{uint32(place[a]), uint32(place[a+1])})
		}
		for range rng.IntN(3) {
			b := min(n-1, a+1+rng.IntN(4))
			edges = append(edges, Edge{uint32(place[a]), uint32(place[b])})
		}
	}
	g, err := New(n, edges)
	if err != nil {
		panic(err)
	}
	return g
}

// Every path, one by one: exactly those of lengths 1 to 2^k, each once, with their edges in order.
func TestPathsAndWalkerFindEveryPathOnce(t *testing.T) {
	long, several := 0, 0
	for seed := range uint64(400) {
		g := fewPaths(rand.New(rand.NewPCG(seed, 6)))
		weights := edgeSets(g)
		for k := range 5 {
			c, err := Paths(g, weights, everyPath, k)
			if err != nil {
				t.Fatal(err)
			}
			want := enumerate(g, weights, everyPath, 1<<k, all)
			if err := rows(g, c.From, want, slices.Equal, true); err != nil {
				t.Fatalf("seed %d, %d iterations: %v", seed, k, err)
			}
			w, err := NewWalker(g, Walk[pathSet]{Algebra: everyPath, Weights: weights, Hops: 1 << k})
			if err != nil {
				t.Fatal(err)
			}
			if err := rows(g, w.From, want, slices.Equal, false); err != nil {
				t.Fatalf("seed %d, walker with %d hops: %v", seed, 1<<k, err)
			}
			if c.Len() != g.Len() || c.Pairs() != len(want) {
				t.Fatalf("seed %d: got %d nodes and %d pairs, want %d and %d", seed, c.Len(), c.Pairs(), g.Len(), len(want))
			}
		}
		want := enumerate(g, weights, everyPath, g.Len(), all)
		c, err := Paths(g, weights, everyPath, AllPaths)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWalker(g, Walk[pathSet]{Algebra: everyPath, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		if err := rows(g, c.From, want, slices.Equal, true); err != nil {
			t.Fatalf("seed %d, all paths: %v", seed, err)
		}
		if err := rows(g, w.From, want, slices.Equal, false); err != nil {
			t.Fatalf("seed %d, walker: %v", seed, err)
		}
		if longestPath(g) > 8 {
			long++
		}
		for _, paths := range want {
			if len(paths) > 1 && strings.Count(paths[0], ">") != strings.Count(paths[len(paths)-1], ">") {
				several++
			}
		}
	}
	if long < 10 || several < 1000 {
		t.Errorf("%d graphs with paths of more than 8 edges, %d pairs tied by paths of several lengths, want 10 and 1000", long, several)
	}
}

// What is asked in practice, with numbers that are exact: whole ones, which wrap, and powers of two.
func TestAlgebrasAgainstEveryPath(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		g := fewPaths(rng)
		for name, a := range map[string]Algebra[int64]{
			"sum of products": SumProduct[int64](), "longest": MaxPlus[int64](), "shortest": MinPlus[int64](),
		} {
			weights := Weigh(nil, g, func(Edge) int64 { return int64(rng.IntN(7)) - int64(seed%3) })
			if err := bothWays(g, weights, a, rng); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
		}
		halves := Weigh(nil, g, func(Edge) float64 { return 1 / float64(int(1)<<rng.IntN(3)) })
		if err := bothWays(g, halves, SumProduct[float64](), rng); err != nil {
			t.Fatalf("seed %d, shares: %v", seed, err)
		}
	}
}

// bothWays compares Paths and a walker with every path, the walker with nodes that do not count.
func bothWays[W comparable](g *Graph, weights []W, a Algebra[W], rng *rand.Rand) error {
	before := slices.Clone(weights)
	k := rng.IntN(4)
	c, err := Paths(g, weights, a, k)
	if err != nil {
		return err
	}
	if err := rows(g, c.From, enumerate(g, weights, a, 1<<k, all), same[W], true); err != nil {
		return fmt.Errorf("%d iterations: %w", k, err)
	}
	salt := rng.Uint32()
	keep := func(source, v uint32) bool { return (source*7919+v*104729+salt)%5 > 0 }
	w, err := NewWalker(g, Walk[W]{Algebra: a, Weights: weights, Keep: keep})
	if err != nil {
		return err
	}
	if err := rows(g, w.From, enumerate(g, weights, a, g.Len(), keep), same[W], false); err != nil {
		return fmt.Errorf("walker: %w", err)
	}
	hops := 1 + rng.IntN(g.Len()+1)
	short, err := NewWalker(g, Walk[W]{Algebra: a, Weights: weights, Keep: keep, Hops: hops})
	if err != nil {
		return err
	}
	want := enumerate(g, weights, a, hops, keep)
	if err := rows(g, short.From, want, same[W], false); err != nil {
		return fmt.Errorf("walker with %d hops: %w", hops, err)
	}
	if err := rows(g, short.Closure().From, want, same[W], true); err != nil {
		return fmt.Errorf("closure with %d hops: %w", hops, err)
	}
	if ends, _ := w.Ends(); len(ends) > 0 {
		return fmt.Errorf("ends without Stop: got %v, want none", ends)
	}
	if !slices.Equal(weights, before) {
		return fmt.Errorf("weights afterwards: got %v, want %v", weights, before)
	}
	return nil
}

// Where there are too many paths to walk one by one, doubling and one pass a source must agree.
func TestPathsAgainstWalker(t *testing.T) {
	for _, n := range []int{64, 65, 300, 5000} { // 5000: three levels of a tally
		g, err := New(n, benchEdges(n, min(4*n, 6000)))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(n), 8))
		weights := Weigh(nil, g, func(Edge) int64 { return int64(rng.Uint64()) })
		c, err := Paths(g, weights, SumProduct[int64](), AllPaths)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWalker(g, Walk[int64]{Algebra: SumProduct[int64](), Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		got := w.Closure()
		if diff := gocmp.Diff(c, got, gocmp.AllowUnexported(Closure[int64]{})); diff != "" {
			t.Errorf("%d nodes: doubling, and source by source:\n%s", n, diff)
		}
		if c.Pairs() < 5*n {
			t.Errorf("%d nodes: %d pairs, want five times as many", n, c.Pairs())
		}
	}
}

// All of a node's value comes from the sources, and it is divided without loss.
func TestSharesAddUp(t *testing.T) {
	sums := 0
	for seed := range uint64(300) {
		g := randomGraph(rand.New(rand.NewPCG(seed, 9)))
		c, err := Paths(g, Shares(nil, g), SumProduct[float64](), AllPaths)
		if err != nil {
			t.Fatal(err)
		}
		total := make([]float64, g.Len())
		for v := range uint32(g.Len()) {
			nodes, shares := c.From(v)
			for i, to := range nodes {
				// A pair's weight is a sum of rounded products; of n nodes, n roundings up at most on
				// each way, and sums of positive terms keep that relative error but for one a term.
				if slack := 1 + float64(3*g.Len()*g.Len())*0x1p-53; !(shares[i] > 0 && shares[i] <= slack) {
					t.Fatalf("seed %d: share of %d from %d: got %v, want (0, 1]", seed, to, v, shares[i])
				}
				if len(g.In(v)) == 0 {
					total[to] += shares[i]
				}
			}
		}
		for v, got := range total {
			if len(g.In(uint32(v))) == 0 {
				continue
			}
			if slack := float64(4*g.Len()*g.Len()) * 0x1p-53; got < 1-slack || got > 1+slack {
				t.Fatalf("seed %d: node %d: shares of sources add up to %v, want 1", seed, v, got)
			}
			sums++
		}
	}
	if sums < 1000 {
		t.Errorf("%d nodes that have sources, want 1000", sums)
	}
}

func TestMultihopRefuses(t *testing.T) {
	g, err := New(3, []Edge{{0, 1}, {1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	good := SumProduct[int64]()
	for _, test := range []struct {
		name       string
		weights    []int64
		algebra    Algebra[int64]
		iterations int
		want       string
	}{
		{"no Along", []int64{1, 1}, Algebra[int64]{Across: good.Across}, 1, "dag: Along is nil, want a function"},
		{"no Across", []int64{1, 1}, Algebra[int64]{Along: good.Along}, 1, "dag: Across is nil, want a function"},
		{"too few weights", []int64{1}, good, 1, "dag: 1 weights for 2 edges, want one for each"},
		{"too many weights", []int64{1, 1, 1}, good, 1, "dag: 3 weights for 2 edges, want one for each"},
		{"negative", []int64{1, 1}, good, -1, "dag: -1 iterations, want 0 or more"},
	} {
		if c, err := Paths(g, test.weights, test.algebra, test.iterations); c != nil || err == nil || err.Error() != test.want {
			t.Errorf("%s: Paths: got %v, %v, want %s", test.name, c, err, test.want)
		}
		if test.iterations < 0 {
			continue
		}
		if w, err := NewWalker(g, Walk[int64]{Algebra: test.algebra, Weights: test.weights}); w != nil || err == nil || err.Error() != test.want {
			t.Errorf("%s: NewWalker: got %v, %v, want %s", test.name, w, err, test.want)
		}
	}

	for _, test := range []struct {
		hops int
		stop func(int64) bool
		want string
	}{
		{-1, nil, "dag: Hops is -1, want 0 or more"},
		{2, func(int64) bool { return false }, "dag: Hops is 2 and there is a Stop, want one of them"},
	} {
		w, err := NewWalker(g, Walk[int64]{Algebra: good, Weights: []int64{1, 1}, Hops: test.hops, Stop: test.stop})
		if w != nil || err == nil || err.Error() != test.want {
			t.Errorf("%d hops: got %v, %v, want %s", test.hops, w, err, test.want)
		}
	}

	w, err := NewWalker(g, Walk[int64]{Algebra: good, Weights: []int64{1, 1}, Stop: func(int64) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Paths(g, []int64{1, 1}, good, AllPaths)
	if err != nil {
		t.Fatal(err)
	}
	w.From(0)
	if ends, _ := w.Ends(); !slices.Equal(ends, []uint32{1}) {
		t.Errorf("ends: got %v, want [1]", ends)
	}
	w.From(1)
	if ends, _ := w.Ends(); len(ends) > 0 { // nothing follows 2
		t.Errorf("ends: got %v, want none", ends)
	}
	w.From(0)
	for _, v := range []uint32{3, 1<<32 - 1} {
		if nodes, weights := w.From(v); nodes != nil || weights != nil {
			t.Errorf("walker from node %d: got %v, %v, want nothing", v, nodes, weights)
		}
		if ends, weights := w.Ends(); len(ends) > 0 || len(weights) > 0 {
			t.Errorf("ends from node %d: got %v, %v, want nothing", v, ends, weights)
		}
		if nodes, weights := c.From(v); nodes != nil || weights != nil {
			t.Errorf("closure from node %d: got %v, %v, want nothing", v, nodes, weights)
		}
	}
	empty, err := New(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Paths(empty, nil, good, AllPaths); err != nil || c.Len() != 0 || c.Pairs() != 0 {
		t.Errorf("paths of no nodes: got %v, %v, want none", c, err)
	}
}

// FuzzPaths reads a number of nodes and then edges, two bytes each, that lead upwards.
func FuzzPaths(f *testing.F) {
	f.Add(uint8(4), uint8(1), []byte{0, 1, 1, 2, 2, 3, 0, 2, 0, 3})
	f.Add(uint8(9), uint8(3), []byte{0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 0, 8, 0, 4})
	f.Add(uint8(0), uint8(0), []byte{})
	f.Fuzz(func(t *testing.T, n, k uint8, data []byte) {
		n, k = n%10, k%5
		var edges []Edge
		for ; len(data) >= 2 && n > 1; data = data[2:] {
			a, b := uint32(data[0]%n), uint32(data[1]%n)
			if a != b {
				edges = append(edges, Edge{min(a, b), max(a, b)})
			}
		}
		g, err := New(int(n), edges)
		if err != nil {
			t.Fatal(err)
		}
		weights := edgeSets(g)
		c, err := Paths(g, weights, everyPath, int(k))
		if err != nil {
			t.Fatal(err)
		}
		if err := rows(g, c.From, enumerate(g, weights, everyPath, 1<<k, all), slices.Equal, true); err != nil {
			t.Fatalf("%d iterations: %v", k, err)
		}
		w, err := NewWalker(g, Walk[pathSet]{Algebra: everyPath, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		if err := rows(g, w.From, enumerate(g, weights, everyPath, int(n), all), slices.Equal, false); err != nil {
			t.Fatal(err)
		}
	})
}
