package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
)

// byLine makes a policy of its line.
func byLine(line string) (policy.Scheduler, error) {
	return catalog.New(line, catalog.Setting{Seed: 1})
}

// A rig is an engine that crashes now and then and comes back, with machines whose tasks are timers.
type rig struct {
	t      *testing.T
	config Config
	rng    *rand.Rand
	runs   func(c policy.Copy) (time.Duration, error)

	mu       sync.Mutex
	engine   *Engine
	done     map[policy.Task]int      // times that a task has run to its end
	trace    map[policy.Task][]string // what has happened to it
	machines []*timers
	ctx      context.Context // of the machines
	stop     func()
	wait     sync.WaitGroup
	lives    int
	deaths   int
}

func newRig(t *testing.T, c Config, runs func(c policy.Copy) (time.Duration, error)) *rig {
	r := &rig{t: t, config: c, runs: runs, done: map[policy.Task]int{}, trace: map[policy.Task][]string{}, rng: rand.New(rand.NewPCG(1, 2))}
	r.config.Heard = func(part policy.NodeID, ev *policy.Event, actions []policy.Action) {
		r.note(ev.Copy, "part %d hears %v on node %d, service %v, Replay %v", part, ev.Kind, ev.Node, ev.Service, ev.Replay)
		for _, a := range actions {
			r.note(a.Copy, "part %d wants %v on node %d", part, a.Kind, a.Node)
		}
	}
	r.ctx, r.stop = context.WithCancel(t.Context())
	r.open()
	return r
}

// note keeps what has happened to a copy.
func (r *rig) note(c policy.Copy, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.Job == 0 {
		return
	}
	r.trace[c.Task] = append(r.trace[c.Task], fmt.Sprintf("life %d, %v: #%d ", r.lives, time.Now().UnixNano()/1e6%1e9, c.N)+fmt.Sprintf(format, args...))
}

func (r *rig) open() {
	r.t.Helper()
	e, err := Open(r.config)
	if err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.engine = e
	r.lives++
}

func (r *rig) now() *Engine {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.engine
}

// crash kills the engine at the n-th point from now, as if its process had been killed there, and lets it come back.
func (r *rig) crash(n int) {
	e := r.now()
	dir := filepath.Join(filepath.Dir(r.config.Dir), fmt.Sprint(r.lives))
	at := func() {
		if n--; n != 0 {
			return
		}
		if err := os.CopyFS(dir, os.DirFS(r.config.Dir)); err != nil {
			r.t.Error(err)
		}
		runtime.Goexit()
	}
	_ = e.do(context.Background(), func() error {
		e.point = at
		return nil
	})
	for hours := 0; ; hours++ {
		select {
		case <-e.stopped:
		case <-time.After(time.Hour):
			if hours == 20 {
				r.t.Fatalf("nothing happens any more: %v, %s", e.failed, r)
			}
			_ = e.do(context.Background(), func() error { return nil }) // all jobs may be over
			continue
		}
		break
	}
	_ = e.journal.Close() // of what nobody looks at any more
	for _, n := range e.nodes {
		if n.link != nil {
			n.link.end(ErrClosed)
		}
	}
	r.config.Dir = dir
	r.open()
}

// timers is a machine whose tasks are timers.
type timers struct {
	*Agent
	rig   *rig
	mu    sync.Mutex
	tasks map[policy.Copy]*timed
}

type timed struct {
	Order
	since   time.Time
	service time.Duration
	timer   *time.Timer // nil: it is suspended
}

func (r *rig) machine(name string, n policy.Node) {
	m := &timers{rig: r, tasks: map[policy.Copy]*timed{}}
	m.Agent = &Agent{Name: name, Node: n, Obey: m.obey, Suspended: m.stands}
	r.machines = append(r.machines, m)
	r.wait.Go(func() { _ = m.Run(r.ctx, m) })
}

// Join joins the engine that there is.
func (m *timers) Join(ctx context.Context, name string, n policy.Node, has ...Report) (Link, error) {
	l, err := m.rig.now().Join(ctx, name, n, has...)
	for _, x := range has {
		m.rig.note(x.Copy, "%s joins with %v, error %v", name, x.Kind, err)
	}
	if err != nil && !errors.Is(err, ErrClosed) && ctx.Err() == nil {
		m.rig.t.Errorf("%s joins: %v", name, err)
	}
	return l, err
}

func (m *timers) stands(c policy.Copy) (policy.Duration, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.tasks[c]; t != nil && t.timer == nil {
		return t.service, true
	}
	return 0, false
}

func (m *timers) obey(o Order) {
	m.rig.note(o.Copy, "%s is to %v", m.Name, o.Do)
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.tasks[o.Copy]
	switch {
	case o.Do == policy.Start:
		t = &timed{Order: o, service: o.Saved}
		m.tasks[o.Copy] = t
		m.run(t, o.Stage.Reload)
	case t == nil:
	case o.Do == policy.Suspend && t.timer != nil:
		t.stop()
		m.say(Report{Copy: o.Copy, Kind: policy.Suspended, Service: t.service})
	case o.Do == policy.Resume && t.timer == nil:
		m.run(t, 0)
	case o.Do == policy.Kill:
		t.stop()
		end := Report{Copy: o.Copy, Kind: policy.Killed, Service: t.service, Saved: t.Saved}
		if o.Save {
			end.Saved = t.service
		}
		m.say(end)
	case o.Do == policy.Report:
		total, _ := m.rig.runs(t.Copy)
		m.say(Report{Copy: o.Copy, Kind: policy.Progress, Service: t.served(), Value: min(1, float64(t.served())/float64(total))})
	}
}

// run lets a copy run, or go on.
func (m *timers) run(t *timed, reload time.Duration) {
	if t.Saved == 0 {
		reload = 0
	}
	total, err := m.rig.runs(t.Copy)
	t.since = time.Now().Add(reload)
	t.timer = time.AfterFunc(reload+max(0, total-t.service), func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.tasks[t.Copy] != t || t.timer == nil {
			return
		}
		t.stop()
		end := Report{Copy: t.Copy, Kind: policy.Finished, Service: t.service}
		if err != nil {
			end.Kind, end.Saved, end.Reason = policy.Failed, t.Saved, err.Error()
		} else if t.Gang == nil { // a gang may end here before it is lost elsewhere
			m.rig.mu.Lock()
			m.rig.done[t.Copy.Task]++
			m.rig.mu.Unlock()
		}
		m.say(end)
	})
}

func (t *timed) served() time.Duration {
	if t.timer == nil {
		return t.service
	}
	return t.service + max(0, time.Since(t.since))
}

func (t *timed) stop() {
	t.service = t.served()
	if t.timer != nil {
		t.timer.Stop()
	}
	t.timer = nil
}

func (m *timers) say(x Report) {
	if x.Kind.End() {
		delete(m.tasks, x.Copy)
	}
	m.rig.note(x.Copy, "%s reports %v", m.Name, x.Kind)
	m.Report(x)
}

// die loses all that a machine has.
func (m *timers) die() {
	m.mu.Lock()
	for _, t := range m.tasks {
		t.stop()
	}
	clear(m.tasks)
	m.mu.Unlock()
	m.Agent.mu.Lock()
	for _, k := range m.copies {
		if k.end == nil {
			m.open.Done()
		}
	}
	clear(m.copies)
	l := m.link
	m.Agent.mu.Unlock()
	m.rig.mu.Lock()
	m.rig.deaths++
	m.rig.mu.Unlock()
	if l != nil {
		_ = l.Close()
	}
}

// close ends it all.
func (r *rig) close() error {
	err := r.engine.Close()
	r.stop()
	r.wait.Wait()
	return err
}

// String says what has not ended.
func (r *rig) String() string {
	var text strings.Builder
	_ = r.engine.do(context.Background(), func() error {
		for id, j := range r.engine.jobs.All() {
			text.WriteString(fmt.Sprintf("\njob %d: outcome %v, ready %v, asked %d, copies", id, j.outcome, j.ready, j.asked))
			for i := range j.stages {
				text.WriteString(fmt.Sprintf(" stage %+v", j.stages[i]))
			}
			for c, x := range j.copies {
				text.WriteString(fmt.Sprintf(" %v on %v killed %v", c, x.seats, x.killed))
			}
		}
		for _, n := range r.engine.sorted() {
			text.WriteString(fmt.Sprintf("\nnode %s: %d cores free, link %v, held %v, blocks %v", n.name, n.cores, n.link != nil, n.held, n.blocks))
		}
		text.WriteString(fmt.Sprintf("\npolicy %s, open %v, refused %v, done %v", r.engine.config.Policy, r.engine.ledger.Open(), r.engine.refused, r.engine.checker.Done()))
		return nil
	})
	for _, m := range r.machines {
		text.WriteString(fmt.Sprintf("\n%s has %+v", m.Name, m.has()))
	}
	return text.String()
}
