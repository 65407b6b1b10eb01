package policytest

import (
	"fmt"
	"maps"
	"slices"

	"example.com/augur/policy"
)

// unfinished names a task of a job that has not ended, the first by ID, and says what is the matter with it.
func (l *ledger) unfinished() string {
	for _, id := range slices.Sorted(maps.Keys(l.jobs)) {
		return l.missing(l.jobs[id])
	}
	return "a job"
}

// missing names the first task of a job that has not been finished, as the centre knows.
func (l *ledger) missing(j *openJob) string {
	for i := range j.job.Stages {
		for k := range j.job.Stages[i].Units() {
			if j.done[i][k] {
				continue
			}
			task := policy.Task{Job: j.job.ID, Stage: uint32(i), Index: k}
			t := taskState{ready: j.ready[i], last: j.last[task]}
			t.asked, t.stands, t.runs = l.state(task)
			return t.of(task)
		}
	}
	return fmt.Sprintf("job %d", j.job.ID)
}

// state says whether copies of a task are being started, stand or run.
func (l *ledger) state(task policy.Task) (asked, stands, runs bool) {
	for c, p := range l.copies {
		if c.Task == task {
			asked, stands, runs = asked || p.asked, stands || p.stands, runs || !p.asked && !p.stands
		}
	}
	return asked, stands, runs
}

// running reports whether a copy runs, as far as the centre has heard.
func (l *ledger) running() bool {
	for _, p := range l.copies {
		if !p.asked && !p.stands {
			return true
		}
	}
	return false
}
