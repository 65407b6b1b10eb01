package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// lakeTables writes the log of a data lake. So many jobs come a day. Each writes its file anew and reads files of others, mostly
// recent ones. Users download some.
func lakeTables(t testing.TB, perDay, days int) config {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs, ops strings.Builder
	jobs.WriteString(jobsHeader)
	ops.WriteString(opsHeader)
	written := 0
	for now, job := 0, 0; job < perDay*days; job++ {
		now += 1 + rng.IntN(100)
		fmt.Fprintf(&jobs, "%d,%d\n", job, now)
		for range min(written, rng.IntN(4)) {
			back := int(math.Pow(float64(written), rng.Float64())) // 1 to written
			fmt.Fprintf(&ops, "%d,read,%d,%d\n", now+rng.IntN(10), (written-back)%perDay, job)
		}
		if rng.IntN(3) == 0 {
			fmt.Fprintf(&ops, "%d,download,%d,\n", now, rng.IntN(perDay))
		}
		fmt.Fprintf(&ops, "%d,write,%d,%d\n", now+10+rng.IntN(100), job%perDay, job)
		written++
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

// What the pipeline writes for 10,000 jobs is what the library finds. With three iterations Prism
// takes twice as long.
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
