// Package host schedules jobs on machines: it is the engine between a policy and a program. Most callers open an engine, run a
// [Machine] for each machine, and submit jobs:
//
//	engine, err := host.Open(host.Config{Dir: "/var/lib/jobs", New: newPolicy})
//	...
//	m := &host.Machine{Name: "m1", Node: policy.Node{Cores: 4}, Do: work}
//	go func() { log.Print(m.Run(ctx, engine)) }() // why it has ended, or what is wrong with m
//	id, err := engine.Submit(ctx, host.Job{Data: data, Job: policy.Job{Stages: []policy.Stage{{Tasks: 9, Cores: 1}}}})
//	...
//	status, err := engine.Wait(ctx, id) // Done
//
// The engine reports events to the policy and carries out its actions, by the rules of package policy. It knows the jobs, where
// their tasks run, and what is free. With a directory all of that, and the policy's history, survives a crash of the process at
// any instant. Without a directory it is in memory.
//
// # Machines
//
// A [Machine] runs tasks that are calls of a function. It may run in the same process, or in another one that reaches the engine
// through a [Dialer], and then [Engine.Serve] is the other end of the connection. For processes or containers use an
// [Agent], which joins, passes on orders and keeps reports.
//
// Without an Agent, call Join, take orders with [Link].Next, report with [Link].Report, and keep three rules:
//
//   - A copy is ordered once. Report its end once: Finished, Failed, or Killed after a Kill. A copy that cannot be started
//     has Failed. An order changes nothing if the copy has ended or is in that state already.
//   - Report returns nil when the report is on disk. Until then the machine keeps it.
//   - After a lost connection the machine joins again under its name and states its copies: running
//     (Started) and suspended (Suspended) ones, and ends for which no Report has returned nil. A copy that it does not name is
//     Lost. The engine orders a Kill of a copy that it does not know.
//
// The engine reports a copy as Started or Resumed when it takes the room for it, and then orders it. It reports an end when the
// machine has reported it. So each order is on disk before the machine gets it.
//
// A machine whose link is closed is silent. It gets no new copies, and its copies go on. If it has not joined again
// after [Config.Patience], its copies are Lost and start elsewhere. A living machine should have killed them by then
// ([Machine.Patience]), or a task is done twice.
//
// # Jobs
//
// A task runs at least once: if its machine or the engine dies after its end and before the report is on disk, it runs
// again. So let it write its output under a name made of the job, stage and index of [Order].Copy, and rename it when it is
// complete. A task that fails may start again at once, until it has failed [Config.Attempts] times: wait in Do if the
// cause may pass. Then its job ends as TaskFailed. A copy that is
// Lost or Killed does not count. A job that is Limited ends as TimedOut. All tasks of a gang start together, on one machine or
// on several, each of which gets an order with all shares; the first task that fails ends the others. A job with
// [policy.Inputs] waits for them, or ends as NoInput. A job that is too large for all machines waits for a larger one. Pipes are
// refused.
//
// # When not to use it
//
// A program that runs tasks in its own process uses package pool. A host that decides by itself and wants advice uses package
// advise. To compare policies, use package sim.
//
// # Cost
//
// One goroutine does all the work of an engine; calls that come meanwhile share the next write to the disk. In BenchmarkEngine a
// job of one task takes up to a third longer with 1,000 or 5,000 machines than with 16. A Start that leaves the machine to the engine
// looks at the machines with the most free cores first, until one has the memory and devices too; the Start of a gang looks at
// all. Giving up a machine takes time in proportion to its copies, plus the policy's.
//
// While the journal begins anew, at [Config.Renew] bytes or by a Swap, no call is answered. That takes about as long as
// submitting and starting the present jobs: less than a second for 10,000 waiting jobs, 1 to 2 s for 80,000 running copies.
//
// # Source
//
// Ours.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
	"example.com/augur/policy/journal"
)

// Config describes an engine. New is required.
type Config struct {
	// Dir is the directory of the journal, which Open makes if it is not there. "" means that everything is in memory.
	Dir string
	// New makes the policy of a name. It must make the same policy of the same name whenever it is called: the journal is
	// replayed to it. A policy that is a [policy.Keeper] also gets what it had learnt when the journal began. Open calls New, and so
	// do, in a goroutine of the engine, each Swap and each time the journal begins anew: twice, for a trial and for the policy that
	// goes on. After a Swap that returns an error the policy from before goes on, unless the journal cannot be written.
	//
	// Once Open has returned, that goroutine alone calls the policy, and no other one may look into it, as by View of
	// central.Scheduler: do that in Heard, which it calls after each Step.
	New func(name string) (policy.Scheduler, error)
	// Policy is the name. Give one from the beginning: what is learnt belongs to it, and another name begins with nothing. If a
	// journal goes on that was written under another one, Open ends with a [Engine.Swap]; "" goes on with the one that the journal has.
	Policy string
	// Rebuild goes on from the jobs and machines of a journal alone, with a new policy, which knows what was kept when the
	// journal began, or nothing if it cannot load that. It is for a journal that Open refuses since the policy of this name decides
	// otherwise than it did, or breaks a rule, after an upgrade of the program.
	Rebuild bool
	// Cannot are the actions that machines cannot carry out, such as Suspend, and Report, which asks how far a copy is. Open and
	// Swap refuse a policy that may return one.
	Cannot []policy.ActionKind

	// Attempts is how many failures of a task end its job as TaskFailed; 0: 3, so a task that always fails starts three times. Starts
	// that end as Lost or Killed do not count.
	Attempts int
	Limit    int // unfinished jobs, at which Submit waits; 0: 10,000
	// Patience is how long a machine may be without a link; 0: a minute. Meanwhile the policy counts its cores, since it is not told: its
	// plans may wait for them, and what it starts there is Refused. A job that only this machine can hold keeps all later ones waiting
	// under a policy without a filler, such as Fair: take one with a filler, as index-easy of package catalog. A machine that
	// hangs while its link is open is not noticed: call
	// Leave, or close its connection. A network that is gone is noticed by TCP: see net.KeepAliveConfig.
	Patience time.Duration
	Remember int // jobs that have ended and that Wait and Inputs still know; 0: 10,000
	// Renew is how many bytes of the journal let it begin anew with the present state; 0: 64 MiB. A policy learns little of a job that is
	// under way then, since what its tasks took is not told again. So many renewals let it learn too few long jobs.
	Renew int64

	// Ended, if not nil, is called with each job that has ended, once its end is on disk, by one goroutine at a time, before Wait
	// returns it. After a crash it is called again with the last jobs, so it hears of each at least once, and seldom twice. Its argument
	// is valid during the call only. It must not call the Engine.
	Ended func(Status)
	// Heard, if not nil, is called with each event of the policy and of its parts (0: the centre) and the answer. Open calls it with
	// those that the journal replays, which are those since the journal began anew. Its arguments are valid during the call only. It
	// must not call the Engine.
	Heard func(part policy.NodeID, ev *policy.Event, actions []policy.Action)
	Now   func() time.Time // the clock, for tests; nil: time.Now
}

// ErrClosed is the error of calls of an engine that is closed, and of links after that.
var ErrClosed = errors.New("host: the engine is closed")

// An Engine schedules jobs on machines. Any number of goroutines may call it.
type Engine struct {
	books
	config  Config
	journal *journal.Journal
	ledger  journal.Ledger
	checker *check.Checker
	parts   bool              // the policy has parts on nodes
	learnt  map[string][]byte // by policies that were replaced, and what this one began with, by name
	renew   int64             // bytes of the journal at which it begins anew

	calls   chan *call
	full    []*call       // that wait until fewer than Config.Limit jobs have not ended, and some that are given up
	sweep   int           // the length of full at which those go
	ending  chan struct{} // closed by Close
	stopped chan struct{} // closed when the loop has ended
	done    chan struct{} // closed when the engine has failed
	failed  error         // after it nothing is done; wraps what has failed
	point   func()        // called wherever the process may be killed, for tests

	base  policy.Time // of awake
	awake time.Time
	last  policy.Time // of the last event
}

// A call is what the loop does for a goroutine.
type call struct {
	ctx  context.Context // of its caller
	do   func() error
	done chan error
	gone atomic.Bool // set by the loop when it does the call, or by a caller that gives up: whoever is first
}

// Open opens an engine, with all that it knew if there is a journal in Config.Dir. The machines that it knew are silent until
// they join again. It returns an error if the Config is out of range, if the policy does something that machines cannot do or hides its parts, or
// that of [journal.Open]: if the journal is damaged, open already, or was written by a policy that decided otherwise.
func Open(c Config) (*Engine, error) {
	switch {
	case c.New == nil:
		return nil, errors.New("host: Config.New is nil, want a function that makes the policy of a name")
	case c.Attempts < 0 || c.Limit < 0 || c.Patience < 0 || c.Remember < 0 || c.Renew < 0:
		return nil, fmt.Errorf("host: Config has Attempts %d, Limit %d, Patience %v, Remember %d and Renew %d, want none below 0", c.Attempts, c.Limit, c.Patience, c.Remember, c.Renew)
	}
	defaults(&c)
	e := &Engine{config: c, calls: make(chan *call, most), ending: make(chan struct{}), stopped: make(chan struct{}), done: make(chan struct{}), point: func() {}}
	e.forget()
	e.checker = check.New()
	name := ""
	if c.Dir != "" {
		if err := os.MkdirAll(c.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("host: %w", err)
		}
		name = filepath.Join(c.Dir, "journal")
	}
	var err error
	for tries := 0; ; tries++ {
		e.journal, err = journal.Open(name, journal.Config{New: e.restore, Keep: e.keep, Replayed: e.replayed, Noted: e.noted, Ledger: &e.ledger, EventsOnly: c.Rebuild})
		if !errors.Is(err, journal.ErrOpen) || tries == 20 {
			break
		}
		time.Sleep(50 * time.Millisecond) // a process that was killed may keep it for as long as it takes to start another one
	}
	_, breach := errors.AsType[*check.Violation](err)
	if breach || errors.Is(err, journal.ErrPolicy) || errors.Is(err, policy.ErrFormat) || errors.Is(err, policy.ErrConfig) {
		err = fmt.Errorf("the policy that New makes is not the one that the journal in %s was written with: give another policy a name of its own in Config.Policy, and let New make both, or, if the program was changed, set Config.Rebuild, which goes on with the jobs: %w", c.Dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	e.renew = c.Renew
	e.caughtUp()
	for _, id := range e.order {
		if e.untold[id] {
			e.news = append(e.news, e.past[id])
		}
	}
	e.awake = c.Now()
	e.base = max(policy.Time(e.awake.UnixNano()), e.last)
	for _, n := range e.nodes {
		e.patient(n, e.base)
	}
	if rebuilt := e.config.Rebuild; rebuilt || c.Policy != "" && c.Policy != e.config.Policy {
		if rebuilt {
			e.ledger, e.checker = journal.Ledger{}, check.New()
		}
		err = e.swap(cmp.Or(c.Policy, e.config.Policy))
		e.config.Rebuild = false
	}
	if err == nil {
		err = e.settle()
	}
	if err == nil {
		err = e.journal.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, e.journal.Close())
	}
	go e.loop()
	return e, nil
}

func defaults(c *Config) {
	for _, x := range []struct {
		of   *int
		what int
	}{{&c.Attempts, 3}, {&c.Limit, 10_000}, {&c.Remember, 10_000}} {
		if *x.of == 0 {
			*x.of = x.what
		}
	}
	if c.Patience == 0 {
		c.Patience = time.Minute
	}
	if c.Renew == 0 {
		c.Renew = 64 << 20
	}
	if c.Now == nil {
		c.Now = time.Now
	}
}

// most is how many calls share a Sync.
const most = 1000

// loop does what is called for and what is due, and gives away orders and answers once their reasons are on disk.
func (e *Engine) loop() {
	defer close(e.stopped)
	timer := time.NewTimer(0)
	var calls []*call
	var errs []error
	for {
		select {
		case c := <-e.calls:
			for calls = append(calls, c); c != nil && len(calls) < most; {
				select {
				case c = <-e.calls:
					calls = append(calls, c)
				default:
					c = nil
				}
			}
		case <-timer.C:
		case <-e.ending:
			e.shut()
			return
		}
		for _, c := range calls {
			err := e.failed
			if err == nil && c.gone.CompareAndSwap(false, true) {
				err = c.do()
			}
			if errs = append(errs, err); err == errFull {
				e.waits(c)
			}
		}
		if e.failed == nil {
			e.fail(e.round())
		}
		for i, c := range calls {
			if errs[i] == nil {
				errs[i] = e.failed
			}
			if errs[i] != errFull {
				c.done <- errs[i]
			}
		}
		calls, errs = calls[:0], errs[:0]
		for len(e.full) > 0 && e.jobs.Len()+len(calls) < e.config.Limit {
			if c := e.full[0]; !c.gone.Load() {
				calls = append(calls, c)
			}
			e.full = e.full[1:]
		}
		wait := e.next()
		if len(calls) > 0 {
			wait = 0
		}
		if timer.Stop(); wait >= 0 {
			timer.Reset(wait)
		}
	}
}

// waits lets a call wait for room.
func (e *Engine) waits(c *call) {
	if len(e.full) >= e.sweep {
		e.full = slices.DeleteFunc(e.full, func(c *call) bool { return c.gone.Load() })
		e.sweep = 2*len(e.full) + 64
	}
	c.gone.Store(false)
	if c.ctx.Err() != nil && c.gone.CompareAndSwap(false, true) { // its caller saw that while the loop had the call
		c.done <- context.Cause(c.ctx)
		return
	}
	e.full = append(e.full, c)
}

// round does what follows from the calls, and syncs.
func (e *Engine) round() error {
	if err := e.due(); err != nil {
		return err
	}
	if e.journal.Size() > e.renew && e.config.Dir != "" {
		if err := e.swap(e.config.Policy); err != nil {
			return err
		}
		if err := e.settle(); err != nil {
			return err
		}
		e.renew = max(e.config.Renew, 4*e.journal.Size())
	}
	if err := e.journal.Sync(); err != nil {
		return err
	}
	e.point()
	return e.deliver()
}

// fail stops the engine at an error that no caller can mend.
func (e *Engine) fail(err error) {
	if err != nil && e.failed == nil {
		if e.failed = err; err != ErrClosed {
			e.failed = fmt.Errorf("host: the engine has stopped: %w", err)
		}
		close(e.done)
		for _, n := range e.nodes {
			if n.link != nil {
				n.link.end(e.failed)
			}
		}
		for _, w := range e.waiters {
			for _, x := range w {
				x <- Status{}
			}
		}
		clear(e.waiters)
		for _, c := range e.full {
			c.done <- e.failed
		}
		e.full = nil
	}
}

// do does something in the loop, and returns when it is on disk.
func (e *Engine) do(ctx context.Context, f func() error) error {
	c, err := e.begin(ctx, f)
	if err != nil {
		return err
	}
	return e.end(ctx, c)
}

// begin lets the loop do something. What one goroutine begins is done in its order.
func (e *Engine) begin(ctx context.Context, f func() error) (*call, error) {
	c := &call{ctx: ctx, do: f, done: make(chan error, 1)}
	select {
	case e.calls <- c:
		return c, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-e.stopped:
		return nil, ErrClosed
	}
}

// end returns when what was begun is on disk. If the context is done before the loop has come to it, the loop never does it.
func (e *Engine) end(ctx context.Context, c *call) error {
	for over := ctx.Done(); ; over = nil {
		select {
		case err := <-c.done:
			return err
		case <-e.stopped:
			select {
			case err := <-c.done: // before the end
				return err
			default:
				return ErrClosed
			}
		case <-over:
			if c.gone.CompareAndSwap(false, true) {
				return context.Cause(ctx)
			}
		}
	}
}

// Done returns a channel that is closed when the engine has stopped, because of Close or of an error such as a full disk, which
// Close then returns.
func (e *Engine) Done() <-chan struct{} { return e.done }

// Close ends the engine, and returns the error at which it had stopped before, if any. Machines go on with what they have. A
// second Close does nothing.
func (e *Engine) Close() error {
	select {
	case <-e.stopped:
		return nil
	case e.ending <- struct{}{}:
	}
	<-e.stopped
	return e.failed
}

func (e *Engine) shut() {
	failed := e.failed
	e.fail(ErrClosed)
	if err := e.journal.Close(); err != nil && failed == nil {
		failed = fmt.Errorf("host: %w", err)
	}
	e.failed = failed
}

// now is the time of the policy. It goes on with the monotonic clock.
func (e *Engine) now() policy.Time {
	return e.base.Add(e.config.Now().Sub(e.awake))
}

// A Status says how a job is.
type Status struct {
	ID      policy.JobID
	Name    string
	Job     *policy.Job    // nil if the job has ended; not to be changed
	Outcome policy.Outcome `json:",omitzero"` // how the job ended or, while Job is not nil, will end once its copies are killed, as after Cancel; 0: not known yet

	Submitted, Ended policy.Time // in nanoseconds since 1970, unless Config.Now has another origin; Ended is 0 if it has not
	// Of its tasks, or gangs: those that are finished, and copies that run or are suspended.
	Finished, Running int
	// Reason says why it cannot start, if the machines that are there could not hold a task or gang of it, or not without those that are
	// silent; else why a copy last failed, as the machine has said (of a panic the stack follows), or where one was last lost. It is
	// empty if the job is Done.
	Reason string
}

// A NodeStatus says how a machine is.
type NodeStatus struct {
	Name   string
	Node   policy.Node
	Silent bool
	Free   int64         // cores
	Copies []policy.Copy // that it has
}

// Jobs returns the jobs that have not ended, in the order of their IDs. To list jobs that have ended, keep what Config.Ended gets.
func (e *Engine) Jobs(ctx context.Context) (all []Status, err error) {
	err = e.do(ctx, func() error {
		reasons := make(map[need]string)
		for _, j := range e.jobs.All() {
			all = append(all, e.status(j, reasons))
		}
		return nil
	})
	return all, err
}

// Nodes returns the machines that are there, in the order of their IDs.
func (e *Engine) Nodes(ctx context.Context) (all []NodeStatus, err error) {
	err = e.do(ctx, func() error {
		for _, n := range e.sorted() {
			all = append(all, NodeStatus{n.name, n.info, n.link == nil, n.cores, n.on()})
		}
		return nil
	})
	return all, err
}

// Policy returns the name of the policy.
func (e *Engine) Policy(ctx context.Context) (name string, err error) {
	err = e.do(ctx, func() error {
		name = e.config.Policy
		return nil
	})
	return name, err
}

// can returns an error if a policy may return what machines cannot do.
func (e *Engine) can(name string, p policy.Scheduler) error {
	d, ok := p.(policy.Declarer)
	if !ok {
		return nil
	}
	for _, kind := range d.Actions() {
		if slices.Contains(e.config.Cannot, kind) {
			return fmt.Errorf("host: policy %q may return %v, which machines cannot do (Config.Cannot); take another policy", name, kind)
		}
	}
	return nil
}
