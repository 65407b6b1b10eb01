package plan

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bound is the Lagrangian dual as it is written down: all options of all jobs, by Problem.at.
func bound(p *Problem, prices []float64) float64 {
	sum := 0.0
	for i, row := range p.Capacity {
		for t, c := range row {
			sum += prices[i*p.slotCount()+t] * c
		}
	}
	for j := range p.Jobs {
		best := 0.0
		for o := range p.Jobs[j].Options {
			opt := &p.Jobs[j].Options[o]
			left, alone := opt.Utility, true
			for i, row := range p.Capacity {
				for t, c := range row {
					x := p.at(j, o, i, t)
					left -= prices[i*p.slotCount()+t] * x
					alone = alone && x <= c*(1+slack)
				}
			}
			if alone {
				best = max(best, left)
			}
		}
		sum += best
	}
	return sum
}

func TestRelaxAgainstDefinition(t *testing.T) {
	priced := 0
	const problems = 750
	for seed := range uint64(problems) {
		rng := rand.New(rand.NewPCG(seed, 15))
		p := small(seed, problems, 5)
		if seed%50 == 0 {
			p = plain(seed, 20, seed%100 == 0) // long profiles, so that sums stop early
		}
		f := flatten(p)
		d, r := newDual(f), whole(f)
		d.begin(d.best, len(r.jobs))
		for i := range d.prices {
			if rng.IntN(2) == 0 {
				d.prices[i] = rng.ExpFloat64() / 10
			}
		}
		got := d.relax(r)
		want := bound(p, d.prices)
		if !(math.Abs(got-want) <= 1e-8*max(1, want)) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		use := make([]float64, len(f.limit))
		for i, o := range d.choice {
			if o == none {
				continue
			}
			priced++
			opt := &f.opts[o]
			opt.put(use)
			if left := opt.utility - opt.cost(d.prices, math.Inf(1)); left != d.now[i] || !(left > 0) {
				t.Fatalf("seed %d: job %d has %v left of option %d, want %v", seed, r.jobs[i], d.now[i], o, left)
			}
		}
		if !slices.Equal(use, d.use) {
			t.Fatalf("seed %d: %v is used, want %v", seed, d.use, use)
		}
	}
	if priced < 750 {
		t.Errorf("only %d options were taken", priced)
	}
}

func TestDualBound(t *testing.T) {
	lower := 0
	const problems = 450
	for seed := range uint64(problems) {
		p := small(seed, problems, 6)
		most := milp(p)
		f := flatten(p)
		d, r := newDual(f), whole(f)
		d.begin(d.best, len(r.jobs))
		last, first := math.Inf(1), 0.0
		for n := range 60 {
			d.pass(r, 0.9*most)
			if n == 0 {
				first = d.bound
			}
			if d.bound > last || d.bound < most*(1-1e-9) {
				t.Fatalf("seed %d: bound %v after %v, and a plan has %v", seed, d.bound, last, most)
			}
			last = d.bound
			for i, x := range d.prices {
				if !(x >= 0) || math.IsInf(x, 1) {
					t.Fatalf("seed %d: price %d is %v", seed, i, x)
				}
			}
		}
		if at := bound(p, d.best); !(math.Abs(at-d.bound) <= 1e-8*max(1, at)) {
			t.Fatalf("seed %d: bound %v, and that of the best prices is %v", seed, d.bound, at)
		}
		if d.bound < first-1e-6 {
			lower++
		}
	}
	if lower < 75 {
		t.Errorf("prices lowered only %d bounds", lower)
	}
}

func TestPricesShift(t *testing.T) {
	p := Prices{{1, 2, 3}, {4, 5, 6}}
	for _, c := range []struct {
		by   int
		want []float64
	}{
		{0, []float64{1, 2, 3, 4, 5, 6}},
		{1, []float64{2, 3, 0, 5, 6, 0}},
		{3, make([]float64, 6)},
		{math.MaxInt, make([]float64, 6)},
	} {
		if got := warm(p.Shift(c.by), 2, 3); !slices.Equal(got, c.want) {
			t.Errorf("by %d: %v, want %v", c.by, got, c.want)
		}
	}
}

// What is no price, or of another problem, is left out.
func TestWarmWithAnything(t *testing.T) {
	odd := Prices{{math.NaN(), -1}, {math.Inf(1), 2}}
	if got, want := warm(odd, 2, 2), []float64{0, 0, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, w := range []any{nil, 3, Prices{{1, 1}}, Prices{{1, 1}, {1}}, [][]float64{{1, 1}, {1, 1}}} {
		if got := warm(w, 2, 2); !slices.Equal(got, make([]float64, 4)) {
			t.Errorf("from %v: %v, want 0", w, got)
		}
	}
}

// What an opt takes, share by share, is what Problem.at says; and two meet if both take some of a
// pool in a slot.
func TestOptsAgainstAt(t *testing.T) {
	several, meet, pass := 0, 0, 0
	for seed := range uint64(200) {
		p := spread(rand.New(rand.NewPCG(seed, 16)))
		f := flatten(p)
		slots := p.slotCount()
		rows := make([][]float64, len(f.opts))
		for k := range f.opts {
			o := &f.opts[k]
			if o.next != nil {
				several++
			}
			use := make([]float64, len(f.limit))
			o.put(use)
			rows[k] = use
			parts, products, most := 0, 0, 0.0
			for part := o; part != nil; part = part.next {
				parts++
				products += len(part.profile)
				most = max(most, part.nodes)
			}
			if products != int(o.size) || most != o.most() {
				t.Fatalf("seed %d: option %d has size %d and %v nodes, want %d and %v of %d shares", seed, k, o.size, o.most(), products, most, parts)
			}
			for i := range use {
				want := p.at(int(o.job), int(o.index), i/slots, i%slots)
				if use[i] != want || o.at(i) != want {
					t.Fatalf("seed %d: option %d of job %d takes %v and %v at %d, want %v", seed, o.index, o.job, use[i], o.at(i), i, want)
				}
			}
			if o.take(use); slices.Max(use) != 0 || slices.Min(use) != 0 {
				t.Fatalf("seed %d: %v are left of option %d of job %d", seed, use, o.index, o.job)
			}
			o.put(use)
		}
		for a := range rows {
			for b := range rows {
				if len(f.opts[a].profile) == 0 || len(f.opts[b].profile) == 0 {
					continue // nothing is taken out for these
				}
				want := false
				for i := range rows[a] {
					want = want || rows[a][i] > 0 && rows[b][i] > 0
				}
				if got := f.opts[a].meets(&f.opts[b]); got != want {
					t.Fatalf("seed %d: that options %d and %d meet is %v, want %v", seed, a, b, got, want)
				}
				if want {
					meet++
				} else {
					pass++
				}
			}
		}
	}
	if several < 500 || meet < 500 || pass < 500 {
		t.Errorf("%d opts have several shares, %d pairs meet and %d do not, want more", several, meet, pass)
	}
}
