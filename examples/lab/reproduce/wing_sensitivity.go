package main

import (
	"fmt"

	"example.com/augur/policy/wing/pipeline"
)

// wingMispredictions is the sensitivity of section 7.2: what is lost if efficiencies are wrong by so much.
func wingMispredictions(b *bed[*wingLake]) item {
	published := map[float64]float64{5: 4, 10: 11}
	errs := []wingError{{5, false}, {10, false}, {5, true}, {10, true}}
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
func wingIterations(b *bed[*wingLake]) item {
	published := map[int]float64{0: 42, 2: 50, 4: 55, 9: 55}
	iterations := []int{0, 2, 4, 9}
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
