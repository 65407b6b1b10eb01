package main

import (
	"context"
	"fmt"
	"math"
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

// wingCapacities is Figs. 10 to 12: the value that policies attain as the cluster shrinks, with queues
// of organisations and with one queue, and what fails.
func wingCapacities(ctx context.Context, r *report, f form, beds []*wingBed) error {
	few := []wingPolicy{prio, wingDirect, wingAgg, wingMIL}
	all := append(few, mil, heedfulMIL, raised, oracleAgg, oracleDirect, oracleWingMIL, oracleMIL)
	var runs []wingRun
	for _, one := range []bool{false, true} {
		for _, capacity := range []int{100, 80, 60, 40, 20} {
			policies := few
			if one && capacity > 60 && !f.full {
				continue // all jobs complete at 60 %
			}
			if capacity == 20 || capacity == 40 && !one || f.full {
				policies = all
			}
			for _, p := range policies {
				runs = append(runs, wingRun{p, capacity, one})
			}
		}
	}
	outcomes, err := wingOutcomes(ctx, beds, runs)
	if err != nil {
		return err
	}
	of := func(w wingRun) []wingOutcome {
		for i := range runs {
			if runs[i].policy.name == w.policy.name && runs[i].capacity == w.capacity && runs[i].one == w.one {
				return outcomes[i]
			}
		}
		return nil
	}
	for i := range runs {
		w := &runs[i]
		published := orUnpublished(wingPublished[w.one][w.capacity], w.policy.name)
		r.add(w.figure(), w.workload(), fmt.Sprintf("value under %s at %d %% capacity, %%", w.policy.name, w.capacity), published, each(outcomes[i], value))
	}
	for _, one := range []bool{false, true} {
		for _, p := range []struct{ a, b wingPolicy }{
			{wingAgg, wingDirect}, {wingDirect, prio}, {wingAgg, prio}, {oracleAgg, wingAgg}, {oracleAgg, oracleDirect},
		} {
			for _, capacity := range []int{40, 20} {
				w := wingRun{p.a, capacity, one}
				a, b := of(w), of(wingRun{p.b, capacity, one})
				if a == nil || b == nil { // in the full form only
					continue
				}
				values := wingPublished[one][capacity]
				published := orUnpublished(values, p.a.name) - orUnpublished(values, p.b.name)
				more := make([]float64, len(a))
				for k := range more {
					more[k] = a[k].value - b[k].value
				}
				r.add(w.figure(), w.workload(), fmt.Sprintf("value under %s less that under %s at %d %% capacity, %% of all value", p.a.name, p.b.name, capacity), published, more)
			}
		}
		item := "7.2"
		if one {
			item = "7.3"
		}
		for _, capacity := range []int{60, 20} {
			for _, p := range []wingPolicy{prio, wingDirect, wingAgg, oracleDirect, oracleAgg} {
				w := wingRun{p, capacity, one}
				published := orUnpublished(wingFailed[one][capacity], p.name)
				if capacity == 20 || !math.IsNaN(published) {
					r.add(item, w.workload(), fmt.Sprintf("jobs that fail under %s at %d %% capacity, %%", p.name, capacity), published, each(of(w), func(o wingOutcome) float64 { return o.failed }))
				}
			}
		}
	}
	w := wingRun{wingAgg, 20, false}
	r.add("7.1", w.workload(), "recurring jobs that fail under Wing-Agg at 20 % capacity, %", 25, each(of(w), func(o wingOutcome) float64 { return o.recurring }))
	r.add("7.1", w.workload(), "ad-hoc jobs that fail under Wing-Agg at 20 % capacity, %", 42, each(of(w), func(o wingOutcome) float64 { return o.adHoc }))
	return nil
}

func value(o wingOutcome) float64 { return o.value }

// orUnpublished returns what a table of published numbers has, and unpublished if it has nothing.
func orUnpublished[K comparable](numbers map[K]float64, key K) float64 {
	if x, ok := numbers[key]; ok {
		return x
	}
	return unpublished
}

// figure is where the paper tells of a run.
func (w *wingRun) figure() string {
	switch {
	case w.policy.name == raised.name:
		return "4.4"
	case w.policy.name == heedfulMIL.name:
		return "7.1"
	case w.one:
		return "Fig. 12"
	case w.policy.name == wingDirect.name || w.policy.name == oracleDirect.name:
		return "Fig. 11"
	}
	return "Fig. 10"
}
