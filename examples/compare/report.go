package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// report is what is printed; its fields are the JSON that -json promises.
type report struct {
	Workload string   `json:"workload"`
	Jobs     int      `json:"jobs"`
	Tasks    int      `json:"tasks"`
	Nodes    int      `json:"nodes"`
	Cores    int      `json:"cores"`       // of all nodes
	Memory   int64    `json:"node_memory"` // of each, bytes; 0: not accounted for
	Load     *float64 `json:"load"`
	LoadSpan float64  `json:"load_span_s"`
	// Loads are those of what nodes offer besides cores.
	Loads   map[string]float64 `json:"loads,omitempty"`
	Seed    uint64             `json:"seed"`
	Window  string             `json:"window,omitempty"` // of the trace, such as 3/10
	Copy    string             `json:"copy,omitempty"`   // ... that lacks a tenth of the jobs, such as 3/8
	Dropped []string           `json:"dropped"`          // why rows of the trace were left out: reason, number
	Skipped []string           `json:"skipped"`          // the same, of rows that are right but hold no job
	// Requested counts the jobs that said no requested time, and got twice their runtime.
	Requested int `json:"requested_set"`
	// Cutoff is that between short jobs and long ones if it was taken from the jobs.
	Cutoff float64 `json:"cutoff_set_s,omitempty"`
	// LongShare is that of the nodes open to long jobs under hawk and eagle if it was taken from the jobs.
	LongShare float64 `json:"long_share_set,omitempty"`
	// Trim is the share of the jobs at either end that the figures leave out.
	Trim          float64 `json:"trim,omitempty"`
	KillRequested bool    `json:"kill_requested,omitempty"`
	SlowdownBound float64 `json:"slowdown_bound_s"` // of bounded slowdowns
	// MeanBound is below the mean JCT of any schedule in which no task gets a second copy: see workload.MeanBound. It is null if
	// figures leave jobs out, if copies of a task differ, or if there are more than 200,000 jobs.
	MeanBound *float64 `json:"mean_jct_bound_s"`
	Policies  []row    `json:"policies"`

	first   *sim.Result
	notes   []string
	classes classes
	lake    *lakelab.Lake // nil: what is attained is not known

	deadlines deadlines
	faults    sim.Faults // the plan
}

// row is a policy in the report. What does not apply is null.
type row struct {
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
	Attained           *float64 `json:"value_attained_percent"` // of what a lake's jobs can attain
	Events             int64    `json:"events"`
	Wall               *float64 `json:"wall_s"` // null with -times=false, as are events per second
	EventsPerS         *float64 `json:"events_per_s"`
	Ratios             ratios   `json:"ratios_to_first"`
	*ByClass                    // nil without a cutoff
	*ByDeadline                 // nil if no job has a deadline
	// InUse is the share of what nodes offer besides cores that copies had, from the first submission to the last.
	InUse map[string]float64 `json:"in_use,omitempty"`
	// Faults is how often each of those that -faults plans has happened.
	Faults map[string]int `json:"faults,omitempty"`
}

// ratios are those of a policy's figures to the first policy's: below 1 is better, but for
// the utilization.
type ratios struct {
	Bound        *float64 `json:"mean_jct_to_bound"` // to the report's MeanBound; null if not all jobs are done
	MeanJCT      *float64 `json:"mean_jct"`
	P50JCT       *float64 `json:"p50_jct"`
	P90JCT       *float64 `json:"p90_jct"`
	P99JCT       *float64 `json:"p99_jct"`
	MeanSlowdown *float64 `json:"mean_slowdown"`
	MeanBounded  *float64 `json:"mean_bounded_slowdown"`
	Makespan     *float64 `json:"makespan"`
	// Of the jobs that both have done, each job's completion time under this policy over
	// that under the first.
	JobP50 *float64 `json:"job_p50"`
	JobP90 *float64 `json:"job_p90"`
	Faster *float64 `json:"jobs_faster"` // shares of these jobs
	Slower *float64 `json:"jobs_slower"`
}

func newReport(in *input, o *options, chosen []contender, faults sim.Faults) *report {
	offered, cores := workload.Measure(in.List), len(in.cluster)*o.Cores
	r := &report{
		Workload: in.Name, Jobs: len(in.List), Nodes: len(in.cluster), Cores: cores, Memory: o.Memory,
		Load: cli.Some(offered.Load(float64(cores))), LoadSpan: offered.Span(), Loads: cli.Loads(in.List, in.cluster), Seed: o.seed, Window: o.windows.String(), Copy: o.thin.String(),
		Dropped: in.Dropped, Skipped: in.Skipped, Requested: in.requested, Cutoff: in.cutoff.Seconds(),
		Trim: o.trim, KillRequested: o.killRequested, SlowdownBound: sim.SlowdownBound.Seconds(),
	}
	for _, j := range in.List {
		r.Tasks += j.Tasks()
	}
	if o.cutoff > 0 {
		r.classes = classify(in.List, o.cutoff, o.longShare)
	}
	if o.trim == 0 && len(in.List) <= 200_000 && !slices.ContainsFunc(in.List, func(j *workload.Job) bool { return j.Luck != nil }) {
		r.MeanBound = cli.Some(workload.MeanBound(in.List, float64(cores)))
	}
	r.deadlines = judge(in.List)
	r.faults = faults
	r.notes = append(append(in.Notes(), o.Notes()...), idleFaults(&faults, o.delay, chosen)...)
	if r.Loads != nil {
		r.notes = append(r.notes, "load of "+cli.Loaded(r.Loads))
	}
	if o.trim > 0 {
		r.notes = append(r.notes, fmt.Sprintf("the figures leave out the first and the last %.4g %% of the jobs by submission, but for those of the whole cluster", 100*o.trim))
	}
	if in.cutoff > 0 {
		r.notes = append(r.notes, fmt.Sprintf("jobs are long from %.6g s on, the 90th percentile of their mean task runtimes; -cutoff takes another", r.Cutoff))
	}
	if o.longShare == 0 && slices.ContainsFunc(chosen, func(c contender) bool { return c.divides }) {
		r.LongShare = r.classes.open
		r.notes = append(r.notes, fmt.Sprintf("%.4g %% of the nodes are open to long jobs under hawk and eagle, as much as long jobs have of the work; -long-share takes another share",
			100*r.LongShare))
	}
	if in.lake != nil && o.Stretch {
		r.notes = append(r.notes, "the value attained is left out: the arrivals are stretched, so when output is downloaded means nothing")
	} else {
		r.lake = in.lake
	}
	if in.requested > 0 && slices.ContainsFunc(chosen, func(c contender) bool { return c.Requests }) {
		r.notes = append(r.notes, in.requestNote())
	}
	return r
}

func (r *report) add(name, best string, result *sim.Result, wall time.Duration, inUse map[string]float64) {
	m := result.Metrics()
	if r.first == nil {
		r.first = result
	}
	if m.Failed > 0 {
		r.notes = append(r.notes, fmt.Sprintf("failed under %s: %s", name, outcomes(result)))
	}
	p := row{
		Policy: name, Best: best, Done: m.Done, Failed: m.Failed, TimedOut: m.TimedOut,
		MeanJCT: cli.Some(m.MeanJCT), P50JCT: cli.Some(m.P50JCT), P90JCT: cli.Some(m.P90JCT), P99JCT: cli.Some(m.P99JCT),
		MeanWait: cli.Some(m.MeanWait), P50Wait: cli.Some(m.P50Wait), P90Wait: cli.Some(m.P90Wait), P99Wait: cli.Some(m.P99Wait), MaxWait: cli.Some(m.MaxWait),
		Fairness: cli.Some(m.Fairness), MaxRho: cli.Some(m.MaxRho), Unfair: cli.Some(m.Unfair),
		MeanSlowdown: cli.Some(m.MeanSlowdown), MaxSlowdown: cli.Some(m.MaxSlowdown), MeanBounded: cli.Some(m.MeanBoundedSlowdown), P50BoundedSlowdown: cli.Some(m.P50BoundedSlowdown), MaxBounded: cli.Some(m.MaxBoundedSlowdown),
		Utilization: cli.Some(m.Utilization), Goodput: cli.Some(m.Goodput), Makespan: m.Makespan,
		Preemptions: m.Preemptions, Copies: m.Copies, Wasted: m.Wasted,
		MissRate: cli.Some(m.MissRate), Value: cli.Some(m.Value),
		ByClass: r.classes.byClass(result), ByDeadline: r.deadlines.byDeadline(result),
		InUse: inUse, Faults: countFaults(&r.faults, &result.Faults),
		Events: result.Events, Wall: cli.Some(wall.Seconds()), EventsPerS: cli.Some(float64(result.Events) / wall.Seconds()),
	}
	service := 0.0
	for i := range result.Jobs {
		service += result.Jobs[i].Service
		p.MostStops = max(p.MostStops, result.Jobs[i].Stops)
	}
	if p.Stops = m.Stops; m.Stops > 0 {
		p.Reloading = m.Reloaded / service
	}
	if r.lake != nil {
		p.Attained = cli.Some(r.lake.Attained(result))
	}
	first := &p
	if len(r.Policies) > 0 {
		first = &r.Policies[0]
	}
	jobs := sim.Compare(result, r.first)
	p.Ratios = ratios{
		MeanJCT: ratio(p.MeanJCT, first.MeanJCT), P50JCT: ratio(p.P50JCT, first.P50JCT),
		P90JCT: ratio(p.P90JCT, first.P90JCT), P99JCT: ratio(p.P99JCT, first.P99JCT),
		MeanSlowdown: ratio(p.MeanSlowdown, first.MeanSlowdown), MeanBounded: ratio(p.MeanBounded, first.MeanBounded),
		Makespan: ratio(&p.Makespan, &first.Makespan),
		JobP50:   cli.Some(jobs.P50Ratio), JobP90: cli.Some(jobs.P90Ratio),
		Faster: cli.Some(jobs.Faster), Slower: cli.Some(jobs.Slower),
	}
	if p.Done == r.Jobs {
		p.Ratios.Bound = ratio(p.MeanJCT, r.MeanBound)
	}
	r.Policies = append(r.Policies, p)
}

// forgetTimes leaves out how long the runs took, which differs from one time to the next.
func (r *report) forgetTimes() {
	for i := range r.Policies {
		r.Policies[i].Wall, r.Policies[i].EventsPerS = nil, nil
	}
}

// outcomes says how many jobs ended how, of those that are not Done.
func outcomes(result *sim.Result) string {
	var count [policy.TimedOut + 1]int64
	for i := range result.Jobs {
		count[result.Jobs[i].Outcome]++
	}
	var text []string
	for o := policy.Done + 1; o <= policy.TimedOut; o++ {
		if count[o] > 0 {
			text = append(text, fmt.Sprintf("%s %v", cli.Thousands(count[o]), o))
		}
	}
	return strings.Join(text, ", ")
}

func ratio(x, of *float64) *float64 {
	if x == nil || of == nil {
		return nil
	}
	return cli.Some(*x / *of)
}
