package dag

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Components and depth by Warshall's algorithm.
func connectedAndDepthAgainstWarshall(t *testing.T) {
	apart, deep := 0, 0
	for seed := range uint64(300) {
		n, edges := randomEdges(rand.New(rand.NewPCG(seed, 5)))
		g, err := New(n, edges)
		if err != nil {
			continue
		}
		both := make([][]bool, n) // whether two nodes are connected
		far := make([][]int, n)   // edges of the longest path from one to the other, 0 if there is none
		for v := range n {
			both[v], far[v] = make([]bool, n), make([]int, n)
			both[v][v] = true
		}
		for _, e := range edges {
			both[e.From][e.To], both[e.To][e.From], far[e.From][e.To] = true, true, 1
		}
		depth := 0
		for via := range n {
			for from := range n {
				for to := range n {
					both[from][to] = both[from][to] || both[from][via] && both[via][to]
				}
			}
		}
		for _, via := range g.Order() {
			for from := range n {
				for _, to := range g.Out(via) {
					if far[from][via] > 0 {
						far[from][to] = max(far[from][to], far[from][via]+1)
					}
				}
			}
		}
		for from := range far {
			depth = max(depth, slices.Max(far[from]))
		}
		if got := Depth(g); got != depth {
			t.Fatalf("seed %d: depth: got %d, want %d", seed, got, depth)
		}
		if depth > 4 {
			deep++
		}

		of, got := ConnectedComponents(g)
		var sizes []uint32
		for v := range n {
			first := slices.Index(both[v], true)
			if first == v {
				sizes = append(sizes, 0)
			}
			want := of[first]
			if first == v {
				want = uint32(len(sizes) - 1)
			}
			if of[v] != want {
				t.Fatalf("seed %d: node %d is in component %d, want %d", seed, v, of[v], want)
			}
			sizes[want]++
		}
		if !slices.Equal(got, sizes) {
			t.Fatalf("seed %d: sizes: got %v, want %v", seed, got, sizes)
		}
		if len(sizes) > 1 {
			apart++
		}
	}
	if apart < 50 || deep < 50 {
		t.Errorf("%d graphs that are not connected, %d of more than 4 edges in a row, want 50 of each", apart, deep)
	}
}
