package policytest

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A watch measures how long room is idle beside waiting work.
type watch struct {
	jumps  []sim.Jump      // of the clock, in the scene
	nodes  []policy.Node   // with those that are gone for now
	mail   policy.Duration // for how long of a stretch messages may be under way; below 0: for as long as they are
	trying policy.Duration // for how long of a stretch who was Refused may wait

	perNode, inAll policy.Duration // for how long room may stand empty
	story          func() string   // of a stretch that has for longer

	keeps func(policy.Task, policy.NodeID) bool // as Config.Keeps, of the present policy; nil: it keeps nothing

	state   *sim.State // nil until time passes for the first time
	claimed int64      // cores, see there
	rooms   []idle     // the present stretch of each node, by ID less 1
	empty   idle       // and of the whole cluster, with nothing running
	refused bool       // nothing but Refused has been told since the last Refused: one waits (No circles)
	bound   map[policy.Task]policy.NodeID
	alarms  map[policy.NodeID]policy.Time

	node, whole idle // the longest of any node, and of the whole cluster
}

// defaultHops suits a policy whose nodes take work from each other: an idle node reports it; the centre asks another node
// to give work up; that node does; the work is sent to the idle node, which requests and gets it.
const defaultHops = 6

func newWatch(sc *sim.Config, c *Config) *watch {
	w := &watch{
		jumps: sc.Faults.Jumps, nodes: sc.Nodes, rooms: make([]idle, len(sc.Nodes)),
		perNode: max(c.Patience, c.NodePatience), inAll: c.Patience,
		mail: policy.Duration(cmp.Or(c.Hops, defaultHops)) * sc.Delay,
	}
	if sc.Faults.ActionLate > 0 {
		w.mail = -1
	}
	w.restart()
	return w
}

// idle is a stretch of time in which room was idle beside waiting work. It ends when no waiting work fits any more,
// so also when all room is taken, even if it is free again in the same instant. It starts again when a
// node is lost: the policy must ask again, and may wait before it does.
//
// Time does not count while something is under way that may take this room, or that the policy has not heard of: an
// order or a report about the node, a message to or from the node, or a cause of Claimed cores. Nor does it count
// while an alarm is late, the clock jumps, or a refused task waits for an event of another kind (No circles), but at
// most for as long as the longest task takes: the end of what held the room is an event, and a task that is Refused
// for longer causes it.
type idle struct {
	span   policy.Duration
	tried  policy.Duration // that did not count, as somebody had been Refused
	mail   policy.Duration // that did not count, as a message was under way
	since  policy.Time
	node   policy.NodeID
	beside policy.Task
	tale   string // the last events when it was over what is allowed, and the longest so far
}

func (i *idle) lasts() bool { return i.beside != (policy.Task{}) }

// more adds a time to a stretch, or begins it, and keeps the longest.
func (w *watch) more(i, longest *idle, span, limit policy.Duration, since policy.Time, node policy.NodeID, beside policy.Task) {
	if !i.lasts() {
		i.since = since
	}
	i.span += span
	if i.node, i.beside = node, beside; i.span <= longest.span {
		return
	}
	if i.span > limit && i.tale == "" && w.story != nil {
		i.tale = w.story()
	}
	*longest = *i
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

// pause looks at a time in which nothing happens.
func (w *watch) pause(st *sim.State, now, due policy.Time) {
	w.state = st
	waiting := w.waiting()
	room, coming, mail, all, busy := idle{}, false, false, true, w.claimed > 0
	for i := range w.rooms {
		n := policy.NodeID(i + 1)
		cores, _, _, up := st.Room(n)
		if all = all && up; !up {
			w.rooms[i] = idle{}
			continue
		}
		busy = busy || cores < w.nodes[i].Cores
		span, comes, mails := w.span(now, due, n), st.Coming(n), st.Mail(n)
		coming, mail = coming || comes, mail || mails
		if comes {
			span = 0
		}
		task, beside := w.beside(waiting, n)
		if beside {
			span = w.lasts(&w.rooms[i], span, mails)
		}
		if !beside {
			w.rooms[i] = idle{}
			continue
		}
		w.more(&w.rooms[i], &w.node, span, w.perNode, now, n, task)
		room = w.rooms[i]
	}
	if busy || !all || !room.lasts() { // else whatever comes first has room
		w.empty = idle{}
		return
	}
	span := w.span(now, due, 0)
	if coming {
		span = 0
	}
	w.more(&w.empty, &w.whole, w.lasts(&w.empty, span, mail), w.inAll, now, room.node, room.beside)
}

// span returns how much of a time counts on a node, or, for 0, on all together, but for what is under way and excused.
func (w *watch) span(from, to policy.Time, id policy.NodeID) policy.Duration {
	for part, at := range w.alarms {
		if id == 0 || part == 0 || part == id {
			to = min(to, max(at, from))
		}
	}
	span := to.Sub(from)
	for _, j := range w.jumps {
		span -= max(0, min(to, j.At.Add(j.For)).Sub(max(from, j.At)))
	}
	return max(0, span)
}

// lasts returns how much of a time adds to a stretch.
func (w *watch) lasts(i *idle, span policy.Duration, mail bool) policy.Duration {
	if w.refused {
		span = excused(&i.tried, w.trying, span)
	}
	if mail {
		span = excused(&i.mail, w.mail, span)
	}
	return span
}

// waiting returns some of the work that waits: of each stage, one unit that may run anywhere, and
// those that are bound to a node.
func (w *watch) waiting() (list []sim.Waiting) {
	w.claimed = w.state.Claimed()
	last := policy.Task{}
	for x := range w.state.Waiting() {
		to, bound := w.bound[x.Task]
		stage := policy.Task{Job: x.Task.Job, Stage: x.Task.Stage}
		if bound && !x.Suspended { // another copy than the one that is suspended may be
			x.Node = to
		} else if x.Node == 0 && stage == last {
			continue
		} else if x.Node == 0 {
			last = stage
		}
		list = append(list, x)
	}
	return list
}

// beside returns which of the work that waits has room on a node, and false if none has.
func (w *watch) beside(waiting []sim.Waiting, id policy.NodeID) (policy.Task, bool) {
	i := slices.IndexFunc(waiting, func(x sim.Waiting) bool {
		return (x.Node == 0 || x.Node == id) && w.fits(x, id) && (x.Suspended || w.keeps == nil || !w.keeps(x.Task, id))
	})
	if i < 0 {
		return policy.Task{}, false
	}
	return waiting[i].Task, true
}

// fits reports whether there is room for work on a node, or, for a gang, there and elsewhere.
func (w *watch) fits(x sim.Waiting, id policy.NodeID) bool {
	fit := func(id policy.NodeID) int64 {
		cores, memory, stock, up := w.state.Room(id)
		if !up {
			return 0
		}
		k := max(0, (int64(cores)-w.claimed)/int64(x.Stage.Cores))
		if !x.Suspended && x.Stage.Memory > 0 {
			k = min(k, memory/x.Stage.Memory)
		}
		if !x.Suspended {
			k = min(k, int64(stock.Fits(x.Stage)))
		}
		return k
	}
	room := fit(id)
	if room == 0 || !x.Stage.Gang {
		return room > 0
	}
	room = 0
	for i := range w.nodes {
		room += fit(policy.NodeID(i + 1))
	}
	return room >= int64(x.Stage.Tasks)
}

// told takes note of an event, and ends the stretches of room that has been taken meanwhile.
func (w *watch) told(part policy.NodeID, ev *policy.Event) {
	if ev.Kind == policy.Refused {
		w.refused = true
	} else if part == 0 {
		w.refused = false
	}
	switch {
	case ev.Kind == policy.Woken:
		delete(w.alarms, part)
	case part != 0:
	case ev.Kind == policy.Arrived: // what a node gives back was bound to it until now
		delete(w.bound, ev.Msg.Copy.Task)
	case ev.Kind == policy.Started || ev.Kind == policy.Refused || ev.Kind.End():
		delete(w.bound, ev.Copy.Task)
	case ev.Kind == policy.Left:
		w.anew()
		delete(w.alarms, ev.Node)
		for task, to := range w.bound {
			if to == ev.Node {
				delete(w.bound, task)
			}
		}
	}
	w.taken()
}

// taken ends the stretches of room that nothing that waits has any more.
func (w *watch) taken() {
	if w.state == nil {
		return
	}
	var waiting []sim.Waiting
	for i := range w.rooms {
		if !w.rooms[i].lasts() {
			continue
		}
		if waiting == nil { // mostly there is no stretch to end
			waiting = w.waiting()
		}
		if _, beside := w.beside(waiting, policy.NodeID(i+1)); !beside {
			w.rooms[i] = idle{}
		}
		if cores, _, _, up := w.state.Room(policy.NodeID(i + 1)); !up || cores < w.nodes[i].Cores {
			w.empty = idle{}
		}
	}
}

// acted takes note of what a part has asked for.
func (w *watch) acted(part policy.NodeID, a *policy.Action) {
	switch {
	case a.Kind == policy.Send && a.Node != 0 && a.Msg.Copy.Job != 0:
		w.bound[a.Msg.Copy.Task] = a.Node
	case a.Kind == policy.Wake:
		if delete(w.alarms, part); a.At != policy.Never {
			w.alarms[part] = a.At
		}
	}
}

// anew begins all stretches anew.
func (w *watch) anew() {
	w.empty = idle{}
	clear(w.rooms)
}

// restart forgets what the policy does that is no more.
func (w *watch) restart() {
	w.bound, w.alarms, w.refused = map[policy.Task]policy.NodeID{}, map[policy.NodeID]policy.Time{}, false
	w.anew()
}
