package experiment

import (
	"fmt"
	"math"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A Row is what came of a policy in a cell. Figures are those of sim.Metrics; times are in seconds.
type Row struct {
	Policy             string   `json:"policy"`
	Best               string   `json:"best,omitempty"` // of those that it stands for
	Done               int      `json:"jobs_done"`
	Failed             int      `json:"jobs_failed"`
	TimedOut           int      `json:"jobs_timed_out"` // of those that failed
	MeanJCT            *float64 `json:"mean_jct_s"`
	P50JCT             *float64 `json:"p50_jct_s"`
	P90JCT             *float64 `json:"p90_jct_s"`
	P99JCT             *float64 `json:"p99_jct_s"`
	MeanWait           *float64 `json:"mean_wait_s"` // from submission to the first start
	P50Wait            *float64 `json:"p50_wait_s"`
	P90Wait            *float64 `json:"p90_wait_s"`
	P99Wait            *float64 `json:"p99_wait_s"`
	MaxWait            *float64 `json:"max_wait_s"`
	Fairness           *float64 `json:"fairness"`                 // Jain's index of bounded slowdowns
	MaxRho             *float64 `json:"finish_time_fairness_max"` // Themis's ρ
	Unfair             *float64 `json:"jobs_unfair"`              // share of jobs whose ρ is above 1
	MeanSlowdown       *float64 `json:"mean_slowdown"`
	MaxSlowdown        *float64 `json:"max_slowdown"`
	MeanBounded        *float64 `json:"mean_bounded_slowdown"`
	P50BoundedSlowdown *float64 `json:"p50_bounded_slowdown"`
	MaxBounded         *float64 `json:"max_bounded_slowdown"`
	Utilization        *float64 `json:"utilization"`
	Goodput            *float64 `json:"goodput"`
	Makespan           float64  `json:"makespan_s"`
	Preemptions        int      `json:"preemptions"`
	Stops              int      `json:"stops,omitempty"` // copies that were saved and stopped
	MostStops          int      `json:"most_stops,omitempty"`
	Reloading          float64  `json:"reloading,omitempty"` // the time that copies reloaded over the time that they worked
	Copies             int      `json:"copies"`
	Wasted             float64  `json:"wasted_service_s"`
	MissRate           *float64 `json:"deadline_miss_rate"`
	Value              *float64 `json:"value"`                  // by the utilities of deadlines
	Attained           *float64 `json:"value_attained_percent"` // of what jobs can attain, if Config.Ended sets it
	Events             int64    `json:"events"`
	// Wall is how long the run took. This package reads no clock; Config.Ended may set it.
	Wall        *float64 `json:"wall_s"`
	EventsPerS  *float64 `json:"events_per_s"`
	Ratios      Ratios   `json:"ratios_to_first"`
	*ByClass             // nil without a cutoff
	*ByDeadline          // nil if no job has a deadline
	// InUse is the share of what nodes offer besides cores that copies had, if Config.Ended sets it.
	InUse map[string]float64 `json:"in_use,omitempty"`
	// Faults is how often each of some faults has happened, if Config.Ended sets it.
	Faults map[string]int `json:"faults,omitempty"`

	informed bool // it asked the truth
	told     bool // some requests that it sees are made of the truth
	outcomes outcomes
}

// Ratios are those of a policy's figures to those of the baseline in its cell: below 1 is better. If the run of the baseline has
// failed they are to the first policy that has not.
type Ratios struct {
	Bound        *float64 `json:"mean_jct_to_bound"` // to Report.MeanBound; nil if not all jobs are done
	MeanJCT      *float64 `json:"mean_jct"`
	P50JCT       *float64 `json:"p50_jct"`
	P90JCT       *float64 `json:"p90_jct"`
	P99JCT       *float64 `json:"p99_jct"`
	MeanSlowdown *float64 `json:"mean_slowdown"`
	MeanBounded  *float64 `json:"mean_bounded_slowdown"`
	Makespan     *float64 `json:"makespan"`
	// Of the jobs that both have done, each job's completion time under this policy over
	// that under the baseline.
	JobP50 *float64 `json:"job_p50"`
	JobP90 *float64 `json:"job_p90"`
	Faster *float64 `json:"jobs_faster"` // shares of these jobs
	Slower *float64 `json:"jobs_slower"`
}

// ByClass is what became of short jobs and of long ones: see Cell.Cutoff.
type ByClass struct {
	ShortJobs int      `json:"short_jobs"`
	ShortP50  *float64 `json:"short_p50_jct_s"`
	ShortP90  *float64 `json:"short_p90_jct_s"`
	ShortP99  *float64 `json:"short_p99_jct_s"`
	LongJobs  int      `json:"long_jobs"`
	LongP50   *float64 `json:"long_p50_jct_s"`
	LongP90   *float64 `json:"long_p90_jct_s"`
	LongP99   *float64 `json:"long_p99_jct_s"`
}

// ByDeadline is what became of jobs with a deadline, SLO jobs, and of best-effort jobs, by the metrics of 3Sigma (J. W. Park et
// al., "3Sigma: distribution-based cluster scheduling for runtime uncertainty", CMU-PDL-17-107, Table 2). What work is done counts
// up to the last submission: runs go on until all jobs have ended, and by then all policies that give up none have done the same.
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

// some returns x for JSON: nil if it is not a finite number.
func some(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// fill sets the figures of a run, but for the ratios.
func (p *Row) fill(g *Cell, result *sim.Result) {
	m := result.Metrics()
	p.Done, p.Failed, p.TimedOut = m.Done, m.Failed, m.TimedOut
	p.MeanJCT, p.P50JCT, p.P90JCT, p.P99JCT = some(m.MeanJCT), some(m.P50JCT), some(m.P90JCT), some(m.P99JCT)
	p.MeanWait, p.P50Wait, p.P90Wait, p.P99Wait, p.MaxWait = some(m.MeanWait), some(m.P50Wait), some(m.P90Wait), some(m.P99Wait), some(m.MaxWait)
	p.Fairness, p.MaxRho, p.Unfair = some(m.Fairness), some(m.MaxRho), some(m.Unfair)
	p.MeanSlowdown, p.MaxSlowdown = some(m.MeanSlowdown), some(m.MaxSlowdown)
	p.MeanBounded, p.P50BoundedSlowdown, p.MaxBounded = some(m.MeanBoundedSlowdown), some(m.P50BoundedSlowdown), some(m.MaxBoundedSlowdown)
	p.Utilization, p.Goodput, p.Makespan = some(m.Utilization), some(m.Goodput), m.Makespan
	p.Preemptions, p.Copies, p.Wasted, p.Stops = m.Preemptions, m.Copies, m.Wasted, m.Stops
	p.MissRate, p.Value = some(m.MissRate), some(m.Value)
	service := 0.0
	for i := range result.Jobs {
		service += result.Jobs[i].Service
		p.MostStops = max(p.MostStops, result.Jobs[i].Stops)
	}
	if m.Stops > 0 {
		p.Reloading = m.Reloaded / service
	}
	for i := range result.Jobs {
		p.outcomes[result.Jobs[i].Outcome]++
	}
	if g.Cutoff > 0 {
		p.ByClass = byClass(result, g.Cutoff)
	}
	if g.Report.facts.deadlines {
		p.ByDeadline = byDeadline(result, g.Report.last)
	}
}

// compare sets the ratios to another run.
func (p *Row) compare(result, to *sim.Result, first *Row, r *Report) {
	jobs := sim.Compare(result, to)
	p.Ratios = Ratios{
		MeanJCT: ratio(p.MeanJCT, first.MeanJCT), P50JCT: ratio(p.P50JCT, first.P50JCT),
		P90JCT: ratio(p.P90JCT, first.P90JCT), P99JCT: ratio(p.P99JCT, first.P99JCT),
		MeanSlowdown: ratio(p.MeanSlowdown, first.MeanSlowdown), MeanBounded: ratio(p.MeanBounded, first.MeanBounded),
		Makespan: ratio(&p.Makespan, &first.Makespan),
		JobP50:   some(jobs.P50Ratio), JobP90: some(jobs.P90Ratio),
		Faster: some(jobs.Faster), Slower: some(jobs.Slower),
	}
	if p.Done == r.Jobs {
		p.Ratios.Bound = ratio(p.MeanJCT, r.MeanBound)
	}
}

func ratio(x, of *float64) *float64 {
	if x == nil || of == nil {
		return nil
	}
	return some(*x / *of)
}

// outcomes counts how jobs ended.
type outcomes [policy.TimedOut + 1]int

// failed says how many jobs ended how, of those that are not Done.
func (o outcomes) failed() string {
	var text []string
	for k := policy.Done + 1; k <= policy.TimedOut; k++ {
		if o[k] > 0 {
			text = append(text, fmt.Sprintf("%s %v", thousands(o[k]), k))
		}
	}
	return strings.Join(text, ", ")
}

// forgotten counts the jobs that the policy itself has left undone; the others fail by faults or limits, whatever the policy.
func (o outcomes) forgotten() int { return o[policy.Stalled] + o[policy.GivenUp] }

// byClass divides the jobs of a run into short ones and long ones.
func byClass(result *sim.Result, cutoff policy.Duration) *ByClass {
	var short, long sim.Result
	for _, j := range result.Jobs {
		if j.MeanTask < cutoff {
			short.Jobs = append(short.Jobs, j)
		} else {
			long.Jobs = append(long.Jobs, j)
		}
	}
	s, l := short.Metrics(), long.Metrics()
	return &ByClass{
		ShortJobs: len(short.Jobs), ShortP50: some(s.P50JCT), ShortP90: some(s.P90JCT), ShortP99: some(s.P99JCT),
		LongJobs: len(long.Jobs), LongP50: some(l.P50JCT), LongP90: some(l.P90JCT), LongP99: some(l.P99JCT),
	}
}

// byDeadline divides the jobs of a run into those with deadlines and the others.
func byDeadline(result *sim.Result, last policy.Time) *ByDeadline {
	b := &ByDeadline{}
	var bestEffort sim.Result
	for i := range result.Jobs {
		j := &result.Jobs[i]
		if j.SLO == nil {
			bestEffort.Jobs = append(bestEffort.Jobs, *j)
			b.BestEffortGoodput += Goodput(j, last) / 3600
			continue
		}
		b.SLOJobs++
		if j.Done() {
			b.SLODone++
		}
		b.SLOGoodput += Goodput(j, last) / 3600
	}
	m := bestEffort.Metrics()
	b.BestEffortJobs, b.BestEffortDone, b.BestEffortLatency = len(bestEffort.Jobs), m.Done, some(m.MeanJCT)
	return b
}

// Goodput returns the core-seconds of a job that was done by an instant, the last submission, be it late or where it runs longer, and 0 of
// others.
func Goodput(j *sim.JobRecord, by policy.Time) float64 {
	if !j.Done() || j.Ended > by {
		return 0
	}
	return j.Service - j.Wasted
}
