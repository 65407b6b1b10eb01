package provenance

import (
	"maps"
	"slices"
)

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
