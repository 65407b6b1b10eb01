package estimate_test

import (
	"fmt"

	"example.com/augur/estimate"
)

// progress says how much work a job of many like tasks has left, by those of its tasks that have finished.
type progress struct {
	tasks    int64
	finished estimate.Moments // runtimes in seconds
}

// left returns the expected work that is left, in slot-seconds.
func (p *progress) left() float64 {
	mean, _ := p.finished.Mean()
	return float64(p.tasks-p.finished.N()) * mean
}

// A host asks again each time that some tasks have finished.
func Example_progress() {
	job := progress{tasks: 100}
	for i := range 50 {
		job.finished.Add(20 + float64(i*7%11))
		if n := job.finished.N(); n == 5 || n == 50 {
			fmt.Printf("after %d tasks: %.0f slot-seconds\n", n, job.left())
		}
	}
	// Output:
	// after 5 tasks: 2394 slot-seconds
	// after 50 tasks: 1248 slot-seconds
}
