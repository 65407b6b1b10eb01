package queue

import (
	"math"
	"testing"
)

// When the generations of a place have run out they begin again; a stale handle, and the
// zero one, which has the generation of the first place just then, still name nothing.
func TestTableGenerations(t *testing.T) {
	var table table[int]
	first := table.add(1)
	table.remove(first)
	table.places[0].gen = math.MaxUint32 - 1
	last := table.add(2)
	if x := table.get(last); x == nil || *x != 2 {
		t.Errorf("last generation: got %v, want 2", x)
	}
	table.remove(last)
	for _, handle := range []Handle{{}, first, last, {slot: 9, gen: 1}} {
		if x := table.get(handle); x != nil {
			t.Errorf("%v: got %d, want nothing", handle, *x)
		}
	}
	if x := table.get(table.add(3)); x == nil || *x != 3 || table.n != 1 {
		t.Errorf("first generation: got %v of %d, want 3 of 1", x, table.n)
	}
}
