package policytest

import (
	"slices"

	"example.com/augur/policy"
)

// put puts an event into the inbox of a part.
func (h *driven) put(to policy.NodeID, ev policy.Event) {
	if to == 0 || h.parts[to].policy != nil {
		h.parts[to].inbox = append(h.parts[to].inbox, letterTo{event: ev})
	}
}

// flush tells all parts what is in their inboxes.
func (h *driven) flush() {
	for more := true; more && h.going(); {
		more = false
		for id := range h.parts {
			for len(h.parts[id].inbox) > 0 && h.going() {
				more = true
				h.open(policy.NodeID(id), h.step)
			}
		}
	}
}

// open takes the first letter out of an inbox and has it read.
func (h *driven) open(id policy.NodeID, read func(part policy.NodeID, ev *policy.Event)) {
	p := &h.parts[id]
	l := p.inbox[0]
	p.inbox = p.inbox[1:]
	if id == 0 {
		follow, tell := h.book(&l)
		p.inbox = append(follow, p.inbox...)
		if !tell {
			return
		}
	}
	l.event.Time = h.now
	l.event.More = slices.ContainsFunc(p.inbox, func(l letterTo) bool { return id != 0 || h.tellable(&l) })
	read(id, &l.event)
}

// step tells a part of an event, and does what it wants.
func (h *driven) step(part policy.NodeID, ev *policy.Event) {
	if h.circles(part, ev) || !h.check(part, ev) {
		return
	}
	if part == 0 {
		h.world.observe(&entry{event: clone(ev)})
	}
	h.tell("%d: %s", part, tell(ev))
	actions, err := step(h.parts[part].policy, new(clone(ev)), nil)
	if err != nil {
		if !h.blind || isPanic(err) {
			h.fail(&Failure{Rule: "legal", Err: err})
		}
		return
	}
	h.compare(part, ev, actions)
	for i := range actions {
		if !h.going() {
			return
		}
		h.tell("    %s", describe(actions, i))
		if err := h.checker.Action(part, h.now, &actions[i]); err == nil {
			h.act(part, actions[i])
		} else if !h.blind {
			h.fail(failed(err))
		}
	}
}

func (h *driven) check(part policy.NodeID, ev *policy.Event) bool {
	err := h.checker.Event(part, ev)
	if err != nil {
		h.fail(failed(err))
	}
	return err == nil
}

// act sends what a part wants on its way, or does it.
func (h *driven) act(part policy.NodeID, a policy.Action) {
	o := drivenOrder{action: a, from: part}
	switch a.Kind {
	case policy.Start:
		if part != 0 {
			o.action.Node = part
			h.start(&o)
			return
		}
		j := h.job(a.Copy.Job)
		u := j.unit(a.Copy)
		u.open++
		j.open++
		u.used = max(u.used, a.Copy.N+1)
		if j.ending {
			h.put(0, policy.Event{Kind: policy.Refused, Copy: a.Copy, Partition: a.Partition})
			return
		}
		h.order(o)
	case policy.Suspend, policy.Resume, policy.Kill, policy.Report:
		if part != 0 {
			h.carryOut(&o)
			return
		}
		h.order(o)
	case policy.GiveUp:
		h.giveUp(a.Copy.Job)
	case policy.Wake:
		h.parts[part].alarm = max(a.At, h.now)
	default:
		h.mail(part, &a)
	}
}

func (h *driven) giveUp(id policy.JobID) {
	j := h.job(id)
	if j.over || j.ending {
		return
	}
	if !h.config.GivesUp && !h.blind {
		h.fail(failure("finish", "job %d is given up, which Config.GivesUp does not allow", id))
	}
	h.endJob(j, policy.GivenUp)
	h.parts[0].inbox = append(h.parts[0].inbox, h.follow(j)...)
}

// order sends an order after those that were sent before: to the node that the copy is on, or to where its Start went.
func (h *driven) order(o drivenOrder) {
	lane := o.action.Node
	if o.action.Kind != policy.Start {
		lane = h.started[o.action.Copy]
		if c := h.find(o.action.Copy); c != nil {
			lane = c.shares()[0].Node
		}
	}
	h.lanes[lane] = append(h.lanes[lane], o)
	if o.action.Kind == policy.Start {
		h.started[o.action.Copy] = lane
	}
}

// mail sends a message. What is sent to a node keeps its place among the orders from the centre, and what is
// sent to the centre that among the news.
func (h *driven) mail(from policy.NodeID, a *policy.Action) {
	l := letterTo{to: a.Node, mail: true, life: h.nodes[a.Node].known, event: policy.Event{Kind: policy.Arrived, Node: from, Msg: a.Msg}}
	switch {
	case a.Kind == policy.Post:
		h.posts = append(h.posts, l)
	case from == 0 && a.Node != 0:
		h.lanes[a.Node] = append(h.lanes[a.Node], drivenOrder{mail: &l})
	case a.Node == 0:
		h.news = append(h.news, l)
	default:
		h.sent = append(h.sent, l)
	}
}

// arrive puts a message into its receiver's inbox, unless that is another than the one it was for.
func (h *driven) arrive(l *letterTo) {
	if n := &h.nodes[l.to]; l.to == 0 || n.up && n.life == l.life && h.parts[l.to].policy != nil {
		h.parts[l.to].inbox = append(h.parts[l.to].inbox, *l)
	}
}

// carrySome carries out the first orders of one of the lanes.
func (h *driven) carrySome() {
	lane := h.in.of(len(h.lanes))
	for range len(h.lanes) {
		if len(h.lanes[lane]) > 0 {
			break
		}
		lane = (lane + 1) % len(h.lanes)
	}
	h.carry(lane, 1+h.in.of(8))
}

func (h *driven) carry(lane, n int) {
	for ; n > 0 && len(h.lanes[lane]) > 0; n-- {
		o := h.lanes[lane][0]
		h.lanes[lane] = h.lanes[lane][1:]
		h.carryOut(&o)
	}
}

// hearSome brings the centre the first news, as long as they are in the order of rule Time.
func (h *driven) hearSome() {
	n, last := 1+h.in.of(8), -1
	for ; n > 0 && len(h.news) > 0; n-- {
		class := classOf(&h.news[0].event)
		if class < last {
			return
		}
		if last < 0 {
			h.happens(class)
		}
		last, h.class = class, class
		h.bring(1)
	}
}

// bring brings the centre so many news.
func (h *driven) bring(n int) {
	h.parts[0].inbox = append(h.parts[0].inbox, h.news[:n]...)
	h.news = slices.Clone(h.news[n:])
}

func classOf(ev *policy.Event) int {
	switch k := ev.Kind; {
	case k.End():
		return ends
	case k == policy.Joined || k == policy.Left:
		return nodesChange
	case k == policy.Progress:
		return alarms
	case k == policy.Arrived:
		return messages
	}
	return answers
}

// deliver lets the first messages between nodes arrive.
func (h *driven) deliver(n int) {
	for ; n > 0 && len(h.sent) > 0; n-- {
		l := h.sent[0]
		h.sent = h.sent[1:]
		h.arrive(&l)
	}
}

// post lets one of the posts arrive, or arrive and stay under way, or be lost.
func (h *driven) post() {
	if len(h.posts) == 0 {
		return
	}
	h.happens(messages)
	i := h.in.of(len(h.posts[:min(len(h.posts), 256)]))
	fate := h.in.of(6)
	if fate != 1 {
		h.arrive(&h.posts[i])
	}
	if fate != 2 {
		h.posts = slices.Delete(h.posts, i, i+1)
	}
}

// pump lets all that is under way arrive, and all that this brings about.
func (h *driven) pump() {
	for busy := true; busy && h.going(); {
		h.flush()
		busy = len(h.news)+len(h.sent) > 0
		for lane := range h.lanes {
			busy = busy || len(h.lanes[lane]) > 0
			h.carry(lane, len(h.lanes[lane]))
		}
		h.bring(len(h.news))
		h.deliver(len(h.sent))
		for h.calmed && len(h.posts) > 0 {
			h.arrive(&h.posts[0])
			h.posts, busy = h.posts[1:], true
		}
		if busy {
			h.class = answers
		}
	}
}
