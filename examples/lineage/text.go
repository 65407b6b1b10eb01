package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/augur/examples/internal/cli"
)

// writeText prints all sections.
func (a *analysis) writeText(w io.Writer) error {
	out := a.output()
	for i, section := range []func(io.Writer, *output) error{
		a.textRead, a.textDependencies, a.textObservations, a.textValues, a.textPredictions, a.textAdvice,
	} {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := section(w, out); err != nil {
			return err
		}
	}
	return nil
}

func (a *analysis) textRead(w io.Writer, out *output) error {
	fmt.Fprintf(w, "%s: %s of %s in %s, %s; submitted in %s from %s\n", line(strings.Join(out.Files, ", ")), cli.Count(out.Jobs, "job"), cli.Count(out.Templates, "template"),
		cli.Count(a.log.Orgs.Len(), "organisation"), cli.Count(out.Operations, "operation"), days(a.end.Sub(a.start)), instant(a.start))
	fmt.Fprintf(w, "  %d are complete, %d failed, %d more failed for a missing input, %d have no known end\n",
		out.States["complete"], out.States["failed"], out.States["noinput"], out.States["running"])
	if out.LateOps+out.LateEnds > 0 {
		fmt.Fprintf(w, "  the last submission is the end: later %s and %s of jobs do not count\n", cli.Count(out.LateOps, "operation"), cli.Count(out.LateEnds, "end"))
	}
	for _, why := range out.Dropped {
		fmt.Fprintf(w, "  left out: %s\n", why)
	}
	for _, note := range out.Notes {
		fmt.Fprintf(w, "  %s\n", note)
	}
	rule := ""
	if a.o.month == 0 && a.month < 30*day {
		rule = ", since the log is shorter than that many months of 30d"
	}
	fmt.Fprintf(w, "  recurring: submitted in each of %d months of %s in a row%s\n", out.Months, days(a.month), rule)
	switch out.Value {
	case "jobs":
		fmt.Fprint(w, "  value: each job counts 1")
		if a.o.value == "" {
			fmt.Fprint(w, ", since the log has no downloads")
		}
	default:
		fmt.Fprint(w, "  value: the number of downloads")
	}
	fmt.Fprintf(w, ", with dependents within %s\n", days(a.result.Config.Window))
	if out.Compute == "runtime" {
		fmt.Fprintln(w, "  compute time: from submission to end, since the log has none; 0 if the end is not known")
	}
	return nil
}

// title begins a section that lists so many of so many.
func (a *analysis) title(w io.Writer, name string, all int, order string) {
	fmt.Fprintf(w, "%s: %d", name, all)
	if all > a.o.top {
		fmt.Fprintf(w, ", of which the %d %s", a.o.top, order)
	}
	fmt.Fprintln(w)
}

func (a *analysis) textDependencies(w io.Writer, out *output) error {
	d := out.Dependencies
	fmt.Fprintf(w, "DEPENDENCIES: %d, of which %s recur, %s are hard, %s poll and %s go to another organisation\n", d.All,
		percent(d.Recurring, d.All), percent(d.Hard, d.All), percent(d.Polling, d.All), percent(d.Across, d.All))
	a.title(w, "pairs of templates", len(out.Pairs), "with the most")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(out.Pairs) > 0 {
		fmt.Fprintln(t, "  reads\tfrom\tdependencies\tread\thard")
	}
	for _, p := range first(out.Pairs, a.o.top) {
		fmt.Fprintf(t, "  %s\t%s\t%d\t%.0f %%\t%.0f %%\n", line(p.Down), line(p.Up), p.Dependencies, 100*p.Read, 100*p.Hard)
	}
	return t.Flush()
}

func (a *analysis) textObservations(w io.Writer, out *output) error {
	fmt.Fprintln(w, "OBSERVATIONS, and what the paper found [in brackets]")
	for _, x := range out.Observations {
		fmt.Fprintf(w, "%-58s %s", x.Title, x.share())
		if x.Paper != "" {
			fmt.Fprintf(w, " [%s %%]", x.Paper)
		}
		fmt.Fprintln(w)
		for _, example := range x.Examples {
			fmt.Fprintf(w, "    %s\n", line(example))
		}
	}
	return nil
}

func (a *analysis) textValues(w io.Writer, out *output) error {
	a.title(w, "VALUES of recurring templates, and of users' ad-hoc jobs (medians)", len(out.Values), "greatest")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(out.Values) > 0 {
		fmt.Fprintln(t, "  jobs of\tjobs\town\taggregate\tcompute\tper hour\tread\tby templates\tfirst after")
	}
	for _, v := range first(out.Values, a.o.top) {
		name, firstAfter := v.Template, "-"
		if name == "" {
			name = "user " + v.User
		}
		if v.First != nil {
			firstAfter = days(seconds(*v.First))
		}
		share := "-"
		if v.Read != nil {
			share = fmt.Sprintf("%.0f %%", 100**v.Read)
		}
		hours := v.Efficiency
		if hours != nil {
			hours = new(*hours * 3600)
		}
		fmt.Fprintf(t, "  %s\t%d\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", line(name), v.Jobs, number(v.Own), number(v.Aggregate), number(v.Compute), number(hours), share, v.Readers, firstAfter)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if !slices.ContainsFunc(out.Values, func(v valueRow) bool { return v.Aggregate != nil }) {
		fmt.Fprintf(w, "  no job is done %s before the last submission, so no aggregate value is complete\n", days(a.result.Config.Window))
	}
	return nil
}

func (a *analysis) textPredictions(w io.Writer, out *output) error {
	a.title(w, fmt.Sprintf("PREDICTIONS of readers, by the last %s, with a probability of at least %v", days(a.recent), a.o.threshold), len(out.Predictions), "most frequent")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(out.Predictions) > 0 {
		fmt.Fprintln(t, "  a job of\twill be read by\tprobability\tafter\tby")
	}
	for _, p := range first(out.Predictions, a.o.top) {
		fmt.Fprintf(t, "  %s\t%s\t%.2f\t%s\t%d jobs\n", line(p.Up), line(p.Down), p.Share, days(seconds(p.After)), p.Jobs)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	s := out.Tried
	if s.Predicted+s.Missed == 0 {
		_, err := fmt.Fprintf(w, "  nothing to predict for the last %s by the %[1]s before\n", days(a.recent))
		return err
	}
	fmt.Fprintf(w, "  tried on the last %s, by the %[1]s before: of %d predictions %d came true, and %d were missed: precision %.2f, recall %.2f\n",
		days(a.recent), s.Predicted, s.Came, s.Missed, s.Precision, s.Recall)
	if s.Came > 0 {
		fmt.Fprintf(w, "  error of the time: median %s, root mean square %s\n", days(seconds(s.MedianError)), days(seconds(s.RMSE)))
	}
	_, err := fmt.Fprintf(w, "  the best threshold of 0.1 to 1 is %v: precision %.2f, recall %.2f\n", out.Best.Threshold, out.Best.Precision, out.Best.Recall)
	return err
}

func (a *analysis) textAdvice(w io.Writer, out *output) error {
	to := ""
	if a.o.owner != "" {
		to = " to " + a.o.owner
	}
	fmt.Fprintf(w, "ADVICE%s: %d\n", to, len(out.Advice))
	if !a.priorities {
		fmt.Fprintln(w, "  none about priorities: all jobs have the same")
	}
	if out.Value == "jobs" {
		fmt.Fprintln(w, "  these values do not count people as readers: a job whose output no job reads may be worth more")
	}
	for _, kind := range kinds(out.Advice) {
		var list []adviceRow
		for _, x := range out.Advice {
			if x.Kind == kind {
				list = append(list, x)
			}
		}
		a.title(w, kind, len(list), "with the most at stake")
		for _, x := range first(list, a.o.top) {
			fmt.Fprintf(w, "  %s\n", line(x.Text))
		}
	}
	return nil
}

// kinds returns the kinds of advice in the order in which they come.
func kinds(list []adviceRow) (kinds []string) {
	for _, x := range list {
		if !slices.Contains(kinds, x.Kind) {
			kinds = append(kinds, x.Kind)
		}
	}
	return kinds
}

// line returns a text on one line and in one column.
func line(s string) string { return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(s) }

func seconds(s float64) time.Duration { return time.Duration(s * 1e9) }

// number writes a number; - if it is not known.
func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", *x)
}

func percent(n, of int) string {
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(max(1, of)))
}
