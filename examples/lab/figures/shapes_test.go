package main

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// paths returns the coordinates of each path of an SVG with a style, in the order in which they are
// drawn.
func paths(t *testing.T, svg, style string) (list [][]float64) {
	t.Helper()
	for _, m := range regexp.MustCompile(`<path d="([^"]*)" style="`+regexp.QuoteMeta(style)).FindAllStringSubmatch(svg, -1) {
		var path []float64
		for _, n := range regexp.MustCompile(`-?[0-9.]+`).FindAllString(m[1], -1) {
			x, err := strconv.ParseFloat(n, 64)
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, x)
		}
		list = append(list, path)
	}
	return list
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 0.02) { // points; SVG has five digits
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// A curve has its intervals around its points, cut off at the axes, and curves stand side by side.
func TestDrawCurves(t *testing.T) {
	c := newChart("title")
	p := c.panel("x (s)", "y (s)")
	p.draw([]plotted{
		{style: &styles[0], at: []float64{10, 20}, estimates: []estimate{{20, 15, 30}, {40, -10, 90}}},
		{style: &styles[1], at: []float64{10}, estimates: []estimate{{5, 5, 5}}, published: plotter.XYs{{X: 10, Y: 50}}},
	}, 2)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 30, 0, 80
	svg := svgOf(t, c)
	line := paths(t, svg, "fill:none;stroke:#000000;stroke-width:1.6")
	whiskers := paths(t, svg, "fill:none;stroke:#000000;stroke-width:1.1")
	if len(line) != 1 || len(whiskers) != 4 { // the second interval has no ends
		t.Fatalf("%d lines, %d lines of whiskers, want 1, 4: %v", len(line), len(whiskers), whiskers)
	}
	from, to := line[0][:2], line[0][2:]
	unitX, unitY := (to[0]-from[0])/10, (to[1]-from[1])/20
	near(t, "x of an interval", whiskers[0][0], from[0])
	near(t, "the low end of an interval", whiskers[0][1], from[1]-5*unitY)
	near(t, "the high end of an interval", whiskers[0][3], from[1]+10*unitY)
	near(t, "the end at the axis", whiskers[3][1], to[1]-40*unitY)
	near(t, "the end at the top", whiskers[3][3], to[1]+40*unitY)
	points := paths(t, svg, "fill:#E8821E")
	hollow := paths(t, svg, "fill:none;stroke:#E8821E;stroke-width:1.2")
	if len(points) != 1 || len(hollow) != 1 {
		t.Fatalf("%d markers of b, %d hollow, want 1, 1", len(points), len(hollow))
	}
	middle := func(square []float64) (x, y float64) { return (square[0] + square[4]) / 2, (square[1] + square[5]) / 2 }
	x, y := middle(points[0])
	near(t, "x of b", x, from[0]+2*unitX)
	near(t, "y of b", y, from[1]-15*unitY)
	x, y = middle(hollow[0])
	near(t, "x of what is published of b", x, from[0]+2*unitX)
	near(t, "y of what is published of b", y, from[1]+30*unitY)
}
