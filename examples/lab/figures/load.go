package main

import (
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"

	"example.com/augur/internal/figure"
)

func jctLoad(file string) (*chart, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	o, err := figure.Parse(file, text)
	if err != nil {
		return nil, err
	}
	found, err := figure.ByLoad(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var curves []*curve
	for _, of := range found {
		curves = append(curves, &curve{name: of.Name, at: of.At, values: of.Values})
	}
	c := newChart("Mean completion times by load")
	curves, c.left = choose(curves, func(v *curve) string { return v.name }, func(v *curve) float64 {
		if len(v.values) == 0 {
			return math.Inf(1)
		}
		return stat.Mean(v.values[len(v.values)-1], nil) // at the highest load
	})
	levels, ratios, err := c.pairs(file, curves, "offered load (% of all cores)", "mean completion time (s)", 0, math.Inf(1), 0.7, true)
	if err != nil {
		return nil, err
	}
	for _, p := range c.panels {
		p.X.Min, p.X.Max = p.X.Min-3, p.X.Max+3
	}
	upwards(levels)
	if ratios != nil {
		ratios.Y.Max = max(ratios.Y.Max, 1)
		upwards(ratios)
		ratios.level(1)
	}
	return c, nil
}

// upwards makes the y axis of numbers above 0 logarithmic if they differ much, and else lets it begin at 0.
func upwards(p *panel) {
	if p.Y.Min <= 0 { // the end of an interval, which is cut off
		p.Y.Min = p.Y.Max / 100
	}
	p.Y.Min, p.Y.Max = p.Y.Min/1.1, p.Y.Max*1.1
	if logarithmic(&p.Y, false) {
		p.yLabel += ", logarithmic"
	} else {
		p.Y.Min = 0
	}
	if _, ok := p.Y.Scale.(plot.LogScale); !ok {
		p.Y.Tick.Marker = linearTicks{}
	}
}
