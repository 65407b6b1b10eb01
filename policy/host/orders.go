package host

import (
	"iter"
	"maps"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/journal"
)

// carryOut does what a part wants done. What concerns a machine waits until what was to be suspended or killed there before is.
func (e *Engine) carryOut(o journal.Order) error {
	r := e.copies[o.Copy]
	switch {
	case o.Kind == policy.Send || o.Kind == policy.Post:
		if o.Node != 0 && e.nodes[o.Node] == nil {
			return nil // it is lost with its node
		}
		return e.tell(o.Node, policy.Event{Kind: policy.Arrived, Node: o.Part, Msg: o.Msg})
	case r == nil && o.Kind == policy.Start: // by a part that does not know yet that the job has ended
		return e.tell(o.Part, policy.Event{Kind: policy.Refused, Copy: o.Copy, Partition: o.Partition})
	case r == nil: // GiveUp is in the books, and what has ended needs no orders
		return nil
	case o.Kind == policy.Start:
		if r.to = o.Node; o.Part != 0 {
			r.to = o.Part
		}
		o.Node = r.to
	}
	id := r.to
	if len(r.seats) > 0 {
		id = r.seats[0].node
	}
	n := e.nodes[id]
	if n == nil {
		return e.act(nil, &o.Action)
	}
	n.held = append(n.held, o)
	return e.pump(n)
}

// pump carries out what was held on a machine, in its order. A Suspend or Resume that was taken back meanwhile is dropped.
func (e *Engine) pump(n *node) error {
	for len(n.held) > 0 && !n.leaves && !n.tells {
		a := n.held[0]
		late := (a.Kind == policy.Suspend || a.Kind == policy.Resume) && !e.ledger.Wants(&a)
		if !late && (a.Kind == policy.Start || a.Kind == policy.Resume) && len(n.blocks) > 0 {
			return nil
		}
		if n.held = n.held[1:]; late {
			continue
		}
		if err := e.act(n, &a.Action); err != nil {
			return err
		}
	}
	return nil
}

// act carries out an action, of a Start on a machine unless that is nil.
func (e *Engine) act(n *node, a *policy.Action) error {
	r := e.copies[a.Copy]
	switch {
	case r == nil:
	case a.Kind == policy.Start:
		return e.start(n, r, a)
	case len(r.seats) == 0: // its Start was refused
	case a.Kind == policy.Resume:
		return e.resume(r)
	case a.Kind == policy.Report:
		e.timers.Push(timer{at: a.At, copy: a.Copy, report: true})
	default:
		r.saving = r.saving || a.Save
		for i := range r.live() {
			s := &r.seats[i]
			at := e.nodes[s.node]
			if a.Kind == policy.Suspend && (s.stands || at.blocks[r.Copy] == policy.Suspend) {
				continue
			}
			if !a.Save {
				at.blocks[r.Copy] = a.Kind
			}
			e.command(at, order(a))
		}
	}
	return nil
}

// command gives a machine an order once the reason is on disk.
func (e *Engine) command(n *node, o Order) {
	if len(n.out) == 0 {
		e.outs = append(e.outs, n)
	}
	n.out = append(n.out, o)
}

// order is what a machine is to do of a Suspend or a Kill.
func order(a *policy.Action) Order { return Order{Do: a.Kind, Copy: a.Copy, Save: a.Save} }

// start answers a Start, and orders it.
func (e *Engine) start(n *node, r *running, a *policy.Action) error {
	if gone := a.Node != 0 && n == nil; gone || r.job.outcome != 0 || r.job.task(r.Task).done {
		e.woken = e.woken || gone
		return e.refuse(r)
	}
	stage := r.stage()
	if stage.Gang {
		return e.startGang(n, r, a)
	}
	if n == nil {
		n = e.place(stage, r.Index, a.Partition)
	} else if !n.fits(stage) {
		n = nil
	}
	if n == nil {
		return e.refuse(r)
	}
	ev := policy.Event{Kind: policy.Started, Copy: r.Copy, Node: n.info.ID, Partition: r.named}
	if stage.Needs != nil {
		ev.Devices, _ = n.stock.Take(stage) // which fits
		n.stock.Add(stage, ev.Devices, 1)   // until the books take it
	}
	ev.Service = e.takesOver(r, e.factor(r, n.info.ID, r.Index))
	if err := e.inform(ev); err != nil {
		return err
	}
	e.send(r)
	return nil
}

// startGang places the tasks of a gang, all on one machine if that is given, else on those with the most free cores of each partition.
func (e *Engine) startGang(n *node, r *running, a *policy.Action) error {
	stage := r.stage()
	ev := policy.Event{Kind: policy.Started, Copy: r.Copy, Partition: r.named}
	left, factor := int64(stage.Tasks), 0.0
	machines := []*node{n}
	if n == nil {
		machines = nil
		for _, p := range slices.Sorted(maps.Keys(e.free)) {
			machines = append(machines, e.free[p]...)
		}
	}
	for _, at := range machines {
		if left == 0 || a.Partition != 0 && at.info.Partition != a.Partition {
			continue
		}
		here := min(left, at.room(stage))
		for range here {
			factor = max(factor, e.factor(r, at.info.ID, uint32(int64(stage.Tasks)-left)))
			left--
		}
		ev.Gang = at.share(ev.Gang, stage, here)
	}
	if left > 0 {
		return e.refuse(r)
	}
	ev.Service = e.takesOver(r, factor)
	if err := e.inform(ev); err != nil {
		return err
	}
	e.send(r)
	return nil
}

// send orders the Start of a copy that the policy knows to be started.
func (e *Engine) send(r *running) {
	for _, s := range r.seats {
		n := e.nodes[s.node]
		e.command(n, Order{Do: policy.Start, Copy: r.Copy, Name: r.job.Name, Data: r.job.Data, Stage: r.stage(), Node: s.node, Devices: r.devices, Gang: r.shares, Saved: r.service})
	}
}

// factor returns how many times longer a task of a copy's stage runs on a machine than at speed 1 where the stage prefers.
func (e *Engine) factor(r *running, on policy.NodeID, index uint32) float64 {
	n := e.nodes[on]
	return r.stage().Slowdown(n.info.Partition, n.info.Speed, r.stage().Local(index, on))
}

// slowest is factor for a copy that has its seats: that of its slowest task.
func (e *Engine) slowest(r *running) (factor float64) {
	index := r.Index
	for _, s := range r.seats {
		for range s.tasks {
			factor = max(factor, e.factor(r, s.node, index))
			index++
		}
	}
	return factor
}

// takesOver returns what a copy goes on from, in the time of its machine.
func (e *Engine) takesOver(r *running, factor float64) policy.Duration {
	return saturate.To[policy.Duration](math.Round(float64(r.job.task(r.Task).saved) * factor))
}

// place returns the machine for a task that may start anywhere, or in a partition: where its input is, else where the stage
// prefers, else the one with the most free cores, ties by ID. It returns nil if none has room. It looks at the machines that have
// the cores until one has the rest too.
func (e *Engine) place(stage *policy.Stage, index uint32, p policy.PartitionID) (best *node) {
	score := func(n *node) (s int64) {
		if len(stage.Holders) > 0 && stage.Local(index, n.info.ID) {
			s += 1 << 40
		}
		if stage.Prefers(n.info.Partition) {
			s += 1 << 39
		}
		return s + n.cores
	}
	try := func(n *node) bool {
		if n == nil || p != 0 && n.info.Partition != p || !n.fits(stage) {
			return false
		}
		if best == nil || score(n) > score(best) || score(n) == score(best) && n.info.ID < best.info.ID {
			best = n
		}
		return true
	}
	for _, id := range stage.HoldersOf(index) {
		try(e.nodes[id])
	}
	for q, free := range e.free {
		for _, n := range free {
			if p != 0 && p != q || n.cores < int64(stage.Cores) || try(n) {
				break
			}
		}
	}
	return best
}

// room returns how many tasks of a stage fit on a machine: none if it is silent.
func (n *node) room(stage *policy.Stage) int64 {
	if n.link == nil || n.leaves {
		return 0
	}
	room := max(0, n.cores) / int64(stage.Cores)
	if n.info.Memory > 0 && stage.Memory > 0 {
		room = min(room, max(0, n.memory)/stage.Memory)
	}
	if stage.Needs != nil {
		room = min(room, int64(n.stock.Fits(stage)))
	}
	return room
}

func (n *node) fits(stage *policy.Stage) bool { return n.room(stage) > 0 }

// share adds tasks of a gang on a machine: those with the same devices are one Share.
func (n *node) share(gang []policy.Share, stage *policy.Stage, tasks int64) []policy.Share {
	first := len(gang)
	for range tasks {
		var devices policy.Devices
		if stage.Needs != nil {
			devices, _ = n.stock.Take(stage) // which fits
		}
		if at := slices.IndexFunc(gang[first:], func(x policy.Share) bool { return x.Devices == devices }); at >= 0 {
			gang[first+at].Tasks++
		} else {
			gang = append(gang, policy.Share{Node: n.info.ID, Tasks: 1, Devices: devices})
		}
	}
	for _, x := range gang[first:] {
		if stage.Needs != nil {
			n.stock.Add(stage, x.Devices, int64(x.Tasks)) // until the books take it
		}
	}
	return gang
}

// refuse refuses a Start. The part may have meant the room of a machine that is silent, so it hears Woken when one joins.
func (e *Engine) refuse(r *running) error {
	if err := e.tell(r.part, policy.Event{Kind: policy.Refused, Copy: r.Copy, Partition: r.named}); err != nil {
		return err
	}
	return e.pass()
}

// resume lets a suspended copy go on if there are cores for it.
func (e *Engine) resume(r *running) error {
	if !r.stands {
		return nil
	}
	ev := policy.Event{Kind: policy.Resumed, Copy: r.Copy, Node: r.node, Gang: r.shares, Devices: r.devices, Service: r.service}
	for _, s := range r.seats {
		if n := e.nodes[s.node]; n.cores < int64(r.stage().Cores)*int64(s.tasks) || s.end != 0 {
			ev.Kind, ev.Idle = policy.Suspended, true
		}
	}
	if err := e.inform(ev); err != nil || ev.Idle {
		return err
	}
	for _, s := range r.seats {
		n := e.nodes[s.node]
		e.command(n, Order{Do: policy.Resume, Copy: r.Copy})
	}
	return nil
}

// kill kills a copy whose task is done or whose job is over. A Start that has not been answered is refused when its turn comes.
func (e *Engine) kill(r *running) {
	if r.killed || len(r.seats) == 0 {
		return
	}
	r.killed = true
	for i := range r.live() {
		n := e.nodes[r.seats[i].node]
		n.blocks[r.Copy] = policy.Kill
		e.command(n, Order{Do: policy.Kill, Copy: r.Copy})
	}
}

// live yields the seats where a copy has not ended; none of a nil copy.
func (r *running) live() iter.Seq[int] {
	return func(yield func(int) bool) {
		if r == nil {
			return
		}
		for i := range r.seats {
			if r.seats[i].end == 0 && !yield(i) {
				return
			}
		}
	}
}

// seat returns what a copy has on a machine, nil if nothing.
func (r *running) seat(n policy.NodeID) *seat {
	for i := range r.seats {
		if r.seats[i].node == n {
			return &r.seats[i]
		}
	}
	return nil
}

// hear tells the policy what a machine reports of a copy, unless it knows that.
func (e *Engine) hear(n *node, x *Report) error {
	r := e.copies[x.Copy]
	var s *seat
	if r != nil {
		s = r.seat(n.info.ID)
	}
	if s == nil {
		if !x.Kind.End() {
			e.command(n, Order{Do: policy.Kill, Copy: x.Copy}) // of an earlier life of the machine, or it has ended since
		}
		return nil
	}
	if s.end != 0 {
		return nil
	}
	if s.service = max(s.service, x.Service); x.Service == 0 && !r.stands && x.Kind != policy.Lost {
		s.service = max(s.service, r.service+max(0, e.now().Sub(r.since))) // it does not count
	}
	ev := policy.Event{Kind: x.Kind, Copy: r.Copy, Node: r.node, Gang: r.shares, Devices: r.devices}
	switch {
	case x.Kind == policy.Suspended && !r.stands && n.blocks[r.Copy] != policy.Suspend && !e.suspends(r): // its Resume has been lost on the way
		e.command(n, Order{Do: policy.Resume, Copy: r.Copy})
	case x.Kind == policy.Suspended:
		s.stands = true
		if n.blocks[r.Copy] == policy.Suspend {
			delete(n.blocks, r.Copy)
		}
		if !r.stands && !slices.ContainsFunc(r.seats, func(s seat) bool { return !s.stands }) {
			ev.Service = r.served()
			if err := e.inform(ev); err != nil {
				return err
			}
		}
	case x.Kind == policy.Progress:
		if part, asked := e.asker(r); asked { // which hears of it, and no other
			ev.Service, ev.Value = r.served(), x.Value
			return e.tell(part, ev)
		}
	case x.Kind.End():
		reason := ""
		switch {
		case x.Kind == policy.Failed:
			reason = x.Reason[:min(len(x.Reason), 1000)]
		case x.Kind == policy.Lost && r.job.outcome == 0:
			reason = "lost on machine " + n.name
		}
		if reason != "" && reason != r.job.reason {
			if err := e.put(note{Job: r.Job, Reason: reason}); err != nil {
				return err
			}
		}
		s.end, s.saved = x.Kind, min(x.Saved, s.service)
		delete(n.blocks, r.Copy)
		for range r.live() { // the others have still to end
			if err := e.put(note{Node: n.info.ID, Part: &Report{Copy: r.Copy, Kind: s.end, Service: s.service, Saved: s.saved}}); err != nil {
				return err
			}
			break
		}
		return e.copyOver(r)
	}
	return e.pump(n)
}

// suspends reports whether a part wants a copy suspended.
func (e *Engine) suspends(r *running) bool {
	return slices.ContainsFunc(e.ledger.Of(r.Copy), func(o journal.Order) bool { return o.Kind == policy.Suspend })
}

// asker returns the part that has asked for a report of a copy.
func (e *Engine) asker(r *running) (part policy.NodeID, ok bool) {
	for _, o := range e.ledger.Of(r.Copy) {
		if o.Kind == policy.Report {
			return o.Part, true
		}
	}
	return 0, false
}

// served returns the service of a copy, which stands still while it is suspended.
func (r *running) served() policy.Duration {
	served := r.service
	for _, s := range r.seats {
		if !r.stands {
			served = max(served, s.service)
		}
	}
	return served
}

// copyOver tells the end of a copy once it has ended on all machines. The first that ends otherwise than Finished ends the others.
func (e *Engine) copyOver(r *running) error {
	ev := policy.Event{Kind: policy.Finished, Copy: r.Copy, Node: r.node, Gang: r.shares, Devices: r.devices, Service: r.served(), Idle: r.stands}
	whole, saved := true, policy.Duration(math.MaxInt64)
	for _, s := range r.seats {
		whole = whole && s.end != 0
		if s.end > ev.Kind { // Failed; what was lost or killed with it does not hide it
			ev.Kind = s.end
		}
		saved = min(saved, s.saved)
	}
	for _, s := range r.seats {
		if s.end == policy.Failed {
			ev.Kind = policy.Failed
		}
	}
	if !whole {
		if ev.Kind != policy.Finished {
			e.kill(r)
		}
		return e.pumpAll(r)
	}
	t := r.job.task(r.Task)
	switch {
	case t.done:
		ev.Kind = policy.Killed // it has lost the race
	case ev.Kind != policy.Finished:
		ev.Saved = t.saved
		if r.stage().Saves {
			ev.Saved = max(ev.Saved, saturate.To[policy.Duration](math.Floor(float64(min(saved, ev.Service))/e.slowest(r))))
		}
	}
	if err := e.inform(ev); err != nil {
		return err
	}
	return e.pumpAll(r)
}

// pumpAll goes on with the machines of a copy that has ended.
func (e *Engine) pumpAll(r *running) error {
	for _, s := range r.seats {
		n := e.nodes[s.node]
		if n == nil {
			continue
		}
		if err := e.pump(n); err != nil {
			return err
		}
		if n.leaves && len(n.copies) == 0 {
			if err := e.depart(n); err != nil {
				return err
			}
		}
	}
	return nil
}
