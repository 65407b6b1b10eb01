// Figures draws pictures of what the programs compare, predict and reproduce write, as PNG and as SVG:
// distributions of completion times, slowdowns and errors of predictions, completion times by load,
// deadlines missed by slack, value by capacity, the share of pilots as time goes on, and what was
// published beside what was measured. In the folder of this module, examples/reproduction:
//
//	go run ./figures
//	go run ./figures -data DIR -out DIR
//
// Without -data it runs these programs first, which takes some minutes. README.md tells what is drawn
// and how to draw figures of your own trace.
//
// It exits with status 1 if a file cannot be drawn or a program fails, and with 2 if a flag is wrong;
// either way with one line on stderr.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("figures", run) }

// A figure is a picture of what is in a file.
type figure struct {
	name   string // of its own files, without extension
	file   string // that it is drawn from, a pattern of [filepath.Glob]
	draw   func(files []string) (*chart, error)
	readme bool // one of those that -small draws
}

// figures are what is drawn.
var figures = []figure{
	{name: "jct-cdf", file: "jobs.csv", draw: jctCDF, readme: true},
	{name: "slowdown-cdf", file: "jobs.csv", draw: slowdownCDF},
	{name: "jct-load", file: "load-*.json", draw: jctLoad, readme: true},
	{name: "error-cdf-features", file: "predictions.csv", draw: featureErrors},
	{name: "error-cdf-estimators", file: "predictions.csv", draw: estimatorErrors},
	{name: "miss-slack", file: "reproduce.json", draw: missSlack, readme: true},
	{name: "value-capacity-queues", file: "reproduce.json", draw: valueInQueues, readme: true},
	{name: "value-capacity-one-queue", file: "reproduce.json", draw: valueInOne},
	{name: "pilots-time", file: "reproduce.json", draw: pilotsTime},
	{name: "published-slearn", file: "reproduce.json", draw: publishedSLearn},
	{name: "published-kairos", file: "reproduce.json", draw: publishedKairos},
	{name: "published-hopper", file: "reproduce.json", draw: publishedHopper},
	{name: "published-wing", file: "reproduce.json", draw: publishedWing},
	{name: "published-threesigma", file: "reproduce.json", draw: publishedThreeSigma},
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("figures", flag.ContinueOnError)
	out := fs.String("out", "out", "the `FOLDER` to draw to")
	data := fs.String("data", "", "the `FOLDER` of what compare, predict and reproduce wrote, as in README.md (default: run them, and keep it in data in the folder of -out)")
	small := fs.String("small", "", "also draw some of the figures to `FOLDER` as small PNG")
	report := fs.String("report", "", "write a page of the comparison in the folder of -data to `FILE`, instead of drawing figures")
	if _, err := cli.Parse(fs, args, stdout, "Figures draws pictures of what compare, predict and reproduce write. Flags:"); err != nil {
		return err
	}
	if *report != "" {
		if *data == "" {
			return cli.Usagef("-report needs -data, the folder of what compare wrote")
		}
		return writePage(*data, *report)
	}
	for _, folder := range []string{*out, *small} {
		if folder == "" {
			continue
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return cli.Usage(err)
		}
	}
	if *data == "" {
		*data = filepath.Join(*out, "data")
		if err := measure(ctx, *data, stdout, stderr); err != nil {
			return err
		}
	}
	return drawAll(*data, *out, *small, stdout)
}

// drawAll draws the figures whose files are in a folder.
func drawAll(data, out, small string, stdout io.Writer) error {
	drawn := 0
	for _, f := range figures {
		files, err := filepath.Glob(filepath.Join(data, f.file))
		if err != nil {
			return cli.Usage(err)
		}
		if len(files) == 0 {
			fmt.Fprintf(stdout, "%s: left out, there is no %s in %s\n", f.name, f.file, data)
			continue
		}
		c, err := f.draw(files)
		if errors.Is(err, errNothing) {
			fmt.Fprintf(stdout, "%s: left out, %v\n", f.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("figure %s: %w", f.name, err)
		}
		path := filepath.Join(out, f.name)
		if err := c.write(path+".png", path+".svg"); err != nil {
			return err
		}
		if f.readme && small != "" {
			c.width, c.height = smallWidth, smallHeight
			if err := c.write(filepath.Join(small, f.name+".png")); err != nil {
				return err
			}
		}
		drawn++
		fmt.Fprintf(stdout, "%s.png %s.svg\n", path, path)
	}
	if drawn == 0 {
		return cli.Usagef("-data is %s, which has no file that figures are drawn from", data)
	}
	return nil
}
