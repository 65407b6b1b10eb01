package main

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"os"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy/experiment"
)

func init() { plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"} }

var (
	grey   = color.RGBA{0xc9, 0xc9, 0xc9, 0xff}
	blue   = color.RGBA{0x25, 0x54, 0xa8, 0xff}
	orange = color.RGBA{0xe8, 0x82, 0x1e, 0xff}
)

// The least and the greatest ratio that are drawn; what is beyond ends there.
const least, most = 0.2, 20

// A span is what the table of beds says of one.
type span struct {
	bed           string
	with, without *experiment.Paired // the index over SRPT, with history and without
	best, worst   float64            // of the other policies over SRPT
}

// readSpans reads the table of beds from a page, and leaves out beds without a mean completion time.
func readSpans(page string) (spans []span, err error) {
	_, table, _ := strings.Cut(page, bedsHeading)
	table, _, _ = strings.Cut(table, "\n#")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) < 7 || cells[0] == "bed and load" || cells[1] == "-" {
			continue
		}
		r := span{bed: cells[0]}
		for i, to := range []**experiment.Paired{&r.with, &r.without} {
			if *to, err = readRatio(cells[1+i]); err != nil {
				return nil, fmt.Errorf("%s: %w", r.bed, err)
			}
		}
		for i, to := range map[int]*float64{3: &r.best, 6: &r.worst} {
			_, ratio, _ := strings.Cut(cells[i], " ") // after the name of the policy
			other, err := readRatio(ratio)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.bed, err)
			}
			*to = other.Ratio
		}
		spans = append(spans, r)
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("no row below %q", bedsHeading)
	}
	return spans, nil
}

// readRatio reads what [experiment.Paired.Text] writes: a ratio, and its interval if it has one.
func readRatio(text string) (*experiment.Paired, error) {
	p := new(experiment.Paired)
	fields := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(text))
	if len(fields) == 3 {
		p.Low, p.High = new(float64), new(float64)
	} else if len(fields) != 1 {
		return nil, fmt.Errorf("%q is not a ratio", text)
	}
	for i, to := range []*float64{&p.Ratio, p.Low, p.High}[:len(fields)] {
		var err error
		if *to, err = strconv.ParseFloat(fields[i], 64); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// drawFigure draws a line for each bed of a page, the first on top: the others from the best to the worst, and the index.
func drawFigure(file, page string) error {
	table, err := readSpans(page)
	if err != nil {
		return cli.Usage(err)
	}
	p := plot.New()
	p.Title.Text = "Mean completion time over that of SRPT, which knows the runtimes"
	p.Title.TextStyle.Font.Size = 13
	p.Title.Padding = 6
	p.X.Label.Text = "ratio, logarithmic (1: as good as SRPT; left is better)"
	p.X.Label.TextStyle.Font.Size, p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 11, 11, 11
	p.X.Scale, p.X.Min, p.X.Max = plot.LogScale{}, least, most
	ticks := plot.ConstantTicks{{Value: least, Label: "0.2"}, {Value: 0.3, Label: "0.3"}, {Value: 0.5, Label: "0.5"}, {Value: 1, Label: "1"}, {Value: 1.5, Label: "1.5"},
		{Value: 2, Label: "2"}, {Value: 3, Label: "3"}, {Value: 5, Label: "5"}, {Value: 10, Label: "10"}, {Value: most, Label: "≥ 20"}}
	names := make(plot.ConstantTicks, len(table))
	grid := plotter.NewGrid()
	grid.Horizontal.Width, grid.Vertical.Color = 0, grey
	srpt := &plotter.Line{XYs: plotter.XYs{{X: 1, Y: -0.6}, {X: 1, Y: float64(len(table)) - 0.4}}, LineStyle: draw.LineStyle{Color: color.Black, Width: 0.8}}
	p.Add(grid, srpt)
	others, without, with := &marks{color: grey, thick: 7}, &marks{color: orange, hollow: true}, &marks{color: blue}
	for i, r := range table {
		y := float64(len(table) - 1 - i)
		names[i] = plot.Tick{Value: y, Label: r.bed}
		others.list = append(others.list, mark{y, &experiment.Paired{Low: &r.best, High: &r.worst}})
		with.list = append(with.list, mark{y + 0.14, r.with})
		without.list = append(without.list, mark{y - 0.14, r.without})
	}
	p.Add(others, without, with)
	p.X.Tick.Marker, p.Y.Tick.Marker, p.Y.Tick.Length = ticks, names, 0
	p.Y.Min, p.Y.Max = -0.6, float64(len(table))-0.4
	p.Legend.Add("index, with history", with)
	p.Legend.Add("index, without history", without)
	p.Legend.Add("the other policies, from the best to the worst", others)
	p.Legend.TextStyle.Font.Size = 11
	p.Legend.Top, p.Legend.Padding, p.Legend.ThumbnailWidth = true, 2, 24
	p.X.Padding, p.Y.Padding = 0, 0
	p.Y.Max += 3            // for the legend
	const px = vg.Inch / 96 // of which the PNG has two in each direction
	image := vgimg.NewWith(vgimg.UseWH(800*px, vg.Length(150+24*len(table))*px), vgimg.UseDPI(192))
	p.Draw(draw.Crop(draw.New(image), 6*px, -14*px, 6*px, -6*px))
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: image}).WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// A mark is a ratio on a line.
type mark struct {
	y float64
	*experiment.Paired
}

// Marks are drawn as intervals, with a dot at the ratio unless they are thick.
type marks struct {
	list   []mark
	color  color.Color
	thick  vg.Length
	hollow bool
}

// Plot draws the marks.
func (m *marks) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	x := func(ratio float64) vg.Length { return toX(min(max(ratio, least), most)) }
	for _, k := range m.list {
		if k.Low != nil {
			c.StrokeLine2(m.style(), x(*k.Low), toY(k.y), x(*k.High), toY(k.y))
		}
		if m.thick == 0 {
			m.dot(&c, vg.Point{X: x(k.Ratio), Y: toY(k.y)})
		}
	}
}

// Thumbnail draws one for the legend.
func (m *marks) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(m.style(), c.Min.X, y, c.Max.X, y)
	if m.thick == 0 {
		m.dot(c, c.Center())
	}
}

func (m *marks) style() draw.LineStyle {
	return draw.LineStyle{Color: m.color, Width: cmp.Or(m.thick, 1.2)}
}

func (m *marks) dot(c *draw.Canvas, at vg.Point) {
	c.DrawGlyph(draw.GlyphStyle{Color: m.color, Radius: 3.4, Shape: draw.CircleGlyph{}}, at)
	if m.hollow {
		c.DrawGlyph(draw.GlyphStyle{Color: color.White, Radius: 2, Shape: draw.CircleGlyph{}}, at)
	}
}
