// Index measures the index policy, with history and without, beside every policy of compare that does not know the
// runtimes, and prints tables in Markdown. From the root of the repository:
//
//	go run ./examples/lab/index
//	go run ./examples/lab/index -write docs/gittins.md -figure docs/figures/index.png
//	go run ./examples/lab/index -beds heavytail,NASA -seeds 1-3 -loads 0.9 -out /tmp/some
//	go run ./examples/lab/index -draw docs/gittins.md -figure docs/figures/index.png
//
// It runs compare on each bed: a workload with ten seeds, or eight copies of a real trace, each without a tenth of its jobs, at one
// load. If jobs are gangs, the policies run without saves, and index-preempt with jobs that can be saved. Results are kept in
// files in the folder of -out, and are not run again while they are there, so an interrupted run continues. A file made with
// other flags is an error. Remove the folder when the policies have changed.
//
// The figure is drawn from the written tables, so the last command runs nothing and takes a second.
//
// All of it takes about an hour on two cores. -beds, -seeds, -loads and -jobs choose a part. Traces that are not in the
// folder of -traces are left out.
//
// It exits with status 1 if a run fails, and with 2 if a flag is wrong, with one line on stderr.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("index", run) }

type options struct {
	beds          []*bed
	seeds, thin   string
	loads, jobs   string // "" for those of each bed
	traces, out   string
	write, figure string
	draw          string
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("index", flag.ContinueOnError)
	var names []string
	for i := range beds {
		names = append(names, beds[i].name)
		o.beds = append(o.beds, &beds[i])
	}
	fs.Func("beds", "the `a,b,c` to run, of "+strings.Join(names, ",")+" (default all)", func(list string) error {
		o.beds = nil
		for name := range strings.SplitSeq(list, ",") {
			i := slices.Index(names, name)
			if i < 0 {
				return fmt.Errorf("there is no bed %q", name)
			}
			o.beds = append(o.beds, &beds[i])
		}
		return nil
	})
	fs.StringVar(&o.seeds, "seeds", "1-10", "the `seeds` of generated workloads")
	fs.StringVar(&o.thin, "thin", "8", "the `number` of copies of a trace")
	fs.StringVar(&o.loads, "loads", "", "the `loads` of all beds that have loads (default: each bed's own)")
	fs.StringVar(&o.jobs, "jobs", "", "the `number` of jobs of all beds (default: each bed's own)")
	fs.StringVar(&o.traces, "traces", cmp.Or(os.Getenv("AUGUR_TRACES"), "../shared/traces"), "the `FOLDER` of real traces")
	fs.StringVar(&o.out, "out", "out/index", "the `FOLDER` to keep results in")
	fs.StringVar(&o.write, "write", "", "write the tables to `FILE`, between the lines "+begin+" and "+end+", instead of the output")
	fs.StringVar(&o.figure, "figure", "", "draw the figure to `FILE`, a PNG")
	fs.StringVar(&o.draw, "draw", "", "run nothing, and draw the figure from the tables in `FILE`")
	_, err := cli.Parse(fs, args, stdout, "Index measures the index policy beside others. Flags:")
	return o, err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if o.draw != "" {
		page, err := os.ReadFile(o.draw)
		if err != nil {
			return cli.Usage(err)
		}
		if o.figure == "" {
			return cli.Usagef("-draw wants -figure, the file to draw to")
		}
		if err := new(cli.Files{Inputs: []string{o.draw}}).Claim(o.figure); err != nil {
			return err
		}
		return drawFigure(o.figure, string(page))
	}
	results, err := o.measure(ctx, stderr)
	if err != nil {
		return err
	}
	if len(results) == 0 {
		return cli.Usagef("-traces is %s, which has none of the traces", o.traces)
	}
	var b bytes.Buffer
	writeAll(&b, results)
	if o.figure != "" {
		if err := drawFigure(o.figure, b.String()); err != nil {
			return err
		}
	}
	if o.write == "" {
		_, err := stdout.Write(b.Bytes())
		return err
	}
	return cli.WriteBetween(o.write, begin, end, b.Bytes())
}

// Lines of a file between which the tables are.
const (
	begin = "<!-- index: begin -->"
	end   = "<!-- index: end -->"
)
