package pool

import (
	"context"
	"time"
)

// All methods here are called with mu held.

// accept puts a task into the queue of its tenant.
func (p *Pool) accept(t *Task) {
	p.place(t)
	t.state = queued
	t.age = t.tenant.waiting.Push(t)
	p.shares.Join(t.tenant.share)
	p.open++
	t.tenant.open++
}

// watch takes a task out of the queue when its context ends.
func (p *Pool) watch(t *Task) {
	if t.ctx.Done() != nil {
		t.unwatch = context.AfterFunc(t.ctx, func() { p.giveUp(t) })
	}
}

// admit accepts tasks of a tenant that are blocked, while there is room.
func (p *Pool) admit(n *tenant) {
	for n.waiting.Len() < p.config.Queue {
		t, ok := n.blocked.Pop()
		if !ok {
			return
		}
		if t.ctx.Err() == nil {
			p.accept(t)
			p.watch(t)
			close(t.admitted)
		}
	}
}

// take takes a task that waits out of the queue.
func (p *Pool) take(t *Task) {
	t.tenant.waiting.Remove(t.age)
	if t.in != nil {
		t.in.Remove(t.turn)
		t.in = nil
	}
	if t.tenant.known.Len() == 0 {
		t.tenant.owed = 0 // nobody waits for it
	}
	if t.unwatch != nil {
		t.unwatch()
	}
}

// leave takes a task that waits out of the queue. It will not run.
func (p *Pool) leave(t *Task) {
	t.state = leaving
	p.take(t)
	if t.tenant.waiting.Len() == 0 {
		p.shares.Leave(t.tenant.share)
	}
}

// start starts tasks while there are workers for them.
func (p *Pool) start(now time.Time) {
	for t := p.next(now); t != nil; t = p.next(now) {
		go p.work(t)
	}
}

// next takes out the task that is to start; nil if no task waits or no worker is free.
func (p *Pool) next(now time.Time) *Task {
	for p.running < p.config.Workers {
		n, ok := p.shares.Next()
		if !ok {
			p.shares.EndBusyPeriod()
			return nil
		}
		if p.overrun(n, now) {
			continue
		}
		t := p.first(n, now)
		if t.unwatch != nil && t.ctx.Err() != nil {
			return nil // the context is about to call giveUp, which starts the next one
		}
		p.take(t)
		t.state = running
		p.running++
		if t.novel = !t.known; t.novel {
			n.exploring++
		}
		// What a tenant holds makes the next worker go to another one.
		t.held = p.expected(t)
		p.shares.Hold(n.share, t.held)
		t.due = now.Add(seconds(t.held))
		t.turn = n.running.Push(t)
		p.admit(n)
		if n.waiting.Len() == 0 {
			p.shares.Leave(n.share)
		}
		return t
	}
	return nil
}

// overrun doubles what a tenant holds for each of its tasks that has run for longer than that. It reports whether there
// are any, since the turn of the tenant may have passed then.
func (p *Pool) overrun(n *tenant, now time.Time) (some bool) {
	for {
		t, ok := n.running.Peek()
		if !ok || now.Before(t.due) {
			return some
		}
		some = true
		p.shares.Hold(n.share, t.held)
		t.due = t.due.Add(seconds(t.held))
		t.held *= 2
		n.running.Fix(t.turn)
	}
}

// expected returns what a task is expected to take, s: if nothing is known of it, what tasks have taken so far.
func (p *Pool) expected(t *Task) float64 {
	switch {
	case t.known:
		return max(t.predicted, minRank)
	case p.count > 0:
		return max(p.served/p.count, minRank)
	}
	return 1
}

// pay charges a tenant with what its task took, s, and takes back its worker.
func (p *Pool) pay(t *Task, took float64, now time.Time) {
	p.running--
	t.tenant.running.Remove(t.turn)
	if t.novel {
		p.explored(t, took, now)
	} else {
		t.tenant.owed -= took
	}
	p.served += took
	p.count++
	p.shares.Charge(t.tenant.share, took)
	p.shares.Hold(t.tenant.share, -t.held)
}

// forget forgets the tenants that have no weight of their own, no tasks, and no debt. None is blocked then: only a full
// queue blocks. It looks when there are twice as many tenants as it has left last.
func (p *Pool) forget() {
	if len(p.tenants) < p.sweep {
		return
	}
	for name, n := range p.tenants {
		if !n.kept && n.open == 0 && p.shares.Settled(n.share) {
			p.shares.Remove(n.share)
			delete(p.tenants, name)
		}
	}
	p.sweep = 2*len(p.tenants) + 50
}
