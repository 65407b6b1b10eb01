package pool_test

import (
	"context"
	"fmt"
	"log"
	"sync/atomic"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// A clock that only work moves, so that the example takes no time. Programs leave Config.Now out.
var elapsed atomic.Int64

func now() time.Time { return time.Unix(0, elapsed.Load()) }

// work returns a function that takes so long, and then prints what it has done.
func work(name string, takes time.Duration) func(context.Context) error {
	return func(context.Context) error {
		elapsed.Add(int64(takes))
		fmt.Println(name)
		return nil
	}
}

// A shop that has sent mail and made reports before knows which takes longer. Of the tasks that wait the reports came
// first, and the mail goes first.
func Example() {
	p, err := pool.New(pool.Config{
		Workers:  1,
		Features: []string{"kind+customer", "kind"},
		Now:      now,
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	submit := func(name, kind string, takes time.Duration) *pool.Task {
		task, err := p.Submit(ctx, predict.Attrs{"kind": kind, "customer": "acme"}, work(name, takes))
		if err != nil {
			log.Fatal(err)
		}
		return task
	}
	if err := submit("first report", "report", time.Minute).Wait(); err != nil {
		log.Fatal(err)
	}
	if err := submit("first mail", "mail", time.Second).Wait(); err != nil {
		log.Fatal(err)
	}

	open := make(chan struct{}) // keeps the worker until all tasks wait
	if _, err := p.Submit(ctx, nil, func(context.Context) error { <-open; return nil }); err != nil {
		log.Fatal(err)
	}
	submit("report", "report", time.Minute)
	submit("long report", "report", 2*time.Minute)
	submit("mail", "mail", time.Second)
	close(open)
	if err := p.Close(ctx); err != nil { // waits for all of them
		log.Fatal(err)
	}
	// Output:
	// first report
	// first mail
	// mail
	// report
	// long report
}
