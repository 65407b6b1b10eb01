package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
	"example.com/augur/policy/workload/paper"
)

// lake writes the log of a generated data lake as two tables.
func lake(t testing.TB, jobsPerDay, days int) (log *paper.LakeLog, jobs, operations string) {
	t.Helper()
	l := paper.DefaultLake()
	l.JobsPerDay = jobsPerDay
	l.HistoryDays, l.Days = days-7, 7
	l.Load = 0.02 // so few jobs cannot fill the cluster
	log, err := l.Log()
	if err != nil {
		t.Fatal(err)
	}
	known := log.Provenance()
	dir := t.TempDir()
	jobs, operations = filepath.Join(dir, "jobs.csv"), filepath.Join(dir, "operations.csv")
	f, err := os.Create(jobs)
	if err != nil {
		t.Fatal(err)
	}
	if err := known.WriteJobsCSV(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if f, err = os.Create(operations); err != nil {
		t.Fatal(err)
	}
	if err := known.WriteOpsCSV(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	return log, jobs, operations
}

// lakeEvents writes what is in the log as run events of OpenLineage. Downloads and priorities have
// no place there.
func lakeEvents(log *paper.LakeLog) (lines []string) {
	d := newDemo(0, 1)
	l := log.Provenance()
	reads, writes := make([][]string, len(l.Jobs)), make([][]string, len(l.Jobs))
	for _, op := range l.Ops {
		switch file := l.Files.Name(op.File); {
		case op.Job == provenance.User:
		case op.Kind == provenance.Read:
			reads[op.Job] = append(reads[op.Job], file)
		default:
			writes[op.Job] = append(writes[op.Job], file)
		}
	}
	at := func(t provenance.Time) time.Time { return time.Unix(0, int64(t)).UTC() }
	for i, r := range l.Jobs {
		j := demoJob{org: l.Orgs.Name(r.Org), name: l.Templates.Name(r.Template), owner: l.Users.Name(r.User)}
		id := fmt.Sprintf("%032d", i+1)
		d.event("START", at(r.Submitted), id, j, "", reads[i], nil, "")
		if r.State == provenance.NoInput {
			d.event("FAIL", at(r.Completed), id, j, "", nil, nil, "FileNotFoundException")
		} else {
			d.event("COMPLETE", at(r.Completed), id, j, "", nil, writes[i], "")
		}
	}
	return d.lines()
}

// Of a data lake of which the truth is known, all dependencies are found, and no others, in its
// tables as in events of OpenLineage.
func TestLake(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses 4,200 jobs several times")
	}
	log, jobs, operations := lake(t, 300, 14)
	want := make(map[[2]string]bool)
	missing, recurring, all := 0, 0, 0
	for i, r := range log.Provenance().Jobs {
		id := policy.JobID(i + 1)
		truth, err := log.Truth(id)
		if err != nil {
			t.Fatal(err)
		}
		all++
		if truth.Template >= 0 {
			recurring++
		}
		if r.State == provenance.NoInput {
			missing++
			continue // it has read nothing
		}
		for _, up := range truth.Reads {
			want[[2]string{fmt.Sprint(up), fmt.Sprint(id)}] = true
		}
	}
	tables := []string{"-jobs", jobs, "-operations", operations, "-unit", "ns"}
	got := dependencies(t, "", tables...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tables: -truth +found:\n%s", diff)
	}
	out := told(t, "", tables...)
	if out.Jobs != all || out.States["noinput"] != missing || out.Value != "downloads" || out.Compute != "log" {
		t.Errorf("got %d jobs, %v, value %s, compute time %s; want %d, %d without input, downloads, log", out.Jobs, out.States, out.Value, out.Compute, all, missing)
	}
	n := out.Observations[0]
	t.Logf("%d of %d jobs are recurring, by the truth %d; predictions: precision %.2f, recall %.2f", n.N, n.Of, recurring, out.Tried.Precision, out.Tried.Recall)
	for _, kind := range []string{"priority too low", "priority too high", "priority inverted", "submitted too early", "read unawares", "can be shifted"} {
		if !slices.Contains(kinds(out.Advice), kind) {
			t.Errorf("there is no advice of kind %q", kind)
		}
	}

	events := strings.Join(lakeEvents(log), "\n")
	byEvents := make(map[[2]string]bool)
	for d := range dependencies(t, events, "-") {
		byEvents[[2]string{strings.TrimLeft(d[0], "0"), strings.TrimLeft(d[1], "0")}] = true
	}
	if diff := cmp.Diff(want, byEvents); diff != "" {
		t.Errorf("events: -truth +found:\n%s", diff)
	}
	if text := mustLineage(t, events, "-"); !strings.Contains(text, "all jobs have the same priority") || strings.Contains(text, "priority too") {
		t.Error("there is advice on priorities, though the log has none")
	}
	// The tables, counted as events have to be, have the same values.
	slow := told(t, events, "-")
	same := told(t, "", append(tables, "-value", "jobs")...)
	a, b := slow.Values[0], same.Values[0]
	if !strings.HasSuffix(a.Template, b.Template) || *a.Aggregate != *b.Aggregate || *a.Own != 1 || *b.Own != 1 {
		t.Errorf("worth most: %s, %v by events, %s, %v by tables, want the same", a.Template, *a.Aggregate, b.Template, *b.Aggregate)
	}
}

func BenchmarkLineage(b *testing.B) {
	log, _, _ := lake(b, 700, 14)
	lines := lakeEvents(log)
	events := strings.Join(lines, "\n")
	b.SetBytes(int64(len(events)))
	b.ReportAllocs()
	for b.Loop() {
		mustLineage(b, events, "-json", "-")
	}
	b.ReportMetric(float64(len(lines)*b.N)/b.Elapsed().Seconds(), "events/s")
}
