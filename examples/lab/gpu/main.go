// Gpu compares placers, which choose nodes, on clusters of GPUs, and prints tables in Markdown. From the root of the
// repository:
//
//	go run ./examples/lab/gpu
//	go run ./examples/lab/gpu -write docs/gpu.md
//	go run ./examples/lab/gpu -only filling -seeds 2
//
// It has two experiments. In the first, windows of two traces run under several policies, each with three placers. In the
// second, tasks come to a cluster and stay, until it is full: the experiment of the authors of fragmentation gradient descent.
// All of it takes about ten minutes on two cores. A trace that is not in the folder of -traces is left out, and the second experiment
// needs Alibaba's.
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

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("gpu", run) }

type options struct {
	traces, write, only string
	windows, seeds      int
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{windows: 10, seeds: 10}
	fs := flag.NewFlagSet("gpu", flag.ContinueOnError)
	fs.StringVar(&o.traces, "traces", cmp.Or(os.Getenv("AUGUR_TRACES"), "../shared/traces"), "the `FOLDER` of real traces")
	fs.StringVar(&o.write, "write", "", "write the tables to `FILE`, between the lines "+begin+" and "+end+", instead of the output")
	fs.StringVar(&o.only, "only", "", "run one of the `EXPERIMENTS` only: windows or filling")
	fs.Func("windows", "the `number` of windows of each trace (default 10)", cli.Whole(&o.windows, 2, 100))
	fs.Func("seeds", "the `number` of seeds of the second experiment (default 10)", cli.Whole(&o.seeds, 2, 100))
	_, err := cli.Parse(fs, args, stdout, "Gpu measures placers on clusters of GPUs. Flags:")
	if err == nil && o.only != "" && o.only != "windows" && o.only != "filling" {
		err = cli.Usagef("-only is %q, want windows or filling", o.only)
	}
	return o, err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if o.only != "filling" {
		if err := o.writeWindows(ctx, &b, stderr); err != nil {
			return err
		}
	}
	if o.only != "windows" {
		if err := o.writeFilling(ctx, &b, stderr); err != nil {
			return err
		}
	}
	if b.Len() == 0 {
		return cli.Usagef("-traces is %s, which has none of the traces", o.traces)
	}
	if o.write == "" {
		_, err := stdout.Write(b.Bytes())
		return err
	}
	return cli.WriteBetween(o.write, begin, end, b.Bytes())
}

// Lines of a file between which the tables are.
const (
	begin = "<!-- gpu: begin -->"
	end   = "<!-- gpu: end -->"
)

// read reads a trace; ok is false, and stderr says so, if it is not there.
func (o *options) read(ctx context.Context, b *bed, stderr io.Writer) (js cli.Jobs, ok bool, err error) {
	f := cli.JobFlags{Trace: o.traces + "/" + b.file, Format: "csv", Columns: b.columns, Strict: true}
	if _, err := os.Stat(f.Trace); err != nil {
		fmt.Fprintf(stderr, "%s is left out: %v\n", b.name, err)
		return js, false, nil
	}
	js, err = f.Read(ctx, 1)
	return js, err == nil, err
}
