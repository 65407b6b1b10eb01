package pool_test

import (
	"fmt"
	"log"
	"time"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// A row is a job in the table of a database, which this map stands for. Other processes insert rows, and workers take them.
type row struct {
	kind, state string
	takes       time.Duration
}

// take stands for: update rows set state = 'running' where id = $1 and state = 'available'
func (r *row) take() bool {
	free := r.state == "available"
	if free {
		r.state = "running"
	}
	return free
}

// A queue in a database whose rows are taken in the order of a pool. In a program that runs, now is time.Now().
func ExampleQueue() {
	rows := []*row{
		{"report", "available", time.Hour}, {"mail", "available", time.Second}, {"report", "available", time.Hour},
		{"mail", "available", time.Second}, {"mail", "cancelled", 0},
	}
	q, err := pool.NewQueue[int](pool.Config{Features: []string{"kind"}}) // or OpenQueue, which keeps what it learns
	if err != nil {
		log.Fatal(err)
	}
	now := time.Unix(0, 0)
	for id, row := range rows { // all that wait, the oldest first: after a restart too
		q.Add(id, predict.Attrs{"kind": row.kind}, now)
	}
	for ids := q.Next(2, now); len(ids) > 0; ids = q.Next(2, now) { // two workers are free
		for _, id := range ids {
			if row := rows[id]; row.take() && q.Started(id, now) {
				now = now.Add(row.takes) // a worker runs it, and reports
				q.Ended(id, row.takes, nil, now)
				fmt.Println(id, row.kind)
			}
			q.Remove(id) // what could not be taken; nothing, if it has ended
		}
	}
	// Output:
	// 0 report
	// 1 mail
	// 3 mail
	// 2 report
}
