package policytest

import (
	"cmp"
	"maps"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A watch looks at how long room stands empty beside work.
type watch struct {
	jumps  []sim.Jump      // of the clock, in the scene
	size   int             // how many nodes there are, with those that are gone for now
	mail   policy.Duration // for how long of a stretch messages may be under way; below 0: for as long as they are
	trying policy.Duration // for how long of a stretch who was Refused may wait, and then for the answer to its next try

	// For how long room may stand empty, and who tells the story of a stretch that has for longer.
	perNode, inAll policy.Duration
	story          func() string

	keeps func(policy.Task, policy.NodeID) bool // as Config.Keeps, of the present policy; nil: it keeps nothing

	node  idle // the longest of any node
	whole idle // the longest of the whole cluster, with nothing running
	empty idle // the present one of the whole cluster

	passed, counted policy.Duration // times nodes; what has counted, or would have, had there been room
}

// defaultHops are those of a policy whose nodes take work from one another: who has nothing to do says so, somebody is asked
// to give work up, gives it up, it is sent on, asked for when its turn has come, and given.
const defaultHops = 6

// watched makes a ledger that watches, for a scene.
func watched(sc *sim.Config, c *Config) *ledger {
	l := newLedger()
	l.watch = &watch{
		jumps: sc.Faults.Jumps, size: len(sc.Nodes), perNode: max(c.Patience, c.NodePatience), inAll: c.Patience,
		mail: policy.Duration(cmp.Or(c.Hops, defaultHops)) * sc.Delay,
	}
	if sc.Faults.ActionLate > 0 || sc.Faults.ActionForgotten > 0 {
		l.watch.mail = -1
	}
	return l
}

// idle is a stretch of time in which room stood empty beside work. It ends where nothing waits any more that has
// room, and so when all the room has been asked for, though it may then be free again in the same instant. It begins anew
// when the host has failed to do something or has lost a node: the policy must ask again, and may wait before it does.
//
// Time does not count while something is under way that may take this room: a Start or a Resume, which claims it, a Suspend
// or Kill of a copy there, or a message to the node or from it. Nor does it while an alarm is late, the clock jumps, or who was
// Refused waits for an event of another kind (No circles) and then for the answer to what it tries: what looks like room was
// none. All of that but messages is the policy's at large and not a node's, and so it does not count for as long as the
// longest task takes: the end of what held the room is an event, and whoever is Refused for longer provokes it.
type idle struct {
	span   policy.Duration
	tried  policy.Duration // that did not count, as somebody had been Refused
	mail   policy.Duration // that did not count, as a message was under way
	since  policy.Time
	node   policy.NodeID
	beside policy.Task
	tale   string // the last events when it was over what is allowed, and the longest so far
}

// more adds a stretch to it, or begins it anew.
func (i *idle) more(span policy.Duration, since policy.Time, node policy.NodeID, beside policy.Task) {
	if i.beside == (policy.Task{}) {
		i.since = since
	}
	i.span += span
	i.node, i.beside = node, beside
}

// tell tells a stretch's story once it is over the limit.
func (w *watch) tell(i *idle, limit policy.Duration) {
	if i.span > limit && i.tale == "" && w.story != nil {
		i.tale = w.story()
	}
}

// lasts returns how much of a time adds to a stretch, on a node, or, for 0, on all together.
func (l *ledger) lasts(i *idle, span policy.Duration, id policy.NodeID) policy.Duration {
	if l.tries() {
		span = excused(&i.tried, l.watch.trying, span)
	}
	if l.posted(id) {
		span = excused(&i.mail, l.watch.mail, span)
	}
	return span
}

// excused takes from a time what does not count: up to a limit for the whole stretch, or, if that is below 0, all.
func excused(so *policy.Duration, limit, span policy.Duration) policy.Duration {
	part := span
	if limit >= 0 {
		part = max(0, min(span, limit-*so))
	}
	*so += part
	return span - part
}

// pass lets time go on: what stood empty has stood empty until then.
func (l *ledger) pass(to policy.Time) {
	w := l.watch
	waiting := l.waiting()
	l.claim()
	any := idle{}
	for _, id := range slices.Sorted(maps.Keys(l.nodes)) {
		n := l.nodes[id]
		span, k := l.counts(to, id), l.beside(waiting, id)
		if k >= 0 {
			span = l.lasts(&n.idle, span, id)
		}
		w.passed, w.counted = w.passed+to.Sub(l.now), w.counted+span
		if k < 0 {
			n.idle = idle{}
			continue
		}
		n.idle.more(span, l.now, id, waiting[k].task)
		if n.idle.span > w.node.span {
			w.tell(&n.idle, w.perNode)
			w.node = n.idle
		}
		any = n.idle
	}
	if l.started() || any.beside == (policy.Task{}) || len(l.nodes) < w.size { // else whatever comes first has room
		w.empty = idle{}
		return
	}
	span := l.lasts(&w.empty, l.counts(to, 0), 0)
	if w.empty.more(span, l.now, any.node, any.beside); w.empty.span > w.whole.span {
		w.tell(&w.empty, w.inAll)
		w.whole = w.empty
	}
}

// anew begins all stretches anew.
func (l *ledger) anew() {
	if l.watch == nil {
		return
	}
	l.watch.empty = idle{}
	for _, n := range l.nodes {
		n.idle = idle{}
	}
}

// decided ends the stretches of what has been asked for.
func (l *ledger) decided() {
	if l.started() {
		l.watch.empty = idle{}
	}
	var waiting []work
	looked := false // at what waits: mostly there is no stretch to end
	for id, n := range l.nodes {
		if n.idle.beside == (policy.Task{}) {
			continue
		}
		if !looked {
			looked, waiting = true, l.waiting()
			l.claim()
		}
		if l.beside(waiting, id) < 0 {
			n.idle = idle{}
		}
	}
}

// started reports whether a copy runs or is being started.
func (l *ledger) started() bool {
	for _, p := range l.copies {
		if p.holds() {
			return true
		}
	}
	return false
}

// beside returns which of the work that waits has room on a node, -1 if none has.
func (l *ledger) beside(waiting []work, id policy.NodeID) int {
	n := l.nodes[id]
	return slices.IndexFunc(waiting, func(w work) bool {
		return (w.node == 0 || w.node == id) && l.fits(w, n) && (w.stands || l.watch.keeps == nil || !l.watch.keeps(w.task, id))
	})
}

// claim sets apart on each node what Starts under way may take there though they do not name it: those that name no node, and
// those on nodes that are full meanwhile. A policy that counts the free cores of all nodes together counts these as taken.
func (l *ledger) claim() {
	crowded := int64(0)
	for _, n := range l.nodes {
		n.claimed, n.claimedMemory = 0, 0
		crowded -= min(0, n.cores)
	}
	for _, p := range l.copies {
		if !p.asked || len(p.where) > 0 {
			continue
		}
		tasks := int64(1)
		if p.stage.Gang {
			tasks = int64(p.stage.Tasks)
		}
		for id, n := range l.nodes {
			if p.named != 0 && p.named != id || p.partition != 0 && p.partition != n.info.Partition {
				continue
			}
			n.claimed += tasks * int64(p.stage.Cores)
			n.claimedMemory += tasks * p.stage.Memory
		}
	}
	for _, n := range l.nodes {
		n.claimed += crowded
	}
}

// posted reports whether a message is under way to a node or from it, or, for 0, any.
func (l *ledger) posted(id policy.NodeID) bool {
	for at, q := range l.sent {
		if len(q) > 0 && (id == 0 || at.from == id || at.to == id) {
			return true
		}
	}
	return false
}

// tries reports whether who was Refused waits for an event, or for the answer to what it tries then. (Of a Start
// that names its node it is known what room it may take.)
func (l *ledger) tries() bool {
	if l.refused {
		return true
	}
	for _, p := range l.copies {
		if p.asked && p.trial && p.named == 0 {
			return true
		}
	}
	return false
}

// counts returns how much of the time until then counts on a node, or, for 0, on all together, but for what is excused.
func (l *ledger) counts(to policy.Time, id policy.NodeID) policy.Duration {
	from := l.now
	for _, p := range l.copies {
		here := id == 0 || slices.ContainsFunc(p.where, func(s policy.Share) bool { return s.Node == id })
		if here && (p.killed || !p.stands && p.last(policy.Suspend)) {
			return 0
		}
	}
	for part, at := range l.alarms {
		if id == 0 || part == 0 || part == id {
			to = min(to, max(at, from))
		}
	}
	span := to.Sub(from)
	for _, j := range l.watch.jumps {
		span -= max(0, min(to, j.At.Add(j.For)).Sub(max(from, j.At)))
	}
	return max(0, span)
}
