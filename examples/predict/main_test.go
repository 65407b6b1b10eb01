package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/internal/traces"
)

func output(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err := execute(t.Context(), args, &stdout, &stderr)
	return stdout.String(), err
}

// table writes a trace of a few jobs: submission and runtime in seconds, and user.
func table(t *testing.T, rows string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "jobs.csv")
	if err := os.WriteFile(path, []byte("submit,runtime,user\n"+rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const columns = "submit=submit:s,runtime=runtime:s,user=user"

func rows(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	out, err := output(t, append(args, "-json")...)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// Ann's jobs always run for 10 s, Bob's for 1000: by user all is known but the first job of
// each.
func TestExact(t *testing.T) {
	path := table(t, "0,10,ann\n100,1000,bob\n2000,10,ann\n2100,1000,bob\n4000,10,ann\n4100,1000,bob\n")
	got := rows(t, "-trace", path, "-columns", columns, "-features", "user")
	if len(got) == 0 || got[0]["predictor"] != "chosen" {
		t.Fatalf("got %v, want chosen first", got)
	}
	for name, want := range map[string]any{"jobs": 6., "predicted": 4., "within_factor_2": 1., "p50_error": 0., "p90_error": 0., "nmae": 0.} {
		if got[0][name] != want {
			t.Errorf("%s is %v, want %v", name, got[0][name], want)
		}
	}
}

// The second job comes before the first has ended, the third at its end, and the fourth sees
// two of them.
func TestLearnsFromEnds(t *testing.T) {
	path := table(t, "0,10,ann\n5,20,ann\n10,10,ann\n21,10,ann\n")
	got := rows(t, "-trace", path, "-columns", columns, "-features", "user")
	if got[0]["predicted"] != 2. {
		t.Errorf("%v jobs predicted, want 2", got[0]["predicted"])
	}
}

func TestJSON(t *testing.T) {
	list := rows(t, "-jobs", "300")
	for _, name := range []string{"predictor", "jobs", "predicted", "within_factor_2", "p50_error", "p90_error", "nmae", "coverage_50", "coverage_80", "coverage_90", "predict_p99_us", "bytes_per_value"} {
		if list[0][name] == nil {
			t.Errorf("%s is missing or null in %v", name, list[0])
		}
	}
	var names []string
	for _, row := range list {
		names = append(names, row["predictor"].(string))
	}
	for _, want := range []string{"paper", "paper: user", "paper: by rolling", "more", "more: user+program", "more: utility 1/t^2"} {
		if !slices.Contains(names, want) {
			t.Errorf("no row is %q: %q", want, names)
		}
	}
}

// Each prediction is in the file of -jobs-csv, under the name that it has in the output. The first
// jobs of Ann and of Bob cannot be predicted.
// Without the costs the same prints the same.
func TestRepeats(t *testing.T) {
	args := []string{"-jobs", "200", "-json", "-costs=false"}
	first, err := output(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	second, err := output(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	if second != first || !strings.Contains(first, `"predict_p99_us": null`) || !strings.Contains(first, `"bytes_per_value": null`) {
		t.Errorf("the second time it prints\n%s\nwant as the first time, without what it cost\n%s", second, first)
	}
}

func TestJobsCSV(t *testing.T) {
	path := table(t, "0,10,ann\n100,10,bob\n200,10,ann\n300,10,bob\n")
	file := filepath.Join(t.TempDir(), "predictions.csv")
	if _, err := output(t, "-trace", path, "-columns", columns, "-features", "user", "-jobs-csv", file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"predictor,job,name,estimate_s,runtime_s\nchosen,3,,10,10\nchosen,4,,10,10\nchosen: user,3,,10,10\n",
		"\nchosen: by median,3,,10,10\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file has no %q:\n%s", want, text)
		}
	}
	for _, bad := range []string{filepath.Join(t.TempDir(), "none", "x.csv"), path} {
		_, err := output(t, "-trace", path, "-columns", columns, "-jobs-csv", bad)
		if cli.Status(err) != 2 || !strings.Contains(err.Error(), bad) {
			t.Errorf("-jobs-csv %s: error %v, want one of usage that names it", bad, err)
		}
	}
}

func TestTable(t *testing.T) {
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"-jobs", "300"}, []string{"heavytail: 300 jobs\n", "paper: program jobname user", "no job has jobname cpu memory", "within", "group by"}},
		{[]string{"-jobs", "300", "-runtime", "task", "-features", "user", "-half-life", "1h", "-values", "5", "-seed", "3"}, []string{"chosen: user; 5 values", "error of a job's mean task runtime"}},
		{[]string{"-list"}, []string{"heavytail", "swf"}},
		{[]string{"-help"}, []string{"-features", "-half-life"}},
	} {
		out, err := output(t, test.args...)
		if err != nil && err != flag.ErrHelp {
			t.Fatalf("%q: %v", test.args, err)
		}
		for _, want := range test.want {
			if !strings.Contains(out, want) {
				t.Errorf("%q: the output has no %q:\n%s", test.args, want, out)
			}
		}
	}
}

func TestBadUse(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-nonsense"}, "not defined: -nonsense, want one of -beliefs"},
		{[]string{"-runtime", "both"}, "want job or task"},
		{[]string{"-half-life", "0s"}, "want a duration of at least 1s"},
		{[]string{"-half-life", "1h", "-window", "1h"}, "Window"},
		{[]string{"-features", "user,user"}, `Features has "user" twice`},
		{[]string{"-features", "user++program"}, `"user++program"`},
		{[]string{"-features", "users,group", "-jobs", "10"}, "no job has the attributes of users, group, by which -features calls jobs similar; these jobs have user, program, "},
		{[]string{"-trace", "none.swf"}, "none.swf"},
	} {
		_, err := output(t, test.args...)
		if err == nil || err == flag.ErrHelp || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.args, err, test.want)
		} else if cli.Status(err) != 2 {
			t.Errorf("%q: exit status %d, want 2", test.args, cli.Status(err))
		}
	}
}

// On real jobs, what a program's past runs say is better than what all jobs say.
func TestTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for _, trace := range []string{"google2011/jobs_first_half.csv.gz", "swf/NASA-iPSC-1993-3.1-cln.swf.gz"} {
		t.Run(trace, func(t *testing.T) {
			within := make(map[string]float64)
			for _, row := range rows(t, "-trace", traces.Path(t, trace), "-jobs", "5000", "-features", "paper") {
				within[row["predictor"].(string)] = row["within_factor_2"].(float64)
			}
			if p, all := within["paper: program"], within["paper: *"]; !(p > all+0.1) {
				t.Errorf("by program %.3f of the estimates are within a factor of 2, by no feature %.3f, want fewer", p, all)
			}
		})
	}
}

// The jobs are run past a predictor no further when the context has ended.
func TestEvaluateEndsWithItsContext(t *testing.T) {
	o, err := parse([]string{"-jobs", "100"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	from, err := o.Read(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := newRuns(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := runs[0].evaluate(ctx, describe(from.List, o.runtime)); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}
