package histogram

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Merging is putting all bins in and joining until few enough are left, to the last bit.
func mergeEqualsNaive(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for name, stream := range streams {
		for _, bins := range [][2]int{{1, 1}, {1, 9}, {7, 80}, {80, 80}, {100, 300}, {700, 500}} {
			rng := rand.New(rand.NewPCG(uint64(bins[0]), 5))
			h, want := of(t, Config{Bins: bins[0]}), &naive{limit: bins[0]}
			o, other := of(t, Config{Bins: bins[1]}), &naive{limit: bins[1]}
			for i := range 2 * bins[0] {
				x := stream(rng, i)
				h.Add(x)
				want.add(x, 1)
			}
			for i := range 2 * bins[1] {
				x := stream(rng, i+7)
				o.Add(x)
				other.add(x, 1)
			}
			before, _ := o.MarshalBinary()
			for range 2 {
				if err := h.Merge(o); err != nil {
					t.Fatal(err)
				}
				want.merge(other)
				checkBins(t, h, want)
			}
			if after, _ := o.MarshalBinary(); !slices.Equal(before, after) {
				t.Errorf("Merge changed its argument")
			}
			if err := h.Merge(h); err != nil {
				t.Fatal(err)
			}
			want.merge(want)
			checkBins(t, h, want)
			if t.Failed() {
				t.Fatalf("%s, %d bins, merged with %d", name, bins[0], bins[1])
			}
		}
	}
}
