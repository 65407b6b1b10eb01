package sim

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// node is a machine.
type node struct {
	info    policy.Node
	up      bool
	life    uint32 // how often it has joined
	room    *room  // of its partition
	leaf    int    // its place there
	cores   int32  // free
	memory  int64  // free
	freeing int32  // cores that suspended copies are about to leave
	wants   []order
	part    policy.Scheduler
	alarm   queue.Handle
}

// running is a copy on a node, or a gang on several.
type running struct {
	id    policy.Copy
	job   *job
	gang  []policy.Share // nil for a task
	node  policy.NodeID  // 0 for a gang
	next  int32          // the next copy of the same task, or the next free place, plus one
	state state
	fails bool // it will break when its time is over
	local bool // started by the part on the node
	idle  bool // the last thing said of it is Suspended

	since   policy.Time     // it has been running since then (if it is)
	service policy.Duration // before since
	left    policy.Duration // to run, from since on
	event   queue.Handle    // its next timed event
}

// state is what a copy is doing.
type state uint8

const (
	runs       state = iota
	drains           // has done its own work and waits for the end of what it reads
	suspending       // still holds its cores
	suspended
	resuming // holds its cores again
)

// shape is a kind of node, for the question what fits into the empty cluster.
type shape struct {
	cores  int32
	memory int64
	count  uint64
}

// addNodes prepares the nodes and the index of their room; none is up yet.
func (s *cluster) addNodes() error {
	s.nodes = make([]node, len(s.config.Nodes)+1)
	members := make(map[policy.PartitionID][]int)
	shapes := make(map[shape]uint64)
	for i := range s.config.Nodes {
		info := &s.config.Nodes[i]
		if err := info.Validate(); err != nil {
			return fmt.Errorf("sim: Config.Nodes[%d]: %w", i, err)
		}
		if info.ID != policy.NodeID(i+1) {
			return fmt.Errorf("sim: Config.Nodes[%d] has ID %d, want %d", i, info.ID, i+1)
		}
		if int64(info.Partition) > int64(len(s.config.Nodes)) {
			return fmt.Errorf("sim: Config.Nodes[%d] is in partition %d, want at most the number of nodes, %d", i, info.Partition, len(s.config.Nodes))
		}
		n := &s.nodes[info.ID]
		n.info = *info
		if n.info.Memory == 0 {
			n.memory = unlimited
		} else {
			n.memory = min(n.info.Memory, unlimited)
		}
		n.leaf = len(members[info.Partition])
		members[info.Partition] = append(members[info.Partition], i+1)
		kind := shape{cores: info.Cores, memory: n.memory}
		if shapes[kind]++; shapes[kind] == 1 {
			s.shapes = append(s.shapes, kind)
		}
		s.result.Cores += int64(info.Cores)
	}
	for i := range s.shapes {
		s.shapes[i].count = shapes[s.shapes[i]]
	}
	for id := 1; id < len(s.nodes); id++ {
		p := s.nodes[id].info.Partition
		for int(p) >= len(s.rooms) {
			s.rooms = append(s.rooms, nil)
		}
		if s.rooms[p] == nil {
			s.rooms[p] = newRoom(members[p])
		}
		s.nodes[id].room = s.rooms[p]
	}
	return nil
}

// take changes what is free on a node.
func (s *cluster) take(n *node, cores int32, memory int64) {
	n.cores -= cores
	n.memory -= memory
	n.room.set(n.leaf, n.cores, n.memory)
	s.usage.busy += int64(cores)
}

// hold takes (sign 1) or gives back (-1) a copy's cores, its memory, or both.
func (s *cluster) hold(c *running, sign int32, cores, memory bool) {
	spec := c.job.stages[c.id.Stage].spec
	var cs int32
	var ms int64
	if cores {
		cs = sign * spec.Cores
	}
	if memory {
		ms = int64(sign) * spec.Memory
	}
	if c.node != 0 {
		s.take(&s.nodes[c.node], cs, ms)
	}
	for _, share := range c.gang {
		s.take(&s.nodes[share.Node], cs*int32(share.Tasks), ms*int64(share.Tasks))
	}
}

// find returns the place of a copy, plus one; 0 if it is on no node.
func (s *cluster) find(id policy.Copy) int32 {
	j := s.jobs.Get(id.Job)
	if j == nil {
		return 0
	}
	at := j.stages[id.Stage].units[id.Index].head
	for at != 0 && s.copies[at-1].id.N != id.N {
		at = s.copies[at-1].next
	}
	return at
}

// carryOut does on a node what an order says.
func (s *cluster) carryOut(o *order) {
	a := &o.action
	if a.Kind == policy.Start {
		s.start(o)
		return
	}
	at := s.find(a.Copy)
	if at == 0 {
		s.withdraw(o)
		return // it has ended
	}
	at--
	c := &s.copies[at]
	if o.from != 0 && !c.on(o.from) {
		s.fail(s.checker.violation("P5", "the part on node %d wants to %v %v, which is not there", o.from, a.Kind, a.Copy))
		return
	}
	switch a.Kind {
	case policy.Kill:
		kind := policy.Killed
		if o.lost {
			kind = policy.Lost
		}
		s.endCopy(at, kind)
	case policy.Suspend:
		s.suspend(at)
	case policy.Resume:
		if c.state == suspended {
			s.resume(at, o)
		}
	case policy.Report:
		s.report(o, at)
	}
}

// ask is a Report that is due later.
type ask struct {
	order order
	life  int // the policy's, as cluster.lives
}

// report answers a Report, now or when it is due.
func (s *cluster) report(o *order, at int32) {
	if o.action.At > s.now {
		i := len(s.asks)
		if n := len(s.freeAsks); n > 0 {
			i, s.freeAsks = int(s.freeAsks[n-1]), s.freeAsks[:n-1]
		} else {
			s.asks = append(s.asks, ask{})
		}
		s.asks[i] = ask{*o, s.lives}
		s.at(o.action.At, askDue, uint32(i))
		return
	}
	c := &s.copies[at]
	served := s.served(c)
	ev := c.tells(policy.Progress, served, 0)
	ev.Value = 1
	if left := c.left - (served - c.service); left > 0 {
		ev.Value = float64(served) / float64(served+left)
	}
	if o.from != 0 {
		s.tell(o.from, ev)
		return
	}
	s.inform(report{event: ev}, 0, nil)
}

func (s *cluster) askDue(i uint32) {
	a := s.asks[i]
	s.freeAsks = append(s.freeAsks, i)
	if a.life == s.lives {
		s.carryOut(&a.order)
	}
}

// spec returns the stage of a copy, nil if its job has ended.
func (s *cluster) spec(c policy.Copy) *policy.Stage {
	if j := s.jobs.Get(c.Job); j != nil {
		return j.stages[c.Stage].spec
	}
	return nil
}

// on reports whether any of the copy is on a node.
func (c *running) on(id policy.NodeID) bool {
	for _, share := range c.gang {
		if share.Node == id {
			return true
		}
	}
	return c.node == id
}

// withdraw answers a Kill of a copy that still waits for cores to be freed.
func (s *cluster) withdraw(o *order) {
	if o.action.Kind != policy.Kill {
		return
	}
	for id := range s.nodes {
		n := &s.nodes[id]
		for i := range n.wants {
			if w := &n.wants[i]; w.action.Kind == policy.Start && w.action.Copy == o.action.Copy {
				refused := *w
				n.wants = append(n.wants[:i], n.wants[i+1:]...)
				s.refuse(&refused)
				return
			}
		}
	}
}

// start runs a copy if there is room for it.
func (s *cluster) start(o *order) {
	a := &o.action
	j := s.jobs.Get(a.Copy.Job)
	if j == nil || j.told {
		s.refuse(o)
		return
	}
	st := &j.stages[a.Copy.Stage]
	u := &st.units[a.Copy.Index]
	if j.outcome != 0 || u.done || !st.ready || st.pipes > 0 {
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
		id = s.place(st.spec, a.Partition)
	} else if n := &s.nodes[id]; !n.up || a.Partition != 0 && n.info.Partition != a.Partition {
		id = 0
	} else if n.cores < st.spec.Cores || n.memory < st.spec.Memory || len(n.wants) > 0 {
		if n.memory >= st.spec.Memory && n.cores+n.freeing >= st.spec.Cores && n.freeing > 0 {
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

// place returns the first node with room for a task, 0 if there is none.
func (s *cluster) place(spec *policy.Stage, p policy.PartitionID) policy.NodeID {
	for _, preferred := range [...]bool{true, false} {
		for q, r := range s.rooms {
			id := policy.PartitionID(q)
			if r == nil || p != 0 && p != id || spec.Prefers(id) != preferred {
				continue
			}
			if k, ok := r.first(0, spec.Cores, spec.Memory); ok {
				return policy.NodeID(r.nodes[k])
			}
		}
	}
	return 0
}

// placeGang returns where the tasks of a gang go, nil if there is no room for all.
func (s *cluster) placeGang(spec *policy.Stage, a *policy.Action) (gang []policy.Share) {
	left := spec.Tasks
	add := func(id int) {
		n := &s.nodes[id]
		fit := uint32(max(0, n.cores/spec.Cores))
		if spec.Memory > 0 {
			fit = uint32(min(int64(fit), max(0, n.memory/spec.Memory)))
		}
		if fit = min(fit, left); fit > 0 {
			gang = append(gang, policy.Share{Node: policy.NodeID(id), Tasks: fit})
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

// launch puts a copy on its node or nodes.
func (s *cluster) launch(o *order, j *job, id policy.NodeID, gang []policy.Share) {
	runtime, err := s.runtime(o.action.Copy, j, id, gang)
	if err != nil {
		s.fail(err)
		return
	}
	var at int32
	if s.free != 0 {
		at = s.free - 1
		s.free = s.copies[at].next
	} else {
		at = int32(len(s.copies))
		s.copies = append(s.copies, running{})
	}
	u := &j.stages[o.action.Copy.Stage].units[o.action.Copy.Index]
	c := &s.copies[at]
	*c = running{
		id: o.action.Copy, job: j, node: id, gang: gang, next: u.head,
		local: o.from != 0, since: s.now, left: runtime,
	}
	u.head = at + 1
	if part, fails := s.config.Faults.breaks(c.id); fails {
		c.fails = true
		c.left = policy.Duration(part * float64(runtime))
	}
	s.hold(c, 1, true, true)
	c.event = s.after(c.left, copyDue, uint32(at))
	s.changed()
	s.inform(report{event: c.tells(policy.Started, 0, o.action.Partition), local: c.local}, c.node, c.gang)
}

// runtime returns how long a copy, or a gang, would run where it is put.
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
		return 0, fmt.Errorf("sim: the truth about task %v is %v (known: %v), want a runtime of at least 0", c, d, ok)
	}
	info := &s.nodes[id].info
	factor := 1 / info.Speed
	if spec.Elsewhere > 1 && !spec.Prefers(info.Partition) {
		factor *= spec.Elsewhere
	}
	if factor == 1 {
		return d, nil
	}
	f := math.Round(float64(d) * factor)
	if f >= math.MaxInt64 {
		return 0, fmt.Errorf("sim: task %v would run for %v s on node %d, too long for policy.Duration", c, f/1e9, id)
	}
	return policy.Duration(f), nil
}

// refuse answers a Start that cannot be carried out.
func (s *cluster) refuse(o *order) {
	ev := policy.Event{Kind: policy.Refused, Copy: o.action.Copy, Partition: o.action.Partition}
	s.inform(report{event: ev, local: o.from != 0}, o.from, nil)
}

// tells makes the event of something that has happened to c.
func (c *running) tells(kind policy.EventKind, service policy.Duration, asked policy.PartitionID) policy.Event {
	return policy.Event{Kind: kind, Copy: c.id, Node: c.node, Gang: c.gang, Partition: asked, Service: service}
}

// served returns the service of c until now.
func (s *cluster) served(c *running) policy.Duration {
	if c.state == runs || c.state == drains {
		return c.service + s.now.Sub(c.since)
	}
	return c.service
}

// halt adds up the service of a copy that runs until now.
func (s *cluster) halt(c *running) {
	if c.state == runs || c.state == drains {
		ran := s.now.Sub(c.since)
		c.service += ran
		c.left = max(0, c.left-ran)
		c.since = s.now
	}
	s.cancel(c.event)
}

// copyDue is the instant at which a copy has run for its time.
func (s *cluster) copyDue(at int32) {
	c := &s.copies[at]
	switch {
	case c.fails:
		s.endCopy(at, policy.Failed)
	case c.job.stages[c.id.Stage].flowing > 0:
		c.state = drains
	default:
		s.endCopy(at, policy.Finished)
	}
}

// drain finishes the copies of a stage that waited for the last of their input.
func (s *cluster) drain(st *stage) {
	for i := range st.units {
		for at := st.units[i].head; at != 0; {
			c := &s.copies[at-1]
			now := at - 1
			at = c.next
			if c.state == drains {
				s.endCopy(now, policy.Finished)
			}
		}
	}
}

// endCopy takes a copy off its node.
func (s *cluster) endCopy(at int32, kind policy.EventKind) {
	c := &s.copies[at]
	s.halt(c)
	if c.state == suspending {
		s.freeing(c, -1)
	}
	s.hold(c, -1, c.state != suspended, true)
	u := &c.job.stages[c.id.Stage].units[c.id.Index]
	for p := &u.head; ; p = &s.copies[*p-1].next {
		if *p == at+1 {
			*p = c.next
			break
		}
	}
	ev := c.tells(kind, c.service, 0)
	ev.Idle = c.idle
	r, id, gang := report{event: ev, local: c.local}, c.node, c.gang
	*c = running{next: s.free}
	s.free = at + 1
	s.changed()
	s.inform(r, id, gang)
	s.grant(id, gang)
}

// suspend takes a copy off its cores.
func (s *cluster) suspend(at int32) {
	c := &s.copies[at]
	if c.state == suspended || c.state == suspending {
		return
	}
	s.halt(c)
	c.state = suspending
	s.changed()
	if s.config.SuspendCost == 0 {
		s.copyOff(at)
		return
	}
	s.freeing(c, 1)
	c.event = s.after(s.config.SuspendCost, copyFreed, uint32(at))
}

// freeing notes that a copy is about to leave its cores, or no longer is.
func (s *cluster) freeing(c *running, sign int32) {
	cores := sign * c.job.stages[c.id.Stage].spec.Cores
	if c.node != 0 {
		s.nodes[c.node].freeing += cores
	}
	for _, share := range c.gang {
		s.nodes[share.Node].freeing += cores * int32(share.Tasks)
	}
}

func (s *cluster) copyFreed(at int32) {
	s.freeing(&s.copies[at], -1)
	s.copyOff(at)
}

// copyOff is the instant at which a suspended copy has left its cores.
func (s *cluster) copyOff(at int32) {
	c := &s.copies[at]
	c.state = suspended
	s.hold(c, -1, true, false)
	s.changed()
	id, gang := c.node, c.gang
	s.tellSuspended(c)
	s.grant(id, gang)
}

func (s *cluster) tellSuspended(c *running) {
	ev := c.tells(policy.Suspended, c.service, 0)
	ev.Idle, c.idle = c.idle, true
	s.inform(report{event: ev}, c.node, c.gang)
}

// resume gives a suspended copy its cores back, if they are free.
func (s *cluster) resume(at int32, o *order) {
	c := &s.copies[at]
	cores := c.job.stages[c.id.Stage].spec.Cores
	fits := true
	if c.node != 0 {
		n := &s.nodes[c.node]
		fits = n.cores >= cores && len(n.wants) == 0
		if !fits && n.freeing > 0 && n.cores+n.freeing >= cores {
			n.wants = append(n.wants, *o)
			return
		}
	}
	for _, share := range c.gang {
		fits = fits && int64(s.nodes[share.Node].cores) >= int64(cores)*int64(share.Tasks)
	}
	if !fits {
		s.tellSuspended(c)
		return
	}
	s.resumeNow(at)
}

func (s *cluster) resumeNow(at int32) {
	c := &s.copies[at]
	s.hold(c, 1, true, false)
	c.state = resuming
	s.changed()
	if s.config.ResumeCost == 0 {
		s.copyBack(at)
		return
	}
	c.event = s.after(s.config.ResumeCost, copyBack, uint32(at))
}

// copyBack is the instant at which a resumed copy goes on.
func (s *cluster) copyBack(at int32) {
	c := &s.copies[at]
	c.state, c.since, c.idle = runs, s.now, false
	c.event = s.after(c.left, copyDue, uint32(at))
	s.changed()
	s.inform(report{event: c.tells(policy.Resumed, c.service, 0)}, c.node, c.gang)
}

// grant gives freed cores to those that waited for them.
func (s *cluster) grant(id policy.NodeID, gang []policy.Share) {
	if id != 0 {
		s.grantNode(id)
	}
	for _, share := range gang {
		s.grantNode(share.Node)
	}
}

func (s *cluster) grantNode(id policy.NodeID) {
	n := &s.nodes[id]
	for len(n.wants) > 0 {
		o := n.wants[0]
		wants := n.wants
		n.wants = n.wants[1:]
		spec := s.spec(o.action.Copy)
		if spec != nil && n.cores < spec.Cores && n.freeing > 0 {
			n.wants = wants // it goes on waiting
			return
		}
		rest := n.wants
		n.wants = nil // nobody is before it now
		s.carryOut(&o)
		n.wants = append(rest, n.wants...)
	}
}
