package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A curve is a name in the legend, and points.
type curve struct {
	name      string
	points    plotter.XYs
	margins   [][2]float64 // the lowest and the highest y of each point
	published plotter.XYs  // with hollow markers
}

// at adds a point with its margin.
func (c *curve) at(x, y, low, high float64) {
	c.points = append(c.points, plotter.XY{X: x, Y: y})
	c.margins = append(c.margins, [2]float64{low, high})
}

// varies reports whether a point has a margin.
func (c *curve) varies() bool {
	return slices.ContainsFunc(c.margins, func(m [2]float64) bool { return m[0] < m[1] })
}

// find returns the curve of a name, a new one at the end if there is none.
func find(curves *[]*curve, name string) *curve {
	for _, c := range *curves {
		if c.name == name {
			return c
		}
	}
	c := &curve{name: name}
	*curves = append(*curves, c)
	return c
}

// drawCurves draws curves with a marker at each point, and a tick at each x. So that margins, which
// the legend calls by a name, if there are any, do not hide each other, each curve is moved to the right of the one
// before by apart, and all together are around their x.
func (c *chart) drawCurves(file string, curves []*curve, margin string, apart float64) error {
	if err := count(file, len(curves)); err != nil {
		return err
	}
	published := false
	var at []float64
	for i, v := range curves {
		by := apart * (float64(i) - float64(len(curves)-1)/2)
		moved := make(plotter.XYs, len(v.points))
		for k, p := range v.points {
			moved[k] = plotter.XY{X: p.X + by, Y: p.Y}
			at = append(at, p.X)
		}
		c.add(v.name, &styles[i], moved, moved, plotter.NoStep)
		c.Add(&whiskers{moved, v.margins, draw.LineStyle{Color: styles[i].color, Width: 0.8}})
		hollow := make(plotter.XYs, len(v.published))
		for k, p := range v.published {
			hollow[k] = plotter.XY{X: p.X + by, Y: p.Y}
		}
		if len(hollow) > 0 {
			published = true
			c.Add(&plotter.Scatter{XYs: hollow, GlyphStyle: styles[i].marker(true)})
		}
	}
	slices.Sort(at)
	c.X.Tick.Marker = ticksAt(slices.Compact(at))
	if margin != "" {
		c.legend.Add(margin, &whiskers{LineStyle: black})
	}
	if published {
		c.legend.Add("hollow: published", &plotter.Scatter{GlyphStyle: styles[0].marker(true)})
	}
	return nil
}

// count returns an error if there are no curves, or more than can be told apart.
func count(file string, curves int) error {
	if curves == 0 {
		return fmt.Errorf("%s: there is nothing to draw", file)
	}
	if curves > len(styles) {
		return fmt.Errorf("%s: there are %d curves to draw, want at most %d", file, curves, len(styles))
	}
	return nil
}

// add adds a line, markers at some of its points, and both to the legend.
func (c *chart) add(name string, s *style, line, markers plotter.XYs, steps plotter.StepKind) {
	l := &plotter.Line{XYs: line, StepStyle: steps, LineStyle: s.line()}
	m := &plotter.Scatter{XYs: markers, GlyphStyle: s.marker(false)}
	c.Add(l, m)
	c.legend.Add(name, l, m)
}

// whiskers are vertical lines from the lowest to the highest y around points. What is outside the
// axes is cut off.
type whiskers struct {
	plotter.XYs
	margins [][2]float64
	draw.LineStyle
}

// Plot draws the lines.
func (w *whiskers) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for i, at := range w.XYs {
		low, high := max(w.margins[i][0], p.Y.Min), min(w.margins[i][1], p.Y.Max)
		if !(low < high) {
			continue
		}
		x := toX(at.X)
		c.StrokeLine2(w.LineStyle, x, toY(low), x, toY(high))
		for _, y := range []float64{low, high} {
			if y == w.margins[i][0] || y == w.margins[i][1] {
				c.StrokeLine2(w.LineStyle, x-whiskerEnd, toY(y), x+whiskerEnd, toY(y))
			}
		}
	}
}

// DataRange returns the range of the whiskers.
func (w *whiskers) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = plotter.XYRange(w.XYs)
	for _, m := range w.margins {
		ymin, ymax = min(ymin, m[0]), max(ymax, m[1])
	}
	return xmin, xmax, ymin, ymax
}

// Thumbnail draws a line up.
func (w *whiskers) Thumbnail(c *draw.Canvas) {
	x := c.Center().X
	c.StrokeLine2(w.LineStyle, x, c.Min.Y, x, c.Max.Y)
	for _, y := range []vg.Length{c.Min.Y, c.Max.Y} {
		c.StrokeLine2(w.LineStyle, x-whiskerEnd, y, x+whiskerEnd, y)
	}
}

// whiskerEnd is half the width of the ends of whiskers.
const whiskerEnd = vg.Length(2)

// between returns a mean less and more its margin; an unknown margin is none.
func between(mean float64, margin *float64) (low, high float64) {
	if margin == nil || math.IsNaN(*margin) {
		return mean, mean
	}
	return mean - *margin, mean + *margin
}
