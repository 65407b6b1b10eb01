package threesigma

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/threesigma/plan"
)

// Scheduler is 3σSched. In each cycle it plans when and where the jobs that wait should start, so that the sum of
// their expected utilities is as great as possible. It starts those whose time is now, and forgets the rest of
// the plan.
//
// What is free, now and in the slots ahead, is what the nodes have less the remaining consumption of running jobs
// (Increments.After, AppendConsumption). A job may start in each slot, where its stage prefers to be or, if it runs longer there,
// anywhere. There is an option for each slot and place, unless it is worth nothing.
//
// A place is a set of partitions. A gang may be spread over all partitions that are no slower than the slowest of
// its set. It is started on one of them, or, if none has room, anywhere; then the host keeps it where the stage
// prefers to be as far as it can. Any number of a bag of tasks may start, worth their share of its utility. If a
// job has several stages, its utility is computed as if the planned one were its last. One core counts as one of
// the paper's nodes. Memory does not count, nor how cores are spread over nodes: what a host refuses is tried
// elsewhere, after some cycles.
//
// Jobs with deadlines are worth what [Overestimate] makes of their SLO, others what [BestEffort] says. While jobs
// with deadlines wait, running jobs without may be killed, for a job with a deadline that starts now. To go on is
// an option: it is worth what the job is still expected to be worth, and what it would have to do again. A host
// that takes time to kill refuses the Start, which is tried again in the next cycle.
//
// It takes any Forecast of package central, and no other part of it, since it plans for all jobs at once. Runtimes
// that become known while a job runs, from its pilots, say, count from the next cycle on. A job may be put off,
// though cores are free, to any slot of the window in which it is worth as much, and again in the next cycle.
//
// # Cost
//
// A cycle takes a few microseconds for each task or gang that runs, 0.2 µs for each slot and site of what waits,
// and the solver's time. Other events take constant time, with three exceptions: those of gangs take time in
// proportion to their nodes; the end of a task, while nothing is known of its job, in proportion to the job's
// stages; and the loss of the widest node of a partition in proportion to all nodes. Each set of partitions that
// a job has ever preferred takes some 100 bytes for good.
//
// # Source
//
// 3Sigma, section 4. What a best-effort job is worth, when it is killed, how sets of partitions are planned,
// bags, and that a cycle may come early, are ours: the paper does not say.
type Scheduler struct {
	config Config
	draft  draft

	view    central.View
	began   func(j *central.Job, c policy.Copy, another bool) // of the Forecast; nil: it does not hear of starts
	jobs    policy.Table[policy.JobID, job]
	cluster cluster
	pools   pools
	units   map[policy.Copy]*unit
	running []*unit // the same, in an order that depends on events alone
	waiting int     // jobs of which something waits
	now     policy.Time
	origin  policy.Time // the first event, from which seconds count
	heard   bool        // there was one
	next    policy.Time // no cycle before
	alarm   policy.Time // for which the host was asked, Never if for none

	list    []candidate
	holds   []held // running units that may be killed
	prices  plan.Prices
	planned policy.Time // when prices were found
	room    []int64     // scratch, by pool
	last    Cycle
	best    Utility // of what has no deadline, now
}

type books = central.Job

// job is what a Scheduler knows of a job: what is in the books, and what it keeps itself.
type job struct {
	*books
	stages   []estimate
	unknown  int // of these that are ready, those of which the Forecast has said nothing yet
	utility  Utility
	deadline bool   // it is to be in time; else it is best effort
	late     bool   // it was to be in time, and cannot be
	lateAt   int    // cluster.epoch at which that was found
	givenUp  bool   // the host has been told so
	waits    bool   // it counts among Scheduler.waiting
	refused  int    // Starts in a row
	skip     uint64 // the first cycle to look at it again, after a Refused
	served   uint64 // the last cycle after which something of it Started
	intent   intent
}

// estimate is what is known of a stage's runtime.
type estimate struct {
	runtime  Distribution // nil: nothing
	asks     bool         // the Forecast has said nothing yet, and is asked again
	epoch    int          // of areas and runtimes
	areas    []area
	runtimes []Distribution // by area
}

// Step implements [policy.Scheduler].
func (s *Scheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	b, err := s.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	if s.config.Forecast != nil {
		if err := s.config.Forecast.Note(ev, b); err != nil {
			s.view.Observe(&policy.Event{Time: ev.Time, Kind: policy.Ended, Copy: ev.Copy, Outcome: policy.Cancelled})
			return actions, err
		}
	}
	if s.now = ev.Time; !s.heard {
		s.origin, s.heard = ev.Time, true
	}
	switch ev.Kind {
	case policy.Joined:
		s.cluster.join(ev.Info)
	case policy.Left:
		s.cluster.leave(ev.Node)
	case policy.Woken:
		s.alarm = policy.Never
	}
	if b != nil {
		s.note(b, ev)
	}
	if ev.More || ev.Replay || s.waiting == 0 {
		return actions, nil
	}
	if s.last.N == 0 || s.now >= s.next {
		actions = s.cycle(actions)
		s.next = s.now.Add(s.config.Interval)
	}
	if s.waiting > 0 && s.alarm != s.next {
		s.alarm = s.next
		actions = append(actions, policy.Action{Kind: policy.Wake, At: s.next})
	}
	return actions, nil
}

// seconds returns an instant as utilities and plans have it: in seconds since the first event, so that as few digits as
// can be are lost, and the same wherever the host's epoch is.
func (s *Scheduler) seconds(t policy.Time) float64 { return t.Sub(s.origin).Seconds() }

// note brings up to date what is kept of a job.
func (s *Scheduler) note(b *books, ev *policy.Event) {
	if ev.Kind == policy.Submitted {
		s.jobs.Put(b.Job.ID, &job{books: b, stages: make([]estimate, len(b.Stages))})
	}
	j := s.jobs.Get(b.Job.ID)
	switch {
	case ev.Kind == policy.Ready:
		s.ready(j, ev.Copy.Stage)
	case ev.Kind == policy.Started:
		s.started(j, ev)
	case ev.Kind == policy.Refused:
		s.forget(ev.Copy)
		s.refused(j)
	case ev.Kind.End():
		s.forget(ev.Copy)
		s.again(j)
	case ev.Kind == policy.Ended:
		s.jobs.Delete(b.Job.ID)
	}
	s.count(j)
}

// count counts a job among those of which something waits.
func (s *Scheduler) count(j *job) {
	switch waits := j.Waiting > 0; {
	case waits && !j.waits:
		s.waiting++
	case !waits && j.waits:
		s.waiting--
	}
	j.waits = j.Waiting > 0
}

// ready asks how long a stage will run, and what its job is worth.
func (s *Scheduler) ready(j *job, stage uint32) {
	e := &j.stages[stage]
	e.epoch = -1
	if s.config.Forecast != nil && !s.ask(j, stage) {
		e.asks = true
		j.unknown++
	}
	if !j.late {
		s.value(j, stage)
	}
}

// ask asks how long a stage will run, and reports whether there was an answer. What has no values is one too.
func (s *Scheduler) ask(j *job, stage uint32) bool {
	d, ok := s.config.Forecast.Runtime(j.books, stage)
	if ok && known(d) {
		j.stages[stage].runtime = d
	}
	return ok
}

// again asks again about the stages of a job to which there was no answer: a Forecast may have learnt from what has
// ended.
func (s *Scheduler) again(j *job) {
	if j.unknown == 0 {
		return
	}
	for i := range j.stages {
		e, stage := &j.stages[i], uint32(i)
		if !e.asks || !s.ask(j, stage) {
			continue
		}
		e.asks, e.epoch = false, -1
		j.unknown--
		if !j.late {
			s.value(j, stage)
		}
		for _, u := range s.running {
			if u.job == j && u.copy.Stage == stage && u.began && e.runtime != nil {
				u.runtime = scale(e.runtime, u.factor)
			}
		}
	}
}

// value makes the utility of a job with a deadline. It goes by the runtime of a stage on the fastest partition. An
// SLO that is worth nothing does not count.
func (s *Scheduler) value(j *job, stage uint32) {
	slo := j.Job.SLO
	if slo == nil || slo.Utility == 0 {
		return
	}
	// The errors are those of an SLO which View has seen to be valid.
	if d := j.stages[stage].runtime; d == nil {
		j.utility, _ = NewStep(slo.Utility, s.seconds(slo.Deadline))
	} else {
		if least, ok := s.cluster.least(&j.Job.Stages[stage]); ok {
			d = scale(d, least)
		}
		since := policy.SLO{Deadline: policy.Time(slo.Deadline.Sub(s.origin)), Utility: slo.Utility}
		submitted := policy.Time(j.Job.Submitted.Sub(s.origin))
		j.utility, _ = s.config.Overestimate.Utility(since, submitted, d)
	}
	j.deadline, j.late = true, false
}

// refused takes note that the host had no room for a Start. If something of the job started in the same cycle, or
// if killed units may still be in its way, it is tried in the next cycle. Otherwise it is left out for some
// cycles, so that it does not keep others from what the host could give to them.
func (s *Scheduler) refused(j *job) {
	if j.served == s.last.N || j.skip > s.last.N || slices.ContainsFunc(s.running, func(u *unit) bool { return u.killed }) {
		return
	}
	j.refused++
	j.skip = s.last.N + 1<<min(j.refused, 4)
}
