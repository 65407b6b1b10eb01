package plan

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
)

// step tries one change, and undoes it if the plan is then worse than the best by the threshold or more.
func (m *moves) step(threshold float64) {
	m.count++
	m.undo = m.undo[:0]
	before := m.value
	m.out = m.out[:0]
	j := m.draw()
	o := m.pick(j)
	if m.rng.Uint32N(2) == 0 {
		m.ruin(j, o)
	} else {
		m.force(j, o)
	}
	m.recreate()
	m.work += 64
	switch {
	case m.value > m.bestValue:
		m.keepBest()
	case m.value < before && m.value < m.bestValue-threshold:
		m.revert()
	}
	if m.fresh++; m.fresh >= 4096 {
		m.sumAnew()
	}
}

// pick returns an option of a job, one with much left more likely.
func (m *moves) pick(j int32) int32 {
	begin, end := m.f.of(j)
	x := m.rng.Float64()
	return m.order[begin+saturate.To[int32](float64(end-begin)*x*x*x)].opt
}

// draw returns a job, each as likely.
func (m *moves) draw() int32 { return m.f.live[m.rng.Uint32N(uint32(len(m.f.live)))] }

// max3 returns that of three jobs which has the greatest key.
func max3(keys []float64, a, b, c int32) int32 {
	if keys[b] > keys[a] {
		a = b
	}
	if keys[c] > keys[a] {
		a = c
	}
	return a
}

// ruin takes out jobs that use nodes which o, an option of j, wants; and j.
func (m *moves) ruin(j, o int32) {
	m.remove(j)
	m.rivals(&m.f.opts[o])
	n := 1 + m.rng.Uint32N(8)
	for range n {
		if len(m.near) == 0 {
			break
		}
		i := m.rng.Uint32N(uint32(len(m.near)))
		m.remove(m.near[i])
		m.near[i] = m.near[len(m.near)-1]
		m.near = m.near[:len(m.near)-1]
	}
}

// rivals collects in near the jobs that use a slot that o wants.
func (m *moves) rivals(o *opt) {
	m.near = m.near[:0]
	for _, j := range m.f.live {
		if c := m.choice[j]; c != none && o.meets(&m.f.opts[c]) {
			m.near = append(m.near, j)
		}
	}
	m.work += int64(len(m.f.live))
}

func (m *moves) remove(j int32) {
	m.set(j, none)
	if m.marks[j] != m.count {
		m.marks[j] = m.count
		m.out = append(m.out, j)
	}
}

// force puts o in for j, and takes out what is in its way: in each slot that is too full, the job that is worth least
// for each node that it frees there.
func (m *moves) force(j, o int32) {
	m.set(j, none)
	m.marks[j] = m.count // it is not put back elsewhere
	opt := &m.f.opts[o]
	m.rivals(opt)
	for part := opt; part != nil; part = part.next {
		for t, x := range part.profile {
			at, nodes := int(part.base)+t, part.nodes*x
			for m.use[at]+nodes > m.f.limit[at] && m.eject(at, m.use[at]+nodes-m.f.limit[at]) {
			}
		}
	}
	if m.f.fits(m.use, opt) {
		m.set(j, o)
	} else {
		m.out = append(m.out, j)
	}
}

// eject takes out the job of near that is worth least for each node that it frees at a place of the row of all slots,
// where need nodes are needed. It returns false if there is none; then only a rounding error is left there.
func (m *moves) eject(at int, need float64) bool {
	worst, least := none, math.Inf(1)
	for i, k := range m.near {
		c := m.choice[k]
		if c == none {
			continue
		}
		rival := &m.f.opts[c]
		frees := min(need, rival.at(at))
		if !(frees > 0) {
			continue
		}
		if loss := rival.utility / frees * (0.75 + m.rng.Float64()); loss < least {
			worst, least = i, loss
		}
	}
	m.work += int64(8 * len(m.near))
	if worst == none {
		return false
	}
	m.remove(m.near[worst])
	return true
}

// recreate puts back what is out, with some jobs that have no option, in an order drawn at random.
func (m *moves) recreate() {
	for range 6 {
		j := max3(m.keys[leftFirst], m.draw(), m.draw(), m.draw())
		if m.choice[j] == none && m.marks[j] != m.count {
			m.marks[j] = m.count
			m.out = append(m.out, j)
		}
	}
	m.sortOut(int(m.rng.Uint32N(randomFirst + 1)))
	for _, j := range m.out {
		m.insert(j, 10)
	}
}

// sortOut orders the jobs that are out: the greatest first.
func (m *moves) sortOut(by int) {
	if by == randomFirst {
		for i := len(m.out) - 1; i > 0; i-- {
			k := m.rng.Uint32N(uint32(i + 1))
			m.out[i], m.out[k] = m.out[k], m.out[i]
		}
		return
	}
	keys := m.keys[by]
	slices.SortFunc(m.out, func(a, b int32) int {
		return cmp.Or(cmp.Compare(keys[b], keys[a]), cmp.Compare(a, b))
	})
}
