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
		{[]string{"-fast", "slearn"}, "not defined: -fast, want one of -again -check -draw -quick -results -save -traces -write"},
		{[]string{"-traces", "slearn"}, `the paper is ""`},
		{[]string{"-traces", "x", "eagle"}, `the paper is "eagle"`},
		{[]string{"-traces=x", "eagle"}, `the paper is "eagle"`},
		{[]string{"all", "slearn"}, `the paper is "all slearn"`},
		{[]string{"-check", "a", "slearn"}, "-write, -check and -again take all results"},
		{[]string{"-check", "a", "-write", "b"}, "-write, -check and -again are given together"},
		{[]string{"-again", "2", "-quick"}, "-write, -check and -again take all results"},
		{[]string{"-again", "-1"}, "-again is -1, want at least 1"},
		{[]string{"-save", "-quick", "slearn"}, "-save with -quick, want full results"},
		{[]string{"-save", "-quick", "3sigma"}, "-save with -quick, want full results"},
	} {
		var out bytes.Buffer
		err := run(t.Context(), test.args, &out, &out)
		if err == nil || !strings.Contains(err.Error(), test.want) || cli.Status(err) != 2 {
			t.Errorf("%q: error %v, want one of usage with %q", test.args, err, test.want)
		}
	}
}
