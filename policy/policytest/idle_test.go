package policytest

import (
	"fmt"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A line of a story of a ledger is an event or an action, a second after the line before.
type line struct {
	ev  *policy.Event
	act *policy.Action
}

// Room counts as empty unless something is under way that may take it.
func TestWhatCountsAsIdle(t *testing.T) {
	about := func(job policy.JobID, index uint32) policy.Copy {
		return policy.Copy{Task: policy.Task{Job: job, Index: index}}
	}
	told := func(kind policy.EventKind, job policy.JobID, index uint32, node policy.NodeID) line {
		return line{ev: &policy.Event{Kind: kind, Copy: about(job, index), Node: node, Again: kind == policy.Refused}}
	}
	asks := func(kind policy.ActionKind, index uint32, node policy.NodeID) line {
		return line{act: &policy.Action{Kind: kind, Copy: about(1, index), Node: node}}
	}
	send := func(to policy.NodeID) line { return line{act: &policy.Action{Kind: policy.Send, Node: to}} }
	nothing := line{ev: &policy.Event{Kind: policy.Woken}}
	// Two nodes of two cores, and a job of eight tasks, of which two run on node 1.
	begin := []line{}
	for id := range policy.NodeID(2) {
		begin = append(begin, line{ev: &policy.Event{Kind: policy.Joined, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: policy.PartitionID(id + 1), Cores: 2, Speed: 1}}})
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 8, Cores: 1}}}
	begin = append(begin, line{ev: &policy.Event{Kind: policy.Submitted, Copy: about(1, 0), Job: job}}, told(policy.Ready, 1, 0, 0),
		asks(policy.Start, 0, 1), asks(policy.Start, 1, 1), told(policy.Started, 1, 0, 1), told(policy.Started, 1, 1, 1))
	// What is Refused is to run elsewhere, which is the same to node 2.
	begs := []line{{act: &policy.Action{Kind: policy.Start, Copy: about(1, 2), Partition: 1}}, told(policy.Refused, 1, 2, 0)}
	for _, test := range []struct {
		name  string
		then  []line
		node2 policy.Duration
		inAll policy.Duration
	}{
		{"nothing is done", []line{nothing, nothing}, 2 * s, 0},
		{"a message to another node", []line{send(1), nothing}, 2 * s, 0},
		{"a message to it", []line{send(2), nothing}, s, 0},
		{"a message to it that never arrives", []line{send(2), nothing, nothing, nothing, nothing, nothing, nothing, nothing}, 2 * s, 0},
		{"a Start anywhere", []line{asks(policy.Start, 2, 0), nothing}, 2 * s, 0},
		{"two", []line{asks(policy.Start, 2, 0), asks(policy.Start, 3, 0), nothing, nothing}, 2 * s, 0},
		{"two on another partition", []line{
			{act: &policy.Action{Kind: policy.Start, Copy: about(1, 2), Partition: 1}}, {act: &policy.Action{Kind: policy.Start, Copy: about(1, 3), Partition: 1}},
		}, 2 * s, 0},
		{"a Start after a Refused", []line{asks(policy.Start, 2, 0), told(policy.Refused, 1, 2, 0), asks(policy.Start, 2, 0), nothing}, 2 * s, 0},
		{"a Start of another after a Refused", slices.Concat(begs, []line{nothing}), 2 * s, 0},
		{"Refused again and again", slices.Concat(begs, begs, begs, begs, []line{nothing}), 6 * s, 0},
		{"a Kill elsewhere", []line{asks(policy.Kill, 0, 0), nothing}, 2 * s, 0},
		{"a Kill there", []line{asks(policy.Start, 2, 2), told(policy.Started, 1, 2, 2), asks(policy.Kill, 2, 0), nothing, nothing}, 3 * s, 0},
		{"a Resume that is taken back", []line{
			asks(policy.Start, 2, 2), told(policy.Started, 1, 2, 2), told(policy.Suspended, 1, 2, 2),
			asks(policy.Resume, 2, 0), asks(policy.Suspend, 2, 0), nothing, nothing, nothing,
		}, 3*s + s, 0},
		{"all asked for, and free again at once", []line{
			nothing, {act: &policy.Action{Kind: policy.Start, Copy: about(1, 2), Node: 2, At: -1}}, {act: &policy.Action{Kind: policy.Start, Copy: about(1, 3), Node: 2, At: -1}},
			{ev: &policy.Event{Kind: policy.Finished, Copy: about(1, 2), Node: 2, Time: -1}}, {ev: &policy.Event{Kind: policy.Finished, Copy: about(1, 3), Node: 2}}, nothing,
		}, 2 * s, 0},
		{"nothing runs", []line{told(policy.Finished, 1, 0, 1), told(policy.Finished, 1, 1, 1), nothing}, 3 * s, s},
		{"nothing runs, and a message is under way", []line{told(policy.Finished, 1, 0, 1), told(policy.Finished, 1, 1, 1), send(1), nothing}, 4 * s, s},
	} {
		l := watched(&sim.Config{Nodes: make([]policy.Node, 2), Delay: s, SuspendCost: s / 2, ResumeCost: s / 2}, 0, 0)
		l.watch.trying = 3 * s
		now, instant := policy.Time(0), false
		play := func(lines []line, apart bool) {
			for _, x := range lines {
				if apart && !instant {
					now += policy.Time(s)
				}
				switch {
				case x.ev != nil:
					ev := *x.ev
					instant = ev.Time < 0
					ev.Time = now
					l.told(0, &ev)
				default:
					// What is asked for at an instant is asked for in answer to something that was told then.
					if l.now < now {
						l.told(0, &policy.Event{Kind: policy.Woken, Time: now})
					}
					instant = x.act.At < 0
					l.acted(0, x.act)
					l.decided()
				}
			}
		}
		play(begin, false)
		play(test.then, true)
		if got := l.watch.node.span; got != test.node2 {
			t.Errorf("%s: node 2 was empty beside work for %v, want %v", test.name, got, test.node2)
		}
		if got := l.watch.whole.span; got != test.inAll {
			t.Errorf("%s: all nodes were empty beside work for %v, want %v", test.name, got, test.inAll)
		}
	}
}

// The story that is told is that of the stretch that is named, the longest, and not of one before it.
func TestTheStoryIsOfTheLongestStretch(t *testing.T) {
	l := watched(&sim.Config{Nodes: make([]policy.Node, 1)}, s, s)
	l.watch.story = func() string { return fmt.Sprintf("at %v s", l.now.Seconds()) }
	c := policy.Copy{Task: policy.Task{Job: 1}}
	now := policy.Time(0)
	told := func(wait policy.Duration, ev policy.Event) {
		now = now.Add(wait)
		ev.Time = now
		l.told(0, &ev)
	}
	woken := policy.Event{Kind: policy.Woken}
	begin := func() {
		l.acted(0, &policy.Action{Kind: policy.Start, Copy: c, Node: 1})
		l.decided()
		told(0, policy.Event{Kind: policy.Started, Copy: c, Node: 1})
	}
	told(0, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	told(0, policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 8, Cores: 1}}}})
	told(0, policy.Event{Kind: policy.Ready, Copy: c})
	told(2*s, woken) // the first stretch is over the limit: seen when the event of 2 s comes, while the ledger is at 0 s
	begin()
	told(10*s, policy.Event{Kind: policy.Finished, Copy: c, Node: 1})
	c.Index++
	for range 5 { // the second is the longest from 15 s on
		told(s, woken)
	}
	for _, test := range []struct {
		of   string
		i    idle
		want string
	}{{"a node", l.watch.node, "at 14 s"}, {"the cluster", l.watch.whole, "at 14 s"}} {
		if test.i.since != policy.Time(12*s) || test.i.span != 5*s {
			t.Errorf("%s: the longest stretch is %v from %v s on, want 5s from 12 s on", test.of, test.i.span, test.i.since.Seconds())
		}
		if test.i.tale != test.want {
			t.Errorf("%s: the story is %q, want %q, when that stretch became the longest", test.of, test.i.tale, test.want)
		}
	}
}
