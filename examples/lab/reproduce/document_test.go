package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/augur/examples/internal/cli"
)

// twoPapers replaces the papers by two whose runs take no time. The second one measures what it is told.
func twoPapers(t *testing.T, measured *float64) {
	real := papers
	t.Cleanup(func() { papers = real })
	saved := name{"Fig. 1", "jobs", "saved, %"}
	paperOf := func(title string, saves func() float64) article {
		items := func(f form) ([]item, error) {
			return []item{
				func(l *lab) func(r *report) {
					b := &bed[uint64]{name: "jobs", seeds: f.seeds, draw: func(seed uint64) (uint64, error) { return seed, nil }}
					t := ask(l, b, "ours", func(_ context.Context, seed uint64) (float64, error) { return saves() + float64(seed%2), nil })
					return func(r *report) { r.add("Fig. 1", "jobs", "saved, %", 50, t.runs) }
				},
				func(*lab) func(r *report) {
					return func(r *report) { r.add("Fig. 2", "jobs", "how many", 100, []float64{99, 101}) }
				},
				skipped("Fig. 3", "a trace", errors.New("it is not there")),
			}, nil
		}
		return article{
			title: title, summary: "It says so.", items: items,
			claims: []claim{{says: "jobs wait less", row: saved, controls: []control{{row: name{"Fig. 2", "jobs", "how many"}}}, beside: []beside{{"the same", saved}}}},
			levels: []name{{"Fig. 2", "jobs", "how many"}}, notes: []string{"It is so."},
		}
	}
	papers = map[string]article{
		"one": paperOf("One", func() float64 { return 50 }),
		"two": paperOf("Two", func() float64 { return *measured }),
	}
}

// What is written is what check wants, and what a part of it is when it is run again, until what comes out changes.
func TestResults(t *testing.T) {
	measured := 20.
	twoPapers(t, &measured)
	dir := t.TempDir()
	file, results := filepath.Join(dir, "R.md"), filepath.Join(dir, "results.json.gz")
	var out strings.Builder
	call := func(args ...string) error {
		out.Reset()
		return run(t.Context(), append([]string{"-results", results}, args...), &out, io.Discard)
	}
	must := func(args ...string) {
		t.Helper()
		if err := call(args...); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
	}
	must("-save", "one")
	if err := call("-write", file); err == nil || !strings.Contains(err.Error(), "the results have none of two; write them by -save two") {
		t.Errorf("of one paper: error %v", err)
	}
	must("-save", "two")
	if err := call("-write", results); err == nil || !strings.Contains(err.Error(), "results.json.gz would overwrite the input") {
		t.Errorf("over the results: error %v", err)
	}
	must("-write", file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n### One\n\nIt says so.\n\n| claim |",
		"| Fig. 1: jobs wait less | jobs | 50 | 50.5 ± 0.4 | 10 of 10 | 101 ± 1 | - | 1 of 1 | holds |\n| the same | jobs | 50 | 50.5 ± 0.4 | 10 of 10 | 101 ± 1 | - | 1 of 1 | holds |\n",
		"| Fig. 1: jobs wait less | jobs | 50 | 20.5 ± 0.4 | 10 of 10 | 41 ± 1 | - | 1 of 1 | holds, smaller |\n",
		"| Fig. 2 | jobs | how many | 100 | 100 ± 12.71 | 0.0 |\n", "\n- It is so.\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	must("-check", file)
	kept, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	must("-save", "all")
	if again, err := os.ReadFile(results); err != nil || string(again) != string(kept) {
		t.Errorf("the results of all at once differ from those of one paper after the other, error %v", err)
	}
	must("-again", "2", "-draw", "7")
	if n := strings.Count(out.String(), ": 1 results are the same\n"); n != 2 {
		t.Errorf("%d items are run again, want 2, and only those that have a value for each seed:\n%s", n, &out)
	}
	measured = 30
	if err := call("-again", "2", "-draw", "7"); err == nil || !strings.Contains(err.Error(), "Fig. 1, jobs, saved, % of two is 3") || cli.Status(err) != 1 {
		t.Errorf("error %v, want one that names what differs", err)
	}
	must("-check", file) // of the results that are kept
	must("-save", "two")
	want := fmt.Sprintf(`of %s differs: got "| Fig. 1: jobs wait less | jobs | 50 | 20.5 ± 0.4 | 10 of 10 | 41 ± 1 |`, file)
	if err := call("-check", file); err == nil || !strings.Contains(err.Error(), want) || cli.Status(err) != 1 {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

func TestBadResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json.gz")
	if err := os.WriteFile(file, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readResults(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("not compressed: error %v, want one that names the file", err)
	}
	if err := saveResults(file, nil); err == nil {
		t.Error("saved over what is no file of results")
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct{ got, want, problem string }{
		{"a\nb\n", "a\nb\n", ""},
		{"a\nb\n", "a\nc\n", `line 2 of F differs: got "b", want "c"`},
		{"a\n", "a\nb\n", `line 2 of F differs: got "", want "b"`},
		{"a", "a\nb", `line 2 of F differs: got the end, want "b"`},
		{"a\nb", "a", `line 2 of F differs: got "b", want the end`},
	} {
		err := compare("F", []byte(test.got), []byte(test.want))
		if (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%q for %q: error %v, want %q", test.got, test.want, err, test.problem)
		}
	}
}
