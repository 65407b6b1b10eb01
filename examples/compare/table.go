package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/augur/examples/internal/cli"
)

func (r *report) writeTable(w io.Writer) error {
	memory := ""
	if r.Memory > 0 {
		memory = fmt.Sprintf(" and %.1f GiB a node", float64(r.Memory)/(1<<30))
	}
	fmt.Fprintf(w, "%s: %s jobs, %s tasks, on %s nodes with %s cores%s; load %s over %s\n\n", r.Workload,
		cli.Thousands(int64(r.Jobs)), cli.Thousands(int64(r.Tasks)), cli.Thousands(int64(r.Nodes)), cli.Thousands(int64(r.Cores)), memory,
		cli.Fixed(r.Load, 2), time.Duration(r.LoadSpan*1e9).Round(time.Second))
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
	for i := range r.Policies {
		p := &r.Policies[i]
		perS := "-"
		if p.EventsPerS != nil {
			perS = cli.Thousands(int64(*p.EventsPerS))
		}
		value := ""
		if r.lake != nil {
			value = cli.Fixed(p.Attained, 1) + "\t"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%s\t%s%s\t\n", p.Policy, cli.Thousands(int64(p.Done)), cli.Thousands(int64(p.Failed)),
			cli.Fixed(p.MeanJCT, 1), cli.Fixed(p.P50JCT, 1), cli.Fixed(p.P90JCT, 1), cli.Fixed(p.P99JCT, 1),
			cli.Fixed(p.MeanSlowdown, 2), cli.Fixed(p.MeanBounded, 2), cli.Percent(p.Utilization), cli.Percent(p.Goodput), p.Makespan/3600,
			cli.Percent(p.MissRate), value, perS)
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
	if len(r.Policies[0].Faults) > 0 {
		if err := r.writeFaults(w); err != nil {
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
			fmt.Fprintf(t, "%s\t", cli.Fixed(x, 3))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
