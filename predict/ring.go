package predict

import (
	"bytes"
	"math"
)

// A ring holds the last runtimes of a value. All rings share large blocks of memory, so that a value
// has no pointers to follow.
type ring struct {
	runtimes []float64 // n of them, in order of arrival until the ring is full; then next is the oldest
	order    []uint8   // their positions in increasing order of runtime
	sum      float64   // of all, after add
	ringState
}

type ringState struct{ n, next uint8 }

// maxRecent is the most that a ring holds.
const maxRecent = 255

// add adds a runtime, in the place of the oldest if the ring is full. It has no unpredictable
// branches.
func (r *ring) add(x float64) {
	slot, from := r.next, int(r.n)
	if from < len(r.runtimes) {
		slot = r.n
		r.n++
	} else {
		from = bytes.IndexByte(r.order, slot)
		if r.next++; r.next == r.n {
			r.next = 0
		}
	}
	r.runtimes[slot] = x
	to := r.tally(x)
	if to > from {
		copy(r.order[from:to], r.order[from+1:to+1])
	} else {
		copy(r.order[to+1:from+1], r.order[to:from])
	}
	r.order[to] = slot
}

// tally sums the runtimes and counts those below x.
func (r *ring) tally(x float64) (below int) {
	runtimes := r.runtimes[:r.n]
	var a, b float64
	for len(runtimes) >= 2 {
		a += runtimes[0]
		b += runtimes[1]
		below += less(runtimes[0], x) + less(runtimes[1], x)
		runtimes = runtimes[2:]
	}
	if len(runtimes) > 0 {
		a += runtimes[0]
		below += less(runtimes[0], x)
	}
	r.sum = a + b
	return below
}

// less is 1 if a < b, and otherwise 0. Both are at least 0, and neither is -0.
func less(a, b float64) int { return int((math.Float64bits(a) - math.Float64bits(b)) >> 63) }

func (r *ring) mean() float64 { return r.sum / float64(r.n) }

func (r *ring) median() float64 {
	return middle(r.runtimes[r.order[(r.n-1)/2]], r.runtimes[r.order[r.n/2]])
}

// middle is the mean of two numbers, the first of which is not the larger.
func middle(a, b float64) float64 { return a + (b-a)/2 }

// appendTo appends the runtimes, the oldest first.
func (r *ring) appendTo(runtimes []float64) []float64 {
	runtimes = append(runtimes, r.runtimes[r.next:r.n]...)
	return append(runtimes, r.runtimes[:r.next]...)
}

// rings are the memory of the rings of a shard, which have ids from 1 on.
type rings struct {
	size   int         // runtimes in a ring
	chunks [][]float64 // of rings one after the other
	orders [][]uint8   // the same
	n      uint32      // rings made
	unused []uint32
}

func (r *rings) make() (id uint32) {
	if n := len(r.unused); n > 0 {
		id = r.unused[n-1]
		r.unused = r.unused[:n-1]
		return id
	}
	if r.n%chunk == 0 {
		r.chunks = append(r.chunks, make([]float64, chunk*r.size))
		r.orders = append(r.orders, make([]uint8, chunk*r.size))
	}
	r.n++
	return r.n
}

// free takes a ring back. The id 0 stands for no ring.
func (r *rings) free(id uint32) {
	if id != 0 {
		r.unused = append(r.unused, id)
	}
}

func (r *rings) at(id uint32, state ringState) ring {
	i, from := (id-1)/chunk, int((id-1)%chunk)*r.size
	return ring{runtimes: r.chunks[i][from : from+r.size], order: r.orders[i][from : from+r.size], ringState: state}
}
