package kairos

import (
	"cmp"
	"fmt"
	"slices"
)

// check compares the centres with their naive versions and with the truth.
func (w *world) check() error {
	for k, c := range w.centres {
		queue := slices.Clone(c.fast.line.fresh[c.fast.line.first:])
		queue = slices.AppendSeq(queue, c.fast.line.back.All())
		slices.SortFunc(queue, func(a, b turn[int]) int { return cmp.Compare(a.at, b.at) })
		if !slices.EqualFunc(queue, c.naive.line, func(a turn[int], b naiveTurn) bool { return a.task == b.task }) {
			return fmt.Errorf("centre %d: queue is %v, want %v", k, queue, c.naive.line)
		}
		if got, want := c.fast.Pending(), len(c.naive.line); got != want {
			return fmt.Errorf("centre %d: %d tasks pending, want %d", k, got, want)
		}
		known := len(c.naive.line)
		for _, m := range w.machines {
			tasks, sent, ok := c.fast.Node(m.id)
			n := c.naive.node(m.id)
			if ok != (n != nil) {
				return fmt.Errorf("centre %d: node %d is there: %v, want %v", k, m.id, ok, n != nil)
			}
			if !ok {
				continue
			}
			if tasks != int64(n.tasks()) || sent != n.sent() {
				return fmt.Errorf("centre %d: node %d has %d tasks and was sent %d, want %d and %d", k, m.id, tasks, sent, n.tasks(), n.sent())
			}
			f := c.fast.workers.Get(m.id)
			heard := Report{Node: m.id, Number: f.number, Seen: f.seen, Tasks: n.report.Tasks, Others: f.others, Variance: f.variance, Sum: f.sum}
			if want := n.report; want.Number > 0 && heard != want {
				return fmt.Errorf("centre %d: node %d said %+v, want %+v", k, m.id, heard, want)
			}
			var open []naiveSent
			for _, s := range n.log {
				if !s.over {
					open = append(open, s)
				}
			}
			for a := range c.fast.on(m.id) {
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
