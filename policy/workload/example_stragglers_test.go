package workload_test

import (
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// Two tasks of 10 s on average, whose copies differ.
func ExampleStragglers() {
	job := &workload.Job{
		Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}},
		Runtimes: [][]policy.Duration{{10 * time.Second, 10 * time.Second}},
	}
	source, err := workload.Stragglers{Seed: 3, Tail: 1.2, Bound: 100}.Source(workload.Of([]*workload.Job{job}))
	if err != nil {
		panic(err)
	}
	jobs, truth := workload.SplitSource(source)
	for range jobs { // the truth knows what has been read
	}
	for index := range uint32(2) {
		for n := range uint32(3) {
			c := policy.Copy{Task: policy.Task{Job: 1, Index: index}, N: n}
			d, _ := truth.Runtime(c)
			fmt.Printf("%v runs for %.1f s\n", c, d.Seconds())
		}
	}
	// Output:
	// 1/0/0#0 runs for 3.3 s
	// 1/0/0#1 runs for 6.8 s
	// 1/0/0#2 runs for 4.7 s
	// 1/0/1#0 runs for 5.5 s
	// 1/0/1#1 runs for 93.7 s
	// 1/0/1#2 runs for 3.5 s
}
