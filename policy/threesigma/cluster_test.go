package threesigma

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// Jobs that may be spread over sets of partitions find room by the pools if and only if there is a way to
// spread them.
func TestPoolsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	found := [2]int{}
	for range 5000 {
		parts := 1 + rng.IntN(4)
		cores := make([]int, parts)
		for p := range cores {
			cores[p] = rng.IntN(4)
		}
		var pools pools
		var wants []want
		var used []int32
		for range 1 + rng.IntN(4) {
			var set []int32
			for p := range int32(parts) {
				if rng.IntN(2) == 0 {
					set = append(set, p)
				}
			}
			if set == nil {
				continue
			}
			n := pools.sets.of(set)
			wants = append(wants, want{n, set, rng.IntN(4)})
			used = append(used, n)
		}
		slices.Sort(used)
		pools.begin(slices.Compact(used), parts)
		fits := true
		left := make([]float64, len(pools.list))
		for p, n := range cores {
			for _, k := range pools.member[p] {
				left[k] += float64(n)
			}
		}
		for _, w := range wants {
			take(left, pools.appendPlace(nil, w.number, float64(w.cores)), -1)
		}
		for _, x := range left {
			fits = fits && x >= 0
		}
		possible := spreads(wants, cores)
		if fits != possible {
			t.Fatalf("%v in partitions of %v cores: by the pools %v, in truth %v", wants, cores, fits, possible)
		}
		if possible {
			found[1]++
		} else {
			found[0]++
		}
	}
	if min(found[0], found[1]) < 500 {
		t.Errorf("%d cases without room and %d with, want both", found[0], found[1])
	}
}

// A want is a job that takes cores anywhere in a set.
type want struct {
	number int32
	set    []int32
	cores  int
}

// spreads tries all ways.
func spreads(wants []want, cores []int) bool {
	if len(wants) == 0 {
		return true
	}
	w := wants[0]
	if w.cores == 0 {
		return spreads(wants[1:], cores)
	}
	for _, p := range w.set {
		if cores[p] == 0 {
			continue
		}
		cores[p]--
		rest := append([]want{{w.number, w.set, w.cores - 1}}, wants[1:]...)
		ok := spreads(rest, cores)
		cores[p]++
		if ok {
			return true
		}
	}
	return false
}

// Where there would be too many unions the sets themselves remain, and what is held counts in each.
func TestPoolsAreBounded(t *testing.T) {
	var p pools
	var used []int32
	for q := range int32(20) {
		used = append(used, p.sets.of([]int32{q, q + 1}))
	}
	if p.begin(used, 21) {
		t.Error("pools that are new are said to be the same")
	}
	if len(p.list) != len(used) {
		t.Errorf("%d pools, want %d", len(p.list), len(used))
	}
	place := p.appendHeld(nil, []hold{{part: 3, cores: 2}, {part: 4, cores: 5}}, make([]float64, 20))
	var got []float64
	for k := range p.list {
		x := 0.0
		for _, s := range place {
			if int(s.Pool) == k {
				x = s.Nodes
			}
		}
		got = append(got, x)
	}
	if want := []float64{0, 0, 2, 7, 5}; !slices.Equal(got[:5], want) {
		t.Errorf("held of pools: %v, want %v and so on", got, want)
	}
	if !p.begin(used, 21) {
		t.Error("the same pools are said to be new")
	}
}

// As nodes come and go, the widest of a partition is that which a look at all of them finds.
func TestWidestNodes(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := cluster{}
		there := map[policy.NodeID]*policy.Node{}
		for step := range 300 {
			id := policy.NodeID(1 + rng.IntN(12))
			if there[id] != nil {
				c.leave(id)
				delete(there, id)
			} else {
				there[id] = &policy.Node{ID: id, Partition: 1 + policy.PartitionID(id%2), Cores: 1 + rng.Int32N(3), Speed: 1}
				c.join(there[id])
			}
			for i := range c.parts {
				p := &c.parts[i]
				wide, all := int64(0), int64(0)
				for _, n := range there {
					if n.Partition == p.id {
						wide, all = max(wide, int64(n.Cores)), all+int64(n.Cores)
					}
				}
				if p.cores != all || all > 0 && p.wide != wide {
					t.Fatalf("seed %d, step %d: partition %d has %d cores, %d of one node, want %d and %d", seed, step, p.id, p.cores, p.wide, all, wide)
				}
			}
		}
	}
}
