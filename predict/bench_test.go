package predict_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/predict"
)

// Jobs of all features of the default, of which the predictor has seen many.
func hot(b *testing.B) (*predict.Predictor, []*policy.Job, []float64) {
	rng := rand.New(rand.NewPCG(1, 1))
	p := newPredictor(b, predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
	jobs := make([]*policy.Job, 256)
	runtimes := make([]float64, 1<<12)
	for i := range runtimes {
		runtimes[i] = math.Exp(5 + 2*rng.NormFloat64())
	}
	for i := range jobs {
		at := start.Add(time.Duration(i) * time.Hour)
		jobs[i] = &policy.Job{Attrs: []policy.Attr{
			{Name: "user", Value: fmt.Sprint("u", i%8)}, {Name: "program", Value: fmt.Sprint("l", i%32)},
			{Name: "jobname", Value: fmt.Sprint("j", i)}, {Name: "cpu", Value: "0.0125"}, {Name: "memory", Value: "0.0159"},
			{Name: "hour", Value: fmt.Sprint(at.Hour())}, {Name: "day", Value: at.Weekday().String()},
		}}
	}
	for i := range 100 * len(jobs) {
		observe(b, p, jobs[i%len(jobs)], runtimes[i%len(runtimes)])
	}
	return p, jobs, runtimes
}

func BenchmarkObserve(b *testing.B) {
	p, jobs, runtimes := hot(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := p.Observe(jobs[i%len(jobs)], runtimes[i%len(runtimes)], start); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkPredict(b *testing.B) {
	p, jobs, _ := hot(b)
	b.ReportAllocs()
	var next predict.Prediction
	i := 0
	for b.Loop() {
		if !p.Predict(jobs[i%len(jobs)], start, &next) {
			b.Fatal("no prediction")
		}
		i++
	}
}
