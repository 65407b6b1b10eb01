package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/lines"
)

// byLine makes a policy of its line.
func byLine(line string) (policy.Scheduler, error) { return lines.New(line, lines.Setting{Seed: 1}) }

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
	over     bool
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
	select {
	case <-e.stopped:
	case <-time.After(10 * time.Hour):
		r.t.Fatalf("nothing happens any more: %v, %s", e.failed, r)
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

// timers is a machine.
type timers struct {
	rig  *rig
	name string
	node policy.Node

	mu     sync.Mutex
	copies map[policy.Copy]*timed
	link   Link
}

type timed struct {
	Order
	since   time.Time
	service time.Duration
	timer   *time.Timer // nil: it is suspended
	end     *Report     // not on disk yet
}

func (r *rig) machine(name string, n policy.Node) *timers {
	m := &timers{rig: r, name: name, node: n, copies: map[policy.Copy]*timed{}}
	r.machines = append(r.machines, m)
	r.wait.Go(m.live)
	return m
}

// live joins again and again, and carries out orders.
func (m *timers) live() {
	for {
		e := m.rig.now()
		m.mu.Lock()
		var has []Report
		for _, c := range slices.SortedFunc(maps.Keys(m.copies), compare) {
			has = append(has, m.copies[c].state())
		}
		m.mu.Unlock()
		l, err := e.Join(context.Background(), m.name, m.node, has...)
		for _, x := range has {
			m.rig.note(x.Copy, "%s joins with %v, error %v", m.name, x.Kind, err)
		}
		if err == nil {
			m.mu.Lock()
			for _, x := range has {
				if c := m.copies[x.Copy]; c != nil && c.end != nil && x.Kind.End() {
					delete(m.copies, x.Copy)
				}
			}
			m.link = l
			for _, c := range m.copies {
				if c.end != nil { // meanwhile
					go m.say(l, *c.end)
				}
			}
			m.mu.Unlock()
			for {
				o, err := l.Next(context.Background())
				if err != nil {
					break
				}
				m.obey(o)
			}
		}
		m.rig.mu.Lock()
		over := m.rig.over
		m.rig.mu.Unlock()
		if err != nil && !errors.Is(err, ErrClosed) {
			m.rig.t.Errorf("%s joins: %v", m.name, err)
			return
		}
		if over {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *timed) state() Report {
	switch {
	case c.end != nil:
		return *c.end
	case c.timer == nil:
		return Report{Copy: c.Copy, Kind: policy.Suspended, Service: c.service}
	}
	return Report{Copy: c.Copy, Kind: policy.Started}
}

func (m *timers) obey(o Order) {
	m.rig.note(o.Copy, "%s is to %v", m.name, o.Do)
	m.mu.Lock()
	c := m.copies[o.Copy]
	var say *Report
	switch {
	case o.Do == policy.Start && c == nil:
		c = &timed{Order: o, service: o.Saved}
		m.copies[o.Copy] = c
		m.run(c, o.Stage.Reload)
	case c == nil || c.end != nil:
	case o.Do == policy.Suspend && c.timer != nil:
		c.stop()
		say = &Report{Copy: o.Copy, Kind: policy.Suspended, Service: c.service}
	case o.Do == policy.Resume && c.timer == nil:
		m.run(c, 0)
	case o.Do == policy.Kill:
		c.stop()
		c.end = &Report{Copy: o.Copy, Kind: policy.Killed, Service: c.service, Saved: c.Saved}
		if o.Save {
			c.end.Saved = c.service
		}
		say = c.end
	case o.Do == policy.Report:
		total, _ := m.rig.runs(c.Copy)
		say = &Report{Copy: o.Copy, Kind: policy.Progress, Service: c.served(), Value: min(1, float64(c.served())/float64(total))}
	}
	l := m.link
	m.mu.Unlock()
	if say != nil {
		m.say(l, *say)
	}
}

// run lets a copy run, or go on.
func (m *timers) run(c *timed, reload time.Duration) {
	if c.Saved == 0 {
		reload = 0
	}
	total, err := m.rig.runs(c.Copy)
	c.since = time.Now().Add(reload)
	c.timer = time.AfterFunc(reload+max(0, total-c.service), func() {
		m.mu.Lock()
		if m.copies[c.Copy] != c || c.timer == nil || c.end != nil {
			m.mu.Unlock()
			return
		}
		c.stop()
		c.end = &Report{Copy: c.Copy, Kind: policy.Finished, Service: c.service}
		if err != nil {
			c.end.Kind, c.end.Saved, c.end.Reason = policy.Failed, c.Saved, err.Error()
		} else if c.Gang == nil || c.Gang[0].Node == c.Node {
			m.rig.mu.Lock()
			m.rig.done[c.Copy.Task]++
			m.rig.mu.Unlock()
		}
		l, say := m.link, *c.end
		m.mu.Unlock()
		m.say(l, say)
	})
}

func (c *timed) served() time.Duration {
	if c.timer == nil {
		return c.service
	}
	return c.service + max(0, time.Since(c.since))
}

func (c *timed) stop() {
	c.service = c.served()
	if c.timer != nil {
		c.timer.Stop()
	}
	c.timer = nil
}

// say reports, and forgets an end that is on disk.
func (m *timers) say(l Link, x Report) {
	err := l.Report(context.Background(), x)
	m.rig.note(x.Copy, "%s reports %v, error %v", m.name, x.Kind, err)
	if err == nil && x.Kind.End() {
		m.mu.Lock()
		if c := m.copies[x.Copy]; c != nil && c.end != nil {
			delete(m.copies, x.Copy)
		}
		m.mu.Unlock()
	}
}

// die loses all that a machine has.
func (m *timers) die() {
	m.mu.Lock()
	for _, c := range m.copies {
		c.stop()
	}
	m.copies = map[policy.Copy]*timed{}
	l := m.link
	m.mu.Unlock()
	m.rig.mu.Lock()
	m.rig.deaths++
	m.rig.mu.Unlock()
	if l != nil {
		_ = l.Close()
	}
}

// close ends it all.
func (r *rig) close() error {
	r.mu.Lock()
	r.over = true
	r.mu.Unlock()
	err := r.engine.Close()
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
		text.WriteString(fmt.Sprintf("\n%s has", m.name))
		for _, c := range m.copies {
			text.WriteString(fmt.Sprintf(" %+v", c.state()))
		}
	}
	return text.String()
}
