package main

import (
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of each paper all is told that the document cites, on little and without real traces.
func TestPapers(t *testing.T) {
	for paper, f := range map[string]form{
		"hopper": {seeds: 1, few: 8}, "kairos": {seeds: 1, few: 10}, "slearn": {seeds: 1, few: 300},
		"threesigma": {seeds: 1, few: 20}, "wing": {seeds: 1, few: 100},
	} {
		t.Run(paper, func(t *testing.T) {
			if f.full, f.traces = true, t.TempDir(); testing.Short() {
				f.full = false
			}
			r := reportOf(t, paper, f)
			told := map[name]bool{}
			missing := map[string]bool{"google2011, failed and killed too": true} // workloads
			for _, l := range r.lines {
				n := name{l.Item, l.Workload, l.Metric}
				if told[n] {
					t.Errorf("%v is told twice", n)
				}
				if told[n] = true; l.Metric == notRun {
					missing[l.Workload] = true
				} else if l.Paper != paper || l.Measured == nil {
					t.Errorf("%+v lacks something", l)
				}
			}
			if !f.full {
				return
			}
			// Ratios to what few jobs miss are not told.
			for _, n := range cited(paper) {
				if !told[n] && !missing[n.workload] && n.item != "Fig. 8" {
					t.Errorf("%v is not told", n)
				}
			}
		})
	}
}

// cited returns what the document has of a paper.
func cited(paper string) []name {
	all := slices.Clone(papers[paper].levels)
	for _, c := range papers[paper].claims {
		all = append(all, c.row)
		all = slices.Concat(all, each(c.beside, func(b beside) name { return b.row }), c.readings, c.refuted, each(c.controls, func(c control) name { return c.row }))
	}
	return all
}

// What comes out of any paper is the same however many runs go on at once.
func TestSameAtOnce(t *testing.T) {
	for name, f := range map[string]form{
		"hopper": {seeds: 1, few: 8}, "kairos": {seeds: 1, few: 10}, "slearn": {seeds: 1, few: 100},
		"threesigma": {seeds: 1, few: 20}, "wing": {seeds: 1, few: 100},
	} {
		lines := func(processors int) []line {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			return reportOf(t, name, f).lines
		}
		if diff := cmp.Diff(lines(4), lines(1)); diff != "" {
			t.Errorf("%s differs if one run goes on at once (-4 +1):\n%s", name, diff)
		}
	}
}

// reportOf is what is told of a paper in some form.
func reportOf(t *testing.T, name string, f form) *report {
	t.Helper()
	r, err := reproduce(t.Context(), name, f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
