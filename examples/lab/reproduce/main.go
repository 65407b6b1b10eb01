// Reproduce repeats the experiments of the papers that augur is built on, and prints published beside measured numbers. From the
// root of the repository:
//
//	go run ./examples/lab/reproduce slearn
//	go run ./examples/lab/reproduce kairos
//	go run ./examples/lab/reproduce hopper
//	go run ./examples/lab/reproduce wing
//	go run ./examples/lab/reproduce threesigma
//	go run ./examples/lab/reproduce -quick slearn
//	go run ./examples/lab/reproduce -save all
//	go run ./examples/lab/reproduce -write REPRODUCTION.md
//	go run ./examples/lab/reproduce -check REPRODUCTION.md
//	go run ./examples/lab/reproduce -again 4 -draw 1
//
// It runs ten seeds. Real traces, if any, are in the folder of -traces, by default AUGUR_TRACES or ../shared/traces. -quick runs
// three seeds, without the long parts. Percentages are written as 55, not 0.55.
//
// The claims of a paper come first, with their outcomes. Then each number has the item of the paper (table, figure or
// section), the workload, the published number (-: none), the mean over the seeds, half the width of its 95 % confidence
// interval, and the ratio of measured to published. "JCT of A over B's" above 1 says that jobs take longer under A.
//
// -save keeps the results of each seed in results.json.gz, in place of those of the same paper. -write writes REPRODUCTION.md
// from them: each paper's claims with their outcomes (see [finding.decide] for the rule), controls, readings and levels. -check
// compares such a file with what it would write. -again runs some parts again, with one seed each, and compares them with
// the results. The results have nothing that is measured by the clock.
//
// It exits with status 1 if a run fails or a file differs, and with 2 if a flag or the
// name of the paper is wrong; either way with one line on stderr.
//
// # Files
//
// Of all papers: lab.go has beds, the systems that run on them and the trials that come of it, measure.go what
// is made of trials, report.go what is told,
// claims.go what became of a claim, results.go, again.go and document.go what is kept of it.
// Of each paper: the file that has its name says how it was read and lists the items; PAPER_bed.go has the
// cluster and the jobs, PAPER_systems.go what runs there, PAPER_claims.go the main results and why what does not come out does not,
// and each other file some items, with what was published of them.
//
// # Source
//
// Sections, tables and figures named in a file are those of the paper that it is named after:
//
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
//     cluster job scheduling", NSDI 2022 (extended version).
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", technical
//     report CMU-PDL-17-107, 2017.
//   - Wing: A. Chung, S. Krishnan, K. Karanasos, C. Curino and G. R. Ganger, "Unearthing inter-job
//     dependencies for better cluster scheduling", OSDI 2020.
//   - Kairos: P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Kairos: preemptive data center
//     scheduling without runtime estimates", SoCC 2018.
//   - Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's
//     thesis, California Institute of Technology, 2015.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"example.com/augur/examples/internal/cli"
)

func main() { cli.Main("reproduce", run) }

// An article is what can be reproduced.
type article struct {
	title   string
	summary string                       // what it says, what was done, what came out, why, and what would settle it
	items   func(f form) ([]item, error) // in the order in which they are told
	claims  []claim
	levels  []name   // main results that compare nothing
	notes   []string // of beds and readings
}

var papers = map[string]article{
	"hopper":     {"Hopper", hopperSummary, hopperItems, hopperClaims, hopperLevels, hopperNotes},
	"kairos":     {"Kairos", kairosSummary, kairosItems, kairosClaims, kairosLevels, kairosNotes},
	"slearn":     {"SLearn", slearnSummary, slearnItems, slearnClaims, slearnLevels, slearnNotes},
	"threesigma": {"3Sigma", sigmaSummary, sigmaItems, sigmaClaims, sigmaLevels, sigmaNotes},
	"wing":       {"Wing", wingSummary, wingItems, wingClaims, wingLevels, wingNotes},
}

func paperNames() []string { return slices.Sorted(maps.Keys(papers)) }

// A form says how much of an experiment is run.
type form struct {
	seeds  int
	few    int    // jobs of each seed, or for Wing of each day, for tests; 0: as many as are usual
	full   bool   // also what takes long
	traces string // the folder of real traces
}

// of returns how many there are of something in the quick form, and in the full one.
func (f form) of(quick, full int) int {
	switch {
	case f.few > 0:
		return f.few
	case f.full:
		return full
	}
	return quick
}

func run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if len(o.papers) == 0 {
		return o.fromResults(ctx, stdout)
	}
	all := &report{}
	var ran []*report
	for _, name := range o.papers {
		r, err := reproduce(ctx, name, o.form)
		if err != nil {
			return err
		}
		ran = append(ran, r)
		all.lines = append(all.lines, r.lines...)
	}
	if o.save {
		return saveResults(o.results, ran)
	}
	for _, r := range ran {
		if err := r.writeClaims(stdout); err != nil {
			return err
		}
	}
	return all.writeTable(stdout)
}

// fromResults does what needs no runs, or few: it writes the document of the results, or checks it, or runs some again.
func (o *options) fromResults(ctx context.Context, stdout io.Writer) error {
	results, err := readResults(o.results)
	if err != nil {
		return err
	}
	if o.again > 0 {
		return again(ctx, o.form, o.again, o.draw, results, stdout)
	}
	document, err := document(results)
	switch {
	case err != nil:
		return err
	case o.check == "":
		if err := new(cli.Files{Inputs: []string{o.results}}).Claim(o.write); err != nil {
			return err
		}
		return os.WriteFile(o.write, document, 0o666)
	}
	was, err := os.ReadFile(o.check)
	if err != nil {
		return err
	}
	return compare(o.check, was, document)
}

// reproduce returns what is told of a paper, by its name.
func reproduce(ctx context.Context, name string, f form) (*report, error) {
	p, r := papers[name], &report{paper: name}
	items, err := p.items(f)
	if err == nil {
		err = r.tell(ctx, items)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
