package kairos

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

// A world is a few machines, one or two centres, and a network in between that does what it
// likes. It holds each centre to its naive version, and both to the truth. What happens
// is told by bytes.
type world struct {
	data     []byte
	queue    int
	centres  []*centreTrial
	machines []*machine
	tasks    int // submitted so far

	stats stats
}

// stats say how often what a script should reach was reached.
type stats struct {
	sent, full, taken, stale, lost, late, returned, rejoined, greeted, refused int
}

type centreTrial struct {
	fast  *Central[int]
	naive naiveCentral
	mail  []mail       // to the centre, to come in any order
	news  [][]mail     // joinings and leavings, by machine, in order
	lives []int        // of machines, as the centre knows
	sends map[int]int  // by task
	lost  map[int]int  // how often it came back
	done  map[int]bool // the centre has heard of its end
	own   map[int]bool // submitted here
}

type mail struct {
	kind   int // mailReport ...
	report Report
	node   policy.NodeID
	number uint64
	cores  int
	task   int
}

const (
	mailReport = iota
	mailEnded
	mailRefused
	mailJoined
	mailLeft
)

type machine struct {
	id    policy.NodeID
	cores int
	there bool
	life  int
	beats uint64
	inbox []parcel
	seen  []uint64 // by centre
	on    []parcel
}

type parcel struct {
	centre, life int
	number       uint64
	task         int // -1: a greeting
}

func newWorld(data []byte) (*world, error) {
	w := &world{data: data}
	w.queue = w.pick(4)
	tie := Tie(w.pick(3))
	for range 1 + w.pick(2) {
		fast, err := NewCentral[int](CentralConfig{Queue: w.queue, Tie: tie, Src: rand.NewPCG(1, 2)})
		if err != nil {
			return nil, err
		}
		w.centres = append(w.centres, &centreTrial{
			fast: fast, naive: naiveCentral{queue: w.queue, tie: tie},
			sends: map[int]int{}, lost: map[int]int{}, done: map[int]bool{}, own: map[int]bool{},
		})
	}
	for i := range 1 + w.pick(5) {
		w.machines = append(w.machines, &machine{id: policy.NodeID(1 + i*(1+w.pick(3))), seen: make([]uint64, len(w.centres))})
	}
	slices.SortFunc(w.machines, func(a, b *machine) int { return int(a.id) - int(b.id) })
	w.machines = slices.CompactFunc(w.machines, func(a, b *machine) bool { return a.id == b.id })
	for _, c := range w.centres {
		c.news, c.lives = make([][]mail, len(w.machines)), make([]int, len(w.machines))
	}
	return w, nil
}

// pick returns one of n numbers.
func (w *world) pick(n int) int {
	if len(w.data) == 0 {
		return 0
	}
	b := w.data[0]
	w.data = w.data[1:]
	return int(b) % n
}

// run carries out the script and then lets all come to an end.
func (w *world) run() error {
	for step := 0; len(w.data) > 0; step++ {
		if err := w.step(); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
		if err := w.check(); err != nil {
			return fmt.Errorf("after step %d: %w", step, err)
		}
	}
	if err := w.finish(); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	return nil
}

func (w *world) step() error {
	k := w.pick(len(w.centres))
	c := w.centres[k]
	i := w.pick(len(w.machines))
	m := w.machines[i]
	switch w.pick(16) {
	case 0, 1:
		for range 1 + w.pick(4) {
			c.fast.Submit(w.tasks)
			c.naive.submit(w.tasks)
			c.own[w.tasks] = true
			w.tasks++
		}
	case 2, 3:
		return w.next(k)
	case 4:
		return w.assign(k)
	case 5, 6, 7:
		w.receive(i)
	case 8, 9:
		if len(m.on) > 0 {
			w.end(m, w.pick(len(m.on)))
		}
	case 10:
		w.beat(i)
	case 11, 12, 13:
		if len(c.mail) > 0 {
			at := w.pick(len(c.mail))
			letter := c.mail[at]
			if w.pick(8) > 0 { // else it comes once more
				c.mail = slices.Delete(c.mail, at, at+1)
			}
			return w.deliver(k, letter)
		}
	case 14:
		return w.learn(k, i)
	case 15:
		if m.there && w.pick(4) == 0 {
			w.crash(i)
		} else if !m.there {
			w.join(i)
		}
	}
	return nil
}

// next lets a centre send until it has no more to send, or nowhere.
func (w *world) next(k int) error {
	c := w.centres[k]
	for {
		candidates := c.naive.candidates()
		a, ok := c.fast.Next()
		if want := len(candidates) > 0 && len(c.naive.line) > 0; ok != want {
			return fmt.Errorf("Next = %v, want %v", ok, want)
		}
		if !ok {
			if len(c.naive.line) > 0 {
				w.stats.full++
			}
			return nil
		}
		t := c.naive.line[0]
		c.naive.line = c.naive.line[1:]
		if err := w.sent(k, a, t, candidates); err != nil {
			return fmt.Errorf("Next: %w", err)
		}
	}
}

func (w *world) assign(k int) error {
	c := w.centres[k]
	candidates := c.naive.candidates()
	a, ok := c.fast.give(w.tasks)
	if ok != (len(candidates) > 0) {
		return fmt.Errorf("give = %v with candidates %v", ok, candidates)
	}
	if !ok {
		return nil
	}
	c.naive.turns++
	t := naiveTurn{w.tasks, c.naive.turns}
	c.own[w.tasks] = true
	w.tasks++
	if err := w.sent(k, a, t, candidates); err != nil {
		return fmt.Errorf("Assign: %w", err)
	}
	return nil
}

// sent takes note of an assignment.
func (w *world) sent(k int, a Assignment[int], t naiveTurn, candidates []policy.NodeID) error {
	c := w.centres[k]
	if !slices.Contains(candidates, a.Node) {
		return fmt.Errorf("task %d goes to node %d, want one of %v", a.Task, a.Node, candidates)
	}
	number := c.naive.send(c.naive.node(a.Node), t)
	if a.Task != t.task || a.Number != number {
		return fmt.Errorf("node %d gets task %d as %d, want %d as %d", a.Node, a.Task, a.Number, t.task, number)
	}
	w.stats.sent++
	c.sends[a.Task]++
	if c.done[a.Task] {
		return fmt.Errorf("task %d is sent again when its end has been heard", a.Task)
	}
	if c.sends[a.Task] > 1+c.lost[a.Task] {
		return fmt.Errorf("task %d is sent %d times, and came back %d times", a.Task, c.sends[a.Task], c.lost[a.Task])
	}
	i := w.index(a.Node)
	w.machines[i].inbox = append(w.machines[i].inbox, parcel{k, c.lives[i], a.Number, a.Task})
	return nil
}

func (w *world) index(id policy.NodeID) int {
	return slices.IndexFunc(w.machines, func(m *machine) bool { return m.id == id })
}

// receive lets a machine read the next message to it.
func (w *world) receive(i int) {
	m := w.machines[i]
	if len(m.inbox) == 0 {
		return
	}
	p := m.inbox[0]
	m.inbox = m.inbox[1:]
	if !m.there || p.life != m.life {
		return // it was meant for the one before
	}
	m.seen[p.centre] = p.number
	switch {
	case p.task < 0:
		w.stats.greeted++
	case len(m.on) == m.cores+w.queue: // other centres have filled it
		w.stats.refused++
		c := w.centres[p.centre]
		c.mail = append(c.mail, mail{kind: mailRefused, node: m.id, number: p.number, task: p.task})
	default:
		m.on = append(m.on, p)
	}
}

// end lets a task on a machine end.
func (w *world) end(m *machine, at int) {
	p := m.on[at]
	m.on = slices.Delete(m.on, at, at+1)
	c := w.centres[p.centre]
	c.mail = append(c.mail, mail{kind: mailEnded, node: m.id, number: p.number, task: p.task})
}

// beat lets a machine send a heartbeat to all centres, or to some.
func (w *world) beat(i int) {
	m := w.machines[i]
	if !m.there {
		return
	}
	m.beats++
	variance, sum := float64(w.pick(4)), float64(w.pick(4))
	for k, c := range w.centres {
		r := Report{Node: m.id, Number: m.beats, Seen: m.seen[k], Tasks: len(m.on), Variance: variance, Sum: sum}
		for _, p := range m.on {
			if p.centre != k {
				r.Others++
			}
		}
		if w.pick(5) < 4 { // else it is lost
			c.mail = append(c.mail, mail{kind: mailReport, report: r})
		}
	}
}

func (w *world) crash(i int) {
	m := w.machines[i]
	m.there = false
	m.on = nil
	for _, c := range w.centres {
		c.news[i] = append(c.news[i], mail{kind: mailLeft, node: m.id})
	}
}

func (w *world) join(i int) {
	m := w.machines[i]
	m.there = true
	m.life++
	m.cores = 1 + w.pick(3)
	m.beats = 0
	clear(m.seen)
	for _, c := range w.centres {
		c.news[i] = append(c.news[i], mail{kind: mailJoined, node: m.id, cores: m.cores})
	}
}

// learn lets a centre hear the next of what it has not heard of a machine's coming and going.
func (w *world) learn(k, i int) error {
	c := w.centres[k]
	if len(c.news[i]) == 0 {
		return nil
	}
	letter := c.news[i][0]
	c.news[i] = c.news[i][1:]
	return w.deliver(k, letter)
}

func (w *world) deliver(k int, l mail) error {
	c := w.centres[k]
	switch l.kind {
	case mailReport:
		got, err := c.fast.Heartbeat(l.report)
		want := c.naive.heartbeat(l.report)
		if got != want || err != nil {
			return fmt.Errorf("Heartbeat(%+v) = %v, %v, want %v", l.report, got, err, want)
		}
		if got {
			w.stats.taken++
		} else {
			w.stats.stale++
		}
	case mailEnded, mailRefused:
		got, err := c.fast.Ended(l.node, l.number)
		t, want := c.naive.ended(l.node, l.number)
		if got != want || err != nil {
			return fmt.Errorf("assignment %d of node %d is over: %v, %v, want %v", l.number, l.node, got, err, want)
		}
		switch {
		case !got:
			w.stats.late++
		case t.task != l.task:
			return fmt.Errorf("assignment %d of node %d was of task %d, want %d", l.number, l.node, t.task, l.task)
		case l.kind == mailRefused:
			c.naive.submit(t.task)
			c.fast.Submit(t.task)
			c.lost[t.task]++
			w.stats.returned++
		default:
			c.done[t.task] = true
		}
	case mailJoined:
		c.naive.joined(l.node, l.cores)
		if err := c.fast.Joined(l.node, l.cores); err != nil {
			return err
		}
		i := w.index(l.node)
		c.lives[i]++
		if c.lives[i] > 1 {
			w.stats.rejoined++
		}
		if w.pick(2) == 0 {
			_, sent, _ := c.fast.Node(l.node)
			m := w.machines[i]
			m.inbox = append(m.inbox, parcel{k, c.lives[i], sent, -1})
		}
	case mailLeft:
		for _, task := range c.naive.left(l.node) {
			c.lost[task]++
			w.stats.lost++
		}
		if err := c.fast.Left(l.node); err != nil {
			return err
		}
	}
	return nil
}

// check compares the centres with their naive versions and with the truth.
func (w *world) check() error {
	for k, c := range w.centres {
		queue := slices.SortedFunc(c.fast.line.All(), func(a, b turn[int]) int { return cmp.Compare(a.at, b.at) })
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
