package predict_test

import (
	"slices"
	"testing"

	"example.com/augur/predict"
)

// Jobs have attributes under names of their own, which no feature of 3Sigma names. Nothing is predicted of them, unless All is
// asked for.
func TestAttributesThatNoFeatureNames(t *testing.T) {
	fast, slow := predict.Attrs{"tool": "fast"}, predict.Attrs{"tool": "slow"}
	p := newPredictor(t, predict.Config{})
	all := newPredictor(t, predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
	own := newPredictor(t, predict.Config{Features: []string{"tool", predict.All}})
	for _, p := range []*predict.Predictor{p, all, own} {
		for range 50 {
			observe(t, p, fast, 0.001)
			observe(t, p, slow, 10)
		}
	}
	var got predict.Prediction
	if x, ok := p.Estimate(fast, start); ok || p.Predict(fast, start, &got) || got.Feature != "" {
		t.Errorf("Estimate returns %v and true, Predict %v, want no prediction", x, &got)
	}
	if !slices.Equal(p.Missing(), predict.ThreeSigmaFeatures()) || !slices.Equal(p.Config().Features, predict.ThreeSigmaFeatures()) {
		t.Errorf("features %v are missing of %v, want all six", p.Missing(), p.Config().Features)
	}
	if !all.Predict(fast, start, &got) || got.Feature != predict.All {
		t.Errorf("with All: %v, want a prediction of it", &got)
	}
	if x, ok := own.Estimate(fast, start); !ok || x != 0.001 {
		t.Errorf("with a feature of its own: %v, %v, want 0.001", x, ok)
	}
	if x, ok := own.Estimate(slow, start); !ok || x != 10 {
		t.Errorf("with a feature of its own: %v, %v, want 10", x, ok)
	}
}
