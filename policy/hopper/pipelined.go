package hopper

import (
	"cmp"
	"math"
	"slices"
)

// Pipelined appends to shares the slots of each job by Algorithm 3, for jobs of one tail
// whose phases feed one another. Jobs go by [Demand.Order], then the larger weight, then the
// earlier one; the first of them get their virtual sizes, with weights over the least weight
// among them and the next. A job of weight 0 gets nothing, unless all have it. It reads all
// fields but Floor; all tails must be the same. It takes O(n log n) time and allocates 16 bytes
// for each job.
//
// This is the algorithm as printed, and [Allocate] is better: it has at least the weighted
// throughput, the sum of Weight * [Rate], and with weights that differ often much more, because
// the slots here go to the first jobs of the order whatever those behind them are worth. Sorted by
// falling weight instead, and with the job that comes last chosen among one job more in
// the second case, the algorithm has the same throughput for tails of up to 2.
//
// # Source
//
// Hopper, section 4.1, Algorithm 3. Of several jobs of the least weight the paper does not say
// which one comes last: here the last of them.
func Pipelined(shares []float64, slots float64, jobs []Demand) ([]float64, error) {
	if err := checkOneTail(slots, jobs); err != nil {
		return shares, err
	}
	shares, mine := extend(shares, len(jobs))
	weighted := anyWeight(jobs)
	pipelined(mine, slots, jobs, weighted, picked(jobs, func(d *Demand) (float64, bool) { return d.Order(), d.counts(weighted) }))
	return shares, nil
}

// pipelined sets the shares of some jobs of one tail, ranked by their order.
func pipelined(shares []float64, slots float64, jobs []Demand, weighted bool, order []rank) {
	if len(order) == 0 {
		return
	}
	slices.SortFunc(order, func(a, b rank) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(jobs[b.job].Weight, jobs[a.job].Weight), cmp.Compare(a.job, b.job))
	})
	// size is the virtual size that a job would have beside one of weight 1.
	size := func(j int) float64 {
		d := &jobs[order[j].job]
		return VirtualSize(d.Tasks, d.Tail, d.weight(weighted))
	}
	root := func(j int) float64 { return math.Sqrt(jobs[order[j].job].weight(weighted)) }

	k := 1           // the first k jobs share the slots:
	sum := size(0)   // their sizes,
	least := root(0) // the root of their least weight,
	leastAt := 0     // and where that is: k_min
	for ; k < len(order); k++ {
		next := min(least, root(k))
		if slots <= sum/next { // cases 1 and 3
			break
		}
		if slots <= (sum+size(k))/next { // case 2
			left := slots
			give := func(j int) {
				x := min(left, size(j)/next)
				shares[order[j].job] = x
				left -= x
			}
			for j := range k + 1 {
				if j != leastAt {
					give(j)
				}
			}
			give(leastAt)
			return
		}
		sum += size(k)
		if root(k) <= least {
			least, leastAt = root(k), k
		}
	}
	for j := range k {
		shares[order[j].job] = size(j) / sum * slots
	}
}
