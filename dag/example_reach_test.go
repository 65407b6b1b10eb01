package dag_test

import (
	"fmt"
	"slices"

	"example.com/augur/dag"
)

// Jobs that share files form a whole; what fails with a job is what reads from it, at first or
// second hand.
func ExampleNewReach() {
	const jobs = 7
	g, err := dag.New(jobs, []dag.Edge{
		{From: 0, To: 2}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 2, To: 4},
		{From: 5, To: 6},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, sizes := dag.Connected(g)
	fmt.Printf("%d groups, the largest of %d jobs\n", len(sizes), slices.Max(sizes))

	reach := dag.NewReach(g)
	fmt.Println("fail with job 0:", reach.Below(nil, 0))
	fmt.Println("needed by job 4:", reach.Above(nil, 4))
	fmt.Println("does 6 read from 0?", reach.Path(0, 6))
	// Output:
	// 2 groups, the largest of 5 jobs
	// fail with job 0: [2 3 4]
	// needed by job 4: [2 0 1]
	// does 6 read from 0? false
}
