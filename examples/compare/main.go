// Compare runs scheduling policies over one workload, in one simulated cluster, and
// prints what became of the jobs.
//
//	go run ./examples/compare
//	go run ./examples/compare -trace GOOG_subtrace.tr.gz -policies fifo,srpt -load 0.95
//	go run ./examples/compare -workload e2e -policies easy,fair,srpt
//
// Rows of a trace that cannot be read are left out and counted in the output, or, with
// -strict, end it. It exits with status 1 if a row does that or a run fails, and with 2 if
// a flag, a file or a value is wrong; either way with one line on stderr.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "compare: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(status(err))
	}
}

// status is 2 for what the caller can mend on the command line, else 1.
func status(err error) int {
	if _, ok := errors.AsType[*usageError](err); ok {
		return 2
	}
	return 1
}

// usageError is a bad flag, file or value.
type usageError struct{ error }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// options are the flags.
type options struct {
	trace, format, workload string
	columns                 string
	throughput              float64
	strict                  bool
	deadlines               *workload.Deadlines // nil: none
	policies                string
	list                    bool
	nodes, cores            int
	partitions              int
	load                    float64
	stretch                 bool // -nodes and -load are both given
	jobs                    int
	seed                    uint64
	faults                  string
	delay                   time.Duration
	json                    bool
	jobsCSV, record         string
	cpuprofile              string
}

const deadlinesExample = "share=0.5,slack=20/40/60/80,utility=1,prefer=0.75,elsewhere=1.5"

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stdout)
	if err == flag.ErrHelp {
		return nil
	}
	if err != nil {
		return err
	}
	if o.list {
		return printList(stdout)
	}
	chosen, err := choose(o.policies)
	if err != nil {
		return err
	}
	faults, err := parseFaults(o.faults, o.seed)
	if err != nil {
		return err
	}
	w, err := load(o)
	if err != nil {
		return err
	}
	out, err := openOutputs(o, chosen)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.close()) }()
	if o.cpuprofile != "" {
		if err := pprof.StartCPUProfile(out.cpuprofile); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}

	report := newReport(w, o, chosen)
	for _, p := range chosen {
		jobs, truth := workload.Split(workload.Of(w.list))
		scheduler, err := p.make(truth, o.seed)
		if err != nil {
			return err
		}
		config := sim.Config{Nodes: w.cluster, Jobs: jobs, Truth: truth, Delay: o.delay, Faults: faults}
		progress := newProgress(stderr, p.name, len(w.list))
		config.Progress = progress.show
		if f := out.records[p.name]; f != nil {
			config.Record = f
		}
		begin := time.Now()
		result, err := sim.Run(ctx, config, scheduler)
		progress.clear()
		if err != nil {
			return fmt.Errorf("policy %s: %w", p.name, err)
		}
		report.add(p.name, result, time.Since(begin))
		if out.jobs != nil {
			if err := out.writeJobs(p.name, result); err != nil {
				return err
			}
		}
	}
	if o.json {
		return report.writeJSON(stdout)
	}
	return report.writeTable(stdout)
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{load: 0.9, cores: 4, seed: 1}
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	names, _ := workload.Formats()
	fs.StringVar(&o.trace, "trace", "", "read the jobs from `FILE` (gzip is recognised)")
	fs.StringVar(&o.format, "format", "auto", "`FORMAT` of the trace: auto|"+strings.Join(names, "|"))
	fs.StringVar(&o.columns, "columns", "", "the columns of a trace in CSV, as `MAP` such as submit=t:s,runtime=seconds,user=owner, or the name of a preset; see -list")
	fs.Func("throughput", "`bytes` that a task handles in a second, for traces of sizes (default 1e8)", func(s string) (err error) {
		if o.throughput, err = strconv.ParseFloat(s, 64); err != nil || !(o.throughput >= 1) || math.IsInf(o.throughput, 0) {
			return errors.New("want a finite number of at least 1")
		}
		return nil
	})
	fs.BoolVar(&o.strict, "strict", false, "fail at the first row of the trace that cannot be read, instead of leaving it out")
	fs.StringVar(&o.workload, "workload", "heavytail", "generate the jobs of workload `NAME`; see -list")
	fs.StringVar(&o.policies, "policies", "all", "the policies to run, `a,b,c` or all; see -list")
	fs.BoolVar(&o.list, "list", false, "list the policies, workloads and formats, and stop")
	number(fs, &o.nodes, "nodes", 1, 1<<24, "`number` of nodes (default: as many as the load needs, or those of the workload's own cluster)")
	number(fs, &o.cores, "cores", 1, 1<<20, "`cores` of each node (default 4, or those of the workload's own cluster)")
	number(fs, &o.partitions, "partitions", 1, 1<<16, "`number` of partitions that the nodes are divided into (default 1, with -deadlines 4)")
	fs.Func("deadlines", "give a share of the jobs deadlines, and partitions that they prefer, as `SPEC` "+deadlinesExample, func(s string) error {
		d, err := workload.ParseDeadlines(s)
		o.deadlines = &d
		return err
	})
	fs.Func("load", "offered `load`, work over cores times time, to size the cluster for (default 0.9); if -nodes is given too, the arrivals are stretched to meet it", func(s string) error {
		_, err := fmt.Sscanf(s+"\n", "%g\n", &o.load)
		if err != nil || !(o.load > 0) || math.IsInf(o.load, 0) {
			return errors.New("want a finite number above 0")
		}
		return nil
	})
	number(fs, &o.jobs, "jobs", 1, 1<<28, "`number` of jobs to generate, or to take from the start of the trace")
	fs.Func("seed", "`seed` of the generated jobs, of random policies and of faults (default 1)", func(s string) (err error) {
		if o.seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return errors.New("want a whole number of 0 to 2^64-1")
		}
		return nil
	})
	fs.StringVar(&o.faults, "faults", "", "what goes wrong, as in `SPEC` "+faultsExample)
	fs.Func("delay", "network `delay` of each message, order and report (default 0)", func(s string) (err error) {
		if o.delay, err = time.ParseDuration(s); err != nil || o.delay < 0 {
			return errors.New("want a duration of at least 0, such as 0.5ms")
		}
		return nil
	})
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of a table")
	fs.StringVar(&o.jobsCSV, "jobs-csv", "", "write a row for each job and policy to `FILE`")
	fs.StringVar(&o.record, "record", "", "write every event and action to `FILE`, as JSON lines for sim.Replay; of several policies, each to a file of its own, FILE with the policy's name put before its extension")
	fs.StringVar(&o.cpuprofile, "cpuprofile", "", "write a CPU profile to `FILE`")
	if err := fs.Parse(args); err != nil {
		if err == flag.ErrHelp {
			fmt.Fprintln(stdout, "Compare runs scheduling policies over one workload. Flags:")
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return nil, err
		}
		if strings.HasPrefix(err.Error(), "flag provided but not defined") {
			var all []string
			fs.VisitAll(func(f *flag.Flag) { all = append(all, "-"+f.Name) })
			err = fmt.Errorf("%w, want one of %s", err, strings.Join(all, " "))
		}
		return nil, &usageError{err}
	}
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case fs.NArg() > 0:
		return nil, usagef("unexpected argument %q, want flags only", fs.Arg(0))
	case given["trace"] && given["workload"]:
		return nil, usagef("both -trace and -workload are given, want one of them")
	case given["format"] && !given["trace"]:
		return nil, usagef("-format %s without -trace, want both", o.format)
	}
	for _, name := range []string{"columns", "throughput", "strict"} {
		if given[name] && !given["trace"] {
			return nil, usagef("-%s without -trace, want both", name)
		}
	}
	if given["columns"] && !given["format"] {
		o.format = "csv"
	}
	if o.columns != "" && o.format != "csv" {
		return nil, usagef("-columns %s with -format %s, want csv", o.columns, o.format)
	}
	o.stretch = given["nodes"] && given["load"]
	if !given["trace"] {
		g, err := findGenerator(o.workload)
		if err != nil {
			return nil, err
		}
		if !given["nodes"] && !given["load"] && !given["cores"] {
			o.nodes, o.cores = g.nodes, or(g.cores, o.cores)
		}
		o.partitions = or(o.partitions, g.partitions)
	}
	if o.partitions == 0 {
		o.partitions = 1
		if o.deadlines != nil {
			o.partitions = 4
		}
	}
	if o.nodes > 0 && o.nodes < o.partitions {
		return nil, usagef("%d nodes in %d partitions, want at least one in each", o.nodes, o.partitions)
	}
	return o, nil
}

// number defines a flag for a whole number in a range.
func number(fs *flag.FlagSet, x *int, name string, lowest, highest int, usage string) {
	fs.Func(name, usage, func(s string) error {
		var n int
		if _, err := fmt.Sscanf(s+"\n", "%d\n", &n); err != nil || n < lowest || n > highest {
			return fmt.Errorf("want a whole number of %d to %d", lowest, highest)
		}
		*x = n
		return nil
	})
}
