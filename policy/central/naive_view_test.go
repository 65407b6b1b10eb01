package central_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// naive is the slow version of a View, and the host that it is shown to: it keeps the state of
// every unit and every copy, and counts anew whenever it is asked.
type naive struct {
	rng    *rand.Rand
	nodes  map[policy.NodeID]policy.Node // that are there
	jobs   map[policy.JobID]*naiveJob
	copies []*naiveCopy // asked for, running or suspended
	parts  policy.PartitionID
	last   policy.JobID
	now    policy.Time
	told   policy.Time // of the last event
}

type naiveJob struct {
	spec    *policy.Job
	order   []uint32 // the stages, each after those that it reads
	stages  []naiveStage
	spans   []*naiveSpan   // all that were told of
	answers []policy.Event // to Starts, all that were told of
	heard   policy.Time    // of the last event about it
}

// A naiveSpan is a time for which a copy has run, or runs.
type naiveSpan struct {
	id       policy.Copy
	from, to policy.Time
	open     bool // it runs
}

type naiveStage struct {
	ready bool
	units []unitState
	again []uint32 // the next one last
	first []uint32
	used  []map[uint32]bool // numbers of copies, by unit, but for those that were refused
	most  []uint32          // above all numbers of copies, by unit
	saved []policy.Duration // by unit
}

type unitState byte

const (
	fresh unitState = iota
	again
	busy
	done
)

type naiveCopy struct {
	id        policy.Copy
	state     string // asked, runs, stands
	extra     bool   // another one of its task was asked for before
	node      policy.NodeID
	partition policy.PartitionID // what the Start named, or that of its node then
	where     []policy.Share
}

func newNaive(seed uint64) *naive {
	return &naive{rng: rand.New(rand.NewPCG(seed, 3)), nodes: map[policy.NodeID]policy.Node{}, jobs: map[policy.JobID]*naiveJob{}, parts: 3}
}

func (h *naive) stage(c policy.Copy) (*policy.Stage, *naiveStage) {
	j := h.jobs[c.Job]
	return &j.spec.Stages[c.Stage], &j.stages[c.Stage]
}

// next returns the unit that Start must take, and whether any waits.
func (s *naiveStage) next() (unit uint32, ok bool) {
	if !s.ready {
		return 0, false
	}
	if n := len(s.again); n > 0 {
		return s.again[n-1], true
	}
	for _, unit := range s.first {
		if s.units[unit] == fresh {
			return unit, true
		}
	}
	k := slices.Index(s.units, fresh)
	return uint32(k), k >= 0
}

func (j *naiveJob) next() (stage uint32, ok bool) {
	for _, i := range j.order {
		if _, ok := j.stages[i].next(); ok {
			return i, true
		}
	}
	return 0, false
}

// waiting counts the units of a job that wait.
func (j *naiveJob) waiting() (n int) {
	for _, s := range j.stages {
		for _, state := range s.units {
			if s.ready && state <= again {
				n++
			}
		}
	}
	return n
}

func (j *naiveJob) finished() bool {
	return !slices.ContainsFunc(j.stages, func(s naiveStage) bool {
		return slices.ContainsFunc(s.units, func(state unitState) bool { return state < done })
	})
}

// local returns the units of the next stage that wait and are local on a node, in order.
func (j *naiveJob) local(n policy.NodeID) (units []uint32) {
	i, ok := j.next()
	if !ok || n == 0 || j.spec.Stages[i].Gang {
		return nil
	}
	for unit, state := range j.stages[i].units {
		if state <= again && slices.Contains(j.spec.Stages[i].HoldersOf(uint32(unit)), n) {
			units = append(units, uint32(unit))
		}
	}
	return units
}

// take notes a Start.
func (h *naive) take(a policy.Action) error {
	_, s := h.stage(a.Copy)
	if a.Kind != policy.Start || a.Node != 0 && a.Partition != 0 {
		return fmt.Errorf("action %+v, want a Start that names a node or a partition or none", a)
	}
	unit := a.Copy.Index
	if s.used[unit][a.Copy.N] || a.Copy.N > s.most[unit] {
		return fmt.Errorf("started %v; of that task there were %v, all below %d", a.Copy, s.used[unit], s.most[unit])
	}
	s.used[unit][a.Copy.N] = true
	s.most[unit] = max(s.most[unit], a.Copy.N+1)
	c := &naiveCopy{id: a.Copy, state: "asked", extra: s.units[unit] > again, node: a.Node, partition: a.Partition}
	s.units[unit] = busy
	s.again = slices.DeleteFunc(s.again, func(u uint32) bool { return u == unit })
	if a.Node != 0 {
		c.partition = h.nodes[a.Node].Partition
	}
	h.copies = append(h.copies, c)
	return nil
}

// on returns how many cores a copy holds, or has asked for, on a node.
func (h *naive) on(c *naiveCopy, n policy.NodeID) (cores int64) {
	spec, _ := h.stage(c.id)
	switch {
	case c.state == "asked" && c.node == n:
		return spec.Width()
	case c.state == "runs":
		for _, share := range c.where {
			if share.Node == n {
				cores += int64(share.Tasks) * int64(spec.Cores)
			}
		}
	}
	return cores
}

func (h *naive) room(n policy.NodeID) int64 {
	node, ok := h.nodes[n]
	if !ok {
		return 0
	}
	cores := int64(node.Cores)
	for _, c := range h.copies {
		cores -= h.on(c, n)
	}
	return cores
}

// free returns the free cores of a partition, or of all.
func (h *naive) free(p policy.PartitionID) (cores int64) {
	for _, n := range h.nodes {
		if p == 0 || n.Partition == p {
			cores += int64(n.Cores)
		}
	}
	for _, c := range h.copies {
		spec, _ := h.stage(c.id)
		switch c.state {
		case "asked":
			if p == 0 || c.partition == p {
				cores -= spec.Width()
			}
		case "runs":
			for _, share := range c.where {
				if p == 0 || h.nodes[share.Node].Partition == p {
					cores -= int64(share.Tasks) * int64(spec.Cores)
				}
			}
		}
	}
	return cores
}

// idle returns how many cores of a node no copy holds.
func (h *naive) idle(n policy.NodeID) int64 {
	cores := int64(h.nodes[n].Cores)
	for _, c := range h.copies {
		if c.state == "runs" {
			cores -= h.on(c, n)
		}
	}
	return cores
}

// place returns where a copy that was asked for may go, nil if nowhere.
func (h *naive) place(c *naiveCopy) (where []policy.Share) {
	spec, _ := h.stage(c.id)
	left := uint32(spec.Width() / int64(spec.Cores))
	ids := h.ids()
	h.rng.Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
	for _, id := range ids {
		if c.node != 0 && id != c.node || c.node == 0 && c.partition != 0 && h.nodes[id].Partition != c.partition {
			continue
		}
		if fit := min(left, uint32(h.idle(id)/int64(spec.Cores))); fit > 0 {
			where = append(where, policy.Share{Node: id, Tasks: fit})
			if left -= fit; left == 0 {
				return where
			}
		}
	}
	return nil
}

// ids returns the nodes that are there, in order.
func (h *naive) ids() (ids []policy.NodeID) {
	for id := range policy.NodeID(maxNode + 1) {
		if _, ok := h.nodes[id]; ok {
			ids = append(ids, id)
		}
	}
	return ids
}

const maxNode = 9

var speeds = []float64{0.1, 0.25, 0.5, 1, 1, 2, 3, 1e-9, 1e9} // the last two are out of bounds

// join returns the event that a node has come, or come back, perhaps as another one.
func (h *naive) join() (ev policy.Event, ok bool) {
	id := policy.NodeID(1 + h.rng.IntN(maxNode))
	for _, c := range h.copies {
		if c.state == "asked" && c.node != 0 { // the more interesting ones
			id = c.node
		}
	}
	if _, ok := h.nodes[id]; ok {
		return ev, false
	}
	n := policy.Node{
		ID: id, Partition: 1 + policy.PartitionID(h.rng.IntN(int(h.parts))), Cores: int32(1 + h.rng.IntN(8)),
		Memory: int64(h.rng.IntN(3)) << h.rng.IntN(40), Speed: speeds[h.rng.IntN(len(speeds))],
	}
	h.nodes[id] = n
	return policy.Event{Kind: policy.Joined, Node: id, Info: &n}, true
}

// submit returns the event that a job has come.
func (h *naive) submit() policy.Event {
	h.last++
	spec := &policy.Job{ID: h.last}
	j := &naiveJob{spec: spec}
	label := h.rng.Perm(1 + h.rng.IntN(4)) // in their order, stages read those before
	if h.rng.IntN(2) == 0 {
		slices.Sort(label)
	}
	for range label {
		st := policy.Stage{Tasks: uint32(1 + h.rng.IntN(12)), Cores: int32(1 + h.rng.IntN(2)), Gang: h.rng.IntN(6) == 0}
		switch h.rng.IntN(8) {
		case 0:
			st.Tasks = uint32(60 + h.rng.IntN(10))
		case 1:
			st.Tasks = uint32(1 + h.rng.IntN(200))
		}
		if h.rng.IntN(3) == 0 {
			st.Memory = 1 + h.rng.Int64N(1<<30)
		}
		if h.rng.IntN(5) > 0 {
			k := h.rng.IntN(4)
			for range st.Tasks {
				some := h.rng.IntN(k + 1) // the others are zeros
				for i := range k {
					holder := policy.NodeID(0)
					if i < some || h.rng.IntN(20) == 0 {
						holder = policy.NodeID(h.rng.IntN(maxNode + 3)) // some are never there, or given twice
					}
					st.Holders = append(st.Holders, holder)
				}
			}
		}
		spec.Stages = append(spec.Stages, st)
		s := naiveStage{units: make([]unitState, st.Units()), used: make([]map[uint32]bool, st.Units()), most: make([]uint32, st.Units()), saved: make([]policy.Duration, st.Units())}
		for i := range s.used {
			s.used[i] = map[uint32]bool{}
		}
		j.stages = append(j.stages, s)
	}
	backward := false
	for k, stage := range label {
		j.order = append(j.order, uint32(k))
		for _, before := range label[:k] {
			if h.rng.IntN(2) == 0 {
				reads := policy.Dep{Stage: uint32(before), Pipe: h.rng.IntN(2) == 0}
				spec.Stages[stage].Reads = append(spec.Stages[stage].Reads, reads)
				backward = backward || before > stage
			}
		}
	}
	if backward {
		graph, err := spec.Graph()
		if err != nil {
			panic(err)
		}
		j.order = graph.Order()
	}
	if spec.Validate() == nil {
		workload.LetSave(spec, func(int) policy.Duration { return policy.Duration(h.last%3) * 4e9 })
	}
	h.jobs[spec.ID] = j
	return policy.Event{Kind: policy.Submitted, Copy: copyOf(spec.ID, 0, 0, 0), Job: spec}
}

// about returns an event of the given kind about a copy.
func (h *naive) about(c *naiveCopy, kind policy.EventKind) policy.Event {
	ev := policy.Event{Kind: kind, Copy: c.id}
	if kind == policy.Started || kind == policy.Refused {
		if c.node == 0 {
			ev.Partition = c.partition
		}
	}
	if spec, _ := h.stage(c.id); kind == policy.Refused {
		return ev
	} else if spec.Gang {
		ev.Gang = slices.Clone(c.where)
	} else {
		ev.Node = c.where[0].Node
	}
	return ev
}

// answer carries a Start out, or refuses it.
func (h *naive) answer(c *naiveCopy, refuse bool) policy.Event {
	if !refuse {
		if where := h.place(c); where != nil {
			c.state, c.where = "runs", where
			ev := h.about(c, policy.Started)
			_, s := h.stage(c.id)
			ev.Service = s.saved[c.id.Index]
			return ev
		}
	}
	ev := h.end(c, policy.Refused)
	_, s := h.stage(c.id)
	delete(s.used[c.id.Index], c.id.N)
	return ev
}

// ownAccord starts any unit of a job that waits where nobody has asked for it, as a host may that only asks for
// advice. It may tell late.
func (h *naive) ownAccord(job policy.JobID, j *naiveJob) (ev policy.Event, ok bool) {
	i := h.rng.IntN(len(j.stages))
	s := &j.stages[i]
	unit := uint32(h.rng.IntN(len(s.units)))
	c := &naiveCopy{id: copyOf(job, uint32(i), unit, s.most[unit]), state: "runs"}
	if c.where = h.place(c); !s.ready || s.units[unit] > again || c.where == nil {
		return ev, false
	}
	s.units[unit] = busy
	s.used[unit][c.id.N] = true
	s.most[unit]++
	s.again = slices.DeleteFunc(s.again, func(u uint32) bool { return u == unit })
	h.copies = append(h.copies, c)
	ev = h.about(c, policy.Started)
	ev.Replay, ev.Service = true, policy.Duration(h.rng.Int64N(10e9))
	return ev, true
}

// end ends a copy, or refuses its Start.
func (h *naive) end(c *naiveCopy, kind policy.EventKind) policy.Event {
	ev := h.about(c, kind)
	ev.Idle = c.state == "stands"
	h.copies = slices.DeleteFunc(h.copies, func(d *naiveCopy) bool { return d == c })
	spec, s := h.stage(c.id)
	unit := c.id.Index
	if spec.Saves && kind != policy.Refused && kind != policy.Finished && s.units[unit] != done {
		if h.rng.IntN(2) == 0 {
			s.saved[unit] += policy.Duration(h.rng.Int64N(5e9))
		}
		ev.Saved = s.saved[unit]
	}
	if kind == policy.Finished {
		s.units[unit] = done
	} else if s.units[unit] == busy && !slices.ContainsFunc(h.copies, func(d *naiveCopy) bool { return d.id.Task == c.id.Task }) {
		s.units[unit] = again
		s.again = append(s.again, unit)
		ev.Again = true
	}
	return ev
}

// note keeps what is told of copies.
func (h *naive) note(ev *policy.Event) {
	h.told = ev.Time
	j := h.jobs[ev.Copy.Job]
	if j == nil {
		return
	}
	if ev.Kind >= policy.Started {
		j.heard = ev.Time
	}
	switch {
	case ev.Replay && (ev.Kind == policy.Started || ev.Kind.End()):
		j.spans = append(j.spans, &naiveSpan{ev.Copy, ev.Time.Add(-max(ev.Service, ev.Saved)), ev.Time, ev.Kind == policy.Started})
	case ev.Kind == policy.Started && ev.Service > 0:
		j.spans = append(j.spans, &naiveSpan{id: ev.Copy, from: ev.Time.Add(j.spec.Stages[ev.Copy.Stage].Reload), open: true})
	case ev.Kind == policy.Started, ev.Kind == policy.Resumed:
		j.spans = append(j.spans, &naiveSpan{id: ev.Copy, from: ev.Time, open: true})
	case ev.Kind == policy.Suspended, ev.Kind.End():
		for _, s := range j.spans {
			if s.id == ev.Copy && s.open {
				s.to, s.open = max(ev.Time, s.from), false
			}
		}
	}
	if ev.Kind == policy.Started || ev.Kind == policy.Refused && !ev.Replay {
		j.answers = append(j.answers, *ev)
	}
}

// served returns for how long a copy has run.
func (j *naiveJob) served(c policy.Copy, now policy.Time) (d policy.Duration) {
	for _, s := range j.spans {
		if s.id == c && s.open {
			d += max(0, now.Sub(s.from))
		} else if s.id == c {
			d += s.to.Sub(s.from)
		}
	}
	return d
}

// service returns the core-seconds that a job has attained by the last event, and those that it attains in a
// second.
func (h *naive) service(j *naiveJob) (service, rate float64) {
	for _, s := range j.spans {
		each := float64(j.spec.Stages[s.id.Stage].Width())
		to := s.to
		if s.open {
			to = h.told
			if s.from <= j.heard {
				rate += each
			}
		}
		service += each * max(0, to.Sub(s.from).Seconds())
	}
	return service, rate
}

// of returns the copies of a job, or only the extra ones.
func (h *naive) of(id policy.JobID, extra bool) (copies []*naiveCopy) {
	for _, c := range h.copies {
		if c.id.Job == id && (c.extra || !extra) {
			copies = append(copies, c)
		}
	}
	return copies
}

// cores returns the cores of copies that run or were asked for.
func (h *naive) cores(copies []*naiveCopy) (cores int64) {
	for _, c := range copies {
		if spec, _ := h.stage(c.id); c.state != "stands" {
			cores += spec.Width()
		}
	}
	return cores
}

// memory returns the bytes that copies hold or have asked for.
func (h *naive) memory(copies []*naiveCopy) (bytes int64) {
	for _, c := range copies {
		if spec, _ := h.stage(c.id); spec.Gang {
			bytes += spec.Memory * int64(spec.Tasks)
		} else {
			bytes += spec.Memory
		}
	}
	return bytes
}

// refused reports whether a unit that may look for room for long was refused, to be started again, after the
// last one that was Started.
func (j *naiveJob) refused() bool {
	for _, ev := range slices.Backward(j.answers) {
		if ev.Kind == policy.Started {
			return false
		}
		stage := j.spec.Stages[ev.Copy.Stage]
		pipe := slices.ContainsFunc(stage.Reads, func(d policy.Dep) bool { return d.Pipe })
		if ev.Again && (stage.Cores > 1 || stage.Gang && stage.Tasks > 1 || stage.Memory > 0 || pipe) {
			return true
		}
	}
	return false
}

// capacity returns the cores and the memory of the nodes that are there.
func (h *naive) capacity() (cores, memory int64) {
	for _, n := range h.nodes {
		cores += int64(n.Cores)
		memory += n.Memory
	}
	return cores, memory
}
