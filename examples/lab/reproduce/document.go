package main

import (
	"bytes"
	"fmt"
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
			for _, n := range c.real {
				f, err := r.onReal(c, n)
				if err != nil {
					return nil, err
				}
				f.write(&claims, "the same")
			}
		}
		if err := r.appendix(&appendix, findings); err != nil {
			return nil, err
		}
	}
	return slices.Concat([]byte(head), claims.Bytes(), []byte(legend), []byte(objections), []byte("\n## Appendix: controls and readings\n"), appendix.Bytes()), nil
}

const head = `# Reproduction

The main claims of the five papers that augur is built on, beside what comes out here, on jobs that are generated after what
the papers tell of theirs and on jobs that real clusters ran. [How to read it](#how-to-read-it) has the rules, the
[appendix](#appendix-controls-and-readings) the controls of each bed and other readings of each claim. All of it takes about half an hour on two
cores:

    go run ./examples/lab/reproduce -save all

writes the results, those of each seed, to examples/lab/results.json.gz. From these this file is drawn, and checked:

    go run ./examples/lab/reproduce -write REPRODUCTION.md
    go run ./examples/lab/reproduce -check REPRODUCTION.md
    go run ./examples/lab/reproduce -again 4 -draw 1

The last one runs four parts of the experiments again, with a seed each, and compares what comes out with the results. All measured figures of
one paper are printed by

    go run ./examples/lab/reproduce PAPER

where PAPER is hopper, kairos, slearn, threesigma or wing; with -quick for three seeds, in some minutes.

## Claims
`

const objections = ""

const claimsHead = `| claim | jobs | published | measured | seeds with its sign | share of the effect, % | under other readings, % | controls met | outcome |
|---|---|---:|---:|---:|---:|---:|---:|---|
`

const legend = `
## How to read it

- **Measured** is the mean over the seeds, of differences or ratios that are taken seed by seed, with half of its 95 % confidence
  interval. Percentages are written as 55, not 0.55.
- **The effect** is how far a number is from what it would be if there were nothing in the claim: a ratio from 1, a difference from
  0. Its share is that of the published effect, with its interval.
- **Other readings** are those that the paper's text leaves open, with the one that the row has.
- **Controls** are what a paper publishes of its jobs, its cluster and the rivals' level, without the system that the claim is made for. A
  control is met if the mean is no further from the published number than a quarter of how far that is from nothing (a share of nearly
  all: from 100), or than that number is rounded. The interval makes no difference, so noise meets nothing. In brackets stands how far
  the farthest control is off, in tolerances.
- **A bed** is as published if no more than one in ten of its controls fails: none of up to nine, one of ten to nineteen. This was set
  before the beds were chosen. Beds were chosen by their controls alone, on seeds 101 to 110 or more, and the numbers are of seeds 1
  to 10 or more. Where no bed is as published, the claim is judged on the nearest one, and the row says so.
- **Outcome.** Holds: all of the interval has the published sign; smaller or larger if it ends more than a tenth short of the published
  effect, or begins as far beyond. Contradicted: all of the interval has the other sign. No effect seen: the interval has both signs and
  is narrower than half the claim, or all of it is within a tenth of the claim from nothing. Open: it has both signs and is wider. Not
  tested: nothing could be run, or fewer than ten seeds.
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
	fmt.Fprintf(b, "| %s | %s | %s | %s | %d of %d | %s ± %s | %s | %s | %s |\n", says, f.row.workload, short(f.line.Published), f.line.text(),
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
	controls := table{b, "\nControls, and how far they are off in tolerances:\n\n" + columns + " off |\n|---|---|---|---:|---:|---:|\n"}
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
	levels := table{b, "\nLevels, which compare nothing:\n\n" + columns + "\n|---|---|---|---:|---:|\n"}
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

// percent writes a share.
func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) }

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
