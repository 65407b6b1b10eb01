package main

import (
	"cmp"
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

// A sweep is the same comparison with several seeds, windows or thinned copies, and at several loads. Each of them has the same
// jobs and the same luck under all policies, so policies are compared seed by seed, window by window, or copy by copy.
type sweep struct {
	Loads []atLoad  `json:"loads"`
	Runs  []*report `json:"runs"`            // by load, then by seed, window or copy
	Notes []string  `json:"notes,omitempty"` // about all runs
	first string    // policy, that the others are compared with
}

// atLoad is what came out at a load.
type atLoad struct {
	Load     *float64  `json:"load"`           // as asked for; else of the first run
	Seeds    int       `json:"seeds"`          // or windows, or copies
	Kind     string    `json:"kind,omitempty"` // window or copy, if it is these that Seeds counts
	Policies []average `json:"policies"`
}

// average is a policy over all seeds, if none of its runs has failed. The ratios are those to the first policy.
type average struct {
	Policy       string      `json:"policy"`
	MeanJCT      *float64    `json:"mean_jct_s"` // means over the seeds, windows or copies
	ToBound      *float64    `json:"mean_jct_to_bound"`
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

// runSweep runs the comparison of args in each cell at each load, on all cores, and prints what came out, also if some runs fail.
func runSweep(ctx context.Context, args []string, o *options, many cells, stdout, stderr io.Writer) (err error) {
	if o.record != "" || o.jobsCSV != "" || o.usageCSV != "" || o.copiesCSV != "" || o.gantt != "" || o.cpuprofile != "" {
		return cli.Usagef("-seeds, -windows, -thin and -loads write no -record, -jobs-csv, -usage-csv, -copies-csv, -gantt or -cpuprofile: run one seed, window or copy for these")
	}
	loads, n := o.loads, len(many.args)
	if loads == nil {
		loads = []float64{0} // as args have it
	}
	chosen, err := policiesOf(o.policies)
	if err != nil {
		return err
	}
	runs, failures := make([]*report, len(loads)*n), make([][]failure, len(loads)*n)
	progress := cli.NewProgress(stderr, "runs", len(runs)*len(chosen))
	var lock sync.Mutex
	ended := 0
	ran := func() {
		lock.Lock()
		defer lock.Unlock()
		ended++
		progress.Ran(ended)
	}
	err = parallel.Each(len(runs), func(i int) (err error) {
		flags := many.args[i%n]
		if load := loads[i/n]; load > 0 {
			flags += " -load " + strconv.FormatFloat(load, 'g', -1, 64)
		}
		if runs[i], failures[i], err = runCell(ctx, args, flags, ran); err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", flags, err)
		}
		return nil
	})
	progress.Clear()
	if err != nil {
		return err
	}
	s := sweep{first: chosen[0].Name}
	for i := range loads {
		l := averages(chosen, runs[i*n:][:n])
		if many.kind != "seed" {
			l.Kind = many.kind
		}
		if loads[i] > 0 {
			l.Load = &loads[i]
		}
		if l.Policies != nil {
			s.Loads = append(s.Loads, l)
		}
	}
	s.Runs = slices.DeleteFunc(runs, func(r *report) bool { return r == nil || r.Policies == nil })
	switch same := many.flag == "-seeds" && n > 1 && o.Trace != "" && o.thin.k == 0; {
	case same && !s.varies():
		s.Notes = append(s.Notes, "the jobs of a trace are the same for each seed: no ratio varies, so there is no interval; -windows and -thin vary the jobs")
	case same:
		s.Notes = append(s.Notes, "the jobs of a trace are the same for each seed: the intervals are of what policies, faults, -stragglers, -deadlines and "+
			"-locality draw; -windows and -thin vary the jobs")
	case many.kind == "copy":
		s.Notes = append(s.Notes, "the copies have most of their jobs in common: the intervals tell whether the result hangs on a few jobs of this trace, and are "+
			"too narrow for another trace")
	}
	failed := ctx.Err()
	if failed == nil {
		failed = joined(slices.Concat(failures...), cmp.Or(many.flag, "-seeds"))
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
func joined(all []failure, flag string) error {
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
	return fmt.Errorf("%s: %w; run it alone by -policies %s in place of %s and -loads%s", all[0].flags, all[0].error, names[0], flag, others)
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
func runCell(ctx context.Context, args []string, flags string, ran func()) (r *report, failed []failure, err error) {
	o, err := parse(slices.Concat(args, strings.Fields(flags)), io.Discard)
	if err != nil {
		return nil, nil, err
	}
	e, chosen, err := prepare(ctx, o, io.Discard)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range chosen {
		if err := e.run(ctx, c); err != nil {
			failed = append(failed, failure{c.Name, flags, err})
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

// averages brings the runs at a load together.
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
		a.ToBound, _ = of(func(r *row) *float64 { return r.Ratios.Bound })
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
		what := "one seed; ratios to " + s.first
		if kind := cmp.Or(l.Kind, "seed"); l.Seeds > 1 {
			what = fmt.Sprintf("means over %d %s; ratios to %s %s by %s", l.Seeds, plurals[kind], s.first, kind, kind)
			if s.varies() {
				what += ", with 95 % intervals"
			}
		}
		fmt.Fprintf(w, "%s at load %s: %s\n\n", s.Runs[0].Workload, cli.Fixed(l.Load, 2), what)
		t := cli.NewTable(w)
		t.Row("policy", "mean JCT\tto bound\tP99\tslowdown\tmissed\tvalue\tmean JCT\tP99\tbounded slowdown\tlargest of these\tfaster\tslower\t\n\ts\tmean\ts\tmean\t%\t%\tratio\tratio\tratio\tratio\t%\t%\t")
		for _, a := range l.Policies {
			t.Row(a.Policy, cli.Fixed(a.MeanJCT, 1), cli.Fixed(a.ToBound, 3), cli.Fixed(a.P99JCT, 1), cli.Fixed(a.MeanSlowdown, 2), cli.Percent(a.MissRate), cli.Fixed(a.Attained, 1),
				ratioText(a.JCTRatio), ratioText(a.P99Ratio), ratioText(a.BoundedRatio), ratioText(a.MaxRatio), cli.Percent(a.Faster), cli.Percent(a.Slower))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// plurals has what stands side by side at a load.
var plurals = map[string]string{"seed": "seeds", "window": "windows", "copy": "copies, each without a tenth of the jobs"}

// varies reports whether a ratio has an interval. None has if no policy draws and the jobs are the same for all seeds, as those of a
// trace.
func (s *sweep) varies() bool {
	return slices.ContainsFunc(s.Loads, func(l atLoad) bool {
		return slices.ContainsFunc(l.Policies, func(a average) bool { return a.JCTRatio != nil && !alike(a.JCTRatio) })
	})
}

func alike(p *cli.Paired) bool { return p.Low != nil && *p.Low == *p.High }

// ratioText returns a ratio and its interval, unless that is the ratio alone.
func ratioText(p *cli.Paired) string {
	if p != nil && alike(p) {
		return cli.Fixed(&p.Ratio, 3)
	}
	return p.Text(3)
}
