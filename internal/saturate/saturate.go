// Package saturate converts floating-point numbers to integers with the same result on every processor. Go leaves the
// conversion of a number that the integer cannot hold to the processor.
package saturate

import "unsafe"

// To returns x without its fraction: the least or the greatest T if x is beyond, and 0 if x is NaN. It is the only
// conversion of this kind in the library: internal/vet refuses others.
func To[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](x float64) T {
	var zero T
	least, most := zero, ^zero
	if most < 0 { // signed
		least = T(1) << (8*unsafe.Sizeof(zero) - 1)
		most = ^least
	}
	switch {
	case x >= float64(most): // which may be rounded up
		return most
	case x <= float64(least):
		return least
	case x != x:
		return 0
	}
	return T(x)
}
