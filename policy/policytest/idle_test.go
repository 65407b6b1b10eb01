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
	ev   *policy.Event
	act  *policy.Action
	part policy.NodeID
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
	nothing := line{ev: &policy.Event{Kind: policy.Arrived, Node: 1}}
	// Two nodes of two cores, and a job of eight tasks, of which two run on node 1.
	begin := []line{}
	for id := range policy.NodeID(2) {
		begin = append(begin, line{ev: &policy.Event{Kind: policy.Joined, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: policy.PartitionID(id + 1), Cores: 2, Speed: 1}}})
	}
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 8, Cores: 1}}}
	begin = append(begin, line{ev: &policy.Event{Kind: policy.Submitted, Copy: about(1, 0), Job: job}}, told(policy.Ready, 1, 0, 0),
		asks(policy.Start, 0, 1), asks(policy.Start, 1, 1), told(policy.Started, 1, 0, 1), told(policy.Started, 1, 1, 1))
	left := line{ev: &policy.Event{Kind: policy.Left, Node: 1}}
	// Copies 2 and 3 run on node 2 then.
	full := []line{asks(policy.Start, 2, 2), asks(policy.Start, 3, 2), told(policy.Started, 1, 2, 2), told(policy.Started, 1, 3, 2)}
	// The part on node 2 does not know yet that job 2 is over.
	late := []line{
		{ev: &policy.Event{Kind: policy.Submitted, Copy: about(2, 0), Job: &policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}}},
		told(policy.Ended, 2, 0, 0),
		{act: &policy.Action{Kind: policy.Start, Copy: about(2, 0)}, part: 2}, {act: &policy.Action{Kind: policy.Start, Copy: about(2, 1)}, part: 2},
		nothing, nothing, nothing,
	}
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
		}, 8 * s, 0},
		{"a Resume asked for before the Suspend is answered", slices.Concat(full, []line{
			asks(policy.Suspend, 3, 0), asks(policy.Resume, 3, 0), told(policy.Suspended, 1, 3, 2), nothing, nothing, nothing,
		}), 2 * s, 0},
		{"the same, before the copy is known to run", slices.Concat(full[:2], []line{asks(policy.Suspend, 3, 0), asks(policy.Resume, 3, 0)}, full[2:], []line{
			told(policy.Suspended, 1, 3, 2), nothing, nothing, nothing,
		}), 2 * s, 0},
		{"a Suspend that is answered", slices.Concat(full, []line{asks(policy.Suspend, 3, 0), nothing, told(policy.Suspended, 1, 3, 2), nothing, nothing, nothing}), 3 * s, 0},
		{"a Start on a node that is full", []line{asks(policy.Start, 2, 1), asks(policy.Start, 3, 2), nothing, nothing, nothing}, 2 * s, 0},
		{"a Start on a node that is lost", []line{asks(policy.Start, 2, 1), left, asks(policy.Start, 3, 2), nothing, nothing, nothing}, 2 * s, 0},
		{"two of a job that is over", late, 4 * s, 0},
		{"and then Refused", slices.Concat(late, []line{{ev: &policy.Event{Kind: policy.Refused, Copy: about(2, 0)}, part: 2}, nothing, nothing, nothing, nothing, nothing, nothing}), 5 * s, 0},
		{"the host has failed", []line{nothing, {ev: &policy.Event{Kind: policy.Woken}}, nothing}, 2 * s, 0},
		{"a node is lost", []line{nothing, left, nothing}, 2 * s, 0},
		{"all asked for, and free again at once", []line{
			nothing, {act: &policy.Action{Kind: policy.Start, Copy: about(1, 2), Node: 2, At: -1}}, {act: &policy.Action{Kind: policy.Start, Copy: about(1, 3), Node: 2, At: -1}},
			{ev: &policy.Event{Kind: policy.Finished, Copy: about(1, 2), Node: 2, Time: -1}}, {ev: &policy.Event{Kind: policy.Finished, Copy: about(1, 3), Node: 2}}, nothing,
		}, 2 * s, 0},
		{"nothing runs", []line{told(policy.Finished, 1, 0, 1), told(policy.Finished, 1, 1, 1), nothing}, 3 * s, s},
		{"nothing runs, and a message is under way", []line{told(policy.Finished, 1, 0, 1), told(policy.Finished, 1, 1, 1), send(1), nothing}, 4 * s, s},
	} {
		l := watched(&sim.Config{Nodes: make([]policy.Node, 2), Delay: s, SuspendCost: s / 2, ResumeCost: s / 2}, &Config{Hops: 6})
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
					l.told(x.part, &ev)
				default:
					// What is asked for at an instant is asked for in answer to something that was told then.
					if l.now < now {
						l.told(0, &policy.Event{Kind: policy.Arrived, Node: 1, Time: now})
					}
					instant = x.act.At < 0
					l.acted(x.part, x.act)
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

// What the policy keeps free does not count.
func TestKeptRoomIsNotIdle(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		l := watched(&sim.Config{Nodes: make([]policy.Node, 1)}, &Config{})
		l.watch.keeps = func(task policy.Task, node policy.NodeID) bool { return keeps && task.Job == 1 && node == 1 }
		c := policy.Copy{Task: policy.Task{Job: 1}}
		l.told(0, &policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
		l.told(0, &policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 8, Cores: 1}}}})
		l.told(0, &policy.Event{Kind: policy.Ready, Copy: c})
		l.told(0, &policy.Event{Kind: policy.Arrived, Node: 1, Time: policy.Time(s)})
		if idle := l.watch.node.span == s && l.watch.whole.span == s; idle == keeps {
			t.Errorf("the policy keeps it: %v; it was empty for %v and %v", keeps, l.watch.node.span, l.watch.whole.span)
		}
	}
}

// The story that is told is that of the stretch that is named, the longest, and not of one before it.
func TestTheStoryIsOfTheLongestStretch(t *testing.T) {
	l := watched(&sim.Config{Nodes: make([]policy.Node, 1)}, &Config{Patience: s})
	l.watch.story = func() string { return fmt.Sprintf("at %v s", l.now.Seconds()) }
	c := policy.Copy{Task: policy.Task{Job: 1}}
	now := policy.Time(0)
	told := func(wait policy.Duration, ev policy.Event) {
		now = now.Add(wait)
		ev.Time = now
		l.told(0, &ev)
	}
	nothing := policy.Event{Kind: policy.Arrived, Node: 1}
	begin := func() {
		l.acted(0, &policy.Action{Kind: policy.Start, Copy: c, Node: 1})
		l.decided()
		told(0, policy.Event{Kind: policy.Started, Copy: c, Node: 1})
	}
	told(0, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	told(0, policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 8, Cores: 1}}}})
	told(0, policy.Event{Kind: policy.Ready, Copy: c})
	told(2*s, nothing) // the first stretch is over the limit: seen when the event of 2 s comes, while the ledger is at 0 s
	begin()
	told(10*s, policy.Event{Kind: policy.Finished, Copy: c, Node: 1})
	c.Index++
	for range 5 { // the second is the longest from 15 s on
		told(s, nothing)
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
