package dag

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Reachability by Warshall's algorithm, and components as its closure in both directions.
func TestReachAndConnectedAgainstWarshall(t *testing.T) {
	ways, none, apart := 0, 0, 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		g := randomGraph(rng)
		n := g.Len()
		down, both := matrix(n), matrix(n)
		for v := range n {
			for _, to := range g.Out(uint32(v)) {
				down[v][to], both[v][to], both[to][v] = true, true, true
			}
			both[v][v] = true
		}
		warshall(down)
		warshall(both)

		r := NewReach(g)
		if seed%2 == 1 {
			r.now = math.MaxUint32 - uint32(rng.IntN(n+1)) // questions are numbered anew meanwhile
			for v := range r.seen {
				r.seen[v] = uint32(rng.IntN(3)) // as questions long ago may have left them
			}
		}
		for v := range n {
			var below, above []uint32
			for u := range n {
				if down[v][u] {
					below = append(below, uint32(u))
				}
				if down[u][v] {
					above = append(above, uint32(u))
				}
				got := r.Path(uint32(v), uint32(u))
				if got != down[v][u] {
					t.Fatalf("seed %d: path from %d to %d: got %v, want %v", seed, v, u, got, down[v][u])
				}
				if got {
					ways++
				} else {
					none++
				}
			}
			for _, test := range []struct {
				name string
				ask  func([]uint32, uint32) []uint32
				near func(uint32) []uint32
				want []uint32
			}{
				{"below", r.Below, g.Out, below},
				{"above", r.Above, g.In, above},
			} {
				got := test.ask([]uint32{7}, uint32(v))
				if direct := test.near(uint32(v)); got[0] != 7 || !slices.Equal(got[1:1+len(direct)], direct) {
					t.Fatalf("seed %d: %s %d: got %v, want 7 and then %v", seed, test.name, v, got, direct)
				}
				slices.Sort(got[1:])
				if !slices.Equal(got[1:], test.want) {
					t.Fatalf("seed %d: %s %d: got %v, want %v", seed, test.name, v, got[1:], test.want)
				}
			}
		}

		parts, got := Connected(g)
		sizes := make([]uint32, len(got))
		next := uint32(0)
		for v, of := range parts {
			for u := range v {
				if (parts[u] == of) != both[u][v] {
					t.Fatalf("seed %d: nodes %d and %d in components %d and %d, want the same one: %v", seed, u, v, parts[u], of, both[u][v])
				}
			}
			if of > next {
				t.Fatalf("seed %d: component %d of node %d comes after %d, want them numbered by their least nodes", seed, of, v, next)
			}
			if of == next {
				next++
			}
			sizes[of]++
		}
		if !slices.Equal(got, sizes) || int(next) != len(sizes) {
			t.Fatalf("seed %d: sizes: got %v, want %v", seed, got, sizes)
		}
		if len(sizes) > 1 {
			apart++
		}
	}
	if ways < 10_000 || none < 10_000 || apart < 100 {
		t.Errorf("%d pairs with a path, %d without, %d graphs not connected, want 10000, 10000, 100", ways, none, apart)
	}
}

// randomGraph is any graph of fewer than 40 nodes.
func randomGraph(rng *rand.Rand) *Graph {
	for {
		if g, err := New(randomEdges(rng)); err == nil {
			return g
		}
	}
}

func matrix(n int) [][]bool {
	m := make([][]bool, n)
	for v := range m {
		m[v] = make([]bool, n)
	}
	return m
}

func warshall(m [][]bool) {
	for via := range m {
		for from := range m {
			for to := range m {
				m[from][to] = m[from][to] || m[from][via] && m[via][to]
			}
		}
	}
}

func TestReachOfNoNode(t *testing.T) {
	g, err := New(2, []Edge{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	r := NewReach(g)
	for _, v := range []uint32{2, math.MaxUint32} {
		if got := append(r.Below(nil, v), r.Above(nil, v)...); got != nil {
			t.Errorf("reach of node %d: got %v, want none", v, got)
		}
		if r.Path(v, 0) || r.Path(0, v) {
			t.Errorf("path with node %d: got one, want none", v)
		}
	}
}

func TestReachAllocatesNothing(t *testing.T) {
	g, err := New(1000, benchEdges(1000, 4000))
	if err != nil {
		t.Fatal(err)
	}
	r := NewReach(g)
	nodes := make([]uint32, 0, g.Len())
	first, last := g.Order()[0], g.Order()[g.Len()-1]
	if allocs := testing.AllocsPerRun(10, func() {
		nodes = r.Below(nodes[:0], first)
		nodes = r.Above(nodes[:0], last)
		r.Path(first, last)
	}); allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
}

// grow runs a benchmark on graphs of 10^4 to 10^7 edges, four for each node.
func grow(b *testing.B, run func(b *testing.B, g *Graph)) {
	for m := 10_000; m <= 10_000_000; m *= 10 {
		b.Run(fmt.Sprintf("edges=%d", m), func(b *testing.B) {
			g, err := New(m/4, benchEdges(m/4, m))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			run(b, g)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Edges()), "ns/edge")
		})
	}
}

func BenchmarkConnected(b *testing.B) {
	grow(b, func(b *testing.B, g *Graph) {
		var sizes []uint32
		for b.Loop() {
			_, sizes = Connected(g)
		}
		if int(slices.Max(sizes)) < g.Len()/2 {
			b.Fatal("no large component")
		}
	})
}

// The order alone, as New makes it once the edges are sorted.
func BenchmarkOrder(b *testing.B) {
	grow(b, func(b *testing.B, g *Graph) {
		for b.Loop() {
			if len(g.sort()) != g.Len() {
				b.Fatal("not all nodes in order")
			}
		}
	})
}

// From that of the first hundred nodes that reaches the most.
func BenchmarkReach(b *testing.B) {
	grow(b, func(b *testing.B, g *Graph) {
		r := NewReach(g)
		nodes := make([]uint32, 0, g.Len())
		from, most := uint32(0), -1
		for _, v := range g.Order()[:100] {
			if found := len(r.Below(nodes, v)); found > most {
				from, most = v, found
			}
		}
		for b.Loop() {
			nodes = r.Below(nodes[:0], from)
		}
		b.ReportMetric(float64(len(nodes))/float64(g.Len()), "share")
	})
}
