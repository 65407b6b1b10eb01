package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"example.com/augur/examples/internal/figure"
)

// What comes from rounding does not look like a difference.
func TestSlowdownsThatAreAlike(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.csv")
	text := "policy,outcome,submitted_s,ended_s,ideal_s\nfifo,Done,0,10.00000000001,10\nfifo,Done,0,19.99999999999,20\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := figure.ReadJobs(file, figure.Slowdown)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(all[0].Values) != "[1 1]" {
		t.Errorf("slowdowns are %v, want 1", all[0].Values)
	}
	c, err := drawCDFs(file, "t", "x", "jobs", 1e-3, figure.Samples{{Name: "fifo", Values: []float64{1, 1.000002}}})
	if err != nil {
		t.Fatal(err)
	}
	x := c.panels[0].X
	if x.Min > 1 || x.Max < 1.1 {
		t.Errorf("the axis goes from %v to %v, want at least from 1 to 1.1", x.Min, x.Max)
	}
}

// The label says whether the axis is logarithmic; if it is not, it begins at 0. There are intervals only if
// there are several seeds, and ratios stand beside the times.
func TestAxisOfLoads(t *testing.T) {
	for _, test := range []struct {
		times  string // of fifo in two runs of one load
		seeds  int
		label  string // of several seeds
		varies bool
	}{
		{"100", 1, "", false},
		{"1000", 2, "mean completion time (s), logarithmic", true},
	} {
		run := func(x string) string {
			return `{"load": 0.5, "policies": [{"policy": "fifo", "mean_jct_s": ` + x + `}, {"policy": "srpt", "mean_jct_s": 90}]}`
		}
		runs, label := run(test.times), "mean completion time (s)"
		if test.seeds == 2 {
			runs, label = runs+","+run("1100"), test.label
		}
		data := t.TempDir()
		put(t, data, sweepFile, fmt.Sprintf(`{"loads": [{"load": 0.5, "seeds": %d}], "runs": [%s]}`, test.seeds, runs))
		c, err := jctLoad(filepath.Join(data, sweepFile))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(svgOf(t, c), interval); got != test.varies {
			t.Errorf("%d seeds: intervals are in the legend: %v", test.seeds, got)
		}
		p := c.panels[0]
		if _, ok := p.Y.Scale.(plot.LogScale); p.yLabel != label || ok != strings.Contains(label, "logarithmic") || !ok && p.Y.Min != 0 {
			t.Errorf("label %q from %v, want %q", p.yLabel, p.Y.Min, label)
		}
		if len(c.panels) != 2 || !strings.HasPrefix(c.panels[1].yLabel, "over fifo, seed by seed") {
			t.Errorf("%d panels, want one of ratios to fifo", len(c.panels))
		}
	}
}

// Curves that stand apart are still nearer to their own capacity than to half of the way to the next one.
func TestCapacitiesAreNear(t *testing.T) {
	c, err := valueCapacity(filepath.Join("testdata", resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	if off := 20 - (c.panels[0].X.Min + 4); off <= 0 || off > 2.5 { // the axis begins 4 before the first point
		t.Errorf("the first curve is %v to the left of 20 %%, want 0 to 2.5", off)
	}
}
