// Package policytest tests whether a policy keeps the contract of package policy. It works for every
// [policy.Scheduler], ours or yours, central or distributed:
//
//	func TestLIFO(t *testing.T) {
//		policytest.Test(t, policytest.Config{
//			New: func(policy.Truth) (policy.Scheduler, error) { return new(LIFO), nil },
//		})
//	}
//
// It tests whether a policy is safe on a cluster, not whether it schedules well: it asks only that whatever can finish
// does, and that no room stays empty beside waiting work for longer than the policy's own rule allows.
//
// # How to write a policy
//
// Package central makes policies of parts, and says how to write one; test an order inside [Order]. A policy with a Step
// of its own keeps a [central.View]. The example of this package is one. Its Step has four parts:
//
//  1. Observe. Show each event to the View first. If that returns an error the event was impossible: return the error,
//     and change nothing.
//  2. Note. Update your own records of the job that Observe returned: it belongs in your queue while a task of it is
//     Waiting. A task that was lost, failed, killed or refused (Again) is Waiting once more, so it needs no case of its own.
//  3. Decide. Return unless View.Decide says that it is time. It handles More, Replay and No circles.
//  4. Start. As long as the next job finds room (View.Fits), append what View.Start returns.
//
// A restart needs nothing more: the events of a Replay report the present state as if it had happened just now. What you
// keep beyond the View must follow from these events too, or be dispensable. What was learnt from jobs that have ended
// outlives a restart if the policy is a [policy.Keeper].
//
// To look again at some instant even without an event, append a Wake for a future instant. Woken may be late.
//
// A distributed policy keeps its View at the centre, which hears of every copy, and sends the nodes what View.Start
// returned. When a node has Left, call View.Return for each unanswered task that was sent there, so that it waits again.
//
// Start no goroutine, read no clock, and draw only from a random source that New has seeded. Sort the keys of a map before
// actions depend on them, and let each comparison of jobs end in their IDs. Keep neither the event nor what it points to,
// except Job, which must not change. Allocate what a job needs at Submitted: other steps should allocate nothing.
//
// Then run [Test], and read its first finding: the stories come first, since they are the shortest. [Fuzz] looks longer.
//
// # The rules
//
// Each finding names the rule that was broken:
//
//   - Legal start, No circles, Parts: those of package policy, as the [check.Checker] checks them.
//   - finish: what can finish does, whatever is lost, refused, fails or restarts meanwhile. No job is given up,
//     unless [Config.GivesUp] allows it.
//   - idle: no core is free beside a waiting one-core task for longer than [Config.Patience], or
//     [Config.NodePatience]. If all nodes are there and work waits, the whole cluster is not idle for longer than
//     Patience. Time does not count in these cases: an order, a report or a message about the room is under way
//     (messages: for [Config.Hops] times the network's delay); [Config.Keeps] says that the policy keeps
//     the room free; after a late alarm or a jump of the clock; after a Refused (No circles; for as long as the
//     longest task takes). The time ends when all free cores are taken. It starts again from 0 when a node is lost.
//   - legal: no event of an honest host leads to an error or a panic.
//   - illegal: an impossible event (an unknown job, a stage out of range, a job without its description, NaN) gives
//     an error, or nothing. It leaves no trace: later answers are as if it had not come.
//   - repeat: the same events give the same actions, and policies side by side do not disturb each other.
//   - clock: the real clock does not change the actions.
//   - goroutines: none is started.
//   - shared: a part of a distributed policy depends only on its own events. Other parts must send it messages, not share
//     memory: each part runs on its own machine.
//   - events: the policy neither changes nor keeps what belongs to the host, and leaves the earlier elements of the slice of
//     actions as they are.
//   - keeper: a policy that is a [policy.Keeper] saves the same bytes after Load. It refuses truncated bytes and stays as it
//     was. Saving does not change its answers.
//   - allocs: in the steady state a step does not allocate, unless a job is submitted, ready or over. (Not tested
//     under the race detector, which allocates too.)
//
// A finding of rule "host" is a fault of policy/sim, and one of rule "config" a fault of the Config.
//
// The tests depend on nothing but the policy: random numbers are seeded, and the seed is part of the subtest's name.
// Each kind of random scene is tried for 20 seeds, with -short for 4, or for as many as -policytest.seeds says:
//
//	go test ./policy/yours -run TestConformance -policytest.seeds=100 -v
//
// In the scenes nodes are lost and come back, copies fail, jobs are cancelled (faults); host and policy restart
// (restarts); posted messages are lost, late, doubled and overtake others, the clock jumps, and the host carries out
// actions late (slips). Some scenes have negative instants: only differences matter.
//
// # When not to use it
//
// It does not test whether a policy is fast, fair or good: run the policy in policy/sim on your workload for that. For a host
// use check.Checker.
//
// Tasks run for seconds in the scenes, and most waits are of seconds to minutes. A rule such as "no job waits for more
// than an hour" never acts there. Test such a policy with a limit of a second too, and look at sim.Metrics.MaxWait in
// runs of your own.
//
// # Cost
//
// A run takes about a second, and little memory.
//
// # Source
//
// The rules are those of package policy and this library's own. testing/fstest is the model.
package policytest

import (
	"errors"
	"flag"
	"fmt"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Config says how to make the policy, and what it does not claim to do. New is required.
type Config struct {
	// New makes the policy: for each run, and after each restart. All policies that it makes must behave alike: if
	// they draw random numbers, each needs its own source with the same seed. truth knows the jobs of the run; only
	// clairvoyant policies use it.
	New func(truth policy.Truth) (policy.Scheduler, error)

	// Prepare, if not nil, changes each job before a run: it removes what the policy does not support (gangs, say)
	// and adds what it needs (a deadline, an attribute other than user and program, which are there). The job must
	// stay valid, and keep its ID and its submission.
	Prepare func(j *workload.Job)

	// Patience is how long a core may be free beside a waiting one-core task, and how long the whole cluster may be
	// idle beside any waiting work: 0 for a policy that starts whatever fits at once, a cycle for a policy that
	// decides once a cycle. Derive it from the policy's rule: a time measured on some seeds fails on others.
	Patience policy.Duration
	// NodePatience is the same for the cores of one node while other nodes run something. 0 means Patience.
	NodePatience policy.Duration
	// Keeps, if not nil, reports whether p, which New made, keeps the free cores of a node from a task by a rule of
	// its own, because a quota is used up for example. That time does not count. Keeps must not change p.
	Keeps func(p policy.Scheduler, task policy.Task, node policy.NodeID) bool
	// Hops is for a policy.Distributed: the largest number of Sends or Posts, one after the other, between a core
	// becoming free and the Start of a task there, ≥ 0; 0 means 6. If a node asks and the centre answers, it is 2.
	// While messages are under way, a core may be free for Hops times the network's delay.
	Hops int

	// GivesUp allows the policy to give jobs up.
	GivesUp bool

	// Allocates says that the policy may allocate in the steady state.
	Allocates bool
}

// Test runs the whole suite, each case as a subtest of its own. The test that calls it should not be parallel:
// goroutines and allocations of other tests could count as the policy's.
func Test(t *testing.T, c Config) {
	t.Helper()
	if f := c.validate(); f != nil {
		t.Fatal(f)
	}
	for _, group := range groups() {
		passed := t.Run(group.name, func(t *testing.T) {
			for _, tc := range group.cases {
				t.Run(tc.name, func(t *testing.T) {
					if f := tc.check(t, &c); f != nil {
						f.Case = group.name + "/" + tc.name
						t.Error(f)
					}
				})
			}
		})
		if !passed && group.alone {
			t.Errorf("the groups after %s were not run", group.name)
			return
		}
	}
}

func (c *Config) validate() *finding {
	var err error
	switch {
	case c.New == nil:
		err = errors.New("Config.New is nil, want a function that makes the policy")
	case c.Patience < 0:
		err = fmt.Errorf("Config.Patience is %v, want at least 0", c.Patience)
	case c.NodePatience != 0 && c.NodePatience < c.Patience:
		err = fmt.Errorf("Config.NodePatience is %v, want 0 or at least Config.Patience, %v", c.NodePatience, c.Patience)
	case c.Hops < 0:
		err = fmt.Errorf("Config.Hops is %d, want at least 0", c.Hops)
	default:
		return nil
	}
	return &finding{Rule: "config", Case: "the configuration", Err: err}
}

// prepare prepares jobs for the policy, and returns their truth.
func (c *Config) prepare(jobs []*workload.Job) (policy.Truth, error) {
	for _, j := range jobs {
		if c.Prepare == nil {
			continue
		}
		id, at := j.ID, j.Submitted
		if c.Prepare(j); j.ID != id || j.Submitted != at {
			return nil, fmt.Errorf("Config.Prepare: of job %d, submitted at %v s, it has made job %d, submitted at %v s; want both kept", id, at.Seconds(), j.ID, j.Submitted.Seconds())
		}
	}
	js, truth := workload.Split(jobs)
	for _, err := range js {
		if err != nil {
			return nil, fmt.Errorf("Config.Prepare: %w", err)
		}
	}
	return truth, nil
}

func (c *Config) make(truth policy.Truth) (policy.Scheduler, error) {
	return made("it returned neither a policy nor an error", func() (policy.Scheduler, error) { return c.New(truth) })
}

// A group is a kind of test, and its cases are what it tries.
type group struct {
	name  string
	cases []testCase
	// alone: if a case fails, nothing can be said by the groups that follow.
	alone bool
}

type testCase struct {
	name  string
	check func(t *testing.T, c *Config) *finding
}

// groups returns the tests in the order in which they run and are best read. A scene (scene.go) is a run in the
// simulator, with a wrapper (wrapper.go) between host and policy. A replica (replica.go) is another policy that follows
// such a run. A world is what is known at some point of a run, from which events are made up. A script (fuzz.go) is a
// sequence of bytes that makes a scene.
func groups() []group {
	return []group{
		{name: "stories", cases: storyCases()},
		{name: "faults", cases: scenes(func(uint64) trouble { return withFaults })},
		{name: "restarts", cases: scenes(func(seed uint64) trouble { return withRestarts | withFaults*trouble(seed%2) })},
		{name: "slips", cases: scenes(func(seed uint64) trouble {
			return withSlips | withFaults*trouble(seed%2) | withRestarts*trouble(seed/2%2)
		})},
		{name: "idle", cases: idleCases()},
		{name: "goroutines", cases: goroutineCases(), alone: true},
		{name: "repeat", cases: repeatCases(), alone: true},
		{name: "clock", cases: clockCases()},
		{name: "parts", cases: partCases()},
		{name: "events", cases: eventCases()},
		{name: "keeper", cases: keeperCases()},
		{name: "illegal", cases: illegalCases()},
		{name: "allocs", cases: allocCases()},
	}
}

var seedsFlag = flag.Uint64("policytest.seeds", 0, "for how many seeds package policytest tries each kind of random scene; 0 means 20, with -short 4")
