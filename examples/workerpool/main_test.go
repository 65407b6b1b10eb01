package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	var texts [2]string
	for i := range texts {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			if err := run(t.Context(), []string{"-jobs", "200", "-file", filepath.Join(dir, string(rune('a'+i)))}, &out, io.Discard); err != nil {
				t.Fatal(err)
			}
			texts[i] = out.String()
		})
	}
	if lines := strings.Count(texts[0], "\n"); lines != 8 {
		t.Errorf("%d lines, want 8:\n%s", lines, texts[0])
	}
	if texts[0] != texts[1] {
		t.Errorf("by a clock that is the same, the tables differ:\n%s\n%s", texts[0], texts[1])
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err != nil {
		t.Error(err)
	}
}

// The figures of the package comment, over 20 seeds: a pool that learns has less wait than one that
// is first come, first served, and one that remembers no more than one that begins anew.
func TestLearningPays(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 28,000 jobs")
	}
	const seeds, n, workers = 20, 400, 4
	names := []string{"first come", "learning anew", "after a restart", "the same, by the index", "with a MaxWait of 200 ms", "knows each job"}
	waits, slowdowns, longest := make([]float64, len(names)), make([]float64, len(names)), make([]float64, len(names))
	less, remembers := 0, 0 // seeds in which they do
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) {
			all := jobs(n, workers, 0.9, rand.New(rand.NewPCG(seed, 0)))
			dir := t.TempDir()
			for _, name := range []string{"a", "b", "c"} { // each has its own file
				if _, err := serve(t.Context(), all[:n/2], workers, contender{pool.Shortest, 0, filepath.Join(dir, name)}); err != nil {
					t.Fatal(err)
				}
			}
			half := all[n/2:]
			results, err := sideBySide(t.Context(), half, workers, []contender{{order: pool.FirstCome}, {order: pool.Shortest},
				{pool.Shortest, 0, filepath.Join(dir, "a")}, {pool.Index, 0, filepath.Join(dir, "b")}, {pool.Shortest, 200 * time.Millisecond, filepath.Join(dir, "c")}})
			if err != nil {
				t.Fatal(err)
			}
			exact, err := serve(t.Context(), foretell(t, half, filepath.Join(dir, "d")), workers, contender{pool.Shortest, 0, filepath.Join(dir, "d")})
			if err != nil {
				t.Fatal(err)
			}
			var own []float64
			for i, list := range append(results, exact) {
				wait := 0.0
				for _, s := range list.jobs {
					wait += s.Wait.Seconds() / float64(len(list.jobs))
					slowdowns[i] += float64(s.Wait+s.Run) / float64(s.Run) / float64(len(list.jobs)) / seeds
					longest[i] = max(longest[i], s.Wait.Seconds())
				}
				waits[i] += wait / seeds
				own = append(own, wait)
			}
			if own[1] < own[0] {
				less++
			}
			if own[2] < own[1] {
				remembers++
			}
		})
	}
	for i, name := range names {
		t.Logf("%s: mean wait %.1f ms, longest %.0f ms, mean slowdown %.2f", name, 1e3*waits[i], 1e3*longest[i], slowdowns[i])
	}
	t.Logf("of %d seeds the mean wait is less by learning in %d, and by remembering in %d", seeds, less, remembers)
	if !(waits[1] < waits[0] && waits[2] <= waits[1]) {
		t.Errorf("mean waits are %.4f s, want each of the first three no more than the one before", waits)
	}
	if !(slowdowns[1] < slowdowns[0] && slowdowns[2] <= slowdowns[1]) {
		t.Errorf("mean slowdowns are %.3f, want each of the first three no more than the one before", slowdowns)
	}
}

// foretell returns the jobs each as one of its own kind, and makes a file that knows of each how
// long it takes.
func foretell(t *testing.T, list []job, file string) []job {
	t.Helper()
	told := make([]job, len(list))
	for i, j := range list {
		told[i] = job{0, predict.Attrs{"kind": strconv.Itoa(i)}, j.takes}
	}
	if _, err := serve(t.Context(), told, 1, contender{pool.Shortest, 0, file}); err != nil {
		t.Fatal(err)
	}
	for i, j := range list {
		told[i].at = j.at
	}
	return told
}

func TestJobs(t *testing.T) {
	const n, workers, load = 50_000, 4, 0.9
	var span, work time.Duration
	for _, j := range jobs(n, workers, load, rand.New(rand.NewPCG(1, 0))) {
		if j.at < 0 || j.takes <= 0 {
			t.Fatalf("job %+v", j)
		}
		span += j.at
		work += j.takes
	}
	if got := work.Seconds() / span.Seconds() / workers; math.Abs(got-load) > 0.02 {
		t.Errorf("%d jobs are a load of %.3f, want %v", n, got, load)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range []string{"-jobs 1", "-workers 0", "-load 0", "-load NaN", "-load x", "-seed -1", "-wrokers 2", "file"} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil || cli.Status(err) != 2 {
			t.Errorf("%s has error %v, want one of usage", args, err)
		}
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-help"}, &out, io.Discard); err != flag.ErrHelp || !strings.Contains(out.String(), "-workers") {
		t.Errorf("-help has error %v and prints %s", err, out.String())
	}
}

// An interrupt ends the jobs that run and those that wait.
func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		begin := time.Now()
		err := run(ctx, nil, io.Discard, io.Discard)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 100*time.Millisecond {
			t.Errorf("it ends after %v with %v, want after 100ms with %v", time.Since(begin), err, context.DeadlineExceeded)
		}
	})
}
