package kairos_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/hostile"
	"example.com/augur/internal/hostile/trial"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/kairos"
)

func is(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }

const maxSpan = 1<<62 - 1 // ns

func TestHostileNumbersOfNode(t *testing.T) {
	config := kairos.NodeConfig{Cores: 1, Quantum: 5 * time.Second, Counter: 4, Undisturbed: 2, Lead: time.Second, Memory: 100}
	var node *kairos.Node[string]
	// The task "a" has been suspended for "b", and "c" waits for memory.
	of := func(method func(n *kairos.Node[string]) any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if node, err = kairos.NewNode[string](config); err != nil {
				t.Fatal(err)
			}
			for i, id := range []string{"a", "b", "c"} {
				if _, err := node.TaskArrived(policy.Time(i)*1e9, id, 50, nil); err != nil {
					t.Fatal(err)
				}
			}
			return method(node), func() string { return hostile.Dump(node) }
		}
	}
	// sane looks at the node, and lets its tasks end.
	sane := func([]any) error {
		tasks, variance, sum := node.Heartbeat(math.MaxInt64)
		if !(variance >= 0 && variance <= math.MaxFloat64) || !(sum >= 0 && sum <= 1e11) {
			return fmt.Errorf("its heartbeat is %d tasks, variance %v, sum %v", tasks, variance, sum)
		}
		now := policy.Time(2e9)
		if at, ok := node.NextTimer(); ok {
			now = max(now, at)
		}
		moves, err := node.TimersFired(now, nil)
		if err != nil {
			now = maxSpan
			if moves, err = node.TimersFired(now, moves); err != nil {
				return err
			}
		}
		if len(moves) > 2 {
			return fmt.Errorf("at %v it makes moves %v", now, moves)
		}
		for _, id := range []string{"a", "b", "c", "d"} {
			if _, err := node.TaskEnded(now, id, nil); err == nil {
				tasks--
			}
		}
		if left, _, _ := node.Heartbeat(now); tasks != 0 || left != 0 {
			return fmt.Errorf("%d tasks are left, and it has %d", tasks, left)
		}
		return nil
	}
	// Time does not go back from 2 s, and the node has 2^62-1 ns from the first event on.
	instant := hostile.Arg{Name: "time", Value: policy.Time(3e9), Rules: hostile.Rules{"": hostile.Between(2e9, maxSpan)}}
	anyTime := instant
	anyTime.Rules = hostile.Rules{"": hostile.Any}
	id, known := hostile.Arg{Name: "id", Value: "d"}, hostile.Arg{Name: "id", Value: "b"}
	moves := hostile.Arg{Name: "moves", Value: []kairos.Move[string](nil)}
	hostile.Test(t,
		hostile.Call{Name: "NewNode", New: is(kairos.NewNode[string]), Sane: func(results []any) error {
			node = results[0].(*kairos.Node[string])
			for i, id := range []string{"a", "b", "c"} {
				if _, err := node.TaskArrived(policy.Time(i)*1e9, id, 0, nil); err != nil {
					return err
				}
			}
			return sane(nil)
		}, Args: []hostile.Arg{{Name: "c", Value: config, Rules: hostile.Rules{
			"Cores": hostile.Between(1, kairos.MaxCores), "Quantum": hostile.Between(1, 1<<60-1), // 4 times which is at most maxSpan
			"Starvation": hostile.Only(hostile.Refuses, 0, 1, 2), "Counter": hostile.Between(0, maxSpan/5e9), "Undisturbed": hostile.Between(0, maxSpan/5e9),
			"Lead": hostile.Between(0, maxSpan), "Memory": hostile.NotNegative,
		}}}},
		hostile.Call{
			Name: "Node.TaskArrived", New: of(func(n *kairos.Node[string]) any { return n.TaskArrived }), Sane: sane,
			Args: []hostile.Arg{instant, id, {Name: "bytes", Value: int64(20), Rules: hostile.Rules{"": hostile.Between(0, 100)}}, moves},
			Cases: []hostile.Case{
				{Name: "twice", Args: []any{policy.Time(3e9), "a", int64(0), nil}, Want: hostile.Refuses},
				{Name: "at the end of its time", Args: []any{policy.Time(maxSpan), "d", int64(0), nil}, Want: hostile.Takes},
			},
		},
		hostile.Call{
			Name: "Node.TaskEnded", New: of(func(n *kairos.Node[string]) any { return n.TaskEnded }), Sane: sane, Args: []hostile.Arg{instant, known, moves},
			Cases: []hostile.Case{
				{Name: "unknown", Args: []any{policy.Time(3e9), "d", nil}, Want: hostile.Refuses},
				{Name: "waiting", Args: []any{policy.Time(3e9), "c", nil}, Want: hostile.Takes},
			},
		},
		hostile.Call{
			Name: "Node.TaskServed", New: of(func(n *kairos.Node[string]) any { return n.TaskServed }), Sane: sane,
			Args: []hostile.Arg{instant, known, {Name: "service", Value: time.Second, Rules: hostile.Rules{"": hostile.Between(0, maxSpan)}}},
			Cases: []hostile.Case{
				{Name: "unknown", Args: []any{policy.Time(3e9), "d", time.Second}, Want: hostile.Refuses},
				{Name: "waiting to begin", Args: []any{policy.Time(3e9), "c", time.Second}, Want: hostile.Refuses},
				{Name: "suspended, for ages", Args: []any{policy.Time(3e9), "a", time.Duration(maxSpan)}, Want: hostile.Takes},
				{Name: "for ages, at the end of its time", Args: []any{policy.Time(maxSpan), "b", time.Duration(maxSpan)}, Want: hostile.Takes},
			},
		},
		hostile.Call{Name: "Node.TimersFired", New: of(func(n *kairos.Node[string]) any { return n.TimersFired }), Sane: sane, Args: []hostile.Arg{instant, moves}},
		hostile.Call{Name: "Node.Heartbeat", New: of(func(n *kairos.Node[string]) any { return n.Heartbeat }), Sane: sane, Args: []hostile.Arg{anyTime}},
	)
}

func TestHostileNumbersOfCentral(t *testing.T) {
	var central *kairos.Central[string]
	// Node 1 has been sent the tasks "a" and "c" with the numbers 2 and 3, node 2 "b"; "d" waits, and node 3 has left.
	of := func(method func(c *kairos.Central[string]) any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if central, err = kairos.NewCentral[string](kairos.CentralConfig{Queue: 1}); err != nil {
				t.Fatal(err)
			}
			for _, err := range []error{central.Joined(1, 1), central.Joined(2, 1), central.Joined(3, 2), central.Left(3)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, task := range []string{"a", "b", "c"} {
				central.Submit(task)
				central.Next()
			}
			return method(central), func() string { return hostile.Dump(central) }
		}
	}
	// sane lets all that is sent end, and everything be sent.
	sane := func([]any) error {
		for _, id := range []policy.NodeID{1, 2} {
			if tasks, _, ok := central.Node(id); ok && !(tasks >= 0 && tasks <= 1e10) {
				return fmt.Errorf("node %d has %d tasks", id, tasks)
			}
		}
		for id := range policy.NodeID(5) {
			_ = central.Left(id) // which may not be there
		}
		if err := central.Joined(9, 50); err != nil {
			return err
		}
		for central.Pending() > 0 {
			a, ok := central.Next()
			if !ok {
				return fmt.Errorf("%d tasks are not sent", central.Pending())
			}
			if ended, err := central.Ended(a.Node, a.Number); !ended || err != nil {
				return fmt.Errorf("%+v has ended: %v, %w", a, ended, err)
			}
		}
		return nil
	}
	there := func(otherwise hostile.Answer) hostile.Rules { return hostile.Rules{"": hostile.Only(otherwise, 1, 2)} }
	report := kairos.Report{Node: 1, Number: 5, Seen: 3, Tasks: 2, Others: 1, Variance: 1, Sum: 2}
	hostile.Test(t,
		hostile.Call{Name: "NewCentral", New: is(kairos.NewCentral[string]), Args: []hostile.Arg{
			{Name: "c", Value: kairos.CentralConfig{Queue: 3, Src: rand.NewPCG(1, 2)}, Rules: hostile.Rules{
				"Queue": hostile.Between(0, kairos.MaxQueue), "Tie": hostile.Only(hostile.Refuses, 0, 1, 2),
			}},
		}, Cases: []hostile.Case{{Name: "at random without a source", Args: []any{kairos.CentralConfig{Tie: kairos.AtRandom}}, Want: hostile.Refuses}}},
		hostile.Call{Name: "Central.Adopt", New: of(func(c *kairos.Central[string]) any { return c.Adopt }), Sane: sane, Args: []hostile.Arg{
			{Name: "task", Value: "e"}, {Name: "node", Value: policy.NodeID(1), Rules: there(hostile.Refuses)},
		}},
		hostile.Call{
			Name: "Central.Joined", New: of(func(c *kairos.Central[string]) any { return c.Joined }), Sane: sane,
			Args: []hostile.Arg{
				{Name: "node", Value: policy.NodeID(4), Rules: hostile.Rules{"": hostile.Between(3, policy.MaxID)}},
				{Name: "cores", Value: 2, Rules: hostile.Rules{"": hostile.Between(1, kairos.MaxCores)}},
			},
			Cases: []hostile.Case{
				{Name: "twice", Args: []any{policy.NodeID(1), 1}, Want: hostile.Refuses},
				{Name: "again", Args: []any{policy.NodeID(3), 1}, Want: hostile.Takes},
				{Name: "the one after it", Args: []any{policy.NodeID(policy.MaxID + 1), 1}, Want: hostile.Refuses},
			},
		},
		hostile.Call{
			Name: "Central.Left", New: of(func(c *kairos.Central[string]) any { return c.Left }), Sane: sane, Args: []hostile.Arg{
				{Name: "node", Value: policy.NodeID(1), Rules: there(hostile.Refuses)},
			},
			Cases: []hostile.Case{{Name: "twice", Args: []any{policy.NodeID(3)}, Want: hostile.Refuses}},
		},
		hostile.Call{
			Name: "Central.Ended", New: of(func(c *kairos.Central[string]) any { return c.Ended }), Sane: sane, Args: []hostile.Arg{
				{Name: "node", Value: policy.NodeID(1), Rules: there(hostile.Gives(false, nil))},
				{Name: "assignment", Value: uint64(3), Rules: hostile.Rules{"": hostile.Only(hostile.Refuses, 2, 3)}},
			},
			Cases: []hostile.Case{{Name: "of an earlier life", Args: []any{policy.NodeID(1), uint64(1)}, Want: hostile.Gives(false, nil)}},
		},
		hostile.Call{
			Name: "Central.Heartbeat", New: of(func(c *kairos.Central[string]) any { return c.Heartbeat }), Sane: sane,
			Args: []hostile.Arg{{Name: "r", Value: report, Rules: hostile.Rules{
				"Node": hostile.Where(func(x float64) bool { return x >= 1 && x <= policy.MaxID }, hostile.Refuses), "Number": hostile.Positive,
				"Seen": hostile.Only(hostile.Refuses, 2, 3).Or(func(x float64) bool { return x == 0 }, hostile.Gives(false, nil)),
				// One more than the others, which are 1, to three more: so many were sent.
				"Tasks": hostile.Between(1, 3), "Others": hostile.Between(0, 2), "Variance": hostile.NotNegative, "Sum": hostile.NotNegative,
			}}},
			Cases: []hostile.Case{
				{Name: "of a node that is not there", Args: []any{kairos.Report{Node: 3, Number: 5, Seen: 3}}, Want: hostile.Gives(false, nil)},
				{Name: "of so many others", Args: []any{kairos.Report{Node: 1, Number: 5, Seen: 3, Tasks: math.MaxInt32, Others: math.MaxInt32}}, Want: hostile.Takes},
			},
		},
		hostile.Call{Name: "Central.Node", New: of(func(c *kairos.Central[string]) any { return c.Node }), Sane: sane, Args: []hostile.Arg{
			{Name: "id", Value: policy.NodeID(1), Rules: there(hostile.Gives(int64(0), uint64(0), false))},
		}},
	)
}

func TestHostileNumbersOfScheduler(t *testing.T) {
	config := kairos.DefaultConfig()
	config.Centres, config.Gossip = 2, time.Second
	config.Central.Src = rand.NewPCG(1, 2)
	settings := hostile.Arg{Name: "c", Value: config, Rules: hostile.Rules{
		"Node.Cores": hostile.Only(hostile.Refuses, 0), "Node.Memory": hostile.Only(hostile.Refuses, 0), "Node.Quantum": hostile.Between(1, maxSpan/3),
		"Node.Starvation": hostile.Only(hostile.Refuses, 0, 1, 2), "Node.Counter": hostile.Between(0, maxSpan/50e9),
		"Node.Undisturbed": hostile.Between(0, maxSpan/50e9), "Node.Lead": hostile.Between(0, maxSpan),
		"Central.Queue": hostile.Between(0, kairos.MaxQueue), "Central.Tie": hostile.Only(hostile.Refuses, 0, 1, 2),
		"Heartbeat": hostile.NotNegative, "KeepAlive": hostile.Positive, "Centres": hostile.Between(0, 1<<16), "Gossip": hostile.NotNegative,
	}}
	var advisor *kairos.Advisor
	hostile.Test(t,
		hostile.Call{
			Name: "NewScheduler", New: is(kairos.NewScheduler), Args: []hostile.Arg{settings},
			Sane: func(results []any) error { return trial.Run(results[0].(*kairos.Scheduler)) },
		},
		hostile.Call{Name: "NewNodes", New: is(kairos.NewNodes), Args: []hostile.Arg{settings}, Sane: func(results []any) error {
			s, err := central.NewDistributed(central.Config{Turn: baseline.Fair(), Node: results[0].(*kairos.Nodes)})
			if err != nil {
				return err
			}
			return trial.Run(s)
		}},
		hostile.Call{Name: "NewAdvisor", New: is(kairos.NewAdvisor), Args: []hostile.Arg{
			{Name: "queue", Value: 3, Rules: hostile.Rules{"": hostile.Between(0, kairos.MaxQueue)}},
		}},
		hostile.Call{Name: "Advisor.Score", New: func() (any, func() string) {
			var err error
			if advisor, err = kairos.NewAdvisor(1); err != nil {
				t.Fatal(err)
			}
			for _, ev := range []policy.Event{
				{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Cores: 1, Speed: 1, Partition: 1}},
				{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}},
			} {
				if err := advisor.Observe(&ev); err != nil {
					t.Fatal(err)
				}
			}
			return advisor.Score, func() string { return hostile.Dump(advisor) }
		}, Args: []hostile.Arg{
			{Name: "job", Value: policy.JobID(1), Rules: hostile.Rules{"": hostile.Only(hostile.Gives(0.0), 1)}},
			{Name: "node", Value: policy.NodeID(1), Rules: hostile.Rules{"": hostile.Only(hostile.Gives(0.0), 1)}},
		}, Sane: between(0, 1)},
	)
}

// Nodes are asked by package central only, and about what there is: one node, and two tasks of a job.
func TestHostileNumbersOfNodes(t *testing.T) {
	var nodes *kairos.Nodes
	var job *central.Job
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if nodes, err = kairos.NewNodes(small()); err != nil {
				t.Fatal(err)
			}
			s, err := central.NewDistributed(central.Config{Turn: baseline.Fair(), Node: nodes})
			if err != nil {
				t.Fatal(err)
			}
			h := hostWith(t, s, 1)
			h.tell(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}})
			job = s.View().Job(1)
			return method(), func() string { return hostile.Dump(nodes) }
		}
	}
	goesOn := func([]any) error {
		if !nodes.Free() || job.Held || nodes.Until() != policy.Never {
			return fmt.Errorf("free %v, waits %v, until %v", nodes.Free(), job.Held, nodes.Until())
		}
		return nil
	}
	none := hostile.Arg{Name: "actions", Value: []policy.Action(nil)}
	hostile.Test(t,
		hostile.Call{Name: "Nodes.Note", Sane: goesOn, New: of(func() any {
			return func(actions []policy.Action) []policy.Action {
				return nodes.Note(&policy.Event{Kind: policy.Woken}, nil, actions)
			}
		}), Args: []hostile.Arg{none}},
		hostile.Call{Name: "Nodes.Fits", Sane: goesOn, New: of(func() any {
			return func(stage uint32) bool { return nodes.Fits(job, stage) }
		}), Args: []hostile.Arg{hostile.Number("stage", uint32(0), hostile.Only(hostile.Panics, 0))}},
		hostile.Call{Name: "Nodes.Send", Sane: goesOn, New: of(func() any {
			return func(c policy.Copy, actions []policy.Action) []policy.Action { return nodes.Send(job, c, actions) }
		}), Args: []hostile.Arg{
			{Name: "c", Value: policy.Copy{Task: policy.Task{Job: 1}}, Rules: hostile.Rules{
				"Task.Job": hostile.Only(hostile.Panics, 1), "Task.Stage": hostile.Only(hostile.Panics, 0), "Task.Index": hostile.Any, "N": hostile.Any,
			}}, none,
		}},
	)
}

func between(least, most float64) func(results []any) error {
	return func(results []any) error {
		if x := results[0].(float64); !(x >= least && x <= most) {
			return fmt.Errorf("it is %v, want %v to %v", x, least, most)
		}
		return nil
	}
}
