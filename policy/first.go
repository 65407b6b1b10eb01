package policy

import "slices"

// First lets the given units of a stage be started before its others, in the given order:
// [View.Start] then takes those after what is to be tried again. They are numbers of tasks,
// each less than Units of the stage and given once; the slice is read only during the call.
// It is for a stage of which nothing has been started yet, once. Otherwise, and if a number
// is out of range or given twice, nothing changes and the result is false.
//
// It takes O(n log n) time for n units and about 8 bytes for each, until the job ends.
func (v *View[T]) First(j *JobView[T], stage uint32, tasks []int) bool {
	if int64(stage) >= int64(len(j.Stages)) {
		return false
	}
	s := &j.Stages[stage]
	if s.fresh > 0 || s.first != nil || s.attempts != nil || len(tasks) == 0 {
		return false
	}
	units := int64(j.Job.Stages[stage].Units())
	f := &first{order: make([]uint32, len(tasks)), sorted: make([]uint32, len(tasks))}
	for i, task := range tasks {
		if task < 0 || int64(task) >= units {
			return false
		}
		f.order[i] = uint32(task)
	}
	copy(f.sorted, f.order)
	slices.Sort(f.sorted)
	if len(slices.Compact(f.sorted)) < len(tasks) {
		return false
	}
	s.first = f
	return true
}

// first is what a View knows of the units of a stage that go before the others.
type first struct {
	order   []uint32 // as they are to be started
	sorted  []uint32 // the same, by number
	started int      // of order
	passed  int      // of sorted: less than the stage's fresh
}

// next returns the next fresh unit of a stage.
func (s *StageView) next() (unit uint32) {
	f := s.first
	if f != nil && f.started < len(f.order) {
		f.started++
		return f.order[f.started-1]
	}
	for f != nil && f.passed < len(f.sorted) && f.sorted[f.passed] == s.fresh {
		f.passed++
		s.fresh++
	}
	s.fresh++
	return s.fresh - 1
}

// ahead returns how many units from fresh on were started already.
func (s *StageView) ahead() int {
	if s.first == nil {
		return 0
	}
	return s.first.started - s.first.passed
}
