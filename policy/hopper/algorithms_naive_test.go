package hopper

import (
	"cmp"
	"math"
	"slices"
)

// The four algorithms of the paper as printed, each for one case of what [Allocate] does in one: see
// [TestAllocateAgreesWithThePaper]. All tails must be the same but for the last, where they may be two.

// naiveSinglePhase is Algorithm 1 (section 3.4), for jobs of one phase and of one tail. With V the
// virtual sizes,
//
//	S ≤ sum V:    V to each job, fewest tasks first, until no slots remain
//	S > sum V:    V / sum V * S to each
//
// No allocation has a greater sum of rates (Theorem 1).
func naiveSinglePhase(slots float64, jobs []Demand) []float64 {
	return naiveEpsilonFair(slots, 1, jobs)
}

// naiveEpsilonFair is Algorithm 2 (section 3.5): each of N jobs has at least (1 - ε) * S/N, and what is
// left goes by Algorithm 1, which it is with ε = 1. What the paper calls ε is ours times S/N. No
// allocation with these floors has a greater sum of rates (Theorem 2).
func naiveEpsilonFair(slots, epsilon float64, jobs []Demand) []float64 {
	shares := make([]float64, len(jobs))
	fair(shares, slots, epsilon, jobs, picked(jobs, func(d *Demand) (float64, bool) { return d.Tasks, d.Tasks > 0 }))
	return shares
}

// fair sets the shares of some jobs of one tail, ranked by tasks.
func fair(shares []float64, slots, epsilon float64, jobs []Demand, order []rank) {
	if len(order) == 0 {
		return
	}
	slices.SortFunc(order, func(a, b rank) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
	level := level(jobs[order[0].job].Tail)
	floor := (1 - epsilon) * slots / float64(len(order))
	m1 := 0 // jobs whose virtual size is at most the floor
	for m1 < len(order) && level*order[m1].key <= floor {
		m1++
	}
	want := floor * float64(m1)
	for _, r := range order[m1:] {
		want += float64(level * r.key)
	}
	if slots <= want {
		left := slots - float64(floor*float64(len(order)))
		for k, r := range order {
			if shares[r.job] = floor; k >= m1 {
				more := max(0, min(left, float64(level*r.key)-floor))
				shares[r.job] += more
				left -= more
			}
		}
		return
	}

	tasks := 0.0 // of jobs that do not stay at the floor
	for _, r := range order {
		tasks += r.key
	}
	m2 := 0 // jobs that do
	left := slots
	for ; m2 < m1; m2++ {
		next := order[m2].key
		if next/tasks*left >= max(floor, level*next) {
			break
		}
		tasks -= next
		left -= floor
	}
	for k, r := range order {
		if shares[r.job] = floor; k >= m2 {
			shares[r.job] = r.key / tasks * left
		}
	}
}

// naivePipelined is Algorithm 3 (section 4.1), for jobs of one tail whose phases feed one another. Jobs go
// by their order, then the larger weight, then the earlier one; the first of them get their virtual
// sizes, with weights over the least weight among them and the next. A job of weight 0 gets nothing, unless all have it.
//
// Allocate has at least the weighted throughput, and with weights that differ often much more, because the slots
// here go to the first jobs of the order whatever those behind them are worth. [mended] is what it takes for the
// same throughput. Of several jobs of the least weight the paper does not say which one comes
// last: here the last of them.
func naivePipelined(slots float64, jobs []Demand) []float64 {
	shares, weighted := make([]float64, len(jobs)), anyWeight(jobs)
	pipelined(shares, slots, jobs, weighted, picked(jobs, func(d *Demand) (float64, bool) { return d.order(), d.counts(weighted) }))
	return shares
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

// naiveTwoTails is Algorithm 4 (section 4.2), for two classes of jobs,
// whose tails are β1 < β2 ≤ 2. With T1 and T2 the tasks of all jobs of a class, and
// C = 2/β2 * sqrt((β2-1)/(β1-1)) * T1, class 1 has
//
//	S                      if S ≤ C
//	C                      if C < S ≤ C + 2/β2 * T2
//	S * u1 / (u1 + u2)     if S > C + 2/β2 * T2, with u = T / sqrt(β-1)
//
// and class 2 the rest. Within a class the slots go by Algorithm 1, or, if weights of the class
// differ, by Algorithm 3. No allocation has a greater sum of rates, if weights do not differ (Theorem 3).
func naiveTwoTails(slots float64, jobs []Demand) []float64 {
	light, heavy := 0.0, math.Inf(1) // the tails
	for i := range jobs {
		light, heavy = max(light, jobs[i].Tail), min(heavy, jobs[i].Tail)
	}
	tasks := [2]float64{} // of heavy, of light
	for i := range jobs {
		if jobs[i].Tail == heavy {
			tasks[0] += jobs[i].Tasks
		} else {
			tasks[1] += jobs[i].Tasks
		}
	}
	shares := make([]float64, len(jobs))
	first := slots
	switch c := float64(level(light) * math.Sqrt((light-1)/(heavy-1)) * tasks[0]); {
	case slots <= c, tasks[1] == 0:
	case slots <= c+float64(level(light)*tasks[1]):
		first = c
	default:
		u1, u2 := tasks[0]/math.Sqrt(heavy-1), tasks[1]/math.Sqrt(light-1)
		first = slots * (u1 / (u1 + u2))
	}
	within(shares, first, heavy, jobs)
	if light != heavy {
		within(shares, slots-first, light, jobs)
	}
	return shares
}

// within sets the shares of the jobs of a tail.
func within(shares []float64, slots, tail float64, jobs []Demand) {
	order := picked(jobs, func(d *Demand) (float64, bool) { return d.Tasks, d.Tail == tail && d.Tasks > 0 })
	weighted, alike := false, true
	for _, r := range order {
		weighted = weighted || jobs[r.job].Weight > 0
		alike = alike && jobs[r.job].Weight == jobs[order[0].job].Weight
	}
	if alike {
		fair(shares, slots, 1, jobs, order)
		return
	}
	pipelined(shares, slots, jobs, weighted, picked(jobs, func(d *Demand) (float64, bool) {
		return d.order(), d.Tail == tail && d.counts(weighted)
	}))
}

// picked returns the jobs that pick wants, with the keys that it gives them.
func picked(jobs []Demand, pick func(*Demand) (key float64, ok bool)) []rank {
	order := make([]rank, 0, len(jobs))
	for i := range jobs {
		if key, ok := pick(&jobs[i]); ok {
			order = append(order, rank{key, i})
		}
	}
	return order
}
