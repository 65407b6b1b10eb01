package plan

import "cmp"

// A probe looks one step ahead, before a job is chosen to be decided. What is left of an option at
// the prices of a node does not tell that other jobs lose theirs if it is taken: those of
// their options do not fit any more. At the same prices, a plan that has it is worth no more than
// the bound of the node, less what this job and they lose. That needs no prices anew, so it is much
// cheaper than the node would be. Nine instances of twenty jobs took a little more than half the nodes
// with it, and two thirds of the time.
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

// A nominee is a job that may be the next to be decided.
type nominee struct {
	place int // in the jobs of the region
	ways  int
	left  float64 // what is left to it
}

const maxNominees = 3

// compare puts first what has fewer ways, then what has more left.
func (a nominee) compare(b nominee) int {
	if a.ways != b.ways {
		return cmp.Compare(a.ways, b.ways)
	}
	return cmp.Compare(b.left, a.left)
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

// nominate keeps n if few are before it; of what compares alike the first stays before.
func (p *probe) nominate(n nominee) {
	at := len(p.nominees)
	for at > 0 && n.compare(p.nominees[at-1]) < 0 {
		at--
	}
	if at == maxNominees {
		return
	}
	if len(p.nominees) < maxNominees {
		p.nominees = append(p.nominees, n)
	}
	copy(p.nominees[at+1:], p.nominees[at:])
	p.nominees[at] = n
}

// ways returns what may be done with a job, without what no plan better than the best has. It is
// valid until the next call.
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

// with returns the bound of plans that have option o of the job at a place, if one is known that
// does without what it takes from others. It stops when that is no better than the best.
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
