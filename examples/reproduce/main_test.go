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
