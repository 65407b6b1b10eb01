package kairos

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

func newCentral(c CentralConfig) *Central[int] {
	return jobtest.Must(NewCentral[int](c))
}

// must fails the test if err is not nil.
func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Hundreds of scripts under a network that loses, delays, doubles and reorders, with nodes
// that leave and come back, and one centre or two.
func centralAgainstNaive(t *testing.T) {
	const scripts = 400
	var sum stats
	for seed := range uint64(scripts) {
		rng := rand.New(rand.NewPCG(seed, 3))
		data := make([]byte, 100+rng.IntN(1500))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		w, err := newWorld(data)
		must(t, err)
		if err := w.run(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, n := range []struct{ to, of *int }{
			{&sum.sent, &w.stats.sent}, {&sum.full, &w.stats.full}, {&sum.taken, &w.stats.taken},
			{&sum.stale, &w.stats.stale}, {&sum.lost, &w.stats.lost}, {&sum.late, &w.stats.late},
			{&sum.returned, &w.stats.returned}, {&sum.rejoined, &w.stats.rejoined},
			{&sum.greeted, &w.stats.greeted}, {&sum.refused, &w.stats.refused},
		} {
			*n.to += *n.of
		}
	}
	// The scripts must go where it is hard.
	for name, n := range map[string]int{
		"sent": sum.sent, "full": sum.full, "taken": sum.taken, "stale": sum.stale, "lost": sum.lost,
		"late": sum.late, "returned": sum.returned, "rejoined": sum.rejoined, "greeted": sum.greeted, "refused": sum.refused,
	} {
		if n < scripts/4 {
			t.Errorf("%s: only %d times in %d scripts", name, n, scripts)
		}
	}
}

func FuzzCentral(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 4))
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := newWorld(data[:min(len(data), 1000)])
		must(t, err)
		if err := w.run(); err != nil {
			t.Fatal(err)
		}
	})
}

// byID is an order in which the node with the least ID goes first of those that are equal, for tests that say beforehand
// where tasks go.
type byID struct {
	spots map[*spot]bool
}

func (o *byID) set(s *spot, free int32, measure float64) {
	if o.spots == nil {
		o.spots = make(map[*spot]bool)
	}
	s.free, s.measure = free, measure
	o.spots[s] = true
}

func (o *byID) any() bool {
	_, ok := o.next()
	return ok
}

func (o *byID) next() (policy.NodeID, bool) {
	var best *spot
	for s := range o.spots {
		if s.free > 0 && (best == nil || cmp.Or(cmp.Compare(best.free, s.free), cmp.Compare(s.measure, best.measure), cmp.Compare(s.id, best.id)) < 0) {
			best = s
		}
	}
	if best == nil {
		return 0, false
	}
	return best.id, true
}

func centralIsAlgorithm2(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 8))
		cores, queue := 1+rng.IntN(4), rng.IntN(5)
		c, err := NewCentral[string](CentralConfig{Queue: queue})
		must(t, err)
		c.order = new(byID)
		paper := algorithm2{nodes: make([]nodeEntry, 1+rng.IntN(20)), limit: cores + queue}
		for i := range paper.nodes {
			n := nodeEntry{numTasks: rng.IntN(cores + queue + 1)}
			if n.numTasks > 0 {
				n.variance = float64(rng.IntN(10))
			}
			paper.heartbeat(i, n.numTasks, n.variance)
			tell(c, i, cores, n)
		}
		for i := range rng.IntN(40) {
			paper.arrives(fmt.Sprint(i))
			c.Submit(fmt.Sprint(i))
		}
		paper.mainLoop()
		var got []assignment2
		for a, ok := c.Next(); ok; a, ok = c.Next() {
			got = append(got, assignment2{a.Task, int(a.Node) - 1})
		}
		if !slices.Equal(got, paper.sent) {
			t.Fatalf("seed %d: sent %v, want %v", seed, got, paper.sent)
		}
	}
}

// All nodes with as few tasks are equally likely, whether they have just become so or long
// ago. Here 9 of 10 nodes are idle at each draw, and one of them has become so just before.
func centralDrawsEvenly(t *testing.T) {
	for _, tie := range []Tie{LeastVariance, LeastSum, AtRandom} {
		drawsEvenly(t, CentralConfig{Queue: 1, Tie: tie, Src: rand.NewPCG(5, 6)})
	}
}

func drawsEvenly(t *testing.T, config CentralConfig) {
	c := newCentral(config)
	for id := policy.NodeID(1); id <= 10; id++ {
		must(t, c.Joined(id, 1))
	}
	busy, ok := c.give(0)
	if !ok {
		t.Fatal("no node")
	}
	const rounds = 90_000
	var count [11]int
	recent, before := 0, policy.NodeID(0)
	for i := range rounds {
		a, ok := c.give(i + 1)
		if !ok || a.Node == busy.Node {
			t.Fatalf("node %d, %v, with another one idle", a.Node, ok)
		}
		count[a.Node]++
		if a.Node == before {
			recent++
		}
		before = busy.Node
		if ok, err := c.Ended(busy.Node, busy.Number); !ok || err != nil {
			t.Fatal(ok, err)
		}
		busy = a
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

// A centre that has been started anew is told what the nodes have.
func TestCentralAdopts(t *testing.T) {
	c := newCentral(CentralConfig{})
	must(t, c.Joined(3, 2))
	for task := range 3 {
		if _, err := c.Adopt(task, 3); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := c.give(3); ok {
		t.Error("a task is sent to a node that has more than it may")
	}
	has, sent, _ := c.Node(3)
	if has != 3 {
		t.Errorf("node has %d tasks, want 3", has)
	}
	// The node has been told the number, and one of the tasks has ended, and another.
	for i, tasks := range []int{2, 1} {
		r := Report{Node: 3, Number: uint64(i + 1), Seen: sent, Tasks: tasks}
		if taken, err := c.Heartbeat(r); !taken || err != nil {
			t.Fatalf("heartbeat: %v, %v", taken, err)
		}
		if _, ok := c.give(4); ok != (tasks < 2) {
			t.Errorf("with %d tasks on 2 cores, a further one is sent: %v", tasks, ok)
		}
	}
	if _, err := c.Adopt(5, 4); err == nil {
		t.Error("a node that is not there has a task")
	}
}

func TestCentralRefuses(t *testing.T) {
	for _, test := range []struct {
		config CentralConfig
		want   string
	}{
		{CentralConfig{Queue: -1}, "Queue is -1"},
		{CentralConfig{Queue: MaxQueue + 1}, "Queue is 1048577"},
		{CentralConfig{Tie: 3}, "Tie is 3, want LeastVariance"},
	} {
		if _, err := NewCentral[int](test.config); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want %q", test.config, err, test.want)
		}
	}

	c := newCentral(CentralConfig{Queue: 1})
	must(t, c.Joined(3, 2))
	first, _ := c.give(0)
	state := *c.workers.Get(3)
	heartbeat := func(r Report) func() error {
		return func() error { _, err := c.Heartbeat(r); return err }
	}
	good := Report{Node: 3, Number: 5, Seen: first.Number, Tasks: 1}
	with := func(change func(r *Report)) func() error {
		r := good
		change(&r)
		return heartbeat(r)
	}
	for _, test := range []struct {
		want string
		do   func() error
	}{
		{"node 0 has joined", func() error { return c.Joined(0, 1) }},
		{"node 16777216 has joined", func() error { return c.Joined(policy.MaxID+1, 1) }},
		{"with 0 cores", func() error { return c.Joined(1, 0) }},
		{"with 1048577 cores", func() error { return c.Joined(1, 1<<20+1) }},
		{"node 3 has joined, and is there", func() error { return c.Joined(3, 1) }},
		{"node 4 has left", func() error { return c.Left(4) }},
		{"assignment 0 of node 3", func() error { _, err := c.Ended(3, 0); return err }},
		{"assignment 3 of node 3", func() error { _, err := c.Ended(3, first.Number+1); return err }},
		{"from node 0", with(func(r *Report) { r.Node = 0 })},
		{"number 0", with(func(r *Report) { r.Number = 0 })},
		{"has -1 tasks", with(func(r *Report) { r.Tasks = -1 })},
		{"tasks, want 0 to 2147483647", with(func(r *Report) { r.Tasks = math.MaxInt32; r.Tasks++ })},
		{"2 tasks are from other", with(func(r *Report) { r.Others = 2 })},
		{"-1 tasks are from other", with(func(r *Report) { r.Others = -1 })},
		{"variance NaN", with(func(r *Report) { r.Variance = math.NaN() })},
		{"variance -1", with(func(r *Report) { r.Variance = -1 })},
		{"sum +Inf", with(func(r *Report) { r.Sum = math.Inf(1) })},
		{"has seen assignment 3", with(func(r *Report) { r.Seen++ })},
		{"has 2 tasks of this centre", with(func(r *Report) { r.Tasks++ })},
	} {
		if err := test.do(); err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "kairos: ") {
			t.Errorf("error %v, want %q", err, test.want)
		}
		if now := *c.workers.Get(3); !reflect.DeepEqual(now, state) || c.Pending() != 0 {
			t.Errorf("after %q node 3 is %+v, want %+v", test.want, now, state)
		}
	}
	if taken, err := c.Heartbeat(good); !taken || err != nil {
		t.Errorf("a good heartbeat: %v, %v", taken, err)
	}
	if err := with(func(r *Report) { r.Variance, r.Sum = math.MaxFloat64, math.MaxFloat64 })(); err != nil {
		t.Errorf("the largest numbers: %v", err)
	}
	if tasks, sent, ok := c.Node(4); tasks != 0 || sent != 0 || ok {
		t.Errorf("a node that is not there: %d tasks, assignment %d, %v", tasks, sent, ok)
	}
}

// A naiveCentral is a Central for tasks that are numbers, by its definition: it writes down
// all that happens, and looks through all of it for each answer. It draws no lots: candidates
// returns all nodes among which only the tie is left to decide.
type naiveCentral struct {
	queue int
	tie   Tie
	nodes []*naiveWorker // by ID
	line  []naiveTurn    // by turn
	turns int
	last  uint64
}

type naiveTurn struct{ task, turn int }

type naiveWorker struct {
	id     policy.NodeID
	cores  int
	joined uint64
	log    []naiveSent
	report Report // the last; Number 0: none
}

type naiveSent struct {
	naiveTurn
	number uint64
	over   bool
}

func (c *naiveCentral) node(id policy.NodeID) *naiveWorker {
	for _, n := range c.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

func (c *naiveCentral) joined(id policy.NodeID, cores int) {
	c.last++
	c.nodes = append(c.nodes, &naiveWorker{id: id, cores: cores, joined: c.last})
	slices.SortFunc(c.nodes, func(a, b *naiveWorker) int { return int(a.id) - int(b.id) })
	c.last--
}

func (c *naiveCentral) left(id policy.NodeID) (lost []int) {
	n := c.node(id)
	for _, s := range n.log {
		if !s.over {
			c.back(s.naiveTurn)
			lost = append(lost, s.task)
		}
	}
	c.last = max(c.last, n.sent())
	c.nodes = slices.DeleteFunc(c.nodes, func(m *naiveWorker) bool { return m == n })
	return lost
}

func (c *naiveCentral) submit(task int) {
	c.turns++
	c.line = append(c.line, naiveTurn{task, c.turns})
}

func (c *naiveCentral) back(t naiveTurn) {
	c.line = append(c.line, t)
	slices.SortFunc(c.line, func(a, b naiveTurn) int { return a.turn - b.turn })
}

// send puts a task on a node.
func (c *naiveCentral) send(n *naiveWorker, t naiveTurn) uint64 {
	number := n.sent() + 1
	n.log = append(n.log, naiveSent{t, number, false})
	return number
}

func (c *naiveCentral) ended(id policy.NodeID, number uint64) (t naiveTurn, ok bool) {
	n := c.node(id)
	if n == nil {
		return t, false
	}
	for i := range n.log {
		if s := &n.log[i]; s.number == number && !s.over {
			s.over = true
			return s.naiveTurn, true
		}
	}
	return t, false
}

func (c *naiveCentral) heartbeat(r Report) bool {
	n := c.node(r.Node)
	if n == nil || r.Seen < n.joined || r.Number <= n.report.Number {
		return false
	}
	n.report = r
	return true
}

// candidates returns the nodes that have least tasks beyond their cores and, by the rule
// for ties, the least measure. All of them have room.
func (c *naiveCentral) candidates() (ids []policy.NodeID) {
	var least [2]float64
	for _, n := range c.nodes {
		beyond := n.tasks() - n.cores
		if beyond >= c.queue {
			continue
		}
		key := [2]float64{float64(beyond), n.report.Variance}
		switch c.tie {
		case LeastSum:
			key[1] = n.report.Sum
		case AtRandom:
			key[1] = 0
		}
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

// tasks returns the least of what is known to be at least the number of the node's tasks:
// those whose ends were not heard, and those of the heartbeat with those sent after it.
func (n *naiveWorker) tasks() int {
	open, after := 0, 0
	for _, s := range n.log {
		if !s.over {
			open++
		}
		if s.number > n.report.Seen {
			after++
		}
	}
	if n.report.Number == 0 {
		return open
	}
	return min(n.report.Others+open, n.report.Tasks+after)
}
