package main

import (
	"math"
	"slices"
	"testing"
)

// In grey, colours differ by what the eye tells apart on paper, and where they are near, dashes
// or markers differ too.
func TestStyles(t *testing.T) {
	lightness := func(s *style) float64 { // of CIE 1976, 0 to 100
		linear := func(x uint8) float64 {
			if c := float64(x) / 255; c > 0.04045 {
				return math.Pow((c+0.055)/1.055, 2.4)
			} else {
				return c / 12.92
			}
		}
		y := 0.2126*linear(s.color.R) + 0.7152*linear(s.color.G) + 0.0722*linear(s.color.B)
		if y <= 0.008856 {
			return 903.3 * y
		}
		return 116*math.Cbrt(y) - 16
	}
	for i := range styles {
		a := &styles[i]
		if l := lightness(a); l > 80 {
			t.Errorf("style %d has lightness %.1f, want at most 80 to be seen on white", i, l)
		}
		for j := range i {
			b := &styles[j]
			if d := math.Abs(lightness(a) - lightness(b)); d < 4.5 {
				t.Errorf("styles %d and %d differ by %.1f in lightness, want 4.5", j, i, d)
			}
			if slices.Equal(a.dashes, b.dashes) && slices.Equal(a.shape, b.shape) {
				t.Errorf("styles %d and %d have the same dashes and markers", j, i)
			}
		}
	}
}
