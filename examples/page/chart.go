package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/augur/examples/internal/figure"
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
	Level          string // of the baseline, if there is one
	Curves         []webCurve
	toX, toY       func(float64) float64
}

type webTick struct{ At, Label string }

// A webCurve is a line with markers at some of its points, with bars and dots, all paths.
type webCurve struct {
	Policy                   *pagePolicy
	Line, Marks, Whisk, Dots string
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

// ratios adds the chart of a figure over that of the baseline: a column for each policy at each load, with a dot for each seed, window
// or copy, the geometric mean and its interval. There is none if no policy has ratios besides the baseline.
func (p *page) ratios(c *figure.Comparison, id, title, field string) {
	type column struct {
		at   float64 // load
		dots []float64
		experiment.Interval
	}
	loads := c.At()
	at := func(runs []figure.Run) float64 {
		if runs[0].Load == nil {
			return 0
		}
		return math.Round(100 * *runs[0].Load)
	}
	slices.SortStableFunc(loads, func(a, b []figure.Run) int { return cmp.Compare(at(a), at(b)) })
	base, to := c.Base(loads[0])
	curves := make([][]column, len(loads[0][0].Policies))
	others, least, most, gap := 0, 1., 1., math.Inf(1)
	for k, runs := range loads {
		if k > 0 && at(runs) > at(loads[k-1]) {
			gap = min(gap, at(runs)-at(loads[k-1]))
		}
		first := figure.Across(runs, base, field)
		for i := range curves {
			values := figure.Across(runs, i, field)
			r := experiment.RatioInterval(values, first)
			if i == base || math.IsNaN(r.Mean) {
				continue
			}
			v := column{at(runs), nil, r}
			for n := range values {
				v.dots = append(v.dots, values[n]/first[n])
			}
			if math.IsNaN(r.Low) {
				v.Low, v.High, v.dots = r.Mean, r.Mean, nil
			}
			least, most = min(least, v.Low, slices.Min(append(v.dots, 1))), max(most, v.High, slices.Max(append(v.dots, 1)))
			curves[i] = append(curves[i], v)
			others++
		}
	}
	if others == 0 {
		return
	}
	from, until := at(loads[0]), at(loads[len(loads)-1])
	wide := max(0.5*gap, 0.06*(until-from)) // of all columns at a load
	if from == until {
		wide = 1
	}
	chart := &webChart{XLabel: "offered load (% of all cores)", YLabel: "ratio to " + to}
	log := most >= 5*least
	if log {
		chart.YLabel += ", logarithmic"
	}
	chart.toX, _ = scale(from-wide/2, until+wide/2, false, webLeft, webRight)
	var ticks []float64
	for _, runs := range loads {
		if runs[0].Load != nil {
			ticks = append(ticks, at(runs))
		}
	}
	chart.XTicks = ticksOf(figure.At(slices.Compact(ticks)), chart.toX)
	chart.toY, chart.YTicks = scale(least/1.05, most*1.05, log, webBottom, webTop)
	chart.Level = unit(chart.toY(1))
	each := wide / float64(len(curves)-1) // of a column; the baseline has none
	for i, columns := range curves {
		place := i
		if i > base {
			place--
		}
		var points []figure.Point
		var dots, bars strings.Builder
		for _, v := range columns {
			middle := v.at + each*(float64(place)-float64(len(curves)-2)/2)
			points = append(points, figure.Point{X: middle, Y: v.Mean})
			for n, y := range v.dots {
				x := middle + 0.7*each*((float64(n)+0.5)/float64(len(v.dots))-0.5)
				fmt.Fprintf(&dots, "M%s %sh0", unit(chart.toX(x)), unit(chart.toY(y)))
			}
			if x := chart.toX(middle); v.Low < v.High {
				fmt.Fprintf(&bars, "M%s %sV%sm-3 0h6M%s %[2]sh6", unit(x), unit(chart.toY(v.Low)), unit(chart.toY(v.High)), unit(x-3))
			}
		}
		if points != nil {
			policy := p.policy(loads[0][0].Policies[i].Name)
			chart.Curves = append(chart.Curves, webCurve{
				Policy: policy, Line: chart.line(points, false), Marks: chart.marks(figure.Styles[policy.Style].Shape, points), Whisk: bars.String(), Dots: dots.String(),
			})
		}
	}
	caption := "Below the line is better than " + to + "."
	if len(loads[0]) > 1 {
		caption = fmt.Sprintf("A dot is a %s, always at the same place in its column; the marker is the geometric mean, and the bar its 95 %% interval. %s", c.Kind(), caption)
	}
	p.Figures = append(p.Figures, pageFigure{ID: id, Title: title + " over that of " + to, Chart: chart, Caption: caption})
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
