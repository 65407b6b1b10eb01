package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"

	"example.com/augur/examples/internal/cli"
)

// A sample is the values of a curve.
type sample struct {
	name   string
	values []float64
}

// samples are curves in the order in which they come.
type samples []sample

func (s *samples) add(name string, value float64) {
	i := slices.IndexFunc(*s, func(x sample) bool { return x.name == name })
	if i < 0 {
		i = len(*s)
		*s = append(*s, sample{name: name})
	}
	(*s)[i].values = append((*s)[i].values, value)
}

// steps is how many levels of a distribution are drawn at most, of which some have markers.
const (
	steps   = 400
	markers = 5
)

// drawCDFs draws the distributions of samples over a logarithmic axis that begins at least at floor,
// where what is below is drawn; unit is what the samples are of. Of many samples those of the least medians are drawn.
func drawCDFs(file, title, xLabel, unit string, floor float64, all samples) (*chart, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to draw", file)
	}
	c := newChart(title)
	all, c.left = choose(all, func(s sample) string { return s.name }, func(s sample) float64 {
		return cli.Quantile(slices.Sorted(slices.Values(s.values)), 0.5)
	})
	p := c.panel(xLabel, fmt.Sprintf("share of %s (%%)", unit))
	for i, s := range all {
		points := levels(s.values, floor)
		c.name(s.name, &styles[i])
		p.line(&styles[i], points, some(points, i, len(all)), plotter.PostStep)
	}
	p.X.Max = max(p.X.Max, 1.1*p.X.Min) // what differs by less is not to look as if it differed much
	if logarithmic(&p.X, false) {
		p.xLabel += ", logarithmic"
	}
	p.Y.Min, p.Y.Max = 0, 100
	p.Y.Tick.Marker = linear(0, 100, 20)
	return c, nil
}

// some returns the points of a curve that have markers, between those of the other curves.
func some(points plotter.XYs, curve, of int) (mark plotter.XYs) {
	for k := range markers {
		at := (float64(k) + (float64(curve)+0.5)/float64(of)) / markers
		mark = append(mark, points[1+int(at*float64(len(points)-1))])
	}
	return mark
}

// levels returns the points of a distribution function, in percent: a value for each of at most so
// many steps, after a point at 0 % below the least.
func levels(values []float64, floor float64) plotter.XYs {
	values = slices.Clone(values)
	for i, x := range values {
		values[i] = max(x, floor)
	}
	slices.Sort(values)
	n := min(len(values), steps)
	points := make(plotter.XYs, 0, n+1)
	points = append(points, plotter.XY{X: values[0]})
	for k := 1; k <= n; k++ {
		rank := (k*len(values) + n - 1) / n // rounded up
		points = append(points, plotter.XY{X: values[rank-1], Y: 100 * float64(k) / float64(n)})
	}
	return points
}
