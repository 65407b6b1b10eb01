package main

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// The quick form tells of all figures.
func TestKairos(t *testing.T) {
	r := reportOf(t, "kairos", form{seeds: 1, few: 10})
	_, published := told(t, r, slices.DeleteFunc(slices.Clone(kairosReasons), func(y reason) bool { return y.workload == "heavy-tailed, draws like it" }))
	mentioned(t, r, "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7a", "Fig. 7b", "Fig. 8", "Fig. 9")
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

// What must come out of a hundred jobs, and is told of draws that are like that of the paper.
func TestKairosHundredJobs(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	heavy := heavyTailed(form{seeds: 1})
	heavy.seeds = 16 // of which the last three are like that of the paper
	maps := heavy.with("60 maps", func(b *kairosBed) { b.params.LongMaps = 60 })
	r := &report{paper: "kairos"}
	if err := r.tell(t.Context(), []item{kairosCompletion(form{}, "Fig. 4", heavy, kairosPublished), kairosAlike(heavy), kairosTies(heavy), kairosCompletion(form{}, "Fig. 4", maps, kairosPublished)}); err != nil {
		t.Fatal(err)
	}
	measured, _ := told(t, r, slices.DeleteFunc(slices.Clone(kairosReasons), func(y reason) bool { return y.workload != "heavy-tailed, draws like it" }))
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
	// Since nodes of equal variance are drawn, it makes no odds which node gets a task. With the least ID first Var was a percent better.
	variance := at("heavy-tailed: Fig. 6, Var, mean JCT, s")
	for _, other := range []string{"Random", "Sum"} {
		if mean := at("heavy-tailed: Fig. 6, " + other + ", mean JCT, s"); math.Abs(variance-mean) > 0.01*mean {
			t.Errorf("mean JCT is %.1f s under Var and %.1f s under %s, want as much", variance, mean, other)
		}
	}
}

// What only -full runs, on little, and without real traces.
func TestKairosFull(t *testing.T) {
	r := reportOf(t, "kairos", form{seeds: 1, few: 10, full: true, traces: t.TempDir()})
	if n := dropMissing(r); n != 2 {
		t.Errorf("%d traces are said to be missing, want 2", n)
	}
	once := &bed[bigJobs]{name: "generated", seeds: 1, draw: func(seed uint64) (bigJobs, error) {
		return bigJobs{seed, bigTraces[1].generate(seed, 50)}, nil
	}}
	if err := r.tell(t.Context(), []item{bigTraces[1].sweep("generated", once)}); err != nil {
		t.Fatal(err)
	}
	told(t, r, nil)
	for _, name := range []string{"heavy-tailed, tasks alike", "generated"} {
		if !slices.ContainsFunc(r.lines, func(l line) bool { return l.Workload == name }) {
			t.Errorf("nothing is told of %s", name)
		}
	}
}
