package plan

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Greedy takes options one after the other, if their job has none yet and they fit. It does so
// twice, by utility and by utility per node-slot, greatest first, and keeps the better choice. The
// second was better by 1 to 64 % in all of 30 problems that were generated for the tests, of 20 to
// 400 jobs that compete; the first is where much utility is in few jobs. Node-slots are those
// of the whole profile, even where the slots of the problem end, since else what starts last would look
// best. Of several pools that one counts of which most is taken. Ties go to the earlier job, then to
// the earlier option.
//
// It is a base line, and where others begin. The Bound is the sum of the greatest utility of each
// job that fits alone. SolveConfig.Start is kept if it is better than what was found. Iterations and
// Seed are not used. It takes O(n log n + n × shares × slots) time for n options and memory for n;
// ctx is asked between options, but not while they are sorted.
type Greedy struct{}

var _ Solver = Greedy{}

// Solve implements [Solver].
func (Greedy) Solve(ctx context.Context, p *Problem, o SolveConfig) (Solution, error) {
	if err := p.validate(o); err != nil {
		return Solution{}, err
	}
	u := newUse(p)
	s := p.solution(u.keep(o.Start))
	clear(u.taken)
	items := p.items(u)
	s.Bound = 0
	for k, it := range items { // by job, the best option first
		if k == 0 || it.job != items[k-1].job {
			s.Bound += it.utility
		}
	}
	for _, order := range []func(a, b item) int{byUtility, byDensity} {
		if ctx.Err() != nil {
			break
		}
		slices.SortFunc(items, order)
		if next := p.solution(firstFit(ctx, u, items)); next.Objective > s.Objective {
			s.Choice, s.Objective = next.Choice, next.Objective
		}
	}
	s.Bound = max(s.Bound, s.Objective)
	s.Proved = s.Bound == s.Objective
	return s, nil
}

// An item is an option that is of use and fits alone.
type item struct {
	job, option      int
	utility, density float64 // density is utility per node-slot: +Inf if it takes none
}

// items returns what may be chosen, by job and then utility, greatest first. u must be empty.
func (p *Problem) items(u *use) []item {
	var items []item
	for j := range p.Jobs {
		begin := len(items)
		for o := range p.Jobs[j].Options {
			utility := p.Jobs[j].Options[o].Utility
			if !(utility > 0) || !u.fits(j, o) {
				continue
			}
			opt := &p.Jobs[j].Options[o]
			slots := 0.0
			for _, share := range p.Jobs[j].Profiles[opt.Profile] {
				slots += share
			}
			density := math.Inf(1)
			if area := p.place(j, o).nodes() * slots; area > 0 {
				density = utility / area
			}
			items = append(items, item{j, o, utility, density})
		}
		slices.SortFunc(items[begin:], byUtility)
	}
	return items
}

// Mostly the first numbers decide; cmp.Or would compare all of them first.
func byUtility(a, b item) int {
	if a.utility != b.utility {
		return cmp.Compare(b.utility, a.utility)
	}
	if a.job != b.job {
		return cmp.Compare(a.job, b.job)
	}
	return cmp.Compare(a.option, b.option)
}

func byDensity(a, b item) int {
	if a.density != b.density {
		return cmp.Compare(b.density, a.density)
	}
	return byUtility(a, b)
}

// firstFit chooses items in order, as far as ctx lets it.
func firstFit(ctx context.Context, u *use, items []item) []int {
	choice := u.keep(nil)
	for k, it := range items {
		if k%256 == 0 && ctx.Err() != nil {
			break
		}
		if choice[it.job] == None && u.fits(it.job, it.option) {
			u.add(it.job, it.option)
			choice[it.job] = it.option
		}
	}
	return choice
}

// solution returns a choice and what it is worth, summed as Value does, and no bound.
func (p *Problem) solution(choice []int) Solution {
	s := Solution{Choice: choice, Bound: math.Inf(1)}
	for j, o := range choice {
		if o != None {
			s.Objective += p.Jobs[j].Options[o].Utility
		}
	}
	return s
}
