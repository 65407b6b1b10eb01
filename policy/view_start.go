package policy

import "fmt"

// Next returns the first stage of the job that has a unit waiting, and false if none
// has. A stage comes after those that it reads, whose tasks may have to be started again
// before its own can run (see Pipelines).
func (j *JobView[T]) Next() (stage uint32, ok bool) {
	if j.Waiting == 0 {
		return 0, false
	}
	for ; int(j.next) < len(j.Stages); j.next++ {
		stage = j.next
		if j.sorted != nil {
			stage = j.sorted.order[j.next]
		}
		if j.waiting(stage) > 0 {
			return stage, true
		}
	}
	return 0, false
}

// wake notes that a stage has a unit waiting.
func (j *JobView[T]) wake(stage uint32) {
	if j.sorted != nil {
		stage = j.sorted.place[stage]
	}
	j.next = min(j.next, stage)
}

func (j *JobView[T]) waiting(stage uint32) int {
	s := &j.Stages[stage]
	if !s.Ready {
		return 0
	}
	if s.picks != nil {
		return s.picks.count
	}
	return int(j.Job.Stages[stage].Units()-s.fresh) + len(s.again)
}

// Start takes the next unit of j that waits (of its first stage with any; tasks to be
// tried again first, then those of [View.First], then by index) and returns the action that
// starts it on partition p, or anywhere if p is 0. It panics if nothing waits (see
// [JobView.Waiting]) or if no node of the partition has ever joined.
func (v *View[T]) Start(j *JobView[T], p PartitionID) Action { return v.take(j, v.next(j), p) }

// next takes out the next unit of j that waits.
func (v *View[T]) next(j *JobView[T]) Copy {
	stage, ok := j.Next()
	if !ok {
		panic("policy: Start of a job that has nothing waiting")
	}
	s := &j.Stages[stage]
	c := Copy{Task: Task{Job: j.Job.ID, Stage: stage}}
	j.Waiting--
	tried := false
	if s.picks != nil {
		c.Index, tried = s.pick(&j.Job.Stages[stage])
	} else if n := len(s.again); n > 0 {
		c.Index, tried = s.again[n-1], true
		s.again = s.again[:n-1]
	} else {
		c.Index = s.fresh
		s.fresh++
	}
	if tried {
		c.N = s.attempts[c.Index]
		v.used(s, c)
	}
	return c
}

// Another returns the action that starts one more copy of a task that runs and is not
// finished, on partition p, or anywhere if p is 0. It panics if the task is none of j's or if no node of the
// partition has ever joined.
func (v *View[T]) Another(j *JobView[T], task Task, p PartitionID) Action {
	return v.take(j, v.more(j, task), p)
}

// more returns one more copy of a task.
func (v *View[T]) more(j *JobView[T], task Task) Copy {
	if task.Job != j.Job.ID || !j.has(task) {
		panic(fmt.Sprintf("policy: another copy of %v, which is no task of job %d", task, j.Job.ID))
	}
	s := &j.Stages[task.Stage]
	c := Copy{task, max(1, s.attempts[task.Index])}
	v.used(s, c)
	return c
}

// Return takes back a Start of this View that will never be answered, because the message
// that carried it to a node was lost with the node: the task waits again. p is as it was in
// the Start, 0 if that named a node. It is a no-op if the job has ended, and if there can have been no such Start:
// of a task that is not there or was not tried yet, by a number that was not given yet, on a partition that
// has not joined.
func (v *View[T]) Return(c Copy, p PartitionID) {
	j := v.jobs.Get(c.Job)
	if j == nil || !j.has(c.Task) || uint64(p) >= uint64(max(1, len(v.free))) {
		return
	}
	switch s := &j.Stages[c.Stage]; {
	case !s.Ready || s.picks == nil && c.Index >= s.fresh || s.picks != nil && s.picks.waits.has(int(c.Index)):
		return // it waits
	case c.N >= max(1, s.attempts[c.Index]):
		return
	}
	ev := Event{Kind: Refused, Copy: c, Partition: p}
	v.account(&ev, j, &j.Job.Stages[c.Stage])
	v.used(&j.Stages[c.Stage], c)
	v.again(j, c)
	v.news = true
}

// has reports whether the job has a task, or a gang that the task stands for.
func (j *JobView[T]) has(task Task) bool {
	return int64(task.Stage) < int64(len(j.Stages)) && task.Index < j.Job.Stages[task.Stage].Units()
}

// answered takes note of a copy's number when it has ended or was refused. That of a
// refused Start is used once more, so that it does not matter how often a Start was tried.
func (v *View[T]) answered(s *StageView, ev *Event) {
	if ev.Kind != Refused || ev.Replay {
		v.used(s, ev.Copy)
	} else if s.attempts[ev.Copy.Index] == ev.Copy.N+1 {
		s.attempts[ev.Copy.Index] = ev.Copy.N
	}
}

// used takes note of a copy's number.
func (v *View[T]) used(s *StageView, c Copy) {
	v.retry(s)
	s.attempts[c.Index] = max(s.attempts[c.Index], c.N+1)
}

// again takes note that the unit of a copy is to be started again.
func (v *View[T]) again(j *JobView[T], c Copy) {
	s := &j.Stages[c.Stage]
	if s.picks != nil && !s.enter(&j.Job.Stages[c.Stage], c.Index) {
		return // it waits already: we were told of it twice
	}
	v.retry(s)
	s.again = append(s.again, c.Index)
	j.Waiting++
	j.wake(c.Stage)
}

// retry makes room for a stage's retries, when it has its first.
func (v *View[T]) retry(s *StageView) {
	if s.attempts != nil {
		return
	}
	if n := len(v.spare); n > 0 {
		s.retries, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		s.attempts = make(map[uint32]uint32)
	}
}

// reclaim empties a job that has ended.
func (v *View[T]) reclaim(j *JobView[T]) {
	j.Waiting = 0
	for i := range j.Stages {
		s := &j.Stages[i]
		if s.attempts != nil && j.Job.Stages[i].Units() <= maxSpare {
			clear(s.attempts)
			v.spare = append(v.spare, retries{s.again[:0], s.attempts})
		}
		s.retries, s.picks = retries{}, nil
	}
}
