package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
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
	Seed     uint64   `json:"seed"`
	Dropped  []string `json:"dropped"` // why rows of the trace were left out: reason, number
	Skipped  []string `json:"skipped"` // the same, of rows that are right but hold no job
	// Requested counts the jobs that said no requested time, and got twice their runtime.
	Requested int   `json:"requested_set"`
	Policies  []row `json:"policies"`

	first   *sim.Result
	notes   []string
	classes classes
	lake    *lakelab.Lake // nil: what is attained is not known

	deadlines deadlines
}

// row is a policy in the report. What does not apply is null.
type row struct {
	Policy             string   `json:"policy"`
	Done               int      `json:"jobs_done"`
	Failed             int      `json:"jobs_failed"`
	MeanJCT            *float64 `json:"mean_jct_s"`
	P50JCT             *float64 `json:"p50_jct_s"`
	P90JCT             *float64 `json:"p90_jct_s"`
	P99JCT             *float64 `json:"p99_jct_s"`
	MeanSlowdown       *float64 `json:"mean_slowdown"`
	MeanBounded        *float64 `json:"mean_bounded_slowdown"`
	P50BoundedSlowdown *float64 `json:"p50_bounded_slowdown"`
	Utilization        *float64 `json:"utilization"`
	Goodput            *float64 `json:"goodput"`
	Makespan           float64  `json:"makespan_s"`
	Preemptions        int      `json:"preemptions"`
	Copies             int      `json:"copies"`
	Wasted             float64  `json:"wasted_service_s"`
	MissRate           *float64 `json:"deadline_miss_rate"`
	Value              *float64 `json:"value"`                  // by the utilities of deadlines
	Attained           *float64 `json:"value_attained_percent"` // of what a lake's jobs can attain
	Events             int64    `json:"events"`
	Wall               float64  `json:"wall_s"`
	EventsPerS         *float64 `json:"events_per_s"`
	Ratios             ratios   `json:"ratios_to_first"`
	*ByClass                    // nil without -cutoff
	*ByDeadline                 // nil if no job has a deadline
}

// ratios are those of a policy's figures to the first policy's: below 1 is better, but for
// the utilization.
type ratios struct {
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
}

func newReport(in *input, o *options, chosen []contender) *report {
	r := &report{
		Workload: in.Name, Jobs: len(in.List), Tasks: in.tasks,
		Nodes: len(in.cluster), Cores: in.cores, Memory: o.Memory,
		Load: cli.Some(in.offered.Load(float64(in.cores))), LoadSpan: in.offered.Span(), Seed: o.seed,
		Dropped: in.Dropped, Skipped: in.Skipped, Requested: in.requested,
	}
	if o.cutoff > 0 {
		r.classes = classify(in.List, o.cutoff)
	}
	r.deadlines = judge(in.List)
	r.notes = in.Notes()
	if in.lake != nil && o.Stretch {
		r.notes = append(r.notes, "the value attained is left out: the arrivals are stretched, so when output is downloaded means nothing")
	} else {
		r.lake = in.lake
	}
	if in.requested > 0 && slices.ContainsFunc(chosen, func(c contender) bool { return c.requests }) {
		r.notes = append(r.notes, fmt.Sprintf("%s jobs request no time; they are taken to request %d times their runtime",
			thousands(int64(in.requested)), requestFactor))
	}
	return r
}

func (r *report) add(name string, result *sim.Result, wall time.Duration) {
	m := result.Metrics()
	if r.first == nil {
		r.first = result
	}
	if m.Failed > 0 {
		r.notes = append(r.notes, fmt.Sprintf("failed under %s: %s", name, outcomes(result)))
	}
	r.Policies = append(r.Policies, row{
		Policy: name, Done: m.Done, Failed: m.Failed,
		MeanJCT: cli.Some(m.MeanJCT), P50JCT: cli.Some(m.P50JCT), P90JCT: cli.Some(m.P90JCT), P99JCT: cli.Some(m.P99JCT),
		MeanSlowdown: cli.Some(m.MeanSlowdown), MeanBounded: cli.Some(m.MeanBoundedSlowdown), P50BoundedSlowdown: cli.Some(m.P50BoundedSlowdown),
		Utilization: cli.Some(m.Utilization), Goodput: cli.Some(m.Goodput), Makespan: m.Makespan,
		Preemptions: m.Preemptions, Copies: m.Copies, Wasted: m.Wasted,
		MissRate: cli.Some(m.MissRate), Value: cli.Some(m.Value),
		ByClass: r.classes.byClass(result), ByDeadline: r.deadlines.byDeadline(result),
		Events: result.Events, Wall: wall.Seconds(), EventsPerS: cli.Some(float64(result.Events) / wall.Seconds()),
	})
	if r.lake != nil {
		r.Policies[len(r.Policies)-1].Attained = cli.Some(r.lake.Attained(result))
	}
	p, first := &r.Policies[len(r.Policies)-1], &r.Policies[0]
	jobs := sim.Compare(result, r.first)
	p.Ratios = ratios{
		MeanJCT: ratio(p.MeanJCT, first.MeanJCT), P50JCT: ratio(p.P50JCT, first.P50JCT),
		P90JCT: ratio(p.P90JCT, first.P90JCT), P99JCT: ratio(p.P99JCT, first.P99JCT),
		MeanSlowdown: ratio(p.MeanSlowdown, first.MeanSlowdown), MeanBounded: ratio(p.MeanBounded, first.MeanBounded),
		Makespan: ratio(&p.Makespan, &first.Makespan),
		JobP50:   cli.Some(jobs.P50Ratio), JobP90: cli.Some(jobs.P90Ratio),
	}
}

// outcomes says how many jobs ended how, of those that are not Done.
func outcomes(result *sim.Result) string {
	var count [policy.Stalled + 1]int64
	for i := range result.Jobs {
		count[result.Jobs[i].Outcome]++
	}
	var text []string
	for o := policy.Done + 1; o <= policy.Stalled; o++ {
		if count[o] > 0 {
			text = append(text, fmt.Sprintf("%s %v", thousands(count[o]), o))
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

func (r *report) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

func (r *report) writeTable(w io.Writer) error {
	memory := ""
	if r.Memory > 0 {
		memory = fmt.Sprintf(" and %.1f GiB a node", float64(r.Memory)/(1<<30))
	}
	fmt.Fprintf(w, "%s: %s jobs, %s tasks, on %s nodes with %s cores%s; load %s over %s\n\n", r.Workload,
		thousands(int64(r.Jobs)), thousands(int64(r.Tasks)), thousands(int64(r.Nodes)), thousands(int64(r.Cores)), memory,
		format(r.Load, 2), time.Duration(r.LoadSpan*1e9).Round(time.Second))
	for _, note := range r.notes {
		fmt.Fprintf(w, "%s\n", note)
	}
	if len(r.notes) > 0 {
		fmt.Fprintln(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	value, unit := "", ""
	if r.lake != nil {
		value, unit = "value\t", "%\t"
	}
	fmt.Fprintf(t, "policy\tdone\tfailed\tmean JCT\tP50\tP90\tP99\tslowdown\tbounded\tutilization\tgoodput\tmakespan\tmissed\t%sevents/s\t\n", value)
	fmt.Fprintf(t, "\t\t\ts\ts\ts\ts\tmean\tmean\t%%\t%%\th\t%%\t%s\t\n", unit)
	percent := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return strconv.FormatFloat(*x*100, 'f', 1, 64)
	}
	for i := range r.Policies {
		p := &r.Policies[i]
		perS := "-"
		if p.EventsPerS != nil {
			perS = thousands(int64(*p.EventsPerS))
		}
		value := ""
		if r.lake != nil {
			value = format(p.Attained, 1) + "\t"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%s\t%s%s\t\n", p.Policy, thousands(int64(p.Done)), thousands(int64(p.Failed)),
			format(p.MeanJCT, 1), format(p.P50JCT, 1), format(p.P90JCT, 1), format(p.P99JCT, 1),
			format(p.MeanSlowdown, 2), format(p.MeanBounded, 2), percent(p.Utilization), percent(p.Goodput), p.Makespan/3600,
			percent(p.MissRate), value, perS)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if r.classes.cutoff > 0 {
		if err := r.writeClasses(w); err != nil {
			return err
		}
	}
	if r.deadlines.some {
		if err := r.writeDeadlines(w); err != nil {
			return err
		}
	}
	if len(r.Policies) < 2 {
		return nil
	}
	return r.writeRatios(w)
}

// writeRatios prints how the policies do beside the first.
func (r *report) writeRatios(w io.Writer) error {
	fmt.Fprintf(w, "\nratios to %s; of each job's own JCT, the median and the 90th percentile\n\n", r.Policies[0].Policy)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "policy\tmean JCT\tP50\tP90\tP99\tslowdown\tbounded\tmakespan\tjob P50\tjob P90\t\n")
	for i := range r.Policies {
		p := &r.Policies[i]
		fmt.Fprintf(t, "%s\t", p.Policy)
		for _, x := range []*float64{
			p.Ratios.MeanJCT, p.Ratios.P50JCT, p.Ratios.P90JCT, p.Ratios.P99JCT, p.Ratios.MeanSlowdown, p.Ratios.MeanBounded,
			p.Ratios.Makespan, p.Ratios.JobP50, p.Ratios.JobP90,
		} {
			fmt.Fprintf(t, "%s\t", format(x, 3))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func format(x *float64, decimals int) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(*x, 'f', decimals, 64)
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// outputs are the files that flags ask for.
type outputs struct {
	files      []*os.File
	records    map[string]*os.File // by policy
	jobs       *csv.Writer
	deadlines  deadlines // of the jobs
	cpuprofile *os.File
}

// openOutputs creates the files. None may be the trace, or another of them.
func openOutputs(o *options, chosen []contender, d deadlines) (*outputs, error) {
	out := &outputs{records: make(map[string]*os.File), deadlines: d}
	names := make(map[string]bool)
	create := func(name string) (*os.File, error) {
		if info, err := os.Stat(name); err == nil && o.Trace != "" {
			if trace, err := os.Stat(o.Trace); err == nil && os.SameFile(info, trace) {
				return nil, cli.Usagef("%s is the trace, want another file to write to", name)
			}
		}
		if names[filepath.Clean(name)] {
			return nil, cli.Usagef("%s would be written twice, want different files", name)
		}
		names[filepath.Clean(name)] = true
		f, err := os.Create(name)
		if err != nil {
			return nil, cli.Usage(err)
		}
		out.files = append(out.files, f)
		return f, nil
	}
	if err := out.open(o, chosen, create); err != nil {
		return nil, errors.Join(err, out.close())
	}
	return out, nil
}

func (out *outputs) open(o *options, chosen []contender, create func(string) (*os.File, error)) (err error) {
	if o.record != "" {
		for _, p := range chosen {
			name := o.record
			if ext := filepath.Ext(name); len(chosen) > 1 {
				name = strings.TrimSuffix(name, ext) + "." + p.name + ext
			}
			if out.records[p.name], err = create(name); err != nil {
				return err
			}
		}
	}
	if o.jobsCSV != "" {
		f, err := create(o.jobsCSV)
		if err != nil {
			return err
		}
		out.jobs = csv.NewWriter(f)
		header := []string{
			"policy", "job", "outcome", "submitted_s", "first_start_s", "ended_s", "tasks", "ideal_s", "mean_task_s",
			"mean_wait_s", "service_s", "wasted_s", "preemptions", "copies", "deadline_s",
		}
		if out.deadlines.some {
			header = append(header, deadlineColumns...)
		}
		if err := out.jobs.Write(header); err != nil {
			return err
		}
	}
	if o.cpuprofile != "" {
		if out.cpuprofile, err = create(o.cpuprofile); err != nil {
			return err
		}
	}
	return nil
}

func (out *outputs) writeJobs(name string, r *sim.Result) error {
	seconds := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	for i := range r.Jobs {
		j := &r.Jobs[i]
		start, deadline := "", ""
		if j.Copies > 0 {
			start = seconds(j.FirstStart.Seconds())
		}
		if j.SLO != nil {
			deadline = seconds(j.SLO.Deadline.Seconds())
		}
		columns := []string{
			name, strconv.FormatUint(uint64(j.ID), 10), j.Outcome.String(), seconds(j.Submitted.Seconds()), start,
			seconds(j.Ended.Seconds()), strconv.Itoa(j.Tasks), seconds(j.Ideal.Seconds()), seconds(j.MeanTask.Seconds()),
			seconds(j.MeanWait.Seconds()), seconds(j.Service), seconds(j.Wasted), strconv.Itoa(j.Preemptions),
			strconv.Itoa(j.Copies), deadline,
		}
		if out.deadlines.some {
			columns = append(columns, out.deadlines.row(j)...)
		}
		if err := out.jobs.Write(columns); err != nil {
			return err
		}
	}
	return nil
}

func (out *outputs) close() error {
	var errs []error
	if out.jobs != nil {
		out.jobs.Flush()
		errs = append(errs, out.jobs.Error())
	}
	for _, f := range out.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// progress shows how far a run is, on a terminal.
type progress struct {
	w     *os.File // nil if stderr is no terminal
	name  string
	jobs  int
	begin time.Time
	last  time.Time
}

func newProgress(stderr io.Writer, name string, jobs int) *progress {
	p := &progress{name: name, jobs: jobs, begin: time.Now()}
	if f, ok := stderr.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.w = f
		}
	}
	return p
}

// show is called often, and writes four times a second, after the first second.
func (p *progress) show(at sim.Progress) {
	if p.w == nil {
		return
	}
	now := time.Now()
	if now.Sub(p.begin) < time.Second || now.Sub(p.last) < time.Second/4 {
		return
	}
	p.last = now
	fmt.Fprintf(p.w, "\r\033[K%s: %d %% of %s jobs ended, %s events", p.name, 100*at.Ended/p.jobs, thousands(int64(p.jobs)), thousands(at.Events))
}

func (p *progress) clear() {
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
