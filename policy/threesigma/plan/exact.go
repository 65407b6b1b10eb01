package plan

import (
	"context"
	"slices"
)

// Exact tries everything, save what cannot be better than what it has: depth first, jobs in order of
// their greatest utility and options in order of theirs, greatest first. A branch is left if what is
// chosen in it and the greatest utilities of the jobs to come are no more than the best so far. It
// is for tests and for reading: a dozen jobs that compete take it milliseconds, and fifteen may take
// it for ever.
//
// An iteration is an option that is taken, or a job that is left out. If Iterations or ctx end the
// search, the Bound is the greatest that a branch not yet tried could have. SolveConfig.Start is what is
// to be bettered. Seed is not used. Memory is O(options + jobs × slots × shares).
type Exact struct{}

var _ Solver = Exact{}

// Solve implements [Solver].
func (Exact) Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error) {
	if err := p.validate(o); err != nil {
		return Solution{}, err
	}
	u := newUse(p)
	best := u.keep(o.Start)
	clear(u.taken)
	e := exact{ctx: ctx, u: u, left: o.Iterations, limited: o.Iterations > 0, choice: u.keep(nil), best: best}
	e.value = p.solution(best).Objective
	for _, it := range p.items(u) {
		if last := len(e.jobs) - 1; last >= 0 && e.jobs[last][0].job == it.job {
			e.jobs[last] = append(e.jobs[last], it)
		} else {
			e.jobs = append(e.jobs, []item{it})
		}
	}
	slices.SortFunc(e.jobs, func(a, b []item) int { return byUtility(a[0], b[0]) })
	e.after = make([]float64, len(e.jobs)+1)
	for k := len(e.jobs) - 1; k >= 0; k-- {
		e.after[k] = e.after[k+1] + e.jobs[k][0].utility
	}
	e.saved = make([][]float64, len(e.jobs))
	e.search(0, 0)
	s := p.solution(e.best)
	s.Bound = max(s.Objective, e.open)
	s.Proved = s.Bound == s.Objective
	return s, nil
}

// An exact is a search under way.
type exact struct {
	ctx     context.Context
	u       *use
	jobs    [][]item    // by depth, what may be chosen of a job
	after   []float64   // by depth, the sum of the greatest utilities from there on
	saved   [][]float64 // by depth, what was taken before: put back, since add and remove would let rounding pile up
	limited bool
	left    int // iterations
	tried   int
	stopped bool
	choice  []int
	best    []int
	value   float64 // of best
	open    float64 // the greatest bound of a branch not tried
}

// search decides the jobs from a depth on, where what is chosen before is worth sum.
func (e *exact) search(depth int, sum float64) {
	switch {
	case sum+e.after[depth] <= e.value:
		return
	case e.stop():
		e.open = max(e.open, sum+e.after[depth])
		return
	case depth == len(e.jobs):
		e.value = sum
		copy(e.best, e.choice)
		return
	}
	items := e.jobs[depth]
	for k, it := range items {
		if sum+it.utility+e.after[depth+1] <= e.value {
			break // nor are those that follow of more use; that of leaving the job out is even less
		}
		if !e.u.fits(it.job, it.option) {
			continue
		}
		e.save(depth, it)
		e.u.add(it.job, it.option)
		e.choice[it.job] = it.option
		e.search(depth+1, sum+it.utility)
		e.choice[it.job] = None
		e.restore(depth, it)
		if e.stopped && k+1 < len(items) {
			e.open = max(e.open, sum+items[k+1].utility+e.after[depth+1])
			return
		}
	}
	e.search(depth+1, sum)
}

// save notes what is taken of what an item wants.
func (e *exact) save(depth int, it item) {
	place, start, profile := e.u.span(it.job, it.option)
	e.saved[depth] = e.saved[depth][:0]
	for _, s := range place {
		e.saved[depth] = append(e.saved[depth], e.u.row(e.u.taken, s.Pool, start, len(profile))...)
	}
}

// restore puts back what save has noted of the same item.
func (e *exact) restore(depth int, it item) {
	place, start, profile := e.u.span(it.job, it.option)
	saved := e.saved[depth]
	for _, s := range place {
		n := copy(e.u.row(e.u.taken, s.Pool, start, len(profile)), saved)
		saved = saved[n:]
	}
}

// stop counts an iteration, and says whether there may be none.
func (e *exact) stop() bool {
	if e.stopped {
		return true
	}
	e.stopped = e.limited && e.left == 0 || e.tried%64 == 0 && e.ctx.Err() != nil
	e.tried++
	e.left--
	return e.stopped
}
