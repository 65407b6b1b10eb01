package hopper_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
)

func TestHostileNumbersOfTracker(t *testing.T) {
	var tracker *hopper.Tracker
	of := func(method func(tr *hopper.Tracker) any) func() (any, func() string) {
		return func() (any, func() string) {
			tracker = new(hopper.Tracker)
			for _, err := range []error{
				tracker.Start(5e9, 0, 0, 0), tracker.Start(6e9, 1, 0, 0), tracker.Start(6e9, 1, 1, 0), tracker.Start(7e9, 2, 0, 0),
				tracker.Report(8e9, 1, 0, time.Second, 0.5), tracker.Finish(2, 4*time.Second), tracker.Suspend(8e9, 1, 1, time.Second),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			tracker.Restarted(0)
			return method(tracker), func() string { return hostile.Dump(tracker) }
		}
	}
	known := func(x float64) bool { return x >= 0 || math.IsNaN(x) }
	// sane asks about the phase at several instants, and lets everything finish.
	sane := func([]any) error {
		for _, now := range []policy.Time{9e9, math.MinInt64, math.MaxInt64, 9e9} {
			p := tracker.Phase(now, 3, 4)
			for i := range p.Running {
				r := &p.Running[i]
				if !(r.Elapsed >= r.Youngest && r.Youngest >= 0 && r.Elapsed <= math.MaxFloat64 && r.Progress >= 0 && r.Progress <= 1) ||
					!known(r.Rate) || !known(r.Remaining) || !known(r.New) || !(p.New >= 0) {
					return fmt.Errorf("at %d the phase is %+v", now, p)
				}
			}
		}
		for _, task := range []uint32{0, 1, 2, 3, math.MaxUint32 - 1, math.MaxUint32} {
			if err := tracker.Finish(task, time.Second); err != nil {
				return err
			}
		}
		if p := tracker.Phase(0, 0, 0); len(p.Running) != 0 {
			return fmt.Errorf("what is finished runs: %+v", p.Running)
		}
		return nil
	}
	instant := hostile.Arg{Name: "now", Value: policy.Time(9e9), Rules: hostile.Rules{"": hostile.Any}}
	service := hostile.Arg{Name: "service", Value: 2 * time.Second, Rules: hostile.Rules{"": hostile.NotNegative}}
	task := hostile.Arg{Name: "task", Value: uint32(0), Rules: hostile.Rules{"": hostile.Any}}
	n := hostile.Arg{Name: "n", Value: uint32(0), Rules: hostile.Rules{"": hostile.Any}}
	// News of a copy that is not there changes nothing.
	ofTask, ofCopy := task, n
	ofTask.Rules = hostile.Rules{"": hostile.Only(hostile.Ignores, 0)}
	ofCopy.Rules = ofTask.Rules
	count := hostile.Arg{Name: "count", Value: 3, Rules: hostile.Rules{"": hostile.Any}}
	hostile.Test(t,
		hostile.Call{
			Name: "Tracker.Start", New: of(func(tr *hopper.Tracker) any { return tr.Start }), Sane: sane,
			Args:  []hostile.Arg{instant, task, n, service},
			Cases: []hostile.Case{{Name: "twice", Args: []any{policy.Time(9e9), uint32(1), uint32(1), time.Second}, Want: hostile.Takes}},
		},
		hostile.Call{
			Name: "Tracker.Suspend", New: of(func(tr *hopper.Tracker) any { return tr.Suspend }), Sane: sane,
			Args: []hostile.Arg{instant, ofTask, ofCopy, service},
			Cases: []hostile.Case{
				{Name: "finished", Args: []any{policy.Time(9e9), uint32(2), uint32(0), time.Second}, Want: hostile.Ignores},
				{Name: "twice", Args: []any{policy.Time(9e9), uint32(1), uint32(1), time.Second}, Want: hostile.Takes},
			},
		},
		hostile.Call{
			Name: "Tracker.Resume", New: of(func(tr *hopper.Tracker) any { return tr.Resume }), Sane: sane,
			Args:  []hostile.Arg{instant, ofTask, ofCopy, service},
			Cases: []hostile.Case{{Name: "less service than before", Args: []any{policy.Time(9e9), uint32(1), uint32(1), time.Duration(0)}, Want: hostile.Takes}},
		},
		hostile.Call{
			Name: "Tracker.Report", New: of(func(tr *hopper.Tracker) any { return tr.Report }), Sane: sane,
			Args: []hostile.Arg{instant, ofTask, ofCopy, service, {Name: "progress", Value: 0.25, Rules: hostile.Rules{"": hostile.Between(0, 1)}}},
			Cases: []hostile.Case{
				{Name: "of nothing", Args: []any{policy.Time(9e9), uint32(0), uint32(0), time.Duration(0), 1.0}, Want: hostile.Takes},
				{Name: "of a little in a moment", Args: []any{policy.Time(9e9), uint32(0), uint32(0), time.Duration(1), math.SmallestNonzeroFloat64}, Want: hostile.Takes},
				{Name: "of a little in ages", Args: []any{policy.Time(9e9), uint32(0), uint32(0), time.Duration(math.MaxInt64), math.SmallestNonzeroFloat64}, Want: hostile.Takes},
			},
		},
		hostile.Call{
			Name: "Tracker.End", New: of(func(tr *hopper.Tracker) any { return tr.End }), Sane: sane, Args: []hostile.Arg{ofTask, ofCopy},
			Cases: []hostile.Case{{Name: "finished", Args: []any{uint32(2), uint32(0)}, Want: hostile.Ignores}},
		},
		hostile.Call{Name: "Tracker.Restarted", New: of(func(tr *hopper.Tracker) any { return tr.Restarted }), Sane: sane, Args: []hostile.Arg{task}},
		hostile.Call{Name: "Tracker.Finish", New: of(func(tr *hopper.Tracker) any { return tr.Finish }), Sane: sane, Args: []hostile.Arg{task, service}},
		hostile.Call{Name: "Tracker.Phase", New: of(func(tr *hopper.Tracker) any {
			return func(now policy.Time, waiting, slots int) (int, int) {
				p := tr.Phase(now, waiting, slots)
				return p.Waiting - waiting, p.Slots - slots
			}
		}), Sane: func(results []any) error {
			if results[0] != 0 || results[1] != 0 {
				return fmt.Errorf("the phase has other numbers, by %v", results)
			}
			return sane(nil)
		}, Args: []hostile.Arg{instant, count, count}},
	)
}
