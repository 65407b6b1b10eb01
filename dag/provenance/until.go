package provenance

import "slices"

// Until returns the log as it was at an instant, which is the log itself if nothing in it is later.
// Everything keeps its number: jobs submitted then or later stay in the list, but run, and have done
// nothing. What a job that still ran then was to take was not known then, so that it has taken nothing.
// Names are shared with the log, and must not change.
func (l *Log) Until(end Time) *Log {
	lateJob := func(j Job) bool { return j.State != Running && j.Completed >= end }
	lateOp := func(op Op) bool { return op.Time >= end }
	jobs, ops := slices.ContainsFunc(l.Jobs, lateJob), slices.ContainsFunc(l.Ops, lateOp)
	if !jobs && !ops {
		return l
	}
	past := *l
	if jobs {
		past.Jobs = slices.Clone(l.Jobs)
		for i := range past.Jobs {
			if j := &past.Jobs[i]; lateJob(*j) {
				j.State, j.Completed, j.Compute = Running, 0, 0
			}
		}
	}
	if ops {
		past.Ops = slices.DeleteFunc(slices.Clone(l.Ops), lateOp)
	}
	return &past
}
