package pool

import (
	"slices"
	"testing"
	"time"

	"example.com/augur/predict"
)

// What a Next starts and puts back is in the list again, and not in the heap of those that came out of order.
func TestNextPutsBack(t *testing.T) {
	q, err := NewQueue[int](Config{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(9, 0)
	for id := range 8 {
		q.Add(id, predict.Attrs{}, now)
	}
	for range 2 {
		if got, want := q.Next(5, now), []int{0, 1, 2, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("Next is %v, want %v", got, want)
		}
	}
	if a := q.core.tenants[""].root.groups[nil].ages; a.strays != nil || a.oldest.number != 1 || a.newest.number != 8 {
		t.Errorf("the list is from %d to %d, and the heap %v, want 1 to 8, and no heap", a.oldest.number, a.newest.number, a.strays)
	}
}
