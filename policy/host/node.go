package host

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"example.com/augur/policy"
	"example.com/augur/policy/journal"
	"example.com/augur/queue"
)

// An Order is what a machine is to do with a copy.
type Order struct {
	Do   policy.ActionKind // Start, Suspend, Resume, Kill or Report
	Copy policy.Copy
	Save bool `json:",omitzero"` // Kill: let the copy save first what it has done

	// Of a Start:
	Name    string          `json:",omitempty"` // of the job
	Data    []byte          `json:",omitempty"` // of the job
	Stage   *policy.Stage   `json:",omitempty"` // not to be changed; through Serve without Holders
	Node    policy.NodeID   `json:",omitzero"`  // the machine's
	Devices policy.Devices  `json:",omitzero"`  // that the copy has
	Gang    []policy.Share  `json:",omitempty"` // of a gang: all its shares, in the order of its tasks
	Saved   policy.Duration `json:",omitzero"`  // of its service, what the copy goes on from; it reloads Stage.Reload first
}

// A Report is what a machine says of a copy.
type Report struct {
	Copy policy.Copy
	// Kind is Suspended, Progress, or an end: Finished, Failed, Killed or Lost. Join also wants Started, of what runs.
	Kind    policy.EventKind
	Service policy.Duration `json:",omitzero"` // how long it has run, with what it went on from; not while it was suspended, saved or reloaded. 0: the engine counts
	Saved   policy.Duration `json:",omitzero"` // an end: of this, what the next copy need not do again. Less than was saved before counts as that
	Value   float64         `json:",omitzero"` // Progress: the share of its work that is done, 0 to 1
	Reason  string          `json:",omitzero"` // Failed: why, for Status
}

type node struct {
	name   string
	info   policy.Node
	link   *link        // nil: it is silent
	timer  queue.Handle // of a silent one: when it is given up
	cores  int64        // free
	memory int64        // free, if info.Memory is not 0
	stock  *policy.Stock
	copies map[policy.Copy]*running
	held   []journal.Order                   // in their order, that wait for blocks
	blocks map[policy.Copy]policy.ActionKind // Suspend or Kill: ordered and not answered, and before what is held
	out    []Order                           // to be given once their reasons are on disk
	tells  bool                              // it joins, and not all that it tells is heard: nothing that was held is carried out
	leaves bool                              // it is Left as soon as it has no copies
}

func (e *Engine) joined(ev *policy.Event) {
	n := &node{name: e.joins[ev.Node], info: *ev.Info, cores: int64(ev.Info.Cores), memory: ev.Info.Memory, stock: policy.NewStock(ev.Info)}
	n.copies, n.blocks = map[policy.Copy]*running{}, map[policy.Copy]policy.ActionKind{}
	delete(e.joins, ev.Node)
	e.nodes[ev.Node], e.called[n.name] = n, ev.Node
	e.patient(n, ev.Time)
}

// patient gives a silent machine up if it has not joined again when Patience is over.
func (e *Engine) patient(n *node, from policy.Time) {
	e.timers.Remove(n.timer)
	n.timer = e.timers.Push(timer{at: from.Add(e.config.Patience), node: n.info.ID})
}

func (e *Engine) left(id policy.NodeID) {
	e.timers.Remove(e.nodes[id].timer)
	delete(e.called, e.nodes[id].name)
	delete(e.nodes, id)
	e.vacant = min(e.vacant, id)
	asked := e.asks[id]
	for _, c := range slices.SortedFunc(maps.Keys(asked), compare) { // what its part asked for last, nobody has heard of
		r := asked[c]
		e.answered(r)
		e.drop(r)
	}
	delete(e.asks, id)
}

// give gives the cores of a copy back (sign 1) or takes them (-1), or its memory and devices.
func (e *Engine) give(r *running, sign int64, memory bool) {
	stage := r.stage()
	for _, s := range r.seats {
		n := e.nodes[s.node]
		if !memory {
			e.list(n, false)
			n.cores += sign * int64(stage.Cores) * int64(s.tasks)
			e.list(n, n.link != nil)
			continue
		}
		n.memory += sign * stage.Memory * int64(s.tasks)
	}
	if !memory || stage.Needs == nil {
		return
	}
	if r.node != 0 {
		e.nodes[r.node].stock.Add(stage, r.devices, sign)
	}
	for _, x := range r.shares {
		e.nodes[x.Node].stock.Add(stage, x.Devices, sign*int64(x.Tasks))
	}
}

// list puts a machine among those with free cores, or takes it away.
func (e *Engine) list(n *node, in bool) {
	all := e.free[n.info.Partition]
	i, is := slices.BinarySearchFunc(all, n, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.cores, a.cores), cmp.Compare(a.info.ID, b.info.ID))
	})
	switch {
	case in && !is:
		all = slices.Insert(all, i, n)
	case is && !in:
		all = slices.Delete(all, i, i+1)
	}
	e.free[n.info.Partition] = all
}

// on returns the copies on a machine, in order.
func (n *node) on() []policy.Copy { return slices.SortedFunc(maps.Keys(n.copies), compare) }

// sorted returns the machines by their IDs.
func (e *Engine) sorted() (all []*node) {
	for _, id := range slices.Sorted(maps.Keys(e.nodes)) {
		all = append(all, e.nodes[id])
	}
	return all
}

// silence takes away the link of a machine. Starts that it has not taken wait for the next one.
func (e *Engine) silence(n *node, why error) {
	if n.link == nil {
		return
	}
	left := append(n.link.end(why), n.out...)
	n.link = nil
	e.list(n, false)
	e.patient(n, e.now())
	n.out = slices.DeleteFunc(left, func(o Order) bool { return o.Do != policy.Start || n.copies[o.Copy] == nil })
}

// Join lets a machine join, or join again: it is known by its name. n says what it has; its ID is the engine's matter, its
// Partition is 1 unless set, and so is its Speed. has is what runs, is suspended or has ended there, as far as Report has not
// returned nil for it. If n is not as before, the machine is another one: it loses all that it had. Join ends the link that the
// machine had.
func (e *Engine) Join(ctx context.Context, name string, n policy.Node, has ...Report) (Link, error) {
	n, err := joins(name, n)
	if err != nil {
		return nil, err
	}
	for _, r := range has {
		if err := r.check(); err != nil {
			return nil, err
		}
	}
	l := &link{engine: e, more: make(chan struct{}, 1), done: make(chan struct{})}
	if err := e.do(ctx, func() error { return e.join(l, name, n, has) }); err != nil {
		return nil, err
	}
	return l, nil
}

// joins returns a machine as it joins, or what is wrong with it.
func joins(name string, n policy.Node) (policy.Node, error) {
	n.Partition, n.ID = max(n.Partition, 1), 1
	if n.Speed == 0 {
		n.Speed = 1
	}
	if len(n.Offers) == 0 {
		n.Offers = nil // as it is after a restart
	}
	if err := n.Validate(); err != nil {
		return n, fmt.Errorf("host: machine %q: %w", name, err)
	}
	if !utf8.ValidString(name) {
		return n, fmt.Errorf("host: the name %q of a machine is not UTF-8, and would not be the same after a restart", name)
	}
	return n, nil
}

func (e *Engine) join(l *link, name string, info policy.Node, has []Report) error {
	n := e.nodes[e.called[name]]
	if n != nil {
		info.ID = n.info.ID
		e.silence(n, ErrReplaced)
		if n.leaves || !reflect.DeepEqual(n.info, info) {
			n.out = nil
			if err := e.fatal(e.leave(n)); err != nil {
				return err
			}
			if err := e.fatal(e.settle()); err != nil {
				return err
			}
			if e.nodes[info.ID] == n {
				return fmt.Errorf("host: machine %q leaves first, since it is not as before, and a gang on it has still to end elsewhere; join again later", name)
			}
			n = nil
		}
	}
	if n == nil {
		for info.ID = max(1, e.vacant); e.nodes[info.ID] != nil; info.ID++ {
		}
		e.vacant = info.ID
		if err := e.put(note{Node: info.ID, Name: name}); err != nil {
			return e.fatal(err)
		}
		if err := e.inform(policy.Event{Kind: policy.Joined, Node: info.ID, Info: &info}); err != nil {
			return e.fatal(err)
		}
		n = e.nodes[info.ID]
	}
	kept, on := n.out, n.on()
	e.timers.Remove(n.timer)
	n.out, n.link, l.node, n.tells = nil, l, n.info.ID, true
	e.list(n, true)
	for i := range has {
		if err := e.fatal(e.hear(n, &has[i])); err != nil {
			return err
		}
	}
	for _, c := range on {
		ordered := slices.IndexFunc(kept, func(o Order) bool { return o.Do == policy.Start && o.Copy == c })
		named := slices.ContainsFunc(has, func(r Report) bool { return r.Copy == c })
		switch {
		case named:
			e.remind(n, c)
		case ordered >= 0:
			e.command(n, kept[ordered])
			e.remind(n, c)
		default:
			if err := e.fatal(e.hear(n, &Report{Kind: policy.Lost, Copy: c})); err != nil {
				return err
			}
		}
	}
	e.woken, n.tells = e.woken || len(e.refused) > 0, false
	return e.fatal(e.pump(n))
}

// remind orders again what a copy on a machine was to do.
func (e *Engine) remind(n *node, c policy.Copy) {
	r := e.copies[c]
	if r == nil {
		return
	}
	s := r.seat(n.info.ID)
	if s.end != 0 {
		return
	}
	if r.killed {
		e.command(n, Order{Do: policy.Kill, Copy: c})
	}
	if s.stands && !r.stands {
		e.command(n, Order{Do: policy.Resume, Copy: c})
	}
	given := n.blocks[c]
	if given == policy.Suspend { // the policy may not want it any more
		e.command(n, Order{Do: given, Copy: c})
	}
	for _, o := range e.ledger.Of(c) {
		switch {
		case o.Kind == given && given == policy.Suspend:
		case o.Kind == policy.Report && o.At <= e.now():
			e.command(n, Order{Do: policy.Report, Copy: c})
		case (o.Kind == policy.Suspend || o.Kind == policy.Kill) && !slices.ContainsFunc(n.held, func(a journal.Order) bool { return a.Kind == o.Kind && a.Copy == c }):
			e.command(n, order(&o.Action))
		}
	}
}

// Leave lets a machine leave: its copies are Lost. It returns an error if there is none of this name.
func (e *Engine) Leave(ctx context.Context, name string) error {
	return e.do(ctx, func() error {
		n := e.nodes[e.called[name]]
		if n == nil {
			return fmt.Errorf("host: there is no machine %q", name)
		}
		e.silence(n, ErrReplaced)
		return e.fatal(e.leave(n))
	})
}

// leave loses the copies on a machine, and tells that it has Left once none is there. Its part is gone, so the centre hears of it alone.
func (e *Engine) leave(n *node) error {
	n.leaves, n.out = true, nil
	for _, c := range n.on() {
		if err := e.hear(n, &Report{Kind: policy.Lost, Copy: c}); err != nil {
			return err
		}
	}
	if e.nodes[n.info.ID] != n { // it has left with the last copy
		return nil
	}
	return e.depart(n)
}

// depart tells that a machine has Left, if it is to leave and no gang is there that has still to end elsewhere.
func (e *Engine) depart(n *node) error {
	if len(n.copies) > 0 {
		e.timers.Remove(n.timer)
		return nil
	}
	held := n.held
	n.held = nil
	if err := e.tell(0, policy.Event{Kind: policy.Left, Node: n.info.ID}); err != nil {
		return err
	}
	for i := range held {
		if r := e.copies[held[i].Copy]; held[i].Kind == policy.Start && r != nil {
			if err := e.refuse(r); err != nil {
				return err
			}
			e.woken = true
		}
	}
	e.woken = e.woken || len(e.refused) > 0
	return nil
}

// fatal stops the engine at an error that is not the caller's.
func (e *Engine) fatal(err error) error {
	e.fail(err)
	if err != nil {
		return e.failed
	}
	return nil
}
