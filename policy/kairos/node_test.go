package kairos

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

func seconds(x float64) policy.Duration { return policy.Duration(x * 1e9) }

func newNode(tb testing.TB, c NodeConfig) *Node[string] {
	tb.Helper()
	n, err := NewNode[string](c)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// statusOf returns how a task is, nothing if the node has no such task.
func statusOf(n *Node[string], now policy.Time, task string) (s status[string]) {
	for _, s := range statuses(n, now) {
		if s.task == task {
			return s
		}
	}
	return s
}

// A load is a task of a runtime, in seconds, that comes at some time.
type load struct {
	name    string
	at, run float64
}

// A history says when each task ended, in seconds, and how often tasks were suspended.
type history struct {
	ends        map[string]float64
	suspensions int
}

// serve runs tasks, which come in their order, on a node until all have ended. At one instant
// tasks end, then timers fire, then tasks come.
func serve(tb testing.TB, c NodeConfig, loads ...load) history {
	tb.Helper()
	n := newNode(tb, c)
	h := history{ends: map[string]float64{}}
	run := map[string]policy.Duration{}
	var moves []Move[string]
	var err error
	for now := policy.Time(0); len(h.ends) < len(run) || len(loads) > 0; {
		const (
			none = iota
			ends
			timer
			comes
		)
		first, at, ending := none, policy.Time(math.MaxInt64), ""
		for _, s := range statuses(n, now) {
			if end := now.Add(run[s.task] - s.attained); s.state == running && end < at {
				first, at, ending = ends, end, s.task
			}
		}
		if due, ok := n.NextTimer(); ok && due < at {
			first, at = timer, due
		}
		if len(loads) > 0 && policy.Time(seconds(loads[0].at)) < at {
			first, at = comes, policy.Time(seconds(loads[0].at))
		}
		now = at
		switch first {
		case ends:
			h.ends[ending] = now.Seconds()
			moves, err = n.TaskEnded(now, ending, moves[:0])
		case timer:
			moves, err = n.TimersFired(now, moves[:0])
		case comes:
			run[loads[0].name] = seconds(loads[0].run)
			moves, err = n.TaskArrived(now, loads[0].name, 0, moves[:0])
			loads = loads[1:]
		}
		if err != nil {
			tb.Fatal(err)
		}
		for _, m := range moves {
			if m.Kind == Suspend {
				h.suspensions++
			}
		}
	}
	return h
}

// Section 2.2: tasks of equal attained service share the core equally, as quanta get short.
func TestEqualTasksShareACore(t *testing.T) {
	for _, test := range []struct {
		quantum float64
		within  float64 // of the ends under processor sharing
	}{{10, 40}, {1, 4}, {0.125, 0.5}} {
		// With n tasks left, each runs at the speed 1/n.
		want := map[string]float64{"a": 4 * 20, "b": 4*20 + 3*20, "c": 4*20 + 3*20 + 2*20, "d": 200}
		got := serve(t, NodeConfig{Cores: 1, Quantum: seconds(test.quantum)},
			load{"d", 0, 80}, load{"c", 0, 60}, load{"b", 0, 40}, load{"a", 0, 20})
		for name, end := range want {
			if d := math.Abs(got.ends[name] - end); !(d <= test.within) {
				t.Errorf("quantum of %v s: %s ended at %v s, want %v within %v", test.quantum, name, got.ends[name], end, test.within)
			}
		}
	}
}

// Section 2.2: a new task runs at once, and if no other comes and it ends before it is as
// old as any that waits, without any interruption. The long ones here are 100 s old.
func TestShortTaskPassesBy(t *testing.T) {
	loads := []load{{"a", 0, 1000}, {"b", 0, 1000}, {"short", 100, 99}}
	got := serve(t, NodeConfig{Cores: 2, Quantum: seconds(10), Starvation: Never}, loads...)
	if end := got.ends["short"]; end != 199 {
		t.Errorf("the short task ended at %v s, want 199", end)
	}
	if got.suspensions < 2 {
		t.Errorf("got %d suspensions, want at least 2", got.suspensions)
	}
}

// Section 3.2, "Impact and setting of W": with a high value the shortest tasks end within a
// quantum; with a low one tasks are interleaved, which lets them end later and costs
// changes. Ten tasks of 20 s come at once; the last to come is the first to run.
func TestQuantum(t *testing.T) {
	var loads []load
	for i := range 10 {
		loads = append(loads, load{fmt.Sprint(i), 0, 20})
	}
	mean := func(h history) (mean float64) {
		for _, end := range h.ends {
			mean += end / 10
		}
		return mean
	}
	// In turn: 20, 40, ... 200 s. Interleaved by seconds: the ends are in the last 10 s.
	high := serve(t, NodeConfig{Cores: 1, Quantum: seconds(20), Starvation: Never}, loads...)
	low := serve(t, NodeConfig{Cores: 1, Quantum: seconds(1), Starvation: Never}, loads...)
	if got, want := mean(high), 110.0; math.Abs(got-want) > 1e-9 {
		t.Errorf("W = 20 s: mean end at %v s, want %v", got, want)
	}
	if got, want := mean(low), 195.5; math.Abs(got-want) > 1e-9 {
		t.Errorf("W = 1 s: mean end at %v s, want %v", got, want)
	}
	// All but the first are suspended at once; then there is one change a second but at the ends.
	if high.suspensions != 9 || low.suspensions != 9+190 {
		t.Errorf("got %d and %d suspensions, want 9 and 199", high.suspensions, low.suspensions)
	}
}

// A long task competes with short ones that come without end and need nearly all that the cores
// can do.
func TestStarvation(t *testing.T) {
	for _, cores := range []int{1, 2} {
		var loads []load
		for i := range cores {
			loads = append(loads, load{fmt.Sprint("long", i), 0, 100})
		}
		for i := range 200 * cores {
			loads = append(loads, load{fmt.Sprint(i), 5 + 10/float64(cores)*float64(i), 10})
		}
		end := func(rule StarvationRule, firm bool) (end float64) {
			c := NodeConfig{Cores: cores, Quantum: seconds(10), Starvation: rule, Firm: firm}
			h := serve(t, c, loads...)
			for i := range cores {
				end = max(end, h.ends[fmt.Sprint("long", i)])
			}
			return end
		}
		if got := end(Never, false); got <= 2000 {
			t.Errorf("%d cores, no rule: a long task ended at %v s, want it to wait for the last short one", cores, got)
		}
		if got := end(NotServed, true); got >= 1500 {
			t.Errorf("%d cores, firm: a long task ended at %v s, want it not to wait for the last short one", cores, got)
		}
		// With one core every task that comes takes it, and the long one gets nowhere. With two
		// the next to come takes the other.
		if got := end(NotServed, false); got >= 1500 && cores > 1 || got <= 2000 && cores == 1 {
			t.Errorf("%d cores: a long task ended at %v s", cores, got)
		}
	}
}

// What is wrong is an error that names the culprit, and the node is as it was.
func TestBadUseChangesNothing(t *testing.T) {
	n := newNode(t, NodeConfig{Cores: 2, Quantum: 10, Memory: 100})
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
		tasks, variance, sum := n.Heartbeat(20)
		return fmt.Sprint(statuses(n, 20), at, ok, tasks, variance, sum, n.clock)
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
	n := newNode(t, NodeConfig{Cores: 2, Quantum: 10, Memory: 10})
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
		n := newNode(t, NodeConfig{Cores: 1, Quantum: 10})
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
	n := newNode(t, NodeConfig{Cores: 1, Quantum: maxSpan, Counter: 1, Undisturbed: 1})
	n.restored(math.MinInt64, "a", 0, maxSpan, true)
	moves, err := n.TimersFired(math.MinInt64+policy.Time(maxSpan), nil)
	if len(moves) != 0 || err != nil {
		t.Errorf("got %v, %v, want a to go on", moves, err)
	}
	if s := statusOf(n, -2, "a"); s.attained != 2*maxSpan {
		t.Errorf("got %+v, want an attained service of %d ns", s, 2*maxSpan)
	}
}

func TestStrings(t *testing.T) {
	for _, test := range []struct {
		got  fmt.Stringer
		want string
	}{
		{Resume, "Resume"}, {MoveKind(0), "MoveKind(0)"}, {MoveKind(4), "MoveKind(4)"},
		{Move[int]{Kind: Start, Task: 7, Core: 1}, "Start 7 on core 1"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
