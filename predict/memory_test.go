package predict_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"

	"example.com/augur/predict"
)

// A numbered job has a number as its value of each of the six attributes a to f.
type numbered [6]int

var numberTexts = func() []string {
	texts := make([]string, 1_000_000/6)
	for i := range texts {
		texts[i] = strconv.Itoa(i)
	}
	return texts
}()

func (n *numbered) Attr(name string) (string, bool) { return numberTexts[n[name[0]-'a']], true }

func (n *numbered) random(rng *rand.Rand) {
	for i := range n {
		n[i] = rng.IntN(len(numberTexts))
	}
}

// million returns a predictor with a million values, each of which has seen 20 jobs, and
// what it holds of memory.
func million(b *testing.B) (p *predict.Predictor, bytes float64) {
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	p = newPredictor(b, predict.Config{Features: []string{"a", "b", "c", "d", "e", "f"}, Values: 1 << 20})
	rng := rand.New(rand.NewPCG(1, 1))
	var job numbered
	for i := range 20 * len(numberTexts) {
		for a := range job {
			job[a] = (i + a) % len(numberTexts)
		}
		if err := p.Observe(&job, math.Exp(5+2*rng.NormFloat64()), time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
	return p, heap() - before
}

// Each job has six values at random among a million, so that hardly any is in a cache.
func BenchmarkMillionValues(b *testing.B) {
	p, bytes := million(b)
	values := float64(p.Stats().Values)
	rng := rand.New(rand.NewPCG(2, 2))
	var job numbered
	var next predict.Prediction
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var times []time.Duration
			for b.Loop() {
				job.random(rng)
				for _, i := range job {
					_ = numberTexts[i][0]
				}
				begin := time.Now()
				f()
				times = append(times, time.Since(begin))
			}
			b.ReportMetric(quantile(times, 0.5), "p50-ns")
			b.ReportMetric(quantile(times, 0.99), "p99-ns")
			b.ReportMetric(bytes/values, "bytes/value")
		})
	}
	run("predict", func() { p.Predict(&job, start, &next) })
	run("estimate", func() { p.Estimate(&job, start) })
	run("observe", func() {
		if err := p.Observe(&job, 100, start); err != nil {
			b.Fatal(err)
		}
	})
}
