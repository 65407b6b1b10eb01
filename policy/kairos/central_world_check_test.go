package kairos

import "fmt"

// check compares the centres with their naive versions and with the truth.
func (w *world) check() error {
	for k, c := range w.centres {
		var queue []int
		if len(w.data)%3 == 0 { // for that changes how the queue is kept
			c.fast.Withdraw(func(task int) bool { queue = append(queue, task); return false })
			for i, t := range c.naive.line {
				if i >= len(queue) || queue[i] != t.task {
					return fmt.Errorf("centre %d: queue is %v, want %v", k, queue, c.naive.line)
				}
			}
		}
		if got, want := c.fast.Pending(), len(c.naive.line); got != want {
			return fmt.Errorf("centre %d: %d tasks pending, want %d", k, got, want)
		}
		known := len(c.naive.line)
		for _, m := range w.machines {
			state, ok := c.fast.Node(m.id)
			n := c.naive.node(m.id)
			if ok != (n != nil) {
				return fmt.Errorf("centre %d: node %d is there: %v, want %v", k, m.id, ok, n != nil)
			}
			if !ok {
				continue
			}
			want := NodeState{
				Cores: n.cores, Tasks: int64(n.tasks()), Sent: n.sent(), Seen: n.report.Seen,
				Others: n.report.Others, Variance: n.report.Variance, Sum: n.report.Sum,
			}
			var open []naiveSent
			for _, s := range n.log {
				if !s.over {
					open = append(open, s)
				}
			}
			want.Held = len(open)
			if state != want {
				return fmt.Errorf("centre %d: node %d is %+v, want %+v", k, m.id, state, want)
			}
			for a := range c.fast.On(m.id) {
				if len(open) == 0 || a != (Assignment[int]{open[0].task, m.id, open[0].number}) {
					return fmt.Errorf("centre %d: node %d has %v, want %v", k, m.id, a, open)
				}
				open = open[1:]
				known++
			}
			if len(open) > 0 {
				return fmt.Errorf("centre %d: node %d does not have %v", k, m.id, open)
			}
		}
		// Each task is in the queue, with a node, or done, and in one of these.
		if known+len(c.done) != len(c.own) {
			return fmt.Errorf("centre %d: %d tasks wait or are with nodes and %d are done, of %d", k, known, len(c.done), len(c.own))
		}
	}
	return w.checkTruth()
}

// checkTruth returns an error if a machine has too many tasks, those on their way among them.
func (w *world) checkTruth() error {
	for _, m := range w.machines {
		n := len(m.on)
		if len(w.centres) == 1 {
			for _, p := range m.inbox {
				if m.there && p.life == m.life && p.task >= 0 {
					n++
				}
			}
		}
		if n > m.cores+w.queue {
			return fmt.Errorf("node %d of %d cores has %d tasks with Q = %d", m.id, m.cores, n, w.queue)
		}
	}
	if len(w.centres) == 1 && w.stats.refused > 0 {
		return fmt.Errorf("the only centre has overfilled a node")
	}
	return nil
}

// finish lets all messages arrive and all tasks end. All must have been done then.
func (w *world) finish() error {
	w.data = nil // the first of everything, from now on
	for i, m := range w.machines {
		if !m.there {
			w.join(i)
		}
	}
	for rounds := 0; ; rounds++ {
		open := 0
		for _, c := range w.centres {
			open += len(c.own) - len(c.done)
		}
		if open == 0 {
			return nil
		}
		if rounds > 2*w.tasks {
			return fmt.Errorf("%d tasks are not done", open)
		}
		for k, c := range w.centres {
			for i := range w.machines {
				for len(c.news[i]) > 0 {
					if err := w.learn(k, i); err != nil {
						return err
					}
				}
			}
			for len(c.mail) > 0 {
				l := c.mail[0]
				c.mail = c.mail[1:]
				if err := w.deliver(k, l); err != nil {
					return err
				}
			}
			if err := w.next(k); err != nil {
				return err
			}
		}
		for i, m := range w.machines {
			for len(m.inbox) > 0 {
				w.receive(i)
			}
			if err := w.checkTruth(); err != nil {
				return err
			}
			for len(m.on) > 0 {
				w.end(m, 0)
			}
			w.beat(i)
		}
		if err := w.check(); err != nil {
			return err
		}
	}
}
