package hopper_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

func TestHostileNumbersOfPool(t *testing.T) {
	var pool *hopper.Pool
	// Tables are as long as the largest ID, so a dump of one would be; this is what can be seen of it.
	looks := func() string {
		var text strings.Builder
		for id := range policy.JobID(5) {
			share, ok := pool.Share(id)
			text.WriteString(fmt.Sprintln(id, share, ok))
		}
		for _, short := range []float64{1 - 1e-9, 1e-9, math.Inf(-1)} {
			for id := range pool.Waiting(short) {
				text.WriteString(fmt.Sprint(id, " "))
			}
			id, ok := pool.Next(short)
			text.WriteString(fmt.Sprintln(id, ok))
		}
		return text.String()
	}
	dump := func() string { return hostile.Dump(pool) }
	of := func(state func() string, method func(p *hopper.Pool) any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if pool, err = hopper.NewPool(hopper.PoolConfig{Slots: 10, Epsilon: 0.5}); err != nil {
				t.Fatal(err)
			}
			for i, d := range []hopper.Demand{{Tasks: 4, Tail: 1.5, Weight: 1}, {Tasks: 9.5, Tail: 2.5, Weight: 2}, {Tail: 2}} {
				if err := pool.Set(policy.JobID(i), d); err != nil {
					t.Fatal(err)
				}
				if err := pool.Use(policy.JobID(i), 1, true); err != nil {
					t.Fatal(err)
				}
			}
			pool.Share(0) // which works shares out
			return method(pool), state
		}
	}
	// sane looks at the shares, and at whether the pool can still change.
	sane := func([]any) error {
		sum := 0.0
		for id := range policy.JobID(5) {
			share, ok := pool.Share(id)
			if !(share >= 0) || !ok && share != 0 {
				return fmt.Errorf("the share of %d is %v, %v", id, share, ok)
			}
			sum += share
		}
		turns := 0
		for range pool.Waiting(math.Inf(-1)) {
			turns++
		}
		if sum > 1e15*(1+1e-9) || turns > 3 {
			return fmt.Errorf("all shares are %v, and %d want more", sum, turns)
		}
		for _, id := range []policy.JobID{0, 1, 2, 3, math.MaxUint32 - 1, math.MaxUint32} {
			pool.Remove(id)
		}
		if err := pool.SetSlots(12); err != nil {
			return err
		}
		if err := pool.Set(4, hopper.Demand{Tasks: 2, Tail: 1.5, Weight: 1}); err != nil {
			return err
		}
		if share, ok := pool.Share(4); share != 12 || !ok {
			return fmt.Errorf("the share of one job is %v, %v, want 12", share, ok)
		}
		return nil
	}
	known := func(otherwise hostile.Answer) hostile.Rules {
		return hostile.Rules{"": hostile.Only(otherwise, 0, 1, 2)}
	}
	slots := hostile.Rules{"": upTo15}
	demand := hostile.Rules{"Tasks": amount, "Weight": amount, "Tail": demands["[].Tail"], "Downstream": hostile.Any, "Floor": hostile.Any}
	hostile.Test(t,
		hostile.Call{Name: "NewPool", New: func() (any, func() string) { return hopper.NewPool, nil }, Args: []hostile.Arg{
			{Name: "c", Value: hopper.PoolConfig{Slots: 10, Epsilon: 0.5}, Rules: hostile.Rules{"Slots": upTo15, "Epsilon": hostile.Between(0, 1)}},
		}},
		hostile.Call{Name: "Pool.SetSlots", New: of(dump, func(p *hopper.Pool) any { return p.SetSlots }), Sane: sane, Args: []hostile.Arg{
			{Name: "slots", Value: 20.0, Rules: slots},
		}},
		hostile.Call{
			Name: "Pool.Set", New: of(looks, func(p *hopper.Pool) any { return p.Set }), Sane: sane, Args: []hostile.Arg{
				{Name: "id", Value: policy.JobID(3), Rules: hostile.Rules{"": hostile.Any}},
				{Name: "d", Value: hopper.Demand{Tasks: 5, Tail: 1.5, Weight: 3, Downstream: 1, Floor: 1}, Rules: demand},
			},
			Cases: []hostile.Case{
				{Name: "the same again", Args: []any{policy.JobID(0), hopper.Demand{Tasks: 4, Tail: 1.5, Weight: 1}}, Want: hostile.Ignores},
				{Name: "zero demand", Args: []any{policy.JobID(0), hopper.Demand{}}, Want: hostile.Refuses},
			},
		},
		hostile.Call{Name: "Pool.Remove", New: of(dump, func(p *hopper.Pool) any { return p.Remove }), Sane: sane, Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: known(hostile.Gives(false))},
		}},
		hostile.Call{Name: "Pool.Share", New: of(dump, func(p *hopper.Pool) any { return p.Share }), Sane: sane, Args: []hostile.Arg{
			{Name: "id", Value: policy.JobID(1), Rules: known(hostile.Gives(0.0, false))},
		}},
		hostile.Call{Name: "Pool.Use", New: of(dump, func(p *hopper.Pool) any { return p.Use }), Sane: sane, Args: []hostile.Arg{
			{Name: "job", Value: policy.JobID(1), Rules: known(hostile.Refuses)},
			{Name: "slots", Value: 3.0, Rules: slots},
			{Name: "wants", Value: true},
		}},
		hostile.Call{Name: "Pool.Next", New: of(looks, func(p *hopper.Pool) any { return p.Next }), Sane: sane, Args: []hostile.Arg{
			// Job 0 has 5 slots to come, job 1 as many, and job 2, which has no tasks, one too many.
			{Name: "short", Value: 1e-9, Rules: hostile.Rules{"": func(x any) hostile.Answer {
				switch short := x.(float64); {
				case short <= -1:
					return hostile.Gives(policy.JobID(2), true)
				case short <= 1:
					return hostile.Gives(policy.JobID(0), true)
				}
				return hostile.Gives(policy.JobID(0), false) // nobody is so short, or short of what is no number
			}}},
		}},
		hostile.Call{Name: "Pool.Waiting", New: of(looks, func(p *hopper.Pool) any {
			return func(short float64) (ids []policy.JobID) {
				for id := range p.Waiting(short) {
					ids = append(ids, id)
				}
				return ids
			}
		}), Sane: sane, Args: []hostile.Arg{
			{Name: "short", Value: 1e-9, Rules: hostile.Rules{"": func(x any) hostile.Answer {
				switch short := x.(float64); {
				case short <= -1:
					return hostile.Gives([]policy.JobID{2, 0, 1})
				case short <= 1:
					return hostile.Gives([]policy.JobID{0, 1})
				}
				return hostile.Gives([]policy.JobID(nil))
			}}},
		}},
	)
}
