package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/figure"
)

// drawCDFs draws the distributions of samples over a logarithmic axis that begins at least at floor,
// where what is below is drawn; unit is what the samples are of. Of many samples those of the least medians are drawn.
func drawCDFs(file, title, xLabel, unit string, floor float64, all figure.Samples) (*chart, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to draw", file)
	}
	c := newChart(title)
	all, c.left = choose(all, func(s figure.Sample) string { return s.Name }, func(s figure.Sample) float64 {
		return cli.Quantile(slices.Sorted(slices.Values(s.Values)), 0.5)
	})
	p := c.panel(xLabel, fmt.Sprintf("share of %s (%%)", unit))
	for i, s := range all {
		points := figure.Levels(s.Values, floor)
		c.name(s.Name, &styles[i])
		p.line(&styles[i], forPlotXY(points), forPlotXY(figure.Some(points, i, len(all))), plotter.PostStep)
	}
	p.X.Max = max(p.X.Max, 1.1*p.X.Min) // what differs by less is not to look as if it differed much
	if logarithmic(&p.X, false) {
		p.xLabel += ", logarithmic"
	}
	p.Y.Min, p.Y.Max = 0, 100
	p.Y.Tick.Marker = linear(0, 100, 20)
	return c, nil
}

func forPlotXY(points []figure.Point) plotter.XYs {
	list := make(plotter.XYs, len(points))
	for i, p := range points {
		list[i] = plotter.XY(p)
	}
	return list
}

func jctCDF(file string) (*chart, error) {
	all, err := figure.ReadJobs(file, func(jct, _ float64) (float64, bool) { return jct, true })
	if err != nil {
		return nil, err
	}
	return drawCDFs(file, "Job completion times", "job completion time (s)", "jobs", 1e-3, all)
}
