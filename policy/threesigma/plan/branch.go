package plan

import (
	"cmp"
	"math"
	"slices"
)

// A tree proves that no plan is better than the best known, or finds one: branch and bound, depth first, one job
// decided at each level. Each node has its own prices, for what the jobs above have left. What is left of an option
// at these prices shows whether a plan with it can be better than the best, and mostly it cannot.
//
// Only the nodes on the path are open, so memory is O(depth × options) and falls fast with depth.
type tree struct {
	f     *flat
	dual  *dual
	path  []level
	nodes int
	share int64 // one part of so many of the work is for the tree
	probe probe
}

// A level is a node on the path, with what is left to decide there.
type level struct {
	region  region
	prices  []float64
	value   float64 // of what is decided
	decided []int32 // opts
	job     int32   // the one to decide
	ways    []alternative
	next    int // of ways
}

// An alternative is an option of a job, or none, and the bound of the plans with it.
type alternative struct {
	opt   int32
	bound float64
}

// These values gave the fastest proofs in tests with twenty jobs: half or twice the passes, and steps of 1, were
// slower, and so were proposals from each node, few of which beat the changes.
const (
	nodePasses = 8   // looks at the prices in a node, which begins with those of the node above
	nodeStep   = 1.5 // the first theta: the best plan is a target that mostly is too low
	proposals  = 16  // one node in so many proposes a plan
)

// newTree begins a tree with the prices of a run. Its root has one alternative: nothing is decided.
func newTree(r *run) *tree {
	root := level{region: *r.all, prices: slices.Clone(r.dual.best), job: none, ways: []alternative{{none, r.dual.bound}}}
	return &tree{f: r.f, dual: newDual(r.f), path: []level{root}, share: thinTree, probe: newProbe(r.f)}
}

// branch visits one more node. It reports whether the search is complete: no plan is better than m's best.
func (t *tree) branch(m *moves) (done bool) {
	if t.progress() >= enough {
		t.share = thickTree
	}
	for len(t.path) > 0 {
		above := &t.path[len(t.path)-1]
		if above.next == len(above.ways) || closed(above.ways[above.next].bound, m.bestValue) {
			t.path = t.path[:len(t.path)-1] // ways are by falling bound, so those that follow are closed too
			continue
		}
		l, open := t.enter(above, m)
		above.next++
		if open {
			t.path = append(t.path, l)
		}
		return false
	}
	return true
}

// progress returns the completed share of the tree, from 0 to 1, as if all subtrees of a node had the same size.
func (t *tree) progress() float64 {
	sum, each := 0.0, 1.0
	for k := range t.path {
		l := &t.path[k]
		each /= float64(len(l.ways))
		done := l.next
		if k < len(t.path)-1 {
			done-- // the last one is where the path goes on
		}
		sum += each * float64(done)
	}
	return sum
}

// enter returns the node of the next alternative of above, and whether there is anything to decide in it.
func (t *tree) enter(above *level, m *moves) (l level, open bool) {
	way := above.ways[above.next].opt
	limit := slices.Clone(above.region.limit)
	l = level{value: above.value, decided: slices.Clone(above.decided)}
	if way != none {
		o := &t.f.opts[way]
		l.value += o.utility
		l.decided = append(l.decided, way)
		o.leave(limit)
	}
	l.region = t.narrow(&above.region, limit, above.job)
	if len(l.region.jobs) == 0 {
		m.propose(l.decided)
		return l, false
	}
	t.dual.begin(above.prices, len(l.region.jobs))
	t.dual.theta = nodeStep
	for i := 0; i < nodePasses && !t.dual.done(); i++ {
		t.dual.pass(&l.region, m.bestValue-l.value)
		if closed(l.value+t.dual.bound, m.bestValue) {
			return l, false
		}
	}
	if t.nodes%proposals == 0 {
		t.suggest(&l, m)
	}
	t.nodes++
	l.prices = slices.Clone(t.dual.best)
	return l, t.decide(&l, m.bestValue)
}

// narrow returns a region without a job, with the options that still fit.
func (t *tree) narrow(from *region, limit []float64, job int32) region {
	to := region{limit: limit}
	for i, j := range from.jobs {
		if j == job {
			continue
		}
		var list []int32
		for _, o := range from.list[i] {
			if t.f.opts[o].within(limit) {
				list = append(list, o)
			}
		}
		if len(list) > 0 {
			to.jobs, to.list = append(to.jobs, j), append(to.list, list)
		}
		t.dual.work += int64(len(from.list[i]))
	}
	return to
}

// suggest proposes what the jobs would take at the last prices, as far as it fits.
func (t *tree) suggest(l *level, m *moves) {
	limit := slices.Clone(l.region.limit)
	options := slices.Clone(l.decided)
	for _, o := range t.dual.choice {
		if o != none && t.f.opts[o].within(limit) {
			t.f.opts[o].take(limit)
			options = append(options, o)
		}
	}
	m.propose(options)
}

// decide removes from l the options that no better plan has, and chooses the job with the fewest alternatives, after
// a closer look at a few. It returns false if some job has none.
func (t *tree) decide(l *level, best float64) bool {
	t.probe.begin(l, l.value+t.dual.bound)
	for i := range l.region.jobs {
		// without is the bound of all but this job, so of plans where it has no option.
		without := t.probe.bound - t.dual.left[i]
		ways := 0
		if !closed(without, best) {
			ways++
		}
		list := l.region.list[i][:0]
		for _, o := range l.region.list[i] {
			opt := &t.f.opts[o]
			if closed(without+opt.utility, best) {
				break // as are all that follow: their utility is no greater
			}
			left := opt.utility - opt.cost(l.prices, math.Inf(1))
			t.dual.work += int64(opt.size)
			if !closed(without+left, best) {
				ways++
				list = append(list, o)
				t.probe.note(i, o, left)
			}
		}
		l.region.list[i] = list
		if ways == 0 {
			return false
		}
		t.probe.nominate(nominee{i, ways, t.dual.left[i]})
	}
	fewest := math.MaxInt
	for _, n := range t.probe.nominees {
		ways := t.probe.ways(l, n, best)
		if len(ways) == 0 {
			return false
		}
		if len(ways) < fewest {
			fewest = len(ways)
			l.job = l.region.jobs[n.place]
			l.ways = slices.Clone(ways)
		}
	}
	t.dual.work += t.probe.work
	slices.SortStableFunc(l.ways, func(a, b alternative) int {
		return cmp.Or(cmp.Compare(b.bound, a.bound), cmp.Compare(a.opt, b.opt))
	})
	return true
}

// A probe looks one step ahead before a job is chosen to be decided. What is left of an option at a node's prices
// ignores that other jobs lose if it is taken, because some of their options do not fit any more. At the same prices,
// a plan with it is worth no more than the bound of the node, minus what this job and they lose. That needs no new
// prices, so it is much cheaper than the node would be.
type probe struct {
	f        *flat
	bound    float64   // of the node
	left     []float64 // by opt, where noted: what is left of it at the prices of the node
	top      []int32   // by place of a job: the opt of which most is left, or none
	nominees []nominee
	limit    []float64
	found    []alternative
	work     int64 // see dual
}

// A nominee is a job that may be decided next.
type nominee struct {
	place int // in the jobs of the region
	ways  int
	left  float64 // what is left to it
}

const maxNominees = 3

// compare puts jobs with fewer alternatives first, then those with more left.
func (a nominee) compare(b nominee) int {
	return cmp.Or(cmp.Compare(a.ways, b.ways), cmp.Compare(b.left, a.left))
}

func newProbe(f *flat) probe {
	return probe{f: f, left: make([]float64, len(f.opts))}
}

// begin begins with a node that has this bound, with what is decided.
func (p *probe) begin(l *level, bound float64) {
	p.bound, p.work = bound, 0
	p.nominees = p.nominees[:0]
	p.top = p.top[:0]
	for range l.region.jobs {
		p.top = append(p.top, none)
	}
}

// note notes what is left of option o of the job at a place.
func (p *probe) note(place int, o int32, left float64) {
	p.left[o] = left
	if top := p.top[place]; left > 0 && (top == none || left > p.left[top]) {
		p.top[place] = o
	}
}

// nominate keeps n if few are before it; among equals the first stays.
func (p *probe) nominate(n nominee) {
	p.nominees = append(p.nominees, n)
	slices.SortStableFunc(p.nominees, nominee.compare)
	p.nominees = p.nominees[:min(len(p.nominees), maxNominees)]
}

// ways returns the alternatives of a job, without those that no better plan has. The result is valid until the next
// call.
func (p *probe) ways(l *level, n nominee, best float64) []alternative {
	p.found = p.found[:0]
	without := p.bound - n.left
	if !closed(without, best) {
		p.found = append(p.found, alternative{none, without})
	}
	for _, o := range l.region.list[n.place] {
		if bound := p.with(l, n.place, o, without+p.left[o], best); !closed(bound, best) {
			p.found = append(p.found, alternative{o, bound})
		}
	}
	return p.found
}

// with returns a bound of plans with option o of the job at a place, given what it takes from others. It stops when
// the bound is no better than the best.
func (p *probe) with(l *level, place int, o int32, bound, best float64) float64 {
	p.limit = append(p.limit[:0], l.region.limit...)
	p.f.opts[o].leave(p.limit)
	for i, top := range p.top {
		if closed(bound, best) {
			break
		}
		if i == place || top == none {
			continue // the job has no more than nothing to lose
		}
		p.work += 4
		if p.f.opts[top].within(p.limit) {
			continue
		}
		next := 0.0
		for _, o := range l.region.list[i] {
			if p.left[o] > next && p.f.opts[o].within(p.limit) {
				next = p.left[o]
			}
		}
		p.work += int64(4 * len(l.region.list[i]))
		bound -= p.left[top] - next
	}
	return bound
}

// leave makes of limits what is left beside o.
func (o *opt) leave(limit []float64) {
	o.take(limit)
	for i, x := range limit {
		limit[i] = max(0, x) // a rounding error must not make a price a gain
	}
}
