// Package lanes lays out what ran on the cores of a node, so that it can be drawn with a lane for each core.
package lanes

import (
	"cmp"
	"slices"
)

// A Bar is the part of a span that is on neighbouring lanes.
type Bar struct {
	Span        int // its index
	Lane, Lanes int // the first lane, and how many there are
}

// Of lays out n spans on at most most lanes, and returns the bars and the number of lanes that they need. Spans get lanes in the order in
// which they begin, those that begin at once in the order of their indices. Each gets the lowest lanes that are free, a lane for each core,
// which need not be neighbours. So no more lanes are needed than cores are in use at once. A core for which there is no lane has no bar, and
// neither has a span that does not end after its beginning. A span takes time in proportion to the number of lanes.
func Of[T cmp.Ordered](most, n int, span func(i int) (begin, end T, cores int64)) (bars []Bar, lanes int) {
	begins := func(i int) T { begin, _, _ := span(i); return begin }
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(begins(a), begins(b)) })
	var until []T // when each lane is free again
	for _, i := range order {
		begin, end, left := span(i)
		for k := 0; k < most && left > 0 && end > begin; k++ {
			if k == len(until) {
				until = append(until, begin)
			}
			if until[k] > begin {
				continue
			}
			until[k] = end
			left--
			if last := len(bars) - 1; last >= 0 && bars[last].Span == i && bars[last].Lane+bars[last].Lanes == k {
				bars[last].Lanes++
			} else {
				bars = append(bars, Bar{i, k, 1})
			}
		}
	}
	return bars, len(until)
}
