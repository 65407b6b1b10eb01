package main

import (
	"bytes"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/examples/internal/cli"
)

func TestVerdict(t *testing.T) {
	exact := math.NaN()
	for _, test := range []struct {
		name                                 string
		nothing, published, measured, margin float64
		want                                 verdict
	}{
		{"a gain as published", gain, 50, 50, 5, reproduced},
		{"within a tenth", gain, 50, 45, 1, reproduced},
		{"within the margin", gain, 50, 30, 20, reproduced},
		{"further away than both", gain, 50, 44.9, 5, inPart},
		{"more than published", gain, 50, 64, 7, inPart},
		{"hardly any", gain, 50, 4, 3.9, inPart},
		{"perhaps none", gain, 50, 4, 4, not},
		{"a loss", gain, 50, -20, 5, not},
		{"a published loss", gain, -50, -20, 5, inPart},
		{"a gain instead of a loss", gain, -50, 20, 5, not},
		{"a margin of half the claim", gain, 50, 50, 25, reproduced},
		{"a margin of more", gain, 50, 50, 25.1, open},
		{"a wide margin, but not wide enough", gain, 50, -20, 69, not},
		{"a margin that reaches", gain, 50, -20, 70, open},
		{"a tenth of the claim of a ratio", ratio, 1.5, 1.46, 0.01, reproduced},
		{"a tenth of a ratio", ratio, 1.5, 1.4, 0.01, inPart},
		{"a ratio of about 1", ratio, 1.5, 1.01, 0.02, not},
		{"a ratio of less", ratio, 1.5, 0.8, 0.1, not},
		{"a ratio below 1, as published", ratio, 0.5, 0.7, 0.1, inPart},
		{"a level within a tenth", level, 20, 18, 1, reproduced},
		{"another level", level, 20, 15, 1, not},
		{"a level of which little is known", level, 20, 15, 11, open},
		{"without chance", level, 3, 3, exact, reproduced},
		{"without chance, and another", level, 3, 4, exact, not},
		{"without chance, and less", gain, 3, 1, exact, inPart},
	} {
		l := line{Published: cli.Some(test.published), Measured: cli.Some(test.measured), Margin: cli.Some(test.margin)}
		if got := l.verdict(test.nothing); got != test.want {
			t.Errorf("%s: %v for %v, ± %v, is %q, want %q", test.name, test.measured, test.published, test.margin, got, test.want)
		}
	}
}

// Only the line that a headline names, in all its parts, is judged.
func TestJudge(t *testing.T) {
	r := &report{paper: "none"}
	for _, key := range [][3]string{{"Fig. 1", "all", "saved"}, {"Fig. 2", "all", "saved"}, {"Fig. 1", "some", "saved"}, {"Fig. 1", "all", "saved, P50"}} {
		r.add(key[0], key[1], key[2], 10, []float64{9, 10, 11})
	}
	r.add("Fig. 3", "all", "saved", unpublished, []float64{1, 2})
	r.judge([]headline{{"Fig. 1", "all", "saved", gain}, {"Fig. 3", "all", "saved", gain}})
	want := []verdict{reproduced, "", "", "", ""}
	if got := each(r.lines, func(l line) verdict { return l.Verdict }); !slices.Equal(got, want) {
		t.Errorf("verdicts are %q, want %q", got, want)
	}
}

// twoPapers replaces the papers by two whose runs take no time. The second one measures what it is told.
func twoPapers(t *testing.T, measured *float64) {
	real := papers
	t.Cleanup(func() { papers = real })
	headlines := []headline{{"Fig. 1", "jobs", "saved, %", gain}, {"Fig. 3", "jobs", "saved, %", gain}}
	paperOf := func(title string, tell func(r *report)) article {
		items := func(form) ([]item, error) { return []item{func(*lab) func(r *report) { return tell }}, nil }
		return article{title: title, items: items, reasons: []reason{{"Fig. 3", "", "", "for want of jobs"}}, headlines: headlines}
	}
	papers = map[string]article{
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
