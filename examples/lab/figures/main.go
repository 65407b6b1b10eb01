// Figures draws results of the programs compare and reproduce, as PNG and as SVG: distributions of completion times,
// completion times by load, deadlines missed by slack and value by capacity. For a comparison as a page of HTML use compare
// -report. From the root of the repository:
//
//	go run ./examples/lab/figures
//	go run ./examples/lab/figures -data DIR -out DIR
//
// Without -data it runs compare first, which takes some minutes. With -data it draws figures of the papers only
// if -results names their results. README.md lists the figures, and how to draw figures of your own trace.
//
// It exits with status 1 if a file cannot be drawn or a program fails, and with 2 if a flag is wrong, with one line on stderr.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("figures", run) }

// A picture is a figure, and the file from which it is drawn.
type picture struct {
	name string // of its own files, without extension
	file string // that it is drawn from
	draw func(file string) (*chart, error)
}

// figures are what is drawn.
var figures = []picture{
	{"jct-cdf", "jobs.csv", jctCDF},
	{"jct-load", sweepFile, jctLoad},
	{"miss-slack", resultsFile, missSlack},
	{"value-capacity-queues", resultsFile, valueCapacity},
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("figures", flag.ContinueOnError)
	out := flags.String("out", "out", "the `FOLDER` to draw to")
	data := flags.String("data", "", "the `FOLDER` of results of compare, as in README.md (default: run compare, and keep its results in data in -out)")
	docs := flags.String("docs", "", "also draw the figures to `FOLDER`, as PNG")
	results := flags.String("results", "", "results of reproduce, a `FILE` of its -save (default: examples/lab/"+resultsFile+", or none with -data)")
	if _, err := cli.Parse(flags, args, stdout, "Figures draws pictures of what compare and reproduce write. Flags:"); err != nil {
		return err
	}
	for _, folder := range []string{*out, *docs} {
		if folder == "" {
			continue
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return cli.Usage(err)
		}
	}
	if *data == "" {
		*results = cmp.Or(*results, "examples/lab/"+resultsFile)
		*data = filepath.Join(*out, "data")
		if err := measure(ctx, *data, stdout, stderr); err != nil {
			return err
		}
	}
	return drawAll(*data, *results, *out, *docs, stdout)
}

// sweepFile is what compare -json wrote of several loads, in the folder of -data.
const sweepFile = "sweep.json"

// resultsFile is where the results of reproduce are kept, in examples/lab.
const resultsFile = "results.json.gz"

// drawAll draws the figures whose files are there. If results is empty, it draws none of the papers.
func drawAll(data, results, out, docs string, stdout io.Writer) error {
	drawn := 0
	for _, f := range figures {
		file := filepath.Join(data, f.file)
		if f.file == resultsFile {
			if file = results; file == "" {
				continue
			}
		}
		c, err := f.draw(file)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(stdout, "%s: left out, there is no %s\n", f.name, file)
			continue
		}
		if errors.Is(err, errNothing) {
			fmt.Fprintf(stdout, "%s: left out, %v\n", f.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("figure %s: %w", f.name, err)
		}
		path := filepath.Join(out, f.name)
		files := []string{path + ".png", path + ".svg"}
		if docs != "" {
			files = append(files, filepath.Join(docs, f.name+".png"))
		}
		if err := c.write(files...); err != nil {
			return err
		}
		drawn++
		fmt.Fprintf(stdout, "%s.png %[1]s.svg", path)
		if c.left != nil {
			fmt.Fprintf(stdout, ", without %s", strings.Join(c.left, ", "))
		}
		fmt.Fprintln(stdout)
	}
	if drawn == 0 {
		return cli.Usagef("-data is %s, which has no file of a figure", data)
	}
	return nil
}
