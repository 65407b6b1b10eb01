package figure

import (
	"slices"

	"example.com/augur/internal/saturate"
)

// A Sample is the values of a curve.
type Sample struct {
	Name   string
	Values []float64
}

// Samples are curves in the order in which they come.
type Samples []Sample

// Add adds a value to the curve of a name.
func (s *Samples) Add(name string, value float64) {
	i := slices.IndexFunc(*s, func(x Sample) bool { return x.Name == name })
	if i < 0 {
		i = len(*s)
		*s = append(*s, Sample{Name: name})
	}
	(*s)[i].Values = append((*s)[i].Values, value)
}

// The curve of a distribution has at most so many points, and so many of these have markers.
const (
	steps   = 400
	markers = 5
)

// Some returns the points of a curve that have markers, between those of the other curves.
func Some(points []Point, curve, of int) (mark []Point) {
	for k := range markers {
		at := (float64(k) + (float64(curve)+0.5)/float64(of)) / markers
		mark = append(mark, points[1+saturate.To[int](at*float64(len(points)-1))])
	}
	return mark
}

// Levels returns the points of a distribution function, in percent: a value for each of at most so
// many steps, after a point at 0 % below the least.
func Levels(values []float64, floor float64) []Point {
	values = slices.Clone(values)
	for i, x := range values {
		values[i] = max(x, floor)
	}
	slices.Sort(values)
	n := min(len(values), steps)
	points := make([]Point, 0, n+1)
	points = append(points, Point{X: values[0]})
	for k := 1; k <= n; k++ {
		rank := (k*len(values) + n - 1) / n // rounded up
		points = append(points, Point{X: values[rank-1], Y: 100 * float64(k) / float64(n)})
	}
	return points
}
