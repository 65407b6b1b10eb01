package choose

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy/experiment"
)

// Write writes the advice as text, of at most 40 lines for the candidates of the rules.
func (a *Advice) Write(w io.Writer) error {
	var b strings.Builder
	t := &a.Traits
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	all := ""
	if math.Abs(a.Load-t.Load) > t.Load/10 {
		all = fmt.Sprintf(" (all jobs offer %.2f)", a.Load)
	}
	cores := "1 core"
	if t.Cores != 1 {
		cores = fmt.Sprintf("%d cores", t.Cores)
	}
	say("Based on: jobs %d to %d of %d, %d tasks, over %s; %s at load %.2f%s", a.Before+1, a.Before+t.Jobs, a.Given, t.Tasks, span(t.Span), cores, t.Load, all)
	if a.TooLarge > 0 {
		say("Left out, too large for the cluster or a node: %d jobs", a.TooLarge)
	}
	say("\nWhat the jobs are like")
	for _, line := range t.lines() {
		say("  %s", line)
	}
	say("\nWhich policy suits them")
	if a.Windows == 0 {
		how := "By rule alone"
		if a.Best == "" {
			how = "No rule applies, since the candidates were given"
		}
		say("  too few jobs to run: the part has %d, want %d. %s:", t.Jobs, a.Enough, how)
		for i := range a.Measured {
			say("  %s", strings.TrimSuffix(a.Measured[i].Name+": "+a.Measured[i].Why, ": "))
		}
	} else {
		say("  one run each, in %d windows of %d jobs, without the first and last jobs, when the cluster fills and empties", a.Windows, a.Size)
		say("  mean completion times, and ratios window by window: geometric means with 95 %% intervals")
		if a.Size < tailJobs {
			say("  no P99: in windows of fewer than %d jobs it would be the largest completion time", tailJobs)
		}
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  policy\tmean, s\tto fifo's\tto the advised\tP99 to fifo's\twhy it was tried")
		for i := range a.Measured {
			m := &a.Measured[i]
			fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\t%s\n", m.Name, number(m.JCT.Mean), ratio(m.ToFIFO), ratio(m.ToBest), ratio(m.P99), m.Why)
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	for _, line := range a.verdict() {
		say("  %s", line)
	}
	lines := []string{a.Settings.queues(), "nodes that suspend tasks (kairos.NodeConfig): Quantum " + span(a.Settings.Quantum), a.Settings.reports(), teach}
	where := ", if a policy has the setting"
	if i := slices.IndexFunc(a.Measured, func(m Measured) bool { return m.Name == a.Best }); i >= 0 && a.Measured[i].Made != "" {
		say("  made by %s", a.Measured[i].Made)
		lines, where = a.Measured[i].Set, ""
	}
	say("\nWhat to set%s", where)
	for _, line := range lines {
		if line == teach && where == "" && a.Windows > 0 {
			line += "; here it began empty"
		}
		say("  %s", line)
	}
	if len(lines) == 0 {
		say("  nothing")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lines returns the traits and what they mean, a line for each subject.
func (t *Traits) lines() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	percent := func(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }
	aging := "at most %.3g times the mean work: if nothing tells short jobs from long ones, FIFO is best"
	if t.Residual > 1 {
		aging = "up to %.3g times the mean work: a policy that prefers jobs of little service can beat FIFO"
	}
	say("sizes: the largest 1 %% of the jobs hold %s of the work, coefficient of variation %.3g (1 if exponential)", percent(t.Top), t.CV)
	say("aging: started jobs have left, on average, "+aging, t.Residual)
	say("tasks run %s in the median, and %.3g times as long at the 99th percentile", span(t.MedianTask), t.Tail)
	if t.Programs > 0 {
		say("recurrence: %s of the jobs have the user and program of an earlier job", percent(t.Recurring))
	} else {
		say("recurrence: unknown, since no job has a program or a name")
	}
	tell := "history predicts few runtimes, but may still order them"
	if t.Predictable() {
		tell = "history predicts runtimes"
	}
	say("predictability: %s within a factor of 2, median error %s, rank correlation %.2f; %s", percent(t.WithinTwo), percent(t.Error), t.Rank, tell)
	widths := "backfilling is not needed"
	if t.Fill() {
		widths = "backfilling matters"
	}
	say("widths: %s of the jobs are gangs; %s of the work is wider than a core; %s of the jobs have the most common shape; %s", percent(t.Gangs), percent(t.Multicore), percent(t.Alike), widths)
	sampling := "too few for a job to learn from its own tasks"
	if t.Many >= 0.5 {
		sampling = "a job's first tasks can predict the others"
	}
	say("tasks: %.3g a job, %s of the work in stages of 10 or more; %s", float64(t.Tasks)/float64(max(1, t.Jobs)), percent(t.Many), sampling)
	switch {
	case t.Lucky > 0:
		say("copies: the slowest task of a stage takes %.3g times the median one, and in %s of the jobs a copy may be faster", t.Spread, percent(t.Lucky))
	case t.Spread > 0:
		say("copies: the slowest task of a stage takes %.3g times the median one; whether a copy would be faster is not recorded", t.Spread)
	}
	if t.Saves > 0 {
		say("saving: %s of the jobs can be saved and continue later", percent(t.Saves))
	} else {
		say("saving: no job is marked as savable; if long jobs can be saved, index-preempt may gain much: try compare -saves reload=60s -advise")
	}
	if t.Stages+t.Inputs > 0 {
		say("dependencies: %s of the jobs have several stages, %s read other jobs' output", percent(t.Stages), percent(t.Inputs))
	}
	if t.Inputs > 0 {
		say("jobs depend on jobs, so more than the mean counts: see policy/wing, which was not tried")
	}
	if t.Deadlines > 0 {
		say("deadlines: %s of the jobs have one; if a missed deadline costs more than waiting, see policy/threesigma, which was not tried", percent(t.Deadlines))
	}
	if t.Load < 0.5 {
		say("load is low: unless jobs come in bursts, few wait and no policy gains much")
	}
	return lines
}

// verdict returns the advised policy, its gain, and the policies that do as well.
func (a *Advice) verdict() (lines []string) {
	if a.Windows == 0 {
		return []string{"advised: " + cmp.Or(a.Best, "none")}
	}
	var best, second *Measured // second is the best of the others that any host can run
	var equal []string
	for i := range a.Measured {
		m := &a.Measured[i]
		switch {
		case m.Name == a.Best:
			best = m
			continue
		case asks[m.Name] != "":
		case second == nil || m.ToFIFO.Mean < second.ToFIFO.Mean:
			second = m
		}
		if m.Equal() {
			equal = append(equal, m.Name)
		}
	}
	lines = append(lines, fmt.Sprintf("advised: %s, with a mean completion time %s times fifo's", a.Best, ratio(best.ToFIFO)))
	switch {
	case a.Best == "fifo" || best.ToFIFO.High < 1:
	case best.ToFIFO.Low == best.ToFIFO.High:
		lines = append(lines, "it is no better than fifo here")
	default:
		lines = append(lines, fmt.Sprintf("these jobs do not show whether it beats fifo: the interval is %.2f to %.2f; use more jobs, or compare the two over seeds", best.ToFIFO.Low, best.ToFIFO.High))
	}
	if first := &a.Measured[0]; first != best {
		lines = append(lines, fmt.Sprintf("the first candidate, %s, has a mean %s times that", first.Name, ratio(first.ToBest)))
	}
	if best.P99.Low > 1 {
		lines = append(lines, fmt.Sprintf("it makes the longest waits longer: P99 is %s times fifo's", ratio(best.P99)))
	}
	if without := asks[best.Name]; without != "" && second != nil {
		lines = append(lines, fmt.Sprintf("if %s: %s, with a mean %s times that", without, second.Name, ratio(second.ToBest)))
	}
	if len(equal) > 0 {
		lines = append(lines, "cannot be told from it here: "+strings.Join(equal, ", "))
	}
	return lines
}

// asks names what hosts lack that cannot run a policy of the rules.
var asks = map[string]string{
	"index-preempt":   "jobs cannot be saved",
	"index@adaptive":  "nodes cannot suspend tasks",
	"kairos-adaptive": "nodes cannot suspend tasks",
}

// ratio formats a ratio and its interval, "-" for none.
func ratio(x experiment.Interval) string {
	if x == (experiment.Interval{}) {
		return "-"
	}
	return x.String()
}

// number formats a number with four digits, or more if it is a large one.
func number(x float64) string {
	if math.Abs(x) >= 9999.5 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// span formats a number of seconds in the largest unit of which there are at least two.
func span(seconds float64) string {
	for _, u := range []struct {
		name string
		unit float64
	}{{"days", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}, {"ms", 1e-3}} {
		if seconds >= 2*u.unit {
			return fmt.Sprintf("%.4g %s", seconds/u.unit, u.name)
		}
	}
	return saturate.To[time.Duration](seconds * 1e9).String()
}
