// Package processes is a machine whose tasks are processes: the half of a host that starts, suspends, resumes, saves and kills. The
// other half is an engine of package host, in this process or in another one. It needs Linux.
//
// Each copy of a task has a process group of its own. What signals it signals the group, so a shell and what it has started
// are suspended and killed together, and what is left of the group when its first process ends is killed. When the machine
// ends, in whatever way, all that its tasks have started is killed, also what has left its group; see [Watchdog].
package processes

import (
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// A Machine runs copies of tasks as processes. They cannot say how far they are: Config.Cannot of the engine has policy.Report.
type Machine struct {
	Name string
	Node policy.Node // its Cores and so on; see [host.Engine.Join]
	// Command is what a copy runs. An error of it is the end of the copy: Failed.
	Command  func(o host.Order) (*exec.Cmd, error)
	Patience time.Duration // as of [host.Agent]
	Once     bool          // as of [host.Agent]
	// Grace is how long a copy that is to be saved may take after SIGTERM; then it is killed. 0: 10 s.
	Grace time.Duration
	// Processor says that service is the processor time that a copy has taken with the children that it has waited for, and not the
	// time for which it has run.
	Processor bool
	// Mark is a name that no other machine of this computer has. Processes that an earlier machine of that name has left are killed first.
	Mark string
	// Lock, if not nil, is a file that stays open, and locked if it is, until all that tasks have started is dead, however the machine ends.
	Lock *os.File

	life    string
	nursery *nursery
	agent   *host.Agent
	mu      sync.Mutex
	copies  map[policy.Copy]*task
}

// A task is a copy that has not ended.
type task struct {
	host.Order
	process *process
	since   time.Time       // when it began to work, or went on
	service policy.Duration // before that
	stands  bool
	killed  bool
	saving  *time.Timer // until it is killed; nil: it was not asked to save
}

// Run joins and carries out orders, and joins again whenever the link has ended, until the context is done. Then it lets copies save what
// they have done if their stage Saves, kills the others, reports that, and returns. A Machine runs once.
func (m *Machine) Run(ctx context.Context, to host.Joiner) error {
	m.copies, m.nursery = make(map[policy.Copy]*task), newNursery()
	defer m.nursery.close()
	m.Grace = cmp.Or(m.Grace, 10*time.Second)
	unwatch, err := m.watch()
	if err != nil {
		return err
	}
	defer unwatch()
	m.agent = &host.Agent{Name: m.Name, Node: m.Node, Obey: m.obey, Suspended: m.suspended, Patience: m.Patience, Once: m.Once}
	if err := m.agent.Run(ctx, to); ctx.Err() == nil {
		return err
	}
	return nil
}

// suspended says whether a copy is suspended, and its service.
func (m *Machine) suspended(c policy.Copy) (policy.Duration, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.copies[c]; t != nil {
		return t.service, t.stands
	}
	return 0, false
}

// obey carries out an order.
func (m *Machine) obey(o host.Order) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.copies[o.Copy]
	switch {
	case o.Do == policy.Start:
		m.start(o)
	case t == nil || t.killed:
	case o.Do == policy.Kill && !o.Save:
		t.killed = true
		t.process.signal(kill)
	case t.saving != nil:
	case o.Do == policy.Kill:
		m.work(t)
		t.saving = time.AfterFunc(m.Grace, func() { m.obey(host.Order{Do: policy.Kill, Copy: o.Copy}) })
		t.process.signal(terminate)
		t.process.signal(resume)
	case o.Do == policy.Suspend && !t.stands:
		t.process.signal(suspend)
		m.work(t)
		t.stands = true
		m.agent.Report(host.Report{Copy: o.Copy, Kind: policy.Suspended, Service: t.service})
	case o.Do == policy.Resume && t.stands:
		t.since, t.stands = time.Now(), false
		t.process.signal(resume)
	}
}

// start runs a copy.
func (m *Machine) start(o host.Order) {
	t := &task{Order: o, since: time.Now(), service: o.Saved}
	if o.Saved > 0 {
		t.since = t.since.Add(o.Stage.Reload) // until then it does nothing new
	}
	m.copies[o.Copy] = t
	cmd, err := m.Command(o)
	if err == nil {
		cmd.Env = append(cmd.Environ(), lifeOf+"="+m.life)
		t.process, err = m.nursery.start(cmd)
	}
	if err != nil {
		m.ended(t, err)
		return
	}
	go func() {
		err := t.process.wait()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.ended(t, err)
	}()
}

// ended reports a copy that has ended.
func (m *Machine) ended(t *task, err error) {
	if t.saving == nil {
		m.work(t)
	} else {
		t.saving.Stop()
	}
	end := host.Report{Copy: t.Copy, Kind: policy.Finished, Service: t.service}
	switch {
	case t.saving != nil && !t.killed && err == nil:
		end.Kind, end.Saved = policy.Killed, t.service
	case t.saving != nil || t.killed:
		end.Kind, end.Saved = policy.Killed, t.Saved
	case err != nil:
		end.Kind, end.Saved, end.Reason = policy.Failed, t.Saved, err.Error()
	}
	delete(m.copies, t.Copy)
	m.agent.Report(end)
}

// work counts what a copy has done.
func (m *Machine) work(t *task) {
	switch used, ok := t.process.used(); {
	case m.Processor:
		if ok {
			t.service = max(t.service, t.Saved+used)
		}
	case !t.stands:
		t.service += max(0, time.Since(t.since))
	}
	t.service = max(t.service, 1) // 0 would mean that it does not count
}

// A Process is what a copy is now.
type Process struct {
	host.Order
	PID       int
	Suspended bool
	Used      time.Duration // processor time
}

// Processes returns the copies that have not ended, in the order of their jobs.
func (m *Machine) Processes() (all []Process) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range slices.SortedFunc(maps.Keys(m.copies), func(a, b policy.Copy) int { return cmp.Compare(a.Job, b.Job) }) {
		t := m.copies[c]
		used, _ := t.process.used()
		all = append(all, Process{t.Order, t.process.pid(), t.stands, used})
	}
	return all
}
