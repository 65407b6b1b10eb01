// Workerpool shows what package policy/pool gains a program without a cluster: it runs background jobs in a pool of goroutines,
// the shortest first, by predicted runtimes.
//
//	go run ./examples/workerpool
//
// # What is printed
//
// The jobs are those of a made-up shop. They sleep for as long as they would work, by the clock of your machine. On a busy
// machine all waits are two or three times as long, and a millisecond may decide which job is there when a worker gets free.
// So look at several runs, or at the figures below. A run takes two seconds or three. Each half of the jobs goes to several
// pools at once, so that all have the same machine: one is first come, first served, and others learn. For the second half
// one pool begins anew, and one loads what a pool of the first half has saved. The slowdown of a job is its wait and
// its runtime, divided by its runtime; longest is the longest wait. A mean over jobs favours short jobs, which are many.
//
// # What it gives
//
// Over 20 seeds, by a simulated clock (go test -v -run Pays ./examples/workerpool), the 200 jobs of
// the second half wait
//
//	                                        mean ms  longest ms  mean slowdown
//	first come, first served                   27.5         198          18.42
//	learning anew                               8.7         564           3.65
//	after a restart                             7.3         452           3.20
//	the same, by pool.Index                     7.5         452           3.25
//	the same, with a MaxWait of 200 ms          8.2         216           3.49
//	as if each job's runtime were known         7.1         452           3.08
//
// Learning had less mean wait in all 20, and a restart with saved history less than learning anew in 16. The price is the
// longest wait. These jobs are easy to predict: their attributes tell all but a lognormal noise with a sigma of 0.3.
//
// It exits with status 1 if a pool fails, and with 2 if a flag or a value is wrong, with one line on stderr.
package main

import (
	"cmp"
	"context"
	"errors"
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
	"example.com/augur/policy/pool"
)

func main() { cli.Main("workerpool", run) }

func run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	n, workers, file, seed := 400, 4, "", uint64(0)
	load := 0.9
	fs := flag.NewFlagSet("workerpool", flag.ContinueOnError)
	fs.Func("jobs", "`number` of jobs (default 400)", cli.Whole(&n, 2, 1_000_000))
	fs.Func("workers", "`number` of jobs that run at a time (default 4)", cli.Whole(&workers, 1, 1000))
	fs.Float64Var(&load, "load", load, "offered load, the `share` of the workers that the jobs keep busy; above 1 overloads them")
	fs.StringVar(&file, "file", "", "keep the learned history in `FILE` for the next run (default: a file that is removed)")
	cli.Seed(fs, &seed, "`seed` of the jobs (default 1)")
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
	plain, learning, kept := contender{order: pool.FirstCome}, contender{}, contender{file: file}
	for _, part := range []struct {
		name  string
		jobs  []job
		pools []contender
		names []string
	}{
		{"first half", all[:n/2], []contender{plain, kept}, []string{"first come", "learning"}},
		{"second half", all[n/2:], []contender{plain, learning, kept}, []string{"first come", "learning anew", "after a restart"}},
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

// A contender is a pool: its order, 0 for Shortest, and the file in which it keeps what it learns; "" if that is not kept.
type contender struct {
	order   pool.Order
	maxWait time.Duration
	file    string
}

// sideBySide runs the same jobs in several pools at once.
func sideBySide(ctx context.Context, list []job, workers int, pools []contender) ([]*results, error) {
	all, errs := make([]*results, len(pools)), make([]error, len(pools))
	var wg sync.WaitGroup
	for i, c := range pools {
		wg.Go(func() { all[i], errs[i] = serve(ctx, list, workers, c) })
	}
	wg.Wait()
	return all, cmp.Or(errs...)
}

// serve runs jobs in a pool of their own, as they come.
func serve(ctx context.Context, list []job, workers int, c contender) (*results, error) {
	r := new(results)
	config := pool.Config{
		Workers: workers, Queue: len(list), Order: c.order, MaxWait: c.maxWait, Metrics: r, Features: []string{"kind+customer", "kind"},
	}
	p, err := pool.New(config)
	if c.file != "" {
		p, err = pool.Open(c.file, config)
	}
	if err != nil {
		return nil, err
	}
	begin, at := time.Now(), time.Duration(0)
	for _, j := range list {
		at += j.at
		if !sleep(ctx, time.Until(begin.Add(at))) {
			break
		}
		if _, err := p.Submit(ctx, j.attrs, func(ctx context.Context) error {
			if !sleep(ctx, j.takes) {
				return context.Cause(ctx)
			}
			return nil
		}); err != nil {
			break // ctx has ended
		}
	}
	// The contexts of the jobs end with ctx, so this does not wait for long then.
	err = errors.Join(p.Close(context.WithoutCancel(ctx)), context.Cause(ctx))
	return r, cmp.Or(err, r.err)
}

// results are pool.Metrics that keep what became of the jobs that ran.
type results struct {
	mu   sync.Mutex
	jobs []pool.Status
	err  error
}

func (*results) Submitted(pool.Status) {}
func (*results) Started(pool.Status)   {}

func (r *results) Finished(s pool.Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.jobs = append(r.jobs, s)
	r.err = cmp.Or(r.err, s.Err)
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

func writeLine(w io.Writer, jobs, name string, r *results) {
	var waits []float64
	slowdown, sum, n := 0.0, 0.0, float64(len(r.jobs))
	for _, s := range r.jobs {
		waits = append(waits, float64(s.Wait)/1e6)
		sum += float64(s.Wait) / 1e6
		slowdown += float64(s.Wait+s.Run) / float64(s.Run)
	}
	slices.Sort(waits)
	fmt.Fprintf(w, "%s\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t\n", jobs, name, sum/n,
		cli.Quantile(waits, 0.5), cli.Quantile(waits, 0.9), waits[len(waits)-1], slowdown/n)
}
