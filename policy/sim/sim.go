// Package sim is a discrete-event simulator of a cluster. It is a host that runs any [policy.Scheduler] on any
// workload, deterministically. Start with [Run]. An experiment is two lines:
//
//	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, baseline.NewFIFO())
//	fmt.Println(result.Metrics().MeanJCT)
//
// Nodes come from [Cluster]; jobs and their truth come from Split of policy/workload.
//
// Nodes have cores, memory and a speed; partitions are sets of nodes. Messages, orders and reports take the network's
// delay. Suspending and resuming cost time. [Faults] are a seeded plan, which does not depend on what the policy
// does: nodes are lost and come back, tasks fail, jobs are cancelled, messages are lost, late, doubled and reordered,
// the clock jumps, the host carries out actions late, and the policy restarts. The same [Config] and
// the same policy give the same [Result] and the same record, byte for byte.
//
// Every event and every action passes through a [check.Checker]: a policy or a host that breaks the contract ends the run
// with a [*check.Violation] that says when, what, and what came before.
//
// # The model
//
// A copy holds its cores and its memory from Started to its end; a suspended copy holds only its memory. It finishes
// after its runtime ([policy.Truth]) divided by the speed of its node. Outside the partitions that its stage prefers,
// and off the nodes that hold its input, that is multiplied by the stage's factor (once). A gang finishes with the
// last of its tasks, and holds everything until then. A copy that reads a stage through a pipe finishes when its own
// runtime has passed and that stage is finished.
//
// A copy of a stage that saves ends as Killed once it is saved, if the policy kills it with Save. What a gang has saved counts
// as on its slowest node. The task's next copy takes as long in all as the one that was saved would have taken. A node
// that leaves takes with it what was not saved.
//
// If a Start names no node, the host takes the first node with room among those that hold the task's input, in their
// order; else the first node by ID, in a partition that the stage prefers if possible, and for gangs always. A Start
// of a task on a named node whose cores are just being freed by Suspend waits for them.
//
// An order from the centre reaches its node after the network's delay, and a report reaches the centre after the same
// delay. The centre hears at once of what it decides itself (Submitted, Ready, Ended). The part on a node hears of
// its node, and acts there, at once. Events of one instant come in the order of rule Time in package policy; events
// of the same kind come in the order in which they were caused.
//
// # Where to begin to read
//
// loop.go has the loop and the order of an instant, and act.go what becomes of an action. An order goes down from
// orders.go over machines.go to copy.go; its report comes back by reports.go and centre.go to parts.go, which holds the
// policy. The clock and its agenda, the nodes, the books of jobs, the mail, slips and outages each have a file of their name.
//
// # When not to use it
//
// It models what schedulers decide, not machines: tasks do not slow each other down, the network has a delay but no
// bandwidth, and a task's runtime is fixed before it starts. It does not run in real time. To let a policy run
// something real, use package host, or write a host and put a [check.Checker] between the two.
//
// # Cost
//
// An event takes time logarithmic in the number of running copies. Finding a node for a Start that names none takes
// time logarithmic in the number of nodes of a partition, times the number of partitions, as long as only cores are
// scarce. A task takes 56 bytes while its job goes on, and about 500 more while it runs; a job takes about 400, and
// its record 104 for good, unless Config.Ended takes it.
//
// # Source
//
// The model is this library's own. If a policy's paper describes its simulation, examples/lab/paper and the
// reproduction of that policy follow it.
package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	policyparts "example.com/augur/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// Config describes a run. Nodes, Jobs and Truth are required.
type Config struct {
	// Nodes are there from the start; their IDs are 1, 2, 3 and so on. See [Cluster], also for why their order matters.
	Nodes []policy.Node
	// Jobs yields the jobs in order of submission. Run takes each job when the one before is submitted; an error ends
	// the run.
	Jobs iter.Seq2[*policy.Job, error]
	// Truth knows how long tasks run. If it has a method Forget(policy.JobID), Run calls that when a job has ended.
	Truth policy.Truth
	// Delay is how long each order, report and message takes, ≥ 0.
	Delay policy.Duration
	// SuspendCost is how long a copy holds its cores after Suspend, and ResumeCost how long it holds them after
	// Resume before it goes on, ≥ 0. Neither counts as service.
	SuspendCost, ResumeCost policy.Duration
	// SaveCost is how long a copy holds its cores after a Kill with Save until it is saved and has ended, ≥ 0. It does not
	// count as service. What holds no cores, or has done nothing since it was saved, ends at once.
	SaveCost policy.Duration
	// MaxFailures is the number of copies of one task that end as Failed before its job ends as TaskFailed, 1 to 255; 0
	// means 4. Copies that end as Lost or Killed do not count, and their task is tried again. A task that has had
	// 262,144 copies without finishing ends the run: the error says what keeps it from finishing.
	MaxFailures int
	// Faults is what goes wrong; the zero value is nothing.
	Faults Faults
	// Record, if not nil, gets every event and action as JSON lines, for [Replay]. Text that is not UTF-8 is
	// repaired, so policies that use that text may answer a Replay differently.
	Record io.Writer
	// Watch, if not nil, is called with each event just before a part (0: the centre) hears it, as the [check.Checker] is.
	// [Monitor.Event] is such a function. It must not keep or change the event.
	Watch func(part policy.NodeID, ev *policy.Event)
	// Ended, if not nil, gets the record of each job when it is over, and Result.Jobs stays empty. Memory then hardly
	// grows with the length of a run: by 2 to 3 bytes a job.
	Ended func(*JobRecord)
	// Progress, if not nil, is called after every 64 events with the number of jobs that have ended and of events so
	// far: a few times a second, or 10,000 times if the policy is fast.
	Progress func(ended int, events int64)
	// Pause, if not nil, is called before time passes from now to the next instant at which something is due, when
	// all events of this instant have been answered. The State is always the same one; it may also be read within
	// Step.
	Pause func(st *State, now, due policy.Time)
}

// Run simulates the jobs under a policy until the last one has ended, and returns the result. If p is a
// [policy.Distributed] its parts run on the nodes. Each run needs its own policy. Jobs and truth may serve several
// runs one after the other, if they can be iterated again, but not two at a time.
//
// If jobs are left when nothing can happen any more, they end as Stalled: they wait for input that never comes, say,
// or the policy forgot them. Run returns a [*check.Violation] if the policy broke the contract, and wraps the errors of the
// policy's Step and of the jobs. It returns an error if the configuration is invalid, and ctx.Err() if ctx has ended,
// which it checks after each Step.
func Run(ctx context.Context, config Config, p policy.Scheduler) (*Result, error) {
	s, err := newSimulation(config, p)
	if err != nil {
		return nil, err
	}
	var stop func()
	s.source, stop = iter.Pull2(config.Jobs)
	defer stop()
	err = s.run(ctx)
	if s.record != nil { // what was recorded before an error is what explains it
		if e := s.record.Flush(); e != nil && err == nil {
			err = fmt.Errorf("sim: recording: %w", e)
		}
	}
	if err != nil {
		return nil, err
	}
	return s.result, nil
}

func newSimulation(config Config, p policy.Scheduler) (*simulation, error) {
	switch {
	case p == nil:
		return nil, errors.New("sim: the policy is nil; want one, such as baseline.NewFIFO()")
	case config.Jobs == nil:
		return nil, errors.New("sim: Config.Jobs is nil, want a sequence of jobs")
	case config.Truth == nil:
		return nil, errors.New("sim: Config.Truth is nil, want the runtimes of the tasks, as workload.Split returns")
	case len(config.Nodes) == 0:
		return nil, fmt.Errorf("sim: Config.Nodes is empty, want at least 1 node; Cluster makes none if Partition.Nodes is below 0, or above %d in all", policy.MaxID)
	case config.Delay < 0:
		return nil, fmt.Errorf("sim: Config.Delay is %v, want at least 0", config.Delay)
	case config.SuspendCost < 0:
		return nil, fmt.Errorf("sim: Config.SuspendCost is %v, want at least 0", config.SuspendCost)
	case config.ResumeCost < 0:
		return nil, fmt.Errorf("sim: Config.ResumeCost is %v, want at least 0", config.ResumeCost)
	case config.SaveCost < 0:
		return nil, fmt.Errorf("sim: Config.SaveCost is %v, want at least 0", config.SaveCost)
	case config.MaxFailures < 0 || config.MaxFailures > math.MaxUint8:
		return nil, fmt.Errorf("sim: Config.MaxFailures is %d, want 1 to 255, or 0 for 4", config.MaxFailures)
	}
	if err := policyparts.Check(p); err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	if err := config.Faults.validate(config.Nodes); err != nil {
		return nil, err
	}
	nodes, err := newNodes(config.Nodes)
	if err != nil {
		return nil, err
	}
	s := &simulation{
		config: config, nodes: nodes, checker: check.New(), result: new(Result),
		clock: clock{cancelled: make(map[ticket]struct{})},
		books: books{gangs: make(map[int32][]policy.Share), devices: make(map[int32]policy.Devices), carried: make(map[int32]carried)},
	}
	s.state = &State{s}
	if config.Record != nil {
		s.record = newRecorder(config.Record)
	}
	s.furnish()
	s.parts.use(p)
	return s, nil
}

// furnish gives each room what it needs of others.
func (s *simulation) furnish() {
	c, clock, faults, count := &s.config, &s.clock, &s.config.Faults, &s.result.Faults
	s.books.forgets, _ = c.Truth.(interface{ Forget(policy.JobID) })
	s.slips = slips{clock: clock, faults: faults, count: count, channels: make(map[channel]queued)}
	s.parts = parts{clock: clock, slips: &s.slips, all: make([]part, len(s.nodes.all))}
	s.mail = mail{clock: clock, parts: &s.parts, slips: &s.slips, faults: faults, count: count,
		wire: wire[message]{clock: clock, delay: c.Delay}}
	s.reports = reports{parts: &s.parts, hear: s.centre.hear,
		wire: wire[report]{clock: clock, delay: c.Delay}}
	s.orders = orders{books: &s.books, slips: &s.slips, machines: &s.machines, giveUp: s.giveUp,
		wire: wire[order]{clock: clock, delay: c.Delay}}
	s.machines = machines{clock: clock, books: &s.books, nodes: &s.nodes, parts: &s.parts, reports: &s.reports, checker: s.checker,
		truth: c.Truth, faults: faults, count: count,
		suspendCost: c.SuspendCost, resumeCost: c.ResumeCost, saveCost: c.SaveCost, all: make([]machine, len(s.nodes.all))}
	s.centre = centre{clock: clock, nodes: &s.nodes, books: &s.books, parts: &s.parts, orders: &s.orders, machines: &s.machines, checker: s.checker,
		truth: c.Truth, faults: faults, maxFailures: cmp.Or(c.MaxFailures, 4), waiters: make(map[policy.JobID][]*job), record: s.over}
	s.outages = outages{clock: clock, nodes: &s.nodes, parts: &s.parts, reports: &s.reports, mail: &s.mail, slips: &s.slips, machines: &s.machines,
		faults: faults, count: count, gone: make(map[policy.NodeID]bool)}
}

// A Partition describes like nodes, for [Cluster].
type Partition struct {
	Nodes  int            // ≥ 0
	Cores  int32          // of each node
	Memory int64          // of each node, bytes; 0: not accounted for
	Speed  float64        // of each node; 0 means 1
	Offers []policy.Offer // of each node: named resources
}

// Cluster returns the nodes of the given partitions, with the IDs 1, 2, 3 and so on for partitions and nodes alike. Their order
// matters: a policy without a placer leaves the choice to the host, which takes the first node by ID that has room, whatever its
// speed. The placer baseline.Fastest takes the fastest one.
// It returns nil, which [Run] refuses, if a partition has fewer than 0 nodes, or if there are more nodes than IDs,
// [policy.MaxID].
func Cluster(partitions ...Partition) []policy.Node {
	var nodes []policy.Node
	for i, p := range partitions {
		if p.Nodes < 0 || p.Nodes > policy.MaxID-len(nodes) {
			return nil
		}
		if p.Speed == 0 {
			p.Speed = 1
		}
		for range p.Nodes {
			nodes = append(nodes, policy.Node{
				ID:        policy.NodeID(len(nodes) + 1),
				Partition: policy.PartitionID(i + 1),
				Cores:     p.Cores,
				Memory:    p.Memory,
				Speed:     p.Speed,
				Offers:    p.Offers,
			})
		}
	}
	return nodes
}
