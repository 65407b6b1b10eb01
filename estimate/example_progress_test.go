package estimate_test

import (
	"fmt"
	"log"

	"example.com/augur/estimate"
)

// progress says of a job of many like tasks how much longer it will take, by those of its
// tasks that have finished.
type progress struct {
	tasks, slots int
	finished     estimate.Sample // runtimes in seconds
}

// left returns what is still to be done, in slot-seconds, with the standard deviation of
// what that is off by.
func (p *progress) left() (work, off float64) {
	return p.finished.Total(p.tasks - p.finished.N())
}

// atBest returns how long the rest takes at least on average: as long as its work takes all
// slots, and as long as the longest of the tasks, most likely, that are left.
func (p *progress) atBest() (float64, error) {
	rest := p.tasks - p.finished.N()
	if rest == 0 {
		return 0, nil
	}
	longest, err := estimate.MeanOfLargest(&p.finished, rest)
	if err != nil {
		return 0, err
	}
	work, _ := p.left()
	return max(work/float64(p.slots), longest), nil
}

// A host asks again each time that some tasks have finished.
func Example_progress() {
	job := progress{tasks: 100, slots: 10}
	for i := range 96 {
		if err := job.finished.Add(20 + float64(i*7%11)); err != nil {
			log.Fatal(err)
		}
		if n := job.finished.N(); n == 5 || n == 50 || n == 96 {
			work, off := job.left()
			rest, err := job.atBest()
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("after %d tasks: %.0f ± %.0f slot-seconds, %.0f s\n", n, work, off, rest)
		}
	}
	// Output:
	// after 5 tasks: 2394 ± 167 slot-seconds, 239 s
	// after 50 tasks: 1248 ± 32 slot-seconds, 125 s
	// after 96 tasks: 100 ± 7 slot-seconds, 28 s
}
