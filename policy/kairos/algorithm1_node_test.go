package kairos

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

func newNode(c NodeConfig) *Node[string] {
	return jobtest.Must(NewNode[string](c))
}

// Bad use is an error that names the culprit, and the node is as it was.
func TestNodeErrors(t *testing.T) {
	n := newNode(NodeConfig{Cores: 2, Quantum: 10, Memory: 100})
	for i, name := range []string{"a", "b", "c", "d"} {
		if _, err := n.TaskArrived(policy.Time(i), name, 30, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := n.TaskEnded(4, "b", nil); err != nil { // c on its core
		t.Fatal(err)
	}
	if _, err := n.TaskArrived(5, "e", 100, nil); err != nil { // waits
		t.Fatal(err)
	}
	look := func() string {
		at, ok := n.NextTimer()
		sum, _ := n.says(20)
		return fmt.Sprint(*n.cores[0], *n.cores[1], *n.suspended[0], *n.waiting[0], n.len(), at, ok, sum, n.clock, n.memory)
	}
	before := look()
	sent := []Move[string]{{Kind: Start, Task: "sent before"}}
	moves := func(moves []Move[string], err error) error {
		if !slices.Equal(moves, sent) {
			t.Errorf("%v: got moves %v", err, moves)
		}
		return err
	}
	for _, test := range []struct {
		err   error
		names string
	}{
		{moves(n.TaskArrived(6, "a", 0, sent)), "task a is on the node already"},
		{moves(n.TaskArrived(6, "e", 0, sent)), "task e is on the node already"},
		{moves(n.TaskArrived(4, "f", 0, sent)), "time goes back from 5 ns to 4 ns"},
		{moves(n.TaskArrived(math.MinInt64, "f", 0, sent)), "time goes back"},
		{moves(n.TaskArrived(math.MaxInt64, "f", 0, sent)), "time is 9223372036854775807 ns"},
		{moves(n.TaskArrived(6, "f", 101, sent)), "task f wants 101 bytes"},
		{moves(n.TaskArrived(6, "f", -1, sent)), "task f wants -1 bytes"},
		{moves(n.TaskEnded(6, "b", sent)), "task b ends"},
		{moves(n.TaskEnded(4, "a", sent)), "time goes back"},
		{moves(n.TimersFired(4, sent)), "time goes back"},
		{moves(n.fill(4, sent)), "time goes back"},
		{n.TaskServed(4, "a", 1), "time goes back"},
		{n.TaskServed(6, "f", 1), "task f has run for 1ns"},
		{n.TaskServed(6, "e", 1), "task e has run for 1ns, but it waits"},
		{n.TaskServed(6, "a", -1), "task a has run for -1ns"},
		{n.TaskServed(6, "a", maxSpan+1), "task a has run for"},
		{n.restored(4, "f", 0, 0, false), "time goes back"},
		{n.restored(6, "a", 0, 0, false), "task a is on the node already"},
		{n.restored(6, "f", 0, -1, false), "task f has run for -1ns"},
		{n.restored(6, "f", 0, 0, true), "task f runs, but all 2 cores have tasks"},
		{n.restored(6, "f", 11, 0, false), "task f has 11 bytes"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.names) {
			t.Errorf("got error %v, want one that says %q", test.err, test.names)
		}
	}
	if after := look(); after != before {
		t.Errorf("got\n%s, want\n%s", after, before)
	}
}

func TestRestore(t *testing.T) {
	n := newNode(NodeConfig{Cores: 2, Quantum: 10, Memory: 10})
	for _, test := range []struct {
		name    string
		service policy.Duration
		running bool
	}{{"a", 30, true}, {"b", 20, false}, {"c", 5, false}} {
		if err := n.restored(100, test.name, 3, test.service, test.running); err != nil {
			t.Fatal(err)
		}
	}
	if at, ok := n.NextTimer(); at != 110 || !ok {
		t.Errorf("next timer: got %d, %v, want 110", at, ok)
	}
	moves, err := n.fill(100, nil)
	if want := []Move[string]{{Resume, "c", 1}}; !slices.Equal(moves, want) || err != nil {
		t.Errorf("Fill: got %v, %v, want %v", moves, err, want)
	}
	moves, err = n.TimersFired(110, nil)
	want := []Move[string]{{Suspend, "a", 0}, {Resume, "b", 0}}
	if !slices.Equal(moves, want) || err != nil {
		t.Errorf("got %v, %v, want %v", moves, err, want)
	}
	if moves, err = n.TaskArrived(111, "d", 3, nil); len(moves) != 0 || err != nil || len(n.waiting) != 1 {
		t.Errorf("got %v, %v, want d to wait for memory", moves, err)
	}
}

// Hosts choose the epoch, and may begin at either end of time.
func TestEndsOfTime(t *testing.T) {
	for _, first := range []policy.Time{math.MinInt64, -1, math.MaxInt64 - 15} {
		n := newNode(NodeConfig{Cores: 1, Quantum: 10})
		n.TaskArrived(first, "a", 0, nil)
		n.TaskArrived(first+5, "b", 0, nil)
		moves, err := n.TimersFired(first+15, nil)
		timer := policy.Time(math.MaxInt64) // there is no later instant
		if first < 0 {
			timer = first + 25
		}
		want := []Move[string]{{Suspend, "b", 0}, {Resume, "a", 0}}
		if next, ok := n.NextTimer(); !slices.Equal(moves, want) || err != nil || next != timer || !ok {
			t.Errorf("from %d: got %v, %v, next at %d, want %v and %d", first, moves, err, next, want, timer)
		}
	}
	n := newNode(NodeConfig{Cores: 1, Quantum: maxSpan / counter})
	n.restored(math.MinInt64, "a", 0, maxSpan, true)
	moves, err := n.TimersFired(math.MinInt64+policy.Time(maxSpan), nil)
	if len(moves) != 0 || err != nil {
		t.Errorf("got %v, %v, want a to go on", moves, err)
	}
	if got := n.age(n.cores[0]); got != 2*maxSpan {
		t.Errorf("got an attained service of %v, want %v", got, 2*maxSpan)
	}
}

// A nodeTrial does the same to a Node and to Algorithm 1.
type nodeTrial struct {
	node  *Node[int]
	paper *algorithm1
	moves []Move[int]
	given int // tasks so far
	most  int // tasks at a time
}

const (
	nodeArrive = iota
	nodeArriveAgain
	nodeEnd
	nodeEndNext // a running one
	nodeTick    // time passes, with all timers on the way
	nodeTickToTimer
	nodeLate // time passes, and timers fire late
	nodeServed
	nodeSleep // time passes, and the host sees no reason to wake
	nodeBack  // time goes back
	nodeOps
	nodeStepBytes = 3
)

func newNodeTrial(c NodeConfig, most int) *nodeTrial {
	node := jobtest.Must(NewNode[int](c))
	return &nodeTrial{node: node, paper: newAlgorithm1(c), most: most}
}

func (tr *nodeTrial) run(data []byte) error {
	for i := 0; len(data) >= nodeStepBytes; i++ {
		op, a := data[0]%nodeOps, int(binary.LittleEndian.Uint16(data[1:]))
		data = data[nodeStepBytes:]
		err := tr.step(op, a)
		if err == nil {
			err = tr.check()
		}
		if err != nil {
			return fmt.Errorf("step %d (op %d, %d) at %d ns: %w", i, op, a, tr.paper.now, err)
		}
	}
	return nil
}

func (tr *nodeTrial) step(op byte, a int) (err error) {
	n, s := tr.node, tr.paper
	refused := func(err error, what string) error {
		if err == nil {
			return fmt.Errorf("%s: no error", what)
		}
		return nil
	}
	tr.moves, s.moves = tr.moves[:0], s.moves[:0]
	memory := int64(a>>8) % 8
	switch op {
	case nodeArrive, nodeArriveAgain:
		if n.len() >= tr.most {
			return nil
		}
		tr.given++
		if len(s.idle) == 0 {
			s.timersFire() // before arrivals of this instant
		}
		tr.moves, err = n.TaskArrived(s.now, tr.given, memory, tr.moves)
		s.comes(&taskEntry{task: tr.given, memory: memory})
		if err != nil {
			return err
		}
		if op == nodeArriveAgain {
			all := tr.all()
			_, err = n.TaskArrived(s.now, all[a%len(all)].task, 0, nil)
			return refused(err, "twice")
		}
	case nodeEnd, nodeEndNext:
		of := tr.all()
		if op == nodeEndNext {
			of = s.running
		}
		if len(of) == 0 {
			_, err = n.TaskEnded(s.now, tr.given, nil)
			return refused(err, "unknown")
		}
		t := of[a%len(of)]
		tr.moves, err = n.TaskEnded(s.now, t.task, tr.moves)
		s.ends(t)
		return err
	case nodeTick, nodeTickToTimer:
		until := s.now.Add(policy.Duration(a % 40))
		if t := s.first(); t != nil && op == nodeTickToTimer {
			until = max(t.timer, s.now)
		}
		for t := s.first(); t != nil && t.timer <= until; t = s.first() {
			s.now = max(t.timer, s.now)
			if tr.moves, err = n.TimersFired(s.now, tr.moves); err != nil {
				return err
			}
			s.timersFire()
		}
		s.now = until
	case nodeLate:
		s.now = s.now.Add(policy.Duration(a % 80))
		s.timersFire()
		tr.moves, err = n.TimersFired(s.now, tr.moves)
		return err
	case nodeSleep:
		until := s.now.Add(policy.Duration(a % 160))
		if at, ok := tr.next(); ok {
			until = min(until, at)
		}
		for t := s.first(); t != nil && t.timer < until; t = s.first() {
			s.now = t.timer
			s.timersFire()
		}
		s.now = until
	case nodeServed:
		all := tr.all()
		if len(all) == 0 {
			return refused(n.TaskServed(s.now, tr.given, 0), "served unknown")
		}
		t := all[a%len(all)]
		service := policy.Duration(a >> 4 % 64)
		err = n.TaskServed(s.now, t.task, service)
		if !t.begun {
			return refused(err, "served before it begins")
		}
		t.attained += service - s.attained(t)
		return err
	case nodeBack:
		if s.now == 0 {
			return nil
		}
		if tr.moves, err = n.fill(s.now, tr.moves); err != nil { // which tells the node what time it is
			return err
		}
		_, err = n.TaskArrived(s.now-1, tr.given+1, 0, nil)
		return refused(err, "back")
	}
	return nil
}

// all returns the tasks of Algorithm 1 by arrival.
func (tr *nodeTrial) all() []*taskEntry {
	s := tr.paper
	return slices.SortedFunc(slices.Values(slices.Concat(s.running, s.idle, s.waiting)), func(x, y *taskEntry) int { return x.task - y.task })
}

func (tr *nodeTrial) stateOf(t *taskEntry) state {
	switch s := tr.paper; {
	case slices.Contains(s.running, t):
		return running
	case slices.Contains(s.idle, t):
		return suspended
	}
	return waiting
}

// next is when a timer is due that may change anything.
func (tr *nodeTrial) next() (at policy.Time, ok bool) {
	if len(tr.paper.idle) == 0 {
		return 0, false
	}
	return tr.paper.first().timer, true
}

func (tr *nodeTrial) check() error {
	n, s := tr.node, tr.paper
	if !slices.Equal(tr.moves, s.moves) {
		return fmt.Errorf("got moves %v, want %v", tr.moves, s.moves)
	}
	for _, t := range tr.all() {
		if got, want := n.stateOf(t.task), tr.stateOf(t); got != want {
			return fmt.Errorf("task %d: got %v, want %v", t.task, got, want)
		}
	}
	at, ok := n.NextTimer()
	if wantAt, want := tr.next(); ok != want || at != wantAt {
		return fmt.Errorf("next timer: got %d, %v, want %d, %v", at, ok, wantAt, want)
	}
	n.tie = LeastVariance
	variance, _ := n.says(s.now)
	n.tie = LeastSum
	sum, _ := n.says(s.now)
	wantTasks, wantVariance, wantSum := s.heartbeat()
	tolerance := 1e-13*math.Pow(sum, 2) + 1e-40
	if n.len() != wantTasks || math.Abs(sum-wantSum) > 1e-13*wantSum || math.Abs(variance-wantVariance) > tolerance {
		return fmt.Errorf("heartbeat: got %d, %v, %v, want %d, %v, %v", n.len(), variance, sum, wantTasks, wantVariance, wantSum)
	}
	if len(n.idle) > 0 && len(n.suspended) > 0 {
		return fmt.Errorf("%d cores are idle while %d tasks are suspended", len(n.idle), len(n.suspended))
	}
	if got := len(n.spare) + n.len(); got > tr.most {
		return fmt.Errorf("%d tasks are kept, want at most %d", got, tr.most)
	}
	return nil
}

var nodeConfigs = []NodeConfig{
	{Cores: 1, Quantum: 10},
	{Cores: 4, Quantum: 7},
	{Cores: 8, Quantum: 3},
	{Cores: 3, Quantum: 5, Starvation: Never},
	{Cores: 2, Quantum: 10, Starvation: Preempted, Hysteresis: 5},
	{Cores: 3, Quantum: 4, Hysteresis: 11},
	{Cores: 1, Quantum: 10, ArrivalsWait: true},
	{Cores: 2, Quantum: 4, ArrivalsWait: true, Memory: 15},
	{Cores: 2, Quantum: 7, ArrivalsWait: true, Starvation: Preempted},
	{Cores: 4, Quantum: 6, Memory: 20},
	{Cores: 3, Quantum: 6, Memory: 15, Starvation: Preempted},
}

func nodeSteps(seed uint64, steps int) []byte {
	rng := rand.New(rand.NewPCG(seed, 0x6e6f6465))
	data := make([]byte, steps*nodeStepBytes)
	for i := range data {
		data[i] = byte(rng.Uint32())
		if i%nodeStepBytes == 0 && rng.Uint32()%8 == 0 {
			data[i] = nodeArrive // so that there are more tasks than cores
		}
	}
	return data
}

// A Node does what Algorithm 1 does.
func FuzzNode(f *testing.F) {
	f.Add([]byte{
		nodeArrive, 0, 0, nodeArrive, 0, 3, nodeTickToTimer, 0, 0, nodeTickToTimer, 0, 0, nodeLate, 79, 0,
		nodeEndNext, 0, 0, nodeEnd, 0, 0, nodeBack, 0, 0,
	})
	for seed := range uint64(100) {
		f.Add(nodeSteps(seed, 95+int(seed%9)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 200*nodeStepBytes)]
		for _, c := range nodeConfigs {
			if err := newNodeTrial(c, c.Cores+len(data)/nodeStepBytes%9).run(data); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
		}
	})
}
