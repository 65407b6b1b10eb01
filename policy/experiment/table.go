package experiment

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/augur/internal/saturate"
)

// A column of a table is a figure of policies.
type column struct {
	name, unit string
	some       func(*Average) bool // nil: always; else the column is there if some policy has it
	text       func(*Average) string
}

var columns = []column{
	{"mean JCT", "s", nil, func(a *Average) string { return fixed(a.MeanJCT, 1) }},
	{"P99", "s", nil, func(a *Average) string { return fixed(a.P99JCT, 1) }},
	{"mean wait", "s", nil, func(a *Average) string { return fixed(a.wait, 1) }},
	{"slowdown", "bounded", nil, func(a *Average) string { return fixed(a.bounded, 2) }},
	{"failed", "jobs", func(a *Average) bool { return a.failed != nil && *a.failed > 0 }, func(a *Average) string { return fixed(a.failed, 0) }},
	{"missed", "%", func(a *Average) bool { return a.MissRate != nil }, func(a *Average) string { return percent(a.MissRate) }},
	{"value", "%", func(a *Average) bool { return a.Attained != nil }, func(a *Average) string { return fixed(a.Attained, 1) }},
	{"mean JCT", "ratio", nil, func(a *Average) string { return a.JCTRatio.Short(3) }},
	{"P99", "ratio", nil, func(a *Average) string { return a.P99Ratio.Short(3) }},
	{"faster", "%", nil, func(a *Average) string { return percent(a.Faster) }},
	{"slower", "%", nil, func(a *Average) string { return percent(a.Slower) }},
}

// WriteTable prints a table for each load, with eight columns and more where jobs fail or have deadlines, and the [Result.Verdict]. It
// is WriteHead, WriteLoads and WriteVerdict one after the other.
func (r *Result) WriteTable(w io.Writer) error {
	return cmp.Or(r.WriteHead(w), r.WriteLoads(w), r.WriteVerdict(w))
}

// WriteLoads prints the table of each load.
func (r *Result) WriteLoads(w io.Writer) error {
	for i := range r.Loads {
		l := &r.Loads[i]
		if !r.single {
			fmt.Fprintf(w, "%s\n\n", r.Caption(l))
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		header, units := "policy\t", "\t"
		shown := slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
			return c.some != nil && !slices.ContainsFunc(l.Policies, func(a Average) bool { return c.some(&a) })
		})
		for _, c := range shown {
			header, units = header+c.name+"\t", units+c.unit+"\t"
		}
		fmt.Fprintf(t, "%s\n%s\n", header, units)
		for k := range l.Policies {
			a := &l.Policies[k]
			fmt.Fprintf(t, "%s\t", a.Policy)
			for _, c := range shown {
				fmt.Fprintf(t, "%s\t", c.text(a))
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

// WriteHead prints what was run, and what is to be noted of it.
func (r *Result) WriteHead(w io.Writer) error {
	notes := slices.Clone(r.Notes)
	if r.single && len(r.Runs) == 1 {
		c := r.Runs[0]
		memory := ""
		if c.Memory > 0 {
			memory = fmt.Sprintf(" and %.1f GiB a node", float64(c.Memory)/(1<<30))
		}
		fmt.Fprintf(w, "%s: %s, %s, on %s with %s%s; load %s over %s\n\n", c.Workload,
			count(c.Jobs, "job"), count(c.Tasks, "task"), count(c.Nodes, "node"), count(c.Cores, "core"), memory, fixed(c.Load, 2), saturate.To[time.Duration](c.LoadSpan*1e9).Round(time.Second))
		for i := range c.Policies {
			if p := &c.Policies[i]; p.Failed > 0 {
				notes = append(notes, fmt.Sprintf("failed under %s: %s", p.Policy, p.outcomes.failed()))
			}
		}
	}
	notes = append(notes, r.warnings()...)
	for _, note := range notes {
		fmt.Fprintln(w, note)
	}
	if len(notes) > 0 {
		_, err := fmt.Fprintln(w)
		return err
	}
	return nil
}

// Caption says what a load's table is of.
func (r *Result) Caption(l *AtLoad) string {
	what := "one seed; ratios to " + r.base
	if l.Cells > 1 {
		what = fmt.Sprintf("means over %s; geometric mean ratios to %s %s by %s", l.cells(), r.base, l.kind(), l.kind())
		if r.varies() {
			what += ", with 95 % intervals"
		}
	}
	return fmt.Sprintf("%s at load %s: %s", l.runs[0].Workload, fixed(l.Load, 2), what)
}

// cells describes the cells of a load: "10 windows of 400 jobs".
func (l *AtLoad) cells() string {
	least, most := l.runs[0].Jobs, l.runs[0].Jobs
	for _, r := range l.runs {
		least, most = min(least, r.Jobs), max(most, r.Jobs)
	}
	jobs := thousands(least)
	if least < most {
		jobs += " to " + thousands(most)
	}
	text := fmt.Sprintf("%d %s of %s jobs", l.Cells, plurals[l.kind()], jobs)
	if l.Kind == "copy" {
		text += ", each without a tenth of the log"
	}
	return text
}

var plurals = map[string]string{"seed": "seeds", "window": "windows", "copy": "copies"}

// warnings says which loads cannot be borne.
func (r *Result) warnings() (notes []string) {
	most := 0.0
	for i := range r.Loads {
		for _, c := range r.Loads[i].runs {
			if c.Load != nil {
				most = max(most, *c.Load)
			}
			for _, x := range c.Loads {
				most = max(most, x)
			}
		}
	}
	if most > 1.005 {
		notes = append(notes, fmt.Sprintf("the offered load is %.2f, above 1: the queue grows as long as jobs come, so times depend on their number; "+
			"take a lower load or more nodes, or read only the ratios", most))
	}
	return notes
}

// fixed writes a number with so many decimals; - if it does not apply.
func fixed(x *float64, decimals int) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(*x, 'f', decimals, 64)
}

func percent(x *float64) string {
	if x == nil {
		return "-"
	}
	return fixed(new(*x*100), 1)
}

// thousands writes a number with commas.
func thousands[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count writes a number and a noun, which is singular after 1.
func count[T int | int64](n T, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

// and joins names: "a", "a and b", "a, b and c".
func and(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
