// Backfilling measures ways to backfill on real logs, and prints a table in Markdown:
//
//	go run ./examples/lab/backfilling
//	go run ./examples/lab/backfilling -logs NASA -loads 0.9 -policies fifo-easy,fifo-sjbf/last-two
//
// Each log is cut into windows of equally many jobs, in order of submission. The arrivals of a window are stretched to the
// load, and each policy runs it from an empty cluster. The figure is the mean bounded slowdown, of 10 s, without the first
// and the last 5 % of the jobs of a window. The first policy has its geometric mean over the windows, and the others have
// their ratios to it, window by window; all with 95 % intervals.
//
// Jobs end when they have run for their requested time. A job that requests none requests its runtime times a number drawn
// from 1 to 1+f: the f-model.
//
// It takes some minutes on two cores. It exits with status 1 if a run fails, and with 2 if a flag is wrong, with one line on
// stderr.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

func main() { cli.Main("backfilling", run) }

const trimmed = 0.05

// A log is a trace and the cluster that its windows run on.
type log struct {
	name, file string
	jobs       int   // the first ones that count
	cores      int32 // twice those of the widest job, or of the real cluster
}

var logs = []log{
	{"NASA", "swf/NASA-iPSC-1993-3.1-cln.swf.gz", math.MaxInt, 128}, // the real one
	{"wagap", "swf/wagap-2013.swf.gz", math.MaxInt, 512},
	{"philly", "philly/philly_to_2017-10-31.csv.gz", 20000, 64},
	{"Lisa", "surf_lisa/tasks_2022-10.csv.gz", 20000, 32},
}

type options struct {
	logs, loads, policies []string
	traces                string
	f                     float64
	windows               int
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{
		logs: []string{"NASA", "wagap", "philly", "Lisa"}, loads: []string{"0.5", "0.7", "0.9"},
		policies: []string{"fifo-easy", "fifo-sjbf", "fifo-easy/last-two", "fifo-sjbf/last-two", "fifo-slack", "fifo-conservative", "fifo-conservative/last-two"},
	}
	fs := flag.NewFlagSet("backfilling", flag.ContinueOnError)
	list := func(to *[]string) func(string) error {
		return func(s string) error {
			*to = strings.Split(s, ",")
			return nil
		}
	}
	fs.Func("logs", "the `a,b,c` to run (default NASA,wagap,philly,Lisa)", list(&o.logs))
	fs.Func("loads", "the `loads` (default 0.5,0.7,0.9)", list(&o.loads))
	fs.Func("policies", "`specs` of parts, as compare has them; all are compared with the first", list(&o.policies))
	fs.StringVar(&o.traces, "traces", cmp.Or(os.Getenv("AUGUR_TRACES"), "../shared/traces"), "the `FOLDER` of real traces")
	fs.Float64Var(&o.f, "f", 10, "jobs that request no time request 1 to 1+`F` times their runtime, uniformly")
	o.windows = 10
	fs.Func("windows", "the `number` of windows that a log is cut into (default 10)", cli.Whole(&o.windows, 1, 100))
	_, err := cli.Parse(fs, args, stdout, "Backfilling measures ways to backfill on real logs. Flags:")
	if err == nil && !(o.f >= 0 && o.f <= 1000) {
		err = cli.Usagef("-f is %v, want 0 to 1000", o.f)
	}
	return o, err
}

func run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	header, rule := "| log | load |", "|---|---|"
	policies := experiment.Named(o.policies...)
	for i := range policies {
		if _, err := catalog.Parse(policies[i].Name); err != nil {
			return cli.Usagef("-policies: %w", err)
		}
		header, rule = header+" "+policies[i].Name+" |", rule+"---|"
	}
	fmt.Fprintf(stdout, "%s\n%s\n", header, rule)
	for _, name := range o.logs {
		i := slices.IndexFunc(logs, func(l log) bool { return l.name == name })
		if i < 0 {
			return cli.Usagef("-logs: there is no log %q", name)
		}
		jobs, err := o.read(&logs[i])
		if errors.Is(err, fs.ErrNotExist) {
			return cli.Usage(err)
		}
		if err != nil {
			return err
		}
		for _, text := range o.loads {
			load, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return cli.Usagef("-loads: %w", err)
			}
			c := experiment.Config{
				Jobs: func(window uint64) (experiment.Log, error) {
					n := len(jobs) / o.windows
					return experiment.Log{Name: name, Jobs: jobs[int(window)*n : int(window+1)*n]}, nil
				},
				Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: logs[i].cores}), Policies: policies, Loads: []float64{load}, Trim: trimmed, Limited: true,
			}
			for window := range uint64(o.windows) {
				c.Seeds = append(c.Seeds, window)
			}
			result, err := experiment.Run(ctx, c)
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "| %s | %s |%s\n", name, text, row(&result.Loads[0]))
		}
	}
	return nil
}

// row returns the cells of a table.
func row(l *experiment.AtLoad) (cells string) {
	slowdown := func(r *experiment.Row) *float64 { return r.MeanBounded }
	for i, p := range l.Policies {
		cell := p.BoundedRatio
		if i == 0 {
			x := l.Of(p.Policy, slowdown)
			cell = experiment.Pair(x, slices.Repeat([]float64{1}, len(x)))
		}
		cells += " " + cell.Text(2) + " |"
	}
	return cells
}

// read returns the jobs of a log, with requests.
func (o *options) read(l *log) (jobs []*workload.Job, err error) {
	reader, err := trace.Open(filepath.Join(o.traces, l.file), trace.ReaderConfig{})
	if err != nil {
		return nil, err
	}
	for j, err := range reader.Jobs() {
		if err != nil {
			return nil, err
		}
		if j.Requested == 0 {
			j.Requested = request(j, o.f)
		}
		jobs = append(jobs, j)
	}
	slices.SortStableFunc(jobs, func(a, b *workload.Job) int { return cmp.Compare(a.Submitted, b.Submitted) })
	return jobs[:min(l.jobs, len(jobs))], nil
}

// request draws what a job requests by the f-model (D. Feitelson and A. Mu'alem Weil, "Utilization and predictability in scheduling
// the IBM SP2 with backfilling", IPPS 1998), in whole seconds.
func request(j *workload.Job, f float64) policy.Duration {
	longest := policy.Duration(0)
	for _, stage := range j.Runtimes {
		longest = max(longest, slices.Max(stage))
	}
	factor := 1 + f*rand.New(rand.NewPCG(1, uint64(j.ID))).Float64()
	return policy.Duration(math.Ceil(max(1, longest.Seconds()*factor))) * 1e9
}
