package hopper

import (
	"cmp"
	"fmt"
	"slices"
)

// SinglePhase appends to shares the slots of each job by Algorithm 1, for jobs of one phase
// and of one tail. With V the virtual sizes,
//
//	S ≤ sum V:    V to each job, fewest tasks first, until no slots remain
//	S > sum V:    V / sum V * S to each
//
// Of jobs with as many tasks the earlier one goes first. No allocation has a greater sum of
// rates (Theorem 1). It reads Tasks and Tail, which must be the same for all, and ignores
// other fields. It takes O(n log n) time and allocates 16 bytes for each job.
//
// # Source
//
// Hopper, section 3.4, Algorithm 1.
func SinglePhase(shares []float64, slots float64, jobs []Demand) ([]float64, error) {
	return EpsilonFair(shares, slots, 1, jobs)
}

// EpsilonFair appends to shares the slots of each job by Algorithm 2: each job has at least
//
//	(1 - ε) * S/N
//
// with N the number of jobs with tasks, and what is left goes by [SinglePhase], which it is with
// ε = 1. With ε = 0 all have the same. epsilon must be 0 to 1; the paper takes 0.1. No
// allocation with these floors has a greater sum of rates (Theorem 2). It reads Tasks and
// Tail, which must be the same for all, and ignores other fields, Floor too. It takes O(n log n) time
// and allocates 16 bytes for each job.
//
// # Source
//
// Hopper, section 3.5, Algorithm 2; what it calls ε is ours times S/N.
func EpsilonFair(shares []float64, slots, epsilon float64, jobs []Demand) ([]float64, error) {
	if err := checkOneTail(slots, jobs); err != nil {
		return shares, err
	}
	if !(epsilon >= 0 && epsilon <= 1) {
		return shares, fmt.Errorf("hopper: epsilon is %v, must be 0 to 1", epsilon)
	}
	shares, mine := extend(shares, len(jobs))
	fair(mine, slots, epsilon, jobs, picked(jobs, func(d *Demand) (float64, bool) { return d.Tasks, d.Tasks > 0 }))
	return shares, nil
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
	level := Level(jobs[order[0].job].Tail)
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

// extend appends n zeros to shares, and returns them also by themselves.
func extend(shares []float64, n int) (all, mine []float64) {
	before := len(shares)
	all = slices.Grow(shares, n)[:before+n]
	mine = all[before:]
	clear(mine)
	return all, mine
}

// A rank is a job by its place among the jobs, and what it is sorted by.
type rank struct {
	key float64
	job int
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
