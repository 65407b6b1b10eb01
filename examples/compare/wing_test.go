package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

var (
	byLearning = []string{"wing-agg", "wing-direct", "wing-mil", "mil"} // an oracle-... has each of these too
	ofWing     = append([]string{"wing-prio", "wing-raise"}, byLearning...)
)

// lakeRows runs policies on the lake and returns the rows by policy.
func lakeRows(t *testing.T, policies []string, args ...string) map[string]row {
	t.Helper()
	out, _, err := compare(t, append([]string{"-json", "-workload", "lake", "-policies", strings.Join(policies, ",")}, args...)...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]row)
	for _, p := range r.Policies {
		rows[p.Policy] = p
		if p.Done+p.Failed != r.Jobs {
			t.Errorf("%v: under %s %d jobs are done and %d failed, want %d together", args, p.Policy, p.Done, p.Failed, r.Jobs)
		}
		if p.Attained == nil || !(*p.Attained >= 0 && *p.Attained <= 100) {
			t.Fatalf("%v: %s attains %v, want 0 to 100", args, p.Policy, p.Attained)
		}
	}
	if len(rows) != len(policies) {
		t.Fatalf("%v: %d policies, want %d", args, len(rows), len(policies))
	}
	return rows
}

// All policies run on a part of the cluster that is too small, some jobs have no input there, and
// what is true orders the jobs in another way than what is predicted.
func TestWing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	names := append([]string{"fifo", "priority"}, ofWing...)
	for _, name := range byLearning {
		names = append(names, "oracle-"+name)
	}
	rows := lakeRows(t, names, "-jobs", "2000", "-nodes", "100")
	for _, name := range names {
		if rows[name].Failed == 0 || *rows[name].Attained == 100 {
			t.Errorf("under %s no job fails, or all value is attained: the cluster is too large", name)
		}
	}
	for _, name := range byLearning {
		if oracle := "oracle-" + name; *rows[name].Attained == *rows[oracle].Attained && *rows[name].MeanJCT == *rows[oracle].MeanJCT {
			t.Errorf("%s and %s do the same", name, oracle)
		}
	}
	for i, a := range ofWing {
		for _, b := range ofWing[:i] {
			if *rows[a].MeanJCT == *rows[b].MeanJCT {
				t.Errorf("%s and %s do the same", a, b)
			}
		}
	}
}

// What is attained is in percent of what the first jobs can attain, if there are no others: nearly
// all on the whole cluster, whose queues together have room for every job when it comes.
func TestAttainedOfSome(t *testing.T) {
	for _, jobs := range []string{"300", "3000"} {
		for name, row := range lakeRows(t, []string{"fifo", "wing-prio"}, "-jobs", jobs, "-wing", "queues=shared") {
			if *row.Attained < 99 {
				t.Errorf("%s jobs: %s attains %v %% on the whole cluster, want nearly all", jobs, name, *row.Attained)
			}
		}
	}
}

// What -wing says reaches the policies, and changes what comes out where it plays a part only.
func TestWingParameters(t *testing.T) {
	if testing.Short() {
		t.Skip("learns four times from two weeks")
	}
	means := func(spec string, names ...string) (means []float64) {
		rows := lakeRows(t, names, "-jobs", "1000", "-nodes", "100", "-wing", spec)
		for _, name := range names {
			means = append(means, *rows[name].MeanJCT)
		}
		return means
	}
	names := []string{"fifo", "wing-prio", "wing-agg", "wing-direct", "mil"}
	before := means("", names...)
	if again := means(wingExample, names...); !slices.Equal(again, before) {
		t.Errorf("%s: %v, want the default's %v", wingExample, again, before)
	}
	for _, test := range []struct {
		spec    string
		changes []bool // as many of the policies are run
	}{
		{"queues=one", []bool{false, true}},
		{"inherit=all", []bool{false, true}},
		{"window=24h", []bool{false, false, true, true, true}},
		{"hops=1", []bool{false, false, true, false, false}},
	} {
		after := means(test.spec, names[:len(test.changes)]...)
		for i, changes := range test.changes {
			if (after[i] != before[i]) != changes {
				t.Errorf("%s, %s: mean of %v, %v before", test.spec, names[i], after[i], before[i])
			}
		}
	}
}

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
		out, _, err := compare(t, append(test.args, "-jobs", "300", "-policies", "fifo,wing-prio")...)
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
