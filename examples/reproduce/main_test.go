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

// What is printed has a number for each that was published.
func TestSLearn(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"slearn", "-json"}, &out, &out); err != nil {
		t.Fatal(err)
	}
	var lines []line
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&lines); err != nil {
		t.Fatal(err)
	}
	if len(lines) < 10 {
		t.Fatalf("%d lines, want more", len(lines))
	}
	for _, l := range lines {
		if l.Paper != "slearn" || l.Item == "" || l.Workload == "" || l.Metric == "" || l.Measured == nil {
			t.Errorf("%+v lacks something", l)
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
