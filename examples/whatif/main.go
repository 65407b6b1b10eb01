// Whatif answers what users of a cluster ask most: how long will this job wait? And it says how often
// it was right.
//
//	go run ./examples/whatif
//	go run ./examples/whatif -trace log.swf.gz -nodes 128 -load 0.8 -policy easy
//	go run ./examples/whatif -trace jobs.csv.gz -jobs 5000 -ask 500 -show 20
//
// A job waits for those that run and for those that the policy puts before it, and nobody knows how long
// these will run. But history tells of each a distribution (package predict). So Whatif draws a runtime for
// every job from its distribution, lets the policy schedule them all in the simulator until the job in question
// has ended, and notes when it started and ended; and does that again, 99 times. Of the 99 starts the 50th and
// the 90th are the answer: the P50, before which the job starts as likely as not, and the P90, which it
// should miss one time in ten. To add up the expected runtimes of those before it would give neither: what
// waits on many nodes waits for the first that ends, not for the mean one.
//
// # What is drawn
//
// Of a job that runs it is known for how long it has, and its runtime T is drawn given that it is more
// (threesigma.After), which makes jobs with long tails the longer the longer they have run:
//
//	P(T > t | T > elapsed) = P(T > t) / P(T > elapsed)
//
// One that has outrun all of its history is taken to end as 3Sigma has it, a little later and then twice as
// much (threesigma.Increments): a rule that was made for planning again in some seconds, and here says too soon. With
// -outrun all the runtimes of all jobs say it, among which there are longer ones. Each job draws by itself, and all tasks of a job get the same runtime, for
// history tells the mean of a job's tasks, not how they differ.
//
// # How a run begins in the middle
//
// The simulator begins with an empty cluster. So a policy of the past first starts what runs now at the
// instants at which it was started, on the same nodes; then host and policy restart, and the policy in question is
// told of the present as the contract has it: the jobs that wait and since when, the copies that run
// and what service they have had. Ask, in ask.go, does all that for a State, and a host that has one can
// call it as the Recorder does.
//
// # What it leaves out
//
//   - Jobs to come. Under FIFO they change nothing; under Fair, 3Sigma and, behind the first of the queue, EASY, they
//     make jobs wait longer than is said here.
//   - What the policy remembers beyond the present state: what it has learnt, when its last cycle was. Copies that
//     were killed are forgotten.
//   - Suspended copies, nodes that come and go, nodes of several speeds, runtimes that depend on the place, jobs that
//     read what others write, and policies with parts on the nodes. They are refused.
//   - That runtimes depend on each other. If a user has submitted ten jobs at once, all may take longer than
//     that user's jobs did before; drawn independently, they make up for each other, and the P90 comes too
//     early.
//
// # Calibration
//
// The program replays a workload twice. The first time it sees which jobs wait at all; of these, but for the
// first tenth of all jobs, from which the predictor learns, it draws some. The second time it stops at the end of the
// instant in which each was submitted, asks, and afterwards compares the answer with what came true. It
// prints in how many percent of the answers the true start and end came by their P50 and P90. If the distributions
// are true, that is 50 and 90 (the tests show it); what is missing on real logs is the predictor's share, and that of
// what is left out above. So it prints the same for the runtimes of the jobs asked about and, given how long they have
// run, of those that ran when the question was asked: the predictor's share alone. Jobs of which nothing is known, since none has ended yet, are not asked about.
//
// A workload without -nodes gets as many as make its -load 0.9. A job that requests no time, as EASY must know it,
// is taken to request twice its runtime. The exit status is 1 if a row of the trace ends it or a run fails, and
// 2 if a flag, a file or a value is wrong.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

func main() { cli.Main("whatif", run) }

// options are the flags.
type options struct {
	cli.JobFlags
	policy       contender
	wider        bool
	nodes, cores int
	load         float64
	stretch      bool // -nodes and -load are both given
	samples, ask int
	show         int
	seed         uint64
}

func run(ctx context.Context, args []string, stdout, _ io.Writer) error {
	o, err := parse(args, stdout)
	if err == flag.ErrHelp {
		return nil
	}
	if err != nil {
		return err
	}
	jobs, err := o.Read(o.seed)
	if err != nil {
		return err
	}
	e := &experiment{options: o, ctx: ctx, Jobs: jobs}
	if err := e.prepare(); err != nil {
		return err
	}
	waited, err := e.run(nil)
	if err != nil {
		return err
	}
	asked, err := e.run(e.choose(waited))
	if err != nil {
		return err
	}
	return e.print(stdout, asked)
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{load: 0.9, cores: 1, samples: 99, ask: 200, show: 5}
	o.policy = contenders[0]
	fs := flag.NewFlagSet("whatif", flag.ContinueOnError)
	o.Register(fs)
	fs.Func("policy", "the `policy` that is asked about: fifo, easy, fair or 3sigma (default fifo)", func(s string) (err error) {
		o.policy, err = findContender(s)
		return err
	})
	fs.Func("outrun", "when a job ends that has run longer than those like it, `how`: increments, as 3Sigma has it, a little later and then twice as much, or all, as those of all jobs do that run so long (default increments)", func(s string) error {
		if o.wider = s == "all"; !o.wider && s != "increments" {
			return errors.New("want increments or all")
		}
		return nil
	})
	cli.Number(fs, &o.nodes, "nodes", 1, 1<<24, "`number` of nodes (default: as many as the load needs)")
	cli.Number(fs, &o.cores, "cores", 1, 1<<20, "`cores` of each node (default 1)")
	fs.Func("load", "offered `load`, work over cores times time, to size the cluster for (default 0.9); if -nodes is given too, the arrivals are stretched to meet it", func(s string) error {
		_, err := fmt.Sscanf(s+"\n", "%g\n", &o.load)
		if err != nil || !(o.load > 0) || math.IsInf(o.load, 0) {
			return errors.New("want a finite number above 0")
		}
		return nil
	})
	cli.Number(fs, &o.samples, "samples", 1, 1<<20, "`number` of futures that are drawn for each answer (default 99)")
	cli.Number(fs, &o.ask, "ask", 1, 1<<28, "`number` of jobs to ask about, of those that wait (default 200)")
	cli.Number(fs, &o.show, "show", 0, 1<<28, "`number` of answers to print (default 5)")
	cli.Seed(fs, &o.seed, "`seed` of the generated jobs, of the choice of jobs and of the futures (default 1)")
	given, err := cli.Parse(fs, args, stdout, "Whatif tells how long jobs will wait, and how often that was right. Flags:")
	if err != nil {
		return nil, err
	}
	o.stretch = given["nodes"] && given["load"]
	if _, err = o.Check(given); err != nil {
		return nil, err
	}
	if o.Trace == "" && o.Jobs == 0 {
		o.Jobs = 2000
	}
	return o, nil
}

// An experiment is a replay of the jobs, with questions.
type experiment struct {
	*options
	cli.Jobs
	ctx       context.Context
	requested int // that said no requested time and got one
	cluster   []policy.Node
}

// requestFactor is how many times its runtime a job requests that does not say.
const requestFactor = 2

// prepare sizes the cluster and completes the jobs.
func (e *experiment) prepare() error {
	for _, j := range e.List {
		s := State{Now: math.MaxInt64, Jobs: []Job{{Job: &j.Job, Runtime: threesigma.Known(0)}}}
		if err := s.check(); err != nil {
			return cli.Usagef("%s is not for this program: %w", e.Name, err)
		}
	}
	nodes := e.nodes
	offered := workload.Measure(e.List)
	switch {
	case nodes == 0:
		cores := offered.Work / offered.Span() / e.load
		if math.IsNaN(cores) || math.IsInf(cores, 0) {
			cores = 1
		}
		n := math.Ceil(cores / float64(e.options.cores))
		for _, j := range e.List {
			for i := range j.Stages {
				stage := &j.Stages[i]
				each := max(1, e.cores/int(stage.Cores)) // tasks on a node
				n = max(n, math.Ceil(float64(stage.Tasks/stage.Units())/float64(each)))
			}
		}
		if n > 1<<24 {
			return cli.Usagef("%s needs %g nodes of %d cores for load %v, more than 2^24; choose -nodes", e.Name, n, e.cores, e.load)
		}
		nodes = max(1, int(n))
	case e.stretch:
		var err error
		if e.List, err = workload.ToLoad(e.List, float64(nodes*e.cores), e.load); err != nil {
			return cli.Usagef("%s cannot be brought to load %v on %d nodes: %w", e.Name, e.load, nodes, err)
		}
	}
	e.cluster = sim.Cluster(sim.Partition{Nodes: nodes, Cores: int32(e.cores)})
	source, err := workload.Request(workload.Of(e.List), requestFactor)
	if err != nil {
		return err
	}
	if e.List, err = workload.ReadAll(source); err != nil {
		return err
	}
	e.requested = source.Filled()
	return nil
}

// A told is an answer beside what came true.
type told struct {
	Asked
	start, end policy.Time
	runtime    policy.Duration   // mean of its tasks and gangs
	beside     []policy.Duration // those of Beside
}

type outcome struct {
	told    []told
	unknown int
	jobs    []sim.JobRecord
}

// run replays the jobs, and asks about some of them.
func (e *experiment) run(ask []policy.JobID) (*outcome, error) {
	history := func(features ...string) (threesigma.Estimator, error) {
		p, err := predict.New(predict.Config{Features: features})
		if err != nil {
			return nil, err
		}
		return threesigma.NewHistory(threesigma.HistoryConfig{Predictor: p})
	}
	// Each has its own, since 3Sigma's scheduler teaches the one that it is given.
	own, err := history()
	if err != nil {
		return nil, err
	}
	p, err := e.policy.of(own, e.seed)
	if err != nil {
		return nil, err
	}
	estimate, err := history()
	if err != nil {
		return nil, err
	}
	var wider threesigma.Estimator
	if e.wider {
		if wider, err = history(predict.All); err != nil {
			return nil, err
		}
	}
	recorder := NewRecorder(e.ctx, p, estimate, wider, Forecast{
		Policy: func(x threesigma.Estimator) (policy.Scheduler, error) {
			return e.policy.of(x, e.seed)
		},
		Samples: e.samples, Seed: e.seed,
	}, ask)
	jobs, truth := workload.Split(workload.Of(e.List))
	result, err := sim.Run(e.ctx, sim.Config{Nodes: e.cluster, Jobs: jobs, Truth: truth}, recorder)
	if err != nil {
		return nil, err
	}
	answers, unknown := recorder.Answers()
	out := &outcome{unknown: unknown, jobs: result.Jobs}
	truths := make(map[policy.JobID]*workload.Job, len(e.List))
	for _, j := range e.List {
		truths[j.ID] = j
	}
	for _, a := range answers {
		i, ok := slices.BinarySearchFunc(result.Jobs, a.Job, func(r sim.JobRecord, id policy.JobID) int {
			return cmp.Compare(r.ID, id)
		})
		if !ok || !result.Jobs[i].Done() {
			return nil, fmt.Errorf("job %d, which was asked about, is not done", a.Job)
		}
		x := told{Asked: a, start: result.Jobs[i].FirstStart, end: result.Jobs[i].Ended, runtime: meanUnit(truths[a.Job])}
		for _, b := range a.Beside {
			x.beside = append(x.beside, meanUnit(truths[b.Job]))
		}
		out.told = append(out.told, x)
	}
	return out, nil
}

// meanUnit returns how long the tasks and gangs of a job run in the mean; a gang runs as long as its longest task.
func meanUnit(j *workload.Job) policy.Duration {
	sum, n := 0.0, 0
	for i, stage := range j.Runtimes {
		if j.Stages[i].Gang {
			stage = []policy.Duration{slices.Max(stage)}
		}
		for _, d := range stage {
			sum += float64(d)
		}
		n += len(stage)
	}
	return policy.Duration(sum / float64(n))
}

// choose draws the jobs to ask about from those that waited, but for the first tenth of all jobs, from which the
// predictor learns.
func (e *experiment) choose(o *outcome) (ids []policy.JobID) {
	for _, j := range e.List[len(e.List)/10:] {
		i, ok := slices.BinarySearchFunc(o.jobs, j.ID, func(r sim.JobRecord, id policy.JobID) int {
			return cmp.Compare(r.ID, id)
		})
		if ok && o.jobs[i].Done() && o.jobs[i].FirstStart > o.jobs[i].Submitted {
			ids = append(ids, j.ID)
		}
	}
	rng := rand.New(rand.NewPCG(e.seed, 0))
	rng.Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
	return ids[:min(len(ids), e.ask)]
}

func (e *experiment) print(w io.Writer, o *outcome) error {
	fmt.Fprintf(w, "%s: %d jobs under %s on %d nodes of %d cores, seed %d\n", e.Name, len(e.List), e.policy.name, len(e.cluster), e.cores, e.seed)
	for _, note := range e.Notes() {
		fmt.Fprintln(w, note)
	}
	if e.requested > 0 && e.policy.name == "easy" {
		fmt.Fprintf(w, "%d jobs said no requested time and got %d times their runtime\n", e.requested, requestFactor)
	}
	if len(o.told) == 0 {
		_, err := fmt.Fprintln(w, "no job waited of which anything was known")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if e.show > 0 {
		fmt.Fprintln(w, "\nwait and completion since submission, in seconds")
		fmt.Fprintln(t, "job\trunning\twaiting\twait P50\tP90\ttrue\tend P50\tP90\ttrue\t")
	}
	for _, a := range o.told[:min(e.show, len(o.told))] {
		since := func(x policy.Time) float64 { return x.Sub(a.At).Seconds() }
		fmt.Fprintf(t, "%d\t%d\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t\n", a.Job, a.Running, a.Waiting,
			since(Quantile(a.Starts, 0.5)), since(Quantile(a.Starts, 0.9)), since(a.start),
			since(Quantile(a.Ends, 0.5)), since(Quantile(a.Ends, 0.9)), since(a.end))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d jobs that waited were asked about, in %d futures each", len(o.told), e.samples)
	if o.unknown > 0 {
		fmt.Fprintf(w, "; of %d others, or of a job beside them, nothing was known", o.unknown)
	}
	fmt.Fprintln(w, "\n  how often the truth came by the quantile, ± the standard error if the questions were independent;\n  in brackets how often before it, and not at the same instant")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tP50\tP90")
	fmt.Fprintf(t, "  start\t%v\t%v\n", cover(o.told, 0.5, starts), cover(o.told, 0.9, starts))
	fmt.Fprintf(t, "  end\t%v\t%v\n", cover(o.told, 0.5, ends), cover(o.told, 0.9, ends))
	fmt.Fprintf(t, "  runtime\t%v\t%v\n", coverRuntimes(o.told, 0.5, own), coverRuntimes(o.told, 0.9, own))
	if c := coverRuntimes(o.told, 0.5, beside); c.of > 0 {
		fmt.Fprintf(t, "  of running jobs\t%v\t%v\n", c, coverRuntimes(o.told, 0.9, beside))
	}
	return t.Flush()
}

func starts(t *told) ([]policy.Time, policy.Time) { return t.Starts, t.start }
func ends(t *told) ([]policy.Time, policy.Time)   { return t.Ends, t.end }

// A coverage is how often the truth came by a quantile, and how often before it.
type coverage struct{ by, before, of int }

// cover counts how often the truth came by the p-quantile of an answer.
func cover(list []told, p float64, of func(*told) ([]policy.Time, policy.Time)) (c coverage) {
	for i := range list {
		futures, truth := of(&list[i])
		q := Quantile(futures, p)
		if truth <= q {
			c.by++
		}
		if truth < q {
			c.before++
		}
		c.of++
	}
	return c
}

// own is the runtime of the job itself, and beside those of the jobs that ran.
func own(t *told, each func(threesigma.Distribution, policy.Duration)) { each(t.Runtime, t.runtime) }

func beside(t *told, each func(threesigma.Distribution, policy.Duration)) {
	for i, b := range t.Beside {
		each(b.Runtime, t.beside[i])
	}
}

// coverRuntimes counts how often a runtime came by the quantile that its distribution has.
func coverRuntimes(list []told, p float64, of func(*told, func(threesigma.Distribution, policy.Duration))) (c coverage) {
	for i := range list {
		of(&list[i], func(d threesigma.Distribution, truth policy.Duration) {
			q := d.Quantile(p)
			if truth.Seconds() <= q {
				c.by++
			}
			if truth.Seconds() < q {
				c.before++
			}
			c.of++
		})
	}
	return c
}

// String returns the shares in percent.
func (c coverage) String() string {
	n := float64(c.of)
	by := float64(c.by) / n
	return fmt.Sprintf("%.1f %% ± %.1f (%.1f %%)", 100*by, 100*math.Sqrt(by*(1-by)/n), 100*float64(c.before)/n)
}
