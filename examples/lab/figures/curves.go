package main

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A curve is a name in the legend, and points with what each seed had there.
type curve struct {
	name      string
	at        []float64
	values    [][]float64
	published plotter.XYs // with hollow markers
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

// A plotted curve has an estimate at each point.
type plotted struct {
	style     *style
	at        []float64
	estimates []estimate
	published plotter.XYs
}

// levels returns the estimates of a curve, cut off at low and high.
func (c *curve) levels(s *style, low, high float64) plotted {
	p := plotted{style: s, at: c.at, published: c.published}
	for _, v := range c.values {
		p.estimates = append(p.estimates, estimateOf(v, low, high))
	}
	return p
}

// over returns the estimates of a curve paired with another at the same points, and what was published of both.
func (c *curve) over(of *curve, s *style, ratio bool) plotted {
	p := plotted{style: s}
	for i, x := range c.at {
		k := slices.Index(of.at, x)
		if k < 0 {
			continue
		}
		if e, ok := paired(c.values[i], of.values[k], ratio); ok {
			p.at, p.estimates = append(p.at, x), append(p.estimates, e)
		}
	}
	for _, a := range c.published {
		for _, b := range of.published {
			switch {
			case a.X == b.X && ratio:
				p.published = append(p.published, plotter.XY{X: a.X, Y: a.Y / b.Y})
			case a.X == b.X:
				p.published = append(p.published, plotter.XY{X: a.X, Y: a.Y - b.Y})
			}
		}
	}
	return p
}

// draw draws curves with a marker at each point, and a tick at each x. So that bars do not hide each other, each curve is
// moved to the right of the one before by apart, and all together are around their x.
func (p *panel) draw(curves []plotted, apart float64) {
	var at []float64
	aside := func(i int) float64 { return apart * (float64(i) - float64(len(curves)-1)/2) }
	for i, v := range curves { // first, so that what was published does not hide what was measured
		if len(v.published) > 0 {
			hollow := slices.Clone(v.published)
			for k := range hollow {
				hollow[k].X += aside(i)
			}
			p.Add(&plotter.Scatter{XYs: hollow, GlyphStyle: v.style.marker(true)})
		}
	}
	for i, v := range curves {
		by := aside(i)
		points := make(plotter.XYs, len(v.at))
		for k, x := range v.at {
			points[k] = plotter.XY{X: x + by, Y: v.estimates[k].mean}
		}
		at = append(at, v.at...)
		p.line(v.style, points, points, plotter.NoStep)
		p.Add(&whiskers{points, v.estimates, draw.LineStyle{Color: v.style.color, Width: 1.1}})
	}
	slices.Sort(at)
	p.X.Tick.Marker = ticksAt(slices.Compact(at))
}

// line adds a line and markers at some of its points.
func (p *panel) line(s *style, line, markers plotter.XYs, steps plotter.StepKind) {
	if len(line) == 0 {
		return
	}
	p.Add(&plotter.Line{XYs: line, StepStyle: steps, LineStyle: s.line()}, &plotter.Scatter{XYs: markers, GlyphStyle: s.marker(false)})
}

// level adds a line across that differences are seen from.
func (p *panel) level(y float64) {
	p.Add(plotter.NewFunction(func(float64) float64 { return y }))
}

// name adds a curve to the legend.
func (c *chart) name(name string, s *style) {
	c.legend = append(c.legend, entry{name, []plot.Thumbnailer{
		&plotter.Line{LineStyle: s.line()}, &plotter.Scatter{GlyphStyle: s.marker(false)},
	}})
}

// single draws curves in a panel of their own.
func (c *chart) single(file string, curves []*curve, x, y string, low, high, apart float64) (*panel, error) {
	if len(curves) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to draw", file)
	}
	if len(curves) > maxSeries {
		return nil, fmt.Errorf("%s: there are %d curves to draw, want at most %d", file, len(curves), maxSeries)
	}
	p := c.panel(x, y)
	var all []plotted
	published, varies := false, false
	for i, v := range curves {
		c.name(v.name, &styles[i])
		all = append(all, v.levels(&styles[i], low, high))
		published = published || len(v.published) > 0
		varies = varies || slices.ContainsFunc(all[i].estimates, func(e estimate) bool { return e.low < e.high })
	}
	p.draw(all, apart)
	if varies {
		c.legend = append(c.legend, entry{interval, []plot.Thumbnailer{&whiskers{LineStyle: black}}})
	}
	if published {
		c.legend = append(c.legend, entry{"hollow: published", []plot.Thumbnailer{&plotter.Scatter{GlyphStyle: styles[0].marker(true)}}})
	}
	return p, nil
}

// pairs draws curves, and to the right the others less the first, or over it, seed by seed: intervals of differences tell
// apart what those of levels do not, since each seed has the same jobs under all.
func (c *chart) pairs(file string, curves []*curve, x, y string, low, high, apart float64, ratio bool) (levels, differences *panel, err error) {
	if levels, err = c.single(file, curves, x, y, low, high, apart); err != nil {
		return nil, nil, err
	}
	var others []plotted
	some := false
	for i, v := range curves[1:] {
		others = append(others, v.over(curves[0], &styles[1+i], ratio))
		some = some || len(others[i].at) > 0
	}
	if !some {
		return levels, nil, nil
	}
	what := "points above " + curves[0].name
	if ratio {
		what = "over " + curves[0].name
	}
	differences = c.panel(x, what+", seed by seed")
	differences.draw(others, apart)
	return levels, differences, nil
}

// whiskers are vertical lines over the intervals at points. What is outside the axes is cut off.
type whiskers struct {
	plotter.XYs
	estimates []estimate
	draw.LineStyle
}

// Plot draws the lines.
func (w *whiskers) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for i, at := range w.XYs {
		e := w.estimates[i]
		low, high := max(e.low, p.Y.Min), min(e.high, p.Y.Max)
		if !(low < high) {
			continue
		}
		x := toX(at.X)
		c.StrokeLine2(w.LineStyle, x, toY(low), x, toY(high))
		for _, y := range []float64{low, high} {
			if y == e.low || y == e.high {
				c.StrokeLine2(w.LineStyle, x-whiskerEnd, toY(y), x+whiskerEnd, toY(y))
			}
		}
	}
}

// DataRange returns the range of the whiskers.
func (w *whiskers) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = plotter.XYRange(w.XYs)
	for _, e := range w.estimates {
		ymin, ymax = min(ymin, e.low), max(ymax, e.high)
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
const whiskerEnd = vg.Length(2.5)

var black = draw.LineStyle{Color: color.Black, Width: 0.8}
