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

// Bars are as long as their numbers, from a common line.
func TestBars(t *testing.T) {
	svg := svgOf(t, drawBars("title", "unit (s)", []bar{{"a", 40, 80, 70, 90}, {"b", 20, -10, -10, -10}}))
	published, measured := paths(t, svg, "fill:#C9C9C9"), paths(t, svg, "fill:#3A4F86")
	whiskers := paths(t, svg, "fill:none;stroke:#E07020")
	if len(published) != 3 || len(measured) != 3 || len(whiskers) != 6 { // with those of the legend
		t.Fatalf("%d and %d bars, %d lines of whiskers, want 3, 3, 6", len(published), len(measured), len(whiskers))
	}
	zero, unit := published[1][0], (published[1][2]-published[1][0])/40
	if !(unit > 1) {
		t.Fatalf("a bar of 40 is from %v to %v", published[1][0], published[1][2])
	}
	near(t, "the end of 20", published[2][2], zero+20*unit)
	near(t, "the end of 80", measured[1][2], zero+80*unit)
	near(t, "the end of -10", measured[2][2], zero-10*unit)
	near(t, "the low end of a margin", whiskers[3][0], zero+70*unit)
	near(t, "the high end of a margin", whiskers[3][2], zero+90*unit)
	if !(published[1][1] > measured[1][1] && measured[1][1] > published[2][1]) {
		t.Errorf("bars are at heights %v, %v and %v, want each below the one before", published[1][1], measured[1][1], published[2][1])
	}
}

// A curve has its margins around its points, cut off at the axes, and curves stand side by side.
func TestDrawCurves(t *testing.T) {
	c := newChart("title", "x (s)", "y (s)")
	curves := []*curve{
		{name: "a", points: plotter.XYs{{X: 10, Y: 20}, {X: 20, Y: 40}}, margins: [][2]float64{{15, 30}, {-10, 90}}},
		{name: "b", points: plotter.XYs{{X: 10, Y: 5}}, margins: [][2]float64{{5, 5}}, published: plotter.XYs{{X: 10, Y: 50}}},
	}
	if err := c.drawCurves("file", curves, "margin", 2); err != nil {
		t.Fatal(err)
	}
	c.X.Min, c.X.Max, c.Y.Min, c.Y.Max = 0, 30, 0, 80
	svg := svgOf(t, c)
	line := paths(t, svg, "fill:none;stroke:#000000;stroke-width:1.3")
	whiskers := paths(t, svg, "fill:none;stroke:#000000;stroke-width:0.8")
	if len(line) != 2 || len(whiskers) != 4 { // of the legend too; the second margin has no ends
		t.Fatalf("%d lines, %d lines of whiskers, want 2, 4: %v", len(line), len(whiskers), whiskers)
	}
	from, to := line[1][:2], line[1][2:]
	unitX, unitY := (to[0]-from[0])/10, (to[1]-from[1])/20
	near(t, "x of a margin", whiskers[0][0], from[0])
	near(t, "the low end of a margin", whiskers[0][1], from[1]-5*unitY)
	near(t, "the high end of a margin", whiskers[0][3], from[1]+10*unitY)
	near(t, "the end at the axis", whiskers[3][1], to[1]-40*unitY)
	near(t, "the end at the top", whiskers[3][3], to[1]+40*unitY)
	points := paths(t, svg, "fill:#E8821E")
	hollow := paths(t, svg, "fill:none;stroke:#E8821E;stroke-width:1.2")
	if len(points) != 2 || len(hollow) != 1 {
		t.Fatalf("%d markers of b, %d hollow, want 2, 1", len(points), len(hollow))
	}
	middle := func(square []float64) (x, y float64) { return (square[0] + square[4]) / 2, (square[1] + square[5]) / 2 }
	x, y := middle(points[1])
	near(t, "x of b", x, from[0]+2*unitX)
	near(t, "y of b", y, from[1]-15*unitY)
	x, y = middle(hollow[0])
	near(t, "x of what is published of b", x, from[0]+2*unitX)
	near(t, "y of what is published of b", y, from[1]+30*unitY)
}
