package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
)

// An event is what the tests read of a line, by means of their own.
type event struct {
	EventType string
	EventTime time.Time
	Run       struct{ RunID string }
	Inputs    []struct{ Name string }
	Outputs   []struct{ Name string }
}

func parseEvent(t testing.TB, line string) (e event) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// slowDependencies looks for the last writer of each input of each run, by going through all.
func slowDependencies(t testing.TB, lines []string) map[[2]string]bool {
	type run struct{ start, end event }
	runs := make(map[string]*run)
	for _, line := range lines {
		e := parseEvent(t, line)
		r := runs[e.Run.RunID]
		if r == nil {
			r = new(run)
			runs[e.Run.RunID] = r
		}
		switch e.EventType {
		case "START":
			r.start = e
		case "COMPLETE":
			r.end = e
		}
	}
	found := make(map[[2]string]bool)
	for id, r := range runs {
		for _, input := range r.start.Inputs {
			var last string
			for other, w := range runs {
				for _, output := range w.end.Outputs {
					if output == input && !w.end.EventTime.After(r.start.EventTime) && (last == "" || w.end.EventTime.After(runs[last].end.EventTime)) {
						last = other
					}
				}
			}
			if last != "" {
				found[[2]string{last, id}] = true
			}
		}
	}
	return found
}

// dependencies are those of the file that -dependencies writes.
func dependencies(t testing.TB, stdin string, args ...string) map[[2]string]bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dependencies.csv")
	out := told(t, stdin, append([]string{"-dependencies", path}, args...)...)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[[2]string]bool)
	counts := make(map[string]int)
	for _, row := range rows[1:] {
		found[[2]string{row[0], row[1]}] = true
		for i, name := range rows[0] {
			if row[i] == "true" {
				counts[name]++
			}
		}
		if row[4] != row[5] {
			counts["across"]++
		}
	}
	if d := out.Dependencies; len(rows)-1 != d.All || len(found) != d.All || counts["recurring"] != d.Recurring || counts["polling"] != d.Polling || counts["hard"] != d.Hard || counts["across"] != d.Across {
		t.Errorf("got %d rows, %d pairs of jobs and %v, want %+v", len(rows)-1, len(found), counts, d)
	}
	return found
}

func TestDependencies(t *testing.T) {
	lines := newDemo(demoDays, 3).lines()
	want, got := slowDependencies(t, lines), dependencies(t, strings.Join(lines, "\n"), "-")
	if len(want) < 400 {
		t.Errorf("there are %d dependencies, want some hundreds", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// after strips what is said about how the log was read.
func after(out *output) output {
	o := *out
	o.read = nil
	return o
}

var whole = cmp.AllowUnexported(output{})

// Damaged, duplicated, late and reordered events change nothing, and are counted.
func TestDisorder(t *testing.T) {
	clean := newDemo(demoDays, 3).lines()
	sound := make(map[string]time.Time)
	for _, line := range clean {
		sound[line] = parseEvent(t, line).EventTime
	}
	want := told(t, strings.Join(clean, "\n"), "-template", "-")
	if len(want.Dropped) > 0 || len(want.Notes) > 1 { // that names have dates
		t.Errorf("clean events: %+v, want none left out", want.read)
	}
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		lines := disorder(rand.New(rand.NewPCG(seed, 1)), clean)
		// What is to be counted, one by one.
		seen := make(map[string]bool)
		var latest time.Time
		twice, late, lateTwice, bad := 0, 0, 0, 0
		for _, line := range lines {
			at, ok := sound[line]
			switch {
			case !ok:
				bad++
			case seen[line]:
				twice++
				if at.Before(latest) {
					lateTwice++
				}
			case at.Before(latest):
				late++
			default:
				latest = at
			}
			seen[line] = true
		}
		if twice == 0 || late == 0 || bad == 0 {
			t.Fatalf("seed %d: %d lines come twice, %d late, %d are bad, want some", seed, twice, late, bad)
		}
		got := told(t, strings.Join(lines, "\n"), "-template", "-")
		counts := make(map[string]int)
		for _, why := range append(got.Dropped, got.Notes...) {
			reason, n, _ := strings.Cut(why, ": ")
			count, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			switch reason {
			case "event comes twice", "row is late, but used":
			default:
				reason = "bad"
			}
			counts[reason] += count
		}
		if diff := cmp.Diff(map[string]int{"event comes twice": twice, "row is late, but used": late + lateTwice, "bad": bad}, counts); diff != "" {
			t.Errorf("seed %d: -want +got:\n%s", seed, diff)
		}
		if diff := cmp.Diff(after(want), after(got), whole); diff != "" {
			t.Errorf("seed %d: -clean +in disorder:\n%s", seed, diff)
		}
	}

	// In any order at all, and from several files, one of them packed.
	lines := slices.Clone(clean)
	rng := rand.New(rand.NewPCG(1, 9))
	rng.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	third := len(lines) / 3
	a, b := file(t, "a.jsonl", strings.Join(lines[:third], "\n")), file(t, "b.jsonl.gz", gzipped(t, strings.Join(lines[third:2*third], "\n")))
	got := told(t, strings.Join(lines[2*third:], "\n"), "-template", a, "-", b)
	if diff := cmp.Diff(after(want), after(got), whole); diff != "" {
		t.Errorf("-in one file +in three:\n%s", diff)
	}
}

// Of two writes of a file at one instant the last row counts, whatever the jobs' IDs.
func TestLastWrite(t *testing.T) {
	for _, writers := range [][2]string{{"a", "b"}, {"b", "a"}} {
		l := new(provenance.Log)
		for job, id := range append(writers[:], "reader") {
			l.IDs.Number(id)
			op := provenance.Op{Time: 5, Job: uint32(job), File: l.Files.Number("f"), Kind: provenance.Write}
			if job == 2 {
				op.Kind = provenance.Read
			}
			l.Jobs = append(l.Jobs, provenance.Job{Template: l.Templates.Number("t"), User: l.Users.Number(""), Org: l.Orgs.Number(""), Submitted: provenance.Time(job / 2)})
			l.Ops = append(l.Ops, op)
		}
		l = inOrder(l)
		found, err := l.Find(0)
		if err != nil || len(found.Dependencies) != 1 || l.IDs.Name(found.Dependencies[0].From) != writers[1] {
			t.Errorf("%v: got %+v and error %v, want a dependency on the latter", writers, found, err)
		}
	}
}

// A run may consist of several, each of which it starts and ends.
func TestRepeated(t *testing.T) {
	clean := newDemo(demoDays, 3).lines()
	var lines []string
	for _, line := range clean {
		lines = append(lines, line)
		if e := parseEvent(t, line); e.EventType == "START" {
			inner := func(kind string, after time.Duration) string {
				return strings.NewReplacer(`"eventType":"START"`, `"eventType":"`+kind+`"`,
					e.EventTime.Format(time.RFC3339Nano), e.EventTime.Add(after).Format(time.RFC3339Nano)).Replace(line)
			}
			lines = append(lines, inner("START", time.Second), inner("COMPLETE", 2*time.Second), inner("START", 3*time.Second))
		}
	}
	want, got := told(t, strings.Join(clean, "\n"), "-"), told(t, strings.Join(lines, "\n"), "-")
	if diff := cmp.Diff(after(want), after(got), whole); diff != "" {
		t.Errorf("-once +repeated:\n%s", diff)
	}
}

// What is too late is left out, and what is lost is not known; neither ends it.
func TestLoss(t *testing.T) {
	clean := newDemo(demoDays, 3).lines()
	want := told(t, strings.Join(clean, "\n"), "-")
	moved := append(slices.Clone(clean[1:]), clean[0]) // the first event comes last
	got := told(t, strings.Join(moved, "\n"), "-lateness", "100h", "-")
	if diff := cmp.Diff([]string{"row is too late: 1"}, got.Dropped); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.Jobs != want.Jobs || got.States["complete"] != want.States["complete"] { // its end begins it
		t.Errorf("got %d jobs, %v, want %d, %v", got.Jobs, got.States, want.Jobs, want.States)
	}

	last := slices.Clone(clean)
	ended := 0
	for i, line := range last { // every tenth end is lost
		if strings.Contains(line, `"eventType":"COMPLETE"`) {
			if ended%10 == 0 {
				last[i] = "{"
			}
			ended++
		}
	}
	lost := (ended + 9) / 10
	got = told(t, strings.Join(last, "\n"), "-")
	if got.States["running"] != lost || got.States["complete"] != want.States["complete"]-lost {
		t.Errorf("got %v, want %d running more than %v", got.States, lost, want.States)
	}
	if diff := cmp.Diff([]string{fmt.Sprint("row is no event in JSON: ", lost)}, got.Dropped); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !(got.Dependencies.All < want.Dependencies.All) {
		t.Errorf("got %d dependencies, want fewer than %d", got.Dependencies.All, want.Dependencies.All)
	}
}
