package central

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// Step implements [policy.Scheduler]. If a part cannot learn from an event that is possible, its error comes with the actions.
func (s *Scheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if s.config.Node != nil {
		if err := s.config.Node.Check(ev); err != nil {
			return actions, err
		}
	}
	j, err := s.view.Observe(ev) // which jobs there are, what of them waits, what is free
	if err != nil {
		return actions, err
	}
	if j != nil && ev.Kind == policy.Ended {
		s.aside = slices.DeleteFunc(s.aside, func(a *Job) bool { return a == j })
		s.update(j, true)
	}
	failed := s.note(ev, j)
	if failed != nil && ev.Kind == policy.Submitted {
		return actions, failed
	}
	if s.config.Fill != nil {
		s.config.Fill.Note(ev, j)
	}
	if s.places != nil {
		s.places(ev, j)
	}
	if s.config.Node != nil {
		actions = s.config.Node.Note(ev, j, actions)
	}
	freed := false
	if s.config.Copy != nil {
		actions, freed = s.config.Copy.Note(ev, j, actions)
	}
	if j != nil && ev.Kind != policy.Ended {
		s.update(j, false)
	}
	s.view.Unparked(s.updateLive)
	if ev.Kind == policy.Woken {
		s.alarm = policy.Never
	}
	if ev.Kind == policy.Refused && ev.Again && ev.Partition != 0 && !ev.Replay {
		j.Refused, freed = true, true // a Placer named the partition: there may be room in others
	}
	if ev.Kind == policy.Refused && s.config.Fill != nil {
		freed = true // others may pass the job
	}
	if ev.More || ev.Replay {
		return actions, failed
	}
	if s.view.Decide(ev) || freed {
		actions = s.decide(s.view.Resume(actions))
	}
	return s.wake(actions), failed
}

// note reports an event to the Forecast and the turns. If one of them refuses a new job, the others forget it. Any other error,
// such as that of a Forecast which cannot learn from a job, comes after all have heard of the event.
func (s *Scheduler) note(ev *policy.Event, j *Job) (failed error) {
	for i, part := range s.hearers {
		err := part.Note(ev, j)
		if err == nil {
			continue
		}
		if ev.Kind == policy.Submitted {
			ended := &policy.Event{Time: ev.Time, Kind: policy.Ended, Copy: ev.Copy, Outcome: policy.Cancelled}
			for _, before := range s.hearers[:i] {
				if t, ok := before.(Turn); ok {
					t.Update(j, Usage{}) // which may ask the Forecast
				}
			}
			for _, before := range s.hearers[:i] {
				_ = before.Note(ended, j)
			}
			s.view.Withdraw(j)
			return err
		}
		failed = cmp.Or(failed, err)
	}
	return failed
}

// returned takes back a start that will never be answered.
func (s *Scheduler) returned(c policy.Copy, again bool) {
	j := s.view.Job(c.Job)
	if j == nil || !s.view.Return(c, 0, again) {
		return
	}
	ev := &s.refused
	*ev = policy.Event{Time: s.view.Now(), Kind: policy.Refused, Copy: c, Again: again}
	_ = s.note(ev, j) // nothing is learnt from a refusal
	if s.config.Copy != nil {
		_, _ = s.config.Copy.Note(ev, j, nil)
	}
	s.update(j, false)
}

// updateLive is update for a job that is not over.
func (s *Scheduler) updateLive(j *Job) { s.update(j, false) }

// update tells the Turn what a job has and wants. If the job is over that is nothing.
func (s *Scheduler) update(j *Job, over bool) {
	s.count(j, over)
	var tasks, copies Usage
	if !over {
		tasks = Usage{j.Cores, j.Memory, j.Waiting > 0}
		if s.out != nil {
			tasks.Cores = s.out(j)
		}
		if s.config.Copy != nil {
			copies.Wants = s.config.Copy.Wants(j) && !j.Held
		}
		if s.config.CopyTurn != nil {
			copies.Cores, copies.Memory = j.Extra()
			tasks.Cores, tasks.Memory = tasks.Cores-copies.Cores, tasks.Memory-copies.Memory
		} else {
			tasks.Wants = tasks.Wants || copies.Wants
		}
		tasks.Wants = tasks.Wants && !j.Held
	}
	s.config.Turn.Update(j, tasks)
	if s.config.CopyTurn != nil {
		s.config.CopyTurn.Update(j, copies)
	}
	if s.config.Fill != nil {
		s.config.Fill.Update(j, tasks)
	}
}

// count counts the jobs with something to start that needs no named resource.
func (s *Scheduler) count(j *Job, over bool) {
	stage, waits := j.Next()
	if plain := waits && !over && j.Job.Stages[stage].Needs == nil; plain != j.plain {
		j.plain = plain
		if s.plain--; plain {
			s.plain += 2
		}
	}
}

// decide starts what is next, as long as there is room.
func (s *Scheduler) decide(actions []policy.Action) []policy.Action {
	for _, j := range s.aside {
		j.Held = false
		s.update(j, false)
	}
	clear(s.aside)
	s.aside, s.scarce = s.aside[:0], 0
	if s.config.Copy == nil {
		actions, _ = s.tasks(actions)
		return actions
	}
	actions, all := s.tasks(s.config.Copy.Review(actions))
	if s.config.CopyTurn != nil && (all || s.config.Reserved > 0) {
		actions = s.copies(actions)
	}
	return actions
}

// tasks starts tasks, and copies that share their jobs' turn. It reports whether all jobs have what they want.
func (s *Scheduler) tasks(actions []policy.Action) (_ []policy.Action, all bool) {
	if s.config.Fill != nil {
		s.actions, s.stopped = actions, false
		s.config.Fill.Decide(s.next)
		actions, s.actions = s.actions, nil
		if s.stop != nil {
			actions = s.stop(actions)
		}
		if s.stopped {
			return actions, false
		}
	}
	for s.room(false, 1) {
		j := s.config.Turn.Next()
		switch {
		case j == nil:
			return actions, true
		case s.config.Fill != nil && j.Waiting > 0:
			return actions, false // the Filler knows better; but it need not know of copies
		}
		var ok bool
		if actions, ok = s.startNext(j, s.copyNext(j), actions); !ok {
			return actions, false
		}
	}
	return actions, false
}

// startNext starts a job's next task or another copy. It reports whether other jobs may go on: they may not if there
// was no room, or if the job was refused room and tries one task at a time.
func (s *Scheduler) startNext(j *Job, another bool, actions []policy.Action) (_ []policy.Action, ok bool) {
	if another {
		actions, ok = s.startCopy(j, actions)
	} else {
		actions, ok = s.startTask(j, actions)
	}
	if !ok {
		return actions, false
	}
	s.update(j, false) // one task less waits, and the job has more cores
	// Nodes have their own way with what was refused, and fillers ask View.Barred.
	return actions, !j.Refused || j.Held || s.config.Node != nil || s.config.Fill != nil
}

// passes reports whether others go on though a job's next unit, or copy, of a stage has found no room. The job then
// waits until a node joins, or until the next decision.
func (s *Scheduler) passes(j *Job, stage uint32, another bool) bool {
	spec := &j.Job.Stages[stage]
	switch lacks := s.lacks(spec); {
	case !another && !s.view.Possible(spec):
		s.view.Park(j)
		return true
	case !another && (lacks == 0 || s.plain == 0 || s.config.Fill != nil), another && !s.room(true, spec.Width()), s.config.Node != nil:
		return false
	case !another:
		s.scarce |= lacks
	}
	j.Held = true
	s.aside = append(s.aside, j)
	return true
}

// lacks returns the named resources of which too little is free for a unit of a stage, on the nodes or in all, or that jobs before
// this one wait for.
func (s *Scheduler) lacks(spec *policy.Stage) (set uint64) {
	if spec.Needs == nil {
		return 0
	}
	want := int64(spec.Tasks / spec.Units())
	apart := want // the tasks that no node's free devices hold
	for n := range s.view.All() {
		if apart -= int64(s.view.Stock(n).Fits(spec)); apart <= 0 {
			break
		}
	}
	for _, need := range spec.Needs {
		for i, r := range s.view.Resources() {
			if bit := uint64(1) << i; r.Name == need.Name && (s.scarce&bit != 0 || apart > 0 || r.Free < need.Amount*want) {
				set |= bit
			}
		}
	}
	return set
}

// copies starts copies that do not share their jobs' turn.
func (s *Scheduler) copies(actions []policy.Action) []policy.Action {
	for s.room(true, 1) {
		j := s.config.CopyTurn.Next()
		if j == nil {
			return actions
		}
		var ok bool
		if actions, ok = s.startCopy(j, actions); !ok {
			return actions
		}
		s.update(j, false)
		if j.Refused && s.config.Node == nil {
			return actions
		}
	}
	return actions
}

// room reports whether there is room for a unit of this width: in the cluster and, if cores are reserved for copies,
// in its share of the cores. A unit wider than its share waits until it has the whole share to itself.
func (s *Scheduler) room(another bool, width int64) bool {
	if s.config.Node != nil {
		return s.config.Node.Free()
	}
	free := s.view.Free(0)
	if width > free || s.config.Reserved == 0 || s.config.CopyTurn == nil {
		return width <= free
	}
	all, _ := s.view.Capacity()
	slots := saturate.To[int64](s.config.Reserved*float64(all) + 0.5)
	slots = max(0, min(slots, all-1)) // or no task would ever run
	used := s.view.Extra()
	if !another {
		slots, used = all-slots, all-free-used
	}
	return slots > 0 && (used == 0 || used+width <= slots)
}

// fits reports whether there is room for a unit of a stage, or for another copy of one.
func (s *Scheduler) fits(j *Job, stage uint32, another bool) bool {
	if s.config.Node != nil {
		return s.config.Node.Fits(j, stage)
	}
	if !s.room(another, j.Job.Stages[stage].Width()) {
		return false
	}
	sure, _ := s.view.Rooms(&j.Job.Stages[stage])
	return sure
}

// copyNext reports whether the next start of a job is a copy.
func (s *Scheduler) copyNext(j *Job) bool {
	if s.config.Copy == nil || s.config.CopyTurn != nil {
		return false
	}
	return j.Waiting == 0 || s.config.CopyWhen != AfterOwn && s.config.Copy.Wants(j)
}

// startTask starts a job's next task, and reports whether there was room for it.
func (s *Scheduler) startTask(j *Job, actions []policy.Action) ([]policy.Action, bool) {
	stage, ok := j.Next()
	if !ok {
		panic(fmt.Sprintf("central: Next of %T returned job %d, which wants nothing by its last Update", s.config.Turn, j.Job.ID))
	}
	if !s.fits(j, stage, false) || s.scarce != 0 && s.lacks(&j.Job.Stages[stage]) != 0 {
		return actions, s.passes(j, stage, false)
	}
	var where Where
	if s.where != nil && !j.Refused {
		where = s.where(j, stage)
	}
	a := s.view.Start(j, where)
	return s.start(j, a, false, actions), true
}

// startCopy starts the copy that a job wants, and reports whether there was room for it. It starts nothing if the job
// does not want the copy any more.
func (s *Scheduler) startCopy(j *Job, actions []policy.Action) ([]policy.Action, bool) {
	task, actions, ok := s.config.Copy.Next(j, actions)
	if !ok {
		return actions, true
	}
	if !s.fits(j, task.Stage, true) {
		return actions, s.config.CopyTurn == nil && s.passes(j, task.Stage, true)
	}
	a := s.view.Another(j, task, Where{})
	return s.start(j, a, true, actions), true
}

// start reports a start to the parts.
func (s *Scheduler) start(j *Job, a policy.Action, another bool, actions []policy.Action) []policy.Action {
	if s.config.Node != nil {
		actions = s.config.Node.Send(j, a.Copy, actions)
	} else {
		actions = append(actions, a)
	}
	for _, began := range s.began {
		began(j, a.Copy, another)
	}
	if s.config.Copy != nil {
		actions = s.config.Copy.Began(j, a.Copy, another, actions)
	}
	return actions
}

// wake sets the alarm for the next change of the order, if that may let something start.
func (s *Scheduler) wake(actions []policy.Action) []policy.Action {
	at := policy.Never
	if s.until != nil && s.room(false, 1) {
		at = s.until()
	}
	if s.plans != nil {
		at = min(at, s.plans())
	}
	if s.config.Node != nil {
		at = min(at, s.config.Node.Until())
	}
	if at != s.alarm {
		s.alarm = at
		actions = append(actions, policy.Action{Kind: policy.Wake, At: at})
	}
	return actions
}
