package plan

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Greedy takes options one after the other, if their job has none yet and they fit. It does so twice, by utility and
// by utility per node-slot, greatest first, and keeps the better choice. That is mostly the second; the first is
// better if much utility is in few jobs. Node-slots count the whole profile, even beyond the last slot of the
// problem; otherwise what starts last would look best. With several pools, the one of which the option takes most
// counts. Ties go to the earlier job, then to the earlier option.
//
// Greedy is a baseline, and a start for other solvers. The Bound is the sum of the greatest utility of each job that
// fits alone. It keeps SolveConfig.Start if that is better than what it finds. It ignores Iterations and Seed. It
// takes O(n log n + n × shares × slots) time for n options and memory for n; it checks ctx between the two passes.
type Greedy struct{}

var _ Solver = Greedy{}

// Solve implements [Solver].
func (Greedy) Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error) {
	if err := p.validate(o); err != nil {
		return Solution{}, err
	}
	f := flatten(p)
	choice, _ := f.keep(o.Start)
	s := f.solution(choice)
	s.Bound = 0
	for _, j := range f.live {
		s.Bound += f.opts[f.first[j]].utility
	}
	items := f.items(p)
	for _, order := range []func(a, b item) int{byUtility, byDensity} {
		if ctx.Err() != nil {
			break
		}
		slices.SortFunc(items, order)
		if next := f.solution(f.firstFit(items)); next.Objective > s.Objective {
			s.Choice, s.Objective = next.Choice, next.Objective
		}
	}
	s.Bound = max(s.Bound, s.Objective)
	s.Proved = s.Bound == s.Objective
	return s, nil
}

// An item is an opt; ties go by their order.
type item struct {
	opt              int32
	utility, density float64 // density is utility per node-slot: +Inf if it takes none
}

func (f *flat) items(p *Problem) []item {
	items := make([]item, len(f.opts))
	for i := range f.opts {
		opt := &f.opts[i]
		job := &p.Jobs[opt.job]
		slots := 0.0
		for _, share := range job.Profiles[job.Options[opt.index].Profile] {
			slots += share
		}
		density := math.Inf(1)
		if area := opt.most() * slots; area > 0 {
			density = opt.utility / area
		}
		items[i] = item{int32(i), opt.utility, density}
	}
	return items
}

// Mostly the first numbers decide; cmp.Or would compare all of them first. Of the same utility, opts are by job
// and then by option.
func byUtility(a, b item) int {
	if a.utility != b.utility {
		return cmp.Compare(b.utility, a.utility)
	}
	return cmp.Compare(a.opt, b.opt)
}

func byDensity(a, b item) int {
	if a.density != b.density {
		return cmp.Compare(b.density, a.density)
	}
	return byUtility(a, b)
}

// firstFit chooses items in order.
func (f *flat) firstFit(items []item) []int32 {
	choice, use := f.nothing(), make([]float64, len(f.limit))
	for _, it := range items {
		if opt := &f.opts[it.opt]; choice[opt.job] == none && f.fits(use, opt) {
			opt.put(use)
			choice[opt.job] = it.opt
		}
	}
	return choice
}

// Exact tries every choice, except those that cannot be better than what it has: depth first, jobs in order of their
// greatest utility and options in order of theirs, greatest first. It leaves a branch if the chosen utilities plus the
// greatest utilities of the jobs to come do not exceed the best so far. It is for tests and for reading: a dozen jobs
// that compete take it milliseconds, and fifteen may take longer than anybody waits.
//
// An iteration is an option that is taken, or a job that is left out. If Iterations or ctx end the search, the Bound
// is the greatest that an untried branch could have. It searches for something better than SolveConfig.Start, and
// ignores Seed. Memory is O(options + jobs × pools × slots).
type Exact struct{}

var _ Solver = Exact{}

// Solve implements [Solver].
func (Exact) Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error) {
	if err := p.validate(o); err != nil {
		return Solution{}, err
	}
	f := flatten(p)
	best, _ := f.keep(o.Start)
	e := exact{ctx: ctx, f: f, most: o.Iterations, choice: f.nothing(), best: best}
	e.value = f.solution(best).Objective
	e.use = make([]float64, len(f.limit))
	e.jobs = slices.Clone(f.live)
	slices.SortStableFunc(e.jobs, func(a, b int32) int {
		return cmp.Compare(f.opts[f.first[b]].utility, f.opts[f.first[a]].utility)
	})
	e.after = make([]float64, len(e.jobs)+1)
	for k := len(e.jobs) - 1; k >= 0; k-- {
		e.after[k] = e.after[k+1] + f.opts[f.first[e.jobs[k]]].utility
	}
	e.search(0, 0)
	s := f.solution(e.best)
	s.Bound = max(s.Objective, e.open)
	s.Proved = s.Bound == s.Objective
	return s, nil
}

// An exact is a search under way.
type exact struct {
	ctx     context.Context
	f       *flat
	use     []float64 // what choice takes
	jobs    []int32   // by depth
	after   []float64 // by depth, the sum of the greatest utilities from there on
	most    int       // iterations; 0: no limit
	tried   int
	stopped bool
	choice  []int32
	best    []int32
	value   float64 // of best
	open    float64 // the greatest bound of a branch not tried
}

// search decides the jobs from a depth on, given the sum of the utilities chosen before.
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
	j := e.jobs[depth]
	before := slices.Clone(e.use) // put back, since to take away what was put would let rounding pile up
	begin, end := e.f.of(j)
	for o := begin; o < end; o++ {
		opt := &e.f.opts[o]
		if sum+opt.utility+e.after[depth+1] <= e.value {
			break // nor are those that follow of more use; that of leaving the job out is even less
		}
		if !e.f.fits(e.use, opt) {
			continue
		}
		opt.put(e.use)
		e.choice[j] = o
		e.search(depth+1, sum+opt.utility)
		e.choice[j] = none
		copy(e.use, before)
		if e.stopped && o+1 < end {
			e.open = max(e.open, sum+e.f.opts[o+1].utility+e.after[depth+1])
			return
		}
	}
	e.search(depth+1, sum)
}

// stop counts an iteration, and reports whether the search must end.
func (e *exact) stop() bool {
	if e.stopped {
		return true
	}
	e.stopped = e.most > 0 && e.tried == e.most || e.tried%64 == 0 && e.ctx.Err() != nil
	e.tried++
	return e.stopped
}
