package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/augur/internal/figure"
	"example.com/augur/policy/experiment"
)

// The size of a chart of a page in units of its SVG, which are pixels where the chart is that wide, and the area in it.
const (
	webWidth, webHeight = 440, 300
	webLeft, webRight   = 64, 406
	webTop, webBottom   = 26, 252
)

// A webChart is curves over two axes, in the units of its SVG.
type webChart struct {
	XLabel, YLabel string
	XTicks, YTicks []webTick
	Curves         []webCurve
	toX, toY       func(float64) float64
}

type webTick struct{ At, Label string }

// A webCurve is a line with markers at some of its points and with bars, all paths.
type webCurve struct {
	Policy             *pagePolicy
	Line, Marks, Whisk string
}

// Mark is the marker for the legend.
func (c webCurve) Mark() string { return path(figure.Styles[c.Policy.Style].Shape, 17, 6) }

// scale returns what maps an axis, and its ticks.
func scale(from, to float64, log bool, low, high float64) (at func(float64) float64, ticks []webTick) {
	f := func(x float64) float64 { return x }
	marks := figure.Linear(from, to)
	if log {
		f, marks = math.Log, figure.Log(from, to, true)
	}
	at = func(x float64) float64 { return low + (high-low)*(f(x)-f(from))/(f(to)-f(from)) }
	return at, ticksOf(marks, at)
}

func ticksOf(marks []figure.Tick, at func(float64) float64) (ticks []webTick) {
	for _, m := range marks {
		if m.Label != "" {
			ticks = append(ticks, webTick{unit(at(m.Value)), m.Label})
		}
	}
	return ticks
}

// unit writes a coordinate.
func unit(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

// line is a path through points; steps go first to the right.
func (c *webChart) line(points []figure.Point, steps bool) string {
	var b strings.Builder
	for i, p := range points {
		switch x, y := unit(c.toX(p.X)), unit(c.toY(p.Y)); {
		case i == 0:
			fmt.Fprintf(&b, "M%s %s", x, y)
		case steps:
			fmt.Fprintf(&b, "H%sV%s", x, y)
		default:
			fmt.Fprintf(&b, "L%s %s", x, y)
		}
	}
	return b.String()
}

// marks is a path of markers.
func (c *webChart) marks(s figure.Shape, points []figure.Point) string {
	var b strings.Builder
	for _, p := range points {
		b.WriteString(path(s, c.toX(p.X), c.toY(p.Y)))
	}
	return b.String()
}

// path is a marker.
func path(s figure.Shape, x, y float64) string {
	var b strings.Builder
	command := 'M'
	for _, corner := range s {
		fmt.Fprintf(&b, "%c%s %s", command, unit(x+4*corner.X), unit(y-4*corner.Y))
		command = 'L'
	}
	return b.String() + "Z"
}

func dashesOf(dashes []float64) string {
	var list []string
	for _, d := range dashes {
		list = append(list, unit(d))
	}
	return strings.Join(list, " ")
}

// cdf draws the distributions of samples.
func (p *page) cdf(xLabel string, all figure.Samples) *webChart {
	const floor = 1e-3
	c := &webChart{XLabel: xLabel, YLabel: "share of jobs (%)"}
	lines := make([][]figure.Point, len(all))
	from, to := math.Inf(1), 0.
	for i, s := range all {
		lines[i] = figure.Levels(s.Values, floor)
		from, to = min(from, lines[i][0].X), max(to, lines[i][len(lines[i])-1].X)
	}
	to = max(to, 1.1*from)
	log := to >= 5*from
	if log {
		c.XLabel += ", logarithmic"
	}
	c.toX, c.XTicks = scale(from, to, log, webLeft, webRight)
	c.toY, c.YTicks = scale(0, 100, false, webBottom, webTop)
	c.YTicks = ticksOf(figure.Steps(0, 100, 20), c.toY)
	for i, s := range all {
		policy := p.policy(s.Name)
		look := &figure.Styles[policy.Style]
		c.Curves = append(c.Curves, webCurve{
			Policy: policy, Line: c.line(lines[i], true), Marks: c.marks(look.Shape, figure.Some(lines[i], i, len(all))),
		})
	}
	return c
}

// byLoad draws the mean completion times of a sweep by load. There is no chart if all runs are of one load.
func (p *page) byLoad(o *figure.Comparison) (*webChart, error) {
	curves, err := figure.ByLoad(o)
	if err != nil || len(curves) == 0 {
		return nil, err
	}
	var loads []float64
	least, most := math.Inf(1), 0.
	all := make([][]experiment.Interval, len(curves))
	for i, v := range curves {
		loads = append(loads, v.At...)
		for _, values := range v.Values {
			e := mean(values, math.Inf(1))
			all[i] = append(all[i], e)
			least, most = min(least, e.Low), max(most, e.High)
		}
	}
	slices.Sort(loads)
	if loads = slices.Compact(loads); len(loads) < 2 {
		return nil, nil
	}
	c := &webChart{XLabel: "offered load (% of all cores)", YLabel: "mean completion time (s)"}
	least, most = least/1.1, most*1.1
	log := most >= 5*least
	if log {
		c.YLabel += ", logarithmic"
	} else {
		least = 0
	}
	room := 0.06 * (loads[len(loads)-1] - loads[0])
	c.toX, _ = scale(loads[0]-room, loads[len(loads)-1]+room, false, webLeft, webRight)
	c.XTicks = ticksOf(figure.At(loads), c.toX)
	c.toY, c.YTicks = scale(least, most, log, webBottom, webTop)
	for i, v := range curves {
		by := room / float64(len(all)) * (float64(i) - float64(len(all)-1)/2)
		points := make([]figure.Point, len(v.At))
		var bars strings.Builder
		for k, e := range all[i] {
			points[k] = figure.Point{X: v.At[k] + by, Y: e.Mean}
			if e.Low < e.High {
				x := c.toX(points[k].X)
				fmt.Fprintf(&bars, "M%s %sV%sm-3 0h6M%s %[2]sh6", unit(x), unit(c.toY(e.Low)), unit(c.toY(e.High)), unit(x-3))
			}
		}
		c.Curves = append(c.Curves, webCurve{Policy: p.policy(v.Name), Line: c.line(points, false), Marks: c.marks(figure.Styles[p.policy(v.Name).Style].Shape, points), Whisk: bars.String()})
	}
	return c, nil
}

// mean returns the mean of numbers from 0 to high with its interval, which is the mean alone if there is one number.
func mean(values []float64, high float64) experiment.Interval {
	m := experiment.MeanWithin(values, 0, high)
	if math.IsNaN(m.Mean) { // one is outside, by rounding
		m = experiment.MeanInterval(values)
	}
	if math.IsNaN(m.Low) {
		m.Low, m.High = m.Mean, m.Mean
	}
	return m
}
