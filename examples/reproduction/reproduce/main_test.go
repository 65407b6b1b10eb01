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
		{[]string{"-fast", "slearn"}, "not defined: -fast, want one of -check -date -full -json -trace -traces -with -write"},
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
		{[]string{"-with", "sjf/oracle", "slearn"}, `forecast "oracle", want one of history`},
		{[]string{"-with", "fifo,fifo", "slearn"}, `"fifo" is named twice`},
		{[]string{"-with", "fifo", "all"}, "-with adds to the table of one paper"},
		{[]string{"-with", "fifo,wing-agg", "slearn"}, "-with wing-agg: wing-agg goes by what jobs of a data lake have read and written, and those of slearn"},
		{[]string{"-with", "fair@kairos", "threesigma"}, "-with fair@kairos: the jobs of threesigma are gangs"},
		{[]string{"-with", "fifo-easy", "kairos"}, "-with fifo-easy: the jobs of kairos request no times, want another forecast"},
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
