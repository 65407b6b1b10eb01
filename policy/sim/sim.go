// Package sim is a host that is not real: a discrete-event simulator of a cluster,
// which runs any [policy.Scheduler] on any workload, deterministically. Start with [Run].
//
// Nodes have cores, memory and a speed; partitions are sets of nodes.
// Messages, orders and news take the network's delay. Suspending and resuming cost
// time. [Faults] take nodes away and bring them back, break tasks, cancel jobs, lose,
// delay, double and reorder messages, let the clock jump, let the host forget what it was to do or
// do it late, and restart the policy, all by a seeded plan that does not depend
// on what the policy does. The same [Config] and the same policy give the same [Result]
// and the same record, byte for byte.
//
// Every event and every action passes through a [Checker], always: a policy or a host
// that breaks the contract ends the run with a [*Violation] that says when, what, and
// what came before. An experiment is two lines:
//
//	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, baseline.NewFIFO())
//	fmt.Println(result.Metrics().MeanJCT)
//
// Nodes come from [Cluster], jobs and their truth from Split of policy/workload.
//
// # The model
//
// A copy occupies its cores and its memory from Started to its end; a suspended one holds
// its memory only. It is done after its runtime ([policy.Truth]) divided by the speed of
// its node and, off the partitions that its stage prefers and off the nodes that hold its
// data, multiplied by the stage's factor (once). A gang is done when the last of its tasks
// is, and holds everything until then. A copy that reads a stage through a pipe is done
// when its own runtime has passed and that stage is finished.
//
// Where a Start leaves the choice of the node to the host, it is the first one with room
// of those that hold the task's data, in their order; else the first in the order of IDs,
// on a partition that the stage prefers if there is one, and for gangs always. The Start
// of a task on a named node whose cores are just being freed by Suspend waits for them.
//
// An order from the centre reaches its node after the network's delay, and news reaches
// the centre after the same delay. What the centre decides on its own (Submitted, Ready,
// Ended) it hears at once. The part on a node hears of its node, and acts there, at
// once. Events of one instant are told in the order of rule Time in package policy; events of
// the same kind, in the order in which they were caused.
//
// # When not to use it
//
// It is a model of what schedulers decide, not of machines: tasks do not slow one another
// down, the network has a delay and no bandwidth, and how long a task runs is settled before
// it starts. Nor does it run in step with a clock; to let a policy run something real, write a
// host and put a [Checker] between the two (examples/nodehost).
//
// # Cost
//
// An event takes time logarithmic in the number of copies that run. To find a node for a
// Start that names none takes time logarithmic in the number of nodes of a partition,
// times the number of partitions, as long as cores alone decide. A task takes 8 bytes
// while its job goes on, and about 120 more while it runs; a job takes about 400, and its
// record 104 for good, unless Config.Ended takes it.
//
// # Source
//
// The model is this library's own. Where the paper of a policy says how its authors simulated,
// policy/workload/paper and the policy's reproduction follow that.
package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
)

// Config describes a run. Nodes, Jobs and Truth are required.
type Config struct {
	// Nodes are there from the start; their IDs are 1, 2, 3 and so on. See [Cluster].
	Nodes []policy.Node
	// Jobs come in order of submission. They are asked for one by one, each when the one before
	// is submitted; an error ends the run.
	Jobs iter.Seq2[*policy.Job, error]
	// Truth says how long tasks run. If it has a method Forget(policy.JobID), that is
	// called when a job has ended.
	Truth policy.Truth
	// Delay is how long each order, report and message takes, ≥ 0.
	Delay policy.Duration
	// SuspendCost is for how long a copy holds its cores after Suspend, and ResumeCost
	// for how long it holds them before it goes on after Resume, ≥ 0. Neither counts as
	// service.
	SuspendCost, ResumeCost policy.Duration
	// MaxFailures is the number of failures of one task that fails its job, 1 to 255; 0
	// means 4.
	MaxFailures int
	// EndAtRequested makes requested times limits, as they are on most real systems. The host kills a copy that has run for
	// [policy.Job.Requested] and is not done, and the job ends as TimedOut unless another copy of the task still runs. The time
	// for which a copy is suspended does not count, and each copy begins anew. A job that requests no time has no limit.
	EndAtRequested bool
	// Faults is what goes wrong; the zero value is nothing.
	Faults Faults
	// Record, if not nil, gets every event and action as JSON lines, for [Replay]. Text that is
	// not UTF-8 is mended, after which policies that go by it may differ.
	Record io.Writer
	// Watch, if not nil, sees what the [Checker] sees of events: each one, just before a part (0: the centre) is told. The
	// Event of a [Monitor] is one. The event must not be kept or changed. With a ResumeCost, Watch also sees a Resumed that nobody
	// is told: when a suspended copy takes its cores back.
	Watch func(part policy.NodeID, ev *policy.Event)
	// Ended, if not nil, gets the record of each job when it is over, and Result.Jobs stays
	// empty. Memory then hardly grows with the length of a run: by 2 to 3 bytes a job.
	Ended func(*JobRecord)
	// Progress, if not nil, is told after every 64 events how many jobs have ended, and how many events
	// the policy was told: a few times a second, or 10,000 times if the policy is fast.
	Progress func(ended int, events int64)
	// Pause, if not nil, is called before time passes from now to the next instant at which something is due:
	// everything that happens at this instant has been told and answered. The State is always the same one; it may
	// be looked at within Step too.
	Pause func(st *State, now, due policy.Time)
}

// Run simulates the jobs of the configuration under a policy until the last one has
// ended, and returns what became of them. If p is a [policy.Distributed] its parts run on
// the nodes. Each run needs a policy of its own. Jobs and truth may serve one run after the
// other, if they can be gone through again, but not two at a time.
//
// Jobs that are left when nothing can happen any more (they wait for input that never
// comes, say, or the policy forgot them) end as Stalled. The error is a [*Violation] if
// the policy broke the contract; it wraps what the policy's Step or the jobs returned,
// or says what is wrong with the configuration; it is ctx.Err() if ctx has ended, which
// is looked at after each Step of the policy.
func Run(ctx context.Context, config Config, p policy.Scheduler) (*Result, error) {
	s, err := newCluster(config, p)
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

// cluster is the state of a run. Its methods are spread over the files: the loop
// (loop.go), what is to happen when (agenda.go), the centre's knowledge of jobs (centre.go)
// and of attempts at their tasks (attempt.go), copies on nodes (place.go, copy.go,
// suspend.go, node.go), the network and the parts (network.go), faults of nodes and tasks
// (faults.go), of messages (network.go), of the clock (jumps.go) and of the host (slips.go), and
// restarts (restart.go). What a test may see of it is a State (state.go).
type cluster struct {
	config   Config
	now      policy.Time
	agenda   agenda
	forsaken int // entries there that have been taken back
	seq      uint64
	news     wire[report]                        // from nodes to the centre
	orders   wire[order]                         // from the centre to nodes
	mail     wire[message]                       // between parts
	posts    uint64                              // messages that could be lost
	astray   slab[message]                       // posts that go a way of their own, by the index in their timed event
	slips    slips                               // what the host is late to do
	asked    map[policy.JobID]map[request]uint32 // how often, if the host may be late
	jumps    jumps                               // of the clock
	inbox    inbox
	actions  []policy.Action

	centre      policy.Scheduler
	distributed policy.Distributed // nil if the policy has no parts
	reveille    ticket             // the centre's alarm
	nodes       []node             // by ID
	rooms       []*room            // by partition
	attempts    slab[attempt]
	gangs       map[int32][]policy.Share // where a gang is, by its place in attempts
	devices     map[int32]policy.Devices // of tasks that have some, by the same
	asks        slab[ask]                // reports asked for
	outages     []Outage                 // those of Faults, then one for each node
	lives       int                      // restarts of the policy

	source   func() (*policy.Job, error, bool)
	pending  *policy.Job // read from the source, not yet submitted
	drained  bool        // the source has no more
	jobs     policy.Table[policy.JobID, job]
	outcomes outcomes // of jobs that have ended
	waiters  map[policy.JobID][]*job
	external int // events to come that the policy did not ask for
	idle     int // events told since something last changed
	spin     int // events told at this instant since a job or copy came or went

	forgets interface{ Forget(policy.JobID) } // the truth, if it wants to

	state   *State // for Config.Pause
	checker *Checker
	record  *recorder
	result  *Result
	ended   int // jobs
	usage   usage
	weather []*rand.Rand // by node: when it fails
	failed  error        // the first thing that went wrong inside a handler
}

func newCluster(config Config, p policy.Scheduler) (*cluster, error) {
	switch {
	case p == nil:
		return nil, errors.New("sim: no policy")
	case config.Jobs == nil:
		return nil, errors.New("sim: Config.Jobs is nil, want a sequence of jobs")
	case config.Truth == nil:
		return nil, errors.New("sim: Config.Truth is nil, want the runtimes of the tasks")
	case len(config.Nodes) == 0:
		return nil, fmt.Errorf("sim: Config.Nodes is empty, want at least 1 node; Cluster makes none if Partition.Nodes is below 0, or above %d in all", policy.MaxID)
	case config.Delay < 0:
		return nil, fmt.Errorf("sim: Config.Delay is %v, want at least 0", config.Delay)
	case config.SuspendCost < 0:
		return nil, fmt.Errorf("sim: Config.SuspendCost is %v, want at least 0", config.SuspendCost)
	case config.ResumeCost < 0:
		return nil, fmt.Errorf("sim: Config.ResumeCost is %v, want at least 0", config.ResumeCost)
	case config.MaxFailures < 0 || config.MaxFailures > math.MaxUint8:
		return nil, fmt.Errorf("sim: Config.MaxFailures is %d, want 1 to 255, or 0 for 4", config.MaxFailures)
	}
	if config.MaxFailures == 0 {
		config.MaxFailures = 4
	}
	if err := config.Faults.validate(config.Nodes); err != nil {
		return nil, err
	}
	s := &cluster{
		config:  config,
		centre:  p,
		gangs:   make(map[int32][]policy.Share),
		devices: make(map[int32]policy.Devices),
		waiters: make(map[policy.JobID][]*job),
		checker: NewChecker(),
		result:  new(Result),
	}
	s.checker.validated = true
	s.state = &State{s}
	s.distributed, _ = p.(policy.Distributed)
	s.forgets, _ = config.Truth.(interface{ Forget(policy.JobID) })
	if config.Record != nil {
		s.record = newRecorder(config.Record)
	}
	return s, s.addNodes()
}

// A Partition describes like nodes, for [Cluster].
type Partition struct {
	Nodes  int            // ≥ 0
	Cores  int32          // of each node
	Memory int64          // of each node, bytes; 0: not accounted for
	Speed  float64        // of each node; 0 means 1
	Offers []policy.Offer // of each node: named resources
}

// Cluster returns the nodes of the given partitions, which get the IDs 1, 2, 3 and so
// on, as the nodes do. It returns nil, which [Run] refuses, if there are fewer than 0 nodes in a partition, or
// more in all than there are IDs, [policy.MaxID].
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
