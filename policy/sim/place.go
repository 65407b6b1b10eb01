package sim

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// start runs a copy if there is room for it.
func (s *cluster) start(o *order) {
	a := &o.action
	j := s.jobs.Get(a.Copy.Job)
	if j == nil || j.told {
		s.refuse(o)
		return
	}
	st := &j.stages[a.Copy.Stage]
	finished := st.units[a.Copy.Index] < 0
	if u := s.first(st, a.Copy.Index); u != nil {
		finished = u.done()
	}
	if j.outcome != 0 || finished || !st.ready || !s.flows(j, st) {
		s.refuse(o)
		return
	}
	if st.spec.Gang {
		gang := s.placeGang(st.spec, a)
		if gang == nil {
			s.refuse(o)
			return
		}
		s.launch(o, j, 0, gang)
		return
	}
	id := a.Node
	if id == 0 {
		id = s.place(st.spec, a.Copy.Index, a.Partition)
	} else if n := &s.nodes[id]; !n.up || a.Partition != 0 && n.partition != a.Partition {
		id = 0
	} else if !n.fits(st.spec) || len(n.wants) > 0 {
		if n.freeing > 0 && n.cores+n.freeing >= st.spec.Cores && n.fitsRest(st.spec) {
			n.wants = append(n.wants, *o)
			return
		}
		id = 0
	}
	if id == 0 {
		s.refuse(o)
		return
	}
	s.launch(o, j, id, nil)
}

// flows reports whether every task that a stage reads through a pipe runs or is finished, whether the centre has heard of it or
// not.
func (s *cluster) flows(j *job, st *stage) bool {
	if st.pipes == 0 {
		return true
	}
	for _, d := range st.spec.Reads {
		if !d.Pipe {
			continue
		}
		for _, at := range j.stages[d.Stage].units {
			running := at < 0 || at > 0 && (s.attempts.At(at-1).done() || s.attempts.At(at-1).is(written))
			for ; at > 0 && !running; at = s.attempts.At(at - 1).next {
				running = s.attempts.At(at-1).state != away
			}
			if !running {
				return false
			}
		}
	}
	return true
}

// withdraw answers a Kill of a copy that still waits for cores to be freed.
func (s *cluster) withdraw(o *order) {
	if o.action.Kind != policy.Kill || s.config.SuspendCost == 0 {
		return // nothing waits for cores that are free at once
	}
	for id := range s.nodes {
		if w := s.unwant(policy.NodeID(id), policy.Start, o.action.Copy); w != nil {
			s.refuse(w)
			return
		}
	}
}

// unwant removes an order that waits for cores on a node, and returns nil if there is none.
func (s *cluster) unwant(id policy.NodeID, kind policy.ActionKind, c policy.Copy) *order {
	n := &s.nodes[id]
	for i := range n.wants {
		if w := n.wants[i]; w.action.Kind == kind && w.action.Copy == c {
			n.wants = slices.Delete(n.wants, i, i+1)
			return &w
		}
	}
	return nil
}

// place returns the first node with room for a task, 0 if there is none: first of the nodes that hold its input, then
// of the partitions that its stage prefers, then of all.
func (s *cluster) place(spec *policy.Stage, index uint32, p policy.PartitionID) policy.NodeID {
	for _, id := range spec.HoldersOf(index) {
		if int(id) >= len(s.nodes) {
			continue // no node of this cluster
		}
		n := &s.nodes[id]
		if n.up && (p == 0 || n.partition == p) && spec.Prefers(n.partition) && n.fits(spec) {
			return id
		}
	}
	for _, preferred := range [...]bool{true, false} {
		for q, r := range s.rooms {
			id := policy.PartitionID(q)
			if r == nil || p != 0 && p != id || spec.Prefers(id) != preferred {
				continue
			}
			for k, ok := r.first(0, spec.Cores, spec.Memory); ok; k, ok = r.first(k+1, spec.Cores, spec.Memory) {
				if spec.Needs == nil || s.nodes[r.nodes[k]].stock.Fits(spec) > 0 {
					return policy.NodeID(r.nodes[k])
				}
			}
		}
	}
	return 0
}

// placeGang returns the nodes of a gang's tasks, nil if there is not room for all.
func (s *cluster) placeGang(spec *policy.Stage, a *policy.Action) (gang []policy.Share) {
	left := spec.Tasks
	add := func(id int) {
		if fit := min(left, s.nodes[id].fit(spec)); fit > 0 {
			gang = s.share(gang, spec, id, fit)
			left -= fit
		}
	}
	if a.Node != 0 {
		if n := &s.nodes[a.Node]; n.up && (a.Partition == 0 || n.info.Partition == a.Partition) {
			add(int(a.Node))
		}
	} else {
		for _, preferred := range [...]bool{true, false} {
			for q, r := range s.rooms {
				id := policy.PartitionID(q)
				if r == nil || a.Partition != 0 && a.Partition != id || spec.Prefers(id) != preferred {
					continue
				}
				for k, ok := r.first(0, spec.Cores, spec.Memory); ok && left > 0; k, ok = r.first(k+1, spec.Cores, spec.Memory) {
					add(r.nodes[k])
				}
			}
		}
	}
	if left > 0 {
		return nil
	}
	return gang
}

// share appends this many tasks of a gang on a node: tasks with the same devices are one Share.
func (s *cluster) share(gang []policy.Share, spec *policy.Stage, id int, tasks uint32) []policy.Share {
	if spec.Needs == nil {
		return append(gang, policy.Share{Node: policy.NodeID(id), Tasks: tasks})
	}
	first, stock := len(gang), s.nodes[id].stock
	for range tasks {
		devices, _ := stock.Take(spec) // there is room: fit says so
		if at := slices.IndexFunc(gang[first:], func(x policy.Share) bool { return x.Devices == devices }); at >= 0 {
			gang[first+at].Tasks++
		} else {
			gang = append(gang, policy.Share{Node: policy.NodeID(id), Tasks: 1, Devices: devices})
		}
	}
	for _, x := range gang[first:] {
		stock.Add(spec, x.Devices, int64(x.Tasks)) // until launch holds it
	}
	return gang
}

// launch puts a copy on its node or nodes.
func (s *cluster) launch(o *order, j *job, id policy.NodeID, gang []policy.Share) {
	runtime, err := s.runtime(o.action.Copy, j, id, gang)
	if err != nil {
		s.fail(err)
		return
	}
	at := s.enroll(j, o.action.Copy)
	a := s.attempts.At(at)
	a.node = id
	s.joinRace(a)
	a.set(local, o.from != 0)
	j.onNodes++
	if gang != nil {
		s.gangs[at] = gang
	}
	if spec := j.stages[o.action.Copy.Stage].spec; gang == nil && spec.Needs != nil {
		devices, _ := s.nodes[id].stock.Take(spec)
		s.nodes[id].stock.Add(spec, devices, 1) // until hold takes it
		s.devices[at] = devices
	}
	if _, kind := s.config.Faults.breaks(o.action.Copy); kind != 0 {
		a.set(fails, true)
	}
	s.hold(at, 1, true, true)
	s.enter(at)
	s.goOn(at, s.cutShort(a, runtime))
	s.changed()
	r := s.tells(at, policy.Started, 0)
	r.event.Partition = o.action.Partition
	s.inform(&r)
}

// runtime returns how long a copy, or a gang, would run where it is placed.
func (s *cluster) runtime(c policy.Copy, j *job, id policy.NodeID, gang []policy.Share) (policy.Duration, error) {
	spec := j.stages[c.Stage].spec
	if gang == nil {
		return s.taskRuntime(c, spec, id)
	}
	longest := policy.Duration(0)
	for _, share := range gang {
		for range share.Tasks {
			d, err := s.taskRuntime(c, spec, share.Node)
			if err != nil {
				return 0, err
			}
			longest = max(longest, d)
			c.Index++
		}
	}
	return longest, nil
}

func (s *cluster) taskRuntime(c policy.Copy, spec *policy.Stage, id policy.NodeID) (policy.Duration, error) {
	d, ok := s.config.Truth.Runtime(c)
	if !ok || d < 0 {
		return 0, badTruth(c, d, ok)
	}
	n := &s.nodes[id]
	factor := 1 / n.speed
	if spec.Elsewhere > 1 && !(spec.Prefers(n.partition) && spec.Local(c.Index, id)) {
		factor *= spec.Elsewhere
	}
	if factor == 1 {
		return d, nil
	}
	f := math.Round(float64(d) * factor)
	if f >= math.MaxInt64 {
		return 0, fmt.Errorf("sim: task %v would run for %v s on node %d, too long for policy.Duration (the node's Speed is %v, and the stage's Elsewhere %v)", c, f/1e9, id, n.speed, spec.Elsewhere)
	}
	return saturate.To[policy.Duration](f), nil
}

func badTruth(c policy.Copy, d policy.Duration, ok bool) error {
	if !ok {
		return fmt.Errorf("sim: Config.Truth does not know task %v (a truth serves one run, and forgets)", c)
	}
	return fmt.Errorf("sim: Config.Truth says that task %v runs for %v, want at least 0", c, d)
}

// refuse answers a Start that cannot be carried out.
func (s *cluster) refuse(o *order) {
	r := report{
		event: policy.Event{Kind: policy.Refused, Copy: o.action.Copy, Partition: o.action.Partition},
		local: o.from != 0,
	}
	if r.local {
		s.tell(o.from, &r.event)
	}
	s.bring(&r)
}
