package main

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
)

func TestBadUse(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, `the paper is "", want one of slearn`},
		{[]string{"eagle"}, `the paper is "eagle"`},
		{[]string{"slearn", "slearn"}, `the paper is "slearn slearn"`},
		{[]string{"-fast", "slearn"}, "not defined: -fast, want one of -full -json"},
	} {
		var out bytes.Buffer
		err := run(t.Context(), test.args, &out, &out)
		if err == nil || !strings.Contains(err.Error(), test.want) || cli.Status(err) != 2 {
			t.Errorf("%q: error %v, want one of usage with %q", test.args, err, test.want)
		}
	}
}

// Each line says all that it is to say, and what is printed reads back.
func TestSLearn(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	r := &report{paper: "slearn"}
	if err := reproduceSLearn(t.Context(), r, form{seeds: 1}); err != nil {
		t.Fatal(err)
	}
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
	measured := make(map[string]float64)
	for _, l := range lines {
		if l.Paper != "slearn" || l.Item == "" || l.Workload == "" || l.Metric == "" || l.Measured == nil {
			t.Errorf("%+v lacks something", l)
			continue
		}
		measured[l.Workload+": "+l.Metric] = *l.Measured
	}
	for _, trace := range slearnTraces {
		oracle, fifo := measured[trace.name+": mean JCT of Oracle over SLearn's"], measured[trace.name+": mean JCT of FIFO over SLearn's"]
		if !(oracle <= 1 && 1 < fifo) {
			t.Errorf("%s: mean JCT over SLearn's is %.3f under the Oracle and %.3f under FIFO, want at most 1, and more", trace.name, oracle, fifo)
		}
		sampled, learned := measured[trace.name+": SLearn, wide jobs in the right queue, %"], measured[trace.name+": 3Sigma, wide jobs in the right queue, %"]
		if !(sampled > learned) {
			t.Errorf("%s: %.1f %% of wide jobs are in the right queue under SLearn, %.1f %% under 3Sigma, want more", trace.name, sampled, learned)
		}
	}
}

func TestInterval(t *testing.T) {
	// Of 1, 2, 3 the standard deviation is 1, and Student's t with two degrees of freedom
	// 4.3027 at 97.5 %.
	mean, margin := interval([]float64{1, 2, 3})
	if want := 4.3027 / math.Sqrt(3); mean != 2 || math.Abs(margin-want) > 1e-4 {
		t.Errorf("got %v ± %v, want 2 ± %v", mean, margin, want)
	}
	if _, margin := interval([]float64{1}); !math.IsNaN(margin) {
		t.Errorf("one number has margin %v, want NaN", margin)
	}
}
