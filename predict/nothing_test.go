package predict_test

import (
	"testing"
	"time"

	"example.com/augur/predict"
)

// What a caller may leave out is as nothing.
func TestNothingGiven(t *testing.T) {
	now := time.Unix(0, 0)
	p := predictorOf(t)
	for _, job := range []predict.Job{nil, predict.Attrs(nil), &predict.Calendar{At: now}} {
		if err := p.Observe(job, 3, now); err != nil {
			t.Error(err)
		}
		if x, ok := p.Estimate(job, now); x != 3 || !ok {
			t.Errorf("of %v it estimates %v, %v, want 3", job, x, ok)
		}
		if !p.Predict(job, now, nil) {
			t.Errorf("of %v there is no prediction", job)
		}
	}
	if _, ok := (&predict.Calendar{}).Attr("user"); ok {
		t.Error("a calendar without a job has a user")
	}
	h, c := predict.Hybrid{Means: p}, predict.Chooser{History: p}
	before := snapshot(p)
	if h.Observe(nil, []float64{1, 2}, now) == nil || c.Observe(nil, 1, 2, 3, now) == nil || !c.Sample(nil, now) {
		t.Error("half a Hybrid or a Chooser learns")
	}
	if _, err := h.Predict(nil, nil, now); err == nil {
		t.Error("half a Hybrid predicts")
	}
	if snapshot(p) != before {
		t.Error("the predictor has changed")
	}
}
