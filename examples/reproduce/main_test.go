package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/examples/internal/cli"
)

func TestBadUse(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, `the paper is "", want one of hopper, kairos, slearn`},
		{[]string{"eagle"}, `the paper is "eagle"`},
		{[]string{"slearn", "slearn"}, `the paper is "slearn slearn"`},
		{[]string{"-fast", "slearn"}, "not defined: -fast, want one of -check -date -full -json -trace -traces -write"},
		{[]string{"-trace", "jobs.tr", "kairos"}, "want a name that begins with goog, yh or yahoo"},
		{[]string{"-traces", "slearn"}, `the paper is ""`},
		{[]string{"slearn", "-traces"}, "flag needs an argument: -traces"},
		{[]string{"-traces", "x", "eagle"}, `the paper is "eagle"`},
		{[]string{"-traces=x", "eagle"}, `the paper is "eagle"`},
		{[]string{"all", "slearn"}, `the paper is "all slearn"`},
		{[]string{"-check", "no.md", "slearn"}, "-write and -check are of all, not of slearn alone"},
		{[]string{"-check", "no.md", "all"}, "no.md"},
		{[]string{"-check", "a", "-write", "b", "-date", "2026-01-02", "all"}, "cannot both be given"},
		{[]string{"-write", "b", "all"}, "-write and -date must be given together"},
		{[]string{"-date", "2026-01-02", "all"}, "-write and -date must be given together"},
		{[]string{"-write", "b", "-date", "today", "all"}, `the date is "today"`},
	} {
		var out bytes.Buffer
		err := run(t.Context(), test.args, &out, &out)
		if err == nil || !strings.Contains(err.Error(), test.want) || cli.Status(err) != 2 {
			t.Errorf("%q: error %v, want one of usage with %q", test.args, err, test.want)
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

// told checks that each line says all that it is to say, that what is printed reads back, and
// that no reason is without use. It returns the numbers, by workload, item and metric.
func told(t *testing.T, r *report, reasons []reason) (measured, published map[string]float64) {
	t.Helper()
	var out bytes.Buffer
	if err := r.writeJSON(&out); err != nil {
		t.Fatal(err)
	}
	var lines []line
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&lines); err != nil {
		t.Fatal(err)
	}
	measured, published = make(map[string]float64), make(map[string]float64)
	for _, l := range lines {
		if l.Paper != r.paper || l.Item == "" || l.Workload == "" || l.Metric == "" || l.Measured == nil {
			t.Errorf("%+v lacks something", l)
			continue
		}
		key := l.Workload + ": " + l.Item + ", " + l.Metric
		if _, ok := measured[key]; ok {
			t.Errorf("%s is told twice", key)
		}
		measured[key] = *l.Measured
		if l.Published != nil {
			published[key] = *l.Published
		}
	}
	for _, y := range reasons {
		if !slices.ContainsFunc(lines, func(l line) bool { return l.Published != nil && y.isFor(&l) }) {
			t.Errorf("reason %+v is for no published number", y)
		}
	}
	return measured, published
}

func TestSLearn(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	r := reportOf(t, "slearn", form{seeds: 1})
	measured, published := told(t, r, slearnReasons)
	marked(t, r, slearnHeadlines)
	testPublished(t, published)
	for _, trace := range slearnTraces(form{}) {
		oracle, fifo := measured[trace.name+": Fig. 6, mean JCT of Oracle over SLearn's"], measured[trace.name+": Fig. 6, mean JCT of FIFO over SLearn's"]
		if !(oracle <= 1 && 1 < fifo) {
			t.Errorf("%s: mean JCT over SLearn's is %.3f under the Oracle and %.3f under FIFO, want at most 1, and more", trace.name, oracle, fifo)
		}
		sampled, learned := measured[trace.name+": Table 7, SLearn, wide jobs in the right queue, %"], measured[trace.name+": Table 7, 3Sigma, wide jobs in the right queue, %"]
		if !(sampled > learned) {
			t.Errorf("%s: %.1f %% of wide jobs are in the right queue under SLearn, %.1f %% under 3Sigma, want more", trace.name, sampled, learned)
		}
	}
}

// testPublished checks what follows from one published number for another.
func testPublished(t *testing.T, published map[string]float64) {
	t.Helper()
	equal := func(what string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s: published is %.2f, want %.2f", what, got, want)
		}
	}
	for _, trace := range slearnTraces(form{}) {
		at := func(metric string) float64 {
			x, ok := published[trace.name+": "+metric]
			if !ok {
				t.Errorf("%s: %s is not published", trace.name, metric)
			}
			return x
		}
		mean := at("Fig. 6, mean JCT of 3Sigma over SLearn's")
		equal("Table 8", at("Table 8, mean JCT of 3Sigma over SLearn's with thin limit 3"), mean, 0)
		equal("Table 6", at("Table 6, mean JCT of 3Sigma over SLearn's with an adaptive share of pilots"), mean, 0)
		const three = "Table 6, SLearn's error with 3 % pilots, P50, %"
		equal("4.3", at("4.3, SLearn 3 % error P50, %"), at(three), 0)
		if trace.name != "2strace" {
			continue
		}
		jobs, work := 0.0, 0.0
		for i, name := range binNames {
			jobs += at(fmt.Sprintf("Table 9, bin %d, %s: jobs, %%", i+1, name))
			work += at(fmt.Sprintf("Table 9, bin %d, %s: work, %%", i+1, name))
		}
		equal("Table 9, jobs", jobs, 100, 0.02)
		equal("Table 9, work", work, 100, 0.02)
		for _, who := range []string{"SLearn", "3Sigma"} {
			misplaced := at("Table 10, "+who+", overestimated and misplaced, %") + at("Table 10, "+who+", underestimated and misplaced, %")
			equal("Table 7, "+who, at("Table 7, "+who+", wide jobs in the right queue, %"), 100-misplaced, 0.02)
		}
	}
	parts := 0.0
	for _, part := range []string{"below 0.04", "0.04 to 1.90", "above 1.90"} {
		parts += published["gtrace11: Fig. 11, normalized wait "+part+" under SLearn, jobs, %"]
	}
	equal("Fig. 11, parts", parts, 100, 0.02)
}

// What comes out does not depend on how many seeds run at once.
func TestSameAtOnce(t *testing.T) {
	lines := func(processors int) []line {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		r := &report{paper: "slearn"}
		trace := slearnTraces(form{seeds: 2})[1]
		b := trace.rounds(0)
		if err := r.tell(t.Context(), each([]slearnItem{slearnAdaptive, slearnQueues, slearnWaiting, slearnResistance}, func(of slearnItem) item { return of(trace, b) })); err != nil {
			t.Fatal(err)
		}
		return r.lines
	}
	if diff := cmp.Diff(lines(1), lines(4)); diff != "" {
		t.Error(diff)
	}
}

func TestExplain(t *testing.T) {
	r := &report{paper: "none"}
	for _, x := range []float64{10, 12, 9.5, unpublished} {
		r.add("Table 1", "all", "ratio", x, []float64{9.9, 10, 10.1})
	}
	r.add("Table 1", "all", "other", 12, []float64{9.9, 10, 10.1})
	r.add("Table 1", "all", "ratio of one seed", 12, []float64{10})
	r.add("Table 1", "all", "ratio of two that differ", 12, []float64{9, 11})
	r.explain([]reason{{"Table 2", "", "ratio", "no"}, {"Table 1", "some", "ratio", "no"}, {"Table 1", "", "ratio", "yes"}, {"Table 1", "all", "", "late"}})
	want := []string{"", "yes", "", "", "late", "", ""}
	if got := each(r.lines, func(l line) string { return l.Note }); !slices.Equal(got, want) {
		t.Errorf("notes are %q, want %q", got, want)
	}
}
