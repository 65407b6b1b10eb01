package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A headline names a line that tells a main result of a paper.
type headline struct {
	item, workload, metric string
	// nothing is what the number would be if there were nothing in what the paper says of it: 1 of a ratio, 0 of what is
	// saved or gained. A level, which tells of one thing and compares it with none, has no such number.
	nothing float64
}

const (
	ratio = 1.
	gain  = 0.
)

var level = math.NaN()

// A verdict says whether the published number of a headline comes out.
type verdict string

const (
	reproduced verdict = "reproduced"
	inPart     verdict = "in part"
	not        verdict = "not"
	open       verdict = "open"
)

// judge passes a verdict on each line that a headline names.
func (r *report) judge(headlines []headline) {
	for i := range r.lines {
		l := &r.lines[i]
		at := slices.IndexFunc(headlines, func(h headline) bool { return h.isFor(l) })
		if at >= 0 && l.Published != nil && l.Measured != nil {
			l.Verdict = l.verdict(headlines[at].nothing)
		}
	}
}

func (h *headline) isFor(l *line) bool {
	return h.item == l.Item && h.workload == l.Workload && h.metric == l.Metric
}

// verdict goes by the claim of a published number, which is how far it is from nothing; of a level,
// from 0. A number comes out if what was measured is no further from it than the margin or than a tenth of
// the claim; if the margin is more than half the claim, that says little, and the verdict is open. What is
// further away comes out in part if all of its interval is on that side of nothing where the
// published number is; a level has no sides. What has no margin has no chance in it.
func (l *line) verdict(nothing float64) verdict {
	isLevel, margin := math.IsNaN(nothing), 0.
	if isLevel {
		nothing = 0
	}
	if l.Margin != nil {
		margin = *l.Margin
	}
	claim, effect := *l.Published-nothing, *l.Measured-nothing
	switch {
	case math.Abs(effect-claim) > max(margin, math.Abs(claim)/10):
		if !isLevel && math.Abs(effect) > margin && (effect > 0) == (claim > 0) {
			return inPart
		}
		return not
	case margin > math.Abs(claim)/2:
		return open
	}
	return reproduced
}

// writeHeadlines writes the headlines of all papers as one table in Markdown, and why what does not come
// out does not. Both are the same on every run, as no headline is measured by the clock.
func (r *report) writeHeadlines(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("| paper | item | workload | metric | published | measured | comes out | why |\n|---|---|---|---|---:|---:|---|---|\n")
	var notes []string
	count := make(map[verdict]int)
	for _, l := range r.lines {
		if l.Verdict == "" {
			continue
		}
		count[l.Verdict]++
		why, measured := "", short(l.Measured)
		if l.Margin != nil {
			measured += " ± " + short(l.Margin)
		}
		if l.Note != "" {
			at := slices.Index(notes, l.Note)
			if at < 0 {
				at = len(notes)
				notes = append(notes, l.Note)
			}
			why = fmt.Sprint(at + 1)
		}
		cells := []string{papers[l.Paper].title, l.Item, l.Workload, l.Metric, short(l.Published), measured, string(l.Verdict), why}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	fmt.Fprintf(&b, "\nReproduced: %d; in part: %d; not: %d; open: %d.\n", count[reproduced], count[inPart], count[not], count[open])
	if len(notes) > 0 {
		b.WriteString("\nWhy, as far as it is known:\n\n")
	}
	for i, note := range notes {
		fmt.Fprintf(&b, "%d. %s\n", i+1, note)
	}
	_, err := w.Write(b.Bytes())
	return err
}
