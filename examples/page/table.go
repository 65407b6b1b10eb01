package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/augur/examples/internal/figure"
	"example.com/augur/policy/experiment"
)

// A pageTable has a row for each policy.
type pageTable struct {
	Caption, Note string
	Columns       []pageColumn
	Rows          []pageRow
}

type pageColumn struct{ Key, Name, Unit string }

type pageRow struct {
	Policy *pagePolicy
	Cells  []pageCell
}

// A pageCell is a number as it is shown, with its interval, and as rows are sorted by it.
type pageCell struct{ Text, Interval, Sort string }

// columns are those of tables, by the fields of compare. Columns without any number, and counts that are all 0, are left out.
var columns = []struct {
	field, name, unit string
	times             float64
	decimals          int
	count             bool
}{
	{"mean_jct_s", "mean completion time", "s", 1, 1, false},
	{"p50_jct_s", "P50", "s", 1, 1, false},
	{"p90_jct_s", "P90", "s", 1, 1, false},
	{"p99_jct_s", "P99", "s", 1, 1, false},
	{"mean_wait_s", "mean wait", "s", 1, 1, false},
	{"max_wait_s", "longest wait", "s", 1, 1, false},
	{"mean_slowdown", "mean slowdown", "", 1, 2, false},
	{"mean_bounded_slowdown", "mean bounded slowdown", "", 1, 2, false},
	{"max_bounded_slowdown", "largest bounded slowdown", "", 1, 1, false},
	{"fairness", "fairness", "Jain's index", 1, 3, false},
	{"utilization", "utilization", "%", 100, 1, false},
	{"goodput", "goodput", "%", 100, 1, false},
	{"deadline_miss_rate", "deadlines missed", "%", 100, 1, false},
	{"value", "value", "", 1, 1, false},
	{"value_attained_percent", "value attained", "%", 1, 1, false},
	{"jobs_failed", "jobs failed", "", 1, 1, true},
	{"preemptions", "preemptions", "", 1, 0, true},
	{"wasted_service_s", "wasted", "core-s", 1, 0, true},
	{"wall_s", "took", "s", 1, 2, false},
}

// ratioColumn follows the column of the mean completion time.
const ratioColumn = "ratio"

// tables adds the tables of a comparison, one for each load.
func (p *page) tables(c *figure.Comparison) {
	kind := c.Kind()
	kinds := map[string]string{"seed": "seeds", "window": "windows", "copy": "copies"}[kind]
	for _, runs := range c.At() {
		first := &runs[0]
		t := pageTable{Caption: "Workload " + first.Workload}
		if first.Load != nil {
			t.Caption += fmt.Sprintf(" at load %.2f", *first.Load)
		}
		many := len(runs) > 1
		base, to := c.Base(runs)
		if many {
			t.Caption += fmt.Sprintf(": means over %d %s, with 95 %% intervals", len(runs), kinds)
			t.Note = "Ratio of mean completion times to " + to + "'s, " + kind + " by " + kind + ": its interval may tell policies apart even if those of the means overlap. Below 1 is better."
		} else {
			t.Caption += fmt.Sprintf(", seed %d", first.Seed)
			t.Note = "Ratio of mean completion times to " + to + "'s; below 1 is better. Intervals need several runs: seeds, windows of a log or thinned copies."
		}
		for i := range first.Policies {
			t.Rows = append(t.Rows, pageRow{Policy: p.policy(first.Policies[i].Name)})
		}
		for _, column := range columns {
			cells := make([]pageCell, len(t.Rows))
			some := false
			for i := range t.Rows {
				values := figure.Across(runs, i, column.field)
				if len(values) == 0 {
					cells[i] = pageCell{Text: "–"}
					continue
				}
				high := math.Inf(1)
				if column.times == 100 {
					high = 1
				}
				m := mean(values, high)
				cells[i] = cell(column.times*m.Mean, column.times*m.Low, column.times*m.High, column.decimals)
				some = some || !column.count || m.Mean != 0
			}
			if !some || !slices.ContainsFunc(cells, func(c pageCell) bool { return c.Sort != "" }) {
				continue
			}
			t.add(pageColumn{column.field, column.name, column.unit}, cells)
			if column.field == "mean_jct_s" {
				t.add(pageColumn{ratioColumn, "over " + to + "'s", "ratio"}, ratios(runs, base))
			}
		}
		p.Tables = append(p.Tables, t)
	}
	all := slices.Concat(c.At()...)
	names := make([]string, len(all[0].Policies))
	for i, q := range all[0].Policies {
		names[i] = q.Name
	}
	p.Title = "Comparison of " + strings.Join(names, ", ")
	if len(names) > 4 {
		p.Title = fmt.Sprintf("Comparison of %d policies", len(names))
	}
	of := func(number func(r *figure.Run) int) string { // in all runs
		least, most := number(&all[0]), number(&all[0])
		for i := range all {
			least, most = min(least, number(&all[i])), max(most, number(&all[i]))
		}
		if least < most {
			return figure.Number(float64(least)) + " to " + figure.Number(float64(most))
		}
		return figure.Number(float64(least))
	}
	fact := "Workload " + all[0].Workload + ": "
	if n := len(c.At()[0]); n > 1 {
		fact += fmt.Sprintf("%d %s of ", n, kinds)
	}
	p.Facts = append(c.Verdict, fact+fmt.Sprintf("%s jobs with %s tasks; nodes: %s, cores: %s.", of(func(r *figure.Run) int { return r.Jobs }),
		of(func(r *figure.Run) int { return r.Tasks }), of(func(r *figure.Run) int { return r.Nodes }), of(func(r *figure.Run) int { return r.Cores })))
	for _, note := range c.Notes {
		p.Facts = append(p.Facts, strings.ToUpper(note[:1])+note[1:]+".")
	}
}

func (t *pageTable) add(c pageColumn, cells []pageCell) {
	t.Columns = append(t.Columns, c)
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells, cells[i])
	}
}

// ratios returns the mean completion time over that of the baseline, seed by seed.
func ratios(runs []figure.Run, base int) []pageCell {
	first := figure.Across(runs, base, "mean_jct_s")
	cells := make([]pageCell, len(runs[0].Policies))
	for i := range cells {
		values := figure.Across(runs, i, "mean_jct_s")
		cells[i] = pageCell{Text: "–"}
		if p := experiment.Pair(values, first); p != nil {
			low, high := math.NaN(), math.NaN()
			if p.Low != nil {
				low, high = *p.Low, *p.High
			}
			cells[i] = cell(p.Ratio, low, high, 3)
		}
	}
	return cells
}

// cell writes a number and its interval, if that is known.
func cell(x, low, high float64, decimals int) pageCell {
	c := pageCell{Text: decimal(x, decimals), Sort: fmt.Sprintf("%.9g", x)}
	if !math.IsNaN(low) && low < high {
		c.Interval = decimal(low, decimals) + " – " + decimal(high, decimals)
	}
	return c
}

// decimal writes a number with so many decimals, but without any from 10,000 on.
func decimal(x float64, decimals int) string {
	if math.Abs(x) >= 10_000 {
		decimals = 0
	}
	return strings.Replace(fmt.Sprintf("%.*f", decimals, x), "-", "−", 1)
}
