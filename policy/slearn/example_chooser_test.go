package slearn

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"time"

	"example.com/augur/policy"
	"example.com/augur/predict"
)

// jobOf returns a job of four tasks.
func jobOf(user string) *policy.Job {
	return &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "user", Value: user}}, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}}
}

// Ann's jobs recur: their tasks differ, but they take 100 s in the mean, each time. The tasks
// of each of Bob's jobs are alike, but no job is like another. Cid is new.
func ExampleChooser() {
	byUser := predict.Config{Features: []string{"user"}}
	var predictors [3]*predict.Predictor
	for i := range predictors {
		var err error
		if predictors[i], err = predict.New(byUser); err != nil {
			log.Fatal(err)
		}
	}
	history, err := NewHistory(HistoryConfig{Predictor: predictors[0]})
	if err != nil {
		log.Fatal(err)
	}
	chooser, err := NewChooser(ChooserConfig{
		Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: history,
		SamplingErrors: predictors[1], HistoryErrors: predictors[2],
	})
	if err != nil {
		log.Fatal(err)
	}
	forecast := NewForecast(chooser)
	long := 10 * time.Second
	for range 5 {
		err := errors.Join(
			forecast.Learn(jobOf("ann"), []time.Duration{10 * time.Second, 190 * time.Second, 50 * time.Second, 150 * time.Second}, 0),
			forecast.Learn(jobOf("bob"), []time.Duration{long, long * 101 / 100, long, long * 99 / 100}, 0),
		)
		if err != nil {
			log.Fatal(err)
		}
		long *= 3
	}
	for _, user := range []string{"ann", "bob", "cid"} {
		plan, err := chooser.Plan(jobOf(user), 0)
		if err != nil {
			log.Fatal(err)
		}
		if plan.When == Now {
			fmt.Printf("%s: %.0f core-seconds, by history\n", user, plan.Work)
		} else {
			fmt.Printf("%s: %d pilot\n", user, plan.Pilots)
		}
	}
	// Output:
	// ann: 400 core-seconds, by history
	// bob: 1 pilot
	// cid: 1 pilot
}
