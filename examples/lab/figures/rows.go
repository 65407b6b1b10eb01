package main

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A claim is a number of a paper beside what was measured, of each seed.
type claim struct {
	label     string
	published float64
	values    []float64
}

// A dot is a row of a panel. What is not known is NaN.
type dot struct {
	published float64
	measured  estimate
}

// unknown is a row that is empty.
var unknown = dot{math.NaN(), estimate{math.NaN(), math.NaN(), math.NaN()}}

// rows draws a row for each dot, the first one at the top. A line up stands at what differences are seen from.
func (p *panel) rows(labels []string, dots []dot, from float64) {
	p.grid.Horizontal.Width = 0
	ticks := make(plot.ConstantTicks, len(dots))
	for i, d := range dots {
		y := float64(len(dots) - 1 - i)
		ticks[i] = plot.Tick{Value: y}
		if labels != nil {
			ticks[i].Label = labels[i]
		}
		p.Add(&dotPlot{y, d})
	}
	p.Y.Min, p.Y.Max = -0.7, float64(len(dots))-0.3
	p.Y.Tick.Marker, p.Y.Tick.Length = ticks, 0
	p.Y.LineStyle.Width = 0
	p.X.Tick.Marker = linearTicks{}
	p.X.Min, p.X.Max = min(p.X.Min, from), max(p.X.Max, from)
	room := 0.05 * (p.X.Max - p.X.Min)
	if p.X.Max += room; p.X.Min < from {
		p.X.Min -= room
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: from, Y: p.Y.Min}, {X: from, Y: p.Y.Max}}, LineStyle: black})
}

// A dotPlot draws a row.
type dotPlot struct {
	y float64
	dot
}

// What dots look like.
var (
	rowLine   = draw.LineStyle{Color: rgb(0xb0b0b0), Width: 0.6, Dashes: dotted}
	published = draw.GlyphStyle{Color: rgb(0xb85c00), Radius: 3.1, Shape: outline{diamond}}
	measured  = draw.GlyphStyle{Color: rgb(0x1c3f80), Radius: 3.2, Shape: circle}
	rowBar    = draw.LineStyle{Color: rgb(0x1c3f80), Width: 1.8}
)

// Plot draws the row.
func (d *dotPlot) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	const beside = 0.21 // so that neither hides the other
	c.StrokeLine2(rowLine, c.Min.X, toY(d.y), c.Max.X, toY(d.y))
	if !math.IsNaN(d.measured.mean) {
		y := toY(d.y - beside)
		bar(&c, toX(max(d.measured.low, p.X.Min)), toX(d.measured.high), y)
		c.DrawGlyph(measured, vg.Point{X: toX(d.measured.mean), Y: y})
	}
	if !math.IsNaN(d.published) {
		c.DrawGlyph(published, vg.Point{X: toX(d.published), Y: toY(d.y + beside)})
	}
}

// bar draws an interval.
func bar(c *draw.Canvas, low, high, y vg.Length) {
	if !(low < high) {
		return
	}
	c.StrokeLine2(rowBar, low, y, high, y)
	for _, x := range []vg.Length{low, high} {
		c.StrokeLine2(rowBar, x, y-whiskerEnd, x, y+whiskerEnd)
	}
}

// DataRange returns the range of the row.
func (d *dotPlot) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax = math.Inf(1), math.Inf(-1)
	for _, x := range []float64{d.published, d.measured.mean, d.measured.low, d.measured.high} {
		if !math.IsNaN(x) {
			xmin, xmax = min(xmin, x), max(xmax, x)
		}
	}
	return xmin, xmax, d.y, d.y
}

// A dotThumb is a dot in the legend.
type dotThumb struct{ measured bool }

// Thumbnail draws it.
func (d dotThumb) Thumbnail(c *draw.Canvas) {
	at := c.Center()
	if !d.measured {
		c.DrawGlyph(published, at)
		return
	}
	bar(c, c.Min.X+gap, c.Max.X-gap, at.Y)
	c.DrawGlyph(measured, at)
}

// newRows returns a chart of rows, with its legend.
func newRows(title string, n int, varies bool) *chart {
	c := newChart(title)
	name := "measured"
	if varies {
		name += ", with " + interval
	}
	c.legend = []entry{{"published", []plot.Thumbnailer{dotThumb{}}}, {name, []plot.Thumbnailer{dotThumb{true}}}}
	c.height = vg.Length(130+25*n) * px
	return c
}
