package sim

import (
	"fmt"

	"example.com/augur/policy"
)

// job is the centre's record of a job. The fields that each task's end reads come first.
type job struct {
	spec    *policy.Job
	stages  []stage
	id      policy.JobID
	live    int32 // copies that run or are being started, as far as the centre has heard
	onNodes int32 // copies that are on nodes, whether the centre has heard of them or not
	outcome policy.Outcome
	told    bool // Ended is in the inbox
	over    bool // Ended has been told
	crossed bool // the policy has acted on the job since then

	service  float64 // core-seconds of its copies
	services float64 // core-seconds of copies that finished

	waits       float64 // seconds that tasks waited from Ready to their first start, summed
	tried       int     // tasks that were started
	left        int     // stages that are not finished
	inputs      int     // jobs that it still waits for
	copies      int     // started
	preemptions int
	tasks       int
	firstStart  policy.Time
	ended       policy.Time
	ideal       policy.Duration
	meanTask    policy.Duration
}

// stage is the centre's record of a stage.
type stage struct {
	spec     *policy.Stage
	units    []int32 // what is started as one, a task or a whole gang: see attempt
	finished uint32
	covered  uint32 // units that are finished, running or suspended
	barriers uint32 // stages that must finish before this one is ready
	pipes    uint32 // stages read as pipes of which some unit is not covered
	flowing  uint32 // stages read as pipes that are not finished
	ready    bool
	readyAt  policy.Time
	readers  []policy.Dep // the stages that read it (Dep.Stage is the reader)
}

func (s *cluster) submit(spec *policy.Job) {
	if s.jobs.Get(spec.ID) != nil || s.outcomes.Of(spec.ID) != 0 {
		s.fail(fmt.Errorf("sim: job %d is submitted twice", spec.ID))
		return
	}
	j := &job{spec: spec, id: spec.ID, left: len(spec.Stages), stages: make([]stage, len(spec.Stages))}
	for i := range spec.Stages {
		j.stages[i] = stage{spec: &spec.Stages[i], units: make([]int32, spec.Stages[i].Units())}
	}
	for i := range spec.Stages {
		st := &j.stages[i]
		for _, d := range spec.Stages[i].Reads {
			j.stages[d.Stage].readers = append(j.stages[d.Stage].readers, policy.Dep{Stage: uint32(i), Pipe: d.Pipe})
			if d.Pipe {
				st.pipes++
				st.flowing++
			} else {
				st.barriers++
			}
		}
	}
	if err := s.describe(j); err != nil {
		s.fail(err)
		return
	}
	s.jobs.Put(spec.ID, j)
	s.result.Submitted++
	s.changed()
	s.tell(0, &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: spec.ID}}, Job: spec})
	switch {
	case !s.holds(spec):
		s.endJob(j, policy.TooLarge)
	case !s.await(j):
		s.endJob(j, policy.NoInput)
	case j.inputs == 0:
		s.beginJob(j)
	}
}

// holds reports whether the whole cluster, empty, has room for each task and gang.
func (s *cluster) holds(spec *policy.Job) bool {
	for i := range spec.Stages {
		stage := &spec.Stages[i]
		want := stage.Tasks / stage.Units() // of one unit
		for k := 0; k < len(s.config.Nodes) && want > 0; k++ {
			empty := node{info: &s.config.Nodes[k]}
			empty.clear()
			want -= min(want, empty.fit(stage))
		}
		if want > 0 {
			return false
		}
	}
	return true
}

// await checks the jobs that j reads. It returns false if one of them will never have an output, or has none yet and
// j does not wait.
func (s *cluster) await(j *job) bool {
	in := j.spec.Inputs
	if in == nil {
		return true
	}
	for _, id := range in.Jobs {
		switch o := s.outcomes.Of(id); {
		case o == policy.Done:
		case o != 0 || !in.Wait:
			return false
		default:
			j.inputs++
			s.waiters[id] = append(s.waiters[id], j)
		}
	}
	return true
}

// beginJob makes the stages ready that read no other.
func (s *cluster) beginJob(j *job) {
	for i := range j.stages {
		s.makeReady(j, uint32(i))
	}
}

// makeReady reports a stage as ready to the policy, if it has just become so.
func (s *cluster) makeReady(j *job, i uint32) {
	st := &j.stages[i]
	if st.ready || st.barriers > 0 || st.pipes > 0 || j.inputs > 0 || j.outcome != 0 {
		return
	}
	st.ready, st.readyAt = true, s.now
	s.tell(0, &policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: j.spec.ID, Stage: i}}})
}

// hear handles a report from a node at the centre. It updates the job, and passes the report on to the policy.
func (s *cluster) hear(r *report) {
	ev := &r.event
	if ev.Kind == policy.Joined || ev.Kind == policy.Left {
		s.tell(0, ev)
		return
	}
	j := s.jobs.Get(ev.Copy.Job)
	if r.holds {
		if j != nil && !j.told {
			s.tell(0, ev).holds = true
			s.inbox.centre--
		}
		return
	}
	if j == nil || j.told {
		// The job had ended when a part started this copy; the centre's policy does not
		// hear of it.
		if ev.Kind == policy.Started {
			s.command(&order{action: policy.Action{Kind: policy.Kill, Copy: ev.Copy}, host: true})
		}
		return
	}
	st := &j.stages[ev.Copy.Stage]
	u := s.unit(j, ev.Copy)
	switch {
	case ev.Kind == policy.Started:
		s.heardStart(j, st, u, r)
	case ev.Kind == policy.Refused:
		if !r.local {
			u.live--
			j.live--
		}
		s.tell(0, ev).local = r.local
		s.uncover(j, st, u)
		s.tidy(u)
	case ev.Kind.End():
		s.heardEnd(j, st, u, r)
	default:
		if ev.Kind == policy.Suspended && !ev.Idle {
			j.preemptions++
		}
		s.tell(0, ev)
	}
	s.settle(j)
}

func (s *cluster) heardStart(j *job, st *stage, u *attempt, r *report) {
	if r.local {
		u.live++
		j.live++
		u.used = max(u.used, r.event.Copy.N+1)
	}
	if !u.is(tried) {
		u.set(tried, true)
		tasks := st.spec.Tasks / st.spec.Units()
		j.tried += int(tasks)
		j.waits += r.at.Sub(st.readyAt).Seconds() * float64(tasks)
		if j.copies == 0 {
			j.firstStart = r.at
		}
	}
	j.copies++
	s.tell(0, &r.event).local = r.local
	if u.done() || j.outcome != 0 {
		s.command(&order{action: policy.Action{Kind: policy.Kill, Copy: r.event.Copy}, host: true})
		return
	}
	if !u.is(covered) {
		u.set(covered, true)
		if st.covered++; st.covered == uint32(len(st.units)) {
			for _, d := range st.readers {
				if d.Pipe {
					j.stages[d.Stage].pipes--
					s.makeReady(j, d.Stage)
				}
			}
		}
	}
}

func (s *cluster) heardEnd(j *job, st *stage, u *attempt, r *report) {
	ev := &r.event
	u.live--
	j.live--
	if ev.Kind == policy.Finished && (u.done() || j.outcome != 0) {
		ev.Kind = policy.Killed // it lost the race while the order to kill it was under way
	}
	service := ev.Service.Seconds() * float64(st.spec.Width())
	j.service += service
	fails := false
	switch ev.Kind {
	case policy.Finished:
		j.services += service
	case policy.Failed:
		if !u.done() {
			u.failures++
			fails = int(u.failures) >= s.config.MaxFailures
		}
	}
	if !u.done() {
		u.last = ev.Kind
	}
	s.tell(0, ev)
	switch {
	case ev.Kind == policy.Finished:
		s.unitDone(j, st, ev.Copy.Index, r.at)
	case fails:
		s.endJob(j, policy.TaskFailed)
	case r.limit && !u.done() && u.live == 0:
		s.endJob(j, policy.TimedOut)
	default:
		if u.used >= maxTries && !u.done() && j.outcome == 0 {
			s.fail(s.hopeless(r, u.used))
		}
		s.uncover(j, st, u)
	}
}

// maxTries is a number of copies of a task that proves that it will never finish.
const maxTries = 1 << 18

// hopeless returns the error about a task that has had maxTries copies, of which the last one has just ended. It says
// who is to blame: what ended that copy.
func (s *cluster) hopeless(r *report, copies uint32) error {
	c, ended := r.event.Copy, r.event.Kind
	if _, fault := s.config.Faults.breaks(c); ended == policy.Killed && !r.limit && fault == 0 {
		return s.checker.Breach("Legal start", "task %v has had %d copies: the policy starts and kills them without end", c.Task, copies)
	}
	runtime, _ := s.config.Truth.Runtime(c)
	return fmt.Errorf("sim: at %v s, task %v has had %d copies and has not finished, and no policy can finish it: the last copy ended as %v after %v, and a copy runs for %v; the job is too long for the Faults, or too much fails", s.now.Seconds(), c.Task, copies, ended, r.event.Service, runtime)
}

// unitDone handles what follows from a finished task.
func (s *cluster) unitDone(j *job, st *stage, index uint32, at policy.Time) {
	s.killCopies(st, index, false)
	if st.finished++; st.finished < uint32(len(st.units)) {
		return
	}
	for _, d := range st.readers {
		reader := &j.stages[d.Stage]
		if d.Pipe {
			if reader.flowing--; reader.flowing == 0 {
				s.drain(reader)
			}
		} else {
			reader.barriers--
			s.makeReady(j, d.Stage)
		}
	}
	if j.left--; j.left == 0 && j.outcome == 0 {
		j.outcome = policy.Done
		j.ended = at
	}
}

// uncover checks whether an unfinished task has no copy left: tasks that read its stage through a pipe have then lost
// their input (see Pipelines in package policy).
func (s *cluster) uncover(j *job, st *stage, u *attempt) {
	if !u.is(covered) || u.done() || u.live > 0 || j.outcome != 0 {
		return
	}
	u.set(covered, false)
	whole := st.covered == uint32(len(st.units))
	st.covered--
	if !whole {
		return // they have lost it before
	}
	for _, d := range st.readers {
		if !d.Pipe {
			continue
		}
		reader := &j.stages[d.Stage]
		reader.pipes++
		for i := range reader.units {
			s.killCopies(reader, uint32(i), true)
		}
	}
}

// killCopies ends the copies of a unit, as Killed or as Lost.
func (s *cluster) killCopies(st *stage, index uint32, lost bool) {
	for at := st.units[index]; at > 0; {
		a := s.attempts.At(at - 1)
		at = a.next
		if a.state != away {
			s.command(&order{action: policy.Action{Kind: policy.Kill, Copy: a.id()}, lost: lost, host: true})
		}
	}
}

// endJob sets the outcome of a job; it is over when the last of its copies has ended.
func (s *cluster) endJob(j *job, o policy.Outcome) {
	if j.outcome != 0 {
		return
	}
	j.outcome = o
	j.ended = s.now
	for i := range j.stages {
		for k := range j.stages[i].units {
			s.killCopies(&j.stages[i], uint32(k), false)
		}
	}
	s.settle(j)
}

// settle reports to the policy that a job is over, once no copy of it is left.
func (s *cluster) settle(j *job) {
	if j.outcome == 0 || j.live > 0 || j.told {
		return
	}
	j.told = true
	s.changed()
	id := j.spec.ID
	s.outcomes.Set(id, j.outcome)
	s.tell(0, &policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: id}}, Outcome: j.outcome})
	s.conclude(j)

	waiters := s.waiters[id]
	delete(s.waiters, id)
	for _, w := range waiters {
		if w.outcome != 0 {
			continue
		}
		if j.outcome != policy.Done {
			s.endJob(w, policy.NoInput)
		} else if w.inputs--; w.inputs == 0 {
			s.beginJob(w)
		}
	}
}

// open updates a letter before it is delivered. It returns false if it must not be delivered now.
func (s *cluster) open(e *letter) bool {
	ev := &e.event
	if e.part != 0 || ev.Replay {
		return true
	}
	switch {
	case ev.Kind == policy.Started, ev.Kind == policy.Refused, ev.Kind.End():
		s.askAgain(e)
	case ev.Kind == policy.Ended:
		return s.forget(e)
	}
	return true
}

// askAgain decides, when a letter about a copy is opened, whether the task needs another Start (Again, rule Copy).
// That depends on what the policy has heard and asked for until then.
func (s *cluster) askAgain(e *letter) {
	started := e.event.Kind == policy.Started
	if started && !e.local {
		return
	}
	j := s.jobs.Get(e.event.Copy.Job)
	u := s.unit(j, e.event.Copy)
	if started {
		u.open++
		return
	}
	if !(e.local && e.event.Kind == policy.Refused) {
		u.open--
	}
	e.event.Again = !u.done() && j.outcome == 0 && u.open == 0
	s.tidy(u)
}

// forget drops a job whose Ended is about to be delivered. If the policy has acted on the job since Ended was put
// into the inbox, forget puts Ended back behind the answers and returns false.
func (s *cluster) forget(e *letter) bool {
	j := s.jobs.Get(e.event.Copy.Job)
	if j.crossed {
		j.crossed = false
		s.tell(0, &e.event)
		return false
	}
	j.over = true
	s.drop(j)
	return true
}

// drop deletes a job that is over, once none of its copies is on a node any more: a part may have started a copy just
// before, and may suspend and resume it until it is killed.
func (s *cluster) drop(j *job) {
	if j.over && j.onNodes == 0 {
		s.clear(j)
		delete(s.asked, j.spec.ID)
		s.jobs.Delete(j.spec.ID)
		if s.forgets != nil {
			s.forgets.Forget(j.spec.ID)
		}
	}
}
