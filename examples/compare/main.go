// Compare runs scheduling policies over one workload, in one simulated cluster, and
// prints what became of the jobs.
//
//	go run ./examples/compare
//	go run ./examples/compare -trace GOOG_subtrace.tr.gz -policies fifo,srpt -load 0.95
//	go run ./examples/compare -workload e2e -policies easy,fair,srpt
//	go run ./examples/compare -policies sparrow,hawk,eagle,bigc -cutoff 180 -delay 0.5ms
//	go run ./examples/compare -workload facebook-barriers -nodes 20 -policies fair,srpt
//	go run ./examples/compare -workload e2e -policies 3sigma,point-perf,point-real,3s-prio
//	go run ./examples/compare -workload lake -nodes 100 -policies wing-prio,wing-agg,oracle-wing-agg
//
// A workload that comes with a cluster keeps its nodes if -nodes says how many there are: the lake
// has 500 of 20 cores, so that -nodes 100 is 20 % of its capacity. Of the lake's jobs it is said what
// value they attain: the downloads of their output at or after their ends, in percent of all. With
// hard queues, as Wing has them by default, an organisation's jobs never get more than its share;
// fifo, priority and the like have one queue for all, so compare them with -wing queues=one.
// Wing's policies learn from the two weeks before; those that are called oracle know the whole week
// of the experiment too, also if -jobs takes only the first of its jobs.
//
// Of jobs with deadlines, as e2e has them and -deadlines gives them to any, it is said how many are missed
// and what the others are worth, by 3Sigma's metrics. Its systems, from 3sigma to 3sigma-noadapt, learn
// from a history that e2e comes with; in a trace, from the jobs that have ended.
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
	"runtime/pprof"
	"strconv"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

func main() { cli.Main("compare", run) }

// options are the flags.
type options struct {
	cli.JobFlags
	cli.ClusterFlags
	deadlines       *workload.Deadlines // nil: none
	stragglers      *stragglers         // nil: as the jobs have them
	locality        *workload.Locality  // nil: as the jobs have it
	policies        string
	list            bool
	seed            uint64
	faults          string
	delay           time.Duration
	cutoff          policy.Duration // 0: none
	kairos          kairos.Config
	hopper          hopper.Config
	wing            wingOptions
	threesigma      threesigma.Config
	json            bool
	jobsCSV, record string
	cpuprofile      string
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
	if err := needsCutoff(chosen, o); err != nil {
		return err
	}
	if err := checkLake(chosen, o); err != nil {
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
	out, err := openOutputs(o, chosen, judge(w.List))
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
		jobs, truth := workload.Split(workload.Of(w.List))
		scheduler, err := p.of(setting{
			truth: truth, seed: o.seed, past: w.History, lake: w.lake, lab: w.lab,
			classes: report.classes, kairos: o.kairos, hopper: o.hopper, wing: o.wing,
			threesigma: o.threesigma,
		})
		if err != nil {
			return err
		}
		config := sim.Config{Nodes: w.cluster, Jobs: jobs, Truth: truth, Delay: o.delay, Faults: faults}
		progress := newProgress(stderr, p.name, len(w.List))
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
	o := &options{ClusterFlags: cli.ClusterFlags{Load: 0.9, Cores: 4}}
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	o.JobFlags.Register(fs)
	o.ClusterFlags.Register(fs, ", or those of the workload's own cluster", "those of the workload's own nodes, or 4")
	fs.StringVar(&o.policies, "policies", "all", "the policies to run, `a,b,c` or all baselines; see -list")
	fs.BoolVar(&o.list, "list", false, "list the policies, workloads and formats, and stop")
	fs.Func("memory", "memory of each node, in `bytes`, which tasks may have to wait for (default: no end of it, or as much for each core as in the workload's own cluster)", func(s string) error {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || !(x >= 0 && x <= 1<<60) {
			return errors.New("want 0, for no end of it, to 2^60")
		}
		o.Memory = int64(x)
		return nil
	})
	cli.Number(fs, &o.Partitions, "partitions", 1, 1<<16, "`number` of partitions that the nodes are divided into (default 1, with -deadlines 4)")
	fs.Func("deadlines", "give a share of the jobs deadlines, and partitions that they prefer, as `SPEC` "+deadlinesExample, func(s string) error {
		d, err := workload.ParseDeadlines(s)
		o.deadlines = &d
		return err
	})
	fs.Func("stragglers", "let copies of a task differ, as in `SPEC` "+stragglersExample+"; or ratios=own, for how tasks of these jobs differ", func(s string) (err error) {
		o.stragglers, err = parseStragglers(s)
		return err
	})
	fs.Func("locality", "put what tasks read on some nodes, beyond which they run longer, as in `SPEC` "+localityExample, func(s string) (err error) {
		o.locality, err = parseLocality(s)
		return err
	})
	cli.Seed(fs, &o.seed, "`seed` of the generated jobs, of random policies and of faults (default 1)")
	fs.StringVar(&o.faults, "faults", "", "what goes wrong, as in `SPEC` "+faultsExample)
	fs.Func("delay", "network `delay` of each message, order and report (default 0)", func(s string) (err error) {
		if o.delay, err = time.ParseDuration(s); err != nil || o.delay < 0 {
			return errors.New("want a duration of at least 0, such as 0.5ms")
		}
		return nil
	})
	fs.Func("cutoff", "mean task duration, in `S` seconds, from which on jobs are long: hawk, eagle and bigc need it, and short and long jobs are then told apart in the output", func(s string) (err error) {
		o.cutoff, err = parseCutoff(s)
		return err
	})
	o.kairos = kairos.DefaultConfig()
	fs.Func("kairos", "parameters of kairos, as in `SPEC` "+kairosExample, func(s string) (err error) {
		o.kairos, err = parseKairos(s)
		return err
	})
	o.hopper = defaultHopper()
	fs.Func("hopper", "parameters of hopper, and of the policies that it is compared with as far as they have them, as in `SPEC` "+hopperExample+"; copies go before the waiting tasks of their job, after these, or, but under hopper, after those of all jobs", func(s string) (err error) {
		o.hopper, err = parseHopper(s)
		return err
	})
	fs.Func("wing", "parameters of Wing's policies, as in `SPEC` "+wingExample+"; queues of organisations are hard, shared, or one for all (default hard for the lake, else one); jobs inherit the priority of none of those that wait for them, those of their queue, or all; what follows a job counts for it in a window of time, and so many hops away, or any number if 0", func(s string) (err error) {
		o.wing, err = parseWing(s)
		return err
	})
	fs.Func("3sigma", "parameters of 3Sigma's systems, as in `SPEC` "+threesigmaExample+"; a cycle each interval plans so many slots of a width (default the interval) ahead; a job whose history says with less than the threshold that it can be in time is worth something for a tail after its deadline (0s: as long as from its submission to it); best-effort jobs are worth a value, where a deadline is worth its utility, and a tenth of it after the horizon; jobs that cannot be in time run as best effort or are given up; the solver has so many iterations a cycle, for so many candidates; best-effort jobs are killed for those with deadlines or not", func(s string) (err error) {
		o.threesigma, err = parseThreesigma(s)
		return err
	})
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of a table")
	fs.StringVar(&o.jobsCSV, "jobs-csv", "", "write a row for each job and policy to `FILE`")
	fs.StringVar(&o.record, "record", "", "write every event and action to `FILE`, as JSON lines for sim.Replay; of several policies, each to a file of its own, FILE with the policy's name put before its extension")
	fs.StringVar(&o.cpuprofile, "cpuprofile", "", "write a CPU profile to `FILE`")
	given, err := cli.Parse(fs, args, stdout, "Compare runs scheduling policies over one workload. Flags:")
	if err != nil {
		return nil, err
	}
	g, err := o.JobFlags.Check(given)
	if err != nil {
		return nil, err
	}
	partitions := 1
	if o.deadlines != nil {
		partitions = 4
	}
	return o, o.ClusterFlags.Check(given, g, partitions)
}
