package central

import (
	"fmt"

	"example.com/augur/policy"
)

// Next returns the first stage of the job with a waiting unit, and false if there is none. A stage comes after those
// that it reads, since their tasks may have to be started again before its own can run (see Pipelines).
func (j *Job) Next() (stage uint32, ok bool) {
	if j.Waiting == 0 || len(j.Stages) == 1 {
		return 0, j.Waiting > 0
	}
	for {
		at, ok := j.ready.next(0)
		if !ok {
			return 0, false
		}
		stage := uint32(at)
		if j.ranks != nil {
			stage = j.ranks.order[at]
		}
		if j.waiting(stage) > 0 {
			return stage, true
		}
		j.ready.remove(at)
	}
}

// Saved returns what is saved of a unit of the job: what its next copy need not do again, at speed 1 where its stage prefers. It
// is 0 for a task that the job does not have.
func (j *Job) Saved(t policy.Task) policy.Duration {
	if int64(t.Stage) >= int64(len(j.Stages)) {
		return 0
	}
	return j.Stages[t.Stage].attempts[t.Index].saved
}

// NextSaved returns what is saved of the unit that View.Start takes next, unless it is told to take a local one.
func (j *Job) NextSaved() policy.Duration {
	if stage, ok := j.Next(); ok && j.Stages[stage].again > 0 {
		return j.Stages[stage].attempts[j.Stages[stage].top].saved
	}
	return 0
}

// wake notes that a stage has a unit waiting.
func (j *Job) wake(stage uint32) {
	if j.ranks != nil {
		stage = j.ranks.at[stage]
	}
	if j.ready != nil {
		j.ready.add(int(stage))
	}
}

func (j *Job) waiting(stage uint32) int {
	s := &j.Stages[stage]
	if !s.Ready || s.parked {
		return 0
	}
	if s.picks != nil {
		return s.picks.count
	}
	return int(j.Job.Stages[stage].Units()-s.fresh) + int(s.again)
}

// Start takes the next waiting unit of j and returns the action that starts it. The unit is of the first stage that
// has one: first units to be tried again, then those of [View.First], then by index. It panics if nothing waits (see
// [Job.Waiting]), or if where names a node or partition that has never joined.
func (v *View) Start(j *Job, where Where) policy.Action {
	v.check(where)
	if where.Local {
		if c, ok := v.local(j, where.Node); ok {
			return v.take(j, c, where)
		}
	}
	return v.take(j, v.next(j), where)
}

// next takes out the next waiting unit of j.
func (v *View) next(j *Job) policy.Copy {
	stage, ok := j.Next()
	if !ok {
		panic("central: Start of a job that has nothing waiting")
	}
	s := &j.Stages[stage]
	c := policy.Copy{Task: policy.Task{Job: j.Job.ID, Stage: stage}}
	j.Waiting--
	tried := false
	if s.picks != nil {
		c.Index, tried = s.pick(&j.Job.Stages[stage])
	} else if s.again > 0 {
		c.Index, tried = s.top, true
		s.remove(s.top)
	} else {
		c.Index = s.fresh
		s.fresh++
	}
	if tried {
		c.N = s.attempts[c.Index].next
		v.used(s, c)
	}
	return c
}

// Another returns the action that starts one more copy of a task that runs and is not finished. It panics if j has no
// such task, or if where names a node or partition that has never joined.
func (v *View) Another(j *Job, task policy.Task, where Where) policy.Action {
	v.check(where)
	c := v.more(j, task)
	v.addExtra(j, c)
	return v.take(j, c, where)
}

// more returns one more copy of a task.
func (v *View) more(j *Job, task policy.Task) policy.Copy {
	if task.Job != j.Job.ID || !j.has(task) {
		panic(fmt.Sprintf("central: another copy of %v, which is no task of job %d", task, j.Job.ID))
	}
	s := &j.Stages[task.Stage]
	c := policy.Copy{Task: task, N: max(1, s.attempts[task.Index].next)}
	v.used(s, c)
	return c
}

// Return takes back a Start of this View that will never be answered, because its message to a node was lost with the
// node. If again is set the task waits again: set it if no other copy of the task runs or is being started. p is the
// partition of the Start, 0 if it named a node. Return changes nothing and returns false if the job has ended, or if
// the View cannot have made this Start.
func (v *View) Return(c policy.Copy, p policy.PartitionID, again bool) bool {
	j := v.jobs.Get(c.Job)
	if j == nil || !j.has(c.Task) || uint64(p) >= uint64(max(1, len(v.free))) {
		return false
	}
	switch s := &j.Stages[c.Stage]; {
	case !s.Ready || s.unstarted(c.Index):
		return false
	case c.N >= max(1, s.attempts[c.Index].next):
		return false
	}
	ev := policy.Event{Kind: policy.Refused, Copy: c, Partition: p}
	v.unpark(j, c.Stage)
	v.account(&ev, j, &j.Job.Stages[c.Stage])
	v.used(&j.Stages[c.Stage], c)
	if again {
		v.again(j, c)
	}
	v.news = some
	return true
}

// unstarted reports whether a unit waits of which no Start was made but those that were refused.
func (s *Stage) unstarted(unit uint32) bool {
	waits := unit >= s.fresh || s.attempts[unit].again
	if s.picks != nil {
		waits = s.picks.waits.has(int(unit))
	}
	return waits && s.attempts[unit].next == 0
}

// has reports whether the job has a task, or a gang that is named by it.
func (j *Job) has(task policy.Task) bool {
	return int64(task.Stage) < int64(len(j.Stages)) && task.Index < j.Job.Stages[task.Stage].Units()
}

// answered records a copy's number when it has ended or was refused. The number of a refused Start is used once more,
// so that luck does not depend on how often a Start was tried.
func (v *View) answered(s *Stage, ev *policy.Event) {
	if ev.Kind != policy.Refused || ev.Replay {
		v.used(s, ev.Copy)
	} else if a := s.attempts[ev.Copy.Index]; a.next == ev.Copy.N+1 {
		a.next = ev.Copy.N
		s.attempts[ev.Copy.Index] = a
	}
}

// used records a copy's number.
func (v *View) used(s *Stage, c policy.Copy) {
	v.retry(s)
	if a := s.attempts[c.Index]; c.N >= a.next {
		a.next = c.N + 1
		s.attempts[c.Index] = a
	}
}

// keep records what is saved of a unit.
func (v *View) keep(s *Stage, ev *policy.Event) {
	v.retry(s)
	a := s.attempts[ev.Copy.Index]
	if a.again { // it is told twice that it waits
		s.Saved += (ev.Saved - a.saved).Seconds()
	}
	a.saved = ev.Saved
	s.attempts[ev.Copy.Index] = a
}

// again records that the unit of a copy is to be started again.
func (v *View) again(j *Job, c policy.Copy) {
	s := &j.Stages[c.Stage]
	if s.picks != nil && !s.enter(&j.Job.Stages[c.Stage], c.Index) {
		return // a host may say so at the end of each copy, though it is said already
	}
	v.retry(s)
	if !s.push(c.Index) {
		return
	}
	j.Waiting++
	j.wake(c.Stage)
}

// finished takes a finished unit out of those to start again, if it is there. That happens if a copy finishes that
// was on its way to a node when the host set Again.
func (j *Job) finished(c policy.Copy) {
	s := &j.Stages[c.Stage]
	if s.picks == nil && s.remove(c.Index) || s.attempts[c.Index].again && s.leave(&j.Job.Stages[c.Stage], c.Index) {
		j.Waiting--
	}
}

// retry makes room for a stage's retries, when it has its first.
func (v *View) retry(s *Stage) {
	if s.attempts != nil {
		return
	}
	if n := len(v.spare); n > 0 {
		s.retries, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		s.attempts = make(map[uint32]attempt)
	}
}

// reclaim keeps the lists of a job that has ended for reuse. It keeps only a few lists of extra copies, as each may
// be long.
func (v *View) reclaim(j *Job) {
	j.Waiting = 0
	v.extra -= j.extra.cores
	if j.extra.copies != nil && len(v.extras) < 8 {
		v.extras = append(v.extras, j.extra.copies[:0])
	}
	j.extra = extra{}
	for i := range j.Stages {
		s := &j.Stages[i]
		if s.attempts != nil && j.Job.Stages[i].Units() <= maxSpare {
			clear(s.attempts)
			v.spare = append(v.spare, retries{attempts: s.attempts})
		}
		s.retries, s.picks = retries{}, nil
	}
}
