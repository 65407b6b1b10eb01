package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// SpeculationConfig describes a [Speculation]. The zero SpeculationConfig is ready to use.
type SpeculationConfig struct {
	// Rule decides which tasks get another copy; nil: [GRASS]. A move of a task that has no running copy is ignored, and so is a
	// Duplicate or a Restart of one that has had 16 copies.
	Rule Speculator
	// Period is the time between two progress reports of a copy, > 0; 0 means 3 s, as Hadoop's heartbeats. Copies report at
	// multiples of it.
	Period policy.Duration
	// Expected returns how long another copy of a task would run, t_new, in s, if the host knows that better than
	// from the finished tasks of the stage, else NaN. nil: the Forecast of the scheduler, if it knows the stage. Its mean
	// counts as one of n+1 runtimes, with n that tasks have taken or that running copies report:
	//
	//	t_new = (medianⁿ · mean)^(1/(n+1))
	//
	// So a job that takes longer than forecast does not fill the
	// cluster with copies. A copy that has not reported yet is assumed to run as long.
	Expected func(policy.Task) float64
	// Loss is what copies may cost beyond four times what they have saved, as a share of the service of finished tasks, > 0;
	// 0 means 0.03, and +Inf is no bound: the rule alone decides, as in the papers.
	Loss float64
}

// Speculation is the copier that follows a rule. It asks the host for a report of each copy ([policy.Report]) once a period,
// all at the same instants, and then asks the rule about their jobs. Where the host does not answer, nothing is copied. A
// copy that the rule wants starts when it is the job's turn, if the rule still wants it. Gangs get no copies. After a
// restart, the copy of a task that the host reports first counts as its first copy.
//
// It learns whether copies pay. A copy costs its service, whether it wins or loses. If it wins,
// it saves the time that the first copy of its task would still have run, by the last report of that copy. Copies start as
// long as
//
//	cost ≤ 4·saved + Loss·(service of finished tasks)
//
// with a [SpeculationConfig].Loss of 0.03. So where tasks straggle, nearly all copies start that the rule wants. Where none does, copies
// are still tried, and cost 3 %. The first 50 copies are free besides. What copies did long ago counts ever less.
//
// It asks the rule and the [Tracker] about each stage of a job once a period, and twice for each copy of the job that
// starts. When a stage becomes Ready or finishes, it moves up to 8 bytes for each running stage of the job. It allocates
// only when a job comes or a stage is Ready, and while tables grow.
type Speculation struct {
	config   SpeculationConfig
	view     *central.View
	forecast central.Forecast
	changed  func(j *central.Job)
	jobs     policy.Table[policy.JobID, job]
	turn     *turn          // of the scheduler, if it is Hopper's; else nil
	learns   bool           // the turn learns tails
	first    policy.Time    // that of the first event, from which periods count
	heard    bool           // there was one
	reported []*central.Job // since the last decision
	runtimes []float64      // that copies of a phase report, for its median
	account  account        // of all copies
}

// NewSpeculation returns a copier. It returns an error that names the field that is out of range.
func NewSpeculation(c SpeculationConfig) (*Speculation, error) {
	if c.Rule == nil {
		c.Rule = &GRASS{waves: defaultWaves}
	}
	c.Period, c.Loss = cmp.Or(c.Period, 3*time.Second), cmp.Or(c.Loss, 0.03)
	if c.Period < 0 {
		return nil, fmt.Errorf("hopper: SpeculationConfig.Period is %v, want above 0 s, or 0 for 3 s", c.Period)
	}
	if !(c.Loss > 0) {
		return nil, fmt.Errorf("hopper: SpeculationConfig.Loss is %v, want more than 0, +Inf for no bound, or 0 for 0.03", c.Loss)
	}
	return &Speculation{config: c, account: account{loss: c.Loss, free: freeCopies}}, nil
}

// Bind implements [central.Copier].
func (s *Speculation) Bind(b central.Books) error {
	if err := b.Enter(&s.view); err != nil {
		return err
	}
	s.forecast, s.changed = b.Forecast, b.Changed
	if t, ok := b.Turn.(*turn); ok {
		s.turn, s.learns = t, t.config.Group != ""
	}
	return nil
}

// Note implements [central.Copier].
func (s *Speculation) Note(ev *policy.Event, j *central.Job, actions []policy.Action) (_ []policy.Action, freed bool) {
	if !s.heard {
		s.first, s.heard = ev.Time, true
	}
	switch ev.Kind {
	case policy.Submitted:
		s.jobs.Put(j.Job.ID, new(job))
	case policy.Ended:
		if s.jobs.Get(j.Job.ID).reported {
			s.reported = slices.DeleteFunc(s.reported, func(other *central.Job) bool { return other == j })
		}
		s.jobs.Delete(j.Job.ID)
	case policy.Ready:
		s.ready(j, ev.Copy.Stage)
	case policy.Restored:
		for id, own := range s.jobs.All() {
			for _, p := range own.phases {
				for _, c := range p.tracker.copies {
					task := policy.Task{Job: id, Stage: p.stage, Index: c.task}
					actions = s.watch(p, policy.Copy{Task: task, N: c.n}, actions)
				}
			}
		}
	default:
		if j != nil {
			return s.note(j, ev, actions)
		}
	}
	return actions, false
}

// Kills reports whether the rule may kill copies. [Mantri] does, and so may a rule of your own unless it is a
// [central.Killer] whose Kills returns false.
func (s *Speculation) Kills() bool {
	switch rule := s.config.Rule.(type) {
	case *Simple, *LATE, *GRASS:
		return false
	case central.Killer:
		return rule.Kills()
	}
	return true
}

// Wants implements [central.Copier].
func (s *Speculation) Wants(j *central.Job) bool { return s.jobs.Get(j.Job.ID).asks }

// Review implements [central.Copier].
func (s *Speculation) Review(actions []policy.Action) []policy.Action {
	for _, j := range s.reported {
		own := s.jobs.Get(j.Job.ID)
		own.reported = false
		actions = s.review(j, own, actions)
	}
	for _, j := range s.reported {
		s.changed(j)
	}
	s.reported = s.reported[:0]
	return actions
}

// Next implements [central.Copier].
func (s *Speculation) Next(j *central.Job, actions []policy.Action) (policy.Task, []policy.Action, bool) {
	own := s.jobs.Get(j.Job.ID)
	if own.asked != s.view.Now() {
		actions = s.review(j, own, actions)
	}
	own.asks = own.asks && s.account.allows(s.view.Now()) // others have started copies meanwhile
	if !own.asks {
		return policy.Task{}, actions, false
	}
	return policy.Task{Job: j.Job.ID, Stage: own.wish.stage, Index: own.move.Task}, actions, true
}

// Began implements [central.Copier].
func (s *Speculation) Began(j *central.Job, c policy.Copy, another bool, actions []policy.Action) []policy.Action {
	own := s.jobs.Get(j.Job.ID)
	s.began(own, c)
	if another {
		s.account.start(own.wish.width, s.view.Now())
		own.wish.tracker.beside(c.Index, c.N, s.view.Now())
		actions = s.review(j, own, actions)
	}
	return actions
}

// watch asks for the next report of a copy.
func (s *Speculation) watch(p *phase, c policy.Copy, actions []policy.Action) []policy.Action {
	if p.gang {
		return actions
	}
	period := s.config.Period
	now := s.view.Now()
	at := now.Add(period - now.Sub(s.first)%period)
	if at == policy.Never {
		return actions
	}
	return append(actions, policy.Action{Kind: policy.Report, Copy: c, At: at})
}

// review asks the rule about a job's running tasks. It kills what the rule wants killed, and notes the copy that the
// rule wants.
func (s *Speculation) review(j *central.Job, own *job, actions []policy.Action) []policy.Action {
	own.asked, own.asks = s.view.Now(), false
	for _, p := range own.phases {
		if p.gang {
			continue
		}
		for {
			move, ok := s.config.Rule.Next(s.phase(j, p), s.room())
			copies := p.tracker.copiesOf(move.Task)
			if !ok || len(copies) == 0 {
				break
			}
			if started, _ := p.tracker.history(copies); move.Kind != Drop && started >= maxCopies {
				break
			}
			if move.Kind == Duplicate {
				if !s.account.allows(s.view.Now()) {
					break
				}
				own.asks, own.wish, own.move = true, p, move
				return actions
			}
			if !p.tracker.knows(move.Task, move.Copy) {
				break
			}
			task := policy.Task{Job: j.Job.ID, Stage: p.stage, Index: move.Task}
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: policy.Copy{Task: task, N: move.Copy}})
			if s.learns {
				p.lose(move.Task, move.Copy)
			}
			s.end(p, move.Task, move.Copy)
			if move.Kind == Restart {
				p.tracker.Restarted(move.Task)
			}
		}
	}
	return actions
}

// room is the rule's view of the cluster.
func (s *Speculation) room() Room {
	cores, _ := s.view.Capacity()
	return Room{Slots: int(min(cores, math.MaxInt)), Copies: int(min(s.view.Extra(), math.MaxInt))}
}

// phase is the rule's view of a phase.
func (s *Speculation) phase(j *central.Job, p *phase) *Phase {
	slots := j.Cores + p.width // with the one that is free
	if s.turn != nil {
		slots = max(slots, saturate.To[int64](s.turn.share(j.Job.ID)))
	}
	var expected func(task uint32) float64
	switch {
	case s.config.Expected != nil:
		expected = func(task uint32) float64 {
			return s.config.Expected(policy.Task{Job: j.Job.ID, Stage: p.stage, Index: task})
		}
	case s.forecast != nil:
		if d, ok := s.forecast.Runtime(j, p.stage); ok {
			fresh := d.Mean()
			var n int
			var median float64
			if median, n, s.runtimes = p.tracker.median(s.runtimes); n > 0 {
				weight := float64(n) / float64(n+1)
				fresh = math.Pow(median, weight) * math.Pow(fresh, 1-weight)
			}
			expected = func(uint32) float64 { return fresh }
		}
	}
	phase := p.tracker.expecting(s.view.Now(), expected)
	phase.Waiting, phase.Slots = max(0, int(p.left)-len(phase.Running)), int(min(slots/p.width, math.MaxInt32))
	return phase
}

// job is a Speculation's record of a job.
type job struct {
	phases   []*phase // its stages that are Ready and not finished, in order
	reported bool     // it is one of Speculation.reported

	// What the rule said when it was asked last.
	asked policy.Time
	asks  bool   // it wants a copy:
	wish  *phase // of a task of this phase,
	move  Move   // this one
}

// phase is a stage of a job that is Ready and has units to finish.
type phase struct {
	stage   uint32
	gang    bool
	waits   bool   // it reads another stage through a pipe
	left    uint32 // units that are not finished
	width   int64  // slots of each
	tracker Tracker
	lost    []float64 // for how long copies would have run that lost a race or were killed, s
}

// of returns the phase of a stage, nil if it is not Ready or finished.
func (o *job) of(stage uint32) *phase {
	if at, ok := o.place(stage); ok {
		return o.phases[at]
	}
	return nil
}

// place returns the index of a stage's phase among the job's phases, or where it would be.
func (o *job) place(stage uint32) (at int, ok bool) {
	return slices.BinarySearchFunc(o.phases, stage, func(p *phase, stage uint32) int { return cmp.Compare(p.stage, stage) })
}

// lose notes how long a copy would have run that is cut short, if that is known.
func (p *phase) lose(task, n uint32) {
	if at, ok := p.tracker.find(task, n); ok && p.tracker.copies[at].total > 0 {
		p.lost = append(p.lost, p.tracker.copies[at].total)
	}
}

// ready takes note of a stage whose tasks may start.
func (s *Speculation) ready(j *central.Job, stage uint32) {
	d, own := &j.Job.Stages[stage], s.jobs.Get(j.Job.ID)
	p := &phase{stage: stage, gang: d.Gang, left: d.Units(), width: d.Width()}
	p.waits = slices.ContainsFunc(d.Reads, func(read policy.Dep) bool { return read.Pipe })
	p.tracker.reserve(int(min(p.left, 1<<16)))
	if s.learns {
		p.lost = make([]float64, 0, 8)
	}
	at, _ := own.place(stage)
	own.phases = slices.Insert(own.phases, at, p)
}

// note handles an event about a copy.
func (s *Speculation) note(j *central.Job, ev *policy.Event, actions []policy.Action) (_ []policy.Action, freed bool) {
	own, c := s.jobs.Get(j.Job.ID), ev.Copy
	p := own.of(c.Stage)
	known := p != nil && p.tracker.knows(c.Index, c.N) // else its task is finished, or it is to be killed
	switch ev.Kind {
	case policy.Started:
		if ev.Replay {
			s.began(own, c)
			known = p != nil
		}
		if known {
			works := j.Job.Stages[c.Stage].Began(ev).Add(ev.Service)
			must(p.tracker.Start(works, c.Index, c.N, ev.Service))
			if !ev.Replay {
				actions = s.watch(p, c, actions)
			}
		}
	case policy.Progress:
		if known {
			must(p.tracker.Report(ev.Time, c.Index, c.N, ev.Service, ev.Value))
			actions = s.watch(p, c, actions)
			if !own.reported {
				own.reported = true
				s.reported = append(s.reported, j)
			}
		}
	case policy.Suspended:
		if known {
			must(p.tracker.Suspend(ev.Time, c.Index, c.N, ev.Service))
		}
	case policy.Resumed:
		if known {
			must(p.tracker.Resume(ev.Time, c.Index, c.N, ev.Service))
		}
	default: // Refused, or an end
		if ev.Kind == policy.Refused {
			own.asks = false // until it is asked again
			// A copy of a task that has finished meanwhile: who waits for its cores may hear of nothing else.
			freed = !known && !ev.Again && !ev.Replay
		}
		if ev.Kind == policy.Finished {
			s.finished(j, own, p, ev)
		} else if known {
			s.end(p, c.Index, c.N)
			if own.wish == p && own.move.Task == c.Index && len(p.tracker.copiesOf(c.Index)) == 0 {
				own.asks = false // there is nothing to copy now
			}
		}
	}
	return actions, freed
}

// finished takes note of a task that is finished.
func (s *Speculation) finished(j *central.Job, own *job, p *phase, ev *policy.Event) {
	if p == nil || p.left == 0 {
		return // it cannot be
	}
	copies := p.tracker.copiesOf(ev.Copy.Index)
	for i := range copies {
		x, saved := &copies[i], 0.0
		if x.n == ev.Copy.N {
			saved = copies[0].rest(s.view.Now())
		} else if s.learns {
			p.lose(x.task, x.n)
		}
		s.settle(p, x, saved)
	}
	s.account.finish(ev.Service.Seconds() * float64(p.width))
	if !ev.Replay || ev.Service > 0 { // else the host does not know any more
		must(p.tracker.Finish(ev.Copy.Index, ev.Service))
	}
	p.left--
	if own.asks && own.wish == p && own.move.Task == ev.Copy.Index {
		own.asks = false
	}
	if p.left == 0 {
		if s.learns && !p.waits {
			s.turn.learn(j, p.tracker.phase.Finished, p.lost)
		}
		at, _ := own.place(p.stage)
		own.phases = slices.Delete(own.phases, at, at+1)
		own.asks = own.asks && own.wish != p
	}
}

// began takes note of a copy that starts.
func (s *Speculation) began(own *job, c policy.Copy) {
	if p := own.of(c.Stage); p != nil {
		must(p.tracker.Start(s.view.Now(), c.Index, c.N, 0))
	}
}

// settle books what an ended copy has cost, and how many seconds it has saved. A copy that did not start beside others is not
// booked.
func (s *Speculation) settle(p *phase, c *tracked, saved float64) {
	if c.beside != policy.Never {
		s.account.end(p.width, c.beside, s.view.Now(), saved)
	}
}

// end forgets a copy that has not finished its task.
func (s *Speculation) end(p *phase, task, n uint32) {
	if at, ok := p.tracker.find(task, n); ok {
		s.settle(p, &p.tracker.copies[at], 0)
	}
	p.tracker.End(task, n)
}

// must panics on an error that cannot happen, since its cause was checked before.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
