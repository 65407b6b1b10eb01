package main

import (
	"fmt"
	"math"
	"testing"
)

func TestKairos(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	r := reportOf(t, "kairos", form{seeds: 2})
	measured, published := told(t, r, kairosReasons)
	marked(t, r, kairosHeadlines)
	at := func(key string) float64 {
		t.Helper()
		x, ok := measured[key]
		if !ok {
			t.Errorf("%s is not told", key)
		}
		return x
	}
	// Least attained service serves most jobs sooner than FIFO, if not the last ones.
	for _, workload := range []string{"heavy-tailed", "heavy-tailed, 60 maps"} {
		for _, rules := range []string{"Kairos, as in its code", "Kairos, no starvation rule"} {
			if saved := at(workload + ": Fig. 4, " + rules + ", JCT P50, s, below FIFO's by %"); !(saved > 0) {
				t.Errorf("%s: the median of %s is below FIFO's by %.1f %%, want more than 0", workload, rules, saved)
			}
		}
	}
	variance := at("heavy-tailed: Fig. 6, Var, mean JCT, s")
	for _, other := range []string{"Random", "Sum"} {
		if mean := at("heavy-tailed: Fig. 6, " + other + ", mean JCT, s"); !(variance <= mean) {
			t.Errorf("mean JCT is %.1f s under Var and %.1f s under %s, want no more", variance, mean, other)
		}
	}
	// What is published agrees with itself, if the median of Kairos is 217 s.
	for rival, times := range map[string][2]float64{"FIFO": {217, 1452}, "Big-C": {217, 1452}} {
		for i, p := range []string{"P50", "P99"} {
			theirs := published[fmt.Sprintf("heavy-tailed: Fig. 4, %s, JCT %s, s", rival, p)]
			saved := published[fmt.Sprintf("heavy-tailed: Fig. 4, Kairos, JCT %s, s, below %s's by %%", p, rival)]
			if got := 100 * (1 - times[i]/theirs); !(math.Abs(got-saved) <= 1) {
				t.Errorf("%s of Kairos is published to be %.0f %% below %s's, %.1f %% by its times", p, saved, rival, got)
			}
		}
	}
}

// What only -full runs, on little.
func TestKairosSettings(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	r := &report{paper: "kairos"}
	few := &bed[bigJobs]{name: "generated", seeds: 1, draw: func(seed uint64) (bigJobs, error) {
		return bigJobs{seed, bigTraces[1].generate(seed)[:50]}, nil
	}}
	if err := r.tell(t.Context(), []item{kairosSplits(heavyTailed(form{seeds: 1})), bigTraces[1].sweep("generated", few)}); err != nil {
		t.Fatal(err)
	}
	told(t, r, nil)
}
