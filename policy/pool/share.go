package pool

import "context"

// All methods here are called with mu held.

// accept puts a task into the queue of its tenant.
func (p *Pool) accept(t *Task) {
	p.place(t)
	t.state = queued
	t.handle = t.tenant.waiting.Push(t)
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

// leave takes a task that waits out of the queue. It will not run.
func (p *Pool) leave(t *Task) {
	t.state = leaving
	t.tenant.waiting.Remove(t.handle)
	if t.unwatch != nil {
		t.unwatch()
	}
	if t.tenant.waiting.Len() == 0 {
		p.shares.Leave(t.tenant.share)
	}
}

// start starts tasks while there are workers for them.
func (p *Pool) start() {
	for t := p.next(); t != nil; t = p.next() {
		go p.work(t)
	}
}

// next takes out the task that is to start; nil if no task waits or no worker is free.
func (p *Pool) next() *Task {
	for p.running < p.config.Workers {
		n, ok := p.shares.Next()
		if !ok {
			return nil
		}
		t, _ := n.waiting.Peek()
		if t.unwatch != nil && t.ctx.Err() != nil {
			return nil // the context is about to call giveUp, which starts the next one
		}
		if p.review(t) {
			p.place(t)
			n.waiting.Fix(t.handle)
			continue
		}
		n.waiting.Pop()
		if t.unwatch != nil {
			t.unwatch()
		}
		t.state = running
		p.running++
		// What a tenant holds makes the next worker go to another one.
		t.held = p.expected(t)
		p.shares.Hold(n.share, t.held)
		p.admit(n)
		if n.waiting.Len() == 0 {
			p.shares.Leave(n.share)
		}
		return t
	}
	return nil
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
func (p *Pool) pay(t *Task, took float64) {
	p.running--
	p.served += took
	p.count++
	p.shares.Charge(t.tenant.share, took)
	p.shares.Hold(t.tenant.share, -t.held)
}

// forget forgets a tenant that has no weight of its own and no tasks. None is blocked then: only a full queue blocks.
func (p *Pool) forget(n *tenant) {
	if !n.kept && n.open == 0 {
		p.shares.Remove(n.share)
		delete(p.tenants, n.name)
	}
}
