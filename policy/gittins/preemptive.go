package gittins

import (
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Rank implements [central.Ranker], for fillers that stop running copies. It differs from the rank of [Turn]: what running
// copies have attained is taken from the work; a job's only unit ranks by the index of one task that has been served for that
// long and may be stopped; a wide unit collects no cores; and jobs of which nothing is known go by their service, all at once.
func (t *Turn) Rank(j *central.Job, attained float64) (rank float64, until policy.Time) {
	e := t.jobs.Get(j.Job.ID)
	_, need, known, due := t.left(e)
	rank = t.view.Service(j)
	if known {
		rank = e.preemptive(attained)
	}
	if attained > 0 {
		ran := min(max(1, attained/max(1, j.Rate())/8), 1e9)
		due = min(due, t.view.Now().Add(saturate.To[policy.Duration](ran*1e9)))
	}
	rank, _, due = t.weigh(e, rank, need, known, due)
	return rank, due
}

// preemptive returns the rank in core-seconds of a job whose running copies have attained so much.
func (e *entry) preemptive(attained float64) float64 {
	var only *group
	for i := range e.groups {
		switch g := &e.groups[i]; {
		case g.work == 0:
		case only != nil || g.work > g.width:
			if attained == 0 && e.single() {
				return e.sums.pilots
			}
			return number(max(0, e.sums.whole-attained))
		default:
			only = g
		}
	}
	if only == nil {
		return 0
	}
	return only.after(only.saved + attained)
}
