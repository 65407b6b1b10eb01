package main

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A bar is a number of a paper beside what was measured.
type bar struct {
	label                          string
	published, measured, low, high float64
}

// drawBars draws pairs of bars, the first one at the top, along an axis that tells their unit.
func drawBars(title, unit string, bars []bar) *chart {
	c := newChart(title, unit, "")
	c.grid.Horizontal.Width = 0
	p, m := &barPlot{color: rgb(0xc9c9c9)}, &barPlot{color: rgb(0x3a4f86)}
	ticks := make(plot.ConstantTicks, len(bars))
	for i, b := range bars {
		y := float64(len(bars) - 1 - i)
		ticks[i] = plot.Tick{Value: y, Label: b.label}
		p.bars = append(p.bars, span{y + 0.04, y + 0.36, b.published, b.published, b.published})
		m.bars = append(m.bars, span{y - 0.36, y - 0.04, b.measured, b.low, b.high})
	}
	c.Add(p, m)
	if !slices.ContainsFunc(bars, func(b bar) bool { return b.published < 0 || b.measured < 0 }) {
		c.X.Min = 0
	}
	c.legend.Add("published", p)
	c.legend.Add("measured", m)
	c.legend.Add(interval, barWhisker{})
	c.Y.Min, c.Y.Max = -0.6, float64(len(bars))-0.4
	c.Y.Tick.Marker = ticks
	c.Y.Tick.Length = 0
	c.X.Tick.Marker = linearTicks{}
	c.X.Max += 0.04 * (c.X.Max - c.X.Min)
	if c.X.Min < 0 {
		c.X.Min -= 0.04 * (c.X.Max - c.X.Min)
	}
	c.height = max(170*px, vg.Length(80+26*len(bars))*px)
	return c
}

// A span is a horizontal bar from 0 to x, with its margin.
type span struct{ bottom, top, x, low, high float64 }

// A barPlot draws bars of one colour.
type barPlot struct {
	bars  []span
	color color.Color
}

var black = draw.LineStyle{Color: color.Black, Width: 0.6}

// Plot draws the bars.
func (b *barPlot) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, s := range b.bars {
		b.fill(&c, vg.Rectangle{Min: vg.Point{X: toX(0), Y: toY(s.bottom)}, Max: vg.Point{X: toX(s.x), Y: toY(s.top)}})
		if s.low < s.high {
			barWhisker{}.draw(&c, toX(max(s.low, p.X.Min)), toX(s.high), toY((s.bottom+s.top)/2))
		}
	}
	c.StrokeLine2(black, toX(0), c.Min.Y, toX(0), c.Max.Y)
}

// A barWhisker is a margin, which is seen on a bar and beside it.
type barWhisker struct{}

func (barWhisker) draw(c *draw.Canvas, low, high, y vg.Length) {
	style := draw.LineStyle{Color: rgb(0xe07020), Width: 1.2}
	c.StrokeLine2(style, low, y, high, y)
	for _, x := range []vg.Length{low, high} {
		c.StrokeLine2(style, x, y-whiskerEnd, x, y+whiskerEnd)
	}
}

// Thumbnail draws a margin.
func (w barWhisker) Thumbnail(c *draw.Canvas) { w.draw(c, c.Min.X, c.Max.X, c.Center().Y) }

func (b *barPlot) fill(c *draw.Canvas, r vg.Rectangle) {
	c.SetColor(b.color)
	c.Fill(r.Path())
	c.SetLineStyle(black)
	c.Stroke(r.Path())
}

// DataRange returns the range of the bars.
func (b *barPlot) DataRange() (xmin, xmax, ymin, ymax float64) {
	for _, s := range b.bars {
		xmin, xmax = min(xmin, s.x, s.low), max(xmax, s.x, s.high)
	}
	return xmin, xmax, -0.6, float64(len(b.bars)) - 0.4
}

// Thumbnail draws a small bar.
func (b *barPlot) Thumbnail(c *draw.Canvas) { b.fill(c, c.Rectangle) }
