package predict_test

import (
	"math"
	"testing"
	"time"

	"example.com/augur/predict"
)

// clocked are predictors for which dates matter. What is a hundred hours old counts for nothing, or nearly so.
var clocked = map[string]predict.Config{
	"window":    {Features: []string{"user"}, Window: 8 * time.Hour},
	"half-life": {Features: []string{"user"}, HalfLife: 2 * time.Hour},
}

// One job is dated far too late. The predictor still forgets what is old among those that come after it.
func TestDateInTheFuture(t *testing.T) {
	ann := predict.Attrs{"user": "ann"}
	for name, config := range clocked {
		t.Run(name, func(t *testing.T) {
			p := newPredictor(t, config)
			at := func(hour int, runtime float64) {
				t.Helper()
				if err := p.Observe(ann, runtime, start.Add(time.Duration(hour)*time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			var got predict.Prediction
			jobs := func(hour int) float64 {
				if !p.Predict(ann, start.Add(time.Duration(hour)*time.Hour), &got) {
					return 0
				}
				return got.Candidates[0].Jobs
			}
			for hour := range 50 {
				at(hour, 10)
			}
			usual := jobs(49)
			at(50*365*24, 1e6)
			for hour := 50; hour < 150; hour++ {
				at(hour, 10)
			}
			if n := jobs(149); math.Abs(n-usual) > 1e-6 {
				t.Errorf("%v jobs count in the end, want %v as before the wrong date", n, usual)
			}
			if mean := got.Candidates[0].Estimates[predict.Mean]; math.Abs(mean-10) > 1e-6 {
				t.Errorf("the mean is %v in the end, want 10", mean)
			}
			if n := jobs(149 + 100); n > usual*1e-6 && config.Window > 0 {
				t.Errorf("%v jobs count 100 hours later, want none", n)
			}
		})
	}
}
