package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/sim"
)

// goal is how far another policy may be below the index.
const goal = 0.02

// writeAll writes what came out, in Markdown: what it comes to, the one table, the loads, and every policy.
func writeAll(w io.Writer, results []*result) {
	writeSummary(w, results)
	writeBeds(w, results)
	writeLoads(w, results)
	var workloads, traces []*view
	for _, r := range results {
		if r.bed.trace == "" {
			workloads = append(workloads, r.main())
		} else {
			traces = append(traces, r.main())
		}
	}
	for _, m := range []struct {
		title string
		of    metric
	}{{"Mean completion time", mean}, {"Mean slowdown", slowdown}, {"99th percentile of completion times", p99}, {"Largest slowdown", largest}} {
		fmt.Fprintf(w, "\n### %s over SRPT's, every policy\n", m.title)
		for _, views := range [][]*view{workloads, traces} {
			writePolicies(w, views, func(v *view, policy string) string {
				text := v.ratio(m.of, policy, "srpt").Text(2)
				switch {
				case policy == "srpt":
					return "-"
				case text != "-" && !v.other(policy) && !strings.HasPrefix(policy, "index"):
					return text + " †"
				}
				return text
			})
		}
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
			level, difference := sim.MeanInterval(x).Mean, sim.MeanInterval(differences)
			if policy == "index" {
				return fmt.Sprintf("%.1f", level)
			}
			return fmt.Sprintf("%.1f (%+.1f ± %s)", level, difference.Mean, cli.Fixed(cli.Some(difference.High-difference.Mean), 1))
		})
	}
}

// writeSummary says in words what it comes to.
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
				if p := v.ratio(mean, best[0].policy, "index"); p != nil && p.Ratio < 1-goal {
					below = append(below, fmt.Sprintf("%s (%s)", v.title, best[0].policy))
				}
			}
			if p := v.ratio(mean, "index", "fair"); p != nil && p.Ratio > 1 {
				unfair = append(unfair, fmt.Sprintf("%s (%.1f %%)", v.title, 100*(p.Ratio-1)))
			}
		}
	}
	seeds := "1"
	for _, r := range results {
		if r.bed.trace == "" {
			seeds = strings.Join(flagged(r.Args, "-seeds"), ",")
		}
	}
	fmt.Fprintf(w, `Ratios are to SRPT, which knows the true runtimes. For a workload they are geometric means over the seeds %s at one load,
seed by seed, with 95 %% intervals. For a trace, whose jobs are the same for all seeds, they are geometric means over its loads.
index/none has no history. Where jobs have gangs or wide tasks the index is filled by EASY, and "index alone" is not. On
facebook-barriers all policies make copies by GRASS, SRPT too, and on mixed the index and those whose names say so. On the lake
the index has Wing-MIL's values, and jobs fail whose input comes too late, other jobs under each policy, so only the value
counts there. The others are the policies of compare that do not know the runtimes. Policies with † go by requested times: where
jobs request none, these are made of the true runtimes, so such policies do not count among the others there.

`, seeds)
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
	fmt.Fprintf(w, "- There are %d pairs of a bed and a load. Another policy that does not know the runtimes has a mean more than %.0f %% below the index's on %s. At a load a trace is a single run: [Losses on traces](#losses-on-traces) has intervals.\n",
		settings, 100*goal, list(below))
	fmt.Fprintf(w, "- The index's mean is above that of fair on %s.\n", list(unfair))
}

// bedsHeading stands above the table from which the figure is drawn.
const bedsHeading = "### Each bed"

// writeBeds writes the one table: a row for each bed.
func writeBeds(w io.Writer, results []*result) {
	fmt.Fprint(w, "\n"+bedsHeading+`

Of the mean completion time, unless a column says otherwise. The gap is by how much the best of the others is below the index;
if it is negative, the index is better. The last two columns have the index over the least among the others.

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

// writeLoads writes how the index does at each load.
func writeLoads(w io.Writer, results []*result) {
	fmt.Fprint(w, `
### Each load

Mean completion time over SRPT's. At each load a trace is a single run.

| bed and load | index | index/none | best other | fair |
|---|---|---|---|---|
`)
	for _, r := range results {
		for _, v := range r.loads() {
			best := "-"
			if ranked := v.rank(mean); len(ranked) > 0 {
				best = ranked[0].policy + " " + ranked[0].Text(2)
			}
			writeRow(w, []string{v.title, v.ratio(mean, "index", "srpt").Text(2), v.ratio(mean, "index/none", "srpt").Text(2), best, v.ratio(mean, "fair", "srpt").Text(2)})
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
