package pool_test

import (
	"fmt"
	"log"
	"slices"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// A row is a job in the table of a database, which this map stands for. Other processes insert rows, and workers take them.
type row struct {
	kind, state string
	takes       time.Duration
}

// A queue in a database whose rows are taken in the order of a pool. In a program that runs, now is time.Now().
func ExampleQueue() {
	rows := map[int64]*row{
		1: {"report", "available", time.Hour}, 2: {"mail", "available", time.Second},
		3: {"report", "available", time.Hour}, 4: {"mail", "available", time.Second}, 5: {"mail", "cancelled", 0},
	}
	q, err := pool.NewQueue[int64](pool.Config{Features: []string{"kind"}}) // or OpenQueue, which keeps what it learns
	if err != nil {
		log.Fatal(err)
	}
	now := time.Unix(0, 0)
	for id := range int64(5) { // select all that wait, the oldest first: after a restart too
		q.Add(id+1, predict.Attrs{"kind": rows[id+1].kind}, now)
	}
	for ids := q.Next(2, now); len(ids) > 0; ids = q.Next(2, now) { // two workers are free
		for _, id := range ids {
			if rows[id].state != "available" { // update where id = any(ids) and state = 'available' returning id
				q.Remove(id)
				continue
			}
			rows[id].state = "running"
			q.Started(id, now)
		}
		for _, id := range slices.DeleteFunc(ids, func(id int64) bool { return rows[id].state != "running" }) {
			now = now.Add(rows[id].takes) // a worker has run it, and reports
			rows[id].state = "done"
			q.Ended(id, rows[id].takes, nil, now)
			fmt.Println(id, rows[id].kind)
		}
	}
	// Output:
	// 1 report
	// 2 mail
	// 4 mail
	// 3 report
}
