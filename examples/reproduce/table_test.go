package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoPapers replaces the papers by two whose runs take no time. The second one measures what it is told.
func twoPapers(t *testing.T, measured *float64) {
	real := papers
	t.Cleanup(func() { papers = real })
	headlines := []headline{{"Fig. 1", "jobs", "saved, %", gain}, {"Fig. 3", "jobs", "saved, %", gain}}
	paperOf := func(title string, tell func(r *report)) paper {
		items := func(form) ([]item, error) { return []item{func(*lab) func(r *report) { return tell }}, nil }
		return paper{title, items, []reason{{"Fig. 3", "", "", "for want of jobs"}}, headlines}
	}
	papers = map[string]paper{
		"one": paperOf("One", func(r *report) {
			r.add("Fig. 1", "jobs", "saved, %", 50, []float64{49, 50, 51})
			r.add("Fig. 2", "jobs", "saved, %", 50, []float64{49, 50, 51})
			r.add("Fig. 3", "jobs", "saved, %", 50, []float64{20, 21, 22})
		}),
		"two": paperOf("Two", func(r *report) {
			r.add("Fig. 1", "jobs", "saved, %", 10, []float64{*measured, *measured, *measured})
			r.add("Fig. 3", "jobs", "saved, %", 50, []float64{0, 1, -1})
		}),
	}
}

func TestAll(t *testing.T) {
	measured := 10.
	twoPapers(t, &measured)
	var table bytes.Buffer
	if err := run(t.Context(), []string{"all"}, &table, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := `| paper | item | workload | metric | published | measured | comes out | why |
|---|---|---|---|---:|---:|---|---|
| One | Fig. 1 | jobs | saved, % | 50 | 50 ± 2.484 | reproduced |  |
| One | Fig. 3 | jobs | saved, % | 50 | 21 ± 2.484 | in part | 1 |
| Two | Fig. 1 | jobs | saved, % | 10 | 10 ± 0 | reproduced |  |
| Two | Fig. 3 | jobs | saved, % | 50 | 0 ± 2.484 | not | 1 |

Reproduced: 2; in part: 1; not: 1; open: 0.

Why, as far as it is known:

1. for want of jobs
`
	if diff := cmp.Diff(want, table.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}
