package dag

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The upward and downward ranks of the ten tasks in the example of Topcuoglu et al., as it prints
// them.
// They count the costs of edges, so each edge is a node of its own, after the ten. Tasks weigh
// the mean over three processors; all is in thirds, to be whole numbers.
func TestRanksOfHEFT(t *testing.T) {
	costs := [][3]int64{ // by processor
		{14, 16, 9}, {13, 19, 18}, {11, 13, 19}, {13, 8, 17}, {12, 13, 10},
		{13, 16, 9}, {7, 15, 11}, {5, 11, 14}, {18, 12, 20}, {21, 7, 16},
	}
	arcs := []struct{ from, to, cost int64 }{
		{1, 2, 18}, {1, 3, 12}, {1, 4, 9}, {1, 5, 11}, {1, 6, 14}, {2, 8, 19}, {2, 9, 16}, {3, 7, 23},
		{4, 8, 27}, {4, 9, 23}, {5, 9, 13}, {6, 8, 15}, {7, 10, 17}, {8, 10, 11}, {9, 10, 13},
	}
	var thirds []int64
	for _, c := range costs {
		thirds = append(thirds, c[0]+c[1]+c[2])
	}
	var edges []Edge
	for _, a := range arcs {
		between := uint32(len(thirds))
		edges = append(edges, Edge{uint32(a.from - 1), between}, Edge{between, uint32(a.to - 1)})
		thirds = append(thirds, 3*a.cost)
	}
	g, err := New(len(thirds), edges)
	if err != nil {
		t.Fatal(err)
	}
	bottom := BottomLevels(nil, g, thirds)
	for i, want := range []string{"108.000", "77.000", "80.000", "80.000", "69.000", "63.333", "42.667", "35.667", "44.333", "14.667"} {
		if got := fmt.Sprintf("%.3f", float64(bottom[i])/3); got != want {
			t.Errorf("upward rank of task %d: got %s, want %s", i+1, got, want)
		}
	}
	top := TopLevels(nil, g, thirds)
	for i, want := range []string{"0.000", "31.000", "25.000", "22.000", "24.000", "27.000", "62.333", "66.667", "63.667", "93.333"} {
		if got := fmt.Sprintf("%.3f", float64(top[i])/3); got != want {
			t.Errorf("downward rank of task %d: got %s, want %s", i+1, got, want)
		}
	}
	tasks := slices.DeleteFunc(CriticalPath(nil, g, bottom), func(v uint32) bool { return v >= 10 })
	if want := []uint32{0, 1, 8, 9}; !slices.Equal(tasks, want) { // n1, n2, n9, n10
		t.Errorf("critical path: got %v, want %v", tasks, want)
	}
}

// Every path, walked one by one.
func TestPathsAgainstAllPaths(t *testing.T) {
	edges, ties := 0, 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := rng.IntN(10)
		if seed%100 == 0 {
			n = 60 + rng.IntN(140) // more than one block of WorkBelow; with few edges, so few paths
		}
		var list []Edge
		place := rng.Perm(n)
		for range rng.IntN(1 + min(2*n, 20+n/2)) {
			a, b := rng.IntN(n), rng.IntN(n)
			if place[a] < place[b] {
				list = append(list, Edge{uint32(a), uint32(b)})
			}
		}
		g, err := New(n, list)
		if err != nil {
			t.Fatal(err)
		}
		weights := make([]int64, n)
		for v := range weights {
			weights[v] = int64(rng.IntN(8)) - int64(seed%2) // half of the graphs have negative ones
		}
		edges += g.Edges()

		top, bottom, below := make([]int64, n), make([]int64, n), make([]int64, n)
		unset := int64(-1 << 40)
		for v := range n {
			top[v], bottom[v] = unset, unset
		}
		best, paths, depth := unset, 0, 0
		var walk func(path []uint32, length int64)
		walk = func(path []uint32, length int64) {
			first, last := path[0], path[len(path)-1]
			depth = max(depth, len(path)-1)
			if len(g.In(first)) == 0 {
				top[last] = max(top[last], length-weights[last])
			}
			if len(g.Out(last)) == 0 {
				bottom[first] = max(bottom[first], length)
				if len(g.In(first)) == 0 {
					if length > best {
						best, paths = length, 0
					}
					if length == best {
						paths++
					}
				}
			}
			for _, to := range g.Out(last) {
				walk(append(path, to), length+weights[to])
			}
		}
		for v := range uint32(n) {
			walk([]uint32{v}, weights[v])
			seen := make(map[uint32]bool)
			var reach func(v uint32)
			reach = func(at uint32) {
				if !seen[at] {
					seen[at] = true
					below[v] += weights[at]
					for _, to := range g.Out(at) {
						reach(to)
					}
				}
			}
			reach(v)
		}
		if got := Depth(g); got != depth {
			t.Fatalf("seed %d: depth %d, want %d", seed, got, depth)
		}
		if paths > 1 {
			ties++
		}

		before := []int64{7}
		for _, test := range []struct {
			name      string
			got, want []int64
		}{
			{"top levels", TopLevels(before, g, weights), top},
			{"bottom levels", BottomLevels(before, g, weights), bottom},
			{"work below", WorkBelow(before, g, weights), below},
		} {
			if test.got[0] != 7 || !slices.Equal(test.got[1:], test.want) {
				t.Fatalf("seed %d, edges %v, weights %v: %s: got %v, want %v", seed, list, weights, test.name, test.got, test.want)
			}
		}
		path := CriticalPath([]uint32{9}, g, bottom)
		if n == 0 {
			if len(path) != 1 {
				t.Fatalf("critical path of no nodes: got %v, want none", path[1:])
			}
			continue
		}
		length := int64(0)
		for i, v := range path[1:] {
			length += weights[v]
			if i > 0 && !slices.Contains(g.Out(path[i]), v) {
				t.Fatalf("seed %d, edges %v: critical path %v has no edge to %d", seed, list, path[1:], v)
			}
			if top[v]+bottom[v] != best {
				t.Fatalf("seed %d: levels of node %d, which is critical, are %d and %d, want %d together", seed, v, top[v], bottom[v], best)
			}
		}
		if length != best || bottom[path[1]] != best || len(g.In(path[1])) > 0 || len(g.Out(path[len(path)-1])) > 0 {
			t.Fatalf("seed %d: critical path %v of length %d, want %d from a source to a sink", seed, path[1:], length, best)
		}
	}
	if edges < 1000 || ties < 50 {
		t.Errorf("%d edges and %d graphs with several critical paths, want 1000 and 50", edges, ties)
	}
}

func TestCriticalPathTakesTheLeast(t *testing.T) {
	g, err := New(6, []Edge{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {3, 5}})
	if err != nil {
		t.Fatal(err)
	}
	bottom := BottomLevels(nil, g, []float64{1, 1, 1, 1, 1, 1})
	if got, want := CriticalPath(nil, g, bottom), []uint32{0, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPathsWantOneWeightEach(t *testing.T) {
	g, err := New(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(){
		"TopLevels":    func() { TopLevels(nil, g, []int64{1}) },
		"BottomLevels": func() { BottomLevels(nil, g, []int64{1, 2, 3}) },
		"CriticalPath": func() { CriticalPath[int64](nil, g, nil) },
		"WorkBelow":    func() { WorkBelow[float64](nil, g, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of too few weights, or too many: got no panic, want one", name)
				}
			}()
			call()
		}()
	}
}

func TestPathsAllocateNothing(t *testing.T) {
	g, err := New(1000, benchEdges(1000, 4000))
	if err != nil {
		t.Fatal(err)
	}
	weights, top, bottom, path := make([]float64, 1000), make([]float64, 0, 1000), make([]float64, 0, 1000), make([]uint32, 0, 1000)
	if allocs := testing.AllocsPerRun(10, func() {
		TopLevels(top, g, weights)
		path = CriticalPath(path[:0], g, BottomLevels(bottom, g, weights))
	}); allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
}

func BenchmarkBottomLevels(b *testing.B) {
	for _, n := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprintf("nodes=%d/edges=%d", n, 4*n), func(b *testing.B) {
			g, err := New(n, benchEdges(n, 4*n))
			if err != nil {
				b.Fatal(err)
			}
			weights, levels := make([]float64, n), make([]float64, 0, n)
			path := make([]uint32, 0, n)
			for v := range weights {
				weights[v] = float64(v % 100)
			}
			b.ReportAllocs()
			for b.Loop() {
				levels = BottomLevels(levels[:0], g, weights)
				path = CriticalPath(path[:0], g, levels)
			}
			if len(path) < 2 {
				b.Fatal("no path")
			}
		})
	}
}

func BenchmarkWorkBelow(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("nodes=%d/edges=%d", n, 4*n), func(b *testing.B) {
			g, err := New(n, benchEdges(n, 4*n))
			if err != nil {
				b.Fatal(err)
			}
			weights, work := make([]float64, n), make([]float64, 0, n)
			b.ReportAllocs()
			for b.Loop() {
				work = WorkBelow(work[:0], g, weights)
			}
		})
	}
}
