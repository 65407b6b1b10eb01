package plan

import (
	"math"
	"slices"
)

// A region is a part of the problem for which prices are sought: jobs with the options that they may still take, and
// the remaining nodes. At the start it is the whole problem; further down a tree it is what is not decided.
type region struct {
	limit []float64 // nodes left, by pool*slots + slot
	jobs  []int32
	list  [][]int32 // by place in jobs: options, by falling utility
}

// A dual seeks prices for nodes, one for each pool and slot (the Lagrangian dual). If jobs had to pay these prices,
// but could exceed the capacities, each job would take the option with the greatest remaining utility. The sum of
// these remainders and of the prices of all capacity is an upper bound of any plan's objective. The dual seeks the
// least such bound by a subgradient method with Polyak's step: a price rises where the jobs take too much, by how far
// the bound is above the best known plan.
//
// # Source
//
// Polyak; Held et al. (see [Search]), who also halve the step.
type dual struct {
	f     *flat
	bound float64   // the least found
	best  []float64 // the prices it was found at
	left  []float64 // by place of a job: what is left to it at these prices

	prices []float64
	now    []float64 // as left, at prices
	choice []int32   // what the jobs take at prices
	use    []float64 // all that they take
	move   []float64 // where prices go
	theta  float64   // length of a step, as a share of Polyak's
	stale  int       // passes since the bound last fell
	work   int64     // products made, roughly; it stands for a clock
}

const (
	patience  = 8    // passes without a lower bound until steps are halved
	leastStep = 2e-3 // the search for prices ends at this theta
	keep      = 0.5  // share of the last direction in the next: it lessens zigzag
)

func newDual(f *flat) *dual {
	n := len(f.limit)
	return &dual{f: f, best: make([]float64, n), prices: make([]float64, n), use: make([]float64, n), move: make([]float64, n)}
}

// begin starts with prices, for a region with so many jobs.
func (d *dual) begin(prices []float64, jobs int) {
	copy(d.prices, prices)
	copy(d.best, prices)
	clear(d.move)
	d.left = slices.Grow(d.left[:0], jobs)[:jobs]
	d.now = slices.Grow(d.now[:0], jobs)[:jobs]
	d.choice = slices.Grow(d.choice[:0], jobs)[:jobs]
	d.bound, d.theta, d.stale = math.Inf(1), 1, 0
}

// done reports whether steps have become too small to improve anything.
func (d *dual) done() bool { return d.theta < leastStep }

// pass computes the bound at the prices, and then changes them. It takes O(options × shares × slots) time, mostly
// much less, and does not allocate.
func (d *dual) pass(r *region, objective float64) {
	bound := d.relax(r)
	if bound < d.bound {
		if bound < d.bound-1e-4*math.Abs(d.bound-objective) {
			d.stale = 0
		}
		d.bound = bound
		copy(d.best, d.prices)
		copy(d.left, d.now)
	}
	if d.stale++; d.stale > patience {
		d.theta /= 2
		d.stale = 0
		copy(d.prices, d.best)
		clear(d.move)
		return
	}
	d.step(r, bound-objective)
}

// relax lets each job take what is best for it at the prices.
func (d *dual) relax(r *region) (bound float64) {
	clear(d.use)
	for i, p := range d.prices {
		bound += p * r.limit[i]
	}
	for i := range r.jobs {
		best, choice := 0.0, int32(none)
		for _, o := range r.list[i] {
			opt := &d.f.opts[o]
			if opt.utility <= best {
				break // prices are not negative
			}
			if left := opt.utility - opt.cost(d.prices, opt.utility-best); left > best {
				best, choice = left, o
			}
			d.work += int64(8 + opt.size/4)
		}
		d.now[i], d.choice[i] = best, choice
		bound += best
		if choice != none {
			d.f.opts[choice].put(d.use)
		}
	}
	return bound
}

// step moves the prices along the excess of use, by Polyak's rule for a bound that is too great by over.
func (d *dual) step(r *region, over float64) {
	norm := 0.0
	for i, u := range d.use {
		excess := u - r.limit[i]
		if d.prices[i] == 0 && excess < 0 {
			d.move[i] = 0 // it stays at 0, and should not shorten the others' step
			continue
		}
		d.move[i] = excess + keep*d.move[i]
		norm += d.move[i] * d.move[i]
	}
	length := d.theta * over / norm
	if !(norm > 0) || !(over > 0) || math.IsInf(length, 1) {
		d.theta = 0 // nothing to move, so these are the best prices; or numbers too small to square
		return
	}
	for i, m := range d.move {
		if p := d.prices[i] + length*m; !math.IsInf(p, 1) {
			d.prices[i] = max(0, p)
		}
	}
}

// whole returns the problem as a region.
func whole(f *flat) *region {
	r := &region{limit: f.limit, jobs: f.live, list: make([][]int32, len(f.live))}
	all := make([]int32, len(f.opts))
	for i := range all {
		all[i] = int32(i)
	}
	for i, j := range f.live {
		begin, end := f.of(j)
		r.list[i] = all[begin:end]
	}
	return r
}

// Prices are what a node is worth in each pool and slot, in units of utility: the dual prices of the least bound
// found. They are 0 where nodes are left over. With nested pools a node costs the sum of their prices. They are the
// State of a [Search], so that a scheduler can begin its next cycle with them, and can explain why a job waits.
type Prices [][]float64

// Shift returns the prices for a problem that begins this many slots later, at least 0: those of its last slots,
// which the old one did not have, are 0.
func (p Prices) Shift(slots int) Prices {
	shifted := make(Prices, len(p))
	for i, row := range p {
		shifted[i] = make([]float64, len(row))
		copy(shifted[i], row[min(max(slots, 0), len(row)):])
	}
	return shifted
}

// warm returns prices as one row, all 0 if w is not Prices for equally many pools and slots; an invalid price counts
// as 0.
func warm(w any, pools, slots int) []float64 {
	row := make([]float64, pools*slots)
	prices, ok := w.(Prices)
	if !ok || len(prices) != pools {
		return row
	}
	for _, p := range prices {
		if len(p) != slots {
			return row
		}
	}
	for i, p := range prices {
		for t, x := range p {
			if x > 0 && !math.IsInf(x, 1) {
				row[i*slots+t] = x
			}
		}
	}
	return row
}

func newPrices(row []float64, pools, n int) Prices {
	p := make(Prices, pools)
	for i := range p {
		p[i] = slices.Clone(row[i*n : (i+1)*n])
	}
	return p
}
