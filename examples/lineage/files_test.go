package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/examples/internal/cli"
)

// Files are the same in one, one an event, packed, in a directory or as the tables that are written of them.
func TestFiles(t *testing.T) {
	lines := newDemo(9, 3).lines()
	want := told(t, strings.Join(lines, "\n"), "-template", "-")
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, tables := t.TempDir(), filepath.Join(t.TempDir(), "new", "tables")
	for i, line := range lines[:50] {
		write(filepath.Join(dir, "one", strings.Repeat("x", i+1)+".json"), strings.ReplaceAll(line, `,"`, ",\n  \""))
	}
	write(filepath.Join(dir, "two", "list.json.gz"), gzipped(t, "["+strings.Join(lines[50:], ",\n")+"]"))
	write(filepath.Join(dir, "README"), "Events of nine days.\n")
	write(filepath.Join(dir, ".hidden.json"), lines[0][:9])

	got := told(t, "", "-template", "-tables", tables, dir)
	if diff := cmp.Diff(after(want), after(got), whole); diff != "" {
		t.Errorf("directory: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"file without lineage, passed over: 1"}, got.Notes); diff != "" {
		t.Errorf("notes: -want +got:\n%s", diff)
	}
	for _, paths := range [][]string{{tables}, {filepath.Join(tables, "operations.csv"), filepath.Join(tables, "jobs.csv")}} {
		got := told(t, "", paths...)
		if got.Jobs == 0 || len(got.Notes) > 0 {
			t.Errorf("%q: %d jobs, notes %q, want some and none", paths, got.Jobs, got.Notes)
		}
		if diff := cmp.Diff(after(want), after(got), whole); diff != "" {
			t.Errorf("%q: -want +got:\n%s", paths, diff)
		}
	}
	// A directory may be a link; in it links to directories, and what is no file, are passed over.
	link := filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Symlink(tables, link), os.Symlink(dir, filepath.Join(tables, "loop"))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(after(want), after(told(t, "", link)), whole); diff != "" {
		t.Errorf("link: -want +got:\n%s", diff)
	}
	jobs, err := os.ReadFile(filepath.Join(tables, "jobs.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(after(want), after(told(t, string(jobs), filepath.Join(tables, "operations.csv"), "-")), whole); diff != "" {
		t.Errorf("jobs from standard input: -want +got:\n%s", diff)
	}
}

// A log of seconds has dependencies, and names that would do harm on a terminal or break a line are on one.
func TestShortLog(t *testing.T) {
	lines := `{"eventType":"COMPLETE","eventTime":"2026-01-01T00:00:00","run":{"runId":"w"},"job":{"namespace":"n","name":"w\nADVICE: 9\tx"},"outputs":[{"namespace":"d","name":"f"}]}
{"eventType":"START","eventTime":"2026-01-01T00:00:00.000000001","run":{"runId":"r"},"job":{"namespace":"n","name":"r"},"inputs":[{"namespace":"d","name":"f"}]}`
	out := told(t, lines, "-")
	if out.Dependencies.All != 1 {
		t.Errorf("got %+v, want one dependency", out.Dependencies)
	}
	if text := mustLineage(t, lines, "-"); !strings.Contains(text, `  n r    n w\nADVICE: 9\tx  1 `) {
		t.Errorf("the pair is not on one line:\n%s", text)
	}
	single, _, _ := strings.Cut(lines, "\n")
	if out := told(t, single, "-"); out.Jobs != 1 || out.Dependencies.All != 0 {
		t.Errorf("of one job: got %d jobs with %+v", out.Jobs, out.Dependencies)
	}
}

// Why there are no dependencies, and what comes after the last submission.
func TestNoDependencies(t *testing.T) {
	operations := file(t, "operations.csv", "time,op,file,job\n10,write,f,a\n20,read,f,b\n30,read,g,b\n40,read,f,b\n200,download,f,\n")
	for _, test := range []struct {
		jobs string
		note string
		cut  string
	}{
		{"job,submitted,completed\na,0,10\nb,0,50\n", "no dependencies: of 3 reads by jobs, 1 are of files that no job writes, and 2 of files whose writers were submitted no earlier than the reader", "later 5 operations and 2 ends of jobs"},
		{"job,submitted,completed\na,0,10\nb,5,50\nc,100,100\n", "", "later 1 operation and 0 ends of jobs"},
	} {
		args := []string{file(t, "jobs.csv", test.jobs), operations}
		if got := strings.Join(told(t, "", args...).Notes, "\n"); got != test.note {
			t.Errorf("%q: got notes %q, want %q", test.jobs, got, test.note)
		}
		if text := mustLineage(t, "", args...); !strings.Contains(text, test.cut) {
			t.Errorf("%q: no %q in\n%s", test.jobs, test.cut, text)
		}
	}
}

// Names with dates are names, and it says how to make templates of them.
func TestTemplateHint(t *testing.T) {
	lines := strings.Join(newDemo(9, 3).lines(), "\n")
	if got := told(t, lines, "-"); len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "with -template these are") {
		t.Errorf("got notes %q, want one on -template", got.Notes)
	}
}

// A trace tells of lineage if its jobs name those that precede them.
func TestTrace(t *testing.T) {
	var text strings.Builder
	text.WriteString("; UnixStartTime: 1000000000\n")
	for i := range 20 {
		preceding := -1
		if i%2 > 0 {
			preceding = i + 6 // number of the job before
		}
		text.WriteString(fmt.Sprintf("%d %d 5 600 2 -1 -1 2 700 -1 1 %d 3 %d 1 1 %d 10\n", i+7, 1000*i, i%3, i%2, preceding))
	}
	path := file(t, "trace.swf", text.String())
	out := told(t, "", path)
	want := []pairRow{{Up: "0", Down: "1", Dependencies: 10, Read: 1, Recurring: 1, Hard: 1}}
	if diff := cmp.Diff(want, out.Pairs); diff != "" || out.From != "2001-09-09T01:46:40Z" {
		t.Errorf("from %s; -want +got:\n%s", out.From, diff)
	}
	if diff := cmp.Diff(after(out), after(told(t, text.String(), "-")), whole); diff != "" {
		t.Errorf("-file +standard input:\n%s", diff)
	}
	// Where all are submitted at once, they wait for each other all the same, and -template makes templates of names.
	var chain strings.Builder
	for i := range 4 {
		chain.WriteString(fmt.Sprintf("%d 0 -1 60 1 -1 -1 1 -1 -1 1 1 1 %d 1 1 %d -1\n", i+1, i+1, i))
	}
	if out := told(t, strings.ReplaceAll(chain.String(), " 1 1 0 -1", " 1 1 -1 -1"), "-template", "-"); out.Dependencies.All != 3 || out.Templates != 1 {
		t.Errorf("a chain: got %d dependencies and %d templates, want 3 and 1", out.Dependencies.All, out.Templates)
	}
	if _, err := lineage(t, "", "-unit", "ms", path); err == nil || cli.Status(err) != 2 || !strings.Contains(err.Error(), "-unit is for events and tables") {
		t.Errorf("-unit: got error %v, want that it is not for a trace", err)
	}
	if _, err := lineage(t, strings.Split(text.String(), "\n")[1], "-"); err == nil || cli.Status(err) != 2 || !strings.Contains(err.Error(), "no job waits for another") {
		t.Errorf("without preceding jobs: got error %v, want that none waits", err)
	}
}
