package main

import (
	"fmt"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing/pipeline"
)

// wingMispredictions is the sensitivity of section 7.2: what is lost if efficiencies are wrong by so much.
func wingMispredictions(f form, b *bed[*wingLake]) item {
	published := map[float64]float64{5: 4, 10: 11}
	errs := []wingError{{2, false}, {5, false}, {10, false}, {5, true}, {10, true}}
	if f.full {
		errs = append([]wingError{{1.1, false}, {1.25, false}, {1.5, false}}, errs...)
	}
	right := wingRun{system: oracleAgg, capacity: 20}
	return func(l *lab) func(r *report) {
		exact := right.ask(l, b)
		wrong := each(errs, func(e wingError) *trial[wingOutcome] { return wingRun{system: e.oracle(), capacity: 20}.ask(l, b) })
		return func(r *report) {
			for i, e := range errs {
				metric := fmt.Sprintf("value lost if efficiencies are wrong by up to %v, %% of all value", e)
				if e.most == 5 {
					metric += " (at most)"
				}
				r.add("7.2", right.workload(), metric, orUnpublished(published, e.most), exact.less(wrong[i], value))
			}
		}
	}
}

// wingIterations is the end of section 7.2: the value that is attained if only paths of some length
// count. The authors have run 0 and 9 iterations; what they say of 2 and 4 is what they expect.
func wingIterations(f form, b *bed[*wingLake]) item {
	published := map[int]float64{0: 42, 2: 50, 4: 55, 9: 55}
	iterations := []int{0, 2, 4, 9}
	if f.full {
		iterations = []int{0, 1, 2, 3, 4, 5, 9}
	}
	return func(l *lab) func(r *report) {
		trials := each(iterations, func(k int) *trial[wingOutcome] {
			w := wingRun{system: wingAgg, capacity: 20}
			switch {
			case k == 0:
				w.system = wingDirect
			case k < 9:
				w.way = wingWay{fmt.Sprintf("iterations: %d", k), func(*wingLake) pipeline.Config { return pipeline.Config{Hops: 1 << (k - 1)} }}
			}
			return w.ask(l, b)
		})
		return func(r *report) {
			for i, k := range iterations {
				metric := fmt.Sprintf("value at 20 %% capacity after %d iterations, %%", k)
				if k == 2 || k == 4 {
					metric += " (expected by the authors)"
				}
				r.add("7.2", wingRun{}.workload(), metric, orUnpublished(published, k), each(trials[i].runs, value))
			}
		}
	}
}

// wingTraining is what a longer history is good for: as many weeks as there are whole ones, or the
// last of them only.
func wingTraining(f form, b *bed[*wingLake]) item {
	weeks := []int{2, 9}
	if f.full {
		weeks = []int{2, 3, 5, 9}
	}
	return func(l *lab) func(r *report) {
		var runs []wingRun
		for _, last := range weeks {
			runs = append(runs, wingRun{system: wingAgg, capacity: 20, way: wingWay{fmt.Sprintf("weeks: %d", last), func(l *wingLake) pipeline.Config {
				return pipeline.Config{Start: provenance.Time(l.Log.Begin()) - provenance.Time(time.Duration(last)*wingWeek)}
			}}})
		}
		trials := each(runs, func(w wingRun) *trial[wingOutcome] { return w.ask(l, b) })
		return func(r *report) {
			for i, last := range weeks {
				r.add("3.2", runs[i].workload(), fmt.Sprintf("value under Wing-Agg at 20 %% capacity by the last %d weeks of nine, %%", last), unpublished, each(trials[i].runs, value))
			}
		}
	}
}
