package threesigma

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/threesigma/plan"
)

// Scheduler is 3σSched. In each cycle it makes a plan, starts the jobs whose time is now, and forgets the rest of the
// plan.
//
// The free nodes, now and in the slots ahead, are all nodes minus the remaining consumption of running jobs
// ([Increments.After]). A job may start in each slot, where its stage prefers to be or, if it runs
// longer there, anywhere. There is an option for each slot and place, unless it is worth nothing.
//
// A place is a set of partitions. A gang may be spread over all partitions that are no slower than the slowest of its
// set. It starts in one of them. If none has room it starts anywhere, and the host then keeps as much of it as it can
// in the stage's preferred partitions. Any number of a bag's tasks may start, worth their share of its utility. If a
// job has several stages, its utility is computed as if the planned one were its last. One core counts as one of the
// paper's nodes. The plan ignores memory, and how cores are spread over nodes: if a host refuses a Start, it is tried
// elsewhere, after some cycles. A task or gang that the nodes which are there could not hold, even if nothing ran, waits
// until a node joins; there are no cycles for it.
//
// [Overestimate] computes what jobs with deadlines are worth, and [BestEffort] what others are, unless [Config.Utility]
// gives the job a curve of its own. While jobs with deadlines wait, running jobs without may be killed, for a job with a
// deadline that starts now. Going on is an option too: its value is the expected utility, plus the value of the work that
// would be repeated. A host that takes time to kill refuses the Start, which is tried again in the next cycle.
//
// It takes any Forecast of package central, and no other part, since it plans for all jobs at once. It keeps the first
// answer of the Forecast about each stage. A stage of which the Forecast knew nothing is asked about again: what
// becomes known while the job runs, from its pilots for example, counts from the next cycle on. A job may be postponed,
// although cores are free, to any slot of the window in which it is worth as much, and again in the next cycle.
//
// # Cost
//
// That of a cycle is in the comment of the package. Other events take constant time, with three exceptions: those of
// gangs take time in proportion to their nodes; the end of a task of an unknown job takes time in proportion to the
// job's stages, unless the Forecast is Fixed; and the loss of the widest node of a partition takes time in proportion to
// all nodes. Each set of partitions that a job has ever preferred takes some 100 bytes for good.
//
// # Source
//
// 3Sigma, section 4. The paper does not say what a best-effort job is worth, when it is killed, how sets of
// partitions and bags are planned, or that a cycle may come early; these are ours.
type Scheduler struct {
	config Config
	draft  draft

	view    central.View
	began   func(j *central.Job, c policy.Copy, another bool) // of the Forecast; nil: it does not hear of starts
	fixed   bool                                              // of the Forecast: it will not know more of a stage
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

// job is a Scheduler's record of a job: the books', and its own fields.
type job struct {
	*books
	stages   []estimate
	unknown  int     // stages that are ready and of which the Forecast has said nothing yet
	own      Utility // of Config.Utility; without points: none
	utility  Utility // of a job with a deadline, or of its own; zero: BestEffort's
	deadline bool    // it is to be in time; else it is best effort
	late     bool    // utility was above 0, and cannot be had
	lateAt   int     // cluster.epoch at which that was found
	givenUp  bool    // the host has been told so
	waits    bool    // it counts among Scheduler.waiting
	refused  int     // Starts in a row
	skip     uint64  // the first cycle to look at it again, after a Refused
	served   uint64  // the last cycle after which something of it Started
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

// Actions implements [policy.Declarer].
func (s *Scheduler) Actions() []policy.ActionKind {
	return []policy.ActionKind{policy.Start, policy.Kill, policy.GiveUp, policy.Wake, policy.Resume}
}

// Step implements [policy.Scheduler].
func (s *Scheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	b, err := s.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	var own Utility
	if ev.Kind == policy.Submitted {
		if own, err = s.config.own(ev.Job); err != nil {
			s.view.Withdraw(b)
			return actions, err
		}
	}
	failed := s.config.Forecast.Note(ev, b) // which comes after all is noted, but for a job that is refused
	if failed != nil && ev.Kind == policy.Submitted {
		s.view.Withdraw(b)
		return actions, failed
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
	case policy.Submitted:
		s.jobs.Put(b.Job.ID, &job{books: b, stages: make([]estimate, len(b.Stages)), own: own.later(s.seconds(b.Job.Submitted))})
	}
	if b != nil {
		s.note(b, ev)
	}
	s.view.Unparked(func(b *books) { s.count(s.jobs.Get(b.Job.ID)) })
	if ev.More || ev.Replay {
		return actions, failed
	}
	if actions = s.view.Resume(actions); s.waiting == 0 {
		return actions, failed
	}
	if s.last.N == 0 || s.now >= s.next {
		actions = s.cycle(actions)
		s.next = s.now.Add(s.config.Interval)
	}
	if s.waiting > 0 && s.alarm != s.next {
		s.alarm = s.next
		actions = append(actions, policy.Action{Kind: policy.Wake, At: s.next})
	}
	return actions, failed
}

// seconds converts an instant to the seconds of utilities and plans: since the first event, so that few digits are
// lost, and the same for each epoch of the host.
func (s *Scheduler) seconds(t policy.Time) float64 { return t.Sub(s.origin).Seconds() }

// note updates the record of a job.
func (s *Scheduler) note(b *books, ev *policy.Event) {
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

// count counts a job among those that have something waiting.
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
	if !s.ask(j, stage) && !s.fixed {
		e.asks = true
		j.unknown++
	}
	if !j.late {
		s.value(j, stage)
	}
}

// ask asks for the runtime of a stage, and reports whether there was an answer. A distribution without values counts
// as an answer.
func (s *Scheduler) ask(j *job, stage uint32) bool {
	d, ok := s.config.Forecast.Runtime(j.books, stage)
	if ok && known(d) {
		j.stages[stage].runtime = d
	}
	return ok
}

// again asks again about the stages of a job without an answer: a Forecast may have learnt from what has ended.
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

// value computes what a job is worth if it has a curve of its own or a deadline: then from the runtime of a stage in the
// fastest partition. An SLO that is worth nothing does not count.
func (s *Scheduler) value(j *job, stage uint32) {
	slo, d := j.Job.SLO, j.stages[stage].runtime
	j.deadline, j.late = slo != nil && slo.Utility > 0, false
	switch {
	case len(j.own.points) > 0:
		j.utility = j.own
	case !j.deadline:
	case d == nil:
		// The errors are those of an SLO which View has seen to be valid.
		j.utility, _ = step(slo.Utility, s.seconds(slo.Deadline))
	default:
		if least, ok := s.cluster.least(&j.Job.Stages[stage]); ok {
			d = scale(d, least)
		}
		since := policy.SLO{Deadline: policy.Time(slo.Deadline.Sub(s.origin)), Utility: slo.Utility}
		submitted := policy.Time(j.Job.Submitted.Sub(s.origin))
		j.utility, _ = s.config.Overestimate.Utility(since, submitted, d)
	}
}

// refused handles a Start for which the host had no room. If something of the job started in the same cycle, or if
// killed units may still be in its way, it is tried in the next cycle. Otherwise it is left out for some cycles, so
// that it does not keep others from what the host could give them.
func (s *Scheduler) refused(j *job) {
	if j.served == s.last.N || j.skip > s.last.N || slices.ContainsFunc(s.running, func(u *unit) bool { return u.killed }) {
		return
	}
	j.refused++
	j.skip = s.last.N + 1<<min(j.refused, 4)
}
