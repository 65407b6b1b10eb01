package cli

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
)

// By R: exp(t.test(log(c(0.8, 1, 1.25)))$conf.int).
func TestPair(t *testing.T) {
	p := Pair([]float64{math.Log(0.8), 0, math.Log(1.25)})
	if !scalar.EqualWithinAbs(p.Ratio, 1, 1e-12) || !scalar.EqualWithinAbs(*p.Low, 0.5744692, 1e-4) || !scalar.EqualWithinAbs(*p.High, 1.7407374, 1e-4) {
		t.Errorf("got %v", p)
	}
	if p := Pair([]float64{0.5}); p.Low != nil || p.High != nil {
		t.Errorf("of one seed: %v", p)
	}
	if p := Pair([]float64{math.Inf(1), 0}); p != nil {
		t.Errorf("of a ratio to 0: %v", p)
	}
}
