package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/experiment"
)

// goal is how far another policy may be below the index.
const goal = 0.02

// writeAll writes the results, in Markdown: summary, table of beds, bound, saves, and every policy.
func writeAll(w io.Writer, results []*result) {
	writeSummary(w, results)
	writeBeds(w, results)
	writeBound(w, results)
	writeSaves(w, results)
	var workloads, traces []*view
	for _, r := range results {
		if r.bed.trace == "" {
			workloads = append(workloads, r.main())
		} else {
			traces = append(traces, r.main())
		}
	}
	fmt.Fprint(w, "\n### Mean completion time over SRPT's, every policy\n")
	for _, views := range [][]*view{workloads, traces} {
		writePolicies(w, views, func(v *view, policy string) string {
			text := v.ratio(mean, policy, "srpt").Text(2)
			switch {
			case policy == "srpt":
				return "-"
			case text != "-" && slices.Contains(requesting, policy) && !v.other(policy):
				return text + " †"
			}
			return text
		})
	}
	for _, m := range []struct {
		title string
		of    metric
		scale float64
	}{{"Deadlines missed (%)", missed, 100}, {"Value attained (%)", attained, 1}} {
		some := slices.DeleteFunc(slices.Clone(workloads), func(v *view) bool { x, _ := v.pairs(m.of, "index", "index"); return x == nil })
		if len(some) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n### %s, every policy\n\nIn brackets the difference from the index, in points.\n", m.title)
		writePolicies(w, some, func(v *view, policy string) string {
			x, y := v.pairs(m.of, policy, "index")
			if x == nil {
				return "-"
			}
			differences := make([]float64, len(x))
			for i := range x {
				x[i] *= m.scale
				differences[i] = x[i] - m.scale*y[i]
			}
			level, difference := experiment.MeanInterval(x).Mean, experiment.MeanInterval(differences)
			if policy == "index" {
				return fmt.Sprintf("%.1f", level)
			}
			return fmt.Sprintf("%.1f (%+.1f ± %s)", level, difference.Mean, cli.Fixed(cli.Some(difference.High-difference.Mean), 1))
		})
	}
}

// writeSummary writes the main results in words.
func writeSummary(w io.Writer, results []*result) {
	var with, without []float64
	var below, unfair []string
	settings := 0
	for _, r := range results {
		v := r.main()
		for _, x := range []struct {
			policy string
			to     *[]float64
		}{{"index", &with}, {"index/none", &without}} {
			if p := v.ratio(mean, x.policy, "srpt"); p != nil {
				*x.to = append(*x.to, p.Ratio)
			}
		}
		for _, v := range r.loads() {
			settings++
			if best := v.rank(mean); len(best) > 0 {
				if p := v.ratio(mean, best[0].policy, "index"); p != nil && p.Ratio < 1-goal && (p.High == nil || *p.High < 1) {
					below = append(below, fmt.Sprintf("%s (%s)", v.title, best[0].policy))
				}
			}
			if p := v.ratio(mean, "index", "fair"); p != nil && p.Ratio > 1 && (p.Low == nil || *p.Low > 1) {
				unfair = append(unfair, fmt.Sprintf("%s (%.1f %%)", v.title, 100*(p.Ratio-1)))
			}
		}
	}
	seeds, copies := "1", "1"
	for _, r := range results {
		if r.bed.trace == "" {
			seeds = strings.Join(flagged(r.Args, "-seeds"), ",")
		} else {
			copies = flagged(r.Args, "-thin")[0]
		}
	}
	fmt.Fprintf(w, `Ratios are to SRPT, which knows the true runtimes. For a workload they are geometric means over the seeds %s at one load,
seed by seed, with 95 %% intervals; for a trace over %s copies, each without a tenth of the jobs. Such copies share most of their jobs, so
their intervals hold for that log, and not for another log of the same cluster.
index/none has no history. If jobs have gangs or wide tasks, the index has EASY, and "index alone" has not. On
facebook-barriers all policies start copies by GRASS, also SRPT; on mixed the index and the policies with grass in their name do. On the lake
the index has Wing-MIL's values. A job there fails if its input comes too late. Different jobs fail under each policy, so
completion times cannot be compared, and only the attained value counts. The others are the policies of compare that do not know the runtimes, without index-preempt. Policies with † use requested times. If
jobs request none, the requests are made from the true runtimes, so these policies do not count among the others.

`, seeds, copies)
	median := func(x []float64) float64 {
		if len(x) == 0 {
			return math.NaN()
		}
		slices.Sort(x)
		return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
	}
	fmt.Fprintf(w, "- A bed is a workload or a trace. The median over %d beds of the index's mean completion time over SRPT's is %.2f, and without history %.2f.\n",
		len(with), median(with), median(without))
	list := func(of []string) string {
		if len(of) == 0 {
			return "none"
		}
		return fmt.Sprintf("%d: %s", len(of), strings.Join(of, ", "))
	}
	fmt.Fprintf(w, "- There are %d pairs of a bed and a load. The best other policy has a mean more than %.0f %% below the index's, with the whole interval below, on %s.\n",
		settings, 100*goal, list(below))
	fmt.Fprintf(w, "- The index's mean is above that of fair, with its whole interval, on %s.\n", list(unfair))
}

// bedsHeading stands above the table from which the figure is drawn.
const bedsHeading = "### Each bed"

// writeBeds writes the one table: a row for each bed.
func writeBeds(w io.Writer, results []*result) {
	fmt.Fprint(w, "\n"+bedsHeading+`

Ratios of mean completion times, unless a column says otherwise. The gap is the distance of the best of the others below the index;
if it is negative, the index is better. The last two columns have the index over the best of the others.

| bed and load | index | index/none | best other | gap (%) | fair | worst other | index: mean slowdown | P99 | largest slowdown | P99 over the best | largest slowdown over the best |
|---|---|---|---|---|---|---|---|---|---|---|---|
`)
	for _, r := range results {
		v := r.main()
		cells := []string{v.title, v.ratio(mean, "index", "srpt").Text(2), v.ratio(mean, "index/none", "srpt").Text(2)}
		best, gap, worst := "-", "-", "-"
		if ranked := v.rank(mean); len(ranked) > 0 {
			first, last := ranked[0], ranked[len(ranked)-1]
			best, worst = first.policy+" "+first.Text(2), fmt.Sprintf("%s %.2f", last.policy, last.Ratio)
			if p := v.ratio(mean, first.policy, "index"); p != nil {
				gap = fmt.Sprintf("%.1f", 100*(1-p.Ratio))
				if p.Low != nil {
					gap = fmt.Sprintf("%s [%.1f %.1f]", gap, 100*(1-*p.High), 100*(1-*p.Low))
				}
			}
		}
		cells = append(cells, best, gap, v.ratio(mean, "fair", "srpt").Text(2), worst)
		for _, of := range []metric{slowdown, p99, largest} {
			cells = append(cells, v.ratio(of, "index", "srpt").Text(2))
		}
		for _, of := range []metric{p99, largest} {
			text := "-"
			if ranked := v.rank(of); len(ranked) > 0 {
				text = fmt.Sprintf("%s (%s)", v.ratio(of, "index", ranked[0].policy).Text(2), ranked[0].policy)
			}
			cells = append(cells, text)
		}
		writeRow(w, cells)
	}
}

// writeBound writes mean completion times over their lower bound.
func writeBound(w io.Writer, results []*result) {
	columns := []string{"srpt", "clairvoyant", "", "index alone", "index"}
	header := []string{"bed and load", "SRPT", "clairvoyant", "best other", "index alone", "index"}
	for _, reload := range reloads {
		columns = append(columns, preempt+reload)
		header = append(header, preempt+reload)
	}
	fmt.Fprintf(w, `
### Over the bound

Mean completion time over its lower bound for schedules without second copies (workload.MeanBound). For gangs SRPT is neither a
bound nor a good rival: clairvoyant is the best, on each trace, of three lines that know the runtimes and stop nothing.
%sstands for index-preempt, if each job can be saved and reloads for this time when it continues.

`, preempt)
	writeRow(w, header)
	fmt.Fprintln(w, strings.Repeat("|---", len(header))+"|")
	for _, r := range results {
		v := r.main()
		if v.toBound("srpt") == nil || v.ratio(mean, "index", "srpt") == nil {
			continue
		}
		cells := []string{v.title}
		for _, policy := range columns {
			name := ""
			if policy == "" {
				if ranked := v.rank(mean); len(ranked) > 0 {
					policy = ranked[0].policy
					name = policy + " "
				}
			}
			if policy == "index alone" && !slices.Contains(v.names, policy) {
				policy = "index" // is alone
			}
			cells = append(cells, name+v.toBound(policy).Text(2))
		}
		writeRow(w, cells)
	}
}

// writeSaves writes the gain and the cost of stopping jobs that can be saved.
func writeSaves(w io.Writer, results []*result) {
	fmt.Fprint(w, `
### Where jobs can be saved

Means over the copies. Reloading is in percent of the time that copies worked.

| bed and load | policy | mean, s | mean and largest bounded slowdown | P99, s | stops per job, and most of a job | reloading (%) |
|---|---|---|---|---|---|---|
`)
	for _, r := range results {
		if !r.bed.saves {
			continue
		}
		v := r.main()
		policies := []string{"clairvoyant", "index"}
		for _, reload := range reloads {
			policies = append(policies, preempt+reload)
		}
		for _, policy := range policies {
			m := func(of metric, decimals int) string {
				x, _ := v.pairs(of, policy, policy)
				return cli.Fixed(cli.Some(experiment.MeanInterval(x).Mean), decimals)
			}
			cells := []string{v.title, policy, m(mean, 0), m(slowdown, 1) + ", " + m(largest, 0), m(p99, 0), "", ""}
			if strings.HasPrefix(policy, preempt) {
				var stops, reloading []float64
				most := 0.0
				i := slices.Index(v.names, policy)
				for _, o := range v.runs {
					row := &o.Policies[i]
					stops, reloading, most = append(stops, row.Stops/o.Jobs), append(reloading, 100*row.Reloading), max(most, row.MostStops)
				}
				cells[5] = fmt.Sprintf("%.2f, %.0f", experiment.MeanInterval(stops).Mean, most)
				cells[6] = fmt.Sprintf("%.1f", experiment.MeanInterval(reloading).Mean)
			}
			writeRow(w, cells)
		}
	}
}

// writePolicies writes a table with a row for each policy of some beds.
func writePolicies(w io.Writer, views []*view, cell func(v *view, policy string) string) {
	if len(views) == 0 {
		return
	}
	header, policies := []string{"policy"}, []string(nil)
	for _, v := range views {
		header = append(header, v.title)
		for _, p := range v.names {
			if !slices.Contains(policies, p) {
				policies = append(policies, p)
			}
		}
	}
	fmt.Fprintln(w)
	writeRow(w, header)
	fmt.Fprintln(w, strings.Repeat("|---", len(header))+"|")
	for _, p := range policies {
		cells := []string{p}
		for _, v := range views {
			cells = append(cells, cell(v, p))
		}
		if slices.ContainsFunc(cells[1:], func(text string) bool { return text != "-" }) {
			writeRow(w, cells)
		}
	}
}

func writeRow(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
