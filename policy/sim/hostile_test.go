package sim_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

// alike is a truth of tasks that all run for as long.
type alike policy.Duration

func (a alike) Runtime(policy.Copy) (policy.Duration, bool) { return policy.Duration(a), true }

// two yields a job and, at the same time, another like it.
func two(j policy.Job) iter.Seq2[*policy.Job, error] {
	return func(yield func(*policy.Job, error) bool) {
		k := j
		k.ID = 7
		_ = yield(&j, nil) && yield(&k, nil)
	}
}

func TestHostileNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	job := policy.Job{ID: 1, Submitted: 5, Requested: 5, Priority: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1, Memory: 1, Elsewhere: 2, Prefer: []policy.PartitionID{2}}}}
	legal := sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2, Memory: 4}, sim.Partition{Nodes: 1, Cores: 2}),
		Delay: 1e9, SuspendCost: 1e9, ResumeCost: 1e9, MaxFailures: 3,
		Faults: sim.Faults{
			MeanUp: 100e9, MeanDown: 10e9, Outages: []sim.Outage{{Node: 1, At: 20e9, For: 5e9}}, TaskFailure: 0.25, TaskEviction: 0.25,
			PostLoss: 0.25, PostLate: 0.25, PostEarly: 0.25, PostTwice: 0.25, MeanLate: 1e9, ActionLate: 0.25, ActionForgotten: 0.25, MeanSlip: 1e9,
			MeanSteady: 50e9, MeanJump: 1e9, Jumps: []sim.Jump{{At: 10e9, For: 1e9}},
			Cancels: []sim.Cancel{{Job: 7, At: 30e9}}, Restarts: []policy.Time{15e9},
			NewPolicy: func() (policy.Scheduler, error) { return baseline.NewFIFO(), nil },
		},
	}
	part := hostile.Between(0, 0.5)
	mean := hostile.AtLeast(1)
	span, late := hostile.NotNegative, hostile.Between(0, 2e18) // what ends in more than 292 years does not fit
	run := func(c sim.Config, j policy.Job, runtime policy.Duration) error {
		c.Jobs, c.Truth = two(j), alike(runtime)
		// Where nodes fail every minute, that is often in the centuries that a delay may be.
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		c.Progress = func(int, int64) { stop() }
		r, err := sim.Run(ctx, c, baseline.NewFIFO())
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return nil
		}
		if err != nil && strings.Contains(err.Error(), "fit into policy.Time") {
			return fmt.Errorf("Submitted at %d, Delay %d: %w", j.Submitted, int64(c.Delay), err) // it came of one of these
		}
		if err != nil {
			return err
		}
		if len(r.Jobs) != 2 {
			return fmt.Errorf("of 2 jobs %d are over", len(r.Jobs))
		}
		m := r.Metrics()
		for _, x := range []float64{m.Makespan, m.Utilization} {
			if x < 0 || math.IsInf(x, 0) { // NaN if there was no time
				return fmt.Errorf("a metric is %v of %+v", x, m)
			}
		}
		return nil
	}
	configRules := hostile.Rules{
		"Nodes[].ID": hostile.Always(hostile.Refuses), "Nodes[].Partition": hostile.Only(hostile.Refuses, 1, 2), "Nodes[].Cores": hostile.AtLeast(1),
		"Nodes[].Memory": hostile.NotNegative, "Nodes[].Speed": hostile.AtLeast(1e-300), "Delay": late, "SuspendCost": span, "ResumeCost": span, "MaxFailures": hostile.Between(0, 255),
	}
	faultRules := hostile.Rules{
		"Seed": hostile.Any, "MeanUp": hostile.NotNegative, "MeanDown": mean, "Outages[].Node": hostile.Between(1, 2), "Outages[].At": hostile.Any,
		"Outages[].For": late, "TaskFailure": hostile.Between(0, 0.75), "TaskEviction": hostile.Between(0, 0.75), "PostLoss": part, "PostLate": part, "PostEarly": part,
		"PostTwice": hostile.Between(0, 1), "MeanLate": mean, "ActionLate": hostile.Between(0, 0.75), "ActionForgotten": hostile.Between(0, 0.75), "MeanSlip": mean,
		"MeanSteady": hostile.NotNegative, "MeanJump": mean, "Jumps[].At": hostile.Where(func(x float64) bool { return x < 2e18 }, hostile.Refuses), "Jumps[].For": hostile.Between(0, math.MaxInt64-1e10),
		"Cancels[].Job": hostile.AtLeast(1), "Cancels[].At": hostile.Any, "Restarts[]": hostile.Any,
	}
	jobRules := hostile.Rules{
		"ID": hostile.AtLeast(1), "Submitted": hostile.Where(func(x float64) bool { return x < 2e18 }, hostile.Refuses), "Requested": hostile.NotNegative, "Priority": hostile.Finite,
		"Stages[].Tasks": hostile.Between(1, policy.MaxTasks), "Stages[].Cores": hostile.AtLeast(1), "Stages[].Memory": hostile.NotNegative,
		"Stages[].Elsewhere": hostile.Where(func(x float64) bool { return x == 0 || x >= 1 && x < 1e9 }, hostile.Refuses), "Stages[].Prefer[]": hostile.Between(1, policy.MaxID),
	}
	type calm struct {
		Nodes                          []policy.Node
		Delay, SuspendCost, ResumeCost policy.Duration
		MaxFailures                    int
	}
	hostile.Test(t,
		hostile.Call{Name: "Run", New: hostile.Func(func(c calm, j policy.Job, runtime policy.Duration) error {
			return run(sim.Config{Nodes: c.Nodes, Delay: c.Delay, SuspendCost: c.SuspendCost, ResumeCost: c.ResumeCost, MaxFailures: c.MaxFailures}, j, runtime)
		}), Args: []hostile.Arg{
			{Name: "config", Value: calm{legal.Nodes, 1e9, 1e9, 1e9, 3}, Rules: configRules},
			{Name: "job", Value: job, Rules: jobRules}, hostile.Number("runtime", policy.Duration(10e9), late),
		}},
		hostile.Call{Name: "Run", New: hostile.Func(func(f sim.Faults) error {
			c := legal
			c.Faults = f
			return run(c, job, 10e9)
		}), Args: []hostile.Arg{{Name: "faults", Value: legal.Faults, Rules: faultRules}}},
	)
	var state *sim.State
	c := legal
	c.Jobs, c.Truth = two(job), alike(10e9)
	c.Pause = func(st *sim.State, _, _ policy.Time) { state = st }
	if _, err := sim.Run(t.Context(), c, baseline.NewFIFO()); err != nil {
		t.Fatal(err)
	}
	id := []hostile.Arg{hostile.Number("id", policy.NodeID(1), hostile.Any)}
	hostile.Test(t,
		hostile.Call{Name: "State.Room", New: hostile.Func(func(id policy.NodeID) bool { _, _, ok := state.Room(id); return ok }), Args: id},
		hostile.Call{Name: "State.Coming", New: hostile.Func(func(id policy.NodeID) bool { return state.Coming(id) }), Args: id},
		hostile.Call{Name: "State.Mail", New: hostile.Func(func(id policy.NodeID) bool { return state.Mail(id) }), Args: id},
	)
	none := []policy.Node(nil)
	hostile.Test(t, hostile.Call{Name: "Cluster", New: hostile.Func(sim.Cluster), Args: []hostile.Arg{
		{Name: "partitions", Value: []sim.Partition{{Nodes: 1, Cores: 1, Memory: 1, Speed: 1}}, Rules: hostile.Rules{
			"[].Nodes": hostile.Where(func(x float64) bool { return x > 0 && x < 1e9 }, hostile.Gives(none)),
			"[].Cores": hostile.Any, "[].Memory": hostile.Any, "[].Speed": hostile.Any, // Run refuses them
		}},
	}})
}

// What a Checker is shown gives a Violation, or nothing.
func TestHostileNumbersOfChecker(t *testing.T) {
	violation := func(err error) error {
		if v, ok := errors.AsType[*sim.Violation](err); ok && v.Rule != "" {
			return nil
		}
		return err
	}
	var c *sim.Checker
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if c, err = check(checkerStory()); err != nil {
				t.Fatal(err)
			}
			return method(), nil
		}
	}
	at := policy.Copy{Task: policy.Task{Job: 1, Index: 1}}
	free := func(places ...string) hostile.Rules {
		r := hostile.Rules{}
		for _, p := range places {
			r[p] = hostile.Any
		}
		return r
	}
	copies := []string{"Copy.Task.Job", "Copy.Task.Stage", "Copy.Task.Index", "Copy.N", "Node", "Partition",
		"Msg.Kind", "Msg.Count", "Msg.Copy.Task.Job", "Msg.Copy.Task.Stage", "Msg.Copy.Task.Index", "Msg.Copy.N", "Msg.Seq", "Msg.Value"}
	for _, kind := range []policy.EventKind{policy.Started, policy.Refused, policy.Suspended, policy.Resumed, policy.Progress, policy.Finished, policy.Joined, policy.Left, policy.Submitted, policy.Ended, policy.Arrived} {
		ev := policy.Event{Kind: kind, Copy: at, Node: 1, Gang: []policy.Share{{Node: 1, Tasks: 1}},
			Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}}
		hostile.Test(t, hostile.Call{Name: "Checker.Event", New: of(func() any {
			return func(part policy.NodeID, ev policy.Event) error { return violation(c.Event(part, &ev)) }
		}), Args: []hostile.Arg{
			hostile.Number("part", policy.NodeID(0), hostile.Any),
			{Name: "ev", Value: ev, Rules: free(append(copies, "Time", "Kind", "Outcome", "Service", "Value", "Gang[].Node", "Gang[].Tasks",
				"Job.ID", "Job.Submitted", "Job.Requested", "Job.Priority", "Job.Stages[].Tasks", "Job.Stages[].Cores", "Job.Stages[].Memory", "Job.Stages[].Elsewhere",
				"Info.ID", "Info.Partition", "Info.Cores", "Info.Memory", "Info.Speed")...)},
		}, Sane: func([]any) error { return violation(c.Done()) }})
	}
	for _, kind := range []policy.ActionKind{policy.Start, policy.Kill, policy.GiveUp, policy.Send, policy.Wake} {
		hostile.Test(t, hostile.Call{Name: "Checker.Action", New: of(func() any {
			return func(part policy.NodeID, now policy.Time, a policy.Action) error {
				return violation(c.Action(part, now, &a))
			}
		}), Args: []hostile.Arg{
			hostile.Number("part", policy.NodeID(0), hostile.Any), hostile.Number("now", policy.Time(0), hostile.Any),
			{Name: "a", Value: policy.Action{Kind: kind, Copy: at}, Rules: free(append(copies, "Kind", "At")...)},
		}, Sane: func([]any) error { return violation(c.Done()) }})
	}
}
