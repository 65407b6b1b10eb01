package main

import (
	"fmt"
	"testing"
)

// The quick form tells of all figures.
func TestWing(t *testing.T) {
	r := reportOf(t, "wing", form{seeds: 1, few: 100})
	measured, published := told(t, r, wingReasons)
	mentioned(t, r, "Fig. 2", "Fig. 3", "Fig. 6", "Fig. 9", "Fig. 10", "Fig. 11", "Fig. 12", "3.2", "7.1", "7.2", "7.3")
	testWingShares(t, measured)
	testWingPublished(t, published)
}

// testWingShares checks what must hold of any lake.
func testWingShares(t *testing.T, measured map[string]float64) {
	t.Helper()
	at := func(format string, args ...any) float64 {
		t.Helper()
		key := fmt.Sprintf(format, args...)
		x, ok := measured[key]
		if !ok {
			t.Errorf("%s is not told", key)
		}
		return x
	}
	// More thresholds are more selective, and more iterations find more.
	last := at("lake: Fig. 2, recall at tr 5 %%, %%")
	for _, tr := range []int{10, 20, 30, 50, 70, 80, 90, 100} {
		now := at("lake: Fig. 2, recall at tr %d %%, %%", tr)
		if now > last {
			t.Errorf("recall at tr %d %% is %v, above %v before", tr, now, last)
		}
		last = now
	}
	last = 0
	for k := range 8 {
		now := at("lake: Fig. 6, value found in iteration %d, %%", k)
		if now < last || now > 100+1e-9 {
			t.Errorf("%v %% of the value is found in iteration %d, %v %% before", now, k, last)
		}
		last = now
	}
	if last < 99.9 {
		t.Errorf("%v %% of the value is found in the end, want all", last)
	}
	const queues = "lake, queues of organisations: "
	for _, p := range []struct {
		figure int
		system wingSystem
	}{{10, prio}, {11, wingDirect}, {10, wingAgg}} {
		for _, capacity := range []int{100, 60, 40, 20} {
			if x := at(queues+"Fig. %d, value under %s at %d %% capacity, %%", p.figure, p.system.name, capacity); x < 0 || x > 100 {
				t.Errorf("%s attains %v %% at %d %%", p.system.name, x, capacity)
			}
		}
	}
	// Two ways to the same number.
	agg, direct := at(queues+"Fig. 10, value under Wing-Agg at 20 %% capacity, %%"), at(queues+"Fig. 11, value under Wing-Direct at 20 %% capacity, %%")
	sameShare(t, at(queues+"Fig. 10, value under Wing-Agg less that under Wing-Direct at 20 %% capacity, %% of all value"), agg-direct)
	sameShare(t, at(queues+"7.2, value at 20 %% capacity after 0 iterations, %%"), direct)
	sameShare(t, at(queues+"7.2, value at 20 %% capacity after 9 iterations, %%"), agg)
}

// testWingPublished checks what follows from one published number for another.
func testWingPublished(t *testing.T, published map[string]float64) {
	t.Helper()
	for _, w := range []string{"lake, queues of organisations: ", "lake, one queue: "} {
		for _, p := range [][2]wingSystem{{wingAgg, wingDirect}, {wingDirect, prio}, {wingAgg, prio}, {oracleAgg, wingAgg}, {oracleAgg, oracleDirect}} {
			for _, capacity := range []int{40, 20} {
				value := func(p wingSystem) (float64, bool) {
					for _, figure := range []int{10, 11, 12} {
						if x, ok := published[fmt.Sprintf("%sFig. %d, value under %s at %d %% capacity, %%", w, figure, p.name, capacity)]; ok {
							return x, true
						}
					}
					return 0, false
				}
				a, known := value(p[0])
				b, also := value(p[1])
				for _, figure := range []int{10, 11, 12} {
					key := fmt.Sprintf("%sFig. %d, value under %s less that under %s at %d %% capacity, %% of all value", w, figure, p[0].name, p[1].name, capacity)
					if x, ok := published[key]; ok != (known && also) && ok || ok && x != a-b {
						t.Errorf("%s is published as %v, want %v", key, x, a-b)
					}
				}
			}
		}
	}
}

func sameShare(t *testing.T, got, want float64) {
	t.Helper()
	if d := got - want; d < -1e-3 || d > 1e-3 { // values have six digits
		t.Errorf("got %v, want %v", got, want)
	}
}

// What only -full runs, on little.
func TestWingFull(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; TestWing runs what is run at once")
	}
	r := reportOf(t, "wing", form{seeds: 1, few: 100, full: true})
	measured, _ := told(t, r, nil)
	for _, where := range []string{"load 0.37", "load 0.42", "downloads anywhere in chains", "four times as large"} {
		key := "lake, one queue, " + where + ": Fig. 12, " + wingGain(wingAgg.name, prio.name, 20)
		if _, ok := measured[key]; !ok {
			t.Errorf("%s is not told", key)
		}
	}
}
