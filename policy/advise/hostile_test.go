package advise_test

import (
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
)

func TestHostileNumbers(t *testing.T) {
	var a *advise.Advisor
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			a = must(advise.New(baseline.NewFIFO()))
			for _, ev := range arrival() {
				if err := a.Observe(&ev); err != nil {
					t.Fatal(err)
				}
			}
			return method(), func() string { return hostile.Dump(a) }
		}
	}
	id := policy.JobID(1)
	hostile.Test(t,
		hostile.Call{Name: "Advisor.Compare", New: of(func() any { return a.Compare }), Args: []hostile.Arg{
			hostile.Number("x", id, hostile.Only(hostile.Gives(1), 1)), hostile.Number("y", id, hostile.Only(hostile.Gives(-1), 1)),
		}, Cases: []hostile.Case{{Name: "neither is there", Args: []any{policy.JobID(8), policy.JobID(7)}, Want: hostile.Gives(1)}}},
		hostile.Call{Name: "Advisor.Score", New: of(func() any { return a.Score }), Args: []hostile.Arg{
			hostile.Number("job", id, hostile.Only(hostile.Gives(0.0), 1)), hostile.Number("node", policy.NodeID(1), hostile.Only(hostile.Gives(0.0), 1)),
		}},
		hostile.Call{Name: "Advisor.Admit", New: of(func() any { return a.Admit }), Args: []hostile.Arg{
			hostile.Number("job", id, hostile.Only(hostile.Gives(false, policy.Duration(0)), 1)),
		}},
		hostile.Call{Name: "Advisor.Grants", New: of(func() any {
			return func(job policy.JobID) (n int) {
				for range a.Grants(job) {
					n++
				}
				return n
			}
		}), Args: []hostile.Arg{hostile.Number("job", id, hostile.Only(hostile.Gives(0), 1))}},
	)
}
