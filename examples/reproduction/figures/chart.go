package main

import (
	"bytes"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A chart is a plot with its legend to the right of it, so that neither hides the other.
type chart struct {
	*plot.Plot
	grid           *plotter.Grid
	legend         plot.Legend
	xLabel, yLabel string // of the axes; those of the plot are empty
	width, height  vg.Length
}

func newChart(title, xLabel, yLabel string) *chart {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size, p.Title.Padding = 10.5, 5
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size, axis.Label.Padding = 9.5, 3
		axis.Tick.Label.Font.Size = 9
		axis.Padding = 0
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = rgb(0xd0d0d0), rgb(0xd0d0d0)
	p.Add(grid)
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.TextStyle.Font.Size, legend.Padding, legend.ThumbnailWidth = 9, 4, 24
	return &chart{p, grid, legend, xLabel, yLabel, chartWidth, chartHeight}
}

// areas returns where on a canvas the plot is drawn and where the legend is.
func (c *chart) areas(canvas draw.Canvas) (plot, legend draw.Canvas) {
	width := c.legend.Rectangle(canvas).Size().X + 4*px
	room := c.X.Label.TextStyle.Height("0") + 4*px // for the labels of the axes
	return draw.Crop(canvas, room, -width-14*px, room, 0), draw.Crop(canvas, canvas.Size().X-width, 0, 0, -24*px)
}

// paint draws the chart on a canvas.
func (c *chart) paint(canvas draw.Canvas) {
	canvas.SetColor(rgb(0xffffff))
	canvas.Fill(canvas.Rectangle.Path())
	if _, ok := c.X.Tick.Marker.(logTicks); ok {
		c.X.Tick.Marker = logTicks{small: c.width < chartWidth}
	}
	canvas = draw.Crop(canvas, 6*px, -8*px, 6*px, -6*px)
	plot, legend := c.areas(canvas)
	c.legend.Draw(legend)
	c.Plot.Draw(plot)
	// The plot would make room for its own labels in the middle of the numbers of a logarithmic
	// axis, which is near its end.
	label := c.X.Label.TextStyle
	middle, descent := c.DataCanvas(plot), label.FontExtents().Descent
	at := middle.Center()
	canvas.FillText(label, vg.Point{X: at.X, Y: canvas.Min.Y + descent}, c.xLabel)
	label.Rotation = math.Pi / 2
	canvas.FillText(label, vg.Point{X: canvas.Min.X + label.Height("0") - descent, Y: at.Y}, c.yLabel)
}

// write draws the chart to files, whose extensions say how.
func (c *chart) write(files ...string) error {
	for _, file := range files {
		var b bytes.Buffer
		var canvas io.WriterTo
		switch ext := filepath.Ext(file); ext {
		case ".png":
			image := vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(96))
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

// A pngFile writes an image with sixteen levels of each colour, which takes half the bytes that all
// levels take and looks the same.
type pngFile struct{ image image.Image }

// WriteTo writes the file. It does not count bytes.
func (p pngFile) WriteTo(w io.Writer) (int64, error) {
	coarse := image.NewRGBA(p.image.Bounds())
	imagedraw.Draw(coarse, coarse.Rect, p.image, coarse.Rect.Min, imagedraw.Src)
	for i, x := range coarse.Pix {
		coarse.Pix[i] = uint8((int(x) + 8) / 17 * 17)
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	return 0, e.Encode(w, coarse)
}
