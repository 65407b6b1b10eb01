package baseline_test

import (
	"log"
	"math/rand/v2"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// Ann's job could fill all four nodes for hours. It gets two of them, its tasks one after
// the other, and the others are there for short jobs.
func ExampleEagle() {
	estimate := func(j *policy.Job) (policy.Duration, bool) { return j.Requested, true }
	config := baseline.DefaultEagle(rand.NewPCG(1, 2), estimate, time.Hour)
	config.LongShare = 0.5
	p, err := baseline.NewEagle(config)
	if err != nil {
		log.Fatal(err)
	}
	long, short := batchJob(1, "ann", 8, 2*time.Hour), batchJob(2, "bob", 2, time.Minute)
	long.Stages[0].Gang, short.Stages[0].Gang = false, false
	startTimes(p, long, short)
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 0s
}
