package kairos

import (
	"fmt"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// Part implements [central.Nodes]. It makes the part for a node: a [Node] or an adaptive one, and its reports to the
// centre.
func (s *Nodes) Part(n *policy.Node) policy.Scheduler {
	places := int(n.Cores) + s.config.Queue
	if s.adaptive {
		places = 2 * int(n.Cores)
	}
	return &part{config: s.config, adaptive: s.adaptive, id: n.ID, cores: int(n.Cores), places: places, memory: n.Memory, alarm: policy.Never}
}

// A part is the side of a Kairos that is on a node.
type part struct {
	config   Config
	adaptive bool
	id       policy.NodeID
	cores    int
	places   int // N + Q, or 2·N
	memory   int64

	node    server
	moves   []move
	seen    uint64        // number of the last assignment
	found   []orphan      // copies that run or are suspended since before a restart
	begun   bool          // the centre has sent begin
	stuck   []policy.Copy // resumed by the node, but the host had no core for them
	freed   policy.Time   // when a copy was last suspended from its core
	heard   bool          // the core that was freed then may still go to one of stuck
	alarm   policy.Time   // Never if there is none
	number  uint64        // heartbeats so far
	spoke   policy.Time   // when the last heartbeat was sent, if there was one
	said    float64       // the measure in the last heartbeat; 0 of an adaptive node
	offered bool          // the last heartbeat made an offer
	news    bool          // a task has come, moved or ended since the last heartbeat
	taken   bool          // a task has taken the core that was offered, and the node has another one to offer
}

// A server serves the tasks of a node: a [Node], or an adaptiveNode.
type server interface {
	TaskArrived(now policy.Time, id policy.Copy, memory int64, moves []move) ([]move, error)
	TaskEnded(now policy.Time, id policy.Copy, moves []move) ([]move, error)
	TimersFired(now policy.Time, moves []move) ([]move, error)
	NextTimer() (at policy.Time, ok bool)

	accepts(now policy.Time, memory int64) bool
	TaskServed(now policy.Time, id policy.Copy, service policy.Duration) error
	restored(now policy.Time, id policy.Copy, memory int64, service policy.Duration, runs bool) error
	fill(now policy.Time, moves []move) ([]move, error)
	says(now policy.Time) (value float64, offers bool)
	silent() bool
	stateOf(id policy.Copy) state
	len() int
}

// An orphan is a copy from before a restart that the centre has not mentioned yet.
type orphan struct {
	copy    policy.Copy
	since   policy.Time
	service policy.Duration // at that instant
	running bool
}

// Step implements [policy.Scheduler] for a node.
func (p *part) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if p.node == nil {
		if ev.Kind != policy.Joined {
			return actions, fmt.Errorf("kairos: node %d hears %v, want Joined first", p.id, ev.Kind)
		}
		var err error
		p.node, err = p.server()
		return actions, err
	}
	p.moves = p.moves[:0]
	actions, err := p.note(ev, actions)
	if err != nil {
		return actions, err
	}
	for _, m := range p.moves {
		a := policy.Action{Copy: m.Task}
		switch m.Kind {
		case Suspend:
			a.Kind = policy.Suspend
		case Start:
			a.Kind, a.Node = policy.Start, p.id
		case Resume:
			a.Kind = policy.Resume
		}
		p.news = true
		actions = append(actions, a)
	}
	if ev.More || ev.Replay || !p.begun {
		return actions, nil
	}
	return p.wake(ev.Time, p.speak(ev.Time, actions)), nil
}

func (p *part) server() (server, error) {
	if p.adaptive {
		return newAdaptiveNode(p.cores, p.memory), nil
	}
	c := p.config.Node
	c.Cores, c.Memory = p.cores, p.memory
	n, err := NewNode[policy.Copy](c)
	if err != nil {
		return nil, err
	}
	n.tie = p.config.Tie
	return n, nil
}

// note handles an event. If it returns an error, nothing has changed.
func (p *part) note(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	var err error
	switch {
	case ev.Kind == policy.Arrived:
		return p.told(ev, actions)
	case ev.Kind == policy.Woken:
		p.alarm = policy.Never
		p.moves, err = p.node.TimersFired(ev.Time, p.moves)
	case ev.Kind == policy.Started && ev.Replay:
		p.found = append(p.found, orphan{ev.Copy, ev.Time, ev.Service, true})
	case ev.Kind == policy.Suspended:
		if i := p.orphan(ev.Copy); i >= 0 {
			p.found[i].running, p.found[i].service, p.found[i].since = false, ev.Service, ev.Time
			break
		}
		state := p.node.stateOf(ev.Copy)
		if state == 0 {
			return actions, fmt.Errorf("kairos: copy %v is suspended, and is not on node %d", ev.Copy, p.id)
		}
		if state == running && ev.Idle {
			p.stuck = append(p.stuck, ev.Copy)
		}
		if err = p.node.TaskServed(ev.Time, ev.Copy, ev.Service); err != nil {
			break
		}
		switch {
		case !ev.Idle || state != running:
			p.freed, p.heard = ev.Time, true
			actions = p.retry(actions) // its core is free, or that which it was getting back when it was suspended again
		case p.heard && p.freed == ev.Time:
			p.heard = false // a core has become free after the host had looked for one
			actions = p.retry(actions)
		}
	case ev.Kind == policy.Refused || ev.Kind.End():
		if i := p.orphan(ev.Copy); i >= 0 {
			p.found = slices.Delete(p.found, i, i+1)
			break
		}
		if p.moves, err = p.node.TaskEnded(ev.Time, ev.Copy, p.moves); err == nil {
			p.news = true
			actions = p.retry(actions)
		}
	}
	return actions, err
}

// orphan returns the index of a copy in found, -1 if it is not there.
func (p *part) orphan(c policy.Copy) int {
	return slices.IndexFunc(p.found, func(r orphan) bool { return r.copy == c })
}

// told handles a message from the centre.
func (p *part) told(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	m := &ev.Msg
	memory := saturate.To[int64](m.Value)
	var err error
	switch {
	case ev.Node != 0 || m.Kind < assign || m.Kind > withdraw:
		return actions, fmt.Errorf("kairos: node %d has a message of kind %d from node %d that it does not know", p.id, m.Kind, ev.Node)
	case m.Kind == assign:
		if p.node.len() >= p.places || !p.node.accepts(ev.Time, memory) {
			// The centre hears first that the node is full, and then that it must try another.
			p.seen = m.Seq
			actions = p.heartbeat(ev.Time, policy.Send, actions)
			return append(actions, policy.Action{Kind: policy.Send, Msg: policy.Msg{Kind: refuse, Copy: m.Copy}}), nil
		}
		if p.moves, err = p.node.TaskArrived(ev.Time, m.Copy, memory, p.moves); err != nil {
			return actions, err
		}
		p.seen, p.news = m.Seq, true
		p.taken = p.taken || p.adaptive && len(p.moves) > 1 && !p.node.silent()
	case m.Kind == adopt:
		i := p.orphan(m.Copy)
		if i < 0 {
			break // it has ended meanwhile
		}
		r := p.found[i]
		if r.running {
			r.service += ev.Time.Sub(r.since)
		}
		if err := p.node.restored(ev.Time, m.Copy, memory, r.service, r.running); err != nil {
			return actions, err
		}
		p.found = slices.Delete(p.found, i, i+1)
	case m.Kind == withdraw:
		// A copy that has been started is killed by the host.
		if p.node.stateOf(m.Copy) == waiting {
			p.moves, err = p.node.TaskEnded(ev.Time, m.Copy, p.moves)
			p.news = true
		}
	case m.Kind == begin:
		p.seen, p.begun, p.news = m.Seq, true, true // the centre knows nothing of what has been here since before a restart
		p.moves, err = p.node.fill(ev.Time, p.moves)
	}
	return actions, err
}

// retry resumes once more the copies for which the host had no core.
func (p *part) retry(actions []policy.Action) []policy.Action {
	for _, c := range p.stuck {
		if p.node.stateOf(c) == running {
			actions = append(actions, policy.Action{Kind: policy.Resume, Copy: c})
		}
	}
	p.stuck = p.stuck[:0]
	return actions
}

// speak sends a heartbeat, if it is due.
func (p *part) speak(now policy.Time, actions []policy.Action) []policy.Action {
	if p.due(now) > now {
		return actions
	}
	actions = p.heartbeat(now, policy.Post, actions)
	p.spoke, p.news, p.taken = now, false, false
	return actions
}

// due returns when the next heartbeat is due, the first one at once. The centre hears of ends from the host, so that it
// needs only the measure, which is 0 for few tasks, or the offer.
func (p *part) due(now policy.Time) policy.Time {
	pause := keepAlive
	switch {
	case p.said == 0 && !p.offered && p.node.silent():
		return policy.Never
	case p.news:
		pause = p.config.Heartbeat
	case p.node.len() == 0 || p.adaptive && !p.offered:
		return policy.Never
	}
	if p.number == 0 || p.taken {
		return now
	}
	return p.spoke.Add(pause)
}

// heartbeat sends the state of the node to the centre, by a Post, which may be lost, or by a Send.
func (p *part) heartbeat(now policy.Time, kind policy.ActionKind, actions []policy.Action) []policy.Action {
	p.number++
	m := policy.Msg{Kind: heartbeat, Seq: p.seen, Count: uint32(p.node.len()), Copy: policy.Copy{N: uint32(p.number)}}
	if m.Value, p.offered = p.node.says(now); p.offered {
		m.Copy.Job = 1
	}
	if !p.adaptive {
		p.said = m.Value
	}
	return append(actions, policy.Action{Kind: kind, Msg: m})
}

// wake sets the alarm to when a timer fires or a heartbeat is due.
func (p *part) wake(now policy.Time, actions []policy.Action) []policy.Action {
	at := p.due(now)
	if timer, ok := p.node.NextTimer(); ok {
		at = min(at, timer)
	}
	if at = max(at, now); at != p.alarm {
		p.alarm = at
		actions = append(actions, policy.Action{Kind: policy.Wake, At: at})
	}
	return actions
}
