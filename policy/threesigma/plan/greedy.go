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
