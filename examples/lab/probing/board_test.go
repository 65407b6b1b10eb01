package probing

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
)

// A board plays the host to a policy that probes: nodes of one core, a network that takes
// no time. Messages are delivered in order; what passes is written down, a line each.
type board struct {
	t     *testing.T
	p     policy.Distributed
	parts map[policy.NodeID]policy.Scheduler
	where map[policy.Copy]policy.NodeID // that run
	mail  []message
	log   []string
	now   policy.Time

	refuses bool // all Starts
}

type message struct {
	from policy.NodeID
	a    policy.Action
}

func newBoard(t *testing.T, p policy.Distributed, nodes int) *board {
	b := &board{t: t, p: p, parts: map[policy.NodeID]policy.Scheduler{}, where: map[policy.Copy]policy.NodeID{}}
	for id := policy.NodeID(1); id <= policy.NodeID(nodes); id++ {
		info := &policy.Node{ID: id, Partition: 1, Cores: 1, Speed: 1}
		b.parts[id] = p.Part(info)
		ev := policy.Event{Kind: policy.Joined, Node: id, Info: info}
		b.tell(id, ev)
		b.tell(0, ev)
	}
	return b
}

// tell tells a part of an event, and carries out what follows from it.
func (b *board) tell(to policy.NodeID, ev policy.Event) {
	b.t.Helper()
	b.hear(to, &ev)
	for len(b.mail) > 0 {
		l := b.mail[0]
		b.mail = b.mail[1:]
		if l.a.Node != 0 && b.parts[l.a.Node] == nil {
			continue
		}
		b.hear(l.a.Node, &policy.Event{Kind: policy.Arrived, Node: l.from, Msg: l.a.Msg})
	}
}

func (b *board) hear(to policy.NodeID, ev *policy.Event) {
	b.t.Helper()
	ev.Time = b.now
	s := b.parts[to]
	if to == 0 {
		s = b.p
	}
	actions, err := s.Step(ev, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, a := range actions {
		switch a.Kind {
		case policy.Send:
			b.log = append(b.log, fmt.Sprintf("%d>%d %s %d", to, a.Node, kindNames[a.Msg.Kind], a.Msg.Copy.Job))
			b.mail = append(b.mail, message{to, a})
		case policy.Start:
			b.log = append(b.log, fmt.Sprintf("node %d starts %v", to, a.Copy.Task))
			if b.refuses {
				refused := policy.Event{Kind: policy.Refused, Copy: a.Copy, Again: true}
				b.hear(to, &refused)
				b.hear(0, &refused)
				continue
			}
			b.where[a.Copy] = to
			started := policy.Event{Kind: policy.Started, Copy: a.Copy, Node: to}
			b.hear(to, &started)
			b.hear(0, &started)
		default:
			b.t.Fatalf("unexpected action %v", a)
		}
	}
}

var kindNames = [...]string{
	msgProbe: "probe", msgLong: "long", msgGive: "give", msgGiveMore: "give-more", msgNone: "none", msgRob: "rob",
	msgNoLoot: "no-loot", msgHeld: "held", msgAsk: "ask", msgReject: "reject", msgIdle: "idle", msgLoot: "loot", msgEmpty: "empty",
}

// submit brings a job of so many tasks, each estimated to take as many seconds as the
// attribute says, and returns what passed.
func (b *board) submit(id policy.JobID, tasks uint32, estimate time.Duration) string {
	b.t.Helper()
	b.log = nil
	j := &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}, Requested: estimate}
	task := policy.Task{Job: id}
	b.tell(0, policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task}, Job: j, More: true})
	b.tell(0, policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: task}})
	return b.passed()
}

// finish ends the copy that runs on a node, and returns what passed.
func (b *board) finish(id policy.NodeID) string {
	b.t.Helper()
	b.log = nil
	for c, node := range b.where {
		if node == id {
			delete(b.where, c)
			ev := policy.Event{Kind: policy.Finished, Copy: c, Node: id, Service: max(b.now.Sub(0), time.Second)}
			b.tell(id, ev)
			b.tell(0, ev)
			return b.passed()
		}
	}
	b.t.Fatalf("nothing runs on node %d", id)
	return ""
}

func (b *board) passed() string { return strings.Join(b.log, "\n") }
