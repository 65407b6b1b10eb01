package hopper

import (
	"math"

	"example.com/augur/policy"
)

// watch asks for the next report of a copy.
func (s *Scheduler) watch(p *phase, c policy.Copy, actions []policy.Action) []policy.Action {
	if s.config.Rule == nil || p.gang {
		return actions
	}
	period := s.config.Period
	at := s.now.Add(period - s.now.Sub(s.first)%period)
	if at == policy.Never {
		return actions
	}
	return append(actions, policy.Action{Kind: policy.Report, Copy: c, At: at})
}

// watchAll asks for the next reports of all copies of a job, after a restart.
func (s *Scheduler) watchAll(j *jobView, actions []policy.Action) []policy.Action {
	for _, p := range j.Own.phases {
		for _, c := range p.tracker.copies {
			task := policy.Task{Job: j.Job.ID, Stage: p.stage, Index: c.task}
			actions = s.watch(p, policy.Copy{Task: task, N: c.n}, actions)
		}
	}
	return actions
}

// mostCopies is how many copies of a task run at once, at most. A rule may have no bound, and would take every core.
const mostCopies = 64

// review asks the rule what to do with a job's tasks that run. It kills what the rule wants
// killed, and notes the copy that the rule wants.
func (s *Scheduler) review(j *jobView, actions []policy.Action) []policy.Action {
	own := &j.Own
	own.asked, own.asks = s.now, false
	if s.config.Rule == nil {
		return actions
	}
	for _, p := range own.phases {
		if p.gang {
			continue
		}
		for {
			move, ok := s.config.Rule.Next(s.phase(j, p), s.room())
			copies := len(p.tracker.copiesOf(move.Task))
			if !ok || copies == 0 || move.Kind == Duplicate && copies >= mostCopies {
				break
			}
			if move.Kind == Duplicate {
				own.asks, own.wish, own.move = true, p, move
				return actions
			}
			if !p.tracker.knows(move.Task, move.Copy) {
				break
			}
			task := policy.Task{Job: j.Job.ID, Stage: p.stage, Index: move.Task}
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: policy.Copy{Task: task, N: move.Copy}})
			p.lose(move.Task, move.Copy)
			p.tracker.End(move.Task, move.Copy)
			if move.Kind == Restart {
				p.tracker.Restarted(move.Task)
			}
		}
	}
	return actions
}

// room is what the rule is told of the cluster.
func (s *Scheduler) room() Room {
	return Room{Slots: int(min(s.total.cores, math.MaxInt)), Copies: int(min(s.extra, math.MaxInt))}
}

// phase is what the rule is told of a phase.
func (s *Scheduler) phase(j *jobView, p *phase) *Phase {
	slots := j.Cores + p.width // with the one that is free
	if v, ok := s.lanes[0].turns.(*virtual); ok {
		share, _ := v.share(j.Job.ID)
		slots = max(slots, int64(share))
	}
	var expected func(task uint32) float64
	if s.config.Expected != nil {
		expected = func(task uint32) float64 {
			return s.config.Expected(policy.Task{Job: j.Job.ID, Stage: p.stage, Index: task})
		}
	}
	ph := p.tracker.expecting(s.now, 0, int(min(slots/p.width, math.MaxInt32)), expected)
	ph.Waiting = max(0, int(p.left)-len(ph.Running))
	return ph
}
