package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/threesigma"
)

func (e *experiment) print(w io.Writer, o *outcome) error {
	fmt.Fprintf(w, "%s: %d jobs under %s on %d nodes of %d cores, seed %d\n", e.Name, len(e.List), e.policy.name, len(e.cluster), e.Cores, e.seed)
	for _, note := range append(e.Jobs.Notes(), e.ClusterFlags.Notes()...) {
		fmt.Fprintln(w, note)
	}
	if e.requested > 0 && e.policy.name == "easy" {
		fmt.Fprintf(w, "%d jobs said no requested time and got %d times their runtime\n", e.requested, cli.RequestFactor)
	}
	if len(o.told) == 0 {
		_, err := fmt.Fprintln(w, "no job waited of which anything was known")
		return err
	}
	table := cli.NewTable(w)
	if e.show > 0 {
		fmt.Fprintln(w, "\nwait and completion since submission, in seconds")
		table.Row("job\trunning\twaiting\twait P50\tP90\ttrue\tend P50\tP90\ttrue")
	}
	for _, a := range o.told[:min(e.show, len(o.told))] {
		since := func(x policy.Time) float64 { return x.Sub(a.At).Seconds() }
		fmt.Fprintf(table, "%d\t%d\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t\n", a.Job, a.Running, a.Waiting,
			since(Quantile(a.Starts, 0.5)), since(Quantile(a.Starts, 0.9)), since(a.start),
			since(Quantile(a.Ends, 0.5)), since(Quantile(a.Ends, 0.9)), since(a.end))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d jobs that waited were asked about, in %d futures each", len(o.told), e.samples)
	if o.unknown > 0 {
		fmt.Fprintf(w, "; of %d others, or of a job beside them, nothing was known", o.unknown)
	}
	fmt.Fprintln(w, "\n  how often the truth came by the quantile, ± the standard error if the questions were independent;\n  in brackets how often before it, and not at the same instant")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tP50\tP90")
	fmt.Fprintf(t, "  start\t%v\t%v\n", cover(o.told, 0.5, starts), cover(o.told, 0.9, starts))
	fmt.Fprintf(t, "  end\t%v\t%v\n", cover(o.told, 0.5, ends), cover(o.told, 0.9, ends))
	fmt.Fprintf(t, "  runtime\t%v\t%v\n", coverRuntimes(o.told, 0.5, own), coverRuntimes(o.told, 0.9, own))
	if c := coverRuntimes(o.told, 0.5, beside); c.of > 0 {
		fmt.Fprintf(t, "  of running jobs\t%v\t%v\n", c, coverRuntimes(o.told, 0.9, beside))
	}
	return t.Flush()
}

func starts(t *told) ([]policy.Time, policy.Time) { return t.Starts, t.start }
func ends(t *told) ([]policy.Time, policy.Time)   { return t.Ends, t.end }

// A coverage is how often the truth came by a quantile, and how often before it.
type coverage struct{ by, before, of int }

// count notes how the truth compares with a quantile.
func (c *coverage) count(truth int) {
	if truth <= 0 {
		c.by++
	}
	if truth < 0 {
		c.before++
	}
	c.of++
}

// cover counts how often the truth came by the p-quantile of an answer.
func cover(list []told, p float64, of func(*told) ([]policy.Time, policy.Time)) (c coverage) {
	for i := range list {
		futures, truth := of(&list[i])
		c.count(cmp.Compare(truth, Quantile(futures, p)))
	}
	return c
}

// own is the runtime of the job itself, and beside those of the jobs that ran.
func own(t *told, each func(threesigma.Distribution, float64)) { each(t.Runtime, t.runtime) }

func beside(t *told, each func(threesigma.Distribution, float64)) {
	for i, b := range t.Beside {
		each(b.Runtime, t.beside[i])
	}
}

// coverRuntimes counts how often a runtime came by the quantile that its distribution has.
func coverRuntimes(list []told, p float64, of func(*told, func(threesigma.Distribution, float64))) (c coverage) {
	for i := range list {
		of(&list[i], func(d threesigma.Distribution, truth float64) {
			c.count(cmp.Compare(truth, d.Quantile(p)))
		})
	}
	return c
}

// String returns the shares in percent.
func (c coverage) String() string {
	n := float64(c.of)
	by := float64(c.by) / n
	return fmt.Sprintf("%.1f %% ± %.1f (%.1f %%)", 100*by, 100*math.Sqrt(by*(1-by)/n), 100*float64(c.before)/n)
}
