// Compare runs scheduling policies over one workload, in one simulated cluster, and
// prints what became of the jobs.
//
//	go run ./examples/compare
//	go run ./examples/compare -trace GOOG_subtrace.tr.gz -policies fifo,srpt -load 0.95
//	go run ./examples/compare -workload e2e -policies easy,fair,srpt
//	go run ./examples/compare -policies sparrow,hawk,eagle,bigc -cutoff 180 -delay 0.5ms
//	go run ./examples/compare -workload facebook-barriers -nodes 20 -policies fair,srpt
//	go run ./examples/compare -workload mixed -policies fifo,fair,gs-slearn,gs-3sigma,hopper,wing-prio
//	go run ./examples/compare -workload e2e -policies 3sigma,point-perf,point-real,3s-prio
//	go run ./examples/compare -workload lake -nodes 100 -policies wing-prio,wing-agg,oracle-wing-agg
//
// In mixed everything occurs at once that the five systems know of, so that policies of all kinds can be compared, and
// those that learn have a history. Kairos, Sparrow, Hawk, Eagle and Big-C refuse gangs: mixed-bags has none.
//
// A workload that comes with a cluster keeps its nodes if -nodes says how many there are: the lake
// has 500 of 20 cores, so that -nodes 100 is 20 % of its capacity. Of the lake's jobs it is said what
// value they attain: the downloads of their output at or after their ends, in percent of all. With
// hard queues, as Wing has them by default, an organisation's jobs never get more than its share;
// fifo, priority and the like have one queue for all, so compare them with -wing queues=one.
// Wing's policies learn from the two weeks before; those that are called oracle know the whole week
// of the experiment too, also if -jobs takes only the first of its jobs.
//
// Of jobs with deadlines, as e2e and mixed have them and -deadlines gives them to any, it is said how many are missed
// and what the others are worth, by 3Sigma's metrics. Its systems, from 3sigma to 3sigma-noadapt, learn
// from a history that e2e and mixed come with; in a trace, from the jobs that have ended.
//
// Jobs of facebook and bing have stragglers, and read data that lie on some of the nodes; facebook-memory is for
// nodes whose memory runs out too. -stragglers, -locality and -memory give that to the jobs of any workload or
// trace. Only some policies start copies of stragglers, such as hopper and fair-grass.
//
// Policies with parts on the nodes show what they cost with -delay. Those that tell short jobs from long ones go by
// -cutoff, and then all are judged by both. Without it the cutoff is the 90th percentile of the jobs' mean task
// runtimes, and the output says which that is.
//
// With -faults it is said how often each of them has happened. Messages that are lost, late, early or there twice concern
// kairos and its kin alone: the others order and report, but do not post.
//
// Rows of a trace that cannot be read are left out and counted in the output, or, with
// -strict, end it. It exits with status 1 if a row does that or a run fails, and with 2 if
// a flag, a file or a value is wrong; either way with one line on stderr. If a policy fails,
// for instance because it refuses a job, the others run all the same. Their rows are printed,
// by -json too, and the line on stderr names the policy that has none. An interrupt prints the
// rows of the policies that have ended.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

func main() { cli.Main("compare", run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stdout)
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
	if err := checkLake(chosen, o); err != nil {
		return err
	}
	e := experiment{options: o, stderr: stderr}
	if e.faults, err = parseFaults(o.faults, o.seed); err != nil {
		return err
	}
	if e.in, err = load(ctx, o); err != nil {
		return err
	}
	if o.cutoff == 0 && slices.ContainsFunc(chosen, func(c contender) bool { return c.classes }) {
		if o.cutoff, err = cutoffOf(e.in.List); err != nil {
			return err
		}
		e.in.cutoff = o.cutoff
	}
	if e.out, err = openOutputs(o, chosen, judge(e.in.List)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.out.close()) }()
	if o.cpuprofile != "" {
		if err := pprof.StartCPUProfile(e.out.cpuprofile); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	e.report = newReport(e.in, o, chosen, e.faults)
	var failed error
	for _, c := range chosen {
		if err := e.run(ctx, c); failed == nil {
			failed = err
		} else if err != nil {
			failed = fmt.Errorf("%w; %w", failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if len(e.report.Policies) == 0 {
		return failed
	}
	return errors.Join(e.print(stdout), failed)
}

// print prints the report.
func (e *experiment) print(w io.Writer) error {
	if !e.json {
		return e.report.writeTable(w)
	}
	if !e.times {
		e.report.forgetTimes()
	}
	return cli.WriteJSON(w, e.report)
}

// An experiment is the same jobs on the same cluster, under each of some policies.
type experiment struct {
	*options
	faults sim.Faults
	in     *input
	out    *outputs
	report *report
	stderr io.Writer
}

// run runs the jobs under a policy, and adds what became of them to the report and to the files.
func (e *experiment) run(ctx context.Context, c contender) error {
	jobs, truth := workload.Split(e.in.List)
	p, err := c.of(e.setting(truth))
	if err != nil {
		return err
	}
	progress := newProgress(e.stderr, c.name, len(e.in.List))
	config := sim.Config{Nodes: e.in.cluster, Jobs: jobs, Truth: truth, Delay: e.delay, Faults: e.faults, Progress: progress.show}
	if f := e.out.records[c.name]; f != nil {
		config.Record = f
	}
	begin := time.Now()
	result, err := sim.Run(ctx, config, p)
	progress.clear()
	if err != nil {
		return fmt.Errorf("policy %s: %w%s", c.name, err, e.without(err))
	}
	e.report.add(c.name, result, time.Since(begin))
	return e.out.writeJobs(c.name, result)
}

// without names the workload that has no gangs, if a policy has refused one.
func (e *experiment) without(err error) string {
	if e.in.Name == "mixed" && strings.Contains(err.Error(), "is a gang") {
		return " (-workload mixed-bags has none)"
	}
	return ""
}

// setting returns what the policies are made for.
func (e *experiment) setting(truth policy.Truth) *setting {
	s := &setting{
		Setting: parts.Setting{
			Truth: truth, Seed: e.seed, Past: e.in.History, Inherit: e.wing.inherit, Hopper: e.hopper, Kairos: e.kairos, ThreeSigma: e.threesigma,
		},
		classes: e.report.classes, lake: e.in.lake, lab: e.in.lab,
	}
	if s.lake != nil {
		s.Ranker = s.ranker
		if e.wing.queues != "one" {
			s.Queues = s.lake.Queues(e.wing.queues != "shared")
		}
	}
	return s
}
