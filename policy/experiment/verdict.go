package experiment

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteVerdict prints the [Result.Verdict], and which way the figures are to be read.
func (r *Result) WriteVerdict(w io.Writer) error {
	if len(r.Loads) == 0 {
		_, err := fmt.Fprintln(w, "No run is done; see the error of Run.")
		return err
	}
	_, err := fmt.Fprintln(w, "Lower is better, except for values and shares of faster jobs; ratios are to "+r.base+".")
	for _, line := range r.Verdict() {
		if err == nil {
			_, err = fmt.Fprintln(w, line)
		}
	}
	return err
}

// Verdict says in a few lines what came out at the last load: which policies leave jobs undone, Stalled or GivenUp, that others do,
// and are left out of what follows; which policy has the least mean completion time of those that do
// not know the runtimes, how it does beside the baseline and beside the best of those that do, what the intervals tell of all others beside the baseline,
// and which policies are equal to the baseline and why. A policy knows the runtimes if it has asked the truth, or goes by requests that
// are made of it.
func (r *Result) Verdict() (lines []string) {
	if len(r.Loads) == 0 {
		return nil
	}
	l := &r.Loads[len(r.Loads)-1]
	at := ""
	if len(r.Loads) > 1 {
		at = fmt.Sprintf("At load %v, ", *l.Load)
	}
	var ignorant, told, informed *Average // the best of each
	var base *Average
	for i := range l.Policies {
		a := &l.Policies[i]
		if a.Policy == r.base {
			base = a
		}
		if a.left {
			text := "its means are of the others, and do not count here"
			if a.Policy == r.base {
				text = "its means are of the others, so that no ratio to it counts; take another baseline"
			}
			lines = append(lines, at+a.Policy+" leaves jobs undone ("+a.outcomes.failed()+"): "+text+".")
		}
		if a.left || a.JCTRatio == nil {
			continue
		}
		best := &ignorant
		switch {
		case a.informed:
			best = &informed
		case a.told:
			best = &told
		}
		if *best == nil || a.JCTRatio.Ratio < (*best).JCTRatio.Ratio {
			*best = a
		}
	}
	best := cmp.Or(ignorant, told, informed)
	if base == nil || len(l.Policies) < 2 || best == nil {
		return lines
	}
	var to []string
	if told != nil && told.JCTRatio.Ratio >= best.JCTRatio.Ratio {
		told = nil
	}
	beside := []*Average{base, told, informed}
	for i, a := range beside {
		if a == nil || a == best || slices.Contains(beside[:i], a) {
			continue
		}
		mean := func(row *Row) *float64 { return row.MeanJCT }
		text := Pair(l.Of(best.Policy, mean), l.Of(a.Policy, mean)).Short(2) + " of " + a.Policy + "'s"
		if to == nil {
			text += " mean completion time"
		}
		switch {
		case a.informed:
			text += ", which knows the runtimes"
		case a.told:
			text += ", whose requests are made of the runtimes"
		}
		to = append(to, text)
	}
	text := best.Policy + ": " + strings.Join(to, ", and ")
	if l.Cells > 1 {
		text += ", in the geometric mean over the " + plurals[l.kind()]
	}
	switch {
	case best == base:
		text = best.Policy + " has the least mean completion time"
		switch {
		case best != ignorant:
		case informed != nil:
			text += " of those that do not know the runtimes"
		case told != nil:
			text += " of those whose requests are not made of the runtimes"
		}
		if to != nil {
			text += ": " + strings.Replace(to[0], " mean completion time", "", 1)
		}
	case best.JCTRatio.side() == 0 && best.JCTRatio.Low != nil:
		text += "; it may be no better than " + r.base + ", since the interval has 1 in it"
	}
	if p99 := best.P99Ratio; best != base && p99 != nil && p99.side() > 0 {
		text += "; but its P99 is " + p99.Short(2) + " of " + r.base + "'s"
	}
	if best == informed {
		text += "; all policies know the runtimes"
	}
	if !base.left {
		lines = append(lines, at+text+".")
	}
	if others := r.others(l, best); others != "" && !base.left {
		lines = append(lines, "By the intervals"+strings.TrimSuffix(", "+strings.ToLower(at), ", ")+", "+others+".")
	}
	if f := slices.DeleteFunc(slices.Clone(l.Policies), func(a Average) bool { return a.left || zero(a.failed) }); len(f) > 0 {
		lines = append(lines, "Jobs fail under "+and(names(f))+", and means are of the others.")
	}
	lines = append(lines, most(l, "misses the fewest deadlines", func(a *Average) *float64 { return a.MissRate }, 100, -1)...)
	lines = append(lines, most(l, "attains the most value", func(a *Average) *float64 { return a.Attained }, 1, 1)...)
	return append(lines, r.equal(l)...)
}

// others says which policies are better or worse than the baseline. It leaves out the best, which the verdict names before, and
// those whose means do not count.
func (r *Result) others(l *AtLoad, best *Average) string {
	var side [3][]string // better, unknown, worse
	for i := range l.Policies {
		a := &l.Policies[i]
		if a == best || a.Policy == r.base || a.left || a.same || a.JCTRatio == nil || a.JCTRatio.Low == nil {
			continue
		}
		name := a.Policy
		if a.told {
			name += " (requests made of the runtimes)"
		}
		is := a.JCTRatio.side()
		if p99 := a.P99Ratio; is < 0 && p99 != nil && p99.side() > 0 {
			name += " (but its P99 is " + p99.Short(2) + " of " + r.base + "'s)"
		}
		side[1+is] = append(side[1+is], name)
	}
	var parts []string
	for i, text := range [...]string{"better than ", "not told from ", "worse than "} {
		if verb := " is "; side[i] != nil {
			if len(side[i]) > 1 {
				verb = " are "
			}
			parts = append(parts, and(side[i])+verb+text+r.base)
		}
	}
	return strings.Join(parts, "; ")
}

func names(list []Average) (names []string) {
	for i := range list {
		names = append(names, list[i].Policy)
	}
	return names
}

// most says which policy has the most of a figure in percent, or with sign -1 the least; nothing if no policy has it.
func most(l *AtLoad, what string, of func(*Average) *float64, scale, sign float64) []string {
	var best *Average
	for i := range l.Policies {
		if a := &l.Policies[i]; of(a) != nil && (best == nil || sign**of(a) > sign**of(best)) {
			best = a
		}
	}
	if best == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s %s, %.1f %%.", best.Policy, what, scale**of(best))}
}

// equal says which policies do the same as the baseline.
func (r *Result) equal(l *AtLoad) (lines []string) {
	var whys []string
	by := make(map[string][]string)
	for i := range l.Policies {
		a := &l.Policies[i]
		if a.Policy == r.base || !a.same {
			continue
		}
		why := reason(a.Policy, l.runs)
		if by[why] == nil {
			whys = append(whys, why)
		}
		by[why] = append(by[why], a.Policy)
	}
	var parts []string
	for _, why := range whys {
		text := and(by[why])
		switch many := len(by[why]) > 1; {
		case parts == nil && many:
			text += " equal " + r.base + " here"
		case parts == nil:
			text += " equals " + r.base + " here"
		case many:
			text += " do too"
		default:
			text += " does too"
		}
		if why != "" {
			text += ", since " + why
		}
		parts = append(parts, text)
	}
	if parts == nil {
		return nil
	}
	return []string{strings.Join(parts, "; ") + "."}
}

// reason says why a policy does as one that goes by the order of arrival; "" if that is not known.
func reason(policy string, cells []*Report) string {
	all := func(of func(facts) bool) bool {
		return !slices.ContainsFunc(cells, func(r *Report) bool { return !of(r.facts) })
	}
	fills := slices.ContainsFunc([]string{"easy", "conservative", "sjbf", "slack"}, func(part string) bool { return strings.Contains(policy, part) })
	switch {
	case strings.Contains(policy, "priority") && all(func(f facts) bool { return f.priority }):
		return "all priorities are equal"
	case fills && all(func(f facts) bool { return f.narrow }):
		return "each task takes one core, so that nothing waits for a gap"
	}
	return ""
}
