package dag

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a Graph promises.
func TestPromises(t *testing.T) {
	t.Run("New builds a graph whose order is topological, or returns a cycle, whatever the order of the edges", randomGraphs)
	t.Run("New names an edge that leads out of range, and the nodes of a cycle", newRefuses)
	t.Run("Depth and ConnectedComponents agree with Warshall's algorithm", connectedAndDepthAgainstWarshall)
	t.Run("what a caller appends to a list does not change the graph", appendToListsIsHarmless)
}

func randomGraphs(t *testing.T) {
	cycles, graphs, doubles, dense := 0, 0, 0, 0
	for seed := range uint64(700) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n, edges := randomEdges(rng)
		before := slices.Clone(edges)
		g, err := New(n, edges)
		if !slices.Equal(edges, before) {
			t.Fatalf("seed %d: edges afterwards: got %v, want %v", seed, edges, before)
		}
		if err := checkAnswer(n, edges, g, err); err != nil {
			t.Fatalf("seed %d, %d nodes, edges %v: %v", seed, n, edges, err)
		}

		rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		shuffled, errShuffled := New(n, edges)
		if diff := cmp.Diff(g, shuffled, cmp.AllowUnexported(Graph{})); diff != "" {
			t.Fatalf("seed %d, %d nodes, edges %v: the order of the edges matters:\n%s", seed, n, edges, diff)
		}
		if fmt.Sprint(err) != fmt.Sprint(errShuffled) {
			t.Fatalf("seed %d, %d nodes, edges %v: got error %v, want %v", seed, n, edges, errShuffled, err)
		}

		if err != nil {
			cycles++
			continue
		}
		graphs++
		if g.Edges() < len(edges) {
			doubles++
		}
		if g.Edges() > 4*n {
			dense++
		}
	}
	for _, edge := range []struct {
		name  string
		times int
	}{
		{"graphs with a cycle", cycles}, {"graphs without", graphs},
		{"graphs with doubles", doubles}, {"graphs of many edges", dense},
	} {
		if edge.times < 25 {
			t.Errorf("%s: got %d, want 25 or more", edge.name, edge.times)
		}
	}
}

func newRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		n     int
		edges []Edge
		text  string
		cycle []uint32 // beginning with its least node; nil if it is not that
	}{
		{"negative", -1, nil, "dag: -1 nodes, want 0 to 2^28", nil},
		{"too many", 1<<28 + 1, nil, "dag: 268435457 nodes, want 0 to 2^28", nil},
		{"edge of the empty graph", 0, []Edge{{0, 0}}, "dag: edge 0 leads from 0 to 0, want nodes below 0", nil},
		{"from out of range", 2, []Edge{{0, 1}, {2, 1}}, "dag: edge 1 leads from 2 to 1, want nodes below 2", nil},
		{"to out of range", 2, []Edge{{0, 1}, {0, 1}, {1, 2}}, "dag: edge 2 leads from 1 to 2, want nodes below 2", nil},
		{"greatest", 2, []Edge{{math.MaxUint32, math.MaxUint32}}, "dag: edge 0 leads from 4294967295 to 4294967295, want nodes below 2", nil},
		{"out of range before a cycle", 2, []Edge{{0, 0}, {1, 5}}, "dag: edge 1 leads from 1 to 5, want nodes below 2", nil},
		{"self loop", 1, []Edge{{0, 0}}, "dag: cycle through [0]", []uint32{0}},
		{"self loop behind others", 3, []Edge{{0, 1}, {2, 2}, {1, 2}}, "dag: cycle through [2]", []uint32{2}},
		{"two nodes", 2, []Edge{{0, 1}, {1, 0}}, "dag: cycle through [", []uint32{0, 1}},
		// A walk forwards from the cycle, or from the first node that is left, ends in 4.
		{"cycle with a way in and a way out", 5, []Edge{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}}, "dag: cycle through [", []uint32{1, 2, 3}},
		{"eight nodes", 8, ring(8), "dag: cycle through [", []uint32{0, 1, 2, 3, 4, 5, 6, 7}},
		{"nine nodes", 9, ring(9), "dag: cycle of 9 nodes through [", []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := New(test.n, test.edges)
			if g != nil || err == nil {
				t.Fatalf("got %v, %v, want no graph and an error", g, err)
			}
			if !strings.Contains(err.Error(), test.text) {
				t.Errorf("error: got %q, want it to contain %q", err, test.text)
			}
			var cycle []uint32
			if c, ok := errors.AsType[*CycleError](err); ok {
				cycle = leastFirst(c.Cycle)
			}
			if !slices.Equal(cycle, test.cycle) {
				t.Errorf("cycle: got %v, want %v", cycle, test.cycle)
			}
		})
	}
}

// ring is a cycle through all of n nodes.
func ring(n int) []Edge {
	edges := make([]Edge, n)
	for v := range edges {
		edges[v] = Edge{uint32(v), uint32((v + 1) % n)}
	}
	return edges
}

// leastFirst turns a cycle so that it begins with its least node.
func leastFirst(cycle []uint32) []uint32 {
	i := slices.Index(cycle, slices.Min(cycle))
	return slices.Concat(cycle[i:], cycle[:i])
}

func appendToListsIsHarmless(t *testing.T) {
	edges := []Edge{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}
	g, err := New(4, edges)
	if err != nil {
		t.Fatal(err)
	}
	for v := range uint32(4) {
		_ = append(g.Out(v), 99)
		_ = append(g.In(v), 99)
	}
	_ = append(g.Order(), 99)
	if err := check(4, edges, g); err != nil {
		t.Error(err)
	}
}

// randomEdges draws edges, few or many. Three times of four they lead forwards in a hidden
// order of the nodes, so that there is no cycle; else they lead anywhere.
func randomEdges(rng *rand.Rand) (n int, edges []Edge) {
	n = rng.IntN(40)
	if n == 0 {
		return 0, nil
	}
	place := rng.Perm(n)
	acyclic := rng.IntN(4) > 0
	for range rng.IntN(1 + rng.IntN(8*n)) {
		a, b := rng.IntN(n), rng.IntN(n)
		if acyclic {
			if a == b {
				continue
			}
			if place[a] > place[b] {
				a, b = b, a
			}
		}
		edges = append(edges, Edge{uint32(a), uint32(b)})
	}
	return n, edges
}

// checkAnswer says what is wrong with what New answered for edges within range.
func checkAnswer(n int, edges []Edge, g *Graph, err error) error {
	if err != nil {
		if g != nil {
			return fmt.Errorf("got a graph with the error %v, want none", err)
		}
		c, ok := errors.AsType[*CycleError](err)
		if !ok {
			return fmt.Errorf("got error %v, want a *CycleError or none", err)
		}
		return checkCycle(edges, c.Cycle)
	}
	return check(n, edges, g)
}

// check says what is wrong with the graph of n nodes with the given edges. Its order must be that of a naive queue of free nodes,
// which holds all nodes only if there is no cycle.
func check(n int, edges []Edge, g *Graph) error {
	if g.Len() != n {
		return fmt.Errorf("got %d nodes, want %d", g.Len(), n)
	}
	sum := 0
	for v := range uint32(n) {
		var out, in []uint32
		for _, e := range edges {
			if e.From == v {
				out = append(out, e.To)
			}
			if e.To == v {
				in = append(in, e.From)
			}
		}
		for _, list := range []*[]uint32{&out, &in} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		if sum += len(out); !slices.Equal(g.Out(v), out) || !slices.Equal(g.In(v), in) {
			return fmt.Errorf("node %d: got Out %v and In %v, want %v and %v", v, g.Out(v), g.In(v), out, in)
		}
	}
	if g.Edges() != sum {
		return fmt.Errorf("got %d edges, want %d", g.Edges(), sum)
	}

	var want []uint32
	done := make(map[uint32]bool)
	free := func(v uint32) bool {
		return !slices.ContainsFunc(g.In(v), func(from uint32) bool { return !done[from] })
	}
	for v := range uint32(n) {
		if free(v) {
			want = append(want, v)
		}
	}
	for i := 0; i < len(want); i++ {
		done[want[i]] = true
		for _, to := range g.Out(want[i]) {
			if free(to) {
				want = append(want, to)
			}
		}
	}
	if len(want) != n || !slices.Equal(g.Order(), want) {
		return fmt.Errorf("Order: got %v, want %v", g.Order(), want)
	}
	return nil
}

// checkCycle says why the nodes are not a cycle of the edges.
func checkCycle(edges []Edge, cycle []uint32) error {
	if len(cycle) == 0 {
		return errors.New("got an empty cycle")
	}
	seen := make(map[uint32]bool)
	for i, v := range cycle {
		if e := (Edge{v, cycle[(i+1)%len(cycle)]}); !slices.Contains(edges, e) {
			return fmt.Errorf("cycle %v: got a step from %d to %d, want an edge", cycle, e.From, e.To)
		}
		if seen[v] {
			return fmt.Errorf("cycle %v: got node %d again, want each once", cycle, v)
		}
		seen[v] = true
	}
	return nil
}

// FuzzNew reads a number of nodes and then edges, two bytes each.
func FuzzNew(f *testing.F) {
	f.Add(uint8(0), []byte{})
	f.Add(uint8(1), []byte{0, 0})
	f.Add(uint8(4), []byte{3, 1, 1, 0, 2, 0, 3, 2, 3, 1})
	f.Add(uint8(5), []byte{0, 1, 1, 2, 2, 3, 3, 1, 3, 4})
	f.Add(uint8(3), []byte{0, 1, 1, 3})
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		var edges []Edge
		inside := true
		for ; len(data) >= 2; data = data[2:] {
			e := Edge{uint32(data[0]), uint32(data[1])}
			edges = append(edges, e)
			inside = inside && e.From < uint32(n) && e.To < uint32(n)
		}
		before := slices.Clone(edges)
		g, err := New(int(n), edges)
		if !slices.Equal(edges, before) {
			t.Fatalf("edges afterwards: got %v, want %v", edges, before)
		}
		if !inside {
			if _, ok := errors.AsType[*CycleError](err); g != nil || err == nil || ok {
				t.Fatalf("got %v, %v, want no graph and an error about an edge out of range", g, err)
			}
			return
		}
		if err := checkAnswer(int(n), edges, g, err); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	for n := 1000; n <= 1_000_000; n *= 10 {
		b.Run(fmt.Sprintf("nodes=%d/edges=%d", n, 4*n), func(b *testing.B) {
			edges := benchEdges(n, 4*n)
			b.ReportAllocs()
			b.SetBytes(int64(8 * len(edges)))
			for b.Loop() {
				if _, err := New(n, edges); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// benchEdges draws edges that lead forwards in a random order of the nodes.
func benchEdges(n, m int) []Edge {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	nodes := rng.Perm(n)
	edges := make([]Edge, m)
	for i := range edges {
		to := 1 + rng.IntN(n-1)
		edges[i] = Edge{uint32(nodes[rng.IntN(to)]), uint32(nodes[to])}
	}
	return edges
}
