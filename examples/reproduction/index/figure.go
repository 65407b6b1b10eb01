package main

import (
	"bytes"
	"cmp"
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"example.com/augur/examples/internal/cli"
)

func init() { plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"} }

var (
	grey   = color.RGBA{0xc9, 0xc9, 0xc9, 0xff}
	blue   = color.RGBA{0x25, 0x54, 0xa8, 0xff}
	orange = color.RGBA{0xe8, 0x82, 0x1e, 0xff}
)

// The least and the greatest ratio that are drawn; what is beyond ends there.
const least, most = 0.7, 20

// drawFigure draws a line for each bed, the first on top: the others from the best to the worst, and the index.
func drawFigure(file string, results []*result) error {
	p := plot.New()
	p.Title.Text = "Mean completion time over that of SRPT, which knows the runtimes"
	p.Title.Padding = 6
	p.X.Label.Text = "ratio (1: as good as SRPT, left is better)"
	p.X.Scale, p.X.Min, p.X.Max = plot.LogScale{}, least, most
	ticks := plot.ConstantTicks{{Value: least, Label: "0.7"}, {Value: 1, Label: "1"}, {Value: 1.5, Label: "1.5"}, {Value: 2, Label: "2"},
		{Value: 3, Label: "3"}, {Value: 5, Label: "5"}, {Value: 10, Label: "10"}, {Value: most, Label: "≥ 20"}}
	rows := make(plot.ConstantTicks, len(results))
	grid := plotter.NewGrid()
	grid.Horizontal.Width, grid.Vertical.Color = 0, grey
	srpt := &plotter.Line{XYs: plotter.XYs{{X: 1, Y: -0.6}, {X: 1, Y: float64(len(results)) - 0.4}}, LineStyle: draw.LineStyle{Color: color.Black, Width: 0.8}}
	p.Add(grid, srpt)
	others, without, with := &marks{color: grey, thick: 7}, &marks{color: orange, hollow: true}, &marks{color: blue}
	for i, r := range results {
		y := float64(len(results) - 1 - i)
		v := r.main()
		rows[i] = plot.Tick{Value: y, Label: v.title}
		if ranked := v.rank(mean); len(ranked) > 0 {
			others.list = append(others.list, mark{y, &cli.Paired{Low: &ranked[0].Ratio, High: &ranked[len(ranked)-1].Ratio}})
		}
		for _, x := range []struct {
			policy string
			to     *marks
			up     float64
		}{{"index", with, 0.13}, {"index/none", without, -0.13}} {
			if ratio := v.ratio(mean, x.policy, "srpt"); ratio != nil {
				x.to.list = append(x.to.list, mark{y + x.up, ratio})
			}
		}
	}
	p.Add(others, without, with)
	p.X.Tick.Marker, p.Y.Tick.Marker, p.Y.Tick.Length = ticks, rows, 0
	p.Y.Min, p.Y.Max = -0.6, float64(len(results))-0.4
	p.Legend.Add("index, with history", with)
	p.Legend.Add("index, without history", without)
	p.Legend.Add("the other policies, from the best to the worst", others)
	p.Legend.TextStyle.Font.Size = 10
	p.Legend.Top, p.Legend.Padding, p.Legend.ThumbnailWidth = true, 2, 24
	p.X.Padding, p.Y.Padding = 0, 0
	p.Y.Max += 2.4 // for the legend
	const px = vg.Inch / 96
	image := vgimg.NewWith(vgimg.UseWH(800*px, vg.Length(150+24*len(results))*px), vgimg.UseDPI(96))
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
	*cli.Paired
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
