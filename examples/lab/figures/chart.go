package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A chart is one or two panels side by side, below a title and a legend for both.
type chart struct {
	title         string
	panels        []*panel
	legend        []entry
	left          []string // series that are not drawn
	width, height vg.Length
}

// An entry of a legend is a name, and what stands before it.
type entry struct {
	name   string
	thumbs []plot.Thumbnailer
}

// A panel is a plot. What its y axis is stands above it, where it is read without turning the head.
type panel struct {
	*plot.Plot
	grid           *plotter.Grid
	xLabel, yLabel string // those of the plot are empty
}

func newChart(title string) *chart {
	return &chart{title: title, width: chartWidth, height: chartHeight}
}

// panel adds a panel.
func (c *chart) panel(xLabel, yLabel string) *panel {
	p := plot.New()
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Label.Font.Size = textSize
		axis.Padding = 0
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = rgb(0xd4d4d4), rgb(0xd4d4d4)
	p.Add(grid)
	c.panels = append(c.panels, &panel{p, grid, xLabel, yLabel})
	return c.panels[len(c.panels)-1]
}

func textStyle(size vg.Length) draw.TextStyle {
	return draw.TextStyle{Color: color.Black, Font: font.From(plot.DefaultFont, size), YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
}

// gap is between parts of a chart.
const gap = 8 * px

// paint draws the chart on a canvas.
func (c *chart) paint(canvas draw.Canvas) {
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	canvas = draw.Crop(canvas, gap, -2*gap, gap, -gap)
	title := textStyle(titleSize)
	canvas.FillText(title, vg.Point{X: canvas.Min.X, Y: canvas.Max.Y}, c.title)
	canvas.Max.Y -= title.Height(c.title) + gap
	canvas.Max.Y -= c.paintLegend(&canvas) + gap
	for i, area := range c.areas(canvas) {
		c.panels[i].paint(area)
	}
}

// paintLegend draws the legend in as many rows as it needs, and returns how high they are.
func (c *chart) paintLegend(canvas *draw.Canvas) vg.Length {
	const thumb = 36 * px
	style := textStyle(textSize)
	row := style.Height("0") + 6*px
	at := vg.Point{X: canvas.Min.X, Y: canvas.Max.Y}
	for _, e := range c.legend {
		width := thumb + 5*px + style.Width(e.name) + 3*gap
		if at.X > canvas.Min.X && at.X+width-3*gap > canvas.Max.X {
			at = vg.Point{X: canvas.Min.X, Y: at.Y - row}
		}
		box := draw.Canvas{Canvas: canvas.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: at.X, Y: at.Y - row + 4*px}, Max: vg.Point{X: at.X + thumb, Y: at.Y}}}
		for _, t := range e.thumbs {
			t.Thumbnail(&box)
		}
		canvas.FillText(style, vg.Point{X: at.X + thumb + 5*px, Y: at.Y}, e.name)
		at.X += width
	}
	return canvas.Max.Y - at.Y + row
}

// areas divides a canvas so that all panels have plots of the same width, whatever stands to the left of these.
func (c *chart) areas(canvas draw.Canvas) []draw.Canvas {
	n := vg.Length(len(c.panels))
	labels := make([]vg.Length, len(c.panels))
	room := canvas.Size().X - 3*gap*(n-1)
	for i, p := range c.panels {
		labels[i] = p.DataCanvas(canvas).Min.X - canvas.Min.X
		room -= labels[i]
	}
	areas := make([]draw.Canvas, len(c.panels))
	left := vg.Length(0)
	for i := range areas {
		right := left + labels[i] + room/n
		areas[i] = draw.Crop(canvas, left, right-canvas.Size().X, 0, 0)
		left = right + 3*gap
	}
	return areas
}

// paint draws the panel with what its axes are.
func (p *panel) paint(canvas draw.Canvas) {
	style := textStyle(textSize)
	row := style.Height("0") + 5*px
	plot := draw.Crop(canvas, 0, 0, row, 0)
	if p.yLabel != "" {
		canvas.FillText(style, vg.Point{X: canvas.Min.X, Y: canvas.Max.Y}, p.yLabel)
		plot.Max.Y -= row
	}
	p.Draw(plot)
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	data := p.DataCanvas(plot)
	canvas.FillText(style, vg.Point{X: data.Center().X, Y: canvas.Min.Y}, p.xLabel)
}

// write draws the chart to files, whose extensions say how.
func (c *chart) write(files ...string) error {
	for _, file := range files {
		var b bytes.Buffer
		var canvas io.WriterTo
		switch ext := filepath.Ext(file); ext {
		case ".png":
			image := vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(dotsPerInch))
			c.paint(draw.New(image))
			canvas = pngFile{image.Image()}
		case ".svg":
			image := vgsvg.New(c.width, c.height)
			c.paint(draw.New(image))
			canvas = image
		default:
			return fmt.Errorf("%s: the extension is %q, want .png or .svg", file, ext)
		}
		if _, err := canvas.WriteTo(&b); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		// Where there is no Liberation Sans, Arial is as wide.
		text := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A pngFile writes an image with sixteen levels of each colour, which looks the same. So few colours fit into a palette,
// which takes a third of the bytes and of the time.
type pngFile struct{ image image.Image }

// WriteTo writes the file. It does not count bytes.
func (p pngFile) WriteTo(w io.Writer) (int64, error) {
	coarse := image.NewRGBA(p.image.Bounds())
	imagedraw.Draw(coarse, coarse.Rect, p.image, coarse.Rect.Min, imagedraw.Src)
	few := image.NewPaletted(coarse.Rect, nil)
	at := make(map[color.RGBA]uint8)
	for i := range few.Pix {
		pix := coarse.Pix[4*i : 4*i+4]
		for k, x := range pix {
			pix[k] = uint8((int(x) + 8) / 17 * 17)
		}
		c := color.RGBA{pix[0], pix[1], pix[2], pix[3]}
		n, ok := at[c]
		if !ok {
			n = uint8(len(few.Palette))
			at[c] = n
			few.Palette = append(few.Palette, c)
		}
		few.Pix[i] = n
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if len(few.Palette) > 256 {
		return 0, e.Encode(w, coarse)
	}
	return 0, e.Encode(w, few)
}
