package central_test

import (
	"cmp"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
)

func TestHostileNumbers(t *testing.T) {
	// two is a scheduler with two jobs.
	two := func() *central.Scheduler {
		h := newHost(t, central.Config{Turn: baseline.FIFO(), Fill: baseline.EASY()}, 1)
		h.submit(1, policy.Stage{Tasks: 1, Cores: 1})
		h.submit(2, policy.Stage{Tasks: 1, Cores: 1})
		return h.s
	}
	var s *central.Scheduler
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			s = two()
			return method(), func() string { return hostile.Dump(s) }
		}
	}
	compare := func() any {
		return func(a, b policy.JobID) int { return cmp.Compare(s.Compare(a, b), 0) }
	}
	hostile.Test(t,
		hostile.Call{
			Name: "New", Args: []hostile.Arg{{Name: "c", Value: central.Config{Copies: central.AfterAll, Reserved: 0.2}, Rules: hostile.Rules{
				"Copies": hostile.Only(hostile.Refuses, 0, 1, 2), "Reserved": hostile.Where(func(x float64) bool { return x >= 0 && x < 1 }, hostile.Refuses),
			}}},
			New: hostile.Func(func(c central.Config) (*central.Scheduler, error) {
				c.Turn, c.CopyTurn, c.Copy = baseline.FIFO(), baseline.Fair(), newGRASS(t)
				return central.New(c)
			}),
			Sane: func(results []any) error { return trial.Run(results[0].(*central.Scheduler)) },
		},
		hostile.Call{
			Name: "NewDistributed", Args: []hostile.Arg{{Name: "c", Value: central.Config{Copies: central.AfterOwn}, Rules: hostile.Rules{
				"Copies": hostile.Only(hostile.Refuses, 0, 1, 2), "Reserved": hostile.Only(hostile.Refuses, 0),
			}}},
			New: hostile.Func(func(c central.Config) (*central.Distributed, error) {
				c.Turn, c.CopyTurn, c.Copy, c.Node = baseline.FIFO(), baseline.Fair(), newGRASS(t), new(idle)
				return central.NewDistributed(c)
			}),
		},
		hostile.Call{Name: "Distributed.Waits", New: hostile.Func(must(central.NewDistributed(central.Config{Turn: baseline.FIFO(), Node: new(idle)})).Waits), Args: []hostile.Arg{
			hostile.Number("id", policy.JobID(1), hostile.Always(hostile.Gives(false))),
		}},
		hostile.Call{Name: "Scheduler.Compare", New: of(compare), Args: []hostile.Arg{
			// Jobs that are not there go by their IDs, after those that are.
			hostile.Number("a", policy.JobID(1), hostile.Where(func(x float64) bool { return x == 1 }, hostile.Gives(1))),
			hostile.Number("b", policy.JobID(2), hostile.Always(hostile.Gives(-1))),
		}, Cases: []hostile.Case{
			{Name: "one job", Args: []any{policy.JobID(2), policy.JobID(2)}, Want: hostile.Gives(0)},
			{Name: "neither is there", Args: []any{policy.JobID(9), policy.JobID(7)}, Want: hostile.Gives(1)},
		}},
		hostile.Call{Name: "Scheduler.Planned", New: of(func() any { return s.Planned }), Args: []hostile.Arg{
			hostile.Number("id", policy.JobID(1), hostile.Always(hostile.Gives(policy.Time(0), false))),
		}},
	)
}

// idle are nodes that have no place for anything.
type idle struct{}

func (*idle) Bind(central.Books) error  { return nil }
func (*idle) Check(*policy.Event) error { return nil }
func (*idle) Note(_ *policy.Event, _ *central.Job, actions []policy.Action) []policy.Action {
	return actions
}
func (*idle) Slots() int64                       { return 0 }
func (*idle) Free() bool                         { return false }
func (*idle) Fits(*central.Job, uint32) bool     { return false }
func (*idle) Waits(*central.Job) bool            { return true }
func (*idle) Until() policy.Time                 { return policy.Never }
func (*idle) Part(*policy.Node) policy.Scheduler { return nil }
func (*idle) Send(_ *central.Job, _ policy.Copy, actions []policy.Action) []policy.Action {
	return actions
}
