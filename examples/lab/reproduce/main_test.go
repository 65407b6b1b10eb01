package main

import (
	"bytes"
	"strings"
	"testing"

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
		{[]string{"-fast", "slearn"}, "not defined: -fast, want one of -again -check -draw -json -quick -results -save -trace -traces -with -write"},
		{[]string{"-trace", "jobs.tr", "kairos"}, "want a name that begins with goog, yh or yahoo"},
		{[]string{"-traces", "slearn"}, `the paper is ""`},
		{[]string{"slearn", "-traces"}, "flag needs an argument: -traces"},
		{[]string{"-traces", "x", "eagle"}, `the paper is "eagle"`},
		{[]string{"-traces=x", "eagle"}, `the paper is "eagle"`},
		{[]string{"all", "slearn"}, `the paper is "all slearn"`},
		{[]string{"-check", "a", "slearn"}, "-write, -check and -again are of the results of all"},
		{[]string{"-check", "a", "-write", "b"}, "-write, -check and -again are given together"},
		{[]string{"-again", "2", "-quick"}, "-write, -check and -again are of the results of all"},
		{[]string{"-again", "-1"}, "-again is -1, want at least 1"},
		{[]string{"-save", "-quick", "slearn"}, "-save puts what a paper is told of in the results"},
		{[]string{"-with", "sjf/oracle", "slearn"}, `forecast "oracle", want one of history`},
		{[]string{"-with", "fifo,fifo", "slearn"}, `"fifo" is named twice`},
		{[]string{"-with", "fifo", "all"}, "-with adds to the table of one paper"},
		{[]string{"-with", "fifo,wing-agg", "slearn"}, "-with wing-agg: wing-agg goes by what jobs of a data lake have read and written, and those of slearn"},
		{[]string{"-with", "fair@kairos", "threesigma"}, "-with fair@kairos: the jobs of threesigma are gangs"},
		{[]string{"-with", "fifo-easy", "kairos"}, "-with fifo-easy: the jobs of kairos request no times, want another forecast"},
	} {
		var out bytes.Buffer
		err := run(t.Context(), test.args, &out, &out)
		if err == nil || !strings.Contains(err.Error(), test.want) || cli.Status(err) != 2 {
			t.Errorf("%q: error %v, want one of usage with %q", test.args, err, test.want)
		}
	}
}
