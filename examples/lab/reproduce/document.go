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
	findings := map[string][]finding{}
	for _, paper := range paperNames() {
		r := results[paper]
		if r == nil {
			return nil, fmt.Errorf("the results have none of %s; write them by -save %[1]s", paper)
		}
		for i := range papers[paper].claims {
			f, err := r.judge(&papers[paper].claims[i])
			if err != nil {
				return nil, err
			}
			findings[paper] = append(findings[paper], f)
		}
	}
	var b bytes.Buffer
	b.WriteString(head)
	for _, paper := range paperNames() {
		for _, f := range findings[paper] {
			f.write(&b, papers[paper].title)
		}
	}
	b.WriteString(legend)
	for _, paper := range paperNames() {
		if err := results[paper].page(&b, findings[paper]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

const head = `# Reproduction

The main claims of the five papers that augur is built on, beside what comes out here, on workloads that are made after what
the papers tell of theirs and on jobs that real clusters ran. All of it takes about half an hour on two cores:

    go run ./examples/lab/reproduce -save all

writes the results, those of each seed, to examples/lab/results.json.gz. From these this file is drawn, and checked:

    go run ./examples/lab/reproduce -write REPRODUCTION.md
    go run ./examples/lab/reproduce -check REPRODUCTION.md
    go run ./examples/lab/reproduce -again 4 -draw 1

The last one runs four parts of the experiments again, with a seed each, and compares what comes out with the results. The
claims of one paper and all its measured figures are printed by

    go run ./examples/lab/reproduce PAPER

where PAPER is hopper, kairos, slearn, threesigma or wing; with -quick for three seeds, in some minutes. Of three seeds no
outcome is judged: compare the numbers.

## Claims

| paper | claim | published | measured | seeds with its sign | share of the effect, % | under other readings, % | controls met | outcome |
|---|---|---:|---:|---:|---:|---:|---:|---|
`

const legend = `
How to read it:

- **Measured** is the mean over the seeds, of differences or ratios that are taken seed by seed, with half of its 95 % confidence
  interval. Percentages are written as 55, not 0.55.
- **The effect** is how far a number is from what it would be if there were nothing in the claim: a ratio from 1, a difference from
  0. Its share is that of the published effect, with its interval.
- **Other readings** are those that the paper's text leaves open, with the one that the row has.
- **Controls** are what a paper publishes of its workload and its cluster, without what the claim compares. A control is met if it is no
  further from what was published than half its interval, or than a quarter of how far that is from nothing (a share
  of nearly all: from 100).
- **Outcome.** Not tested: a control fails, there are fewer than ten seeds, or the interval is too wide for a word. Contradicted: all of the interval
  has the other sign. No effect seen: the interval has both signs and is narrower than half the claim, or all of it is within a tenth of the
  claim from nothing. Holds: all of the interval has the published sign; smaller or larger if it ends more than a tenth short of the
  published effect, or begins as far beyond.
`

// write writes the row of a finding.
func (f *finding) write(b *bytes.Buffer, title string) {
	readings := "-"
	if len(f.spread) > 1 {
		readings = fmt.Sprintf("%s to %s", percent(slices.Min(f.spread)), percent(slices.Max(f.spread)))
	}
	controls := "-"
	if len(f.controls) > 0 {
		controls = fmt.Sprintf("%d of %d", f.met, len(f.controls))
	}
	fmt.Fprintf(b, "| %s, %s | %s | %s | %s | %d of %d | %s ± %s | %s | %s | %s |\n", title, f.row.item, f.says, short(f.line.Published), f.line.text(),
		f.sign, f.seeds, percent(f.share), percent(f.half), readings, controls, f.outcome())
}

// outcome is the word, and what is unclear.
func (f *finding) outcome() string {
	if f.unclear == "" {
		return string(f.word)
	}
	return string(f.word) + ": " + f.unclear
}

// page writes what there is of a paper: its controls, its readings and levels, and notes.
func (r *report) page(b *bytes.Buffer, findings []finding) error {
	p := papers[r.paper]
	fmt.Fprintf(b, "\n## %s\n", p.title)
	row := func(n name, mark string) error {
		l := r.find(n)
		if l == nil {
			return fmt.Errorf("%s has no line %v", r.paper, n)
		}
		_, err := fmt.Fprintf(b, "| %s | %s | %s | %s | %s |%s\n", n.item, n.workload, n.metric, short(l.Published), l.text(), mark)
		return err
	}
	var told []name
	for _, f := range findings {
		for i := range f.controls {
			c := &f.controls[i]
			if slices.Contains(told, c.row) {
				continue
			}
			if told == nil {
				b.WriteString("\nControls:\n\n| item | workload | what | published | measured | |\n|---|---|---|---:|---:|---|\n")
			}
			told = append(told, c.row)
			mark := " met |"
			if !c.met(r.find(c.row)) {
				mark = " **fails** |"
			}
			if err := row(c.row, mark); err != nil {
				return err
			}
		}
	}
	b.WriteString("\nWhat measures each claim, and other readings of it:\n\n| item | workload | what | published | measured | |\n|---|---|---|---:|---:|---|\n")
	for _, f := range findings {
		if err := row(f.row, " **"+string(f.word)+"** |"); err != nil {
			return err
		}
		for _, n := range f.readings {
			if err := row(n, " reading |"); err != nil {
				return err
			}
		}
		for _, n := range f.refuted {
			if err := row(n, " the paper's text rules this reading out |"); err != nil {
				return err
			}
		}
	}
	if len(p.levels) > 0 {
		b.WriteString("\nLevels, which compare nothing:\n\n| item | workload | what | published | measured |\n|---|---|---|---:|---:|\n")
		for _, n := range p.levels {
			if err := row(n, ""); err != nil {
				return err
			}
		}
	}
	var notes []string
	for _, f := range findings {
		if f.why != "" && !slices.Contains(notes, f.row.item+": "+f.why) {
			notes = append(notes, f.row.item+": "+f.why)
		}
	}
	for i, note := range append(notes, p.notes...) {
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
