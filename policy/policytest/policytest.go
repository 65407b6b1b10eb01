// Package policytest tests whether a policy keeps to the contract of package policy. It
// is for every [policy.Scheduler], ours or yours, central or distributed:
//
//	func TestLIFO(t *testing.T) {
//		policytest.Test(t, policytest.Config{
//			New: func(policy.Truth) (policy.Scheduler, error) { return new(LIFO), nil },
//		})
//	}
//
// It says whether a policy may be let loose on a cluster, not whether it schedules well:
// it never asks for an order of jobs, only that whatever can finish does, and that no room stands
// empty beside work for longer than the policy's own rule allows.
//
// # How to write a policy
//
// The example of this package is a whole one. A policy is a state machine. The host tells
// it one event at a time, and the policy appends to a slice what it wants done. It need
// not ask for anything: all that it may know comes in events, and all that it does is in
// its answers. So it starts no goroutine, reads no clock (the time is in the event), and
// draws from a random source only if it was given one when it was made.
//
// A central policy need not be written as a whole. Package central has the loop, and the policy is
// made of parts:
//
//   - If it is an order of the jobs by what they say of themselves, Ordered of package baseline makes
//     a part of that.
//   - If it goes by more, write a Turn: it hears of each event, keeps what it needs to know of a job,
//     and says whose turn it is. It starts nothing.
//   - What may pass a job that finds no room, on which node a task starts, and which tasks get
//     another copy are parts too. Take those that are there, or write one.
//
// A policy that plans for all jobs at once, or that has queues on the nodes, is a Step of its own.
// Keep a [view.View], with what you need to know of each job in its Own, and write Step in four
// lines of thought:
//
//  1. Observe. Show each event to the View first. If that gives an error the event was
//     impossible: return it, having changed nothing and appended nothing.
//  2. Note. Bring your own books up to date with the job that Observe returned, and with
//     nothing else: put it into your queue while something of it is Waiting, take it
//     out when nothing is. A task that was lost, failed, killed or refused (Again) is
//     Waiting once more, so that this needs no case of its own.
//  3. Decide. Return unless View.Decide says that it is time. It knows that More
//     announces another event of this instant, that nothing is answered in a Replay, and
//     that after a Refused one waits for the cluster to change.
//  4. Start. As long as the job whose turn it is finds room (View.Fits), append what
//     View.Start returns.
//
// A restart then needs nothing more: the events of a Replay say the present state as if
// it had happened just now, and Restored begins the deciding. Copies that a replay names
// run already. What you keep beyond the View (services, estimates, alarms) must follow
// from these events too, or be dispensable.
//
// What must be looked at again at some instant, though nothing may happen until then (a job
// that has waited long enough, say), takes an alarm: append a Wake, for an instant that is
// still ahead, since one that has passed is answered at once, and so for ever. Woken is an
// event like others, after which Decide says that it is time. It may be late, and it comes though no
// alarm was set when a host has failed to do what it was asked for (rule Order): try again then.
//
// A distributed policy keeps its View at the centre, which hears of every copy, and sends
// the nodes what View.Start returned. When a node has Left, what was sent there and not
// answered is lost: View.Return lets it wait again. A part on a node knows what it is
// told: its node, its copies and its messages.
//
// Where actions depend on the order of a map, sort its keys; end each comparison of jobs
// in their IDs. Keep neither the event nor what it points to, but Job, which you may keep
// and must not change. Make in Submitted what a job needs, and reuse it: any other step
// should allocate nothing.
//
// Then run [Test], and read the first thing that it finds: the stories come first, since
// they are the shortest. What it does not find in a second, [Fuzz] may in an hour, with the flags that it names;
// which rules it looks at, it says.
//
// # What is asked of a policy
//
// Each [Failure] names the rule that was broken:
//
//   - Legal start, No circles, Parts: those of package policy, as the [sim.Checker] sees them.
//   - finish: what can finish does, whatever is lost, refused, fails or restarts
//     meanwhile. No job is given up, unless [Config.GivesUp] allows it.
//   - idle: no core stands free beside a one-core task that waits for longer than
//     [Config.Patience], or [Config.NodePatience]; nor, where all nodes are there and work waits, does the
//     cluster for longer than Patience. Time does not count while an order, news or a message is under way that may take
//     the room or tell of it (messages: for [Config.Hops] times the network's delay), while [Config.Keeps] says that the
//     policy keeps it free, after a late alarm or a jump of the clock, or after a Refused (No circles; for as long as the
//     longest task takes). The time ends when all free cores are taken. It starts again from 0 when the host says that it has
//     failed to do something (rule Order), and when a node is lost.
//   - legal: no event of an honest host leads to an error or a panic.
//   - illegal: an event that cannot be (an unknown job, a stage out of range, a job
//     without its description, a number that is none) gives an error, or nothing. It leaves
//     no trace: what follows is answered as if it had not been. An event that could be but
//     is false (the end of a copy that never ran, time that goes back), which a policy need
//     not notice, does not make it panic.
//   - repeat: the same events give the same actions, and policies side by side do not
//     disturb one another.
//   - clock: the same, however the clock goes meanwhile.
//   - goroutines: none is started.
//   - shared: a part of a distributed policy goes by its own events. What the others know
//     reaches it in messages and not through memory that they share: they are to run on
//     machines of their own.
//   - events: what belongs to the host is neither changed nor kept, and what the slice
//     of actions held before is still there.
//   - allocs: in the steady state, a step does not allocate, unless a job is submitted,
//     ready or over. (Not tested under the race detector, which allocates too.)
//
// A rule "host" would be a fault of policy/sim, and "config" one in the Config.
//
// It depends on nothing but the policy: what is random is seeded, and the seed is part of
// the subtest's name. Each kind of random scene is tried for 20 seeds, or for as many as
// -policytest.seeds says:
//
//	go test ./policy/yours -run TestConformance -policytest.seeds=100 -v
//
// With -v, Test logs at the end how many jobs and events it has run, and for how long room stood empty. What
// may go wrong there: nodes are lost and come back, copies break, jobs are taken back (faults); host and
// policy are restarted (restarts); posted messages are lost, late, doubled and overtake others, the
// clock jumps, and the host carries out actions late or forgets them (slips). Of some scenes all instants are
// below 0, of others some: only their differences matter.
//
// # When not to use it
//
// It tests the contract, with honest hosts and short runs: not whether a policy is fast, fair
// or any good, for which run it in policy/sim on a workload of yours, nor a host, for which
// there is sim.Checker.
//
// # Cost
//
// The whole takes about a second, and little memory.
//
// # Source
//
// The rules are those of package policy and this library's own. That a suite for other
// people's implementations is a function of a package, testing/fstest shows.
package policytest

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Config says how to make the policy, and what it does not claim to do. New is required.
type Config struct {
	// New makes the policy: for each run, and after each restart. Policies that it makes
	// must be alike: if they draw at random, each from a source of its own with the same
	// seed. The truth knows the jobs of the run; only clairvoyant policies use it.
	New func(truth policy.Truth) (policy.Scheduler, error)

	// Prepare, if not nil, changes each job before a run: it takes away what the policy
	// does not support (gangs, say) and adds what it needs (a deadline, an attribute).
	// The job must stay valid, and keep its ID and its submission. Whether what is left
	// still tries everything is the caller's business.
	Prepare func(j *workload.Job)

	// Patience is how long a core may stand free beside a one-core task that waits, at most, and how long the whole cluster
	// may beside work of any shape: 0 for a policy that starts at once whatever fits, a cycle for one that decides
	// only then. It must follow from a rule of the policy: a time that was measured on some seeds fails on others.
	Patience policy.Duration
	// NodePatience is the same for the cores of one node while others run something. 0 means Patience.
	NodePatience policy.Duration
	// Keeps, if not nil, reports whether p, which New made, keeps the free cores of a node from a task by a rule of its own:
	// because a quota is used up, say. That time does not count. It must not change p.
	Keeps func(p policy.Scheduler, task policy.Task, node policy.NodeID) bool
	// Hops is for a policy.Distributed: how many Sends or Posts may follow one another from the instant at which a core becomes
	// free to the Start of a task there, ≥ 0; 0 means 6. If a node asks and the centre answers, it is 2. While messages are
	// under way, a core may be free for Hops times the network's delay.
	Hops int

	// GivesUp allows the policy to give jobs up.
	GivesUp bool

	// Allocates says that the policy does not claim to work without allocating.
	Allocates bool
}

// A suite is a Config under test.
type suite struct {
	Config
	differs map[uint64]*Failure // by seed, see repeats
	tally   tally
}

func newSuite(c Config) *suite { return &suite{Config: c, differs: map[uint64]*Failure{}} }

// Test runs the whole suite, each case as a subtest of its own, and fails those that
// find something. The test that calls it should not be parallel: others beside it
// could be taken for the policy's goroutines and allocations.
func Test(t *testing.T, c Config) {
	t.Helper()
	if f := c.validate(); f != nil {
		t.Fatal(f)
	}
	s := newSuite(c)
	for _, group := range groups() {
		passed := t.Run(group.name, func(t *testing.T) {
			for _, tc := range group.cases {
				t.Run(tc.name, func(t *testing.T) {
					if f := tc.check(t, s); f != nil {
						f.Case = group.name + "/" + tc.name
						t.Errorf("%v\nto run this case alone: go test -run '%s'", f, pattern(t.Name()))
					}
				})
			}
		})
		if !passed && group.alone {
			t.Errorf("the groups after %s were not run", group.name)
			return
		}
	}
	t.Log(&s.tally)
}

// pattern returns the argument of -run that selects a subtest.
func pattern(name string) string {
	elements := strings.Split(name, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// Check is Test without subtests: it returns what is found as errors of type [*Failure],
// joined, at most one for each group of cases. It does not fail t, which it needs to
// control the clock. It serves to show that a policy which is broken on purpose is found
// out.
func Check(t *testing.T, c Config) error {
	t.Helper()
	if f := c.validate(); f != nil {
		return errors.Join(f)
	}
	s := newSuite(c)
	var found []error
	for _, group := range groups() {
		f := group.first(t, s)
		if f == nil {
			continue
		}
		found = append(found, f)
		if group.alone {
			break
		}
	}
	return errors.Join(found...)
}

func (c *Config) validate() *Failure {
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
	case *seedsFlag == 0:
		err = errors.New("-policytest.seeds is 0, want at least 1")
	default:
		return nil
	}
	return &Failure{Rule: "config", Case: "the configuration", Err: err}
}

// prepare makes of jobs what the policy is tested with, and their truth, which nobody makes forget.
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

func (c *Config) make(truth policy.Truth) (p policy.Scheduler, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = newPanicked(r)
		}
	}()
	p, err = c.New(truth)
	if err == nil && p == nil {
		err = errors.New("it returned neither a policy nor an error")
	}
	return p, err
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
	check func(t *testing.T, c *suite) *Failure
}

// groups returns the tests in the order in which they are tried, and are best read. What they
// stand on: a scene (scene.go) is a run in the simulator, in which a guard (guard.go) stands between
// host and policy; a shadow (shadow.go) is another policy that follows such a run, in one way or another; a world
// is what is known at some point of a run, to make events up from; and a script (fuzz.go) is bytes that make a scene.
func groups() []group {
	return []group{
		{name: "stories", cases: storyCases()},
		{name: "random", cases: scenes(func(uint64) trouble { return 0 })},
		{name: "faults", cases: scenes(func(uint64) trouble { return withFaults })},
		{name: "restarts", cases: scenes(func(seed uint64) trouble { return withRestarts | withFaults*trouble(seed%2) })},
		{name: "slips", cases: scenes(func(seed uint64) trouble {
			return withSlips | withFaults*trouble(seed%2) | withRestarts*trouble(seed/2%2)
		})},
		{name: "idle", cases: idleCases()},
		{name: "goroutines", cases: goroutineCases(), alone: true},
		{name: "repeat", cases: repeatCases()},
		{name: "clock", cases: clockCases()},
		{name: "parts", cases: partCases()},
		{name: "events", cases: eventCases()},
		{name: "illegal", cases: illegalCases()},
		{name: "allocs", cases: allocCases()},
	}
}

// first returns the first failure of a group, nil if there is none.
func (g *group) first(t *testing.T, c *suite) *Failure {
	for _, tc := range g.cases {
		if f := tc.check(t, c); f != nil {
			f.Case = g.name + "/" + tc.name
			return f
		}
	}
	return nil
}

// seedsFlag is for how many seeds each kind of random scene is tried.
var seedsFlag = flag.Uint64("policytest.seeds", 20, "for how many seeds package policytest tries each kind of random scene")

// A tally counts what a suite has run.
type tally struct {
	runs, jobs int
	events     int64

	node, whole     policy.Duration // for how long room has stood empty beside work, at most
	passed, counted policy.Duration // as of a watch
}

// look takes note of a scene in which somebody has looked for room that stands empty.
func (t *tally) look(w *watch, perNode bool) {
	t.whole = max(t.whole, w.whole.span)
	if perNode {
		t.node = max(t.node, w.node.span)
	}
	t.passed, t.counted = t.passed+w.passed, t.counted+w.counted
}

func (t *tally) add(r *sim.Result) {
	t.runs++
	t.jobs += len(r.Jobs)
	t.events += r.Events
}

// String says it in a line.
func (t *tally) String() string {
	return fmt.Sprintf("%d runs of %d jobs and %d events; room stood empty beside work for %.3f s at most on one node, and for %.3f s in all, "+
		"as far as it counts, which is %.0f %% of the time",
		t.runs, t.jobs, t.events, t.node.Seconds(), t.whole.Seconds(), 100*t.counted.Seconds()/max(1, t.passed.Seconds()))
}
