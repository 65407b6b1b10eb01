package view_test

import (
	"slices"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

func TestHostileNumbers(t *testing.T) {
	var v *view.View[int]
	var j *view.Job[int]
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			v, j = observed(t)
			return method(), func() string { return hostile.Dump(v) }
		}
	}
	zero := func(x float64) bool { return x == 0 }
	task := hostile.Arg{Name: "task", Value: policy.Task{Job: 1}, Rules: hostile.Rules{
		"Job": hostile.Only(hostile.Panics, 1), "Stage": hostile.Only(hostile.Panics, 0, 1), "Index": hostile.Only(hostile.Panics, 0),
	}}
	where := hostile.Arg{Name: "where", Value: view.Where{Partition: 1}, Rules: hostile.Rules{
		"Node": hostile.Only(hostile.Panics, 0, 1), "Partition": hostile.Only(hostile.Panics, 0, 1),
	}}
	places := func(before ...any) []hostile.Case {
		at := func(name string, where view.Where, want hostile.Answer) hostile.Case {
			return hostile.Case{Name: name, Args: append(slices.Clone(before), where), Want: want}
		}
		return []hostile.Case{
			at("a node, and a partition that is not there", view.Where{Node: 1, Partition: 7}, hostile.Takes),
			at("local", view.Where{Node: 1, Local: true}, hostile.Takes),
			at("local on no node", view.Where{Local: true}, hostile.Takes),
			at("local on a node that is not there", view.Where{Node: 2, Local: true}, hostile.Panics),
		}
	}
	order := func(a, b *view.Job[int]) int { return 0 }
	hostile.Test(t,
		hostile.Call{Name: "View.Job", New: of(func() any { return v.Job }), Args: []hostile.Arg{
			hostile.Number("id", policy.JobID(1), hostile.Only(hostile.Gives((*view.Job[int])(nil)), 1)),
		}},
		hostile.Call{Name: "View.Compare", New: of(func() any {
			return func(a, b policy.JobID) int { return v.Compare(a, b, order) }
		}), Args: []hostile.Arg{
			hostile.Number("a", policy.JobID(1), hostile.Only(hostile.Gives(1), 1)), hostile.Number("b", policy.JobID(1), hostile.Only(hostile.Gives(-1), 1)),
		}},
		hostile.Call{Name: "View.Free", New: of(func() any { return v.Free }), Args: []hostile.Arg{
			hostile.Number("p", policy.PartitionID(1), hostile.Only(hostile.Gives(int64(0)), 1).Or(zero, hostile.Gives(int64(4)))),
		}},
		hostile.Call{Name: "View.Room", New: of(func() any { return v.Room }), Args: []hostile.Arg{
			hostile.Number("n", policy.NodeID(1), hostile.Only(hostile.Gives(int64(0)), 1)),
		}},
		hostile.Call{Name: "View.Memory", New: of(func() any { return v.Memory }), Args: []hostile.Arg{
			hostile.Number("n", policy.NodeID(1), hostile.Only(hostile.Gives(int64(0)), 1)),
		}},
		hostile.Call{Name: "View.First", New: of(func() any {
			return func(stage uint32, tasks []int) bool { return v.First(j, stage, tasks) }
		}), Args: []hostile.Arg{
			hostile.Number("stage", uint32(0), hostile.Only(hostile.Gives(false), 0)),
			{Name: "tasks", Value: []int{2, 1}, Rules: hostile.Rules{"[]": hostile.Only(hostile.Gives(false), 0)}},
		}, Cases: []hostile.Case{
			{Name: "twice", Args: []any{uint32(0), []int{1, 1}}, Want: hostile.Gives(false)}, {Name: "none", Args: []any{uint32(0), nil}, Want: hostile.Gives(false)},
		}},
		hostile.Call{Name: "View.Start", New: of(func() any {
			return func(where view.Where) policy.Action { return v.Start(j, where) }
		}), Args: []hostile.Arg{where}, Cases: places()},
		hostile.Call{Name: "View.Another", New: of(func() any {
			return func(task policy.Task, where view.Where) policy.Action { return v.Another(j, task, where) }
		}), Args: []hostile.Arg{task, where}, Cases: places(policy.Task{Job: 1})},
		hostile.Call{Name: "View.Local", New: of(func() any {
			return func(n policy.NodeID) int { return v.Local(j, n) }
		}), Args: []hostile.Arg{hostile.Number("n", policy.NodeID(1), hostile.Only(hostile.Gives(0), 1))}},
		hostile.Call{Name: "View.SlowdownOn", New: of(func() any {
			return func(n policy.NodeID) float64 { return v.SlowdownOn(n, &j.Job.Stages[0]) }
		}), Args: []hostile.Arg{hostile.Number("n", policy.NodeID(1), hostile.Only(hostile.Panics, 1))}},
		hostile.Call{Name: "View.Return", New: of(func() any {
			v.Start(j, view.Where{Partition: 1})
			return func(c policy.Copy, p policy.PartitionID) { v.Return(c, p, true) }
		}), Args: []hostile.Arg{
			{Name: "c", Value: policy.Copy{Task: policy.Task{Job: 1}}, Rules: hostile.Rules{
				"Task.Job": hostile.Only(hostile.Ignores, 1), "Task.Stage": hostile.Only(hostile.Ignores, 0), "Task.Index": hostile.Only(hostile.Ignores, 0), "N": hostile.Only(hostile.Ignores, 0),
			}},
			hostile.Number("p", policy.PartitionID(1), hostile.Only(hostile.Ignores, 0, 1)),
		}},
	)
}
