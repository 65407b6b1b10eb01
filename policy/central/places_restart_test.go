package central_test

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// restart refuses what is on its way and shows the present state to a new View.
func (g *guest) restart() error {
	for _, c := range slices.Clone(g.copies) {
		if c.state == "asked" {
			if err := g.tell(g.answer(c, true)); err != nil {
				return err
			}
		}
	}
	g.view = &central.View{Serves: true}
	old := map[policy.JobID]naiveJob{}
	for id, j := range g.jobs {
		old[id] = *j
		j.spans, j.answers = nil, nil
	}
	replay := func(ev policy.Event) error {
		ev.Replay = true
		return g.tell(ev)
	}
	for _, id := range g.ids() {
		n := g.nodes[id]
		if err := replay(policy.Event{Kind: policy.Joined, Node: id, Info: &n}); err != nil {
			return err
		}
	}
	for id := range g.last + 1 {
		j := g.jobs[id]
		if j == nil {
			continue
		}
		if err := replay(policy.Event{Kind: policy.Submitted, Copy: copyOf(id, 0, 0, 0), Job: j.spec}); err != nil {
			return err
		}
		for i := range j.stages {
			s := &j.stages[i]
			s.again, s.first = nil, nil
			if !s.ready {
				continue
			}
			if err := replay(policy.Event{Kind: policy.Ready, Copy: copyOf(id, uint32(i), 0, 0)}); err != nil {
				return err
			}
			if g.rng.IntN(3) == 0 {
				s.first = []uint32{uint32(g.rng.IntN(len(s.units)))}
				g.view.First(g.view.Job(id), uint32(i), []int{int(s.first[0])})
			}
			was := old[id]
			if err := g.replayStage(&was, uint32(i), s, replay); err != nil {
				return err
			}
		}
	}
	return g.tell(policy.Event{Kind: policy.Restored})
}

// replayStage tells of the units of a stage. was is the job as it was before the restart.
func (g *guest) replayStage(was *naiveJob, stage uint32, s *naiveStage, replay func(policy.Event) error) error {
	job := was.spec.ID
	ended := func(c policy.Copy, kinds ...policy.EventKind) policy.Event {
		ev := policy.Event{Kind: kinds[g.rng.IntN(len(kinds))], Copy: c}
		if saved := s.saved[c.Index]; saved > 0 && ev.Kind != policy.Finished {
			ev.Kind, ev.Saved = policy.Killed, saved
		}
		if ids := g.ids(); ev.Kind != policy.Refused && g.rng.IntN(2) == 0 { // the host still knows it
			ev.Service = was.served(c, g.now)
			if g.rng.IntN(2) == 0 {
				ev.Node = ids[g.rng.IntN(len(ids))]
			}
		}
		return ev
	}
	for unit := range s.units {
		if g.rng.IntN(3) == 0 {
			g.view.Local(g.view.Job(job), policy.NodeID(g.rng.IntN(maxNode)))
		}
		c := copyOf(job, stage, uint32(unit), 0)
		var evs []policy.Event
		switch most := mostUsed(s.used[unit]); {
		case s.units[unit] == done:
			evs = append(evs, ended(c, policy.Finished))
		case s.units[unit] == busy:
			for n := range most + 1 {
				for _, d := range g.copies {
					if c.N = n; d.id != c {
						continue
					}
					d.extra = slices.ContainsFunc(evs, func(ev policy.Event) bool { return ev.Kind == policy.Started })
					ev := g.about(d, policy.Started)
					ev.Service = was.served(c, g.now)
					evs = append(evs, ev)
					if d.state == "stands" {
						evs = append(evs, g.about(d, policy.Suspended))
					}
				}
			}
			if last := evs[len(evs)-1].Copy.N; last < most {
				c.N = most
				evs = append([]policy.Event{ended(c, policy.Failed, policy.Killed, policy.Lost, policy.Refused)}, evs...)
			}
		case len(s.used[unit]) > 0:
			c.N = most
			ev := ended(c, policy.Failed, policy.Killed, policy.Lost, policy.Refused)
			ev.Again = true
			evs = append(evs, ev)
		}
		if len(evs) == 0 {
			s.units[unit] = fresh
			continue
		}
		for _, ev := range evs {
			if err := replay(ev); err != nil {
				return err
			}
		}
		if s.units[unit] == again {
			s.again = append(s.again, uint32(unit))
		}
	}
	return nil
}

func mostUsed(numbers map[uint32]bool) (most uint32) {
	for n := range numbers {
		most = max(most, n)
	}
	return most
}
