package dag

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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

func edgeSet(e Edge) pathSet { return pathSet{fmt.Sprintf("%d>%d,", e.From, e.To)} }

// weigh draws a weight for each edge.
func weigh[W any](g *Graph, draw func() W) func(Edge) W {
	weights := make(map[Edge]W)
	for from := range uint32(g.Len()) {
		for _, to := range g.Out(from) {
			weights[Edge{from, to}] = draw()
		}
	}
	return func(e Edge) W { return weights[e] }
}

// enumerate walks every path of at most so many edges through nodes that keep allows.
func enumerate[W any](g *Graph, weight func(Edge) W, a Algebra[W], most int, keep func(source, v uint32) bool) map[Edge]W {
	found := make(map[Edge]W)
	var walk func(source, at uint32, w W, hops int)
	walk = func(source, at uint32, w W, hops int) {
		for _, to := range g.Out(at) {
			if hops == most || !keep(source, to) {
				continue
			}
			longer := weight(Edge{at, to})
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

// rows says what is wrong with the answers of a walker for every source.
func rows[W any](g *Graph, walk Walk[W], want map[Edge]W, equal func(a, b W) bool) error {
	w, err := NewWalker(g, walk)
	if err != nil {
		return err
	}
	pairs := 0
	place := places(forwards(g))
	for v := range uint32(g.Len()) {
		nodes, weights := w.From(v)
		if len(nodes) != len(weights) {
			return fmt.Errorf("from %d: %d nodes and %d weights", v, len(nodes), len(weights))
		}
		if !slices.IsSortedFunc(nodes, func(a, b uint32) int { return cmp.Compare(place[a], place[b]) }) {
			return fmt.Errorf("from %d: got %v, want them in an order in which edges lead forwards", v, nodes)
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

// Every path, one by one: exactly those that are not too long, each once, with their edges in order.
func TestWalkerFindsEveryPathOnce(t *testing.T) {
	long, several := 0, 0
	for seed := range uint64(400) {
		g := fewPaths(rand.New(rand.NewPCG(seed, 6)))
		for _, hops := range []int{1, 2, 4, 8, 0} {
			most := hops
			if hops == 0 {
				most = g.Len()
			}
			want := enumerate(g, edgeSet, everyPath, most, all)
			if err := rows(g, Walk[pathSet]{Algebra: everyPath, Weight: edgeSet, Hops: hops}, want, slices.Equal); err != nil {
				t.Fatalf("seed %d, %d hops: %v", seed, hops, err)
			}
			for _, paths := range want {
				if hops == 0 && strings.Count(paths[0], ">") != strings.Count(paths[len(paths)-1], ">") {
					several++
				}
			}
		}
		if Depth(g) > 8 {
			long++
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
			weight := weigh(g, func() int64 { return int64(rng.IntN(7)) - int64(seed%3) })
			if err := someNodes(g, weight, a, rng); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
		}
		halves := weigh(g, func() float64 { return 1 / float64(int(1)<<rng.IntN(3)) })
		if err := someNodes(g, halves, SumProduct[float64](), rng); err != nil {
			t.Fatalf("seed %d, shares: %v", seed, err)
		}
	}
}

// someNodes compares walkers with every path, where some nodes do not count.
func someNodes[W comparable](g *Graph, weight func(Edge) W, a Algebra[W], rng *rand.Rand) error {
	salt := rng.Uint32()
	keep := func(source, v uint32) bool { return (source*7919+v*104729+salt)%5 > 0 }
	if err := rows(g, Walk[W]{Algebra: a, Weight: weight, Keep: keep}, enumerate(g, weight, a, g.Len(), keep), same[W]); err != nil {
		return err
	}
	hops := 1 + rng.IntN(g.Len()+1)
	if err := rows(g, Walk[W]{Algebra: a, Weight: weight, Keep: keep, Hops: hops}, enumerate(g, weight, a, hops, keep), same[W]); err != nil {
		return fmt.Errorf("%d hops: %w", hops, err)
	}
	return nil
}

// Where there are too many paths to walk one by one, length by length must come to the same.
func TestLengthsAddUpToAllPaths(t *testing.T) {
	for _, n := range []int{64, 65, 300, 5000} { // 5000: three levels of a tally
		g, err := New(n, benchEdges(n, min(4*n, 6000)))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(n), 8))
		walk := Walk[int64]{Algebra: SumProduct[int64](), Weight: weigh(g, func() int64 { return int64(rng.Uint64()) })}
		w, err := NewWalker(g, walk)
		if err != nil {
			t.Fatal(err)
		}
		layers, err := NewWalker(g, walk)
		if err != nil {
			t.Fatal(err)
		}
		layers.walk.Hops = Depth(g)
		layers.now, layers.next = newTally(n, walk.Algebra.Across), newTally(n, walk.Algebra.Across)
		pairs := 0
		for v := range uint32(n) {
			nodes, weights := w.From(v)
			gotNodes, got := layers.From(v)
			if !slices.Equal(gotNodes, nodes) || !slices.Equal(got, weights) {
				t.Fatalf("%d nodes: from %d: got %v with %v, want %v with %v", n, v, gotNodes, got, nodes, weights)
			}
			pairs += len(nodes)
		}
		if pairs < 5*n {
			t.Errorf("%d nodes: %d pairs, want five times as many", n, pairs)
		}
	}
}

// All of a node's value comes from the sources, and it is divided without loss.
func TestSharesAddUp(t *testing.T) {
	sums := 0
	for seed := range uint64(300) {
		g := randomGraph(rand.New(rand.NewPCG(seed, 9)))
		w, err := NewWalker(g, Walk[float64]{Algebra: SumProduct[float64](), Weight: Shares(g)})
		if err != nil {
			t.Fatal(err)
		}
		total := make([]float64, g.Len())
		for v := range uint32(g.Len()) {
			nodes, shares := w.From(v)
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

func TestWalkerRefuses(t *testing.T) {
	g, err := New(3, []Edge{{0, 1}, {1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	sum := SumProduct[int64]()
	one := func(Edge) int64 { return 1 }
	for _, test := range []struct {
		walk Walk[int64]
		want string
	}{
		{Walk[int64]{Algebra: Algebra[int64]{Across: sum.Across}, Weight: one}, "dag: Along is nil, want a function"},
		{Walk[int64]{Algebra: Algebra[int64]{Along: sum.Along}, Weight: one}, "dag: Across is nil, want a function"},
		{Walk[int64]{Algebra: sum}, "dag: Weight is nil, want a function"},
		{Walk[int64]{Algebra: sum, Weight: one, Hops: -1}, "dag: Hops is -1, want 0 or more"},
	} {
		if w, err := NewWalker(g, test.walk); w != nil || err == nil || err.Error() != test.want {
			t.Errorf("got %v, %v, want %s", w, err, test.want)
		}
	}
	w, err := NewWalker(g, Walk[int64]{Algebra: sum, Weight: one})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []uint32{3, 1<<32 - 1} {
		if nodes, weights := w.From(v); nodes != nil || weights != nil {
			t.Errorf("from node %d: got %v, %v, want nothing", v, nodes, weights)
		}
	}
	empty, err := New(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewWalker(empty, Walk[int64]{Algebra: sum, Weight: one}); err != nil {
		t.Errorf("over no nodes: %v", err)
	}
}

func TestWalkerAllocatesNothing(t *testing.T) {
	g, err := New(1000, benchEdges(1000, 4000))
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWalker(g, Walk[float64]{
		Algebra: SumProduct[float64](), Weight: Shares(g),
		Keep: func(_, v uint32) bool { return v%7 > 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	if allocs := testing.AllocsPerRun(1, func() { // and once before it counts
		for v := range uint32(g.Len()) {
			w.From(v)
		}
	}); allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
}

// FuzzWalker reads a number of nodes and then edges, two bytes each, that lead upwards.
func FuzzWalker(f *testing.F) {
	f.Add(uint8(4), uint8(2), []byte{0, 1, 1, 2, 2, 3, 0, 2, 0, 3})
	f.Add(uint8(9), uint8(8), []byte{0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 0, 8, 0, 4})
	f.Add(uint8(0), uint8(0), []byte{})
	f.Fuzz(func(t *testing.T, n, hops uint8, data []byte) {
		n, hops = n%10, 1+hops%16
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
		walk := Walk[pathSet]{Algebra: everyPath, Weight: edgeSet}
		if err := rows(g, walk, enumerate(g, edgeSet, everyPath, int(n), all), slices.Equal); err != nil {
			t.Fatal(err)
		}
		walk.Hops = int(hops)
		if err := rows(g, walk, enumerate(g, edgeSet, everyPath, int(hops), all), slices.Equal); err != nil {
			t.Fatalf("%d hops: %v", hops, err)
		}
	})
}
