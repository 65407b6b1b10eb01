package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/page"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A comparison is what the flags ask for, run by package experiment.
type comparison struct {
	*options
	chosen []contender
	many   string // the flag that asks for several runs at each load
	out    *outputs
	in     *input // of the only cell
	begun  sync.Map
	stderr io.Writer
}

// of is a run.
type of struct {
	cell   *experiment.Cell
	policy string
}

// A begin is when a run began, and what follows it.
type begin struct {
	at time.Time
	*watch
}

// runComparison runs the policies, and prints what came out, also if some runs fail.
func runComparison(ctx context.Context, o *options, stdout, stderr io.Writer) (err error) {
	x := &comparison{options: o, out: new(outputs), stderr: stderr}
	if x.many, err = o.sideBySide(); err != nil {
		return err
	}
	if x.chosen, err = policiesOf(o.policies); err != nil {
		return err
	}
	if err := checkLake(x.chosen, o); err != nil {
		return err
	}
	if _, err := parseFaults(o.faults, o.seed); err != nil {
		return err
	}
	files := o.record != "" || o.jobsCSV != "" || o.usageCSV != "" || o.copiesCSV != "" || o.gantt != "" || o.cpuprofile != ""
	if files && x.sweeps() {
		return cli.Usagef("-seeds, -windows, -thin and -loads write no -record, -jobs-csv, -usage-csv, -copies-csv, -gantt or -cpuprofile: run one seed, window or copy for these")
	}
	var report *os.File
	if o.report != "" {
		named := cli.Files{Inputs: []string{o.Trace}}
		if report, err = named.Create(o.report); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, named.Close()) }()
		if !x.sweeps() {
			folder, err := os.MkdirTemp("", "compare")
			if err != nil {
				return err
			}
			defer os.RemoveAll(folder)
			o.jobsCSV, o.usageCSV, o.copiesCSV = cmp.Or(o.jobsCSV, filepath.Join(folder, "jobs.csv")), cmp.Or(o.usageCSV, filepath.Join(folder, "usage.csv")), cmp.Or(o.copiesCSV, filepath.Join(folder, "copies.csv"))
			files = true
		}
	}
	c := experiment.Config{
		Jobs: x.jobs(ctx), Loads: o.loads, Seeds: o.seeds, Trim: o.trim, Limited: o.killRequested,
		Setup: func(c *experiment.Cell) error { return x.setup(c, files) }, Begin: x.begin, Ended: x.ended,
	}
	for i := range x.chosen {
		c.Policies = append(c.Policies, x.chosen[i].policy(o))
	}
	if c.Seeds == nil {
		c.Seeds = []uint64{o.seed}
	}
	if o.windows.k == 0 {
		c.Windows = o.windows.of
	}
	if o.thin.k == 0 {
		c.Thin = o.thin.of
	}
	if files {
		c.AtOnce = 1 // the rows of a file are by policy
	}
	progress := cli.NewProgress(stderr, "runs", 0)
	c.Progress = progress.Ran
	result, err := experiment.Run(ctx, c)
	progress.Clear()
	if o.cpuprofile != "" {
		pprof.StopCPUProfile()
	}
	closed := x.out.close()
	if failed := (experiment.Failures)(nil); errors.As(err, &failed) {
		err = x.failure(failed)
	} else if setup := (*experiment.SetupError)(nil); errors.As(err, &setup) {
		if err = setup.Err; x.sweeps() {
			err = fmt.Errorf("%s: %w", x.flags(setup.Cell), err)
		}
	}
	if result == nil || len(result.Runs) == 0 {
		return errors.Join(err, closed)
	}
	if x.sweeps() || !x.times {
		forgetTimes(result)
	}
	if report != nil && closed == nil {
		var text bytes.Buffer
		if closed = result.WriteJSON(&text); closed == nil {
			closed = page.Write(report, text.Bytes(), page.Files{Jobs: o.jobsCSV, Usage: o.usageCSV, Copies: o.copiesCSV})
		}
	}
	return errors.Join(x.print(stdout, result), err, closed)
}

// sweeps reports whether there are several cells, or one that was asked for as if.
func (x *comparison) sweeps() bool { return x.many != "" || x.loads != nil }

// print prints what came out.
func (x *comparison) print(w io.Writer, r *experiment.Result) error {
	switch {
	case x.json && x.sweeps():
		return r.WriteJSON(w)
	case x.json:
		return cli.WriteJSON(w, r.Runs[0])
	case len(r.Runs) == 1 && !x.sweeps():
		return x.writeTables(w, r)
	case x.wide:
		return writeWide(w, r)
	}
	return r.WriteTable(w)
}

// forgetTimes leaves out how long the runs took, which differs from one time to the next.
func forgetTimes(r *experiment.Result) {
	for _, run := range r.Runs {
		for i := range run.Policies {
			run.Policies[i].Wall, run.Policies[i].EventsPerS = nil, nil
		}
	}
}

// failure returns one error of all failures: what went wrong in the first, and the names of the others; without seeds and loads what
// went wrong in each.
func (x *comparison) failure(all experiment.Failures) error {
	var errs, names []error
	for _, f := range all {
		errs = append(errs, fmt.Errorf("policy %s: %w%s", f.Policy, f.Err, x.without(f.Err)))
		names = append(names, fmt.Errorf("%s %s", f.Policy, x.flags(f.Cell)))
	}
	if !x.sweeps() {
		return joined(errs, "; ")
	}
	others := ""
	if len(all) > 1 {
		others = "; also failed: " + joined(names[1:], ", ").Error()
	}
	return fmt.Errorf("%s: %w; run it alone by -policies %w in place of %s and -loads%s", x.flags(all[0].Cell), errs[0], names[0], cmp.Or(x.many, "-seeds"), others)
}

// joined returns an error with the texts of others on one line.
func joined(errs []error, between string) error {
	all := errs[0]
	for _, err := range errs[1:] {
		all = fmt.Errorf("%w%s%w", all, between, err)
	}
	return all
}

// flags returns the flags of a cell, which take the place of those that ask for several.
func (x *comparison) flags(c *experiment.Cell) string {
	text := fmt.Sprintf("-seed %d", c.Seed)
	switch {
	case c.Copy > 0:
		text = fmt.Sprintf("-thin %d/%d", c.Copy, x.thin.of)
	case c.Window > 0:
		text = fmt.Sprintf("-windows %d/%d", c.Window, x.windows.of)
	}
	if c.Load > 0 {
		text += " -load " + strconv.FormatFloat(c.Load, 'g', -1, 64)
	}
	return text
}

// without names the workload that has no gangs, if a policy has refused one.
func (x *comparison) without(err error) string {
	if x.Trace == "" && x.Workload == "mixed" && strings.Contains(err.Error(), "is a gang") {
		return " (-workload mixed-bags has none)"
	}
	return ""
}

// jobs reads or generates jobs; a trace is read once.
func (x *comparison) jobs(ctx context.Context) experiment.Jobs {
	read := func(seed uint64) (cli.Jobs, error) { return x.Read(ctx, seed) }
	if x.Trace != "" {
		once := sync.OnceValues(func() (cli.Jobs, error) { return x.Read(ctx, x.seed) })
		read = func(uint64) (cli.Jobs, error) { return once() }
	}
	return func(seed uint64) (experiment.Log, error) {
		js, err := read(seed)
		if err != nil {
			return experiment.Log{}, err
		}
		in := &input{Jobs: js}
		if err := in.cut(x.options, seed); err != nil {
			return experiment.Log{}, err
		}
		return experiment.Log{Name: in.Name, Jobs: in.List, Past: in.History, Data: in}, nil
	}
}

// setup completes a cell as the flags say.
func (x *comparison) setup(c *experiment.Cell, files bool) error {
	o := *x.options
	o.seed = c.Seed
	if c.Load > 0 {
		o.Load = c.Load
	}
	in := c.Data.(*input)
	in.List, in.History = c.Jobs, c.Past
	if err := in.complete(&o, x.chosen); err != nil {
		return err
	}
	faults, err := parseFaults(o.faults, o.seed)
	if err != nil {
		return err
	}
	c.Jobs, c.Nodes, c.Cutoff = in.List, in.cluster, in.classes.cutoff
	c.Host = sim.Config{Delay: o.delay, Faults: faults}
	if o.saves != nil {
		c.Host.SaveCost = o.saves.cost
	}
	x.note(c.Report, in, &o, &faults)
	if x.sweeps() {
		return nil
	}
	x.in = in
	if cores := len(in.cluster) * o.Cores; o.gantt != "" && cores > maxChartCores {
		return cli.Usagef("-gantt of %d cores, want at most %d", cores, maxChartCores)
	}
	if files {
		out, err := openOutputs(&o, x.chosen, judge(in.List))
		if err != nil {
			return err
		}
		x.out = out
	}
	if o.cpuprofile != "" {
		return pprof.StartCPUProfile(x.out.cpuprofile)
	}
	return nil
}

// note says in a report what was made of the jobs.
func (x *comparison) note(r *experiment.Report, in *input, o *options, faults *sim.Faults) {
	r.Loads, r.Dropped, r.Skipped = cli.Loads(in.List, in.cluster), in.Dropped, in.Skipped
	if o.windows.k > 0 {
		r.Window = o.windows.String()
	}
	if o.thin.k > 0 {
		r.Copy = o.thin.String()
	}
	fit := o.Notes()
	if x.sweeps() { // what is of one run
		fit = slices.DeleteFunc(fit, func(note string) bool { return strings.HasPrefix(note, "arrivals are") })
	}
	r.Notes = append(append(in.Notes(), fit...), idleFaults(faults, o.delay, x.chosen)...)
	if r.Loads != nil && !x.sweeps() {
		r.Notes = append(r.Notes, "load of "+cli.Loaded(r.Loads))
	}
	if o.trim > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the figures leave out the first and the last %.4g %% of the jobs by submission, except those of the whole cluster", 100*o.trim))
	}
	if in.cutoff > 0 {
		r.Cutoff = in.cutoff.Seconds()
		r.Notes = append(r.Notes, fmt.Sprintf("jobs are long from %.6g s on, the 90th percentile of their mean task runtimes; -cutoff sets another", r.Cutoff))
	}
	if o.longShare == 0 && slices.ContainsFunc(x.chosen, func(c contender) bool { return c.divides }) {
		r.LongShare = in.classes.open
		r.Notes = append(r.Notes, fmt.Sprintf("%.4g %% of the nodes are open to long jobs under hawk and eagle, the share of work in long jobs; -long-share sets another",
			100*r.LongShare))
	}
	if in.lake != nil && o.Stretch {
		in.unvalued = true
		r.Notes = append(r.Notes, "the value attained is left out: stretched arrivals no longer fit the times of downloads")
	}
}

// begin lets files follow a run.
func (x *comparison) begin(c *experiment.Cell, policy string, host *sim.Config) error {
	if f := x.out.records[policy]; f != nil {
		host.Record = f
	}
	in := c.Data.(*input)
	b := begin{time.Now(), x.out.watch(policy, in)}
	if b.watch != nil {
		host.Watch = b.Event
	}
	if len(x.chosen) == 1 && !x.sweeps() {
		host.Progress = cli.NewProgress(x.stderr, policy, len(in.List)).Show
	}
	x.begun.Store(of{c, policy}, b)
	return nil
}

// ended writes what is left of a run to its files, and adds to its row.
func (x *comparison) ended(c *experiment.Cell, row *experiment.Row, result *sim.Result) error {
	kept, _ := x.begun.LoadAndDelete(of{c, row.Policy})
	b, in := kept.(begin), c.Data.(*input)
	wall := time.Since(b.at).Seconds()
	if err := x.out.writeJobs(row.Policy, in.List, result); err != nil {
		return err
	}
	row.Wall, row.EventsPerS = cli.Some(wall), cli.Some(float64(result.Events)/wall)
	row.InUse, row.Faults = b.shares(in), countFaults(&c.Host.Faults, &result.Faults)
	if in.lake != nil && !in.unvalued {
		row.Attained = cli.Some(in.lake.Attained(result.Trim(x.trim)))
	}
	if b.watch != nil {
		return b.end()
	}
	return nil
}

// load reads the jobs of a command line, and sizes the cluster.
func load(ctx context.Context, o *options) (*input, error) {
	js, err := o.Read(ctx, o.seed)
	if err != nil {
		return nil, err
	}
	in := &input{Jobs: js}
	if err := in.cut(o, o.seed); err != nil {
		return nil, err
	}
	if err := in.complete(o, nil); err != nil || !o.killRequested {
		return in, err
	}
	in.List, err = workload.ReadAll(workload.Limited(workload.Of(in.List)))
	return in, err
}
