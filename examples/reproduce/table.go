package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

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
