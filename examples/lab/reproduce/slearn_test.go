package main

import (
	"fmt"
	"math"
	"testing"
)

// The quick form tells of all tables and figures.
func TestSLearn(t *testing.T) {
	r := reportOf(t, "slearn", form{seeds: 1, few: 300})
	measured, published := told(t, r, slearnReasons)
	testPublished(t, published)
	for _, trace := range slearnTraces(form{}) {
		oracle, fifo := measured[trace.name+": Fig. 6, mean JCT of Oracle over SLearn's"], measured[trace.name+": Fig. 6, mean JCT of FIFO over SLearn's"]
		if !(oracle <= 1 && 1 < fifo) {
			t.Errorf("%s: mean JCT over SLearn's is %.3f under the Oracle and %.3f under FIFO, want at most 1, and more", trace.name, oracle, fifo)
		}
		sampled, learned := measured[trace.name+": Table 7, SLearn, wide jobs in the right queue, %"], measured[trace.name+": Table 7, 3Sigma, wide jobs in the right queue, %"]
		if !(sampled > learned) {
			t.Errorf("%s: %.1f %% of wide jobs are in the right queue under SLearn, %.1f %% under 3Sigma, want more", trace.name, sampled, learned)
		}
	}
}

// testPublished checks what follows from one published number for another.
func testPublished(t *testing.T, published map[string]float64) {
	t.Helper()
	equal := func(what string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s: published is %.2f, want %.2f", what, got, want)
		}
	}
	for _, trace := range slearnTraces(form{}) {
		at := func(metric string) float64 {
			x, ok := published[trace.name+": "+metric]
			if !ok {
				t.Errorf("%s: %s is not published", trace.name, metric)
			}
			return x
		}
		mean := at("Fig. 6, mean JCT of 3Sigma over SLearn's")
		equal("Table 8", at("Table 8, mean JCT of 3Sigma over SLearn's with thin limit 3"), mean, 0)
		equal("Table 6", at("Table 6, mean JCT of 3Sigma over SLearn's with an adaptive share of pilots"), mean, 0)
		const three = "Table 6, SLearn's error with 3 % pilots, P50, %"
		equal("4.3", at("4.3, SLearn 3 % error P50, %"), at(three), 0)
		if trace.name != "2strace" {
			continue
		}
		jobs, work := 0.0, 0.0
		for i, name := range binNames {
			jobs += at(fmt.Sprintf("Table 9, bin %d, %s: jobs, %%", i+1, name))
			work += at(fmt.Sprintf("Table 9, bin %d, %s: work, %%", i+1, name))
		}
		equal("Table 9, jobs", jobs, 100, 0.02)
		equal("Table 9, work", work, 100, 0.02)
	}
}
