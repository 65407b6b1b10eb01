// Package check watches a host and a policy, and says which of the two breaks which rule of package policy, and when. Put a
// [Checker] between them while you write either, as the example does, and stop at the first error. It names copies as
// job/stage/task#n, as policy.Copy does. Only Done finds a missing answer, and an end without Again.
//
// Package sim checks each run so, and package policytest tests policies so.
//
// # When not to use it
//
// It does not judge a policy's decisions.
//
// # Cost
//
// Constant time for each event and action, or for gangs time in proportion to their nodes.
//
// # Source
//
// Ours.
package check

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/slab"
	"example.com/augur/policy"
)

// A Checker watches a host and a policy, and reports what breaks the contract, the rules of package policy: each task
// is finished exactly once, no core is used twice, a suspended copy keeps its service, nothing starts before it is
// ready or on a node that has left, every Start is answered and every copy ends. Any host can use it. Call
//
//   - Event before each Step, for every part,
//   - Action for each action that came back, in order,
//   - Restart when the policy is restarted, before the replay, but after Event of what the old policy should still
//     have heard. A new Checker, in a new process, needs no Restart and takes a consistent replay for the truth,
//   - Done at the end.
//
// It checks the events of the centre, which hears of everything, and the actions of all parts. Of rule Order it
// checks only that a copy does not run on a node before another one has ended there whose Kill, without Save, was asked for earlier.
// Of Service it checks only that a copy that starts has what was saved of its task, and that Service never falls and stands
// still while a copy is suspended: Service 0 at every end passes, though predictors learn from it. Saved may grow at any
// end, by no more than Service says. It cannot check the order of events within an instant, the rest of rule
// Order, what becomes of messages, Pipelines (when a stage that reads a pipe is ready), or which job is TooLarge. Nor does it notice that a host reports
// Refused, Failed or Lost without need, or Suspended, Progress or Woken that nobody asked for. After the first
// violation its answers mean nothing.
//
// It allocates nothing in the steady state, and takes 4 bytes for each task of the unfinished jobs, 40 for each running
// copy and a byte for each job that has ended.
type Checker struct {
	jobs       policy.Table[policy.JobID, watchedJob]
	ended      slab.Outcomes                   // of jobs
	nodes      []watchedNode                   // by ID
	gangs      map[int32][]policy.Share        // where a gang is, by its place in attempts
	devices    map[int32]policy.Devices        // of tasks that need some, by the same
	partitions map[policy.PartitionID]bool     // that have joined
	behind     map[policy.Copy]policy.Copy     // of a Start on a node, the copy to be killed there before
	due        map[policy.Copy]policy.Duration // of a Start, what it is to go on from at least, if anything is saved
	attempts   slab.Slab[watched]
	now        policy.Time
	heard      bool                     // the centre has heard of something
	more       bool                     // More was set in the last event of the centre
	refused    map[policy.NodeID]moment // of parts that have heard nothing since a Refused

	restarted bool // and the replay has not ended
	believes  bool // the replay, since nothing has been seen before
	// What there is, of what a replay must name: copies on nodes, those of them that are
	// suspended, finished tasks of jobs that go on, Ready stages, and nodes. Jobs are counted
	// by their table.
	live, standing, finished, ready, up int
	named                               replayed // what the replay has named

	recent [recentEvents]moment
	seen   int
}

type watchedJob struct {
	job    *policy.Job
	stages []watchedStage
	live   int    // copies that run or are being started by the centre
	dying  moment // the first end or Refused without Again of an unfinished task that has no copy left
}

type watchedStage struct {
	units []int32 // as stage.units of the simulator
	left  int     // of them, not finished
	ready bool
	// used holds the numbers of copies that are at or above their unit's next one.
	used  map[policy.Copy]bool
	saved map[uint32]saved // of the tasks of which something is, by index
}

type watchedNode struct {
	partition policy.PartitionID // 0 if it never joined
	up        bool
	speed     float64
	limited   bool  // memory is accounted for
	all       int32 // cores
	copies    int32
	cores     int64 // free
	memory    int64 // free, if limited
	stock     *policy.Stock
	killed    policy.Copy // the last one there that the centre wants killed
}

// New returns a checker of a host that is about to start.
func New() *Checker {
	return &Checker{now: math.MinInt64, gangs: make(map[int32][]policy.Share), devices: make(map[int32]policy.Devices), partitions: make(map[policy.PartitionID]bool), behind: make(map[policy.Copy]policy.Copy), due: make(map[policy.Copy]policy.Duration), refused: make(map[policy.NodeID]moment)}
}

// Event checks an event that a part (a node, or 0 for the centre) is about to hear. The error is a [*Violation].
func (c *Checker) Event(part policy.NodeID, ev *policy.Event) error {
	if ev == nil {
		c.note(moment{at: c.instant(), part: part})
		return c.violation(ruleTime, "the event is nil")
	}
	c.note(moment{at: ev.Time, part: part, event: ev.Kind, copy: ev.Copy, node: ev.Node, replay: ev.Replay, again: ev.Again})
	switch {
	case ev.Kind == 0:
		return c.violation(ruleTime, "the event's Kind is not set")
	case ev.Kind > policy.Restored:
		return c.violation(ruleTime, "%v is no kind of event", ev.Kind)
	case ev.Time < c.now:
		return c.violation(ruleTime, "%v at %v s comes after %v s", ev.Kind, ev.Time.Seconds(), c.now.Seconds())
	case part == 0 && c.more && ev.Time > c.now:
		return c.violation(ruleTime, "More was set at %v s, but the next event is at %v s", c.now.Seconds(), ev.Time.Seconds())
	}
	c.now = ev.Time
	if len(c.refused) > 0 {
		delete(c.refused, part)
	}
	if ev.Kind == policy.Refused && ev.Again {
		c.refused[part] = moment{at: ev.Time, copy: ev.Copy}
	}
	if part != 0 {
		return c.partEvent(part, ev)
	}
	anew := !c.heard
	c.more, c.heard = ev.More, true
	if ev.Replay || ev.Kind == policy.Restored {
		return c.replays(ev, anew)
	}
	if c.restarted {
		return c.violation(ruleRestart, "%v without Replay, before Restored", ev.Kind)
	}
	switch ev.Kind {
	case policy.Joined, policy.Left:
		return c.nodeEvent(ev)
	case policy.Arrived, policy.Woken:
		return nil
	case policy.Submitted:
		return c.submitted(ev)
	}
	j := c.jobs.Get(ev.Copy.Job)
	if j == nil {
		return c.violation(ruleJob, "%v of job %d, which has not been submitted, or has ended", ev.Kind, ev.Copy.Job)
	}
	if ev.Kind == policy.Ended {
		return c.jobEnded(j, ev)
	}
	if int64(ev.Copy.Stage) >= int64(len(j.stages)) {
		return c.violation(ruleJob, "%v of stage %d of job %d, which has %d stages", ev.Kind, ev.Copy.Stage, ev.Copy.Job, len(j.stages))
	}
	st := &j.stages[ev.Copy.Stage]
	if ev.Kind == policy.Ready {
		if st.ready {
			return c.violation(ruleJob, "stage %d of job %d is ready twice", ev.Copy.Stage, ev.Copy.Job)
		}
		for _, d := range j.job.Stages[ev.Copy.Stage].Reads {
			if left := j.stages[d.Stage].left; left > 0 && !d.Pipe {
				return c.violation(ruleJob, "stage %d of job %d is Ready, but it reads stage %d, of which %d tasks or gangs are not finished", ev.Copy.Stage, ev.Copy.Job, d.Stage, left)
			}
		}
		st.ready = true
		c.ready++
		return nil
	}
	if int64(ev.Copy.Index) >= int64(len(st.units)) {
		return c.violation(ruleJob, "%v of %v; the stage has %d tasks or gangs", ev.Kind, ev.Copy, len(st.units))
	}
	return c.copyEvent(j, st, ev)
}

func (c *Checker) partEvent(part policy.NodeID, ev *policy.Event) error {
	switch ev.Kind {
	case policy.Submitted, policy.Ready, policy.Ended, policy.Left:
		return c.violation(ruleParts, "the part on node %d is told %v, which is for the centre", part, ev.Kind)
	case policy.Arrived, policy.Woken, policy.Restored, policy.Refused:
		return nil
	}
	for _, share := range ev.Gang {
		if share.Node == part {
			return nil
		}
	}
	if ev.Node != part {
		return c.violation(ruleParts, "the part on node %d is told %v of node %d", part, ev.Kind, ev.Node)
	}
	if ev.Kind == policy.Joined {
		return c.described(ev)
	}
	return nil
}

func (c *Checker) nodeEvent(ev *policy.Event) error {
	n := c.node(ev.Node)
	if ev.Kind == policy.Left {
		if n == nil || !n.up {
			return c.violation(ruleNode, "node %d has left, but was not there", ev.Node)
		}
		if n.copies > 0 {
			return c.violation(ruleCopy, "node %d has left, but copies on it have not ended: %d", ev.Node, n.copies)
		}
		n.up = false
		c.up--
		return nil
	}
	if n != nil && n.up {
		return c.violation(ruleNode, "node %d has joined twice, and has not left between", ev.Node)
	}
	if err := c.described(ev); err != nil {
		return err
	}
	for int(ev.Node) >= len(c.nodes) {
		c.nodes = append(c.nodes, watchedNode{})
	}
	c.nodes[ev.Node] = watchedNode{partition: ev.Info.Partition, up: true, all: ev.Info.Cores, speed: ev.Info.Speed, limited: ev.Info.Memory > 0, cores: int64(ev.Info.Cores), memory: ev.Info.Memory, stock: policy.NewStock(ev.Info)}
	c.partitions[ev.Info.Partition] = true
	c.up++
	return nil
}

// described checks the description of a node that joins.
func (c *Checker) described(ev *policy.Event) error {
	switch {
	case ev.Info == nil:
		return c.violation(ruleNode, "node %d has joined without its description: Info is nil", ev.Node)
	case ev.Info.ID != ev.Node:
		return c.violation(ruleNode, "node %d has joined, but its description, Info, is of node %d", ev.Node, ev.Info.ID)
	}
	if err := ev.Info.Validate(); err != nil {
		return c.violation(ruleNode, "%w", err)
	}
	return nil
}

// node returns a node that has ever joined, nil if there is none.
func (c *Checker) node(id policy.NodeID) *watchedNode {
	if int64(id) < int64(len(c.nodes)) && c.nodes[id].partition != 0 {
		return &c.nodes[id]
	}
	return nil
}

func (c *Checker) submitted(ev *policy.Event) error {
	switch {
	case ev.Job == nil:
		return c.violation(ruleJob, "job %d is submitted without its description: Job is nil", ev.Copy.Job)
	case ev.Job.ID != ev.Copy.Job:
		return c.violation(ruleJob, "job %d is submitted, but its description, Job, is of job %d", ev.Copy.Job, ev.Job.ID)
	case c.jobs.Get(ev.Copy.Job) != nil || c.ended.Of(ev.Copy.Job) != 0:
		return c.violation(ruleJob, "job %d is submitted twice", ev.Copy.Job)
	}
	if err := ev.Job.Validate(); err != nil {
		return c.violation(ruleJob, "%w", err)
	}
	j := &watchedJob{job: ev.Job, stages: make([]watchedStage, len(ev.Job.Stages))}
	for i := range j.stages {
		n := int(ev.Job.Stages[i].Units())
		j.stages[i].units, j.stages[i].left = make([]int32, n), n
	}
	c.jobs.Put(ev.Copy.Job, j)
	return nil
}

func (c *Checker) jobEnded(j *watchedJob, ev *policy.Event) error {
	switch {
	case j.live > 0:
		return c.violation(ruleCopy, "job %d has ended, but %s", ev.Copy.Job, c.pending(j))
	case ev.Outcome == policy.Done && j.left() > 0:
		return c.violation(ruleJob, "job %d has ended as Done, but %s", ev.Copy.Job, j.unfinished())
	case ev.Outcome == 0:
		return c.violation(ruleJob, "job %d has ended without an Outcome", ev.Copy.Job)
	case int(ev.Outcome) > int(policy.TimedOut):
		return c.violation(ruleJob, "job %d has ended with %v", ev.Copy.Job, ev.Outcome)
	}
	for i := range j.stages {
		if j.stages[i].ready {
			c.ready--
		}
		c.finished -= len(j.stages[i].units)
		for k := range j.stages[i].units {
			st := &j.stages[i]
			for at := st.units[k]; at > 0; { // not finished, or with Starts by parts that were never heard of
				place := at - 1
				at = c.attempts.At(place).next
				delete(c.gangs, place)
				delete(c.devices, place)
				c.attempts.Drop(place)
			}
		}
	}
	c.finished += j.left() // which were not among them
	c.jobs.Delete(ev.Copy.Job)
	c.ended.Set(ev.Copy.Job, ev.Outcome)
	return nil
}

// Action checks an action that a part (a node, or 0 for the centre) has returned at an instant. The error is a
// [*Violation].
func (c *Checker) Action(part policy.NodeID, now policy.Time, a *policy.Action) error {
	if a == nil {
		c.note(moment{at: now, part: part, acted: true})
		return c.Breach(ruleLegal, "the action is nil")
	}
	c.note(moment{at: now, part: part, acted: true, action: a.Kind, copy: a.Copy, node: a.Node})
	if c.restarted {
		return c.Breach(ruleLegal, "%v during a replay", a.Kind)
	}
	switch {
	case a.Node != 0 && c.node(a.Node) == nil:
		return c.Breach(ruleLegal, "%v on or to node %d, which never joined", a.Kind, a.Node)
	case a.Partition != 0 && !c.partitions[a.Partition]:
		return c.Breach(ruleLegal, "%v on partition %d, which never joined", a.Kind, a.Partition)
	case math.IsNaN(a.Msg.Value) || math.IsInf(a.Msg.Value, 0):
		return c.Breach(ruleLegal, "%v with value %v", a.Kind, a.Msg.Value)
	}
	if a.Save && a.Kind != policy.Kill {
		return c.Breach(ruleLegal, "%v with Save, which is for Kill", a.Kind)
	}
	switch a.Kind {
	case policy.Start, policy.Suspend, policy.Resume, policy.Kill, policy.Report:
		return c.copyAction(part, a)
	case policy.GiveUp:
		if part != 0 {
			return c.Breach(ruleParts, "the part on node %d gives up job %d, which is for the centre", part, a.Copy.Job)
		}
		if c.jobs.Get(a.Copy.Job) == nil && c.ended.Of(a.Copy.Job) == 0 {
			return c.Breach(ruleLegal, "%v of job %d, which was never submitted", a.Kind, a.Copy.Job)
		}
		return nil
	case policy.Send, policy.Post, policy.Wake:
		return nil
	}
	return c.Breach(ruleLegal, "%v is no action", a.Kind)
}

func (c *Checker) copyAction(part policy.NodeID, a *policy.Action) error {
	j := c.jobs.Get(a.Copy.Job)
	if j == nil {
		if c.ended.Of(a.Copy.Job) != 0 && (a.Kind != policy.Start || part != 0) {
			return nil // too late
		}
		return c.Breach(ruleLegal, "%v of %v, whose job has not been submitted, or has ended", a.Kind, a.Copy)
	}
	st := j.stage(a.Copy.Task)
	if st == nil {
		return c.Breach(ruleLegal, "%v of %v; the job has no such task or gang", a.Kind, a.Copy)
	}
	next, done, first := c.state(st, a.Copy.Index)
	if a.Save && !j.job.Stages[a.Copy.Stage].Saves {
		return c.Breach(ruleLegal, "%v with Save of %v, whose stage does not save", a.Kind, a.Copy)
	}
	if a.Kind != policy.Start {
		if a.Copy.N >= next && !st.used[a.Copy] {
			return c.Breach(ruleLegal, "%v of %v, for which there was no Start", a.Kind, a.Copy)
		}
		at := c.find(first, a.Copy.N)
		if part != 0 && !c.on(part, at) {
			return c.Breach(ruleParts, "the part on node %d wants to %v %v, which is not there", part, a.Kind, a.Copy)
		}
		if part == 0 && a.Kind == policy.Kill && !a.Save && at >= 0 {
			if w := c.attempts.At(at); w.placed() && !w.gang {
				c.nodes[w.node].killed = a.Copy
			}
		}
		return nil
	}
	switch {
	case part != 0 && a.Node != 0 && a.Node != part:
		return c.Breach(ruleParts, "the part on node %d starts %v on node %d", part, a.Copy, a.Node)
	case !st.ready:
		return c.Breach(ruleLegal, "Start of %v, whose stage is not ready", a.Copy)
	case part == 0 && done:
		return c.Breach(ruleLegal, "Start of %v, which is finished", a.Copy)
	case a.Copy.N < next || st.used[a.Copy]:
		return c.Breach(ruleLegal, "Start of %v: the copy's number was used before", a.Copy)
	case next >= policy.MaxCopies:
		return c.violation(ruleCopy, "Start of %v: its host has let a task be tried %d times, as often as it may", a.Copy, policy.MaxCopies)
	case a.Copy.N >= policy.MaxCopies:
		return c.Breach(ruleLegal, "Start of %v: the copy's number is not below %d", a.Copy, policy.MaxCopies)
	}
	u := c.unit(st, a.Copy.Index)
	st.use(u, a.Copy)
	w := c.enroll(st, u, a.Copy.Index)
	w.n, w.node, w.partition, w.state = a.Copy.N, a.Node, a.Partition, copyAsked
	if s, ok := st.saved[a.Copy.Index]; ok {
		c.due[a.Copy] = s.work
	}
	if part != 0 {
		w.state, w.node = copyAskedByPart, part
		return nil
	}
	u.live++
	j.live++
	if a.Node != 0 {
		if x := c.nodes[a.Node].killed; c.goesOn(x) {
			c.behind[a.Copy] = x
		}
	}
	return nil
}

// stage returns the stage of a task or gang of a job, nil if there is none.
func (j *watchedJob) stage(t policy.Task) *watchedStage {
	if j == nil || int64(t.Stage) >= int64(len(j.stages)) || int64(t.Index) >= int64(len(j.stages[t.Stage].units)) {
		return nil
	}
	return &j.stages[t.Stage]
}

// goesOn reports whether a copy runs or is suspended, as far as the centre has heard.
func (c *Checker) goesOn(id policy.Copy) bool {
	j := c.jobs.Get(id.Job)
	if j == nil {
		return false
	}
	at := c.find(j.stages[id.Stage].units[id.Index], id.N)
	return at >= 0 && c.attempts.At(at).placed()
}

func (st *watchedStage) use(u *watched, id policy.Copy) {
	if id.N > u.used {
		if st.used == nil {
			st.used = make(map[policy.Copy]bool)
		}
		st.used[id] = true
		return
	}
	for u.used++; len(st.used) > 0; u.used++ {
		id.N = u.used
		if !st.used[id] {
			return
		}
		delete(st.used, id)
	}
}

// unused takes back the number of a copy whose Start was refused.
func (st *watchedStage) unused(u *watched, id policy.Copy) {
	if id.N+1 == u.used {
		u.used--
	}
	delete(st.used, id)
}

// on reports whether the copy at a place is on a node, as far as the centre knows. A copy that is unknown (-1) or has
// ended may be there.
func (c *Checker) on(node policy.NodeID, at int32) bool {
	if at < 0 {
		return true
	}
	if w := c.attempts.At(at); w.state == copyAsked || w.node == node {
		return true
	}
	return slices.ContainsFunc(c.gangs[at], func(s policy.Share) bool { return s.Node == node })
}

// pending names a copy of a job that has not ended or whose Start was not answered.
func (c *Checker) pending(j *watchedJob) string {
	for i := range j.stages {
		for k := range j.stages[i].units {
			for at := j.stages[i].units[k]; at > 0; {
				w := c.attempts.At(at - 1)
				at = w.next
				id := policy.Copy{Task: policy.Task{Job: j.job.ID, Stage: uint32(i), Index: uint32(k)}, N: uint32(w.n)}
				switch w.state {
				case copyAsked:
					return fmt.Sprintf("the Start of %v was never answered", id)
				case copyRuns, copyStands:
					return fmt.Sprintf("%v has not", id)
				}
			}
		}
	}
	return ""
}

// left returns how many tasks and gangs are not finished.
func (j *watchedJob) left() (n int) {
	for i := range j.stages {
		n += j.stages[i].left
	}
	return n
}

// unfinished tells how many tasks or gangs of a job are not finished, and which event may be to blame.
func (j *watchedJob) unfinished() string {
	text := fmt.Sprintf("tasks of it are not finished: %d", j.left())
	if j.dying.event != 0 {
		text += "; " + j.dying.unasked()
	}
	return text
}

// unasked says that an event asked for no other Start of its task.
func (m *moment) unasked() string {
	return fmt.Sprintf("%v of %v at %v s came without Again", m.event, m.copy, m.at.Seconds())
}

// Done checks the end of a run, when every job must have ended. The error is a *[Violation].
func (c *Checker) Done() error {
	if c.more {
		return c.violation(ruleTime, "More was set in the last event")
	}
	for id, j := range c.jobs.All() {
		if j.live > 0 {
			return c.violation(ruleCopy, "job %d has not ended: %s", id, c.pending(j))
		}
		for part, m := range c.refused { // one of them tells enough
			return c.violation(ruleCircles, "job %d has not ended: part %d has heard nothing since the Start of %v was Refused, at %v s; report Woken when the reason is gone", id, part, m.copy, m.at.Seconds())
		}
		return c.violation(ruleJob, "job %d has not ended, and %s", id, j.unfinished())
	}
	return nil
}
