package main

import "testing"

// Each option has its lines, and by speed more jobs come into the right queue.
func TestSLearnOptions(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	trace := slearnTraces(form{seeds: 1})[1]
	b := trace.rounds(0)
	r := &report{paper: "slearn"}
	if err := r.tell(t.Context(), []item{slearnFuture(trace, b), slearnSpeeds(trace, b)}); err != nil {
		t.Fatal(err)
	}
	measured := make(map[string]float64)
	for _, l := range r.lines {
		if l.Measured == nil || !(*l.Measured > 0) {
			t.Errorf("%q is not measured", l.Metric)
			continue
		}
		measured[l.Metric] = *l.Measured
	}
	const on = "on nodes of two speeds, SLearn by "
	bySpeed, byTime := measured[on+"speed: wide jobs in the right queue, %"], measured[on+"time: wide jobs in the right queue, %"]
	if len(measured) != 12 || !(bySpeed > byTime) {
		t.Errorf("%d lines, want 12; %v %% of wide jobs are in the right queue by speed and %v %% by time, want more by speed", len(measured), bySpeed, byTime)
	}
}
