package predict_test

import (
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"example.com/augur/predict"
)

// A Hybrid and a Chooser are used by several goroutines at once, and the race detector looks on.
func TestHybridAndChooserAtOnce(t *testing.T) {
	of := func() *predict.Predictor { return newPredictor(t, predict.Config{Features: []string{"user"}}) }
	hybrid := &predict.Hybrid{Means: of(), Spreads: of()}
	chooser := &predict.Chooser{Sampling: of(), History: of()}
	const workers, jobs = 4, 500
	var working sync.WaitGroup
	for w := range workers {
		working.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(w)))
			for range jobs {
				job := predict.Attrs{"user": strconv.Itoa(rng.IntN(10))}
				tasks := []float64{10 + rng.Float64(), 10 + rng.Float64(), 10 + rng.Float64()}
				if err := hybrid.Observe(job, tasks, start); err != nil {
					t.Error(err)
				}
				if p, err := hybrid.Predict(job, tasks[:1], start); err != nil || !(p.Mean() > 9.9 && p.Mean() < 11.1) {
					t.Errorf("prediction %v and error %v, want 10 to 11", p, err)
				}
				if err := chooser.Observe(job, 10, 12, 10.5, start); err != nil {
					t.Error(err)
				}
				if !chooser.Sample(job, start) {
					t.Error("history is chosen, which errs more")
				}
			}
		})
	}
	working.Wait()
	for _, p := range []*predict.Predictor{hybrid.Means, hybrid.Spreads, chooser.Sampling, chooser.History} {
		if got := p.Observed(); got != workers*jobs {
			t.Errorf("%d jobs were observed, want %d", got, workers*jobs)
		}
	}
}
