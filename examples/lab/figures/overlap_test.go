package main

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// A box is where a text stands, in points from the left and from the bottom.
type box struct {
	text                     string
	left, right, bottom, top float64
}

func (b *box) overlaps(o *box) bool {
	return b.left < o.right && o.left < b.right && b.bottom < o.top && o.bottom < b.top
}

var textElement = regexp.MustCompile(`<text x="([^"]+)" y="([^"]+)" transform="scale\(1, -1\)"\s+style="[^"]*font-size:([0-9.]+)px">([^<]*)</text>`)

// boxes returns where the texts of an SVG stand.
func boxes(t *testing.T, svg string) (list []box) {
	t.Helper()
	for _, m := range textElement.FindAllStringSubmatch(svg, -1) {
		var n [3]float64
		for k := range n {
			var err error
			if n[k], err = strconv.ParseFloat(m[1+k], 64); err != nil {
				t.Fatal(err)
			}
		}
		x, y, size, s := n[0], -n[1], n[2], html.UnescapeString(m[4])
		style := text.Style{Font: font.From(plot.DefaultFont, vg.Length(size)), Handler: plot.DefaultTextHandler}
		// The height of capitals, and what hangs below a line.
		const up, down = 0.72, 0.2
		list = append(list, box{s, x, x + style.Width(s).Points(), y - down*size, y + up*size})
	}
	if strings.Count(svg, "<text") != len(list) || strings.Contains(svg, "rotate(") {
		t.Fatalf("%d of %d texts can be read", len(list), strings.Count(svg, "<text"))
	}
	return list
}

func svgOf(t *testing.T, c *chart) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "figure.svg")
	if err := c.write(file); err != nil {
		t.Fatal(err)
	}
	svg, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(svg)
}

// pairs returns which texts stand on which.
func pairs(list []box) (names []string) {
	for i, b := range list {
		for _, other := range list[:i] {
			if b.overlaps(&other) {
				names = append(names, b.text+" on "+other.text)
			}
		}
	}
	return names
}

// No text of a figure stands on another one or goes over the edge.
func TestNoOverlap(t *testing.T) {
	check := func(name string, c *chart) {
		list := boxes(t, svgOf(t, c))
		for _, b := range list {
			if b.left < 0 || b.right > c.width.Points() || b.bottom < 0 || b.top > c.height.Points() {
				t.Errorf("%s: %+v goes over the edge", name, b)
			}
		}
		if found := pairs(list); found != nil {
			t.Errorf("%s: %q", name, found)
		}
	}
	for _, f := range figures {
		check(f.name, chartOf(t, &f))
	}
	wide := newChart("title")
	for range 2 {
		p := wide.panel("x (s)", "y (s)")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.5, 2e6, 0, 1
		logarithmic(&p.X, true)
	}
	for i := range maxSeries {
		wide.name(strings.Repeat("a long name of a policy ", 1+i/2), &styles[i])
	}
	check("a wide range", wide)
}

func TestOverlapIsSeen(t *testing.T) {
	c := newChart("title")
	p := c.panel("x (s)", "y (s)")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.X.Tick.Marker = ticksAt([]float64{0.5, 0.51})
	if found := pairs(boxes(t, svgOf(t, c))); len(found) != 1 || found[0] != "0.51 on 0.5" {
		t.Errorf("overlaps %q, want that of the two numbers", found)
	}
}
