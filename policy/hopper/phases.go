package hopper

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// job is what a Speculation keeps of a job.
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

// place returns where the phase of a stage is or would be among those of the job.
func (o *job) place(stage uint32) (at int, ok bool) {
	return slices.BinarySearchFunc(o.phases, stage, func(p *phase, stage uint32) int { return cmp.Compare(p.stage, stage) })
}

// lose notes for how long a copy would have run that is cut short, if that is known.
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
	if s.learn != nil {
		p.lost = make([]float64, 0, 8)
	}
	at, _ := own.place(stage)
	own.phases = slices.Insert(own.phases, at, p)
}

// note takes note of what has happened to a copy.
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
			must(p.tracker.Start(ev.Time, c.Index, c.N, ev.Service))
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
			p.tracker.End(c.Index, c.N)
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
	for _, x := range p.tracker.copiesOf(ev.Copy.Index) {
		if x.n != ev.Copy.N && s.learn != nil {
			p.lose(x.task, x.n)
		}
	}
	if !ev.Replay || ev.Service > 0 { // else the host does not know any more
		must(p.tracker.Finish(ev.Copy.Index, ev.Service))
	}
	p.left--
	if own.asks && own.wish == p && own.move.Task == ev.Copy.Index {
		own.asks = false
	}
	if p.left == 0 {
		if s.learn != nil && !p.waits {
			s.learn(j, p.tracker.phase.Finished, p.lost)
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

// must is for errors that cannot be, since what they are about was checked before.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
