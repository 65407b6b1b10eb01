// Package processes is a machine whose tasks are processes: the half of a host that starts, suspends, resumes, saves and kills. The
// other half is an engine of package host, in this process or in another one. It needs Linux.
//
// Each copy of a task has a process group of its own. What signals it signals the group, so a shell and what it has started
// are suspended and killed together, and what is left of the group when its first process ends is killed. When the machine
// ends, in whatever way, all that its tasks have started is killed, also what has left its group; see [Guard].
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
	Command func(o host.Order) (*exec.Cmd, error)
	// Patience is how long tasks go on while the machine has no link; then they are killed. It is less than the Patience of the
	// engine, so that no task is done twice. 0: for ever.
	Patience time.Duration
	// Grace is how long a copy that is to be saved may take after SIGTERM; then it is killed. 0: 10 s.
	Grace time.Duration
	// Processor says that service is the processor time that a copy has taken with the children that it has waited for, and not the
	// time for which it has run.
	Processor bool
	// Mark is a name that no other machine of this computer has. Processes that an earlier machine of that name has left are killed first.
	Mark string
	// Lock, if not nil, is a file that stays open, and locked if it is, until all that tasks have started is dead, however the machine ends.
	Lock *os.File
	// Once lets Run end when the tasks have been killed for want of Patience.
	Once bool

	life    string
	nursery *nursery
	mu      sync.Mutex
	copies  map[policy.Copy]*task
	link    host.Link
	wait    sync.WaitGroup // for processes, and for reports that are under way
	lonely  chan struct{}  // a token when Patience is over
	reports context.Context
}

// A task is a copy, until its end is on disk.
type task struct {
	host.Order
	process *process
	since   time.Time       // when it began to work, or went on
	service policy.Duration // before that
	stands  bool
	killed  bool
	saving  *time.Timer  // until it is killed; nil: it was not asked to save
	end     *host.Report // nil: it has not ended
}

// again is how long a machine waits before it joins again.
const again = 50 * time.Millisecond

// Run joins and carries out orders, and joins again whenever the link has ended, until the context is done. Then it lets copies save what
// they have done if their stage Saves, kills the others, reports that, and returns. A Machine runs once.
func (m *Machine) Run(ctx context.Context, to host.Joiner) error {
	m.copies, m.nursery, m.lonely = make(map[policy.Copy]*task), newNursery(), make(chan struct{}, 1)
	defer m.nursery.close()
	m.Grace = cmp.Or(m.Grace, 10*time.Second)
	var stop context.CancelFunc
	m.reports, stop = context.WithCancel(context.Background())
	defer stop()
	unwatch, err := m.watch()
	if err != nil {
		return err
	}
	defer unwatch()
	alone := time.AfterFunc(cmp.Or(m.Patience, 1<<62), m.lose)
	defer alone.Stop()
	for {
		has := m.has()
		l, err := to.Join(ctx, m.Name, m.Node, has...)
		if err == nil {
			alone.Stop()
			select {
			case <-m.lonely: // too late
			default:
			}
			m.joined(l, has)
			err = m.serve(ctx, l)
			if ctx.Err() == nil {
				alone.Reset(cmp.Or(m.Patience, 1<<62))
			}
		}
		select {
		case <-ctx.Done():
			time.AfterFunc(m.Grace+time.Second, stop) // an engine that does not answer
			m.all(l != nil)
			m.wait.Wait()
			if l != nil {
				_ = l.Leave(m.reports)
			}
			return nil
		case <-m.lonely:
			m.wait.Wait()
			if m.Once {
				return err
			}
		case <-time.After(again):
		}
		if l != nil {
			_ = l.Close()
		}
	}
}

// lose kills all tasks, since there has been no link for long.
func (m *Machine) lose() {
	m.all(false)
	select {
	case m.lonely <- struct{}{}:
	default:
	}
}

// all kills all copies, after they have saved what they have done if that is wanted.
func (m *Machine) all(save bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for c, t := range m.copies {
		m.obey(host.Order{Do: policy.Kill, Copy: c, Save: save && t.Stage.Saves})
	}
}

// has returns what a machine tells when it joins.
func (m *Machine) has() (has []host.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.copies {
		x := host.Report{Copy: t.Copy, Kind: policy.Started}
		switch {
		case t.end != nil:
			x = *t.end
		case t.stands:
			x.Kind, x.Service = policy.Suspended, t.service
		}
		has = append(has, x)
	}
	return has
}

// joined takes note of a link, forgets the ends that Join has told, and reports those that came meanwhile.
func (m *Machine) joined(l host.Link, has []host.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.link = l
	for _, x := range has {
		if x.Kind.End() {
			delete(m.copies, x.Copy)
		}
	}
	for _, t := range m.copies {
		if t.end != nil {
			m.report(*t.end)
		}
	}
}

// report reports, and forgets a copy whose end is on disk. What cannot be reported the next Join tells.
func (m *Machine) report(x host.Report) {
	l := m.link
	if l == nil {
		return
	}
	m.wait.Go(func() {
		if l.Report(m.reports, x) == nil && x.Kind.End() {
			m.mu.Lock()
			delete(m.copies, x.Copy)
			m.mu.Unlock()
		}
	})
}

// serve carries out the orders of a link until it ends.
func (m *Machine) serve(ctx context.Context, l host.Link) error {
	for {
		o, err := l.Next(ctx)
		if err != nil {
			return err
		}
		m.mu.Lock()
		m.obey(o)
		m.mu.Unlock()
	}
}

// obey carries out an order. An order that comes late or twice changes nothing.
func (m *Machine) obey(o host.Order) {
	t := m.copies[o.Copy]
	switch {
	case o.Do == policy.Start && t == nil:
		m.start(o)
	case t == nil || t.end != nil || t.killed:
	case o.Do == policy.Kill && !o.Save:
		t.killed = true
		t.process.signal(kill)
	case t.saving != nil:
	case o.Do == policy.Kill:
		m.work(t)
		t.saving = time.AfterFunc(m.Grace, func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.obey(host.Order{Do: policy.Kill, Copy: o.Copy})
		})
		t.process.signal(terminate)
		t.process.signal(resume)
	case o.Do == policy.Suspend && !t.stands:
		t.process.signal(suspend)
		m.work(t)
		t.stands = true
		m.report(host.Report{Copy: o.Copy, Kind: policy.Suspended, Service: t.service})
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
	m.wait.Go(func() {
		err := t.process.wait()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.ended(t, err)
	})
}

// ended takes note of a copy that has ended, and reports it.
func (m *Machine) ended(t *task, err error) {
	if t.saving == nil {
		m.work(t)
	} else {
		t.saving.Stop()
	}
	t.end = &host.Report{Copy: t.Copy, Kind: policy.Finished, Service: t.service}
	switch {
	case t.saving != nil && !t.killed && err == nil:
		t.end.Kind, t.end.Saved = policy.Killed, t.service
	case t.saving != nil || t.killed:
		t.end.Kind, t.end.Saved = policy.Killed, t.Saved
	case err != nil:
		t.end.Kind, t.end.Saved, t.end.Reason = policy.Failed, t.Saved, err.Error()
	}
	m.report(*t.end)
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
		if t := m.copies[c]; t.end == nil {
			used, _ := t.process.used()
			all = append(all, Process{t.Order, t.process.pid(), t.stands, used})
		}
	}
	return all
}
