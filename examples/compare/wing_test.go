package main

import (
	"strings"
	"testing"
)

// By the priorities of users, jobs of any kind can be ordered, in one queue; value is of lakes only.
func TestWingElsewhere(t *testing.T) {
	for _, args := range [][]string{
		{"-workload", "heavytail"}, {"-workload", "gtrace19-dag", "-wing", "queues=one"}, {"-workload", "e2e", "-wing", "inherit=all"},
	} {
		r := reportOf(t, append(args, "-json", "-jobs", "200", "-policies", "wing-prio")...)
		if p := r.Policies[0]; p.Done != 200 || p.Attained != nil {
			t.Errorf("%v: %d jobs done and value %v, want 200 and none", args, p.Done, p.Attained)
		}
	}
}

// The table has a column of value, but if arrivals are stretched: then a note.
func TestValueColumn(t *testing.T) {
	const left = "the value attained is left out"
	for _, test := range []struct {
		args   []string
		column bool
		note   bool
	}{
		{[]string{"-workload", "lake", "-nodes", "400"}, true, false},
		{[]string{"-workload", "lake", "-load", "0.5"}, true, false},
		{[]string{"-workload", "lake", "-nodes", "400", "-load", "0.5"}, false, true},
		{[]string{"-workload", "heavytail"}, false, false},
	} {
		out, _, err := compare(t, append(test.args, "-jobs", "300", "-policies", "fifo,wing-prio", "-wide")...)
		if err != nil {
			t.Fatal(err)
		}
		table := out[strings.Index(out, "policy"):]
		header, rest, _ := strings.Cut(table, "\n")
		units, rest, _ := strings.Cut(rest, "\n")
		row, _, _ := strings.Cut(rest, "\n")
		if strings.Contains(header, " missed  value ") != test.column || strings.Contains(out, left) != test.note {
			t.Errorf("%v: want a column %v, a note %v:\n%s", test.args, test.column, test.note, out)
		}
		if test.column && (len(strings.Fields(units)) != 11 || len(strings.Fields(row)) != 15) {
			t.Errorf("%v: units %q over %q", test.args, units, row)
		}
	}
}
