package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTreeRefuses(t *testing.T) {
	for _, capacity := range []float64{0, -1, math.NaN(), math.Inf(1), math.SmallestNonzeroFloat64, math.MaxFloat64} {
		if _, err := NewTree(0, capacity); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("capacity is %v", capacity)) {
			t.Errorf("capacity %v: got error %v, want one that names it", capacity, err)
		}
	}
	tree, err := NewTree(0, 100)
	if err != nil {
		t.Fatal(err)
	}
	half, err := tree.Add(tree.Root(), 1, Share{Guaranteed: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		parent Handle
		share  Share
		names  string
	}{
		{Handle{}, Share{}, "parent is not in the tree"},
		{tree.Root(), Share{Guaranteed: -0.1}, "Guaranteed is -0.1"},
		{tree.Root(), Share{Guaranteed: 1.1, Maximum: 2}, "Guaranteed is 1.1"},
		{tree.Root(), Share{Guaranteed: math.NaN()}, "Guaranteed is NaN"},
		{tree.Root(), Share{Guaranteed: 0.4, Maximum: 0.3}, "Maximum is 0.3"},
		{tree.Root(), Share{Guaranteed: 0.4, Maximum: 1.5}, "Maximum is 1.5"},
		{tree.Root(), Share{Maximum: math.NaN()}, "Maximum is NaN"},
		{tree.Root(), Share{Guaranteed: 0.6}, "at most 0.5"},
	} {
		if _, err := tree.Add(test.parent, 2, test.share); err == nil || !strings.Contains(err.Error(), test.names) {
			t.Errorf("%+v: got error %v, want one that says %q", test.share, err, test.names)
		}
	}
	for _, use := range []float64{3, -3} { // what is below 0 would be a credit for ever
		tree.Charge(half, use)
		if _, err := tree.Add(half, 2, Share{}); err == nil || !strings.Contains(err.Error(), fmt.Sprint("uses ", use)) {
			t.Errorf("a child of a leaf that uses %v: got error %v, want one that says so", use, err)
		}
		tree.Charge(half, -use)
	}
	leaf, err := tree.Add(half, 2, Share{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.SetCapacity(math.NaN()); err == nil {
		t.Error("SetCapacity(NaN): got no error, want one")
	}
	for _, ask := range []float64{-1, math.NaN(), math.Inf(1)} {
		if tree.Join(leaf, ask) || ask != -1 && tree.Charge(leaf, ask) {
			t.Errorf("amount %v: got true, want false", ask)
		}
	}
	for _, node := range []Handle{tree.Root(), half, {}} {
		if tree.Join(node, 1) || tree.Leave(node) || tree.Charge(node, 1) {
			t.Errorf("node %v, which is not a leaf: got true, want false", node)
		}
	}
}

// randomTree returns a tree of the given depth and number of children, and its leaves.
func randomTree(tb testing.TB, rng *rand.Rand, depth, children int, capacity float64) (*Tree[int], []Handle) {
	tb.Helper()
	tree, err := NewTree(-1, capacity)
	if err != nil {
		tb.Fatal(err)
	}
	level := []Handle{tree.Root()}
	for range depth {
		var below []Handle
		for _, parent := range level {
			left := 1.0
			for i := range children {
				g := left * (0.5 + rng.Float64()) / float64(children-i) / 1.5
				left -= g
				child, err := tree.Add(parent, len(below), Share{Guaranteed: g})
				if err != nil {
					tb.Fatal(err)
				}
				below = append(below, child)
			}
		}
		level = below
	}
	return tree, level
}

// When everything has been returned once, each leaf that always waits has what it is
// guaranteed, or falls short by what the doc comment says, and nothing that fits stays free.
func TestTreeKeepsGuarantees(t *testing.T) {
	const capacity, most = 1000, 7
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 6))
		tree, leaves := randomTree(t, rng, 1+rng.IntN(3), 2+rng.IntN(3), capacity)
		type task struct {
			leaf   int
			amount float64
		}
		var running []task
		ask := func(i int) { tree.Join(leaves[i], float64(1+rng.IntN(most))) }
		fill := func() {
			for i, ok := tree.Next(); ok; i, ok = tree.Next() {
				amount := tree.nodes.get(leaves[i]).ask
				tree.Charge(leaves[i], amount)
				running = append(running, task{i, amount})
				ask(i)
			}
		}
		ask(0) // has all, before the others come
		fill()
		for i := range leaves {
			ask(i)
		}
		for range len(running) {
			tree.Charge(leaves[running[0].leaf], -running[0].amount)
			running = running[1:]
			fill()
		}
		if use, _ := tree.Use(tree.Root()); use <= capacity-most || use > capacity {
			t.Errorf("seed %d: in use: got %v, want more than %v, at most %v", seed, use, capacity-most, capacity)
		}
		for i, leaf := range leaves {
			use, _ := tree.Use(leaf)
			guaranteed, _, _ := tree.Limits(leaf)
			if want := guaranteed - short(tree, leaf.slot, most); use < want-1e-9 {
				t.Errorf("seed %d: leaf %d of %d: got %v in use, want at least %v", seed, i, len(leaves), use, want)
			}
		}
	}
}

// short returns by how much a node may fall short of its guarantee if no ask is above most.
func short(tree *Tree[int], i uint32, most float64) float64 {
	if i == 0 {
		return most
	}
	n := tree.nodes.at(i)
	siblings := len(tree.nodes.at(n.parent).children) - 1
	return most + n.share.Guaranteed*(float64(siblings)*most+short(tree, n.parent, most))
}

// The next of many leaves starts something, and something that runs ends.
func BenchmarkTree(b *testing.B) {
	for _, shape := range []struct{ depth, children int }{{1, 10}, {1, 1000}, {2, 32}, {3, 10}, {5, 4}} {
		b.Run(fmt.Sprintf("depth=%d/children=%d", shape.depth, shape.children), func(b *testing.B) {
			b.ReportAllocs()
			tree, leaves := randomTree(b, rand.New(rand.NewPCG(1, 3)), shape.depth, shape.children, 10_000)
			for _, leaf := range leaves {
				tree.Join(leaf, 1)
			}
			running := make([]int, 5000)
			start := func(i int) {
				leaf, _ := tree.Next()
				tree.Charge(leaves[leaf], 1)
				running[i] = leaf
			}
			for i := range running {
				start(i)
			}
			for i := 0; b.Loop(); i = (i + 1) % len(running) {
				tree.Charge(leaves[running[i]], -1)
				start(i)
			}
		})
	}
}
