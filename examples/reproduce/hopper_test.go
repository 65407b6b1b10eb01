package main

import "testing"

// The five schedules of section 2 come out as they are.
func TestHopperExample(t *testing.T) {
	r := &report{paper: "hopper"}
	if err := hopperExample(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if told(t, r, nil); len(r.lines) != 10 {
		t.Errorf("%d completion times, want 10", len(r.lines))
	}
	for _, l := range r.lines {
		if *l.Measured != *l.Published {
			t.Errorf("%s: %s is %v, want %v", l.Item, l.Metric, *l.Measured, *l.Published)
		}
	}
}
