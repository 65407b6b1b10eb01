package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/lines"
	"example.com/augur/policy/workload"
)

// parseLines reads the lines of -with.
func parseLines(list string) (with []lines.Line, err error) {
	for text := range strings.SplitSeq(list, ",") {
		l, err := lines.Parse(text)
		switch {
		case err != nil:
			return nil, err
		case slices.Contains(with, l):
			return nil, fmt.Errorf("%q is named twice", text)
		}
		with = append(with, l)
	}
	return with, nil
}

// carries returns an error if the jobs of a paper lack what a line goes by, or are gangs and the line runs none.
func carries(name string, with []lines.Line) error {
	for _, l := range with {
		switch {
		case name == "all":
			return cli.Usagef("-with adds to the table of one paper, and all prints no such table: want one of %s", strings.Join(paperNames(), ", "))
		case l.Lake() && !papers[name].lake:
			return cli.Usagef("-with %s: %s goes by what jobs of a data lake have read and written, and those of %s have none: want wing", l, l.Turn, name)
		case l.Node != "" && papers[name].gangs:
			return cli.Usagef("-with %s: the jobs of %s are gangs, and Kairos runs no gangs", l, name)
		case l.Requests():
			return cli.Usagef("-with %s: the jobs of %s request no times, want another forecast, such as /history", l, name)
		}
	}
	return nil
}

// underLine makes the scheduler of a line, with the papers' parameters. Forecasts by history learn from the past, if there
// is one, and then from the jobs that end.
func underLine(l lines.Line, s lines.Setting, past []*workload.Job) (policy.Scheduler, error) {
	h := hopper.DefaultConfig()
	h.Group = "group"
	s.Hopper = &h
	s.Past = func() (workload.Source, error) { return workload.Of(past), nil }
	return l.New(s)
}
