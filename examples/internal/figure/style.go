package figure

import "math"

// A Style tells a curve from others in colour and in grey: all colours differ in lightness, and no two
// curves have both the dashes and the markers of each other.
type Style struct {
	Color  uint32 // red, green and blue
	Dashes []float64
	Shape  Shape
}

// Styles are those of curves, in their order.
var Styles = [12]Style{
	{0x000000, nil, circle},
	{0xe8821e, dashed, square},
	{0x2554a8, nil, triangle},
	{0x62bce8, dotted, diamond},
	{0x7a1022, dashDot, down},
	{0x2a9272, nil, square},
	{0x3d0f5c, dashed, diamond},
	{0xcf6fa6, dotted, triangle},
	{0x8f5f2f, dashDot, circle},
	{0xd6c52f, nil, down},
	{0x9b5bb6, dashed, triangle},
	{0x005510, dotted, square},
}

// Dashes and the gaps between them.
var (
	dashed  = []float64{6, 2.5}
	dotted  = []float64{1.5, 2}
	dashDot = []float64{7, 2, 1.5, 2}
)

// A Point is one of a plane.
type Point struct{ X, Y float64 }

// A Shape is a polygon around a point: its corners, in radii of a circle of the same area.
type Shape []Point

var (
	circle   = polygon(24, 0)
	diamond  = polygon(4, 0)
	square   = polygon(4, 45)
	triangle = polygon(3, 90)
	down     = polygon(3, 270)
)

// polygon returns a regular one of n corners, the first at an angle in degrees.
func polygon(n int, angle float64) Shape {
	s := make(Shape, n)
	turn := 2 * math.Pi / float64(n)
	radius := math.Sqrt(turn / math.Sin(turn))
	for i := range s {
		sin, cos := math.Sincos(angle/360*2*math.Pi + float64(float64(i)*turn))
		s[i] = Point{X: cos * radius, Y: sin * radius}
	}
	return s
}
