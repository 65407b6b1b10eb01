package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/internal/parallel"
)

// A sweep is the same comparison with several seeds and at several loads. Each seed has the same jobs and the same luck
// under all policies, so policies are compared seed by seed.
type sweep struct {
	Loads []atLoad  `json:"loads"`
	Runs  []*report `json:"runs"`            // by load, then by seed
	Notes []string  `json:"notes,omitempty"` // about all runs
	first string    // policy, that the others are compared with
}

// atLoad is what came out at a load.
type atLoad struct {
	Load     *float64  `json:"load"` // as asked for; else of the first seed
	Seeds    int       `json:"seeds"`
	Policies []average `json:"policies"`
}

// average is a policy over all seeds, if none of its runs has failed. The ratios are those to the first policy.
type average struct {
	Policy       string      `json:"policy"`
	MeanJCT      *float64    `json:"mean_jct_s"` // means over the seeds
	P99JCT       *float64    `json:"p99_jct_s"`
	MeanSlowdown *float64    `json:"mean_slowdown"`
	MissRate     *float64    `json:"deadline_miss_rate"`
	Attained     *float64    `json:"value_attained_percent"`
	JCTRatio     *cli.Paired `json:"mean_jct_ratio"`
	P99Ratio     *cli.Paired `json:"p99_jct_ratio"`
	BoundedRatio *cli.Paired `json:"mean_bounded_slowdown_ratio"`
	MaxRatio     *cli.Paired `json:"max_bounded_slowdown_ratio"`
	Faster       *float64    `json:"jobs_faster"` // shares of the jobs than under the first policy
	Slower       *float64    `json:"jobs_slower"`
}

// A failure is a run of a sweep that has failed.
type failure struct {
	policy, flags string // the flags of its seed and load
	error
}

// runSweep runs the comparison of args with each seed at each load, on all cores, and prints what came out, also if some runs fail.
func runSweep(ctx context.Context, args []string, o *options, stdout, stderr io.Writer) (err error) {
	if o.record != "" || o.jobsCSV != "" || o.usageCSV != "" || o.copiesCSV != "" || o.gantt != "" || o.cpuprofile != "" {
		return cli.Usagef("-seeds and -loads write no -record, -jobs-csv, -usage-csv, -copies-csv, -gantt or -cpuprofile: run one seed for these")
	}
	seeds, loads := o.seeds, o.loads
	if seeds == nil {
		seeds = []uint64{o.seed}
	}
	if loads == nil {
		loads = []float64{0} // as args have it
	}
	chosen, err := policiesOf(o.policies)
	if err != nil {
		return err
	}
	cells, failures := make([]*report, len(loads)*len(seeds)), make([][]failure, len(loads)*len(seeds))
	progress := cli.NewProgress(stderr, "runs", len(cells)*len(chosen))
	var lock sync.Mutex
	ended := 0
	ran := func() {
		lock.Lock()
		defer lock.Unlock()
		ended++
		progress.Ran(ended)
	}
	err = parallel.Each(len(cells), func(i int) (err error) {
		cell := []string{"-seed", strconv.FormatUint(seeds[i%len(seeds)], 10)}
		if load := loads[i/len(seeds)]; load > 0 {
			cell = append(cell, "-load", strconv.FormatFloat(load, 'g', -1, 64))
		}
		if cells[i], failures[i], err = runCell(ctx, args, cell, ran); err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", strings.Join(cell, " "), err)
		}
		return nil
	})
	progress.Clear()
	if err != nil {
		return err
	}
	s := sweep{first: chosen[0].Name}
	for i := range loads {
		l := averages(chosen, cells[i*len(seeds):][:len(seeds)])
		if loads[i] > 0 {
			l.Load = &loads[i]
		}
		if l.Policies != nil {
			s.Loads = append(s.Loads, l)
		}
	}
	s.Runs = slices.DeleteFunc(cells, func(r *report) bool { return r == nil || r.Policies == nil })
	if o.Trace != "" && len(seeds) > 1 {
		s.Notes = append(s.Notes, "the jobs of a trace are the same for each seed: the intervals are of what policies and faults draw, and not of the jobs")
	}
	failed := ctx.Err()
	if failed == nil {
		failed = joined(slices.Concat(failures...))
	}
	if len(s.Runs) == 0 {
		return failed
	}
	s.Notes = append(s.Notes, slices.DeleteFunc(slices.Clone(s.Runs[0].notes), func(note string) bool { // what is of one run
		return strings.HasPrefix(note, "failed under") || strings.HasPrefix(note, "load of") || strings.HasPrefix(note, "arrivals are")
	})...)
	return errors.Join(s.print(stdout, o.json), failed)
}

// joined returns one error of all failures, nil if there are none: what went wrong in the first, and the names of the others.
func joined(all []failure) error {
	if len(all) == 0 {
		return nil
	}
	var names []string
	for _, f := range all {
		names = append(names, f.policy+" "+f.flags)
	}
	others := ""
	if len(all) > 1 {
		others = "; also failed: " + strings.Join(names[1:], ", ")
	}
	return fmt.Errorf("%s: %w; run it alone by -policies %s in place of -seeds and -loads%s", all[0].flags, all[0].error, names[0], others)
}

// print prints all of it as JSON, or the tables.
func (s *sweep) print(w io.Writer, json bool) error {
	if json {
		return cli.WriteJSON(w, s)
	}
	return s.write(w)
}

// runCell runs the comparison of args, with flags of its own. It returns the report of the runs that are done, and
// those that failed, and calls ran after each.
func runCell(ctx context.Context, args, flags []string, ran func()) (r *report, failed []failure, err error) {
	o, err := parse(slices.Concat(args, flags), io.Discard)
	if err != nil {
		return nil, nil, err
	}
	e, chosen, err := prepare(ctx, o, io.Discard)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range chosen {
		if err := e.run(ctx, c); err != nil {
			failed = append(failed, failure{c.Name, strings.Join(flags, " "), err})
		}
		ran()
	}
	e.report.forgetTimes()
	return e.report, failed, nil
}

// rows returns what each of the runs has of a policy; nil if one has nothing of it.
func rows(runs []*report, policy string) (list []*row) {
	for _, r := range runs {
		i := -1
		if r != nil {
			i = slices.IndexFunc(r.Policies, func(p row) bool { return p.Policy == policy })
		}
		if i < 0 {
			return nil
		}
		list = append(list, &r.Policies[i])
	}
	return list
}

// averages brings the runs of several seeds together.
func averages(chosen []contender, runs []*report) atLoad {
	l := atLoad{Seeds: len(runs)}
	firsts := rows(runs, chosen[0].Name)
	for _, c := range chosen {
		list := rows(runs, c.Name)
		if list == nil {
			continue
		}
		l.Load = runs[0].Load
		of := func(figure func(*row) *float64) (mean *float64, ratio *cli.Paired) {
			var values, to []float64
			for k, r := range list {
				x := figure(r)
				if x == nil {
					return nil, nil
				}
				values = append(values, *x)
				if firsts != nil && figure(firsts[k]) != nil {
					to = append(to, *figure(firsts[k]))
				}
			}
			return cli.Some(stat.Mean(values, nil)), cli.Pair(values, to)
		}
		share := func(figure func(*row) *float64) *float64 { // which may be 0, so that it has no logarithm
			sum := 0.0
			for _, r := range list {
				x := figure(r)
				if x == nil || firsts == nil {
					return nil
				}
				sum += *x
			}
			return cli.Some(sum / float64(len(list)))
		}
		a := average{Policy: c.Name}
		a.MeanJCT, a.JCTRatio = of(func(r *row) *float64 { return r.MeanJCT })
		a.P99JCT, a.P99Ratio = of(func(r *row) *float64 { return r.P99JCT })
		_, a.BoundedRatio = of(func(r *row) *float64 { return r.MeanBounded })
		_, a.MaxRatio = of(func(r *row) *float64 { return r.MaxBounded })
		a.MeanSlowdown, _ = of(func(r *row) *float64 { return r.MeanSlowdown })
		a.MissRate, _ = of(func(r *row) *float64 { return r.MissRate })
		a.Faster, a.Slower = share(func(r *row) *float64 { return r.Ratios.Faster }), share(func(r *row) *float64 { return r.Ratios.Slower })
		a.Attained, _ = of(func(r *row) *float64 { return r.Attained })
		l.Policies = append(l.Policies, a)
	}
	return l
}

// write prints a table for each load.
func (s *sweep) write(w io.Writer) error {
	for _, note := range s.Notes {
		fmt.Fprintf(w, "%s\n\n", note)
	}
	for i, l := range s.Loads {
		if i > 0 {
			fmt.Fprintln(w)
		}
		what := fmt.Sprintf("means over %d seeds; ratios to %s seed by seed, with 95 %% intervals", l.Seeds, s.first)
		if l.Seeds == 1 {
			what = "one seed; ratios to " + s.first
		}
		fmt.Fprintf(w, "%s at load %s: %s\n\n", s.Runs[0].Workload, cli.Fixed(l.Load, 2), what)
		t := cli.NewTable(w)
		t.Row("policy", "mean JCT\tP99\tslowdown\tmissed\tvalue\tmean JCT\tP99\tbounded slowdown\tlargest of these\tfaster\tslower\t\n\ts\ts\tmean\t%\t%\tratio\tratio\tratio\tratio\t%\t%\t")
		for _, a := range l.Policies {
			t.Row(a.Policy, cli.Fixed(a.MeanJCT, 1), cli.Fixed(a.P99JCT, 1), cli.Fixed(a.MeanSlowdown, 2), cli.Percent(a.MissRate), cli.Fixed(a.Attained, 1),
				ratioText(a.JCTRatio), ratioText(a.P99Ratio), ratioText(a.BoundedRatio), ratioText(a.MaxRatio), cli.Percent(a.Faster), cli.Percent(a.Slower))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// ratioText returns a ratio and its interval. If the ratio is the same for all seeds, as of a trace, there is no interval.
func ratioText(p *cli.Paired) string {
	if p != nil && p.Low != nil && *p.Low == *p.High {
		return cli.Fixed(&p.Ratio, 3)
	}
	return p.Text(3)
}

// parseSeeds reads seeds, such as 1-10 or 1,5,7-9.
func parseSeeds(s string) (seeds []uint64, err error) {
	for part := range strings.SplitSeq(s, ",") {
		from, to, many := strings.Cut(part, "-")
		if !many {
			to = from
		}
		a, err1 := strconv.ParseUint(from, 10, 63)
		b, err2 := strconv.ParseUint(to, 10, 63)
		if err1 != nil || err2 != nil || b < a || b-a >= 1000 {
			return nil, fmt.Errorf("%q is no seed and no range of up to 1000, want such as 1-10 or 1,5,7-9", part)
		}
		for ; a <= b; a++ {
			if slices.Contains(seeds, a) {
				return nil, fmt.Errorf("seed %d is there twice, want each once", a)
			}
			seeds = append(seeds, a)
		}
	}
	return seeds, nil
}

// parseLoads reads loads, such as 0.5,0.7,0.9.
func parseLoads(s string) (loads []float64, err error) {
	for part := range strings.SplitSeq(s, ",") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || !(x > 0 && x <= 100) {
			return nil, fmt.Errorf("%q is no load, want numbers above 0 and at most 100, such as 0.5,0.7,0.9", part)
		}
		if slices.Contains(loads, x) {
			return nil, fmt.Errorf("load %v is there twice, want each once", x)
		}
		loads = append(loads, x)
	}
	return loads, nil
}
