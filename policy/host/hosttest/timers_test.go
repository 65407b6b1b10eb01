package hosttest

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/host"
)

// timers is a machine whose tasks are timers, with one flaw.
type timers struct {
	flaw string
	runs *atomic.Int64

	mu     sync.Mutex
	copies map[policy.Copy]*timed
	gone   map[policy.Copy]bool // ends that are on disk
	link   host.Link
	wait   sync.WaitGroup
}

type timed struct {
	host.Order
	since   time.Time
	service time.Duration
	stands  bool
	timer   *time.Timer
	end     *host.Report
}

func (m *timers) Run(ctx context.Context, to host.Joiner) error {
	m.copies, m.gone = make(map[policy.Copy]*timed), make(map[policy.Copy]bool)
	alone := time.Now()
	for ctx.Err() == nil {
		has := m.has()
		l, err := to.Join(ctx, "m", policy.Node{Cores: 4}, has...)
		m.mu.Lock()
		for _, x := range has {
			if x.Kind.End() && (err == nil && m.flaw != "Join names what has ended" || m.flaw == "a refused Join loses ends") {
				delete(m.copies, x.Copy)
			}
		}
		if err == nil {
			m.link = l
		}
		m.mu.Unlock()
		if err == nil {
			for {
				o, err := l.Next(ctx)
				if err != nil {
					break
				}
				m.mu.Lock()
				m.obey(o)
				m.mu.Unlock()
			}
			alone = time.Now()
		}
		m.mu.Lock()
		for _, t := range m.copies {
			if t.end == nil && time.Since(alone) > 3*time.Second && m.flaw != "no patience" {
				m.over(t, policy.Killed)
			}
		}
		m.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	m.mu.Lock()
	for _, t := range m.copies {
		if t.end == nil {
			t.timer.Stop()
			if m.flaw != "tasks outlive the machine" {
				m.runs.Add(-1)
			}
		}
	}
	m.mu.Unlock()
	m.wait.Wait()
	return nil
}

func (m *timers) has() (has []host.Report) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.copies {
		x := host.Report{Copy: t.Copy, Kind: policy.Started}
		switch {
		case m.flaw == "Join names nothing":
			continue
		case t.end != nil:
			x = *t.end
		case t.stands && m.flaw != "Join says Started of all":
			x.Kind, x.Service = policy.Suspended, t.service
		}
		has = append(has, x)
	}
	return has
}

func (m *timers) obey(o host.Order) {
	t := m.copies[o.Copy]
	switch {
	case o.Do == policy.Start && (t == nil || m.flaw == "a second Start starts again"):
		m.start(o)
	case o.Do == policy.Kill && (t == nil && m.flaw == "a Kill after the end" || (m.gone[o.Copy] || t != nil && t.end != nil) && m.flaw == "a second Kill is answered"):
		m.say(host.Report{Copy: o.Copy, Kind: policy.Killed, Service: time.Hour})
	case t == nil || t.end != nil:
	case o.Do == policy.Suspend && !t.stands:
		t.service, t.stands = t.served(), true
		t.timer.Stop()
		m.say(host.Report{Copy: o.Copy, Kind: policy.Suspended, Service: t.service})
	case o.Do == policy.Resume && t.stands && m.flaw != "Resume is ignored":
		t.stands = false
		if t.since = time.Now(); m.flaw == "suspended work is service" {
			t.since = t.since.Add(-time.Second)
		}
	case o.Do == policy.Kill && m.flaw != "no answer to a Kill" && !(t.stands && m.flaw == "suspended copies are not killed"):
		if m.over(t, policy.Killed); o.Save {
			switch t.end.Saved = t.service; m.flaw {
			case "saves more than was done":
				t.end.Saved++
			case "saves nothing":
				t.end.Saved = 0
			}
		}
		m.say(*t.end)
	case o.Do == policy.Report:
		x := host.Report{Copy: o.Copy, Kind: policy.Progress, Service: t.served()}
		if m.flaw == "Progress above 1" {
			x.Value = 2
		}
		m.say(x)
	}
}

func (m *timers) start(o host.Order) {
	t := &timed{Order: o, since: time.Now(), service: o.Saved}
	if o.Saved > 0 && m.flaw != "reloading is service" {
		t.since = t.since.Add(o.Stage.Reload)
	}
	m.copies[o.Copy] = t
	m.runs.Add(1)
	runs := map[string]time.Duration{"short": 100 * time.Millisecond, "fails": 50 * time.Millisecond, "long": time.Hour}
	t.timer = time.AfterFunc(runs[string(o.Data)], func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if t.end != nil || t.stands {
			return
		}
		kind := policy.Finished
		if string(o.Data) == "fails" && m.flaw != "failures are Finished" {
			kind = policy.Failed
		}
		m.over(t, kind)
		m.say(*t.end)
	})
}

func (t *timed) served() time.Duration {
	if t.stands {
		return t.service
	}
	return t.service + max(0, time.Since(t.since))
}

// over ends a copy.
func (m *timers) over(t *timed, kind policy.EventKind) {
	t.service = t.served()
	t.timer.Stop()
	m.runs.Add(-1)
	t.end = &host.Report{Copy: t.Copy, Kind: kind, Service: t.service}
	if m.flaw == "Finished has no service" {
		t.end.Service = 0
	}
}

func (m *timers) say(x host.Report) {
	l := m.link
	m.wait.Go(func() {
		err := l.Report(context.Background(), x)
		if m.flaw == "ends are reported twice" {
			err = l.Report(context.Background(), x)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		switch {
		case !x.Kind.End():
		case err == nil:
			m.gone[x.Copy] = true
			if m.flaw != "Join names what has ended" {
				delete(m.copies, x.Copy)
			}
		case m.flaw == "a refused report is gone" || m.flaw == "ends of a lost link are gone":
			delete(m.copies, x.Copy)
		}
	})
}
