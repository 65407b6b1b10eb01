package sim

import (
	"iter"
	"slices"

	"example.com/augur/policy"
)

// A State shows the present state of a run to tests that look for room that a policy leaves empty beside waiting
// work: see [Config.Pause]. It does not depend on what the policy knows.
type State struct{ s *simulation }

// A Waiting is a task or gang that is to be started, or to be resumed where it is.
type Waiting struct {
	Task  policy.Task
	Stage *policy.Stage
	Node  policy.NodeID // where it is suspended; 0: it has no copy

	Suspended bool
}

// Room returns the free cores, memory and named resources of a node, and false if it is not there. The caller must not
// change the stock.
func (st *State) Room(id policy.NodeID) (cores int32, memory int64, stock *policy.Stock, ok bool) {
	if int64(id) >= int64(len(st.s.nodes.all)) {
		return 0, 0, nil, false
	}
	n := &st.s.nodes.all[id]
	return n.cores, n.memory, n.stock, n.up
}

// Waiting yields the units that are to be started, by job, stage and index, and then the suspended ones without
// gangs.
func (st *State) Waiting() iter.Seq[Waiting] {
	s := st.s
	return func(yield func(Waiting) bool) {
		for id, j := range s.books.jobs.All() {
			if j.outcome != 0 {
				continue
			}
			for i := range j.stages {
				stage := &j.stages[i]
				if !stage.ready || stage.pipes > 0 {
					continue
				}
				for k := range stage.units {
					task := policy.Task{Job: id, Stage: uint32(i), Index: uint32(k)}
					if s.books.waits(stage, task.Index) && !yield(Waiting{Task: task, Stage: stage.spec}) {
						return
					}
				}
			}
		}
		for at := range s.books.attempts.End() {
			if a := s.books.attempts.At(at); a.state == suspended && a.node != 0 && a.job.outcome == 0 {
				if !yield(Waiting{a.id().Task, a.of().spec, a.node, true}) {
					return
				}
			}
		}
	}
}

// underWay yields the orders and the reports that are under way, one of the two at a time.
func (s *simulation) underWay(yield func(*order, *report)) {
	orders, reports := s.orders.wire.under(), s.reports.wire.under()
	for i := range orders {
		yield(&orders[i].x, nil)
	}
	for x := range s.slips.open {
		if !x.mail {
			yield(&x.order, nil)
		}
	}
	for i := range reports {
		yield(nil, &reports[i].x)
	}
}

// frees reports whether a report may free room. The part on a node suspends only to make room for what it resumes.
func (r *report) frees() bool {
	switch r.event.Kind {
	case policy.Started, policy.Progress, policy.Resumed:
		return false
	case policy.Suspended:
		return !r.local
	}
	return true
}

// Coming reports whether an order or a report is under way that concerns the room on a node.
func (st *State) Coming(id policy.NodeID) (coming bool) {
	s := st.s
	s.underWay(func(o *order, r *report) {
		switch {
		case r != nil && !r.frees():
		case r != nil:
			ev := &r.event
			coming = coming || ev.Node == id ||
				slices.ContainsFunc(ev.Gang, func(share policy.Share) bool { return share.Node == id })
		case o.action.Kind == policy.Start:
			coming = coming || o.action.Node == id
		case o.action.Kind != policy.Report:
			at := s.books.find(o.action.Copy)
			coming = coming || at > 0 && s.books.on(at-1, id)
		}
	})
	if int64(id) >= int64(len(s.nodes.all)) {
		return coming
	}
	n := &s.nodes.all[id]
	return coming || len(s.machines.all[id].wants) > 0 || n.freeing > 0
}

// Claimed returns how many cores, on any node, belong to Starts under way that name no node, or a node that is too
// full by now. It includes cores that such Starts have taken in place of cores freed elsewhere, or of Starts that
// were Refused, as long as the policy has not heard of these.
func (st *State) Claimed() (cores int64) {
	s := st.s
	named := make(map[policy.NodeID]int64)
	s.underWay(func(o *order, r *report) {
		if r == nil && o.action.Kind == policy.Start {
			if spec := s.books.spec(o.action.Copy); spec != nil {
				named[o.action.Node] += spec.Width()
			}
		}
		if r == nil {
			return
		}
		switch {
		case r.event.Kind == policy.Joined:
			cores += int64(r.event.Info.Cores)
		case r.frees() && !r.local: // parts name their own node
			if spec := s.books.spec(r.event.Copy); spec != nil {
				cores += spec.Width()
			}
		}
	})
	for id, width := range named {
		if n := &s.nodes.all[id]; id != 0 && n.up {
			width = max(0, width-int64(n.cores))
		}
		cores += width
	}
	return cores
}

// Mail reports whether a message is under way to a node or from it.
func (st *State) Mail(id policy.NodeID) bool {
	s := st.s
	for _, m := range s.mail.wire.under() {
		if m.x.from == id || m.x.to == id {
			return true
		}
	}
	for x := range s.slips.open {
		if x.mail && (x.message.from == id || x.message.to == id) {
			return true
		}
	}
	return false
}
