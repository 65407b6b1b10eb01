package main

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of figures: 800×440 in pixels of 1/96 inch, of which a PNG has two in each direction, so that it is sharp and its
// text can be read at half its size too.
const (
	px                      = vg.Inch / 96
	chartWidth, chartHeight = 800 * px, 440 * px
	dotsPerInch             = 192
	titleSize, textSize     = vg.Length(13), vg.Length(11)
)

func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
}

// A style tells a curve from others in colour and in grey: all colours differ in lightness, and no two
// curves have both the dashes and the markers of each other.
type style struct {
	color  color.RGBA
	dashes []vg.Length
	shape  shape
}

// styles are those of curves, in their order. A figure takes the first [maxSeries] of them, and a page all.
var styles = [12]style{
	{rgb(0x000000), nil, circle},
	{rgb(0xe8821e), dashed, square},
	{rgb(0x2554a8), nil, triangle},
	{rgb(0x62bce8), dotted, diamond},
	{rgb(0x7a1022), dashDot, down},
	{rgb(0x2a9272), nil, square},
	{rgb(0x3d0f5c), dashed, diamond},
	{rgb(0xcf6fa6), dotted, triangle},
	{rgb(0x8f5f2f), dashDot, circle},
	{rgb(0xd6c52f), nil, down},
	{rgb(0x9b5bb6), dashed, triangle},
	{rgb(0x005510), dotted, square},
}

func rgb(c uint32) color.RGBA {
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff}
}

// Dashes and the gaps between them.
var (
	dashed  = []vg.Length{6, 2.5}
	dotted  = []vg.Length{1.5, 2}
	dashDot = []vg.Length{7, 2, 1.5, 2}
)

func (s *style) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: 1.6, Dashes: s.dashes}
}

// marker is that of what was measured, or hollow, of what was published.
func (s *style) marker(hollow bool) draw.GlyphStyle {
	if hollow {
		return draw.GlyphStyle{Color: s.color, Radius: 4.6, Shape: outline{s.shape}}
	}
	return draw.GlyphStyle{Color: s.color, Radius: 3.3, Shape: s.shape}
}

// A shape is a polygon around a point: its corners, in radii of a circle of the same area.
type shape []vg.Point

var (
	circle   = polygon(24, 0)
	diamond  = polygon(4, 0)
	square   = polygon(4, 45)
	triangle = polygon(3, 90)
	down     = polygon(3, 270)
)

// polygon returns a regular one of n corners, the first at an angle in degrees.
func polygon(n int, angle float64) shape {
	s := make(shape, n)
	turn := 2 * math.Pi / float64(n)
	radius := vg.Length(math.Sqrt(turn / math.Sin(turn)))
	for i := range s {
		sin, cos := math.Sincos(angle/360*2*math.Pi + float64(float64(i)*turn))
		s[i] = vg.Point{X: vg.Length(cos) * radius, Y: vg.Length(sin) * radius}
	}
	return s
}

func (s shape) path(radius vg.Length, at vg.Point) (p vg.Path) {
	p.Move(at.Add(s[0].Scale(radius)))
	for _, corner := range s[1:] {
		p.Line(at.Add(corner.Scale(radius)))
	}
	p.Close()
	return p
}

// DrawGlyph draws the shape filled.
func (s shape) DrawGlyph(c *draw.Canvas, g draw.GlyphStyle, at vg.Point) {
	c.SetColor(g.Color)
	c.Fill(s.path(g.Radius, at))
}

// An outline is a shape that is hollow.
type outline struct{ shape }

// DrawGlyph draws the outline on white.
func (o outline) DrawGlyph(c *draw.Canvas, g draw.GlyphStyle, at vg.Point) {
	path := o.path(g.Radius, at)
	c.SetColor(color.White)
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: g.Color, Width: 1.2})
	c.Stroke(path)
}
