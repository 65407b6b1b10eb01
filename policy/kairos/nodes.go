package kairos

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Nodes are the nodes of a Kairos for any turn. [NewNodes] makes the paper's and [NewAdaptiveNodes] the adaptive ones.
// Set them as central.Config.Node.
type Nodes struct {
	config   Config
	adaptive bool
	past     // of tasks that have finished, if nodes are adaptive
	turn     central.Turn
	view     *central.View
	changed  func(j *central.Job)
	returned func(c policy.Copy, again bool)
	jobs     policy.Table[policy.JobID, entry]
	centre   *centre
	stale    map[policy.Copy]bool // copies on nodes whose tasks have finished
	retries  []retry              // jobs that wait a little after a refusal, by instant
}

// maxMemory is that of a node which does not account for it.
const maxMemory = math.MaxInt64

// entry is the centre's record of a job.
type entry struct {
	sent  int         // assignments that are not over
	ready policy.Time // its last stage
	until policy.Time // when it tries again after a refusal
}

// NewNodes returns the paper's nodes. It returns an error that names the field that is out of range.
func NewNodes(c Config) (*Nodes, error) {
	c, err := c.filled()
	if err != nil {
		return nil, err
	}
	return newNodes(c), nil
}

func newNodes(c Config) *Nodes {
	return &Nodes{config: c, centre: newCentre(c), stale: make(map[policy.Copy]bool)}
}

// where returns the node that a copy was sent to, and false if it has not been sent or has ended.
func (s *Nodes) where(c policy.Copy) (node policy.NodeID, ok bool) {
	for node, copy := range s.centre.on(c.Job) {
		if copy == c {
			return node, true
		}
	}
	return 0, false
}

// Bind implements [central.Nodes].
func (s *Nodes) Bind(b central.Books) error {
	if err := b.Enter(&s.view); err != nil {
		return err
	}
	s.turn, s.changed, s.returned = b.Turn, b.Changed, b.Returned
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
	case ev.Kind == policy.Arrived && ev.Msg.Kind != heartbeat && ev.Msg.Kind != refuse:
		return fmt.Errorf("kairos: message of node %d is of kind %d, want a heartbeat or a refusal", ev.Node, ev.Msg.Kind)
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
		s.centre.joined(ev.Info)
		if !ev.Replay {
			actions = append(actions, s.begin(ev.Node))
		}
	case policy.Left:
		s.lost(ev.Node)
	case policy.Started:
		if ev.Replay && s.centre.workers.Get(ev.Node) != nil {
			s.centre.send(ev.Node, ev.Copy, j.Job.Stages[ev.Copy.Stage].Memory)
			s.jobs.Get(j.Job.ID).sent++
		}
	case policy.Restored:
		return s.restored(actions)
	case policy.Ended:
		return s.forget(j, actions)
	case policy.Arrived:
		if ev.Msg.Kind == heartbeat {
			s.centre.hear(ev.Node, reportOf(ev, s.adaptive))
		} else if s.takeBack(ev.Msg.Copy, ev.Node) {
			if j := s.view.Job(ev.Msg.Copy.Job); j != nil {
				s.pause(j, ev.Time)
				s.changed(j)
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

// begin tells a node at which number the centre begins.
func (s *Nodes) begin(node policy.NodeID) policy.Action {
	return policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: begin, Seq: s.centre.workers.Get(node).sent}}
}

// restored tells the nodes again, after a restart, what they had been told before.
func (s *Nodes) restored(actions []policy.Action) []policy.Action {
	for node, w := range s.centre.workers.All() {
		for _, h := range w.held {
			actions = append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: assignment(adopt, h, 0)})
		}
		actions = append(actions, s.begin(node))
	}
	return actions
}

// lost takes back the tasks that were on their way to a node that is gone. Copies that the node had begun have ended
// before (rule Copy).
func (s *Nodes) lost(node policy.NodeID) {
	for _, h := range slices.Clone(s.centre.workers.Get(node).held) {
		s.takeBack(h.copy, node)
	}
	s.centre.left(node)
}

// takeBack takes back a copy that was sent and has not begun. Its task waits again unless another copy of it is on
// its way, runs, or has finished. It returns false, and changes nothing, if the node was not sent the copy.
func (s *Nodes) takeBack(c policy.Copy, node policy.NodeID) bool {
	stale := s.stale[c]
	if !s.release(c, node) {
		return false
	}
	s.returned(c, !stale && s.centre.copies[c.Task] == 0)
	return true
}

// finished records the copies of a finished task that are still on nodes: if they are lost, they need not be sent
// again. It looks at all nodes if there are any.
func (s *Nodes) finished(c policy.Copy) {
	if s.centre.copies[c.Task] == 0 {
		return
	}
	for _, copy := range s.centre.on(c.Job) {
		if copy.Task == c.Task {
			s.stale[copy] = true
		}
	}
}

// release notes that an assignment is over. It returns false if there is none.
func (s *Nodes) release(c policy.Copy, node policy.NodeID) bool {
	if !s.centre.release(node, c) {
		return false
	}
	delete(s.stale, c)
	if e := s.jobs.Get(c.Job); e != nil {
		e.sent--
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
		for node, copy := range s.centre.on(j.Job.ID) {
			actions = append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: withdraw, Copy: copy}})
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
	return cores + int64(s.view.Nodes())*int64(s.config.Queue)
}

// Free implements [central.Nodes].
func (s *Nodes) Free() bool { return !s.centre.full() }

// Fits implements [central.Nodes].
func (s *Nodes) Fits(j *central.Job, stage uint32) bool {
	memory := j.Job.Stages[stage].Memory
	if s.adaptive {
		w, at := s.reach(j, memory)
		return w != nil && at <= s.view.Now()
	}
	if memory > s.centre.least {
		_, ok := s.centre.roomy(memory)
		return ok
	}
	return !s.centre.full()
}

// Send implements [central.Nodes].
func (s *Nodes) Send(j *central.Job, copy policy.Copy, actions []policy.Action) []policy.Action {
	h := held{copy, j.Job.Stages[copy.Stage].Memory}
	var node policy.NodeID
	switch {
	case s.adaptive:
		node = s.apart(j, h).id
	case h.memory > s.centre.least:
		node, _ = s.centre.roomy(h.memory)
	default:
		node, _ = s.centre.order.next()
	}
	number := s.centre.send(node, copy, h.memory)
	s.jobs.Get(j.Job.ID).sent++
	return append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: assignment(assign, h, number)})
}

// A retry says when a job tries again after a refusal.
type retry struct {
	at  policy.Time
	job policy.JobID
}

// pause lets a job wait for a second after a host or a full node refused one of its tasks. If the task were sent
// again at once, it could be refused forever at one instant.
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
			s.changed(j)
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
