package provenance

import (
	"maps"
	"slices"
)

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

// Clone returns a copy of the log, which the log may go on without: jobs that end, operations and names
// that come later change nothing in it. A host whose log never ends gives a Clone to what it analyses
// it with, in another goroutine too; to copy the struct is not enough, since the copy shares the
// tables of names. It takes time and memory in proportion to the log.
func (l *Log) Clone() *Log {
	return &Log{
		Jobs: slices.Clone(l.Jobs), Ops: slices.Clone(l.Ops),
		IDs: l.IDs.clone(), Templates: l.Templates.clone(), Users: l.Users.clone(), Orgs: l.Orgs.clone(), Files: l.Files.clone(),
	}
}

// clone shares the list as far as it goes, since names are only added behind it.
func (n *Names) clone() Names {
	return Names{maps.Clone(n.index), slices.Clip(n.list)}
}
