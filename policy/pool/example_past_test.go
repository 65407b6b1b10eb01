package pool_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// A build is a row of a table of builds that have run, in the order in which they ended.
type build struct {
	target string
	took   time.Duration
	ended  time.Time
	failed bool
}

// openFarm opens a pool that has learned from all builds of a table, once from each.
func openFarm(file string, past []build) (*pool.Pool, error) {
	farm, err := pool.Open(file, pool.Config{Workers: 8, Features: []string{"target"}, Now: now})
	if err != nil {
		return nil, err
	}
	history := farm.History()
	learned := min(history.Observed(), uint64(len(past)))
	fmt.Println("learns from", uint64(len(past))-learned, "builds")
	for _, b := range past[learned:] {
		learn := history.Observe
		if b.failed {
			learn = history.ObserveCensored
		}
		if err := learn(predict.Attrs{"target": b.target}, b.took.Seconds(), b.ended); err != nil {
			return nil, err
		}
	}
	return farm, farm.Save()
}

// A pool that learns from a table of what has run before, and writes to it. Each build is learned once: the pool knows how many
// it has learned, and a build is in the table, also if it has failed, before the pool learns from it.
func Example_past() {
	dir, err := os.MkdirTemp("", "farm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var past []build
	for i := range 40 {
		past = append(past, build{"linux", time.Duration(60+7*i%40) * time.Second, time.Unix(int64(1000*i), 0), i%8 == 0})
	}
	for range 2 { // the second time after the program was killed
		farm, err := openFarm(filepath.Join(dir, "runtimes"), past)
		if err != nil {
			log.Fatal(err)
		}
		attrs := predict.Attrs{"target": "linux"}
		low, high, ok := farm.Interval(attrs, 0.8)
		fmt.Println("a build takes", low.Round(time.Second), "to", high.Round(time.Second), ok)
		for _, fails := range []error{nil, errors.New("does not compile")} {
			task, err := farm.Submit(context.Background(), attrs, func(context.Context) error {
				elapsed.Add(int64(time.Minute))                                       // stands for a build
				past = append(past, build{"linux", time.Minute, now(), fails != nil}) // before the pool learns from it
				return fails
			})
			if err != nil {
				log.Fatal(err)
			}
			if err := task.Wait(); err != fails {
				log.Fatal(err)
			}
		}
	}
	// Output:
	// learns from 40 builds
	// a build takes 56s to 1m33s true
	// learns from 2 builds
	// a build takes 56s to 1m33s true
}
