package kairos_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/internal/heap"
	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
)

var lost = flag.Int("lost", 10_000, "`nodes` that a centre loses in the test of memory")

// A centre that loses nodes with tasks on them for ever holds no more than the tasks and the nodes that there are,
// whatever IDs they had.
func TestCentralMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, tie := range []kairos.Tie{kairos.LeastVariance, kairos.LeastSum, kairos.AtRandom} {
		// The middle of three: now and then the runtime itself holds some kilobytes more.
		of := func(n int, ids policy.NodeID) int64 {
			var bytes [3]int64
			for i := range bytes {
				bytes[i] = heap.Of(func() *kairos.Central[*[64]byte] { return losing(t, tie, n, ids) })
			}
			slices.Sort(bytes[:])
			return bytes[1]
		}
		few, many, own := of(*lost/2, 16), of(*lost, 16), of(*lost, policy.MaxID)
		each := float64(own-many) / float64(*lost)
		t.Logf("tie %d: with 16 IDs %d bytes after %d nodes are lost, %d after %d; with an ID for each %d, %.1f an ID", tie, few, *lost/2, many, *lost, own, each)
		if many > few+few/4+1024 {
			t.Errorf("tie %d: %d bytes after %d nodes, and %d after %d; want about the same", tie, few, *lost/2, many, *lost)
		}
		if each > 1 {
			t.Errorf("tie %d: %.1f bytes for each ID that was used, want none", tie, each)
		}
	}
}

// losing returns a centre that has lost n nodes, one after the other, each with tasks on it, which have been
// sent again and again. So many IDs are used.
func losing(t *testing.T, tie kairos.Tie, n int, ids policy.NodeID) *kairos.Central[*[64]byte] {
	t.Helper()
	c, err := kairos.NewCentral[*[64]byte](kairos.CentralConfig{Queue: 4, Tie: tie, Src: rand.NewPCG(1, 1)})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	sent := 0
	for i := range n {
		must(c.Joined(policy.NodeID(i)%ids+1, 4))
		for range 4 {
			c.Submit(new([64]byte))
		}
		last := map[policy.NodeID]kairos.Assignment[*[64]byte]{}
		for a, ok := c.Next(); ok; a, ok = c.Next() {
			last[a.Node] = a
			sent++
		}
		for node, a := range last {
			_, err := c.Heartbeat(kairos.Report{Node: node, Number: uint64(i + 1), Seen: a.Number, Tasks: 1, Variance: float64(i % 7), Sum: float64(i % 5)})
			must(err)
			for number := a.Number; number > a.Number-4 && number > 0; number-- { // half of them end
				_, err = c.Ended(node, number)
				must(err)
			}
		}
		if i >= 8 {
			must(c.Left(policy.NodeID(i-8)%ids + 1))
		}
	}
	if sent < 4*n {
		t.Errorf("%d tasks were sent, want at least %d", sent, 4*n)
	}
	return c
}
