package policytest

import (
	"slices"

	"example.com/augur/policy"
)

// drivenJob is a job as the centre knows it: what the policy has been told, and has asked for.
type drivenJob struct {
	spec    *policy.Job
	units   [][]drivenUnit // by stage
	ready   []bool         // stages
	inputs  []policy.JobID // that it waits for
	open    int            // copies that run or are being started
	outcome policy.Outcome
	ending  bool // Ended is in the inbox
	over    bool // Ended has been told
}

type drivenUnit struct {
	done, covered bool // covered: a copy runs, or it is done
	open          int
	used          uint32 // numbers of copies are below
	failures      int
	begun         int              // copies that were started in calm, one after the other
	last          policy.EventKind // how the last copy ended
}

func (j *drivenJob) unit(c policy.Copy) *drivenUnit { return &j.units[c.Stage][c.Index] }

// every reports whether ok is true of all units of a stage.
func (j *drivenJob) every(stage uint32, ok func(u *drivenUnit) bool) bool {
	for i := range j.units[stage] {
		if !ok(&j.units[stage][i]) {
			return false
		}
	}
	return true
}

func isDone(u *drivenUnit) bool    { return u.done }
func isCovered(u *drivenUnit) bool { return u.covered }

func (h *driven) job(id policy.JobID) *drivenJob {
	for _, j := range h.jobs {
		if j.spec.ID == id {
			return j
		}
	}
	return nil
}

// flows reports whether all tasks of what a stage reads through pipes run or are done.
func (h *driven) flows(j *drivenJob, stage uint32) bool {
	for _, d := range j.spec.Stages[stage].Reads {
		if d.Pipe && !j.every(d.Stage, isCovered) {
			return false
		}
	}
	return true
}

// flowed reports whether all that a copy reads through pipes is done.
func (h *driven) flowed(c *drivenCopy) bool {
	j := h.job(c.id.Job)
	for _, d := range c.stage.Reads {
		if d.Pipe && !j.every(d.Stage, isDone) {
			return false
		}
	}
	return true
}

// follow returns what is to be told of a job once it stands as it does: stages are ready, or it has ended.
func (h *driven) follow(j *drivenJob) (follow []letterTo) {
	id := j.spec.ID
	for i := range j.spec.Stages {
		ready := !j.ready[i] && j.outcome == 0 && len(j.inputs) == 0
		for _, d := range j.spec.Stages[i].Reads {
			ready = ready && (d.Pipe && j.every(d.Stage, isCovered) || j.every(d.Stage, isDone))
		}
		if ready {
			j.ready[i] = true
			follow = append(follow, letterTo{event: policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: id, Stage: uint32(i)}}}})
		}
	}
	all := true
	for i := range j.units {
		all = all && j.every(uint32(i), isDone)
	}
	if all && j.outcome == 0 {
		j.outcome = policy.Done
	}
	if j.outcome != 0 && j.open == 0 && !j.ending {
		j.ending = true
		follow = append(follow, letterTo{event: policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: id}}, Outcome: j.outcome}})
	}
	return follow
}

// endJob decides how a job ends, and has its copies killed.
func (h *driven) endJob(j *drivenJob, o policy.Outcome) {
	if j.outcome != 0 {
		return
	}
	j.outcome = o
	for _, c := range h.copies {
		if c.id.Job == j.spec.ID {
			h.kill(c, false)
		}
	}
}

// kill orders the end of a copy.
func (h *driven) kill(c *drivenCopy, lost bool) {
	h.order(drivenOrder{action: policy.Action{Kind: policy.Kill, Copy: c.id}, lost: lost})
}

// killUnits orders the end of copies of a stage, of one unit or of all (-1).
func (h *driven) killUnits(job policy.JobID, stage uint32, index int64, lost bool) {
	for _, c := range h.copies {
		if c.id.Job == job && c.id.Stage == stage && (index < 0 || int64(c.id.Index) == index) {
			h.kill(c, lost)
		}
	}
}

func (h *driven) cancel() {
	if len(h.jobs) == 0 {
		return
	}
	h.happens(answers)
	j := h.jobs[h.in.of(len(h.jobs))]
	if j.ending || j.over {
		return
	}
	h.endJob(j, policy.Cancelled)
	h.parts[0].inbox = append(h.parts[0].inbox, h.follow(j)...)
}

// book brings the centre's books up to date with an event that is about to be told, and adds to it
// what follows from them. It returns false if it is not to be told, or not now.
func (h *driven) book(l *letterTo) (follow []letterTo, tell bool) {
	ev := &l.event
	switch {
	case ev.Kind == policy.Submitted && !ev.Replay:
		return h.bookJob(ev.Job), true
	case l.mail || ev.Replay || ev.Kind == policy.Ready || ev.Copy.Job == 0:
		if ev.Kind == policy.Joined && !ev.Replay {
			h.nodes[ev.Node].known++
		}
		return nil, true
	case ev.Kind == policy.Ended:
		return h.bookEnd(l)
	}
	j := h.job(ev.Copy.Job)
	if !h.tellable(l) {
		if c := h.find(ev.Copy); c != nil && ev.Kind == policy.Started {
			h.kill(c, false)
		}
		return nil, false
	}
	u := j.unit(ev.Copy)
	switch {
	case ev.Kind == policy.Started:
		if l.local {
			u.open++
			j.open++
			u.used = max(u.used, ev.Copy.N+1)
		}
		if u.done || j.outcome != 0 {
			h.order(drivenOrder{action: policy.Action{Kind: policy.Kill, Copy: ev.Copy}})
		} else {
			u.covered = true
		}
	case ev.Kind == policy.Refused:
		if !l.local {
			u.open--
			j.open--
		}
	case ev.Kind.End():
		h.bookCopyEnd(j, u, ev)
	}
	if ev.Kind == policy.Refused || ev.Kind.End() {
		ev.Again = !u.done && j.outcome == 0 && u.open == 0
		h.uncover(j, u, ev.Copy.Stage)
	}
	return h.follow(j), true
}

func (h *driven) bookCopyEnd(j *drivenJob, u *drivenUnit, ev *policy.Event) {
	u.open--
	j.open--
	if ev.Kind == policy.Finished && (u.done || j.outcome != 0) {
		ev.Kind = policy.Killed // the order to kill it was under way
	}
	if !u.done {
		u.last = ev.Kind
	}
	if ev.Kind == policy.Finished {
		u.done = true
		h.killUnits(ev.Copy.Job, ev.Copy.Stage, int64(ev.Copy.Index), false)
	} else if ev.Kind == policy.Failed && !u.done {
		if u.failures++; u.failures >= h.maxFailures {
			h.endJob(j, policy.TaskFailed)
		}
	}
}

// uncover ends what reads a stage through pipes if no copy of one of its tasks is left.
func (h *driven) uncover(j *drivenJob, u *drivenUnit, stage uint32) {
	if !u.covered || u.done || u.open > 0 || j.outcome != 0 {
		return
	}
	u.covered = false
	for i := range j.spec.Stages {
		for _, d := range j.spec.Stages[i].Reads {
			if d.Pipe && d.Stage == stage {
				h.killUnits(j.spec.ID, uint32(i), -1, true)
			}
		}
	}
}

// bookEnd ends a job, unless the policy has started something of it since that was decided.
func (h *driven) bookEnd(l *letterTo) (follow []letterTo, tell bool) {
	j := h.job(l.event.Copy.Job)
	if j.open > 0 {
		h.parts[0].inbox = append(h.parts[0].inbox, *l) // behind the answer
		return nil, false
	}
	j.over = true
	for _, w := range h.jobs {
		if i := slices.Index(w.inputs, j.spec.ID); i >= 0 && w.outcome == 0 {
			if w.inputs = slices.Delete(w.inputs, i, i+1); j.outcome != policy.Done {
				h.endJob(w, policy.NoInput)
			}
			follow = append(follow, h.follow(w)...)
		}
	}
	return follow, true
}

// tellable reports whether the centre's policy is to hear of a letter: of a job that is over nothing, though a part
// may have started a copy just before.
func (h *driven) tellable(l *letterTo) bool {
	if l.mail || l.event.Replay || l.event.Copy.Job == 0 || l.event.Kind == policy.Ended || l.event.Kind == policy.Submitted {
		return true
	}
	j := h.job(l.event.Copy.Job)
	return !j.over && (!j.ending || l.event.Kind == policy.Refused && !l.local)
}
