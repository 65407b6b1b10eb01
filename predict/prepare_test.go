package predict

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

// A job that was prepared is as good as the job, also where its keys are of no use: with numbers, found features, by another
// predictor and after a Restore. The mean is that of the distribution.
func TestPrepared(t *testing.T) {
	for name, c := range snapshotConfigs {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 5))
			p, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			q, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			now := time.Unix(1e9, 0)
			for i := range 300 {
				job, runtime := randomJob(rng)
				var ready, of Prepared
				p.Prepare(&ready, job)
				q.Prepare(&of, &ready)
				if i == 150 {
					if err := p.Restore(bytes.NewReader(snapshot(t, p))); err != nil { // with keys of before
						t.Fatal(err)
					}
				}
				now = now.Add(time.Duration(rng.ExpFloat64() * float64(20*time.Minute)))
				if p.HasFeature(&ready) != q.HasFeature(job) {
					t.Fatal("features differ")
				}
				want, ok := q.Estimate(job, now)
				if got, known := p.Estimate(&ready, now); got != want || known != ok {
					t.Fatalf("estimate %v, %v, want %v, %v", got, known, want, ok)
				}
				var next Prediction
				mean, known := q.Mean(job, now)
				if ok := q.Predict(job, now, &next); ok != known || ok && !(math.Abs(mean-next.Distribution().Mean()) <= 1e-9*mean) {
					t.Fatalf("mean %v, %v, want %v", mean, known, next.Distribution().Mean())
				}
				if err := p.Observe(&ready, runtime, now); err != nil {
					t.Fatal(err)
				}
				if err := q.Observe(&of, runtime, now); err != nil {
					t.Fatal(err)
				}
				if got, _ := ready.Attr("user"); got != job["user"] {
					t.Fatal("attributes differ")
				}
			}
			equal(t, p, q, Attrs{"user": "1", "program": "2"}, now)
		})
	}
	var none Prepared
	if _, ok := none.Attr("user"); ok {
		t.Error("a zero Prepared has attributes")
	}
}

// However many kinds of jobs come, no more are kept than Config.Values.
func TestKindsAreBounded(t *testing.T) {
	p, err := New(Config{Features: []string{"a"}, Values: 10})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		var j Prepared
		p.Prepare(&j, Attrs{"a": strconv.Itoa(i)})
		if err := p.Observe(&j, 1, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.kinds); n > 10 {
		t.Errorf("%d kinds are kept, want at most 10", n)
	}
}
