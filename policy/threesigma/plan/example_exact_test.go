package plan_test

import (
	"context"
	"fmt"

	"example.com/augur/policy/threesigma/plan"
)

// 3Sigma, section 2.3, has two jobs for one place: an SLO job with a deadline in 15 minutes, and a
// best-effort job, both of up to 10 minutes. If every runtime from 0 to 10 is as likely, the SLO
// job must go first; if all are from 2.5 to 7.5, both orders keep the deadline, and the
// best-effort job may go first. Slots are of 2.5 minutes; the second job starts when the first has
// surely ended, for it wants the whole place from its start.
func ExampleExact() {
	const horizon, slots = 30.0, 12
	minutes := func(slot int) float64 { return 2.5 * float64(slot) }
	for _, runtime := range []struct{ least, most float64 }{{0, 10}, {2.5, 7.5}} {
		// The probability that a runtime is at most x.
		cdf := func(x float64) float64 {
			return min(1, max(0, (x-runtime.least)/(runtime.most-runtime.least)))
		}
		profile := make([]float64, 4)
		for t := range profile {
			profile[t] = 1 - cdf(minutes(t))
		}
		place := []plan.Place{{{Pool: 0, Nodes: 1}}}
		slo := plan.Job{Profiles: [][]float64{profile}, Places: place}
		be := plan.Job{Profiles: [][]float64{profile}, Places: place}
		mean := (runtime.least + runtime.most) / 2
		for s := range slots {
			slo.Options = append(slo.Options, plan.Option{Utility: 10 * cdf(15-minutes(s)), Start: int32(s)})
			be.Options = append(be.Options, plan.Option{Utility: 1 - (minutes(s)+mean)/horizon, Start: int32(s)})
		}
		p := &plan.Problem{Capacity: [][]float64{make([]float64, slots)}, Jobs: []plan.Job{slo, be}}
		for t := range p.Capacity[0] {
			p.Capacity[0][t] = 1
		}
		s, err := plan.Exact{}.Solve(context.Background(), p, plan.SolveConfig{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("runtimes %v to %v: SLO job at %v min, best-effort job at %v min, proved: %v\n",
			runtime.least, runtime.most, minutes(s.Choice[0]), minutes(s.Choice[1]), s.Proved)
	}
	// Output:
	// runtimes 0 to 10: SLO job at 0 min, best-effort job at 10 min, proved: true
	// runtimes 2.5 to 7.5: SLO job at 7.5 min, best-effort job at 0 min, proved: true
}
