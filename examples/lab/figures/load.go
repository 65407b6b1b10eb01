package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"

	"example.com/augur/examples/internal/figure"
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
	curves, err := byLoad(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
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

// curveOf returns the curve of a name, a new one at the end if there is none.
func curveOf(curves *[]*curve, name string) *curve {
	for _, c := range *curves {
		if c.name == name {
			return c
		}
	}
	c := &curve{name: name}
	*curves = append(*curves, c)
	return c
}

// byLoad returns the mean completion times of the runs by the offered load in percent, of each policy.
func byLoad(c *figure.Comparison) ([]*curve, error) {
	var curves []*curve
	at := c.At()
	for _, runs := range at {
		if runs[0].Load == nil {
			return nil, nil
		}
		for i := range runs[0].Policies {
			v := curveOf(&curves, runs[0].Policies[i].Name)
			values := figure.Across(runs, i, "mean_jct_s")
			if len(values) == 0 { // no job is done
				continue
			}
			if !(slices.Min(values) > 0) {
				return nil, fmt.Errorf("field mean_jct_s of %s is %v, want above 0", v.name, slices.Min(values))
			}
			v.at, v.values = append(v.at, math.Round(100**runs[0].Load)), append(v.values, values)
		}
	}
	for _, v := range curves {
		order := make([]int, len(v.at))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v.at[a], v.at[b]) })
		sorted := &curve{name: v.name}
		for _, i := range order {
			sorted.at, sorted.values = append(sorted.at, v.at[i]), append(sorted.values, v.values[i])
		}
		*v = *sorted
	}
	return curves, nil
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
