package pool_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// runInvoices opens a pool whose memory outlives the program, and sends invoices.
func runInvoices(ctx context.Context, file string) error {
	p, err := pool.Open(file, pool.Config{Workers: 4, Features: []string{"kind"}, MaxWait: time.Minute, Now: now})
	if err != nil {
		return err
	}
	for i := range 30 {
		task, err := pool.Go(ctx, p, predict.Attrs{"kind": "invoice"}, sendInvoice)
		if err != nil {
			return err
		}
		low, high, ok := task.Interval(0.9) // nine invoices of ten take between these, if ok
		if number, err := task.Value(); err != nil || number != 1 {
			return err
		}
		if i == 0 {
			fmt.Println("the first takes", low.Round(time.Millisecond), "to", high.Round(time.Millisecond), ok)
		}
	}
	return p.Close(ctx) // saves
}

func sendInvoice(context.Context) (number int, err error) {
	elapsed.Add(int64(time.Second)) // stands for work
	return 1, nil
}

// What a pool has learned outlives the program: after 30 invoices it knows how long the next one takes. No task is overtaken
// for more than a minute.
func Example_restart() {
	dir, err := os.MkdirTemp("", "pool")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "runtimes")
	for range 2 {
		if err := runInvoices(context.Background(), file); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// the first takes 0s to 0s false
	// the first takes 1s to 1s true
}
