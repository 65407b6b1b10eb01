package plan

import "fmt"

// A Place is what a job takes of the pools if it runs there: nodes of one pool or of several, pools
// rising and none twice. A Place without shares takes nothing. Mostly there is one share: a gang in
// a partition.
//
// A gang that may be spread over several partitions needs a pool that is these taken together, and
// as many of its nodes are taken of each larger pool that has all these partitions too. With pools 0 for
// partition a, 1 for b, and 2 for both together, 3 nodes in a are {0, 3}, {2, 3}, and 3 nodes anywhere
// are {2, 3}. Of a job that runs, each pool gives what the job holds of it. If with two sets of partitions, in which
// gangs may be spread, their union is a pool as well, then what does not exceed the pools can be
// dealt out to the partitions (P. Hall, "On representatives of subsets", Journal of the London
// Mathematical Society 10(1), 1935). A pool that cannot be exceeded anyway may be left out. This is
// so in each slot for itself: dealt out slot by slot, a job might have to move.
type Place []Share

// A Share is what a Place takes of one pool, times the profile of the option.
type Share struct {
	Pool  int32   // its place in Problem.Capacity
	Nodes float64 // 0 to MaxNodes
}

// Validate returns an error that names the first share that is not as it must be, of so many pools.
func (pl Place) Validate(pools int) error {
	for i, s := range pl {
		switch {
		case s.Pool < 0 || int(s.Pool) >= pools:
			return fmt.Errorf("share %d is of pool %d, and there are %d pools", i, s.Pool, pools)
		case i > 0 && s.Pool <= pl[i-1].Pool:
			return fmt.Errorf("share %d is of pool %d after pool %d, want pools to rise", i, s.Pool, pl[i-1].Pool)
		case !(s.Nodes >= 0 && s.Nodes <= MaxNodes):
			return fmt.Errorf("share %d has %v nodes, want 0 to %v", i, s.Nodes, MaxNodes)
		}
	}
	return nil
}

// in returns the nodes that are taken of a pool.
func (pl Place) in(pool int) float64 {
	for _, s := range pl {
		if int(s.Pool) == pool {
			return s.Nodes
		}
	}
	return 0
}

// nodes returns those of the pool of which most are taken: all of them, if one pool has all others in
// it. A sum would count the same nodes several times then.
func (pl Place) nodes() (most float64) {
	for _, s := range pl {
		most = max(most, s.Nodes)
	}
	return most
}
