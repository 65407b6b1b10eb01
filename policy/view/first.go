package view

// First lets the given units of a stage be started before its others, in the given order:
// [View.Start] then takes those after what is to be tried again. They are numbers of tasks,
// each less than Units of the stage and given once; the slice is read only during the call.
// It is for a stage of which nothing has been started yet, once. Otherwise, and if a number
// is out of range or given twice, nothing changes and the result is false.
//
// It takes O(n) time for n units, and O(u) for a stage of u units, of which it is a small
// part: a word for 64 of them. It keeps 4 bytes for each of the n and about a bit for each of
// the u, until nothing of the stage waits.
func (v *View[T]) First(j *Job[T], stage uint32, tasks []int) bool {
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
