package queue

// A sum is a running total of amounts that come and go. It is hi + lo, where hi is the total rounded to a float64, and
// lo the error of that. What is added and taken back leaves exactly 0, and equal totals are equal in whatever order
// their amounts came, as long as the amounts are within a factor of 2^50 of each other. The zero sum is 0.
//
// # Source
//
// T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18, 1971, with
// the sum of two numbers by D. E. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B.
type sum struct{ hi, lo float64 }

// plus adds x. It returns false if the total would not be finite.
func (s sum) plus(x float64) (total sum, ok bool) {
	hi := s.hi + x
	part := hi - s.hi
	lo := (s.hi - (hi - part)) + (x - part) + s.lo
	total.hi = hi + lo
	total.lo = lo - (total.hi - hi)
	return total, finite(total.hi) && finite(total.lo)
}
