package central

import (
	"example.com/augur/policy"
)

// picks is a View's record of the units of a stage that do not start simply in order: some go first ([View.First]),
// or where their input is ([Where]).
//
// A unit that waits is either in the stage's list of those to start again, or its number is at least fresh.
type picks struct {
	waits  bitset   // the units that wait
	count  int      // of them
	first  []uint32 // of View.First: the others were started
	places places   // where the units are local; nil: nobody has asked yet
}

// First lets the given units of a stage start before its others, in the given order. [View.Start] takes them after
// the units that are to be tried again. The units are task numbers below the stage's Units, each given once; First
// does not keep the slice. Call it at most once for a stage, before anything of the stage has started. Otherwise, or
// if a number is out of range or given twice, it changes nothing and returns false.
//
// It takes O(u) time for a stage of u units. It keeps 4 bytes for each given unit and a bit for each of the u units,
// until nothing of the stage waits.
func (v *View) First(j *Job, stage uint32, tasks []int) bool {
	if int64(stage) >= int64(len(j.Stages)) {
		return false
	}
	s, units := &j.Stages[stage], int(j.Job.Stages[stage].Units())
	if s.fresh > 0 || s.attempts != nil || s.picks != nil && (s.picks.first != nil || s.picks.count < units) || len(tasks) == 0 {
		return false
	}
	given := newBitset(units)
	first := make([]uint32, len(tasks))
	for i, task := range tasks {
		if task < 0 || task >= units || !given.add(task) {
			return false
		}
		first[i] = uint32(task)
	}
	j.picked(stage).first = first
	return true
}

// picked makes the picks of a stage, if it has none.
func (j *Job) picked(stage uint32) *picks {
	s := &j.Stages[stage]
	if s.picks != nil {
		return s.picks
	}
	units := int(j.Job.Stages[stage].Units())
	p := &picks{waits: newBitset(units), count: units - int(s.fresh)}
	for unit := int(s.fresh); unit < units; unit++ {
		p.waits.add(unit)
	}
	for next, n := s.top, s.again; n > 0; n-- {
		if p.waits.add(int(next)) {
			p.count++
		} else {
			j.Waiting-- // we were told twice that it waits
		}
		next = s.attempts[next].below - 1
	}
	s.picks = p
	return p
}

// pick takes out the next unit of a stage that has picks: first those to start again, then those of first, then by
// number. tried reports that the unit is to start again.
func (s *Stage) pick(stage *policy.Stage) (unit uint32, tried bool) {
	p := s.picks
	if s.again > 0 {
		unit = s.top
		s.leave(stage, unit)
		return unit, true
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

// leave takes a unit out of those that wait, and reports whether it was there. With the last waiting unit it drops
// the stage's picks.
func (s *Stage) leave(stage *policy.Stage, unit uint32) bool {
	p := s.picks
	if !p.waits.remove(int(unit)) {
		return false
	}
	s.remove(unit)
	if p.count--; p.count == 0 {
		s.fresh, s.picks = stage.Units(), nil
	} else if p.places != nil {
		p.places.note(stage, unit, false)
	}
	return true
}

// enter adds a unit to those that wait, and reports whether it was new.
func (s *Stage) enter(stage *policy.Stage, unit uint32) bool {
	p := s.picks
	if p.waits.has(int(unit)) {
		return false
	}
	p.waits.add(int(unit))
	p.count++
	if p.places != nil {
		p.places.note(stage, unit, true)
	}
	return true
}
