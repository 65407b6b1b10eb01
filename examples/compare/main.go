// Compare runs scheduling policies over one workload, in one simulated cluster, and
// prints what became of the jobs.
//
//	go run ./examples/compare
//	go run ./examples/compare -trace GOOG_subtrace.tr.gz -policies fifo,srpt -load 0.95
//	go run ./examples/compare -workload e2e -policies easy,fair,srpt
//	go run ./examples/compare -seeds 1-10 -loads 0.5,0.7,0.9 -policies srpt,index,fair
//	go run ./examples/compare -trace NASA-iPSC-1993-3.1-cln.swf.gz -nodes 32 -load 0.9 -windows 10 -policies clairvoyant,index-easy,easy
//	go run ./examples/compare -policies sparrow,hawk,eagle,bigc -cutoff 180 -delay 0.5ms
//	go run ./examples/compare -workload facebook-barriers -nodes 20 -policies fair,srpt
//	go run ./examples/compare -workload mixed -policies fifo,fair,gs-slearn,gs-3sigma,hopper,wing-prio
//	go run ./examples/compare -workload e2e -policies 3sigma,point-perf,point-real,3s-prio
//	go run ./examples/compare -workload lake -nodes 100 -policies wing-prio,wing-agg,oracle-wing-agg
//
// The workload mixed has everything that the five systems use, and a history to learn from, so it compares policies of all
// kinds. Kairos, Sparrow, Hawk, Eagle and Big-C refuse gangs; mixed-bags has none.
//
// A workload that comes with a cluster keeps the cores of its nodes if only -nodes is given: the lake has 500 nodes of
// 20 cores, so -nodes 100 is 20 % of its capacity. A log in the Standard Workload Format runs on the cluster of its header,
// if it has one, unless -nodes, -cores or -load is given. The value that the lake's jobs attain is the downloads of
// their output at or after their ends, in percent of all downloads. With hard queues, Wing's default, an organisation
// never gets more than its share; fifo, priority and the like have one queue for all, so compare them with
// -wing queues=one. Wing's policies learn from the two weeks before. The policies called oracle also know the whole
// week of the experiment, even if -jobs takes only its first jobs.
//
// The jobs of e2e and mixed have deadlines, and -deadlines gives them to any. The output says how many deadlines are
// missed and what the others are worth, by 3Sigma's metrics. Its systems, from 3sigma to 3sigma-noadapt, learn from
// the history of e2e and mixed; in a trace, from the jobs that have ended.
//
// The jobs of facebook and bing have stragglers, and read data that lies on some of the nodes; in facebook-memory the
// nodes run out of memory too. -stragglers, -locality and -memory do the same to any workload or trace. Only some
// policies start copies of stragglers, such as hopper and fair-grass.
//
// -offers gives nodes GPUs or other named resources, and -columns reads what jobs need of them. The output then says how much of
// each is in use. Without -offers, jobs that need any are refused. Placers say which node a task gets:
//
//	go run ./examples/compare -trace philly.csv.gz -columns philly_needs -cores 8 -offers gpu=8 -policies fifo,fifo:best-fit
//	go run ./examples/compare -trace openb_pod_list_default.csv.gz -columns alibaba_gpu_needs -cores 96 -offers gpu=8 -policies fifo-easy,fifo-easy:least-fragmentation
//
// -delay shows what the network costs policies with parts on the nodes. -cutoff divides short jobs from long ones, for
// policies that treat them differently and in the output of all. Its default is the 90th percentile of the jobs' mean task
// runtimes, which the output names. Hawk and Eagle open -long-share of the nodes to long jobs, by default the share of
// work in long jobs.
//
// All runs go side by side on all cores. With -seeds or -loads the comparison runs for each seed at each load. The output has the
// means over the seeds, and ratios to the first policy, seed by seed, as geometric means with 95 % intervals. It has eight columns
// and a verdict; -wide has all columns, and -json the figures of every run. The jobs of a trace are the same for each seed: -windows cuts them into windows, and -thin makes copies
// without a tenth of them, which then take the place of the seeds.
//
// clairvoyant is the best of three policies that know all runtimes in each run: with gangs no single one is always best.
//
// -trim leaves the first and last jobs out of the figures, while the cluster fills and empties. -kill-requested makes
// requested times limits, as most real systems do. -usage-csv and -copies-csv write what happens in a run over time, and
// -gantt draws it if the cluster is small:
//
//	go run ./examples/compare -jobs 60 -nodes 3 -policies fifo,srpt -gantt chart.svg
//
// -report writes the comparison as a page of HTML:
//
//	go run ./examples/compare -trace mine.swf -nodes 32 -loads 0.7,0.9 -windows 10 -policies easy,index-easy -report out.html
//
// -advise describes the jobs and advises which policies suit them, by how much, and what to set. It runs a few policies on
// windows of the first half of the jobs (package examples/choose):
//
//	go run ./examples/compare -trace mine.swf -advise
//
// With -faults the output counts each fault. Only kairos, kairos-random and kairos-sum post messages, so only they
// suffer from messages that are lost, late, early or doubled.
//
// Rows of a trace that cannot be read are left out and counted in the output; with -strict the first one ends the
// program. The exit status is 1 if that happens or a run fails, and 2 if a flag, a file or a value is wrong, with one line
// on stderr. If a policy fails, for instance because it refuses a job, the others still run and their rows are printed, also
// by -json; stderr names the policy. After an interrupt the rows of the policies that have ended are printed. With -seeds,
// -windows, -thin or -loads a policy has a row at a load if none of its runs there failed; -json has every run that is
// done, and stderr names each run that failed and the command that repeats the first one.
package main

import (
	"context"
	"io"

	"example.com/augur/examples/internal/cli"
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
	if o.advise != nil {
		return runAdvise(ctx, o, stdout)
	}
	return runComparison(ctx, o, stdout, stderr)
}
