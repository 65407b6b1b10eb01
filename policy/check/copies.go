package check

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// copyEvent follows a copy through its states.
func (c *Checker) copyEvent(j *watchedJob, st *watchedStage, ev *policy.Event) error {
	at := c.find(st.units[ev.Copy.Index], ev.Copy.N)
	if at < 0 {
		return c.violation(ruleCopy, "%v of %v, for which there was no Start, or which has ended", ev.Kind, ev.Copy)
	}
	w := c.attempts.At(at)
	if err := c.consistent(w, at, ev); err != nil {
		return err
	}
	stage := &j.job.Stages[ev.Copy.Stage]
	switch ev.Kind {
	case policy.Started:
		return c.copyStarted(j, st, at, ev)
	case policy.Refused:
		delete(c.behind, ev.Copy)
		delete(c.due, ev.Copy)
		u := c.unit(st, ev.Copy.Index)
		if w.state == copyAsked {
			u.live--
			j.live--
		}
		c.strike(st, ev.Copy.Index, at)
		st.unused(u, ev.Copy)
		return c.again(j, st, u, ev)
	case policy.Suspended:
		if ev.Idle {
			return nil // a Resume without room
		}
		w.state, w.service = copyStands, ev.Service
		c.standing++
		return c.hold(at, stage, -1, 0, 0, ev)
	case policy.Resumed:
		if w.state != copyStands {
			return c.violation(ruleCopy, "%v resumed, but was not suspended", ev.Copy)
		}
		w.state = copyRuns
		c.standing--
		return c.hold(at, stage, 1, 0, 0, ev)
	case policy.Progress:
		if !(ev.Value >= 0 && ev.Value <= 1) {
			return c.violation(ruleCopy, "%v has done %v of its work, want 0 to 1", ev.Copy, ev.Value)
		}
		w.service = ev.Service
		return nil
	}
	return c.copyEnded(j, st, at, ev)
}

// consistent checks an event of a copy against the earlier ones.
func (c *Checker) consistent(w *watched, at int32, ev *policy.Event) error {
	asked := w.state == copyAsked || w.state == copyAskedByPart
	answer := ev.Kind == policy.Started || ev.Kind == policy.Refused
	switch {
	case answer && !asked:
		return c.violation(ruleCopy, "%v of %v, whose Start was answered before", ev.Kind, ev.Copy)
	case asked && !answer:
		return c.violation(ruleCopy, "%v of %v, whose Start has not been answered", ev.Kind, ev.Copy)
	case asked:
		return nil
	case ev.Service < w.service:
		return c.violation(ruleCopy, "%v of %v with %v of service, but it had %v", ev.Kind, ev.Copy, ev.Service, w.service)
	case w.state == copyStands && ev.Service != w.service:
		return c.violation(ruleCopy, "%v of %v with %v of service, but it was suspended with %v", ev.Kind, ev.Copy, ev.Service, w.service)
	case !c.there(w, at, ev):
		return c.violation(ruleCopy, "%v of %v %s, but it is %s", ev.Kind, ev.Copy, where(ev.Node, ev.Gang, ev.Devices), where(w.node, c.gangs[at], c.devices[at]))
	case (ev.Kind == policy.Suspended || ev.Kind.End()) && ev.Idle && w.state != copyStands:
		return c.violation(ruleCopy, "%v of %v with Idle, but it was not suspended", ev.Kind, ev.Copy)
	case (ev.Kind == policy.Suspended || ev.Kind.End()) && !ev.Idle && w.state == copyStands:
		return c.violation(ruleCopy, "%v of %v without Idle, but it was suspended", ev.Kind, ev.Copy)
	}
	return nil
}

// there reports whether an event names the node or nodes where its copy is.
func (c *Checker) there(w *watched, at int32, ev *policy.Event) bool {
	if w.gang {
		return ev.Node == 0 && ev.Devices == 0 && slices.Equal(ev.Gang, c.gangs[at])
	}
	return ev.Node == w.node && ev.Devices == c.devices[at]
}

// where names a copy's node, or the nodes of a gang, and its devices if it has some.
func where(node policy.NodeID, gang []policy.Share, devices policy.Devices) string {
	text := fmt.Sprintf("on node %d", node)
	if node == 0 && len(gang) > 0 {
		text = fmt.Sprintf("on nodes %v", gang)
	}
	if devices != 0 {
		text += fmt.Sprintf(" with devices %b", devices)
	}
	return text
}

// copyStarted checks the start of a copy, and counts what it holds.
func (c *Checker) copyStarted(j *watchedJob, st *watchedStage, at int32, ev *policy.Event) error {
	u, w, stage := c.unit(st, ev.Copy.Index), c.attempts.At(at), &j.job.Stages[ev.Copy.Stage]
	if !st.ready {
		return c.violation(ruleCopy, "%v started, but its stage is not ready", ev.Copy)
	}
	if w.state == copyAskedByPart {
		u.live++
		j.live++
	}
	if err := c.placed(w, stage, ev); err != nil {
		return err
	}
	if x, ok := c.behind[ev.Copy]; ok {
		if delete(c.behind, ev.Copy); c.goesOn(x) {
			return c.violation(ruleOrder, "%v started on node %d, but %v, which was to be killed there before, has not ended", ev.Copy, ev.Node, x)
		}
	}
	if err := c.goesFrom(st, stage, u.done, ev); err != nil {
		return err
	}
	w.state, w.node, w.service = copyRuns, ev.Node, ev.Service
	if w.gang = stage.Gang; w.gang {
		c.gangs[at] = slices.Clone(ev.Gang)
	} else if stage.Needs != nil {
		c.devices[at] = ev.Devices
	} else if ev.Devices != 0 {
		return c.violation(ruleNode, "%v of %v has devices %b, and needs none", ev.Kind, ev.Copy, ev.Devices)
	}
	c.live++
	return c.hold(at, stage, 1, 1, 1, ev)
}

// copyEnded checks the end of a copy, and forgets the copy.
func (c *Checker) copyEnded(j *watchedJob, st *watchedStage, at int32, ev *policy.Event) error {
	cores := int32(-1)
	if ev.Idle {
		cores = 0
	}
	if err := c.hold(at, &j.job.Stages[ev.Copy.Stage], cores, -1, -1, ev); err != nil {
		return err
	}
	if ev.Idle {
		c.standing--
	}
	u := c.unit(st, ev.Copy.Index)
	if err := c.saves(st, &j.job.Stages[ev.Copy.Stage], u.done, ev); err != nil {
		return err
	}
	c.live--
	u.live--
	j.live--
	c.strike(st, ev.Copy.Index, at)
	if ev.Kind == policy.Finished {
		if u.done {
			return c.violation(ruleCopy, "task %v is finished a second time", ev.Copy.Task)
		}
		u.done = true
		delete(st.saved, ev.Copy.Index)
		st.left--
		c.finished++
	}
	return c.again(j, st, u, ev)
}

// placed checks that a copy is where its Start asked for.
func (c *Checker) placed(w *watched, stage *policy.Stage, ev *policy.Event) error {
	if (ev.Node == 0) != stage.Gang || (len(ev.Gang) > 0) != stage.Gang {
		return c.violation(ruleCopy, "%v of %v with Node %d and Gang %v, want Gang alone for a gang, and Node alone for a task", ev.Kind, ev.Copy, ev.Node, ev.Gang)
	}
	if ev.Partition != w.partition {
		return c.violation(ruleCopy, "%v of %v names partition %d, but its Start %d", ev.Kind, ev.Copy, ev.Partition, w.partition)
	}
	where := ev.Gang
	if !stage.Gang {
		where = []policy.Share{{Node: ev.Node, Tasks: 1}}
	}
	tasks := uint64(0)
	for _, share := range where {
		tasks += uint64(share.Tasks)
		n := c.node(share.Node)
		if w.node != 0 && share.Node != w.node || w.partition != 0 && n != nil && n.partition != w.partition {
			return c.violation(ruleNode, "%v of %v on node %d, but its Start names node %d, partition %d (0 is any)", ev.Kind, ev.Copy, share.Node, w.node, w.partition)
		}
	}
	if stage.Gang && tasks != uint64(stage.Tasks) {
		return c.violation(ruleCopy, "%v is a gang of %d tasks, but %d were placed", ev.Copy, stage.Tasks, tasks)
	}
	return nil
}

// again checks that Again is not set while another copy goes on. If it is missing, the job must be about to end with
// another outcome than Done.
func (c *Checker) again(j *watchedJob, st *watchedStage, u *watched, ev *policy.Event) error {
	switch {
	case ev.Again && u.done:
		return c.violation(ruleCopy, "%v of %v with Again, but the task is finished", ev.Kind, ev.Copy)
	case ev.Again && u.live > 0:
		return c.violation(ruleCopy, "%v of %v with Again, but another copy goes on", ev.Kind, ev.Copy)
	case ev.Again && j.dying.event != 0:
		return c.violation(ruleCopy, "%v of %v with Again, but the job was about to end: %s", ev.Kind, ev.Copy, j.dying.unasked())
	case !ev.Again && !u.done && u.live == 0 && j.dying.event == 0:
		j.dying = moment{at: ev.Time, event: ev.Kind, copy: ev.Copy}
	}
	c.tidy(st, ev.Copy.Index)
	return nil
}

// hold takes (1) or gives back (-1) what a copy occupies: cores, memory and its place. 0 leaves one as it is.
func (c *Checker) hold(at int32, stage *policy.Stage, cores, memory, place int32, ev *policy.Event) error {
	w := c.attempts.At(at)
	if !w.gang {
		return c.holdNode(policy.Share{Node: w.node, Tasks: 1, Devices: c.devices[at]}, stage, cores, memory, place, ev)
	}
	for _, share := range c.gangs[at] {
		if err := c.holdNode(share, stage, cores, memory, place, ev); err != nil {
			return err
		}
	}
	return nil
}

func (c *Checker) holdNode(share policy.Share, stage *policy.Stage, cores, memory, place int32, ev *policy.Event) error {
	id, tasks := share.Node, share.Tasks
	n := c.node(id)
	if n == nil || !n.up {
		return c.violation(ruleNode, "%v of %v on node %d, which has not joined, or has left", ev.Kind, ev.Copy, id)
	}
	n.copies += place
	n.cores -= int64(cores) * int64(stage.Cores) * int64(tasks)
	if n.cores < 0 && !c.believes { // a replay says that a copy is there before it says that it stands
		return c.violation(ruleNode, "%v of %v leaves %d of %d cores free on node %d", ev.Kind, ev.Copy, n.cores, n.all, id)
	}
	if memory != 0 && (stage.Needs != nil || share.Devices != 0) {
		if memory > 0 {
			if err := n.stock.Check(stage, share.Devices, tasks); err != nil {
				return c.violation(ruleNode, "%v of %v on node %d: %w", ev.Kind, ev.Copy, id, err)
			}
		}
		n.stock.Add(stage, share.Devices, -int64(memory)*int64(tasks))
	}
	if !n.limited || stage.Memory == 0 {
		return nil
	}
	if memory > 0 && int64(tasks) > n.memory/stage.Memory {
		return c.violation(ruleNode, "%v of %v needs memory for %d tasks of %d bytes, and node %d has %d bytes free", ev.Kind, ev.Copy, tasks, stage.Memory, id, n.memory)
	}
	n.memory -= int64(memory) * stage.Memory * int64(tasks)
	return nil
}
