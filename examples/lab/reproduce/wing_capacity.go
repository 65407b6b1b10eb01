package main

import (
	"fmt"
	"slices"
)

// wingPublished has the values that the text of sections 7.1 to 7.3 names, in percent of what is achievable.
// The key of the outer map is whether there is one queue for all. Oracle Wing-Agg at 20 % is Wing-Agg's 55 and "8 % of overall value", Oracle Wing-Direct "up to 18 %" less
// than that.
var wingPublished = map[bool]map[int]map[string]float64{
	false: {
		60: {"PRIO": 80, "Wing-Agg": 87},
		40: {"PRIO": 62, "Wing-Agg": 77},
		20: {"PRIO": 35, "Wing-Agg": 55, "Wing-Direct": 42, "Oracle Wing-Agg": 63, "Oracle Wing-Direct": 45},
	},
	true: {
		40: {"PRIO": 93, "Wing-Agg": 99, "Wing-Direct": 97},
		20: {"PRIO": 47, "Wing-Agg": 93, "Wing-Direct": 84, "Oracle Wing-Agg": 98},
	},
}

// wingGrid are the runs of Figs. 10 to 12: policies, as the cluster shrinks, with queues of organisations and
// with one queue, where all jobs complete at 60 %.
func wingGrid() (runs []wingRun) {
	few := []wingSystem{prio, wingDirect, wingAgg}
	for _, one := range []bool{false, true} {
		for _, capacity := range []int{100, 60, 40, 20} {
			systems := few
			switch {
			case one && capacity > 60:
				continue
			case capacity == 20:
				systems = append(slices.Clip(few), wingTied, oracleAgg, oracleDirect)
			}
			for _, s := range systems {
				runs = append(runs, wingRun{s, capacity, one})
			}
		}
	}
	return runs
}

// wingPairs are pairs of policies. In the paper the first of each attains more value than the second.
var wingPairs = [][2]wingSystem{
	{wingAgg, wingDirect}, {wingDirect, prio}, {wingAgg, prio}, {wingAgg, wingTied}, {wingTied, prio}, {oracleAgg, wingAgg}, {oracleAgg, oracleDirect},
}

// wingValues is Figs. 10 to 12: the value that policies attain, and how much more than others.
func wingValues(b *bed[*wingLake]) item {
	runs := wingGrid()
	return func(l *lab) func(r *report) {
		trials := each(runs, func(w wingRun) *trial[float64] { return w.ask(l, b) })
		return func(r *report) {
			for i, w := range runs {
				published := orUnpublished(wingPublished[w.one][w.capacity], w.system.name)
				r.add(w.figure(), w.workload(), fmt.Sprintf("value under %s at %d %% capacity, %%", w.system.name, w.capacity), published, trials[i].runs)
			}
			for i, w := range runs {
				for _, p := range wingPairs {
					than := wingRun{p[1], w.capacity, w.one}
					at := slices.IndexFunc(runs, than.is)
					if w.system.name != p[0].name || at < 0 || w.capacity > 40 {
						continue
					}
					values := wingPublished[w.one][w.capacity]
					published := orUnpublished(values, w.system.name) - orUnpublished(values, than.system.name)
					r.add(w.figure(), w.workload(), wingGain(w.system.name, than.system.name, w.capacity), published, trials[i].less(trials[at], itself))
				}
			}
		}
	}
}

// wingGain is the metric of how much more value a policy attains than another.
func wingGain(ours, theirs string, capacity int) string {
	return fmt.Sprintf("value under %s less that under %s at %d %% capacity, %% of all value", ours, theirs, capacity)
}

func itself(x float64) float64 { return x }
