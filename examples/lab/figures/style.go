package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.com/augur/examples/internal/figure"
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

// A style is one of figure.Styles for the library of plots.
type style struct {
	color  color.RGBA
	dashes []vg.Length
	shape  shape
}

// styles are those of curves, in their order. A figure takes the first [maxSeries] of them, and a page all.
var styles = func() (list [len(figure.Styles)]style) {
	for i, of := range figure.Styles {
		list[i].color = rgb(of.Color)
		for _, d := range of.Dashes {
			list[i].dashes = append(list[i].dashes, vg.Length(d))
		}
		for _, p := range of.Shape {
			list[i].shape = append(list[i].shape, vg.Point{X: vg.Length(p.X), Y: vg.Length(p.Y)})
		}
	}
	return list
}()

func rgb(c uint32) color.RGBA {
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff}
}

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

// A shape is a polygon around a point: see figure.Shape.
type shape []vg.Point

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
