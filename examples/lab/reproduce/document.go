package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// document is the text of REPRODUCTION.md, drawn from results.
func document(results map[string]*report) ([]byte, error) {
	var claims, appendix bytes.Buffer
	for _, paper := range paperNames() {
		r, p := results[paper], papers[paper]
		if r == nil {
			return nil, fmt.Errorf("the results have none of %s; write them by -save %[1]s", paper)
		}
		fmt.Fprintf(&claims, "\n### %s\n\n%s\n\n%s", p.title, p.summary, claimsHead)
		var findings []finding
		for i := range p.claims {
			c := &p.claims[i]
			f, err := r.judge(c)
			if err != nil {
				return nil, err
			}
			findings = append(findings, f)
			f.write(&claims, c.row.item+": "+c.says)
			for _, b := range c.beside {
				f, err := r.judgeBeside(c, b)
				if err != nil {
					return nil, err
				}
				f.write(&claims, b.says)
			}
		}
		if err := r.appendix(&appendix, findings); err != nil {
			return nil, err
		}
	}
	return slices.Concat([]byte(head), claims.Bytes(), []byte(legend), []byte(objections), []byte("\n## Appendix: controls and readings\n"), appendix.Bytes()), nil
}

const head = `# Reproduction

The main claims of the five papers that augur is built on, beside our measurements. All systems, also the rivals, are our implementations in one simulator; only Eagle is
checked against its authors' code, job by job. Jobs are generated after the papers' descriptions, or come from real clusters.

## Claims

Measured is the mean over seeds, with half its 95 % interval. The effect is the distance of a number from no difference. A bed is a cluster and its jobs. Controls check it: numbers that
the paper publishes of the bed and of the rivals. If more than one in ten fails, the claim is judged on the nearest bed that we found, and the row says so. See also [how to read it](#how-to-read-it),
[what a referee objected to](#what-a-referee-objected-to) and the [appendix](#appendix-controls-and-readings), with each control and other readings of the papers' texts.
`

const claimsHead = `| claim | jobs | published | measured | seeds with its sign | share of the effect, % | under other readings, % | controls met | outcome |
|---|---|---:|---:|---:|---:|---:|---:|---|
`

const legend = `
## How to read it

- **Measured** numbers are differences or ratios, taken seed by seed. Percentages are written as 55, not 0.55. On generated jobs a seed is a draw of jobs. On Google's
  jobs of 2011 it is a draw from ten hours of one trace, so the interval says nothing about other days.
- **The effect** of a ratio is its distance from 1, and of a difference its distance from 0. Its share is measured over published effect, with its interval.
- **Other readings** are other ways to read the paper's text. The range includes the row's own reading.
- **Controls** are published numbers of a paper's jobs and cluster, and the levels of the rivals in the claim's figure. For SLearn they include the errors of
  estimates that its traces are fitted to, also of its own pilots. A control is met if the mean is within a tolerance of the published number: a
  quarter of that number's distance from no difference (for a share of nearly all: from 100), or its rounding. The interval does
  not count, so noise meets nothing. In brackets is the largest distance, in tolerances. No controls (-): nothing is published to check the bed by.
- **A bed** is as published if at most one in ten of its controls fails: none of up to nine, one of ten to nineteen. Beds were
  chosen by the least sum of the squares of these distances, on seeds from 101 on, which the rows do not use. An earlier version of this file
  called each claim of a bed with a failed control not tested; read "on the nearest bed" so if you prefer.
- **Other jobs.** Real jobs do not replicate a paper's. They show whether a claim carries over; their controls show how different they are.
- **Outcome.** The first that is true. Not tested: fewer than ten seeds, or nothing could be run. No effect seen: the whole interval is within a tenth of
  the published effect from zero, or it has both signs and is narrower than half the published effect. Holds, smaller or larger: the whole interval has the published sign, and
  ends more than a tenth below the published effect, or begins more than a tenth above it. Holds: the whole interval has the published sign; the size is open if it is wider
  than half the published effect. Contradicted: the whole interval has the other sign. Open: it has both signs and is wide.

All of it takes about an hour on two cores. The first command writes the results of each seed to examples/lab/results.json.gz. The second writes this file from them, and the third checks it. The
fourth runs four parts again, with a seed each, and compares. The last prints all figures of a paper, with -quick for three seeds:

    go run ./examples/lab/reproduce -save all
    go run ./examples/lab/reproduce -write REPRODUCTION.md
    go run ./examples/lab/reproduce -check REPRODUCTION.md
    go run ./examples/lab/reproduce -again 4 -draw 1
    go run ./examples/lab/reproduce PAPER
`

// write writes the row of a finding.
func (f *finding) write(b *bytes.Buffer, says string) {
	readings := "-"
	if len(f.spread) > 1 {
		readings = fmt.Sprintf("%s to %s", percent(slices.Min(f.spread)), percent(slices.Max(f.spread)))
	}
	controls := "-"
	if len(f.controls) > 0 {
		controls = fmt.Sprintf("%d of %d", f.met, len(f.controls))
	}
	if f.met < len(f.controls) {
		controls += fmt.Sprintf(" (%.1f)", f.off)
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %d of %d | %s ± %s | %s | %s | %s |\n", says, f.row.workload, short(f.published), f.line.brief(),
		f.sign, f.seeds, percent(f.share), percent(f.half), readings, controls, f.outcome())
}

// A table is written with its head before the first row.
type table struct {
	b    *bytes.Buffer
	head string
}

func (t *table) row(r *report, n name, mark string) error {
	l := r.find(n)
	if l == nil {
		return fmt.Errorf("%s has no line %v", r.paper, n)
	}
	t.b.WriteString(t.head)
	t.head = ""
	_, err := fmt.Fprintf(t.b, "| %s | %s | %s | %s | %s |%s\n", n.item, n.workload, n.metric, short(l.Published), l.text(), mark)
	return err
}

// appendix writes what there is of a paper beside its claims: controls, readings, levels and notes.
func (r *report) appendix(b *bytes.Buffer, findings []finding) error {
	p := papers[r.paper]
	fmt.Fprintf(b, "\n### %s in detail\n", p.title)
	const columns = "| item | jobs | what | published | measured |"
	controls := table{b, "\nControls, and how far they are off, in tolerances:\n\n" + columns + " off |\n|---|---|---|---:|---:|---:|\n"}
	var told []name
	for _, f := range findings {
		for i := range f.controls {
			c := &f.controls[i]
			if slices.Contains(told, c.row) {
				continue
			}
			told = append(told, c.row)
			off := c.off(r.find(c.row))
			mark := fmt.Sprintf(" %.1f |", off)
			if off > 1 {
				mark = fmt.Sprintf(" **%.1f** |", off)
			}
			if err := controls.row(r, c.row, mark); err != nil {
				return err
			}
		}
	}
	readings := table{b, "\nOther readings of the claims:\n\n" + columns + " |\n|---|---|---|---:|---:|---|\n"}
	for _, f := range findings {
		for _, n := range f.readings {
			if err := readings.row(r, n, " |"); err != nil {
				return err
			}
		}
		for _, n := range f.refuted {
			if err := readings.row(r, n, " ruled out by the text |"); err != nil {
				return err
			}
		}
	}
	levels := table{b, "\nLevels, which are not compared:\n\n" + columns + "\n|---|---|---|---:|---:|\n"}
	for _, n := range p.levels {
		if err := levels.row(r, n, ""); err != nil {
			return err
		}
	}
	for i, note := range p.notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "- %s\n", note)
	}
	return nil
}

// text writes what was measured.
func (l *line) text() string {
	if l.Margin == nil {
		return short(l.Measured)
	}
	return short(l.Measured) + " ± " + short(l.Margin)
}

// brief writes what was measured with three digits, and half the interval as exactly.
func (l *line) brief() string {
	if l.Margin == nil {
		return short(l.Measured)
	}
	digits := max(0, 2-int(math.Floor(math.Log10(max(math.Abs(*l.Measured), *l.Margin, 0.001)))))
	return fmt.Sprintf("%.*f ± %.*f", digits, *l.Measured, digits, *l.Margin)
}

// percent writes a share.
func percent(x float64) string { return strconv.FormatFloat(math.Round(100*x)+0, 'f', 0, 64) }

// compare returns an error that has the first line of a file that differs from what it should be.
func compare(file string, got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	line := func(lines []string) string {
		if n < len(lines) {
			return strconv.Quote(lines[n])
		}
		return "the end"
	}
	return fmt.Errorf("line %d of %s differs: got %s, want %s; if that is meant, write it anew by -write", n+1, file, line(a), line(b))
}
