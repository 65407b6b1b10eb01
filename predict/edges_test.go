package predict_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"example.com/augur/predict"
)

func TestPilotsNearToEachOther(t *testing.T) {
	now := time.Unix(0, 0)
	for _, pilots := range [][]float64{{1e-200, 2e-200}, {0, 5e-324}, {5e-324, 0, 0}, {1, math.Nextafter(1, 2)}, {1e100, math.Nextafter(1e100, 0), 1e100}} {
		for _, seen := range [][]float64{nil, {1e-200}, {1e-200, 1e-200}, {0, 0}, pilots} {
			h := predict.Hybrid{Means: predictorOf(t), Spreads: predictorOf(t)}
			for range 2 {
				if err := h.Observe(nil, seen, now); err != nil {
					t.Fatal(err)
				}
			}
			belief, err := h.Predict(nil, pilots, now)
			if err != nil || !belief.OK() || math.IsNaN(belief.Mean()) {
				t.Errorf("after tasks %v, pilots %v are worth %+v, %v", seen, pilots, belief, err)
			}
		}
	}
}

func snapshot(ps ...*predict.Predictor) string {
	var b bytes.Buffer
	for _, p := range ps {
		if err := p.Snapshot(&b); err != nil {
			return err.Error()
		}
	}
	return b.String()
}

func predictorOf(t *testing.T) *predict.Predictor {
	p, err := predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
