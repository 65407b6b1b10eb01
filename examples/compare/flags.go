package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/augur/examples/choose"
	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// options are the flags.
type options struct {
	cli.JobFlags
	cli.ClusterFlags
	deadlines       *workload.Deadlines // nil: none
	stragglers      *stragglers         // nil: as the jobs have them
	locality        *workload.Locality  // nil: as the jobs have it
	saves           *saving             // nil: as the jobs have it
	policies        string
	advise          *choose.Config // nil: the policies are compared
	list            bool
	seed            uint64
	seeds           []uint64  // nil: the seed alone
	loads           []float64 // nil: the load alone
	windows, thin   part      // of a trace
	faults          string
	delay           time.Duration
	cutoff          policy.Duration // 0: none
	longShare       float64         // 0: that of the work
	kairos          kairos.Config
	hopper          hopper.Config
	wing            wingOptions
	threesigma      threesigma.Config
	trim            float64 // share of the jobs at either end that the metrics leave out
	killRequested   bool
	features        []string
	json, times     bool
	wide            bool
	jobsCSV, record string
	usageCSV        string
	copiesCSV       string
	gantt           string
	cpuprofile      string
	report          string // a page of HTML
}

// into returns what reads a flag by a function that returns its value.
func into[T any](x *T, parse func(string) (T, error)) func(string) error {
	return func(s string) (err error) {
		*x, err = parse(s)
		return err
	}
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{ClusterFlags: cli.ClusterFlags{Load: 0.9, Cores: 4}}
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	o.JobFlags.Register(fs)
	o.ClusterFlags.Register(fs, ", or those of the workload's own cluster", "those of the workload's own nodes, or 4")
	fs.StringVar(&o.policies, "policies", "all", "the policies to run, `a,b,c` or all baselines; see -list")
	fs.BoolFunc("advise", "say what the jobs are like, which policies suit them and by how much, and what to set, by runs of a few policies, or of those of -policies, with the first half of the jobs; -advise=`SPEC`, such as -advise="+adviseExample+", says which part of the jobs counts, in how many windows, and how many jobs are run at most", into(&o.advise, parseAdvise))
	fs.BoolVar(&o.list, "list", false, "list the policies, workloads and formats, and stop")
	fs.Func("memory", "memory of each node, in `bytes`, which tasks may have to wait for (default: no end of it, or as much for each core as in the workload's own cluster)", cli.Between(&o.Memory, 0, 1<<60, "0, for no end of it, to 2^60"))
	fs.Func("offers", "named resources of each node besides cores and memory, as in `SPEC` "+cli.OffersExample+": devices of one unit each, or units that tasks share; the load is then that of the scarcest of these and of the cores (default none)", into(&o.Offers, cli.ParseOffers))
	fs.Func("partitions", "`number` of partitions that the nodes are divided into (default 1, with -deadlines 4)", cli.Whole(&o.Partitions, 1, 1<<16))
	fs.Func("deadlines", "give a share of the jobs deadlines, and partitions that they prefer, as `SPEC` "+deadlinesExample, into(&o.deadlines, parseDeadlines))
	fs.Func("stragglers", "let copies of a task differ, as in `SPEC` "+stragglersExample+"; or ratios=own, for how tasks of these jobs differ", into(&o.stragglers, parseStragglers))
	fs.Func("locality", "put what tasks read on some nodes, beyond which they run longer, as in `SPEC` "+localityExample, into(&o.locality, parseLocality))
	fs.Func("saves", "let what runs be saved and go on elsewhere, as in `SPEC` "+savesExample+": it holds its cores for so long before it works again, and for so long while it is saved; of use to policies that stop what runs, such as index-preempt", into(&o.saves, parseSaves))
	cli.Seed(fs, &o.seed, "`seed` of the generated jobs, of random policies and of faults (default 1)")
	fs.Func("seeds", "run the comparison with each of these `seeds`, such as 1-10, and print means and paired ratios to the first policy with 95 % intervals; for other pairs, run each pair alone", into(&o.seeds, parseSeeds))
	fs.Func("loads", "the same at each of these `loads`, such as 0.5,0.7,0.9", into(&o.loads, parseLoads))
	fs.Func("windows", "cut the jobs of the trace into `N` windows of consecutive jobs, and run the comparison with each, as with -seeds; a window has a cluster and a load of its own, and policies that learn have learnt from the jobs that would have ended before it, had each run alone; K/N is the window K alone", into(&o.windows, parsePart))
	fs.Func("thin", "run the comparison, as with -seeds, with `N` copies of the trace or window, each without a tenth of its jobs, chosen at random; K/N is the copy K alone", into(&o.thin, parsePart))
	fs.StringVar(&o.faults, "faults", "", "what goes wrong, as in `SPEC` "+faultsExample+"; nodes are up and down for so long on average; "+
		"copies break, or the host ends them, with a probability; messages that may be lost are with a probability, or are late, by so much on average, "+
		"overtake others, or come once more; the host does what it is asked for late, by so much on average that it "+
		"slips; saving fails with a probability; its clock is steady for so long on average, and then jumps")
	fs.Func("delay", "network `delay` of each message, order and report (default 0)", cli.Span(&o.delay, 0, "a duration of at least 0, such as 0.5ms"))
	fs.Func("cutoff", "mean task duration, in `S` seconds, from which on jobs are long, for hawk, eagle and bigc, and short and long jobs are then told apart in the output (default, for these policies: the 90th percentile of the jobs)", into(&o.cutoff, parseCutoff))
	fs.Func("long-share", "`share` of the nodes that hawk and eagle open to long jobs (default: the share of long jobs in the work of this run; the authors take 0.83 for Google's trace and 0.98 for Yahoo's)", cli.Between(&o.longShare, math.SmallestNonzeroFloat64, 1, "a number above 0, at most 1"))
	fs.Func("kairos", "parameters of kairos, as in `SPEC` "+kairosExample, into(&o.kairos, parseKairos))
	o.hopper = defaultHopper()
	fs.Func("hopper", "parameters of hopper, and of the policies that it is compared with as far as they have them, as in `SPEC` "+hopperExample+"; copies go before the waiting tasks of their job, after these, or, but under hopper, after those of all jobs", into(&o.hopper, parseHopper))
	fs.Func("wing", "parameters of Wing's policies, as in `SPEC` "+wingExample+"; queues of organisations are hard, shared, or one for all (default hard for the lake, else one); jobs inherit the priority of none of those that wait for them, those of their queue, or all; what follows a job counts for it in a window of time, and so many hops away, or any number if 0", into(&o.wing, parseWing))
	fs.Func("3sigma", "parameters of 3Sigma's systems, as in `SPEC` "+threesigmaExample+"; a cycle each interval plans so many slots ahead, each of a width (default the interval); a job whose history says with less than the threshold that it can be in time is worth something for a tail after its deadline (0s: as long as from its submission to it); best-effort jobs are worth a value, where a deadline is worth its utility, and a tenth of it after the horizon; jobs that cannot be in time run as best effort or are given up; the solver, search or greedy, has so many iterations a cycle (greedy needs none), for so many candidates; best-effort jobs are killed for those with deadlines or not", into(&o.threesigma, parseThreesigma))
	cli.Features(fs, &o.features, "the index finds them in the jobs, and others have 3Sigma's")
	fs.BoolVar(&o.killRequested, "kill-requested", false, "end a job, as TimedOut, when one of its tasks has run for the time that the job requested and is not done; the time of copies that run together counts from the first of them, and that of a retry, after a failure or a loss, anew")
	fs.Func("trim", "leave the first and the last `share` of the jobs, by order of submission, out of the figures, while the cluster fills and empties; they run all the same (default 0)", cli.Between(&o.trim, 0, 0.49, "a number of 0 to 0.49"))
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of a table")
	fs.BoolVar(&o.wide, "wide", false, "print all columns, and not only the eight that most people look at")
	fs.BoolVar(&o.times, "times", true, "say in JSON how long runs took; with -times=false runs of the same print the same bytes")
	fs.StringVar(&o.jobsCSV, "jobs-csv", "", "write a row for each job and policy to `FILE`; name is what the log calls the job")
	fs.StringVar(&o.usageCSV, "usage-csv", "", "write how many cores are in use, and what waits, to `FILE`: a row for each policy and each instant at which that changes")
	fs.StringVar(&o.copiesCSV, "copies-csv", "", "write a row for each time during which a copy of a task held cores of a node to `FILE`")
	fs.StringVar(&o.gantt, "gantt", "", fmt.Sprintf("draw who held which cores, up to %d, to `FILE`, as SVG; of several policies, each to a file of its own, as with -record", maxChartCores))
	fs.StringVar(&o.report, "report", "", "write the comparison to `FILE`, as a page of HTML with tables that can be sorted, and the ratios of each seed, window or copy; of one run of each policy also distributions, what was in use, and what ran where")
	fs.StringVar(&o.record, "record", "", "write every event and action to `FILE`, as JSON lines for sim.Replay; of several policies, each to a file of its own, FILE with the policy's name put before its extension")
	fs.StringVar(&o.cpuprofile, "cpuprofile", "", "write a CPU profile to `FILE`")
	given, err := cli.Parse(fs, args, stdout, "Compare runs scheduling policies over one workload. Flags:")
	if err != nil {
		return nil, err
	}
	if o.advise != nil {
		for _, name := range []string{"seeds", "windows", "thin", "loads", "record", "jobs-csv", "usage-csv", "copies-csv", "gantt", "report", "cpuprofile", "faults", "delay", "trim", "kill-requested"} {
			if given[name] {
				return nil, cli.Usagef("-advise with -%s, want one of them: the advice comes of runs without it", name)
			}
		}
	}
	given["load"] = given["load"] || o.loads != nil
	g, err := o.JobFlags.Check(given)
	if err != nil {
		return nil, err
	}
	if o.Trace == "" && (o.windows.of > 0 || o.thin.of > 0) {
		return nil, cli.Usagef("-windows or -thin without -trace, want both; -seeds varies the jobs of a workload")
	}
	partitions := 1
	if o.deadlines != nil {
		partitions = 4
	}
	return o, o.ClusterFlags.Check(given, g, partitions)
}
