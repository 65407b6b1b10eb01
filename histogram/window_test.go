package histogram

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A window is the histograms of the last periods, merged.
func TestWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	c := Config{Bins: 10}
	w, err := NewWindow(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	var periods []*Histogram
	got := of(t, c)
	for range 20 {
		w.Advance()
		h := of(t, c)
		for range rng.IntN(30) {
			x, n := rng.NormFloat64(), 1+rng.Float64()
			if err := w.AddN(x, n); err != nil {
				t.Fatal(err)
			}
			h.AddN(x, n)
		}
		periods = append(periods, h)
		want := of(t, c)
		for _, h := range periods[max(0, len(periods)-3):] {
			want.Merge(h)
		}
		got.Reset()
		if err := w.MergeInto(got); err != nil {
			t.Fatal(err)
		}
		b, _ := got.MarshalBinary()
		if wantB, _ := want.MarshalBinary(); !slices.Equal(b, wantB) || w.Count() > want.Count()*1.0001 || w.Count() < want.Count()*0.9999 {
			t.Fatalf("after %d periods: count %v, not that of the last ones merged, %v", len(periods), w.Count(), want.Count())
		}
	}
	if _, err := NewWindow(c, 0); err == nil {
		t.Error("a window of no periods gave no error")
	}
	if _, err := NewWindow(Config{Bins: -1}, 1); err == nil {
		t.Error("a window of wrong histograms gave no error")
	}
}
