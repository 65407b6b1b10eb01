package kairos

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// A nodeTrial does the same to a Node and to a naiveNode.
type nodeTrial struct {
	node  *Node[int]
	naive *naiveNode
	moves []Move[int]
	given int  // tasks so far
	most  int  // tasks at a time
	slept bool // and the node does not know yet that timers have fired

	seen map[string]int // what has happened
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

func newNodeTrial(tb testing.TB, c NodeConfig, most int) *nodeTrial {
	tb.Helper()
	node, err := NewNode[int](c)
	if err != nil {
		tb.Fatal(err)
	}
	return &nodeTrial{node: node, naive: newNaiveNode(c), most: most, seen: map[string]int{}}
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
			return fmt.Errorf("step %d (op %d, %d) at %d ns: %w", i, op, a, tr.naive.now, err)
		}
	}
	return nil
}

func (tr *nodeTrial) step(op byte, a int) (err error) {
	n, s := tr.node, tr.naive
	refused := func(err error, what string) error {
		tr.seen[what]++
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
		if s.youngest() == nil {
			s.timers() // before arrivals of this instant
		}
		tr.moves, err = n.TaskArrived(s.now, tr.given, memory, tr.moves)
		s.arrive(tr.given, memory)
		if err != nil {
			return err
		}
		if op == nodeArriveAgain {
			_, err = n.TaskArrived(s.now, s.tasks[a%len(s.tasks)].id, 0, nil)
			return refused(err, "twice")
		}
	case nodeEnd, nodeEndNext:
		of := s.tasks
		if op == nodeEndNext {
			of = s.in(Running)
		}
		if len(of) == 0 {
			_, err = n.TaskEnded(s.now, tr.given, nil)
			return refused(err, "unknown")
		}
		t := of[a%len(of)]
		tr.seen["end of "+t.state.String()]++
		tr.moves, err = n.TaskEnded(s.now, t.id, tr.moves)
		s.end(t.id)
		return err
	case nodeTick, nodeTickToTimer:
		until := s.now.Add(policy.Duration(a % 40))
		if at, ok := s.due(); ok && op == nodeTickToTimer {
			until = max(at, s.now)
		}
		for at, ok := s.due(); ok && at <= until; at, ok = s.due() {
			s.advance(max(at, s.now))
			if tr.moves, err = n.TimersFired(s.now, tr.moves); err != nil {
				return err
			}
			s.timers()
		}
		s.advance(until)
	case nodeLate:
		s.advance(s.now.Add(policy.Duration(a % 80)))
		s.timers()
		tr.moves, err = n.TimersFired(s.now, tr.moves)
		return err
	case nodeSleep:
		until := s.now.Add(policy.Duration(a % 160))
		if at, ok := s.next(); ok {
			until = min(until, at)
		}
		for at, ok := s.due(); ok && at < until; at, ok = s.due() {
			s.advance(at)
			s.timers()
			tr.slept = true
		}
		s.advance(until)
	case nodeServed:
		if len(s.tasks) == 0 {
			return refused(n.TaskServed(s.now, tr.given, 0), "served unknown")
		}
		t := s.tasks[a%len(s.tasks)]
		service := policy.Duration(a >> 4 % 64)
		err = n.TaskServed(s.now, t.id, service)
		if !t.begun {
			return refused(err, "served before it begins")
		}
		t.attained = service
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

func (tr *nodeTrial) check() error {
	n, s := tr.node, tr.naive
	if tr.slept {
		tr.seen["sleep"]++
		tr.slept = len(s.in(Suspended)) == 0
	}
	if !slices.Equal(tr.moves, s.moves) {
		return fmt.Errorf("got moves %v, want %v", tr.moves, s.moves)
	}
	for _, m := range s.moves {
		tr.seen[m.Kind.String()]++
	}
	if got, want := inTurn(slices.Collect(n.All(s.now)), s), s.all(); !slices.Equal(got, want) {
		return fmt.Errorf("got tasks\n%+v, want\n%+v", got, want)
	}
	for _, want := range s.all() {
		if got := n.stateOf(want.Task); got != want.State {
			return fmt.Errorf("task %d: got %v, want %v", want.Task, got, want.State)
		}
		if want.Undisturbed {
			tr.seen["undisturbed"]++
		}
		if want.State == Suspended && !s.find(want.Task).begun {
			tr.seen["not begun"]++
		}
	}
	at, ok := n.NextTimer()
	if wantAt, want := s.next(); ok != want || at != wantAt {
		return fmt.Errorf("next timer: got %d, %v, want %d, %v", at, ok, wantAt, want)
	}
	tasks, variance, sum := n.Heartbeat(s.now)
	wantTasks, wantVariance, wantSum := s.heartbeat()
	tolerance := 1e-13*math.Pow(sum, 2) + 1e-40
	if tasks != wantTasks || math.Abs(sum-wantSum) > 1e-13*wantSum || math.Abs(variance-wantVariance) > tolerance {
		return fmt.Errorf("heartbeat: got %d, %v, %v, want %d, %v, %v", tasks, variance, sum, wantTasks, wantVariance, wantSum)
	}
	return tr.sound()
}

// inTurn puts the suspended ones of tasks by their turns.
func inTurn(all []Status[int], s *naiveNode) []Status[int] {
	from := slices.IndexFunc(all, func(t Status[int]) bool { return t.State == Suspended })
	if from < 0 {
		return all
	}
	suspended := all[from : from+len(s.in(Suspended))]
	slices.SortFunc(suspended, func(a, b Status[int]) int { return cmp.Compare(s.find(a.Task).turn, s.find(b.Task).turn) })
	return all
}

// sound checks what holds of every Node after every event.
func (tr *nodeTrial) sound() error {
	n := tr.node
	for _, s := range []State{Running, Suspended, Waiting} {
		if got, want := n.held[s], len(tr.naive.in(s)); got != want {
			return fmt.Errorf("%v: got %d tasks, want %d", s, got, want)
		}
	}
	busy := len(n.cores) - len(n.idle)
	if busy != n.held[Running] || n.youth.Len() != n.held[Suspended] {
		return fmt.Errorf("%d busy cores, %d running; %d suspended, %d ranked",
			busy, n.held[Running], n.held[Suspended], n.youth.Len())
	}
	if len(n.idle) > 0 && n.held[Suspended] > 0 {
		return fmt.Errorf("%d cores are idle while %d tasks are suspended", len(n.idle), n.held[Suspended])
	}
	ranked := 0 // by how long they have had no service
	if n.config.Starvation == NotServed {
		ranked = n.held[Suspended]
	}
	if n.unrest.Len() != ranked {
		return fmt.Errorf("%d of %d suspended tasks are ranked by turn, want %d", n.unrest.Len(), n.held[Suspended], ranked)
	}
	free := 0
	for i := n.free; i != 0; i = n.tasks[i].next {
		if free++; free > len(n.tasks) || n.tasks[i].id != 0 || n.tasks[i].state != 0 {
			return fmt.Errorf("free task %d: got %+v", i, n.tasks[i])
		}
	}
	if want := len(n.tasks) - 1 - n.len(); free != want {
		return fmt.Errorf("free tasks: got %d, want %d", free, want)
	}
	return nil
}

var nodeConfigs = []NodeConfig{
	{Cores: 1, Quantum: 10},
	{Cores: 2, Quantum: 10},
	{Cores: 4, Quantum: 7},
	{Cores: 8, Quantum: 3},
	{Cores: 1, Quantum: 10, Starvation: Never},
	{Cores: 3, Quantum: 5, Starvation: Never},
	{Cores: 3, Quantum: 5, Counter: 1, Undisturbed: 1},
	{Cores: 2, Quantum: 10, Counter: 7, Undisturbed: 3},
	{Cores: 2, Quantum: 10, Starvation: Preempted, Lead: 5},
	{Cores: 5, Quantum: 9, Starvation: Preempted, Counter: 1},
	{Cores: 3, Quantum: 4, Lead: 11},
	{Cores: 1, Quantum: 10, Firm: true},
	{Cores: 2, Quantum: 4, Firm: true, Counter: 1, Memory: 15},
	{Cores: 2, Quantum: 7, Firm: true, Starvation: Preempted},
	{Cores: 1, Quantum: 10, Memory: 12},
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

func TestNodeAgainstNaive(t *testing.T) {
	for _, c := range nodeConfigs {
		seen := map[string]int{}
		for seed := range uint64(100) {
			tr := newNodeTrial(t, c, c.Cores+int(seed%9))
			if err := tr.run(nodeSteps(seed, 100)); err != nil {
				t.Fatalf("%+v, seed %d: %v", c, seed, err)
			}
			for what, times := range tr.seen {
				seen[what] += times
			}
		}
		want := []string{
			"Suspend", "Start", "Resume", "end of Running", "end of Suspended", "twice", "unknown", "back", "sleep",
		}
		if c.Starvation != Never {
			want = append(want, "undisturbed")
		}
		if c.Firm {
			want = append(want, "not begun")
		}
		if c.Firm && c.Starvation == NotServed || c.Memory > 0 {
			want = append(want, "served before it begins")
		}
		if c.Memory > 0 {
			want = append(want, "end of Waiting")
		}
		for _, what := range want {
			if seen[what] < 30 {
				t.Errorf("%+v: %s has happened %d times, want 30", c, what, seen[what])
			}
		}
	}
}

func FuzzNode(f *testing.F) {
	f.Add([]byte{
		nodeArrive, 0, 0, nodeArrive, 0, 3, nodeTickToTimer, 0, 0, nodeTickToTimer, 0, 0, nodeLate, 79, 0,
		nodeEndNext, 0, 0, nodeEnd, 0, 0, nodeBack, 0, 0,
	})
	for seed := range uint64(4) {
		f.Add(nodeSteps(seed, 100))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 200*nodeStepBytes)]
		for _, c := range nodeConfigs {
			if err := newNodeTrial(t, c, 3*c.Cores).run(data); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
		}
	})
}
