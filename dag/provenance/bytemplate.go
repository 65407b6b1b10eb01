package provenance

import (
	"cmp"
	"slices"
)

// byTemplate are the jobs of each template, in order of submission.
type byTemplate struct{ start, jobs []uint32 }

func (t *byTemplate) of(template uint32) []uint32 {
	return t.jobs[t.start[template]:t.start[template+1]]
}

// byTemplate returns the jobs that were submitted in [start, end).
func (l *Log) byTemplate(start, end Time) *byTemplate {
	inside := func(j *Job) bool { return start <= j.Submitted && j.Submitted < end }
	t := &byTemplate{start: make([]uint32, l.Templates.Len()+1)}
	for i := range l.Jobs {
		if j := &l.Jobs[i]; inside(j) {
			t.start[j.Template+1]++
		}
	}
	for i := range l.Templates.Len() {
		t.start[i+1] += t.start[i]
	}
	t.jobs = make([]uint32, t.start[l.Templates.Len()])
	next := slices.Clone(t.start)
	for i := range l.Jobs {
		if j := &l.Jobs[i]; inside(j) {
			t.jobs[next[j.Template]] = uint32(i)
			next[j.Template]++
		}
	}
	// Logs often have jobs in order of submission, and then there is nothing left to do.
	for i := range l.Templates.Len() {
		slices.SortStableFunc(t.of(uint32(i)), func(a, b uint32) int {
			return cmp.Compare(l.Jobs[a].Submitted, l.Jobs[b].Submitted)
		})
	}
	return t
}
