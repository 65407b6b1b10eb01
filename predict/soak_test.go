package predict_test

import (
	"flag"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/augur/internal/heap"
	"example.com/augur/internal/leak"
	"example.com/augur/predict"
)

var soak = flag.Int("soak", 40_000, "`observations`, and as many predictions, by all goroutines of the soak together")

// Eight goroutines observe and predict, while another one takes snapshots and looks on. The runtimes of
// a user lie in a range of its own, and so must what is predicted of it; nothing that was observed gets lost,
// no goroutine is left, and there is no more in memory than of the values that are held.
func TestSoak(t *testing.T) {
	const workers, users = 8, 5000
	goroutines := runtime.NumGoroutine()
	begin := time.Now()
	var p *predict.Predictor
	var predicted, snapshots atomic.Int64
	bytes := heap.Of(func() *predict.Predictor {
		p = newPredictor(t, predict.Config{Features: []string{"user", "user+program"}, Values: 4096})
		var working, watching sync.WaitGroup
		done := make(chan struct{})
		watching.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(10 * time.Millisecond):
				}
				if err := p.Snapshot(io.Discard); err != nil {
					t.Error(err)
				}
				if n := p.Values(); n > 4096 {
					t.Errorf("%d values are held, want at most 4096", n)
				}
				if p.Observed() > 0 && len(p.Missing()) > 0 {
					t.Errorf("features %v are missing, want none", p.Missing())
				}
				snapshots.Add(1)
			}
		})
		for w := range workers {
			working.Go(func() {
				rng := rand.New(rand.NewPCG(1, uint64(w)))
				var next predict.Prediction
				for i := range *soak / workers {
					// A tenth of the users has most of the jobs.
					user := rng.IntN(users)
					if rng.IntN(4) > 0 {
						user %= users / 10
					}
					job := predict.Attrs{"user": strconv.Itoa(user), "program": strconv.Itoa(rng.IntN(3))}
					least := float64(1 + user)
					now := start.Add(time.Duration(i) * time.Second)
					if err := p.Observe(job, least*(1+rng.Float64()), now); err != nil {
						t.Error(err)
						return
					}
					user = rng.IntN(users)
					job["user"], least = strconv.Itoa(user), float64(1+user)
					in := func(what string, x float64) {
						if !(x >= least*(1-1e-9) && x <= 2*least*(1+1e-9)) {
							t.Errorf("user %d: %s is %v, want %v to %v", user, what, x, least, 2*least)
						}
					}
					if x, ok := p.Estimate(job, now); ok {
						in("estimate", x)
					}
					if p.Predict(job, now, &next) {
						predicted.Add(1)
						in("prediction", next.Runtime)
						in("median", next.Distribution().Quantile(0.5))
					}
				}
			})
		}
		working.Wait()
		close(done)
		watching.Wait()
		return p
	})
	if got, want := p.Observed(), uint64(*soak/workers*workers); got != want {
		t.Errorf("%d jobs were observed, want %d", got, want)
	}
	left := leak.Goroutines(goroutines)
	if left > goroutines {
		t.Errorf("%d goroutines, want %d as before", left, goroutines)
	}
	if most := int64(4096*(350+96+80*16) + 1<<20); bytes > most {
		t.Errorf("it takes %d bytes, want at most %d", bytes, most)
	}
	t.Logf("%d observations, %d predictions (%d of users that were known) and %d snapshots in %.1f s; %d bytes for %d values; %d goroutines before and %d after",
		p.Observed(), p.Observed(), predicted.Load(), snapshots.Load(), time.Since(begin).Seconds(), bytes, p.Values(), goroutines, left)
}
