package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
)

// tables are those of one run of each policy.
type tables struct {
	*experiment.Report
	classes   classes
	deadlines deadlines
	faults    sim.Faults
	lake      bool // it is known what the jobs attain
}

// writeTables prints what came out of one run of each policy: eight columns, or all, and what flags have asked for besides.
func (x *comparison) writeTables(w io.Writer, result *experiment.Result) error {
	faults, err := parseFaults(x.faults, x.seed)
	if err != nil {
		return err
	}
	r := &tables{result.Runs[0], x.in.classes, judge(x.in.List), faults, x.in.lake != nil && !x.in.unvalued}
	if err := result.WriteHead(w); err != nil {
		return err
	}
	write := result.WriteLoads
	if x.wide {
		write = r.writeAll
	}
	if err := write(w); err != nil {
		return err
	}
	for _, section := range []struct {
		some  bool
		write func(io.Writer) error
	}{
		{r.classes.cutoff > 0, r.writeClasses}, {r.deadlines.some, r.writeDeadlines}, {r.Policies[0].InUse != nil, r.writeInUse}, {len(r.Policies[0].Faults) > 0, r.writeFaults},
		{slices.ContainsFunc(r.Policies, func(p experiment.Row) bool { return p.Stops > 0 }), r.writeStops}, {x.wide && len(r.Policies) > 1, r.writeRatios},
		{x.wide, r.writeWaits},
	} {
		if section.some {
			if err := section.write(w); err != nil {
				return err
			}
			fmt.Fprintln(w)
		}
	}
	return result.WriteVerdict(w)
}

// writeAll prints the columns that are about the completion of jobs and about the cluster.
func (r *tables) writeAll(w io.Writer) error {
	header, units := "done\tfailed\tmean JCT\tP50\tP90\tP99\tslowdown\tbounded\tutilization\tgoodput\tmakespan\tmissed", "\t\t\ts\ts\ts\ts\tmean\tmean\t%\t%\th\t%"
	if r.lake {
		header, units = header+"\tvalue", units+"\t%"
	}
	if err := r.rows(w, header+"\tevents/s\t\n"+units+"\t", func(p *experiment.Row) []string {
		cells := []string{
			cli.Thousands(p.Done), cli.Thousands(p.Failed), cli.Fixed(p.MeanJCT, 1), cli.Fixed(p.P50JCT, 1), cli.Fixed(p.P90JCT, 1), cli.Fixed(p.P99JCT, 1),
			cli.Fixed(p.MeanSlowdown, 2), cli.Fixed(p.MeanBounded, 2), cli.Percent(p.Utilization), cli.Percent(p.Goodput), cli.Fixed(new(p.Makespan/3600), 2),
			cli.Percent(p.MissRate),
		}
		if r.lake {
			cells = append(cells, cli.Fixed(p.Attained, 1))
		}
		if p.EventsPerS == nil {
			return append(cells, "-")
		}
		return append(cells, cli.Thousands(int64(*p.EventsPerS)))
	}); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writeWide prints all columns of several runs.
func writeWide(w io.Writer, r *experiment.Result) error {
	if err := r.WriteHead(w); err != nil {
		return err
	}
	for i := range r.Loads {
		l := &r.Loads[i]
		fmt.Fprintf(w, "%s\n\n", r.Caption(l))
		t := cli.NewTable(w)
		t.Row("policy", "mean JCT\tto bound\tP99\tslowdown\tmissed\tvalue\tmean JCT\tP99\tbounded slowdown\tlargest of these\tfaster\tslower\t\n\ts\tmean\ts\tmean\t%\t%\tratio\tratio\tratio\tratio\t%\t%\t")
		for _, a := range l.Policies {
			t.Row(a.Policy, cli.Fixed(a.MeanJCT, 1), cli.Fixed(a.ToBound, 3), cli.Fixed(a.P99JCT, 1), cli.Fixed(a.MeanSlowdown, 2), cli.Percent(a.MissRate), cli.Fixed(a.Attained, 1),
				a.JCTRatio.Short(3), a.P99Ratio.Short(3), a.BoundedRatio.Short(3), a.MaxRatio.Short(3), cli.Percent(a.Faster), cli.Percent(a.Slower))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return r.WriteVerdict(w)
}

// rows writes a table with a row for each policy.
func (r *tables) rows(w io.Writer, header string, cells func(*experiment.Row) []string) error {
	t := cli.NewTable(w)
	t.Row("policy", header)
	for i := range r.Policies {
		p := &r.Policies[i]
		t.Row(append([]string{p.Policy}, cells(p)...)...)
	}
	return t.Flush()
}

// writeClasses prints the completion times of short jobs and of long ones.
func (r *tables) writeClasses(w io.Writer) error {
	fmt.Fprintf(w, "short jobs, and long jobs, with a mean task runtime of %v or more and %.1f %% of the work\n\n",
		r.classes.cutoff.Round(time.Millisecond), 100*r.classes.share)
	return r.rows(w, "short\tP50\tP90\tP99\tlong\tP50\tP90\tP99", func(p *experiment.Row) []string {
		c := p.ByClass
		return []string{
			cli.Thousands(c.ShortJobs), cli.Fixed(c.ShortP50, 1), cli.Fixed(c.ShortP90, 1), cli.Fixed(c.ShortP99, 1),
			cli.Thousands(c.LongJobs), cli.Fixed(c.LongP50, 1), cli.Fixed(c.LongP90, 1), cli.Fixed(c.LongP99, 1),
		}
	})
}

// writeDeadlines prints what became of SLO jobs and of best-effort jobs.
func (r *tables) writeDeadlines(w io.Writer) error {
	fmt.Fprintf(w, "jobs with deadlines, and best-effort jobs; value of the deadlines met; goodput: core-hours of jobs done, late or not, at the\nlast submission, after %v; wasted core-hours of the whole run\n\n",
		r.deadlines.last.Sub(r.deadlines.first).Round(time.Second))
	return r.rows(w, "SLO\tdone\tmissed %\tvalue\tgoodput\tbest effort\tdone\tmean JCT\tgoodput\twasted", func(p *experiment.Row) []string {
		return []string{
			cli.Thousands(p.SLOJobs), cli.Thousands(p.SLODone), cli.Percent(p.MissRate), cli.Fixed(p.Value, 1), cli.Fixed(&p.SLOGoodput, 1),
			cli.Thousands(p.BestEffortJobs), cli.Thousands(p.BestEffortDone), cli.Fixed(p.BestEffortLatency, 1), cli.Fixed(&p.BestEffortGoodput, 1),
			cli.Fixed(new(p.Wasted/3600), 1),
		}
	})
}

// writeInUse prints how much of what nodes offer was in use.
func (r *tables) writeInUse(w io.Writer) error {
	fmt.Fprint(w, "mean use of named resources from the first submission to the last\n\n")
	names := slices.Sorted(maps.Keys(r.Policies[0].InUse))
	return r.rows(w, strings.Join(names, " %\t")+" %", func(p *experiment.Row) (cells []string) {
		for _, name := range names {
			cells = append(cells, cli.Percent(new(p.InUse[name])))
		}
		return cells
	})
}

// writeFaults prints how often what -faults plans has happened.
func (r *tables) writeFaults(w io.Writer) error {
	fmt.Fprint(w, "number of faults\n\n")
	var keys []string
	for _, f := range faultCounts {
		if f.chance(&r.faults) {
			keys = append(keys, f.key)
		}
	}
	return r.rows(w, strings.ReplaceAll(strings.Join(keys, "\t"), "_", " "), func(p *experiment.Row) (cells []string) {
		for _, key := range keys {
			cells = append(cells, cli.Thousands(p.Faults[key]))
		}
		return cells
	})
}

// writeStops prints how often copies were saved and stopped, and what it cost.
func (r *tables) writeStops(w io.Writer) error {
	fmt.Fprint(w, "copies saved and stopped, per job and at most; time of reloads per time that copies worked\n\n")
	return r.rows(w, "stops\ta job\tmost\treloading %", func(p *experiment.Row) []string {
		return []string{cli.Thousands(p.Stops), cli.Fixed(new(float64(p.Stops)/float64(r.Jobs)), 2), cli.Thousands(p.MostStops), cli.Fixed(new(100*p.Reloading), 2)}
	})
}

// writeWaits prints how long jobs wait, and how unlike their slowdowns are.
func (r *tables) writeWaits(w io.Writer) error {
	fmt.Fprintf(w, "time from submission to the first start; largest slowdown and bounded slowdown (%v), and Jain's index of bounded slowdowns: 1 if all are\nequal; finish-time fairness, above 1 for jobs that would have ended sooner in a share of their own\n\n", sim.SlowdownBound)
	return r.rows(w, "mean wait\tP50\tP90\tP99\tlargest\tslowdown\tbounded\tfairness\tfinish-time\tabove 1\tsuspended\t\n\ts\ts\ts\ts\ts\tlargest\tlargest\tJain\tlargest\t%\ttimes\t", func(p *experiment.Row) []string {
		return []string{
			cli.Fixed(p.MeanWait, 1), cli.Fixed(p.P50Wait, 1), cli.Fixed(p.P90Wait, 1), cli.Fixed(p.P99Wait, 1), cli.Fixed(p.MaxWait, 1),
			cli.Fixed(p.MaxSlowdown, 2), cli.Fixed(p.MaxBounded, 2), cli.Fixed(p.Fairness, 3), cli.Fixed(p.MaxRho, 2), cli.Percent(p.Unfair), cli.Thousands(p.Preemptions),
		}
	})
}

// writeRatios prints how the policies do beside the first.
func (r *tables) writeRatios(w io.Writer) error {
	fmt.Fprintf(w, "ratios to %s; median and 90th percentile of each job's own JCT ratio; faster jobs, and slower ones", r.Policies[0].Policy)
	if r.MeanBound != nil {
		fmt.Fprintf(w, ";\nand the mean JCT to %.1f s, a lower bound for schedules that start each task once", *r.MeanBound)
	}
	fmt.Fprint(w, "\n\n")
	return r.rows(w, "to bound\tmean JCT\tP50\tP90\tP99\tslowdown\tbounded\tmakespan\tjob P50\tjob P90\tfaster %\tslower %", func(p *experiment.Row) (cells []string) {
		of := &p.Ratios
		for _, x := range []*float64{of.Bound, of.MeanJCT, of.P50JCT, of.P90JCT, of.P99JCT, of.MeanSlowdown, of.MeanBounded, of.Makespan, of.JobP50, of.JobP90} {
			cells = append(cells, cli.Fixed(x, 3))
		}
		return append(cells, cli.Percent(of.Faster), cli.Percent(of.Slower))
	})
}
