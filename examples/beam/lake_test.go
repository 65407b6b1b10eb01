package main

import (
	"bytes"
	"testing"
	"time"

	"example.com/augur/policy/workload/paper"
)

// lakeTables writes the log of a data lake with about so many jobs a day for so many days.
func lakeTables(t testing.TB, perDay, days int) config {
	t.Helper()
	l := paper.DefaultLake()
	l.JobsPerDay, l.HistoryDays, l.Days = perDay, days-1, 1
	l.Load = 0.05 // the widths of jobs must fit so few; what they read is the same
	log, err := l.Log()
	if err != nil {
		t.Fatal(err)
	}
	var jobs, ops bytes.Buffer
	known := log.Provenance()
	if err := known.WriteJobsCSV(&jobs); err != nil {
		t.Fatal(err)
	}
	if err := known.WriteOpsCSV(&ops); err != nil {
		t.Fatal(err)
	}
	return tables(t, []string{jobs.String()}, ops.String())
}

// equalLibrary runs pipeline and library on a log of at least so many jobs.
func equalLibrary(t *testing.T, c config, jobs int) {
	t.Helper()
	start := time.Now()
	want := askLibrary(t, c)
	library := time.Since(start)
	if len(want.Values) < jobs {
		t.Fatalf("got %d jobs, want %d", len(want.Values), jobs)
	}
	start = time.Now()
	got, err := runPipeline(t, c)
	if err != nil {
		t.Fatal(err)
	}
	pipeline := time.Since(start)
	if d := differ(want, got); d != "" {
		t.Fatal(d)
	}
	// All value comes back to jobs that depend on none if there are no longer paths.
	own, back := 0.0, 0.0
	for _, w := range got.Values {
		own += w.Own
		if w.Upstream == 0 {
			back += w.Aggregate
		}
	}
	t.Logf("%d jobs, %d dependencies, %d pairs; %.1f %% of the value found within %d dependencies; library %v, pipeline %v",
		len(got.Values), len(got.Dependencies), len(got.Paths), 100*back/own, 1<<c.Iterations, library, pipeline)
}

// What the pipeline writes for 10,000 jobs is what the library finds. With three iterations the local
// runner takes twice as long.
func TestTenThousandJobs(t *testing.T) {
	c := lakeTables(t, 500, 21)
	c.Iterations = 2
	equalLibrary(t, c, 10_000)
}

// So it is with the pairs, and with more iterations, for fewer jobs.
func TestThousandJobs(t *testing.T) {
	c := lakeTables(t, 350, 3)
	c.Iterations, c.Paths = 3, true
	equalLibrary(t, c, 1000)
}
