package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/threesigma"
)

func (e *experiment) print(w io.Writer, o *outcome) error {
	fmt.Fprintf(w, "%s: %s under %s on %s of %s, seed %d\n", e.Name, cli.Count(len(e.List), "job"), e.policy.name, cli.Count(len(e.cluster), "node"), cli.Count(e.Cores, "core"), e.seed)
	for _, note := range append(e.Jobs.Notes(), e.ClusterFlags.Notes()...) {
		fmt.Fprintln(w, note)
	}
	if e.requested > 0 && e.policy.name == "easy" {
		fmt.Fprintf(w, "%d jobs request no time and count as requesting %d times their runtime\n", e.requested, cli.RequestFactor)
	}
	if len(o.told) == 0 {
		_, err := fmt.Fprintln(w, "no answers: "+e.unanswered(o))
		return err
	}
	table := cli.NewTable(w)
	if e.show > 0 {
		fmt.Fprintln(w, "\nwait and completion since submission, in seconds, corrected by earlier answers")
		table.Row("job\trunning\twaiting\twait P50\tP80\tP90\ttrue\tend P50\tP80\tP90\ttrue")
	}
	for _, a := range o.told[:min(e.show, len(o.told))] {
		since := func(x policy.Time) float64 { return x.Sub(a.At).Seconds() }
		fmt.Fprintf(table, "%s\t%d\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t\n", a.name, a.Running, a.Waiting,
			since(a.Start[0]), since(a.Start[1]), since(a.Start[2]), since(a.start),
			since(a.End[0]), since(a.End[1]), since(a.End[2]), since(a.end))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d of %d jobs waited, and %d of them were asked about, in %s futures each", e.waited, len(e.List), len(o.told), o.futures())
	if o.unknown > 0 {
		fmt.Fprintf(w, "; %d others, or a job beside them, had no known distribution", o.unknown)
	}
	fmt.Fprintln(w, "\n  share of true values up to the quantile, ± the standard error of independent questions;\n  in brackets the share before it")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name string, of func(level int) any) {
		fmt.Fprint(t, "  ", name)
		for i := range levels {
			fmt.Fprint(t, "\t", of(i))
		}
		fmt.Fprintln(t)
	}
	row("", func(i int) any { return fmt.Sprintf("P%.0f", 100*levels[i]) })
	for _, a := range answerKinds {
		row(a.name, func(i int) any { return o.cover(a, i, len(o.told)) })
		if a.corrected && len(o.told) > early {
			row(fmt.Sprint("  the first ", early), func(i int) any { return o.cover(a, i, early) })
		}
	}
	row("runtime", func(i int) any { return coverRuntimes(o.told, levels[i], own) })
	if coverRuntimes(o.told, 0.5, beside).of > 0 {
		row("of running jobs", func(i int) any { return coverRuntimes(o.told, levels[i], beside) })
	}
	fmt.Fprintln(t, "  median of the quantiles, seconds after submission")
	for _, a := range answerKinds {
		row(a.name, func(i int) any { return fmt.Sprintf("%.0f", o.median(a, i)) })
	}
	return t.Flush()
}

// unanswered says why there are no answers, and what to do about it.
func (e *experiment) unanswered(o *outcome) string {
	switch {
	case len(e.List) == 1:
		return "a single job waits for nobody; give more jobs"
	case e.waited == 0:
		return fmt.Sprintf("no job waited on %s of %s; choose fewer by -nodes, or a higher -load", cli.Count(len(e.cluster), "node"), cli.Count(e.Cores, "core"))
	case o.unknown > 0:
		return fmt.Sprintf("while a job was asked about, no runtime was known of it or of a job beside it: %d; list other -features, or * after them for what all jobs share", o.unknown)
	}
	return fmt.Sprintf("those that waited, %d of %d jobs, are among the first tenth, from which the predictor learns; give more jobs, or a higher -load", e.waited, len(e.List))
}

// A kind of answer is what is said of the start or the end of a job.
type kind struct {
	name      string
	corrected bool
	of        func(*told) (Bounds, policy.Time) // beside what came true
}

var answerKinds = []kind{
	{"start", false, func(t *told) (Bounds, policy.Time) { return bounds(t.Starts), t.start }},
	{"start, corrected", true, func(t *told) (Bounds, policy.Time) { return t.Start, t.start }},
	{"end", false, func(t *told) (Bounds, policy.Time) { return bounds(t.Ends), t.end }},
	{"end, corrected", true, func(t *told) (Bounds, policy.Time) { return t.End, t.end }},
}

// early is how many answers have a row of their own: those from which the trackers learn first.
const early = 100

// cover counts how often the truth came by the quantile of a level, in the first n answers.
func (o *outcome) cover(a kind, level, n int) (c coverage) {
	for i := range n {
		b, truth := a.of(&o.told[i])
		c.count(cmp.Compare(truth, b[level]))
	}
	return c
}

// median returns the median of how long after submission the quantiles of a level are, in seconds.
func (o *outcome) median(a kind, level int) float64 {
	var list []policy.Time
	for i := range o.told {
		b, _ := a.of(&o.told[i])
		list = append(list, policy.Time(b[level].Sub(o.told[i].At)))
	}
	slices.Sort(list)
	return Quantile(list, 0.5).Seconds()
}

// futures says how many there were for each answer.
func (o *outcome) futures() string {
	least, most := math.MaxInt, 0
	for i := range o.told {
		n := len(o.told[i].Starts)
		least, most = min(least, n), max(most, n)
	}
	if least == most {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

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
