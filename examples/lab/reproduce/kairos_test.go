package main

import (
	"fmt"
	"math"
	"testing"
)

// What is published agrees with itself, if the median of Kairos is 217 s.
func TestKairosPublished(t *testing.T) {
	for _, rival := range []string{"FIFO", "Big-C"} {
		for p, ours := range map[string]float64{"P50": 217, "P99": 1452} {
			theirs := kairosPublished[fmt.Sprintf("%s, JCT %s, s", rival, p)]
			saved := kairosPublished[fmt.Sprintf("Kairos, JCT %s, s, below %s's by %%", p, rival)]
			if got := 100 * (1 - ours/theirs); !(math.Abs(got-saved) <= 1) {
				t.Errorf("%s of Kairos is published to be %.0f %% below %s's, %.1f %% by its times", p, saved, rival, got)
			}
		}
	}
}
