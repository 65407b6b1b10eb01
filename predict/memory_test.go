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

// million returns a predictor with a million values, and the memory that each took when it
// had seen 20 jobs. It has seen 25, so that most histograms have been made.
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
	for round := range 25 {
		if round == 20 {
			bytes = (heap() - before) / float64(p.Values())
		}
		for i := range numberTexts {
			for a := range job {
				job[a] = (i + a) % len(numberTexts)
			}
			if err := p.Observe(&job, math.Exp(5+2*rng.NormFloat64()), time.Time{}); err != nil {
				b.Fatal(err)
			}
		}
	}
	runtime.GC()
	return p, bytes
}

// Each job has six values at random among a million, so that hardly any is in a cache.
func BenchmarkMillionValues(b *testing.B) {
	p, bytes := million(b)
	rng := rand.New(rand.NewPCG(2, 2))
	var job numbered
	var next predict.Prediction
	touched := 0
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var times []time.Duration
			for b.Loop() {
				job.random(rng)
				for _, i := range job { // a host has just seen the job
					touched += int(numberTexts[i][0])
				}
				begin := time.Now()
				f()
				times = append(times, time.Since(begin))
			}
			b.ReportMetric(quantile(times, 0.5), "p50-ns")
			b.ReportMetric(quantile(times, 0.99), "p99-ns")
			b.ReportMetric(bytes, "bytes/value")
		})
	}
	run("predict", func() { p.Predict(&job, start, &next) })
	run("estimate", func() { p.Estimate(&job, start) })
	run("observe", func() {
		if err := p.Observe(&job, 100, start); err != nil {
			b.Fatal(err)
		}
	})
	if touched == 0 {
		b.Error("nothing was touched")
	}
}
