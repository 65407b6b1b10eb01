package slearn

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

func newHybrid() *Hybrid {
	var c HybridConfig
	byUser := predict.Config{Features: []string{"user"}}
	c.Means, c.Spreads = jobtest.Must(predict.New(byUser)), jobtest.Must(predict.New(byUser))
	c.Sampling = SamplingConfig{Src: rand.NewPCG(1, 2)}
	return jobtest.Must(NewHybrid(c))
}

// History's means are 8 and 12, with a variance of 4, and tasks vary by half of their
// mean. Two pilots of 4 and 8 s: precision 1/4 of history, 2/9 of the pilots, and a mean of
// (10/4 + 12/9)/(1/4 + 2/9) = 138/17.
func TestHybrid(t *testing.T) {
	h := newHybrid()
	for _, mean := range []float64{8, 12} {
		if err := learn(h, userJob(1, "u", 2), mean/2, mean*3/2); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		h.Ended(userJob(1, "u", 2), Record{Outcome: policy.Cancelled, Runtimes: moments(1000, 1000)}), // is not learned
		learn(h, userJob(1, "alone", 1), 8),
	); err != nil {
		t.Fatal(err)
	}
	if means, spreads := h.config.Means.Values(), h.config.Spreads.Values(); means != 2 || spreads != 1 {
		t.Errorf("means of %d users and spreads of %d, want 2 and 1, since one task has no spread", means, spreads)
	}
	j := userJob(2, "u", 10)
	if got, want := h.Work(j, 0, []float64{4, 8}), 138./17*20; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v core-seconds, want %v", got, want)
	}
	if got := h.Work(userJob(2, "new", 10), 0, []float64{4, 8}); got != 6*20 {
		t.Errorf("%v core-seconds of a new user, want 120", got)
	}
	if plan, err := h.Plan(j, 0); err != nil || plan.When != Later || plan.Pilots != 1 {
		t.Errorf("plan %v (%v), want a pilot", plan, err)
	}

	thin := userJob(3, "u", 2)
	if plan, _ := h.Plan(thin, 0); !plan.Bypass {
		t.Errorf("plan %v of a thin job, want a bypass", plan)
	}
}

// What pilots alone tell, and what they and a certain history of 7 s do.
func TestHybridPosterior(t *testing.T) {
	h := newHybrid()
	for _, past := range []float64{7, 7} {
		if err := learn(h, userJob(1, "certain", 2), past, past); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		user         string
		pilots       []float64
		mean, stddev float64
	}{
		{"new", []float64{4}, 4, 4},
		{"new", []float64{4, 6}, 5, 1},                         // √2 / √2
		{"new", []float64{4, 4, 4}, 4, 0},                      // they agree
		{"new", []float64{0}, 0, 0},                            // and so does this one
		{"new", []float64{1, 2, 3, 4, 5}, 3, 0.5 * math.Sqrt2}, // √2.5 / √5
		{"certain", []float64{7}, 7, 0},
		{"certain", []float64{9}, 9, 0}, // the pilots contradict it
		{"certain", []float64{9, 11}, 10, 1},
	} {
		got := h.posterior(userJob(2, test.user, 10), test.pilots, time.Time{})
		if math.Abs(got.Mean-test.mean) > 1e-12 || math.Abs(got.StdDev-test.stddev) > 1e-12 {
			t.Errorf("%s, pilots %v: %v, want %v ± %v", test.user, test.pilots, got, test.mean, test.stddev)
		}
	}
}
