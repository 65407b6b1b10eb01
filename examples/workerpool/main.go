// Workerpool shows what augur is good for in a program that has no cluster: background jobs that run
// in a pool of goroutines, the shortest first, though nobody says how long they are.
//
//	go run ./examples/workerpool
//
// The files pool.go and snapshot.go are the pool, to be copied into your program and changed there: they need packages
// predict and queue and no other file. A job is a function, with attributes that say what it is:
//
//	pool, err := Open(Config{
//		Features: []string{"kind+customer", "kind"},
//		File:     "/var/lib/shop/runtimes",
//	})
//	...
//	result := pool.Submit(ctx, predict.Attrs{"kind": "invoice", "customer": "acme"}, sendInvoice)
//	...
//	err = pool.Close()
//
// # Why
//
// A plain pool, a channel and some goroutines that read from it, runs jobs as they come. That is
// fair, and bad if a few jobs hold most of the work: all that comes while the workers have long jobs
// waits for these. Of jobs that wait for one worker the mean wait is the least if the shortest goes
// first; with several workers, and more jobs to come, it is not always the least, but far below that
// of first come, first served. Long jobs wait longer then, but there are few of them.
//
// # How
//
// To know which is the shortest, the pool remembers how long the jobs took that it ran, by the
// features in Config.Features, and the feature wins that has predicted best so far: here the kind and
// the customer together once they have been seen, and before that the kind alone. Two runs of the
// same take different times, so that to sort exactly by predictions would feign what is not known.
// The queue is a row of levels, each twice as far as the one before, and within a level jobs run in
// the order in which they came. That takes constant time for any number of jobs, and a prediction that
// is slightly off changes little.
//
// Nothing is known at first, and jobs of kinds that are not known run early: one of each shows
// what the others are like. What is known outlives the program, if it has a file. If it dies while
// it writes this, the one before is there.
//
// Long jobs can wait for as long as there are shorter ones. Where the workers are too few for all
// that comes, that is for ever, and so Config.Patience is a limit.
//
// # When not
//
// A pool that seldom has jobs waiting gains nothing. Nor does one whose jobs are all alike, or have
// no attribute that tells long from short: it falls back to first come, first served. A job that
// runs is not stopped for a shorter one, and so one that is taken for short and is not does harm: it
// keeps a worker from others. Where jobs can be stopped see examples/nodehost. Where the order is
// part of what is asked for, such as that of one customer's changes, do not use it.
//
// # What is printed
//
// The jobs are those of a made-up shop. They sleep for as long as they would work, by the clock of
// your machine. Where this is busy with other things the waits are two or three times as long, of all
// pools, as a sleep that ends late is load too; and a millisecond decides which job is there when a
// worker gets free. So look at several runs, or at the figures below. It takes two seconds or three.
// Each half of the jobs goes to several pools at once, so that all have the same machine: one that is
// first come, first served, which is a pool with one level, and one that learns. For the second half
// there are two that learn: one begins anew, and one was closed and is opened again from its file,
// which shows what the file is worth. The slowdown of a job is its wait and its runtime, divided by its
// runtime; longest is the wait of the job that waited longest. A mean over jobs favours what is good
// for short ones, of which there are many.
//
// # What it gives
//
// Over 20 seeds, by a simulated clock (go test -v -run Pays ./examples/workerpool), the 200 jobs of
// the second half wait
//
//	                                        mean ms  longest ms  mean slowdown
//	first come, first served                   27.5         198          18.42
//	learning anew                               9.4         401           4.08
//	after a restart                             7.6         402           3.29
//	the same, with a Patience of 100ms         13.9         187           7.14
//	as if each job's runtime were known         7.5         449           3.30
//
// Learning had less mean wait in all 20, remembering less than learning anew in 16. The price is the
// longest wait, which doubles. These jobs are easy to predict: their attributes tell all but a
// lognormal noise with a sigma of 0.3.
//
// It exits with status 1 if a pool fails, and with 2 if a flag or a value is wrong; either way with one
// line on stderr.
//
// # Source
//
// That the shortest first is best: W. E. Smith, "Various optimizers for single-stage production",
// Naval Research Logistics Quarterly 3, 1956. What predicts, and what keeps the levels, say packages
// predict and queue.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("workerpool", run) }

func run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	n, workers, file, seed := 400, 4, "", uint64(0)
	load := 0.9
	fs := flag.NewFlagSet("workerpool", flag.ContinueOnError)
	fs.Func("jobs", "run so many jobs; 400 if it is not given", cli.Whole(&n, 2, 1_000_000))
	fs.Func("workers", "let so many of them run at a time; 4 if it is not given", cli.Whole(&workers, 1, 1000))
	fs.Float64Var(&load, "load", load, "let them come so fast that a `share` of the workers is busy; above 1 is more than they can do")
	fs.StringVar(&file, "file", "", "keep in `FILE` what is learned, for the next time; if it is not given, in one that is removed")
	cli.Seed(fs, &seed, "choose the jobs by this `seed` (default 1)")
	switch _, err := cli.Parse(fs, args, stdout, "Workerpool runs the same jobs first come, first served, and by predicted runtime. Flags:"); {
	case err != nil:
		return err
	case !(load >= 0.01 && load <= 100):
		return cli.Usagef("-load is %v, want a number of 0.01 to 100", load)
	}
	if file == "" {
		dir, err := os.MkdirTemp("", "workerpool")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		file = filepath.Join(dir, "runtimes")
	}
	all := jobs(n, workers, load, rand.New(rand.NewPCG(seed, 0)))
	fmt.Fprintf(stdout, "%d jobs of %d kinds and %d customers, on %d workers with load %v\n\n", n, len(kinds), len(customers), workers, load)
	table := cli.NewTable(stdout)
	table.Row("jobs\tpool\tmean wait ms\tP50\tP90\tlongest\tmean slowdown")
	plain, learning, kept := Config{Levels: 1}, Config{}, Config{File: file}
	for _, part := range []struct {
		name  string
		jobs  []job
		pools []Config
		names []string
	}{
		{"first half", all[:n/2], []Config{plain, kept}, []string{"first come", "learning"}},
		{"second half", all[n/2:], []Config{plain, learning, kept}, []string{"first come", "learning anew", "after a restart"}},
	} {
		results, err := sideBySide(ctx, part.jobs, workers, part.pools)
		if err != nil {
			return err
		}
		for i, r := range results {
			writeLine(table, part.name, part.names[i], r)
			part.name = ""
		}
	}
	return table.Flush()
}

// sideBySide runs the same jobs in several pools at once.
func sideBySide(ctx context.Context, list []job, workers int, pools []Config) ([][]Result, error) {
	results, errs := make([][]Result, len(pools)), make([]error, len(pools))
	var wg sync.WaitGroup
	for i, c := range pools {
		c.Workers = workers
		wg.Go(func() { results[i], errs[i] = serve(ctx, list, c) })
	}
	wg.Wait()
	return results, cmp.Or(errs...)
}

// serve runs jobs in a pool of their own, as they come.
func serve(ctx context.Context, list []job, c Config) ([]Result, error) {
	c.Features = []string{"kind+customer", "kind"}
	pool, err := Open(c)
	if err != nil {
		return nil, err
	}
	var results []<-chan Result
	begin, at := time.Now(), time.Duration(0)
	for _, j := range list {
		at += j.at
		if !sleep(ctx, time.Until(begin.Add(at))) {
			break
		}
		results = append(results, pool.Submit(ctx, j.attrs, func(ctx context.Context) error {
			if !sleep(ctx, j.takes) {
				return context.Cause(ctx)
			}
			return nil
		}))
	}
	err = pool.Close()
	done := make([]Result, len(results))
	for i, r := range results {
		done[i] = <-r
		err = cmp.Or(err, done[i].Err)
	}
	return done, cmp.Or(err, context.Cause(ctx))
}

// sleep waits, and reports whether it did before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func writeLine(w io.Writer, jobs, pool string, results []Result) {
	waits, slowdown := make([]float64, len(results)), 0.0
	sum, n := 0.0, float64(len(results))
	for i, r := range results {
		waits[i] = float64(r.Waited) / 1e6
		sum += waits[i]
		slowdown += float64(r.Waited+r.Ran) / float64(r.Ran)
	}
	slices.Sort(waits)
	fmt.Fprintf(w, "%s\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t\n", jobs, pool, sum/n,
		cli.Quantile(waits, 0.5), cli.Quantile(waits, 0.9), waits[len(waits)-1], slowdown/n)
}
