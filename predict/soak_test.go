package predict_test

import (
	"io"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"example.com/augur/predict"
)

// Eight goroutines observe and predict, while another one takes snapshots. The runtimes of a user lie in a range of its own,
// and so must what is predicted of it, and nothing that was observed gets lost.
func TestSoak(t *testing.T) {
	const workers, users, each = 8, 5000, 2000
	p := newPredictor(t, predict.Config{Features: []string{"user", "user+program"}, Values: 4096})
	var working, watching sync.WaitGroup
	done := make(chan struct{})
	watching.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
			if err := p.Snapshot(io.Discard); err != nil || p.Values() > 4096 {
				t.Errorf("%d values are held, and the error of Snapshot is %v", p.Values(), err)
			}
		}
	})
	for w := range workers {
		working.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(w)))
			var next predict.Prediction
			for i := range each {
				user := int(rng.ExpFloat64()*users/10) % users
				job := predict.Attrs{"user": strconv.Itoa(user), "program": strconv.Itoa(rng.IntN(3))}
				least, now := float64(1+user), start.Add(time.Duration(i)*time.Second)
				if err := p.Observe(job, least*(1+rng.Float64()), now); err != nil {
					t.Error(err)
					return
				}
				if !p.Predict(job, now, &next) {
					continue // dropped meanwhile
				}
				for _, x := range []float64{next.Runtime, next.Distribution().Quantile(0.5)} {
					if !(x >= least*(1-1e-9) && x <= 2*least*(1+1e-9)) {
						t.Errorf("user %d: %v is predicted, want %v to %v", user, x, least, 2*least)
					}
				}
			}
		})
	}
	working.Wait()
	close(done)
	watching.Wait()
	if got := p.Observed(); got != workers*each {
		t.Errorf("%d jobs were observed, want %d", got, workers*each)
	}
}
