package histogram_test

import (
	"testing"
	"time"

	"example.com/augur/histogram"
)

// What Scale advises goes on after any silence, also before the first value: here the weight of a value is infinite from
// 1024 half-lives on.
func TestFadingAfterSilence(t *testing.T) {
	at := time.Unix(0, 0)
	f := fading{Histogram: new(histogram.Histogram), halfLife: time.Second, reference: at}
	for i, silence := range []time.Duration{2000, 1, 1024, 1e6} {
		at = at.Add(silence * time.Second)
		if err := f.add(float64(i), at); err != nil {
			t.Errorf("after %d half-lives: %v", silence, err)
		}
		if got := f.Quantile(0.6); got != float64(i) {
			t.Errorf("after %d half-lives, Quantile(0.6) is %v, want %v, the latest value", silence, got, i)
		}
	}
}
