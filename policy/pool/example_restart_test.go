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

// runInvoices opens a pool whose memory outlives the program, and sends invoices.
func runInvoices(ctx context.Context, file string) error {
	p, err := pool.Open(file, pool.Config{Workers: 4, Features: []string{"kind"}, MaxWait: time.Minute})
	if err != nil {
		return err
	}
	for range 20 {
		task, err := pool.Go(ctx, p, predict.Attrs{"kind": "invoice"}, sendInvoice)
		if err != nil {
			return err
		}
		_, _, known := task.Interval(0.9) // nine invoices of ten take between these bounds
		number, err := task.Value()
		fmt.Println("invoice", number, "interval known:", known, err)
	}
	return p.Close(ctx) // saves
}

var sent int

func sendInvoice(context.Context) (number int, err error) {
	sent++
	return sent, nil
}

// What a pool has learned outlives the program: after 20 invoices it knows how long the next one takes. No task is overtaken
// for more than a minute.
func Example_restart() {
	dir, err := os.MkdirTemp("", "pool")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "runtimes")
	if err := errors.Join(runInvoices(context.Background(), file), runInvoices(context.Background(), file)); err != nil {
		log.Fatal(err)
	}
}
