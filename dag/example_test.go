package dag_test

import (
	"errors"
	"fmt"

	"example.com/augur/dag"
)

// The stages of a job, and who reads whose output.
const (
	extract uint32 = iota
	users
	orders
	join
	report
	stages
)

var names = []string{"extract", "users", "orders", "join", "report"}

var edges = []dag.Edge{
	{From: extract, To: users},
	{From: extract, To: orders},
	{From: users, To: join},
	{From: orders, To: join},
	{From: join, To: report},
	{From: users, To: report},
}

// The time to finish a job on an idle cluster is that of its longest path. One pass over
// the order finds it, for each node comes after all that it reads.
func Example() {
	g, err := dag.New(int(stages), edges)
	if err != nil {
		fmt.Println(err)
		return
	}

	seconds := []int{extract: 30, users: 5, orders: 60, join: 20, report: 10}
	done := make([]int, g.Len())
	for _, v := range g.Order() {
		start := 0
		for _, from := range g.In(v) {
			start = max(start, done[from])
		}
		done[v] = start + seconds[v]
		fmt.Printf("%-8s %3d s to %3d s, read by %d\n", names[v], start, done[v], len(g.Out(v)))
	}

	// A job that waits for itself can never run.
	_, err = dag.New(int(stages), append(edges, dag.Edge{From: join, To: users}))
	if c, ok := errors.AsType[*dag.CycleError](err); ok {
		fmt.Println("refused, for these wait for one another:")
		for _, v := range c.Cycle {
			fmt.Println(names[v])
		}
	}
	// Output:
	// extract    0 s to  30 s, read by 2
	// users     30 s to  35 s, read by 2
	// orders    30 s to  90 s, read by 1
	// join      90 s to 110 s, read by 1
	// report   110 s to 120 s, read by 0
	// refused, for these wait for one another:
	// join
	// users
}
