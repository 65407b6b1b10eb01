package main

import (
	"strconv"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// deadlines is how jobs with a deadline, SLO jobs, and best-effort jobs are told apart and judged:
// by the metrics of 3Sigma, Table 2. What work is done counts only up to the last submission: runs
// go on until all jobs have ended, and by then all policies that give up none have done the same.
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

// goodput returns the core-seconds of a job that was done by the last submission, be it late or where it runs
// longer, and 0 of others.
func (d deadlines) goodput(j *sim.JobRecord) float64 {
	if !j.Done() || j.Ended > d.last {
		return 0
	}
	return j.Service - j.Wasted
}

// ByDeadline is what became of the SLO jobs of a policy and of the best-effort jobs.
type ByDeadline struct {
	SLOJobs    int     `json:"slo_jobs"`
	SLODone    int     `json:"slo_jobs_done"` // in time or not
	SLOGoodput float64 `json:"slo_goodput_core_h"`
	// BestEffort are the jobs without a deadline; their latency is the time from submission to completion.
	BestEffortJobs    int      `json:"best_effort_jobs"`
	BestEffortDone    int      `json:"best_effort_jobs_done"`
	BestEffortLatency *float64 `json:"best_effort_mean_jct_s"`
	BestEffortGoodput float64  `json:"best_effort_goodput_core_h"`
}

// byDeadline divides the jobs of a run; nil if none has a deadline.
func (d deadlines) byDeadline(result *sim.Result) *ByDeadline {
	if !d.some {
		return nil
	}
	b := &ByDeadline{}
	var bestEffort sim.Result
	for i := range result.Jobs {
		j := &result.Jobs[i]
		if j.SLO == nil {
			bestEffort.Jobs = append(bestEffort.Jobs, *j)
			b.BestEffortGoodput += d.goodput(j) / 3600
			continue
		}
		b.SLOJobs++
		if j.Done() {
			b.SLODone++
		}
		b.SLOGoodput += d.goodput(j) / 3600
	}
	m := bestEffort.Metrics()
	b.BestEffortJobs, b.BestEffortDone, b.BestEffortLatency = len(bestEffort.Jobs), m.Done, cli.Some(m.MeanJCT)
	return b
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
	return []string{met, value, jct, cli.Exact(d.goodput(j))}
}
