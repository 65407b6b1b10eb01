package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

// What comes from rounding does not look like a difference.
func TestSlowdownsThatAreAlike(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.csv")
	text := "policy,outcome,submitted_s,ended_s,ideal_s\nfifo,Done,0,10.00000000001,10\nfifo,Done,0,19.99999999999,20\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := readJobs(file, slowdown)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(all[0].values) != "[1 1]" {
		t.Errorf("slowdowns are %v, want 1", all[0].values)
	}
	c, err := drawCDFs(file, "t", "x", "jobs", 1e-3, samples{{"fifo", []float64{1, 1.000002}}})
	if err != nil {
		t.Fatal(err)
	}
	if c.X.Min > 1 || c.X.Max < 1.1 {
		t.Errorf("the axis goes from %v to %v, want at least from 1 to 1.1", c.X.Min, c.X.Max)
	}
}

// The label says whether the axis is logarithmic; if it is not, it begins at 0. Margins are drawn only if
// there are several seeds.
func TestAxisOfLoads(t *testing.T) {
	for _, test := range []struct {
		times  []float64 // by file, all of one load
		label  string
		min    float64
		left   float64 // end of the x axis, 3 beyond the first point of two curves
		varies bool
	}{
		{[]float64{100}, "mean job completion time (s)", 0, 47, false},
		{[]float64{100, 200}, "mean job completion time (s, logarithmic)", 10 / 1.1, 47 - 0.35/2, true},
	} {
		var files []string
		for i, x := range test.times {
			slow := x / 10
			if len(test.times) == 1 {
				slow = x * 0.9
			}
			file := filepath.Join(t.TempDir(), fmt.Sprint(i, ".json"))
			text := fmt.Sprintf(`[{"load": 0.5, "policies": [{"policy": "fifo", "mean_jct_s": %v}, {"policy": "srpt", "mean_jct_s": %v}]}]`, x, slow)
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		c, err := jctLoad(files)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(svgOf(t, c), "least to greatest"); got != test.varies {
			t.Errorf("%d files: margins are in the legend: %v", len(files), got)
		}
		if math.Abs(c.X.Min-test.left) > 1e-9 {
			t.Errorf("%d files: the x axis begins at %v, want %v", len(files), c.X.Min, test.left)
		}
		if _, ok := c.Y.Scale.(plot.LogScale); c.yLabel != test.label || ok != strings.Contains(test.label, "logarithmic") || math.Abs(c.Y.Min-test.min) > 1e-9 {
			t.Errorf("label %q from %v, want %q from %v", c.yLabel, c.Y.Min, test.label, test.min)
		}
	}
}

// The interval of a share ends at nothing and at all, and that of anything else where it does.
func TestIntervalsOfShares(t *testing.T) {
	measured, margin := 50., 60.
	for _, test := range []struct {
		share     bool
		low, high float64
	}{{true, 0, 100}, {false, -10, 110}} {
		q := query{share: test.share}
		if low, high := q.between(&line{measured: &measured, margin: &margin}); low != test.low || high != test.high {
			t.Errorf("share %v: from %v to %v, want %v to %v", test.share, low, high, test.low, test.high)
		}
	}
}

// Curves that stand apart are still nearer to their own capacity than to half of the way to the next one.
func TestCapacitiesAreNear(t *testing.T) {
	c, err := valueInQueues([]string{filepath.Join("testdata", "reproduce.json")})
	if err != nil {
		t.Fatal(err)
	}
	if off := 20 - (c.X.Min + 4); off <= 0 || off > 2.5 { // the axis begins 4 before the first point
		t.Errorf("the first curve is %v to the left of 20 %%, want 0 to 2.5", off)
	}
}
