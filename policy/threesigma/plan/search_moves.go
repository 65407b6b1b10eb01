package plan

import (
	"math"
	"math/rand/v2"
	"slices"
)

// moves change a plan a little at a time, and keep the best.
type moves struct {
	f   *flat
	rng *rand.Rand

	use    []float64
	choice []int32 // by job of the problem: an opt, or none
	value  float64

	best      []int32
	bestValue float64 // summed anew, jobs in order

	order []entry   // as f.opts by job: falling by what is left at the prices
	left  []float64 // by opt: what is left of it at the prices
	keys  [4][]float64

	undo   []change
	out    []int32 // jobs to put back
	near   []int32
	worths []worth // of follow
	marks  []int   // by job: the count when it was last taken into out
	count  int     // changes tried
	fresh  int     // changes since use and value were summed anew
	work   int64   // see dual
}

// An entry is an opt with what mostly decides whether it fits: the nodes of its first slot, of which it takes most.
type entry struct {
	opt, base int32
	nodes     float64
}

// A change is what a job had before.
type change struct{ job, choice int32 }

func newMoves(f *flat, seed uint64) *moves {
	jobs := len(f.first) - 1
	m := &moves{f: f, rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	m.use = make([]float64, len(f.limit))
	m.choice = f.nothing()
	m.marks = make([]int, jobs)
	for j := range m.marks {
		m.marks[j] = -1
	}
	m.best = slices.Clone(m.choice)
	m.order = make([]entry, len(f.opts))
	m.left = make([]float64, len(f.opts))
	for i := range f.opts {
		m.order[i] = newEntry(f, int32(i))
		m.left[i] = f.opts[i].utility
	}
	for k := range m.keys {
		m.keys[k] = make([]float64, jobs)
	}
	m.rank()
	return m
}

func newEntry(f *flat, o int32) entry {
	e := entry{opt: o}
	if opt := &f.opts[o]; len(opt.profile) > 0 {
		e.base, e.nodes = opt.base, opt.nodes*opt.profile[0]
	}
	return e
}

// begin puts in the start, and then what fits beside it.
func (m *moves) begin(start []int) {
	choice, _ := m.f.keep(start)
	for j, o := range choice {
		m.set(int32(j), o)
	}
	m.keepBest()
	m.out = append(m.out[:0], m.f.live...)
	m.sortOut(utilityFirst)
	for _, j := range m.out {
		if m.choice[j] == none {
			m.insert(j, 0)
		}
	}
	m.keepBest()
	m.rebuild(densityFirst)
}

// Orders to put jobs back in.
const (
	leftFirst    = iota // what is left at the prices
	utilityFirst        // utility of its best option
	densityFirst        // what is left for each node and slot
	nodesFirst
	randomFirst
)

func (m *moves) rank() {
	for _, j := range m.f.live {
		begin, _ := m.f.of(j)
		top := m.order[begin].opt
		o := &m.f.opts[top]
		size, nodes := 1e-9, o.most()
		for _, x := range o.profile {
			size += x * nodes
		}
		m.keys[leftFirst][j] = m.left[top]
		m.keys[utilityFirst][j] = m.f.opts[begin].utility
		m.keys[densityFirst][j] = m.f.opts[top].utility / size
		m.keys[nodesFirst][j] = size
	}
}

// follow orders the options by these prices.
func (m *moves) follow(prices []float64) {
	for _, j := range m.f.live {
		begin, end := m.f.of(j)
		m.worths = m.worths[:0]
		for o := begin; o < end; o++ {
			opt := &m.f.opts[o]
			m.left[o] = opt.utility - opt.cost(prices, math.Inf(1))
			m.worths = append(m.worths, worth{m.left[o], o})
			m.work += int64(opt.size + 32)
		}
		slices.SortFunc(m.worths, worth.compare)
		for i, w := range m.worths {
			m.order[int(begin)+i] = newEntry(m.f, w.index)
		}
	}
	m.rank()
	for _, by := range [...]int{leftFirst, densityFirst} {
		m.rebuild(by)
	}
}

// rebuild makes a plan from nothing, and keeps it if it is better than the present one.
func (m *moves) rebuild(by int) {
	m.undo = m.undo[:0]
	before := m.value
	m.out = append(m.out[:0], m.f.live...)
	for _, j := range m.out {
		m.set(j, none)
	}
	m.sortOut(by)
	for _, j := range m.out {
		m.insert(j, 0)
	}
	if m.value > m.bestValue {
		m.keepBest()
	} else if m.value < before {
		m.revert()
	}
}

// propose tries a plan with these options, which fit together, and what fits beside them.
func (m *moves) propose(options []int32) {
	m.undo = m.undo[:0]
	m.out = append(m.out[:0], m.f.live...)
	for _, j := range m.out {
		m.set(j, none)
	}
	m.sumAnew() // or a rounding error could keep out what fits exactly
	for _, o := range options {
		m.set(m.f.opts[o].job, o)
	}
	m.sortOut(leftFirst)
	for _, j := range m.out {
		if m.choice[j] == none {
			m.insert(j, 0)
		}
	}
	if m.value > m.bestValue {
		m.keepBest()
	} else {
		m.revert()
	}
}

// revert undoes the noted changes.
func (m *moves) revert() {
	for i := len(m.undo) - 1; i >= 0; i-- {
		m.put(m.undo[i].job, m.undo[i].choice)
	}
}

// set gives a job another option, or none, and notes the old one.
func (m *moves) set(j, o int32) {
	old := m.choice[j]
	if old == o {
		return
	}
	m.undo = append(m.undo, change{j, old})
	m.put(j, o)
}

func (m *moves) put(j, o int32) {
	if old := m.choice[j]; old != none {
		opt := &m.f.opts[old]
		opt.take(m.use)
		m.value -= opt.utility
		m.work += int64(opt.size)
	}
	if m.choice[j] = o; o != none {
		opt := &m.f.opts[o]
		opt.put(m.use)
		m.value += opt.utility
		m.work += int64(opt.size)
	}
}

// insert gives a job without an option the first that fits, in the order of what is left, skipping each with
// probability blink/256.
func (m *moves) insert(j int32, blink uint32) bool {
	begin, end := m.f.of(j)
	m.work += int64(end-begin) + 8
	for _, e := range m.order[begin:end] {
		if e.nodes > 0 && m.use[e.base]+e.nodes > m.f.limit[e.base] {
			continue
		}
		if m.f.fits(m.use, &m.f.opts[e.opt]) {
			if blink > 0 && m.rng.Uint32()>>24 < blink {
				continue
			}
			m.set(j, e.opt)
			return true
		}
	}
	return false
}

// keepBest keeps the plan if it is better than the best, by its value summed anew.
func (m *moves) keepBest() {
	m.sumAnew()
	if m.value > m.bestValue {
		m.bestValue = m.value
		copy(m.best, m.choice)
	}
}

// sumAnew removes the rounding errors of changes.
func (m *moves) sumAnew() {
	m.fresh = 0
	m.value = 0
	clear(m.use)
	for _, o := range m.choice {
		if o != none {
			m.value += m.f.opts[o].utility
			m.f.opts[o].put(m.use)
		}
	}
}
