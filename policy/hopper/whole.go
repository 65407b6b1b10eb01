package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Whole appends to dst whole slots for shares that are not: each share rounded down, and the
// slots that this leaves one by one to the largest remainders, of equal ones to the earlier
// share. So each gets less than one slot more or less than its share, and all together
// their sum, rounded to the nearest; of the shares that an allocator made of a whole number of slots, that number.
//
// Each share must be finite and at least 0, and their sum at most [math.MaxInt32], else dst is as it was.
// It takes O(n log n) time and allocates 8 bytes for each share with a remainder.
//
// # Source
//
// Hopper, Pseudocode 1, rounds down only, and leaves slots without a job. Largest remainders: M.
// Balinski and H. P. Young, Fair Representation, 1982.
func Whole(dst []int, shares []float64) ([]int, error) {
	var all sum
	parts := 0
	for i, x := range shares {
		if !(x >= 0 && x <= math.MaxInt32) {
			return dst, fmt.Errorf("hopper: share %d is %v, must be 0 to %d", i, x, math.MaxInt32)
		}
		all.add(x)
		if x != math.Floor(x) {
			parts++
		}
	}
	total := math.Round(all.total())
	if total > math.MaxInt32 {
		return dst, fmt.Errorf("hopper: shares are %v slots, must be at most %d", total, math.MaxInt32)
	}
	left := int(total)
	n := len(dst)
	dst = slices.Grow(dst, len(shares))
	rest := make([]int, 0, parts)
	for i, x := range shares {
		slots := int(x)
		dst = append(dst, slots)
		left -= slots
		if x != math.Floor(x) {
			rest = append(rest, i)
		}
	}
	slices.SortFunc(rest, func(a, b int) int {
		x, y := shares[a], shares[b]
		return cmp.Or(cmp.Compare(y-math.Floor(y), x-math.Floor(x)), cmp.Compare(a, b))
	})
	for _, i := range rest[:left] {
		dst[n+i]++
	}
	return dst, nil
}

// A sum is one of numbers that are not negative, of which little is lost in rounding however many they are.
type sum struct{ rounded, lost float64 }

func (s *sum) add(x float64) {
	next := s.rounded + x
	if s.rounded >= x {
		s.lost += s.rounded - next + x
	} else {
		s.lost += x - next + s.rounded
	}
	s.rounded = next
}

func (s *sum) total() float64 { return s.rounded + s.lost }
