package main

import "testing"

// The five schedules of section 2 come out as they are, with copies in turn, and in no other reading of best effort.
func TestHopperExample(t *testing.T) {
	r := &report{paper: "hopper"}
	if err := r.tell(t.Context(), []item{hopperExample()}); err != nil {
		t.Fatal(err)
	}
	if len(r.lines) != 18 {
		t.Errorf("%d completion times, want 18", len(r.lines))
	}
	refuted := map[string][]float64{ // completion of A and B
		"example SRPT best effort, copies after own": {5, 6}, "example Fair best effort, copies after own": {6, 6},
		"example SRPT best effort, copies after all": {7, 6}, "example Fair best effort, copies after all": {7, 6},
	}
	for i, l := range r.lines {
		want := *l.Published
		if other := refuted[l.Item]; other != nil {
			want = other[i%2]
		}
		if *l.Measured != want {
			t.Errorf("%s: %s is %v, want %v", l.Item, l.Metric, *l.Measured, want)
		}
	}
}
