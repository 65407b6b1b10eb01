package main

import (
	"cmp"
	"flag"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
)

// options are what a command line asks for.
type options struct {
	form
	papers       []string // none: what is asked for comes from the results
	save         bool
	results      string
	write, check string // the document: the file to write or to check
	again        int    // how many items to run again, drawn by draw
	draw         uint64
}

const about = "Reproduce prints what a paper published beside the mean measured over seeds and half the width of its 95 % interval; ratio is measured over published. Use: reproduce [flags] PAPER, or reproduce with -write, -check or -again. PAPER is "

// parse reads a command line.
func parse(args []string, stdout io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	quick := fs.Bool("quick", false, "run three seeds instead of ten, without the long parts")
	fs.BoolVar(&o.save, "save", false, "put the measurements in the results, and print nothing")
	fs.StringVar(&o.results, "results", "examples/lab/results.json.gz", "the `FILE` of the results, for -save, -write, -check and -again")
	fs.StringVar(&o.traces, "traces", cmp.Or(os.Getenv("AUGUR_TRACES"), "../shared/traces"), "the `FOLDER` of real traces")
	fs.StringVar(&o.write, "write", "", "write the results to `FILE`, as REPRODUCTION.md")
	fs.StringVar(&o.check, "check", "", "compare `FILE`, which -write wrote, with the results")
	fs.IntVar(&o.again, "again", 0, "run a `NUMBER` of drawn parts again, with one seed each, and compare them with the results")
	fs.Uint64Var(&o.draw, "draw", 1, "the `seed` by which -again draws")
	names := append(paperNames(), "all")
	_, chosen, err := cli.ParseFiles(fs, args, stdout, about+strings.Join(names, " or ")+". Flags:")
	if err != nil {
		return o, err
	}
	o.seeds, o.full = 10, true
	if *quick {
		o.seeds, o.full = 3, false
	}
	if len(chosen) == 1 && chosen[0] == "3sigma" { // as compare calls it
		chosen[0] = "threesigma"
	}
	tasks := 0
	for _, asked := range []bool{o.write != "", o.check != "", o.again > 0} {
		if asked {
			tasks++
		}
	}
	switch {
	case tasks > 1:
		return o, cli.Usagef("-write, -check and -again are given together, want one of them")
	case o.again < 0:
		return o, cli.Usagef("-again is %d, want at least 1", o.again)
	case tasks == 1 && (len(chosen) > 0 || *quick || o.save):
		return o, cli.Usagef("-write, -check and -again take all results, and go with -results, -draw and -traces alone")
	case tasks == 1:
		return o, nil
	case len(chosen) != 1 || !slices.Contains(names, chosen[0]):
		return o, cli.Usagef("the paper is %q, want one of %s", strings.Join(chosen, " "), strings.Join(names, ", "))
	case o.save && *quick:
		return o, cli.Usagef("-save with -quick, want full results; it goes with -results and -traces alone")
	}
	o.papers = chosen
	if chosen[0] == "all" {
		o.papers = paperNames()
	}
	return o, nil
}
