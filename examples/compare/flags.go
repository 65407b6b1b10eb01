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
	fs.BoolVar(&o.Preceding, "preceding", false, "let a job wait for its preceding jobs: those that a trace in swf names, or in openlineage those whose output it reads; think times are left out")
	o.ClusterFlags.Register(fs, ", or those of the workload's own cluster", "those of the workload's own nodes, or 4")
	fs.StringVar(&o.policies, "policies", "all", "the policies to run, `a,b,c` or all baselines; see -list")
	fs.BoolFunc("advise", "describe the jobs and advise which policies suit them, by how much, and what to set; it runs a few policies, or those of -policies, on the first half of the jobs; -advise=`SPEC`, such as -advise="+adviseExample+", sets the part of the jobs, the number of windows, and the most jobs to run", into(&o.advise, parseAdvise))
	fs.BoolVar(&o.list, "list", false, "list the policies, workloads and formats, and stop")
	fs.Func("memory", "memory of each node, in `bytes` (default: unlimited, or as much for each core as in the workload's own cluster)", cli.Between(&o.Memory, 0, 1<<60, "bytes, such as 17179869184 for 16 GiB, at most 2^60, or 0 for unlimited"))
	fs.Func("offers", "named resources of each node besides cores and memory, as in `SPEC` "+cli.OffersExample+": devices of one unit each, or units that tasks share; -load then counts the scarcest of the cores and these (default none)", into(&o.Offers, cli.ParseOffers))
	fs.Func("partitions", "`number` of partitions of the nodes (default 1, with -deadlines 4)", cli.Whole(&o.Partitions, 1, 1<<16))
	fs.Func("deadlines", "give a share of the jobs deadlines and preferred partitions, as in `SPEC` "+deadlinesExample, into(&o.deadlines, parseDeadlines))
	fs.Func("stragglers", "draw a slowdown for each copy of a task, as in `SPEC` "+stragglersExample+"; ratios=own draws from the differences among the tasks of these jobs", into(&o.stragglers, parseStragglers))
	fs.Func("locality", "put each task's input on some nodes; it runs longer elsewhere, as in `SPEC` "+localityExample, into(&o.locality, parseLocality))
	fs.Func("saves", "let running tasks be saved and continue elsewhere, as in `SPEC` "+savesExample+"; a task also holds its cores while it is saved (cost) and before it continues (reload); for policies that stop tasks, such as index-preempt", into(&o.saves, parseSaves))
	cli.Seed(fs, &o.seed, "`seed` of the generated jobs, of random policies and of faults (default 1)")
	fs.Func("seeds", "run the comparison with each of these `seeds`, such as 1-10, and print means, and paired ratios to the first policy with 95 % intervals", into(&o.seeds, parseSeeds))
	fs.Func("loads", "run the comparison at each of these `loads`, such as 0.5,0.7,0.9", into(&o.loads, parseLoads))
	fs.Func("windows", "cut the trace into `N` windows of consecutive jobs, and run the comparison with each, as with -seeds; each window has its own cluster and load; learning policies start with the jobs that would have ended before the window if each had run alone; K/N is window K alone", into(&o.windows, parsePart))
	fs.Func("thin", "run the comparison, as with -seeds, with `N` copies of the trace or window, each without a random tenth of its jobs; K/N is copy K alone", into(&o.thin, parsePart))
	fs.StringVar(&o.faults, "faults", "", "faults to inject, as in `SPEC` "+faultsExample+"; durations are means, and other numbers probabilities; "+
		"up is of each node: 128 nodes with up=128h lose one an hour in all; "+
		"nodes go down and come up; copies fail or are evicted; unreliable messages (posts) are lost, late, overtake others, or come twice; "+
		"the host carries out actions late, by a slip; saves fail; the host's clock is steady for a time and then jumps")
	fs.Func("delay", "network `delay` of each message, order and report (default 0)", cli.Span(&o.delay, 0, "a duration of at least 0, such as 0.5ms"))
	fs.Func("cutoff", "jobs are long from this mean task runtime on, in `S` seconds, for hawk, eagle and bigc; the output then tells short jobs from long ones (default, for these policies: the 90th percentile of the jobs)", into(&o.cutoff, parseCutoff))
	fs.Func("long-share", "`share` of the nodes that hawk and eagle open to long jobs (default: the share of work in long jobs; the authors take 0.83 for Google's trace and 0.98 for Yahoo's)", cli.Between(&o.longShare, math.SmallestNonzeroFloat64, 1, "a number above 0, at most 1"))
	fs.Func("kairos", "parameters of kairos, as in `SPEC` "+kairosExample, into(&o.kairos, parseKairos))
	o.hopper = defaultHopper()
	fs.Func("hopper", "parameters of hopper and of policies with copies, as in `SPEC` "+hopperExample+"; copies start in-turn: before the waiting tasks of their job; after-own: after these; after-all: after those of all jobs (not under hopper)", into(&o.hopper, parseHopper))
	fs.Func("wing", "parameters of Wing's policies, as in `SPEC` "+wingExample+"; queues=hard, shared or one: the queues of organisations (default hard for the lake, else one); inherit=none, queue or all: the waiting dependents whose priority a job inherits; window and hops (0: any) bound the dependents that count for a job", into(&o.wing, parseWing))
	fs.Func("3sigma", "parameters of 3Sigma's systems, as in `SPEC` "+threesigmaExample+"; each interval a cycle plans slots of a width (default the interval) ahead; a job that is in time with a probability below threshold keeps some utility for a tail after its deadline (0s: as long as from submission to deadline); a best-effort job has a value, a tenth of it after the horizon; late=run or giveup: jobs that cannot be in time; solver=search or greedy, with iterations per cycle (search only), for so many candidates; preempt=yes or no: kill best-effort jobs for jobs with deadlines", into(&o.threesigma, parseThreesigma))
	o.RegisterFeatures(fs, "the index finds its own in the jobs; other policies have 3Sigma's")
	fs.BoolVar(&o.killRequested, "kill-requested", false, "end a job, as TimedOut, when one of its tasks has run for the requested time; the time counts from the task's first running copy, and anew for a retry after a failure or a loss")
	fs.Func("trim", "run the first and last `share` of the jobs, by order of submission, but leave them out of the figures: the cluster fills and empties then (default 0)", cli.Between(&o.trim, 0, 0.49, "a number of 0 to 0.49"))
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of a table")
	fs.BoolVar(&o.wide, "wide", false, "print all columns, not only eight")
	fs.BoolVar(&o.times, "times", true, "say in JSON how long runs took; with -times=false equal runs print equal bytes")
	fs.StringVar(&o.jobsCSV, "jobs-csv", "", "write a row for each job and policy to `FILE`; name is the job's name in the log")
	fs.StringVar(&o.usageCSV, "usage-csv", "", "write the cores in use, and the waiting tasks and jobs, to `FILE`: a row for each policy and each change")
	fs.StringVar(&o.copiesCSV, "copies-csv", "", "write when each copy of a task held cores of a node to `FILE`, a row each")
	fs.StringVar(&o.gantt, "gantt", "", fmt.Sprintf("draw which job held which cores, up to %d, to `FILE`, as SVG; for several policies as with -record", maxChartCores))
	fs.StringVar(&o.report, "report", "", "write the comparison to `FILE`, as a page of HTML with sortable tables and the ratios of each seed, window or copy; if each policy runs once, also with distributions, use of the cluster, and which job ran where")
	fs.StringVar(&o.record, "record", "", "write every event and action to `FILE`, as JSON lines for sim.Replay; several policies have a file each, with the policy's name before the extension")
	fs.StringVar(&o.cpuprofile, "cpuprofile", "", "write a CPU profile to `FILE`")
	given, err := cli.Parse(fs, args, stdout, "Compare runs scheduling policies over one workload. Flags:")
	if err != nil {
		return nil, err
	}
	if o.advise != nil {
		for _, name := range []string{"seeds", "windows", "thin", "loads", "record", "jobs-csv", "usage-csv", "copies-csv", "gantt", "report", "cpuprofile", "faults", "delay", "trim", "kill-requested"} {
			if given[name] {
				return nil, cli.Usagef("-advise with -%s, want one of them: advice runs policies without it", name)
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
