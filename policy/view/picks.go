package view

import "example.com/augur/policy"

// picks is what a View knows of the units of a stage that are not just started one after the
// other: some go first ([View.First]), or where their data is ([Where]).
//
// A unit that waits is either in the stage's list of those to start again, or it is at least
// fresh. The list may hold units that do not wait any more, since a Start of what is local took them: of a
// unit that waits, the last entry counts.
type picks struct {
	waits  bitset   // the units that wait
	count  int      // of them
	first  []uint32 // of View.First: the others were started
	places *places  // where the units are local; nil: nobody has asked yet
	placed int      // units that were put into places, this one and those before it
}

// picked makes the stage one of picks, if it is not.
func (j *Job[T]) picked(stage uint32) *picks {
	s := &j.Stages[stage]
	if s.picks != nil {
		return s.picks
	}
	units := int(j.Job.Stages[stage].Units())
	p := &picks{waits: newBitset(units), count: units - int(s.fresh)}
	p.waits.fill(int(s.fresh), units)
	for _, unit := range s.again {
		if p.waits.add(int(unit)) {
			p.count++
		} else {
			j.Waiting-- // we were told twice that it waits
		}
	}
	s.picks = p
	return p
}

// pick takes out the next unit of a stage of picks: of those to start again, of first, by number.
// tried says that it is of the former.
func (s *Stage) pick(stage *policy.Stage) (unit uint32, tried bool) {
	p := s.picks
	for n := len(s.again); n > 0; n-- {
		unit, s.again = s.again[n-1], s.again[:n-1]
		if s.leave(stage, unit) {
			return unit, true
		}
	}
	for len(p.first) > 0 {
		unit, p.first = p.first[0], p.first[1:]
		if s.leave(stage, unit) {
			return unit, false
		}
	}
	next, _ := p.waits.next(int(s.fresh))
	unit = uint32(next)
	s.fresh = unit + 1
	s.leave(stage, unit)
	return unit, false
}

// leave takes a unit out of those that wait, and reports whether it was there. With the last
// one, the stage is no longer one of picks.
func (s *Stage) leave(stage *policy.Stage, unit uint32) bool {
	p := s.picks
	if !p.waits.remove(int(unit)) {
		return false
	}
	if p.count--; p.count == 0 {
		s.fresh, s.again, s.picks = stage.Units(), s.again[:0], nil
	} else if p.places != nil {
		p.places.set(stage, unit, false)
	}
	return true
}

// enter puts a unit among those that wait, and reports whether it was not there.
func (s *Stage) enter(stage *policy.Stage, unit uint32) bool {
	p := s.picks
	if p.waits.has(int(unit)) {
		return false
	}
	if len(s.again) > 2*p.count+16 {
		s.tidy()
	}
	p.waits.add(int(unit))
	p.count++
	if p.places != nil && !p.places.set(stage, unit, true) {
		p.places = nil // it did not wait when they were made; when next asked, they are made anew
	}
	return true
}

// tidy removes from the units to start again what does not wait any more.
func (s *Stage) tidy() {
	p, kept := s.picks, len(s.again)
	for i := len(s.again) - 1; i >= 0; i-- {
		if unit := s.again[i]; p.waits.remove(int(unit)) {
			kept--
			s.again[kept] = unit
		}
	}
	s.again = s.again[:copy(s.again, s.again[kept:])]
	for _, unit := range s.again {
		p.waits.add(int(unit))
	}
}
