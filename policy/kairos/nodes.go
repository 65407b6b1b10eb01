package kairos

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Nodes are the nodes of Kairos for any turn: a [Central] at the centre, and a [Node] or an [AdaptiveNode] on each
// node. Set them as central.Config.Node.
type Nodes struct {
	config   Config
	adaptive bool
	floor    policy.Duration // of adaptive nodes
	past                     // of tasks that have finished, if nodes are adaptive
	turn     central.Turn
	view     *central.View
	claim    func(j *central.Job)
	returned func(c policy.Copy, again bool)
	jobs     policy.Table[policy.JobID, entry]
	centres  []*Central[policy.Copy] // jobs are dealt out to them in turn
	memory   policy.Table[policy.NodeID, int64]
	stale    map[policy.Copy]bool // copies on nodes whose tasks have finished
	least    int64                // memory of the smallest node, maxMemory if none accounts for memory
	retries  []retry              // jobs that wait a little after a refusal, by instant
}

// maxMemory is that of a node which does not account for it.
const maxMemory = math.MaxInt64

// entry is the centre's record of a job.
type entry struct {
	sent   int         // assignments that are not over
	copies int         // of these, copies that are not the first of their task
	ready  policy.Time // its last stage
	until  policy.Time // when it tries again after a refusal
}

// NewNodes returns the nodes. It returns an error that names the field that is out of range.
func NewNodes(c Config) (*Nodes, error) {
	c, err := c.checked("Config")
	if err != nil {
		return nil, err
	}
	s := &Nodes{config: c, stale: make(map[policy.Copy]bool), least: maxMemory}
	for range c.Centres {
		centre, err := NewCentral[policy.Copy](c.Central)
		if err != nil {
			return nil, err
		}
		s.centres = append(s.centres, centre)
	}
	return s, nil
}

// of returns which centre serves a job.
func (s *Nodes) of(id policy.JobID) int { return int(uint64(id) % uint64(len(s.centres))) }

// sent yields the assignments of a job whose ends have not been heard. It looks at all nodes.
func (s *Nodes) sent(id policy.JobID) iter.Seq[Assignment[policy.Copy]] {
	c := s.centres[s.of(id)]
	return func(yield func(Assignment[policy.Copy]) bool) {
		for node := range c.nodes() {
			for a := range c.on(node) {
				if a.Task.Job == id && !yield(a) {
					return
				}
			}
		}
	}
}

// where returns the node that a copy was sent to, and false if it has not been sent or has ended.
func (s *Nodes) where(c policy.Copy) (node policy.NodeID, ok bool) {
	for a := range s.sent(c.Job) {
		if a.Task == c {
			return a.Node, true
		}
	}
	return 0, false
}

// another reports whether a copy of the same task has been sent to a node and has not ended. It looks at all nodes if the
// job has more than one copy of any task.
func (s *Nodes) another(c policy.Copy) bool {
	if e := s.jobs.Get(c.Job); e != nil && e.copies == 0 && c.N == 0 {
		return false
	}
	for a := range s.sent(c.Job) {
		if a.Task.Task == c.Task {
			return true
		}
	}
	return false
}

// number returns the number of a copy's assignment to a node, and false if there is none. A node has so
// few that a scan is faster than a table.
func (s *Nodes) number(c policy.Copy, node policy.NodeID) (number uint64, ok bool) {
	for a := range s.centres[s.of(c.Job)].on(node) {
		if a.Task == c {
			return a.Number, true
		}
	}
	return 0, false
}

// Bind implements [central.Nodes].
func (s *Nodes) Bind(b central.Books) error {
	if err := b.Enter(&s.view); err != nil {
		return err
	}
	s.turn, s.claim, s.returned = b.Turn, b.Changed, b.Returned
	return nil
}

// Check implements [central.Nodes]. It returns an error for a valid event that Kairos cannot serve.
func (s *Nodes) Check(ev *policy.Event) error {
	switch {
	case ev.Kind == policy.Joined && ev.Info != nil && ev.Info.Cores > MaxCores:
		return fmt.Errorf("kairos: node %d has %d cores, want at most %d", ev.Node, ev.Info.Cores, MaxCores)
	case ev.Kind == policy.Submitted && ev.Job != nil:
		for i := range ev.Job.Stages {
			switch st := &ev.Job.Stages[i]; {
			case len(st.Needs) > 0:
				return fmt.Errorf("kairos: stage %d of job %d needs %s, and Kairos counts cores and memory only: want no Needs, or a central policy", i, ev.Job.ID, st.Needs[0].Name)
			case st.Width() == 1:
			case st.Gang:
				return fmt.Errorf("kairos: stage %d of job %d is a gang, and Kairos runs no gangs: want tasks that may start one by one", i, ev.Job.ID)
			default:
				return fmt.Errorf("kairos: each task of stage %d of job %d takes %d cores, want 1", i, ev.Job.ID, st.Cores)
			}
		}
	case ev.Kind == policy.Arrived:
		switch m := &ev.Msg; {
		case m.Kind == refuse:
		case m.Kind != heartbeat:
			return fmt.Errorf("kairos: message of node %d is of kind %d, want a heartbeat or a refusal", ev.Node, m.Kind)
		case int64(m.Copy.Stage) >= int64(len(s.centres)):
			return fmt.Errorf("kairos: heartbeat of node %d is for centre %d, want less than %d", ev.Node, m.Copy.Stage, len(s.centres))
		default:
			r := s.reportOf(ev, m)
			return r.check()
		}
	}
	return nil
}

// Note implements [central.Nodes].
func (s *Nodes) Note(ev *policy.Event, j *central.Job, actions []policy.Action) []policy.Action {
	actions = s.note(ev, j, actions)
	s.resume(ev.Time)
	return actions
}

func (s *Nodes) note(ev *policy.Event, j *central.Job, actions []policy.Action) []policy.Action {
	switch ev.Kind {
	case policy.Submitted:
		s.jobs.Put(j.Job.ID, new(entry))
	case policy.Ready:
		s.jobs.Get(j.Job.ID).ready = ev.Time
	case policy.Joined:
		memory := ev.Info.Memory
		if memory == 0 {
			memory = maxMemory
		}
		s.memory.Put(ev.Node, &memory)
		s.least = min(s.least, memory)
		for i := range s.centres {
			// The View has seen to it that the node is not there.
			_ = s.centres[i].Joined(ev.Node, int(ev.Info.Cores))
			if !ev.Replay {
				actions = append(actions, s.begin(i, ev.Node))
			}
		}
	case policy.Left:
		for _, c := range s.centres {
			s.lost(c, ev.Node)
		}
		s.memory.Delete(ev.Node)
		s.least = maxMemory
		for _, memory := range s.memory.All() {
			s.least = min(s.least, *memory)
		}
	case policy.Started:
		if ev.Replay {
			c := s.of(ev.Copy.Job)
			if _, err := s.centres[c].Adopt(ev.Copy, ev.Node); err == nil {
				s.jobs.Get(j.Job.ID).sent++
			}
		}
	case policy.Restored:
		return s.restored(actions)
	case policy.Ended:
		return s.forget(j, actions)
	case policy.Arrived:
		if ev.Msg.Kind != refuse {
			_, _ = s.centres[ev.Msg.Copy.Stage].Heartbeat(s.reportOf(ev, &ev.Msg))
		} else if s.takeBack(ev.Msg.Copy, ev.Node) {
			if j := s.view.Job(ev.Msg.Copy.Job); j != nil {
				s.pause(j, ev.Time)
				s.claim(j)
			}
		}
	case policy.Refused:
		if node, ok := s.where(ev.Copy); ok {
			s.release(ev.Copy, node)
		}
		if j.Waiting > 0 {
			s.pause(j, ev.Time)
		}
	default:
		if ev.Kind.End() {
			s.release(ev.Copy, ev.Node)
		}
		if ev.Kind == policy.Finished {
			s.finished(ev.Copy)
			if s.adaptive {
				s.learn(ev.Service)
			}
		}
	}
	return actions
}

// begin tells a node at which number a centre begins.
func (s *Nodes) begin(centre int, node policy.NodeID) policy.Action {
	_, sent, _ := s.centres[centre].Node(node)
	return policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: begin, Seq: sent, Count: uint32(centre)}}
}

// restored tells the nodes again, after a restart, what they had been told before.
func (s *Nodes) restored(actions []policy.Action) []policy.Action {
	for i := range s.centres {
		for node := range s.centres[i].nodes() {
			for a := range s.centres[i].on(node) {
				actions = append(actions, s.send(adopt, i, a))
			}
			actions = append(actions, s.begin(i, node))
		}
	}
	return actions
}

func (s *Nodes) send(kind uint32, centre int, a Assignment[policy.Copy]) policy.Action {
	memory := s.view.Job(a.Task.Job).Job.Stages[a.Task.Stage].Memory
	return policy.Action{Kind: policy.Send, Node: a.Node, Msg: assignment(kind, a.Task, a.Number, centre, memory)}
}

// lost takes back the tasks that were on their way to a node that is gone. Copies that the node had begun have ended
// before (rule Copy).
func (s *Nodes) lost(c *Central[policy.Copy], node policy.NodeID) {
	for _, a := range slices.Collect(c.on(node)) {
		s.takeBack(a.Task, node)
	}
	_ = c.Left(node) // which the View has seen to be there
}

// takeBack takes back a copy that was sent and has not begun. Its task waits again unless another copy of it is on
// its way, runs, or has finished. It returns false, and changes nothing, if the node was not sent the copy.
func (s *Nodes) takeBack(c policy.Copy, node policy.NodeID) bool {
	stale := s.stale[c]
	if !s.release(c, node) {
		return false
	}
	s.returned(c, !stale && !s.another(c))
	return true
}

// finished records the copies of a finished task that are still on nodes: if they are lost, they need not be sent
// again. It looks at all nodes if the job has more than one copy of any task.
func (s *Nodes) finished(c policy.Copy) {
	if s.jobs.Get(c.Job).copies == 0 && c.N == 0 {
		return
	}
	for a := range s.sent(c.Job) {
		if a.Task.Task == c.Task {
			s.stale[a.Task] = true
		}
	}
}

// release notes that an assignment is over. It returns false if there is none.
func (s *Nodes) release(c policy.Copy, node policy.NodeID) bool {
	number, ok := s.number(c, node)
	if !ok {
		return false
	}
	_, _ = s.centres[s.of(c.Job)].Ended(node, number) // which has been sent it
	delete(s.stale, c)
	if e := s.jobs.Get(c.Job); e != nil {
		if e.sent--; c.N > 0 {
			e.copies--
		}
	}
	return true
}

// forget records that a job is over, and withdraws its copies that have not begun from the nodes. To find these it
// looks at all nodes.
func (s *Nodes) forget(j *central.Job, actions []policy.Action) []policy.Action {
	sent := s.jobs.Get(j.Job.ID).sent
	s.jobs.Delete(j.Job.ID)
	from := len(actions)
	if sent > 0 {
		for a := range s.sent(j.Job.ID) {
			actions = append(actions, policy.Action{
				Kind: policy.Send, Node: a.Node, Msg: policy.Msg{Kind: withdraw, Copy: a.Task, Count: uint32(s.of(j.Job.ID))},
			})
			if sent--; sent == 0 {
				break
			}
		}
	}
	for _, a := range actions[from:] {
		s.release(a.Msg.Copy, a.Node)
	}
	return actions
}

// Slots implements [central.Nodes]: N + Q on each node, and 2·N if it is adaptive.
func (s *Nodes) Slots() int64 {
	cores, _ := s.view.Capacity()
	if s.adaptive {
		return 2 * cores
	}
	return cores + int64(s.view.Nodes())*int64(s.config.Central.Queue)
}

// Free implements [central.Nodes].
func (s *Nodes) Free() bool {
	for i := range s.centres {
		if !s.centres[i].full() {
			return true
		}
	}
	return false
}

// Fits implements [central.Nodes].
func (s *Nodes) Fits(j *central.Job, stage uint32) bool {
	if s.adaptive {
		node, at := s.reach(j, j.Job.Stages[stage].Memory)
		return node != 0 && at <= s.view.Now()
	}
	c := s.centres[s.of(j.Job.ID)]
	if memory := j.Job.Stages[stage].Memory; memory > s.least {
		_, ok := s.roomy(c, memory)
		return ok
	}
	return !c.full()
}

// Send implements [central.Nodes].
func (s *Nodes) Send(j *central.Job, copy policy.Copy, actions []policy.Action) []policy.Action {
	i := s.of(j.Job.ID)
	c := s.centres[i]
	node := policy.NodeID(0)
	if s.adaptive {
		node, _ = s.reach(j, j.Job.Stages[copy.Stage].Memory)
		node = s.apart(j, copy, node)
	} else if memory := j.Job.Stages[copy.Stage].Memory; memory > s.least {
		node, _ = s.roomy(c, memory)
	}
	var a Assignment[policy.Copy]
	if node == 0 {
		a, _ = c.give(copy)
	} else {
		a, _ = c.Adopt(copy, node)
	}
	e := s.jobs.Get(j.Job.ID)
	if e.sent++; copy.N > 0 {
		e.copies++
	}
	return append(actions, s.send(assign, i, a))
}

// roomy returns the node that gets the next task among those with enough memory for it, and
// false if all of these are full. It looks at all nodes.
func (s *Nodes) roomy(c *Central[policy.Copy], memory int64) (best policy.NodeID, ok bool) {
	var most int64
	var least float64
	for node := range c.nodes() {
		if *s.memory.Get(node) < memory {
			continue
		}
		w := c.workers.Get(node)
		free := int64(w.cores) + int64(s.config.Central.Queue) - w.tasks()
		measure := w.variance
		if s.config.Central.Tie == LeastSum {
			measure = w.sum
		}
		if free > 0 && (!ok || free > most || free == most && measure < least) {
			best, most, least, ok = node, free, measure, true
		}
	}
	return best, ok
}

// A retry says when a job tries again after a refusal.
type retry struct {
	at  policy.Time
	job policy.JobID
}

// pause lets a job wait for a second after a host or a full node refused one of its tasks. If the task were sent
// again at once, it could be refused forever at one instant. With one centre that is rare: it happens if the node
// still has tasks of a job that is over.
func (s *Nodes) pause(j *central.Job, now policy.Time) {
	e := s.jobs.Get(j.Job.ID)
	j.Held, e.until = true, now.Add(policy.Duration(1e9))
	s.retries = append(s.retries, retry{e.until, j.Job.ID})
}

// resume lets jobs that have waited try again.
func (s *Nodes) resume(now policy.Time) {
	due := 0
	for ; due < len(s.retries) && s.retries[due].at <= now; due++ {
		id := s.retries[due].job
		if e := s.jobs.Get(id); e != nil && e.until <= now {
			j := s.view.Job(id)
			j.Held = false
			s.claim(j)
		}
	}
	s.retries = slices.Delete(s.retries, 0, due)
}

// Until implements [central.Nodes].
func (s *Nodes) Until() policy.Time {
	at := policy.Never
	if len(s.retries) > 0 {
		at = s.retries[0].at
	}
	if s.adaptive {
		at = min(at, s.due())
	}
	return at
}
