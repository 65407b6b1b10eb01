package kairos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// A naiveCentre is a centre by its definition: it writes down all that happens, and looks through all of it for each
// answer.
type naiveCentre struct {
	queue int
	nodes []*naiveWorker // by ID
	last  uint64
}

type naiveWorker struct {
	id     policy.NodeID
	cores  int
	joined uint64
	log    []naiveSent
	report report // the last; number 0: none
}

type naiveSent struct {
	copy   policy.Copy
	number uint64
	over   bool
}

func (c *naiveCentre) node(id policy.NodeID) *naiveWorker {
	for _, n := range c.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

func (c *naiveCentre) joined(id policy.NodeID, cores int) {
	c.nodes = append(c.nodes, &naiveWorker{id: id, cores: cores, joined: c.last + 1})
	slices.SortFunc(c.nodes, func(a, b *naiveWorker) int { return int(a.id) - int(b.id) })
}

func (c *naiveCentre) left(id policy.NodeID) {
	n := c.node(id)
	c.last = max(c.last, n.sent())
	c.nodes = slices.DeleteFunc(c.nodes, func(m *naiveWorker) bool { return m == n })
}

func (c *naiveCentre) ended(id policy.NodeID, copy policy.Copy) bool {
	if n := c.node(id); n != nil {
		for i := range n.log {
			if s := &n.log[i]; s.copy == copy && !s.over {
				s.over = true
				return true
			}
		}
	}
	return false
}

func (c *naiveCentre) hear(id policy.NodeID, r report) bool {
	n := c.node(id)
	if n == nil || r.seen < n.joined || r.number <= n.report.number {
		return false
	}
	n.report = r
	return true
}

// candidates returns the nodes that have most free places and, of these, the least measure.
func (c *naiveCentre) candidates() (ids []policy.NodeID) {
	var least [2]float64
	for _, n := range c.nodes {
		free := n.cores + c.queue - n.tasks()
		if free <= 0 {
			continue
		}
		key := [2]float64{-float64(free), n.report.tie}
		order := slices.Compare(key[:], least[:])
		if len(ids) == 0 || order < 0 {
			ids, least = ids[:0], key
		} else if order > 0 {
			continue
		}
		ids = append(ids, n.id)
	}
	return ids
}

func (n *naiveWorker) sent() uint64 {
	if len(n.log) == 0 {
		return n.joined
	}
	return n.log[len(n.log)-1].number
}

// open returns the copies whose ends were not heard.
func (n *naiveWorker) open() (copies []policy.Copy) {
	for _, s := range n.log {
		if !s.over {
			copies = append(copies, s.copy)
		}
	}
	return copies
}

// tasks returns the least of what is known to be at least the number of the node's tasks: those whose ends were not
// heard, and those of the report with those sent after it.
func (n *naiveWorker) tasks() int {
	after := 0
	for _, s := range n.log {
		if s.number > n.report.seen {
			after++
		}
	}
	if n.report.number == 0 {
		return len(n.open())
	}
	return min(len(n.open()), int(n.report.tasks)+after)
}

// A world is a few machines, a centre, and a network in between that loses, delays, doubles and reorders what machines
// say of themselves. It holds the centre to its naive version, and both to the truth. What happens is told by bytes.
type world struct {
	data     []byte
	queue    int
	fast     *centre
	naive    naiveCentre
	line     []policy.Copy // tasks that wait at the centre
	mail     []mail        // to the centre, to come in any order
	machines []*machine
	tasks    int // submitted so far
	done     map[policy.Copy]bool
}

// mail says that a task has ended, or how a machine is.
type mail struct {
	node   policy.NodeID
	ended  policy.Copy
	report *report
}

type machine struct {
	id      policy.NodeID
	cores   int
	there   bool
	unheard int // joinings and leavings that the centre has not heard of
	beats   uint64
	inbox   []parcel
	seen    uint64
	on      []policy.Copy
}

type parcel struct {
	number uint64
	copy   policy.Copy // none: a greeting
}

func newWorld(data []byte) *world {
	w := &world{data: data, done: map[policy.Copy]bool{}}
	w.queue = w.pick(4)
	w.fast = newCentre(Config{Queue: w.queue, Src: rand.NewPCG(1, 2)})
	w.naive.queue = w.queue
	for i := range 1 + w.pick(5) {
		w.machines = append(w.machines, &machine{id: policy.NodeID(1 + 3*i)})
	}
	return w
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
	m := w.machines[w.pick(len(w.machines))]
	switch w.pick(16) {
	case 0, 1:
		for range 1 + w.pick(4) {
			w.tasks++
			w.line = append(w.line, policy.Copy{Task: policy.Task{Job: policy.JobID(w.tasks)}})
		}
	case 2, 3, 4:
		return w.send()
	case 5, 6, 7:
		w.receive(m)
	case 8, 9:
		if len(m.on) > 0 {
			w.end(m, w.pick(len(m.on)))
		}
	case 10:
		if m.there {
			w.beat(m)
		}
	case 11, 12, 13:
		if len(w.mail) > 0 {
			at := w.pick(len(w.mail))
			l := w.mail[at]
			if w.pick(8) > 0 { // else it comes once more
				w.mail = slices.Delete(w.mail, at, at+1)
			}
			return w.deliver(l)
		}
	case 14:
		w.learn(m)
	case 15:
		if !m.there || w.pick(4) == 0 {
			w.toggle(m)
		}
	}
	return nil
}

// toggle lets a machine join or crash.
func (w *world) toggle(m *machine) {
	*m = machine{id: m.id, there: !m.there, unheard: m.unheard + 1}
	if m.there {
		m.cores = 1 + int(m.id)%3
	}
}

// learn lets the centre hear the next of a machine's comings and goings.
func (w *world) learn(m *machine) {
	if m.unheard == 0 {
		return
	}
	m.unheard--
	if n := w.naive.node(m.id); n != nil {
		w.line = append(w.line, n.open()...)
		w.naive.left(m.id)
		w.fast.left(m.id)
		return
	}
	cores := 1 + int(m.id)%3
	w.naive.joined(m.id, cores)
	w.fast.joined(&policy.Node{ID: m.id, Cores: int32(cores)})
	w.post(m, parcel{number: w.naive.node(m.id).joined})
}

// post sends something to a machine, if the centre knows which of its lives it is in; else that gets lost.
func (w *world) post(m *machine, p parcel) {
	if m.unheard == 0 {
		m.inbox = append(m.inbox, p)
	}
}

// send lets the centre send until it has no more to send, or nowhere.
func (w *world) send() error {
	for len(w.line) > 0 {
		candidates := w.naive.candidates()
		id, ok := w.fast.order.next()
		if ok != (len(candidates) > 0) || ok && !slices.Contains(candidates, id) {
			return fmt.Errorf("the next task goes to node %d, %v, want one of %v", id, ok, candidates)
		}
		if !ok {
			return nil
		}
		copy := w.line[0]
		w.line = w.line[1:]
		n := w.naive.node(id)
		number := n.sent() + 1
		n.log = append(n.log, naiveSent{copy: copy, number: number})
		if got := w.fast.send(id, copy, 0); got != number {
			return fmt.Errorf("assignment %d of node %d, want %d", got, id, number)
		}
		w.post(w.machines[int(id)/3], parcel{number, copy})
	}
	return nil
}

// receive lets a machine read the next message to it.
func (w *world) receive(m *machine) {
	if len(m.inbox) == 0 || !m.there {
		return
	}
	p := m.inbox[0]
	m.inbox = m.inbox[1:]
	if m.seen = p.number; p.copy != (policy.Copy{}) {
		m.on = append(m.on, p.copy)
	}
}

// end lets a task on a machine end.
func (w *world) end(m *machine, at int) {
	w.mail = append(w.mail, mail{node: m.id, ended: m.on[at]})
	m.on = slices.Delete(m.on, at, at+1)
}

// beat lets a machine say how it is.
func (w *world) beat(m *machine) {
	m.beats++
	r := &report{number: m.beats, seen: m.seen, tasks: uint64(len(m.on)), tie: float64(w.pick(4))}
	if w.pick(5) < 4 { // else it is lost
		w.mail = append(w.mail, mail{node: m.id, report: r})
	}
}

func (w *world) deliver(l mail) error {
	if l.report != nil {
		got, want := w.fast.hear(l.node, *l.report), w.naive.hear(l.node, *l.report)
		if got != want {
			return fmt.Errorf("%+v is taken: %v, want %v", *l.report, got, want)
		}
		return nil
	}
	got, want := w.fast.release(l.node, l.ended), w.naive.ended(l.node, l.ended)
	if got != want {
		return fmt.Errorf("%v of node %d is over: %v, want %v", l.ended, l.node, got, want)
	}
	switch {
	case !got:
	case w.done[l.ended]:
		return fmt.Errorf("%v is done twice", l.ended)
	default:
		w.done[l.ended] = true
	}
	return nil
}

// check compares the centre with its naive version and with the truth.
func (w *world) check() error {
	known := len(w.line)
	for _, m := range w.machines {
		n, f := w.naive.node(m.id), w.fast.workers.Get(m.id)
		if (n != nil) != (f != nil) {
			return fmt.Errorf("node %d is there: %v, want %v", m.id, f != nil, n != nil)
		}
		if n == nil {
			continue
		}
		var held []policy.Copy
		for _, h := range f.held {
			held = append(held, h.copy)
		}
		if f.tasks() != int64(n.tasks()) || f.sent != n.sent() || !slices.Equal(held, n.open()) {
			return fmt.Errorf("node %d has %d tasks, was sent %d and holds %v, want %d, %d and %v", m.id, f.tasks(), f.sent, held, n.tasks(), n.sent(), n.open())
		}
		known += len(held)
		sent := len(m.on)
		for _, p := range m.inbox {
			if p.copy != (policy.Copy{}) {
				sent++
			}
		}
		if m.there && sent > m.cores+w.queue {
			return fmt.Errorf("node %d of %d cores has %d tasks with Q = %d", m.id, m.cores, sent, w.queue)
		}
	}
	if known+len(w.done) != w.tasks {
		return fmt.Errorf("%d tasks wait or are with nodes and %d are done, of %d", known, len(w.done), w.tasks)
	}
	return nil
}

// finish lets all messages arrive and all tasks end. All must have been done then.
func (w *world) finish() error {
	w.data = nil // the first of everything, from now on
	for _, m := range w.machines {
		if !m.there {
			w.toggle(m)
		}
	}
	for rounds := 0; len(w.done) < w.tasks; rounds++ {
		if rounds > 2*w.tasks+2 {
			return fmt.Errorf("%d tasks are not done", w.tasks-len(w.done))
		}
		for _, m := range w.machines {
			for m.unheard > 0 {
				w.learn(m)
			}
		}
		for ; len(w.mail) > 0; w.mail = w.mail[1:] {
			if err := w.deliver(w.mail[0]); err != nil {
				return err
			}
		}
		if err := w.send(); err != nil {
			return err
		}
		for _, m := range w.machines {
			for len(m.inbox) > 0 {
				w.receive(m)
			}
			for len(m.on) > 0 {
				w.end(m, 0)
			}
			w.beat(m)
		}
		if err := w.check(); err != nil {
			return err
		}
	}
	return nil
}

func worldOf(seed uint64, steps int) []byte {
	rng := rand.New(rand.NewPCG(seed, 3))
	data := make([]byte, steps)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	return data
}

// The centre is as its naive version under such a network, with nodes that leave and come back.
func FuzzCentre(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(worldOf(seed, 100+int(seed*seed%1500)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := newWorld(data[:min(len(data), 2000)]).run(); err != nil {
			t.Fatal(err)
		}
	})
}

// All nodes with as few tasks are equally likely, whether they have just become so or long ago. Here 9 of 10 nodes are
// idle at each draw, and one of them has become so just before.
func TestCentreDrawsEvenly(t *testing.T) {
	c := newCentre(Config{Queue: 1, Src: rand.NewPCG(5, 6)})
	for id := policy.NodeID(1); id <= 10; id++ {
		c.joined(&policy.Node{ID: id, Cores: 1})
	}
	busy, _ := c.order.next()
	c.send(busy, policy.Copy{}, 0)
	const rounds = 90_000
	var count [11]int
	recent, before := 0, policy.NodeID(0)
	for range rounds {
		node, _ := c.order.next()
		c.send(node, policy.Copy{}, 0)
		if node == busy {
			t.Fatalf("node %d, with another one idle", node)
		}
		if count[node]++; node == before {
			recent++
		}
		c.release(busy, policy.Copy{})
		before, busy = busy, node
	}
	// Five standard deviations: sqrt(90,000 * 1/10 * 9/10) = 90, sqrt(90,000 * 1/9 * 8/9) = 94.
	for id := 1; id <= 10; id++ {
		if off := count[id] - rounds/10; max(off, -off) > 450 {
			t.Errorf("node %d is drawn %d times, want about %d", id, count[id], rounds/10)
		}
	}
	if off := recent - rounds/9; max(off, -off) > 470 {
		t.Errorf("the node that has just become idle is drawn %d times, want about %d", recent, rounds/9)
	}
}

func BenchmarkCentre(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			_, round := steadyCentre(n)
			b.ReportAllocs()
			for b.Loop() {
				round()
			}
		})
	}
}

// steadyCentre returns a centre whose nodes of one core have two or three tasks each, and what happens to one task.
func steadyCentre(n int) (c *centre, round func()) {
	c = newCentre(Config{Queue: 2, Src: rand.NewPCG(1, 2)})
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	for id := range n {
		c.joined(&policy.Node{ID: policy.NodeID(id + 1), Cores: 1})
	}
	send := func() {
		node, _ := c.order.next()
		c.send(node, policy.Copy{}, 0)
	}
	for range 5 * n / 2 {
		send()
	}
	number := uint64(0)
	return c, func() {
		id := policy.NodeID(1 + rng.IntN(n))
		if c.release(id, policy.Copy{}) {
			send()
		}
		number++
		w := c.workers.Get(id)
		c.hear(id, report{number: number, seen: w.sent, tasks: uint64(len(w.held)), tie: 1e4 * rng.ExpFloat64()})
	}
}
