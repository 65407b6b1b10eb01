package main

import (
	"strconv"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// deadlines is what tells of the deadlines of jobs: see experiment.ByDeadline.
type deadlines struct {
	some  bool        // jobs have deadlines
	first policy.Time // submission
	last  policy.Time
}

// judge looks for deadlines among jobs in order of submission.
func judge(list []*workload.Job) (d deadlines) {
	for _, j := range list {
		d.some = d.some || j.SLO != nil
	}
	if len(list) > 0 {
		d.first, d.last = list[0].Submitted, list[len(list)-1].Submitted
	}
	return d
}

// deadlineColumns are those of a job's row if jobs have deadlines; a best-effort job's value is empty.
var deadlineColumns = []string{"met_deadline", "value", "jct_s", "goodput_s"}

// row returns these columns.
func (d deadlines) row(j *sim.JobRecord) []string {
	met, value, jct := "", "", ""
	if j.SLO != nil {
		met, value = strconv.FormatBool(j.MetDeadline()), "0"
		if j.MetDeadline() {
			value = cli.Exact(j.SLO.Utility)
		}
	}
	if j.Done() {
		jct = cli.Exact(j.JCT().Seconds())
	}
	return []string{met, value, jct, cli.Exact(experiment.Goodput(j, d.last))}
}
