package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// document is the text of REPRODUCTION.md: the headlines, how they were made and how to read them.
func (r *report) document(f form, date string) ([]byte, error) {
	var b bytes.Buffer
	flags := ""
	if f.full {
		flags = "-full "
	}
	fmt.Fprintf(&b, `# Reproduction

The main results of the five papers that augur is built on: what they published, beside what comes out here, on workloads
that are made after what they tell of theirs. Written by

    go -C examples/reproduction run ./reproduce %[1]s-date %[2]s -write ../../REPRODUCTION.md all

and checked by

    go -C examples/reproduction run ./reproduce %[1]s-check ../../REPRODUCTION.md all

- Seeds: 1 to %[3]d; of Kairos' cluster of 30 nodes, 1 to %[4]d.
- %[5]s%[2]s

These are a few lines of many. All that is told of a paper is printed by

    go -C examples/reproduction run ./reproduce PAPER

where PAPER is one of %[6]s. What a reason says to compare is told there,
or with -full: that has more seeds and jobs, and jobs that real clusters ran. What a workload is, and how a paper was
read, its files in examples/reproduction/reproduce say.

## Results

`, flags, date, f.seeds, 10*f.seeds, dateLine, strings.Join(paperNames(), ", "))
	if err := r.writeHeadlines(&b); err != nil {
		return nil, err
	}
	b.WriteString(`
## How to read the table

Measured is the mean over the seeds ± half the width of its 95 % confidence interval. Where that is missing there is no
chance in the number. Percentages are written as 55, not 0.55. No number is measured by the clock, so all runs print
the same, but for processors that round otherwise: those with fused multiply-adds. CI checks this on amd64.

The claim of a published number is how far it is from nothing: a ratio of two from 1, all else from 0. Whether it comes out
is decided by the figures of its row alone:

- reproduced: what is measured is no further from it than the half width or than a tenth of the claim, and
  the half width is at most half the claim.
- open: it is as near, but the half width is more than half the claim. So few seeds do not tell.
- in part: it is further away, but all of the interval is on the same side of nothing as the published number: what the
  paper found is there, and is larger or smaller.
- not: all else. Levels (an error, a time, a share), which compare nothing, are never in part.
`)
	return b.Bytes(), nil
}

// dateLine begins the line that has the date of the version.
const dateLine = "Date of version: "

var dateIn = regexp.MustCompile(`(?m)^- ` + dateLine + `(.*)$`)

// checkDate returns an error unless a date is one.
func checkDate(date string) error {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return fmt.Errorf("the date is %q, want one like 2006-01-02", date)
	}
	return nil
}

// dateOf returns the date that a document has.
func dateOf(document []byte) (string, error) {
	found := dateIn.FindSubmatch(document)
	if found == nil {
		return "", fmt.Errorf("no line begins with %q", "- "+dateLine)
	}
	date := string(found[1])
	return date, checkDate(date)
}

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
	return fmt.Errorf("line %d of %s differs: got %s, want %s; if that is meant, write it anew by -write and -date", n+1, file, line(a), line(b))
}
