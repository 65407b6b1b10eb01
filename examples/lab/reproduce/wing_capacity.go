package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// wingPublished has the values that the text of sections 7.1 to 7.3 names, in percent of what is achievable.
// Oracle Wing-Agg at 20 % is Wing-Agg's 55 and "8 % of overall value", Oracle Wing-Direct "up to 18 %" less
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

// wingFailed has how many jobs fail, in percent, from the same sections. Oracle Wing-Direct's are 3 % of all
// jobs more than Oracle Wing-Agg's.
var wingFailed = map[bool]map[int]map[string]float64{
	false: {20: {"Oracle Wing-Agg": 26, "Oracle Wing-Direct": 29}},
	true: {
		60: {"PRIO": 0, "Wing-Agg": 0, "Wing-Direct": 0},
		20: {"PRIO": 25, "Wing-Agg": 11, "Wing-Direct": 13, "Oracle Wing-Agg": 7},
	},
}

// wingGrid are the runs of Figs. 10 to 12: policies, as the cluster shrinks, with queues of organisations and
// with one queue.
func wingGrid(f form) (runs []wingRun) {
	few := []wingSystem{prio, wingDirect, wingAgg, wingMIL}
	all := append(few, wingTied, mil, heedfulMIL, raised, oracleAgg, oracleDirect, oracleWingMIL, oracleMIL)
	for _, one := range []bool{false, true} {
		for _, capacity := range []int{100, 60, 40, 20} {
			systems := few
			switch {
			case one && capacity > 60:
				continue // all jobs complete at 60 %
			case capacity == 20:
				systems = all
			}
			for _, l := range f.with {
				if one || strings.HasPrefix(l.Turn, "wing-") { // others have no queues of organisations
					systems = append(slices.Clip(systems), wingLine(l))
				}
			}
			for _, s := range systems {
				runs = append(runs, wingRun{system: s, capacity: capacity, one: one})
			}
		}
	}
	return runs
}

// wingValues is Figs. 10 to 12: the value that policies attain.
func wingValues(f form, b *bed[*wingLake]) item {
	runs := wingGrid(f)
	return func(l *lab) func(r *report) {
		trials := each(runs, func(w wingRun) *trial[wingOutcome] { return w.ask(l, b) })
		return func(r *report) {
			for i, w := range runs {
				published := orUnpublished(wingPublished[w.one][w.capacity], w.system.name)
				r.add(w.figure(), w.workload(), fmt.Sprintf("value under %s at %d %% capacity, %%", w.system.name, w.capacity), published, each(trials[i].runs, value))
			}
		}
	}
}

// wingGains is how much more value they attain than others, where the grid has both.
func wingGains(f form, b *bed[*wingLake], one bool) item {
	type pair struct {
		a     wingRun
		than  string
		value [2]*trial[wingOutcome]
	}
	runs := wingGrid(f)
	return func(l *lab) func(r *report) {
		var pairs []pair
		for _, p := range [][2]wingSystem{
			{wingAgg, wingDirect}, {wingDirect, prio}, {wingAgg, prio}, {wingAgg, wingTied}, {wingTied, prio}, {oracleAgg, wingAgg}, {oracleAgg, oracleDirect},
		} {
			for _, capacity := range []int{40, 20} {
				a, than := wingRun{system: p[0], capacity: capacity, one: one}, wingRun{system: p[1], capacity: capacity, one: one}
				if a.in(runs) && than.in(runs) {
					pairs = append(pairs, pair{a, p[1].name, [2]*trial[wingOutcome]{a.ask(l, b), than.ask(l, b)}})
				}
			}
		}
		return func(r *report) {
			for _, p := range pairs {
				values := wingPublished[one][p.a.capacity]
				published := orUnpublished(values, p.a.system.name) - orUnpublished(values, p.than)
				r.add(p.a.figure(), p.a.workload(), wingGain(p.a.system.name, p.than, p.a.capacity), published, p.value[0].less(p.value[1], value))
			}
		}
	}
}

// wingGain is the metric of how much more value a policy attains than another.
func wingGain(ours, theirs string, capacity int) string {
	return fmt.Sprintf("value under %s less that under %s at %d %% capacity, %% of all value", ours, theirs, capacity)
}

// in reports whether a grid has such a run.
func (w wingRun) in(runs []wingRun) bool {
	return slices.ContainsFunc(runs, func(o wingRun) bool {
		return o.system.name == w.system.name && o.capacity == w.capacity && o.one == w.one
	})
}

// wingFailures is how many jobs fail, of sections 7.2 and 7.3.
func wingFailures(b *bed[*wingLake], one bool) item {
	section := "7.2"
	if one {
		section = "7.3"
	}
	return func(l *lab) func(r *report) {
		var tells []func(r *report)
		for _, capacity := range []int{60, 20} {
			for _, s := range []wingSystem{prio, wingDirect, wingTied, wingAgg, oracleDirect, oracleAgg} {
				published := orUnpublished(wingFailed[one][capacity], s.name)
				if capacity != 20 && math.IsNaN(published) {
					continue
				}
				w := wingRun{system: s, capacity: capacity, one: one}
				t := w.ask(l, b)
				tells = append(tells, func(r *report) {
					r.add(section, w.workload(), fmt.Sprintf("jobs that fail under %s at %d %% capacity, %%", s.name, capacity), published, each(t.runs, failed))
				})
			}
		}
		return func(r *report) {
			for _, tell := range tells {
				tell(r)
			}
		}
	}
}

// wingKinds is which kind of jobs fail, of section 7.1.
func wingKinds(b *bed[*wingLake]) item {
	w := wingRun{system: wingAgg, capacity: 20}
	return func(l *lab) func(r *report) {
		t := w.ask(l, b)
		return func(r *report) {
			r.add("7.1", w.workload(), "recurring jobs that fail under Wing-Agg at 20 % capacity, %", 25, each(t.runs, func(o wingOutcome) float64 { return o.recurring }))
			r.add("7.1", w.workload(), "ad-hoc jobs that fail under Wing-Agg at 20 % capacity, %", 42, each(t.runs, func(o wingOutcome) float64 { return o.adHoc }))
		}
	}
}
