package dag

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What a walker leaves out if it stops is known from where it stopped, path by path.
func TestEndsTellWhatIsMissing(t *testing.T) {
	stops, missing := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 10))
		g := fewPaths(rng)
		weights := edgeSets(g)
		salt := rng.Uint32()
		keep := func(source, v uint32) bool { return (source*7919+v*104729+salt)%7 > 0 }
		// Stop knows the weight alone: at some nodes, and where there are so many paths.
		stop := func(paths pathSet) bool {
			last := paths[0][strings.LastIndex(paths[0], ">"):]
			return len(paths) > 4 || (salt+uint32(len(last))+uint32(last[1]))%3 == 0
		}
		w, err := NewWalker(g, Walk[pathSet]{Algebra: everyPath, Weights: weights, Keep: keep, Stop: stop})
		if err != nil {
			t.Fatal(err)
		}
		want := enumerate(g, weights, everyPath, g.Len(), keep)
		got := make(map[Edge]pathSet)
		for v := range uint32(g.Len()) {
			nodes, found := w.From(v)
			for i, to := range nodes {
				got[Edge{v, to}] = found[i]
			}
			ends, upTo := w.Ends()
			stops += len(ends)
			for i, e := range ends {
				if !slices.Equal(got[Edge{v, e}], upTo[i]) || !stop(upTo[i]) {
					t.Fatalf("seed %d: end %d from %d: got %v, want what was found: %v", seed, e, v, upTo[i], got[Edge{v, e}])
				}
			}
			// The paths on from an end, through nodes that count for this source.
			on := enumerate(g, weights, everyPath, g.Len(), func(_, u uint32) bool { return keep(v, u) })
			for i, e := range ends {
				for to := range uint32(g.Len()) {
					if rest, ok := on[Edge{e, to}]; ok {
						got[Edge{v, to}] = everyPath.Across(got[Edge{v, to}], everyPath.Along(upTo[i], rest))
						missing++
					}
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d: got %d pairs, want %d", seed, len(got), len(want))
		}
		for pair, paths := range want {
			if !slices.Equal(got[pair], paths) {
				t.Fatalf("seed %d: %v: got %v, want %v", seed, pair, got[pair], paths)
			}
		}
	}
	if stops < 300 || missing < 300 {
		t.Errorf("%d stops with %d pairs beyond, want 300 and 300", stops, missing)
	}
}

// With shares that are too small left out, no node misses more than the ends' sum, and the value
// that is missing is theirs times what is below.
func TestStopsLoseNoMoreThanTheirSum(t *testing.T) {
	lost := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 11))
		g := randomGraph(rng)
		shares := Shares(nil, g)
		whole, err := NewWalker(g, Walk[float64]{Algebra: SumProduct[float64](), Weights: shares})
		if err != nil {
			t.Fatal(err)
		}
		bound := rng.Float64() / 2
		some, err := NewWalker(g, Walk[float64]{
			Algebra: SumProduct[float64](), Weights: shares,
			Stop: func(share float64) bool { return share < bound },
		})
		if err != nil {
			t.Fatal(err)
		}
		below := make([]float64, g.Len()) // value of all below a node, of 1 each
		for _, v := range slices.Backward(g.Order()) {
			for _, to := range g.Out(v) {
				below[v] += (1 + below[to]) / float64(len(g.In(to)))
			}
		}
		slack := 1e-12 // of values up to 40, added up over up to 40 nodes
		for v := range uint32(g.Len()) {
			nodes, full := whole.From(v)
			miss := make([]float64, g.Len())
			value := 0.0
			for i, to := range nodes {
				miss[to] = full[i]
				value += full[i]
			}
			if d := value - below[v]; d < -slack || d > slack {
				t.Fatalf("seed %d: value below %d: got %v, want %v", seed, v, value, below[v])
			}
			nodes, part := some.From(v)
			missing := value
			for i, to := range nodes {
				miss[to] -= part[i]
				missing -= part[i]
			}
			sum, want := 0.0, 0.0
			ends, weights := some.Ends()
			for i, e := range ends {
				sum += weights[i]
				want += float64(weights[i] * below[e])
			}
			if d := missing - want; d < -slack || d > slack {
				t.Fatalf("seed %d: value missing below %d: got %v, want %v", seed, v, missing, want)
			}
			for to, m := range miss {
				if m > sum+slack {
					t.Fatalf("seed %d: from %d to %d misses %v, want at most %v", seed, v, to, m, sum)
				}
			}
			if want > 0 {
				lost++
			}
		}
	}
	if lost < 500 {
		t.Errorf("%d sources lost something, want 500", lost)
	}
}

func TestWalkerAllocatesNothing(t *testing.T) {
	g, err := New(1000, benchEdges(1000, 4000))
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWalker(g, Walk[float64]{
		Algebra: SumProduct[float64](), Weights: Shares(nil, g),
		Keep: func(_, v uint32) bool { return v%7 > 0 },
		Stop: func(share float64) bool { return share < 1e-3 },
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
