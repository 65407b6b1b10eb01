package probing

import (
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// Part implements [policy.Distributed].
func (p *Scheduler) Part(n *policy.Node) policy.Scheduler {
	a := &part{id: n.ID, kind: p.kind, free: int64(n.Cores), memory: n.Memory, limited: n.Memory > 0}
	if p.kind == eagle {
		a.queue.bypass = p.config.Bypass
	}
	return a
}

// part is the part on a node: a queue of probes and long tasks. While it
// waits for the centre's answer, or for its task to start, a probe holds its cores and its
// memory.
type part struct {
	id   policy.NodeID
	kind kind

	free    int64 // cores; may be below 0 for a while after a restart
	memory  int64 // free, likewise
	limited bool  // memory is accounted for
	longs   int   // long tasks in the queue and among held that run
	queue   probeQueue
	asked   []probe // whose turn has come; answers come in this order
	given   []probe // tasks that were given and wait for room
	held    []probe // started, or being started
	thief   bool    // it has asked for something to do, and nothing has come since
}

// Step implements [policy.Scheduler].
func (p *part) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	idle := false // it may have become so
	switch {
	case ev.Kind == policy.Arrived && ev.Node == 0:
		actions, idle = p.arrived(&ev.Msg, actions)
	case ev.Replay && ev.Kind == policy.Started:
		// The centre says later how many cores it holds, if more than one.
		p.free--
		b := probe{job: ev.Copy.Job, cores: 1}
		b.bind(ev.Copy)
		p.held = append(p.held, b)
	case ev.Kind == policy.Refused, ev.Kind.End():
		idle = p.over(ev)
	}
	if ev.Replay {
		return actions, nil
	}
	actions = p.serve(actions)
	if idle && p.kind == hawk && !p.thief && p.free > 0 && len(p.queue.probes)+len(p.asked)+len(p.given) == 0 {
		p.thief = true
		actions = append(actions, p.tell(policy.Msg{Kind: msgIdle}))
	}
	return actions, nil
}

func (p *part) tell(m policy.Msg) policy.Action {
	return policy.Action{Kind: policy.Send, Msg: m}
}

// arrived takes note of a message from the centre.
func (p *part) arrived(m *policy.Msg, actions []policy.Action) (_ []policy.Action, idle bool) {
	switch m.Kind {
	case msgProbe:
		p.thief = false
		if p.kind == eagle && p.longs > 0 && m.Copy.Index < roundShort {
			reject := policy.Msg{Kind: msgReject, Count: m.Count}
			reject.Copy.Job, reject.Copy.Index = m.Copy.Job, m.Copy.Index
			return append(actions, p.tell(reject)), false
		}
		p.queue.push(probe{
			job: m.Copy.Job, estimate: duration(m.Seq), left: m.Copy.Stage,
			slot: m.Count, cores: cores(m.Copy.N), memory: memory(m.Value),
		})
	case msgLong:
		p.thief = false
		p.longs++
		b := probe{job: m.Copy.Job, estimate: duration(m.Seq), long: true, cores: cores(m.Count), memory: memory(m.Value)}
		b.bind(m.Copy)
		p.queue.push(b)
	case msgGive, msgGiveMore:
		if len(p.asked) == 0 || p.asked[0].job != m.Copy.Job {
			return actions, false // it was for the part that was here before the node left
		}
		b := p.answered()
		b.bind(m.Copy)
		b.cores, b.memory = cores(m.Count), memory(m.Value)
		if b.sticky = m.Kind == msgGiveMore; b.sticky {
			b.left = uint32(min(m.Seq, math.MaxUint32))
		}
		p.given = append(p.given, b)
	case msgNone:
		if len(p.asked) == 0 || p.asked[0].job != m.Copy.Job || p.asked[0].slot != m.Count {
			return actions, false // the answer to the part that was here before the node left
		}
		p.queue.cancel(p.answered())
		if m.Seq == 1 {
			actions = p.giveUp(m.Copy.Job, actions)
		}
		return actions, true
	case msgRob:
		return p.robbed(m, actions), false
	case msgNoLoot:
		p.thief = false
		return actions, m.Seq == 1
	case msgHeld:
		if i := p.find(m.Copy); i >= 0 {
			h := &p.held[i]
			p.give(h)
			h.cores, h.memory = cores(m.Count), memory(m.Value)
			p.take(h)
			if m.Seq == 1 && !h.long {
				h.long = true
				p.longs++
			}
		}
	}
	return actions, false
}

// giveUp gives up the probes of a job of which nothing waits. The centre hears of each, as a task may
// wait again meanwhile, and a number that is on its way must not be used again.
func (p *part) giveUp(job policy.JobID, actions []policy.Action) []policy.Action {
	to := p.queue.until(job)
	kept := slices.DeleteFunc(p.queue.probes[:to], func(b probe) bool {
		if b.job != job || b.bound {
			return false
		}
		actions = append(actions, p.loot(&b, 0))
		p.queue.uncount(&b)
		return true
	})
	p.queue.remove(len(kept), to)
	return actions
}

// loot tells the centre that a probe is given up, for a thief or, 0, for nobody.
func (p *part) loot(b *probe, thief uint64) policy.Action {
	m := policy.Msg{Kind: msgLoot, Count: b.slot, Seq: thief}
	m.Copy.Job = b.job
	return p.tell(m)
}

// answered takes the first probe out of those that wait for an answer, and frees what it holds.
func (p *part) answered() probe {
	probe := p.asked[0]
	p.asked = slices.Delete(p.asked, 0, 1)
	p.give(&probe)
	return probe
}

// over frees what a copy held that has ended, or was refused. A sticky probe comes
// back to its place, to ask for the next task of the same job when its turn comes.
func (p *part) over(ev *policy.Event) (idle bool) {
	i := p.find(ev.Copy)
	if i < 0 {
		return false
	}
	h := p.held[i]
	p.held = slices.Delete(p.held, i, i+1)
	p.give(&h)
	if h.long {
		p.longs--
	}
	if h.sticky && ev.Kind != policy.Refused { // after that, the centre probes anew: see No circles
		h.bound, h.sticky = false, false
		p.queue.putBack(h)
	}
	return true
}

func (p *part) find(c policy.Copy) int {
	return slices.IndexFunc(p.held, func(h probe) bool { return h.task() == c })
}

// serve starts what was given and asks for more, as long as cores are free. Whose turn it
// is waits until there are enough for it, and memory.
func (p *part) serve(actions []policy.Action) []policy.Action {
	for len(p.given) > 0 {
		if !p.holds(&p.given[0]) {
			return actions
		}
		actions = p.start(p.given[0], actions)
		p.given = slices.Delete(p.given, 0, 1)
	}
	for p.free > 0 {
		i, ok := p.queue.next()
		if !ok || !p.holds(&p.queue.probes[i]) {
			break
		}
		probe := p.queue.take(i)
		if probe.bound {
			actions = p.start(probe, actions)
			continue
		}
		p.take(&probe)
		p.asked = append(p.asked, probe)
		ask := policy.Msg{Kind: msgAsk, Count: probe.slot}
		ask.Copy.Job = probe.job
		actions = append(actions, p.tell(ask))
	}
	return actions
}

func (p *part) start(probe probe, actions []policy.Action) []policy.Action {
	p.take(&probe)
	p.held = append(p.held, probe)
	return append(actions, policy.Action{Kind: policy.Start, Node: p.id, Copy: probe.task()})
}

// holds reports whether there is room for what a probe stands for; take and give hold that much
// for it, and free it.
func (p *part) holds(b *probe) bool {
	return int64(b.cores) <= p.free && (!p.limited || b.memory <= p.memory)
}

func (p *part) take(b *probe) {
	p.free -= int64(b.cores)
	if p.limited {
		p.memory -= b.memory
	}
}

func (p *part) give(b *probe) {
	p.free += int64(b.cores)
	if p.limited {
		p.memory += b.memory
	}
}

// robbed gives up the probes that wait behind a long task.
func (p *part) robbed(m *policy.Msg, actions []policy.Action) []policy.Action {
	running := slices.ContainsFunc(p.held, func(h probe) bool { return h.long })
	from, to := p.queue.blocked(running)
	if from == to {
		return append(actions, p.tell(policy.Msg{Kind: msgEmpty, Seq: m.Seq, Count: m.Count}))
	}
	for i := from; i < to; i++ {
		b := &p.queue.probes[i]
		actions = append(actions, p.loot(b, m.Seq))
		p.queue.uncount(b)
	}
	actions[len(actions)-1].Msg.Copy.Index = 1
	p.queue.remove(from, to)
	return actions
}

// inMessage returns so many bytes as the Value of a message, which is exact up to 2^53; more count as
// that, so that no task seems too large for a node that could just hold it.
func inMessage(bytes int64) float64 { return float64(min(bytes, 1<<53)) }

// duration, cores and memory read what a message says, and keep to what can be.
func duration(x uint64) policy.Duration { return policy.Duration(min(x, uint64(policy.Never))) }

func cores(x uint32) int32 { return int32(min(max(x, 1), math.MaxInt32)) }

func memory(x float64) int64 { return saturate.To[int64](min(max(x, 0), 1<<53)) }
