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

// What comes from rounding instants to nanoseconds does not look like a difference.
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
		varies bool
	}{
		{[]float64{100}, "mean job completion time (s)", 0, false},
		{[]float64{100, 200}, "mean job completion time (s, logarithmic)", 10 / 1.1, true},
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
		curves, err := readLoads(files)
		if err != nil {
			t.Fatal(err)
		}
		if got := curves[0].varies(); got != test.varies {
			t.Errorf("%d files: the curve varies: %v", len(files), got)
		}
		if _, ok := c.Y.Scale.(plot.LogScale); c.yLabel != test.label || ok != strings.Contains(test.label, "logarithmic") || math.Abs(c.Y.Min-test.min) > 1e-9 {
			t.Errorf("label %q from %v, want %q from %v", c.yLabel, c.Y.Min, test.label, test.min)
		}
	}
}
