// Reproduce repeats the experiments of the papers that augur is built on, and prints what
// they published beside what comes out.
//
//	go run ./examples/reproduce slearn
//	go run ./examples/reproduce kairos
//	go run ./examples/reproduce hopper
//	go run ./examples/reproduce wing
//	go run ./examples/reproduce threesigma
//	go run ./examples/reproduce all
//	go run ./examples/reproduce -check REPRODUCTION.md all
//	go run ./examples/reproduce -full -json slearn
//	go run ./examples/reproduce -full -traces ../shared/traces slearn
//	go run ./examples/reproduce -trace YH1_sub.tr.gz kairos
//
// The quick form runs three seeds; -full runs ten, and what takes long. That includes runs of
// real traces, where they are in the folder of -traces, which is otherwise the value of the
// environment variable AUGUR_TRACES, or else ../shared/traces. Percentages are
// written as 55, not 0.55.
//
// Of each number there is the item of the paper (table, figure or section) that tells it, the
// workload, what was published (-: no number), the mean of what comes out over the seeds, half the
// width of its 95 % confidence interval, and the ratio of measured to published. A note says why a
// published number does not come out, if that is known: where what is measured is further from it
// than that half width and than a tenth. "JCT of A over B's" above 1 says that jobs take longer
// under A.
//
// All runs all papers, and prints one table in Markdown of their main results, with a word on whether
// each comes out; see [line.verdict] for the rule. With -write and -date it also writes a file of that
// table and how it was made, and with -check it compares such a file, but for its date, with what it
// would write.
//
// It exits with status 1 if a run fails or a file differs, and with 2 if a flag or the
// name of the paper is wrong; either way with one line on stderr.
//
// # Source
//
// Sections, tables and figures named in a file are those of the paper that it is named after:
//
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
//     cluster job scheduling", NSDI 2022 (extended version).
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018
//     (CMU-PDL-17-107).
//   - Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
//     dependencies for better cluster scheduling", OSDI 2020.
//   - Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
//     scheduling without runtime estimates", SoCC 2018.
//   - Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's
//     thesis, California Institute of Technology, 2015.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("reproduce", run) }

// A form says how much of an experiment is run.
type form struct {
	seeds  int
	few    int      // jobs of each seed, or for Wing of each day, for tests; 0: as many as are usual
	full   bool     // also what takes long
	traces string   // the folder of real traces
	files  []string // real traces to run
}

// A paper is what can be reproduced.
type paper struct {
	title     string
	reproduce func(ctx context.Context, r *report, f form) error
	headlines []headline
}

var papers = map[string]paper{
	"hopper":     {"Hopper", reproduceHopper, hopperHeadlines},
	"kairos":     {"Kairos", reproduceKairos, kairosHeadlines},
	"slearn":     {"SLearn", reproduceSLearn, slearnHeadlines},
	"threesigma": {"3Sigma", reproduceThreeSigma, sigmaHeadlines},
	"wing":       {"Wing", reproduceWing, wingHeadlines},
}

func paperNames() []string { return slices.Sorted(maps.Keys(papers)) }

func run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	var full, asJSON bool
	fs := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	fs.BoolVar(&full, "full", false, "run ten seeds, and what takes long")
	fs.BoolVar(&asJSON, "json", false, "print a JSON array instead of a table")
	traces := fs.String("traces", cmp.Or(os.Getenv("AUGUR_TRACES"), "../shared/traces"), "the `FOLDER` of real traces, for -full")
	var f form
	fs.Func("trace", "also run the trace of `FILE`, in the form of the simulators of Sparrow, Hawk and Eagle; its name begins with goog, yh or yahoo, which says what is published of it; may be given again; for kairos", func(file string) error {
		f.files = append(f.files, file)
		_, err := bigTraceOf(file)
		return err
	})
	write := fs.String("write", "", "write the table of all, and how it was made, to `FILE`")
	date := fs.String("date", "", "the `DATE` of the version that -write tells of, like 2006-01-02")
	check := fs.String("check", "", "compare `FILE`, which -write wrote, with what comes out of all")
	names := append(paperNames(), "all")
	var flags, chosen []string
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "-"), i > 0 && takesValue(args[i-1]):
			flags = append(flags, a)
		default:
			chosen = append(chosen, a)
		}
	}
	_, err := cli.Parse(fs, flags, stdout, "Reproduce prints what a paper published beside what comes out, as the mean over seeds and half the width of its 95 % interval; ratio is measured over published. All prints their main results. Use: reproduce [flags] PAPER. PAPER is "+strings.Join(names, " or ")+". Flags:")
	switch {
	case err == flag.ErrHelp:
		return nil
	case err != nil:
		return err
	case len(chosen) != 1 || !slices.Contains(names, chosen[0]):
		return cli.Usagef("the paper is %q, want one of %s", strings.Join(chosen, " "), strings.Join(names, ", "))
	case chosen[0] != "all" && *write+*check != "":
		return cli.Usagef("-write and -check are of all, not of %s alone", chosen[0])
	case *write != "" && *check != "":
		return cli.Usagef("-write and -check cannot both be given")
	case (*write == "") != (*date == ""):
		return cli.Usagef("-write and -date must be given together")
	}
	if *date != "" {
		if err := checkDate(*date); err != nil {
			return cli.Usage(err)
		}
	}
	var was []byte
	if *check != "" {
		if was, err = os.ReadFile(*check); err != nil {
			return cli.Usage(err)
		}
		if *date, err = dateOf(was); err != nil {
			return fmt.Errorf("%s: %w", *check, err)
		}
	}
	f.seeds, f.traces = 3, *traces
	if full {
		f.seeds, f.full = 10, true
	}
	all := &report{}
	for _, name := range paperNames() {
		if chosen[0] != "all" && chosen[0] != name {
			continue
		}
		r := &report{paper: name}
		if err := papers[name].reproduce(ctx, r, f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.judge(papers[name].headlines)
		all.lines = append(all.lines, r.lines...)
	}
	tell := all.writeTable
	switch {
	case asJSON:
		tell = all.writeJSON
	case chosen[0] == "all":
		tell = all.writeHeadlines
	}
	if err := tell(stdout); err != nil || *date == "" {
		return err
	}
	document, err := all.document(f, *date)
	switch {
	case err != nil:
		return err
	case *check != "":
		return compare(*check, was, document)
	}
	return os.WriteFile(*write, document, 0o666)
}

// takesValue reports whether an argument is a flag whose value is the next argument.
func takesValue(arg string) bool {
	name := strings.TrimLeft(arg, "-")
	return name != arg && slices.Contains([]string{"traces", "trace", "write", "date", "check"}, name)
}
