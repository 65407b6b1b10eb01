package augur_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/pool"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
	"example.com/augur/predict"
)

// The guides in docs show the functions below as they are.

// The index with copies of slow tasks, on a tenth of the cores.
func Example_choose() {
	copies, err1 := hopper.NewSpeculation(hopper.SpeculationConfig{}) // by GRASS, as long as they pay
	scheduler, err2 := gittins.NewScheduler(gittins.Options{Copies: copies})
	if err := errors.Join(err1, err2); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%T\n", scheduler)
	// Output:
	// *central.Scheduler
}

// The whole policy of each package, with its defaults.
func Example_policies() {
	index, err1 := gittins.NewScheduler(gittins.Options{})
	pilots, err2 := slearn.NewScheduler(slearn.Config{})
	plans, err3 := threesigma.NewScheduler(threesigma.Config{})
	copies, err4 := hopper.NewScheduler(hopper.Config{})
	queues, err5 := kairos.NewScheduler(kairos.Config{})
	priority, err6 := wing.NewScheduler(wing.Config{})
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		log.Fatal(err)
	}
	for _, p := range []struct {
		name string
		policy.Scheduler
	}{{"the index", index}, {"SLearn", pilots}, {"3Sigma", plans}, {"Hopper", copies}, {"Kairos", queues}, {"by priority", priority}} {
		source, err := workload.HeavyTail{Seed: 1, Jobs: 40}.Source()
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.SplitSource(source)
		cluster := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 4}), Jobs: jobs, Truth: truth}
		result, err := sim.Run(context.Background(), cluster, p.Scheduler)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d jobs done\n", p.name, result.Metrics().Done)
	}
	// Output:
	// the index: 40 jobs done
	// SLearn: 40 jobs done
	// 3Sigma: 40 jobs done
	// Hopper: 40 jobs done
	// Kairos: 40 jobs done
	// by priority: 40 jobs done
}

// Wing's order with GRASS' copies on Kairos' nodes.
func Example_parts() {
	worth := wing.Fixed(func(j *policy.Job) float64 { return j.Priority }) // or a lookup in a log, wing.NewLookup
	order, err1 := wing.NewTurn(wing.Config{Ranker: worth})
	copies, err2 := hopper.NewSpeculation(hopper.SpeculationConfig{})
	if err := errors.Join(err1, err2); err != nil {
		log.Fatal(err)
	}
	scheduler, err := central.NewDistributed(central.Config{Turn: order, Copy: copies, Node: kairos.NewAdaptiveNodes()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%T\n", scheduler)
	// Output:
	// *central.Distributed
}

// What a predictor has learned survives a restart.
func Example_predictor() {
	dir, err := os.MkdirTemp("", "augur")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "runtimes")

	for range 2 { // the second time after a restart
		history, err := predict.Open(file, predict.Config{Features: []string{"kind+customer", "kind"}})
		if err != nil {
			log.Fatal(err)
		}
		seconds, ok := history.Estimate(predict.Attrs{"kind": "report", "customer": "initech"}, time.Now())
		fmt.Printf("%.0f s, known: %v\n", seconds, ok)
		for seconds := 10.0; seconds <= 100; seconds += 10 {
			if err := history.Observe(predict.Attrs{"kind": "report", "customer": "acme"}, seconds, time.Now()); err != nil {
				log.Fatal(err)
			}
		}
		if err := history.Save(); err != nil { // now and then, and at the end
			log.Fatal(err)
		}
	}
	// Output:
	// 0 s, known: false
	// 93 s, known: true
}

// An interval that holds as often as it says.
func Example_interval() {
	history, err := predict.New(predict.Config{Features: []string{"kind", predict.All}})
	if err != nil {
		log.Fatal(err)
	}
	luck := rand.New(rand.NewPCG(1, 1))
	held := 0
	for n := range 1000 {
		job, actual := predict.Attrs{"kind": "report"}, 60*math.Exp(luck.NormFloat64()) // stands for a task
		if n%2 == 0 {
			job, actual = predict.Attrs{"kind": "mail"}, 1+luck.Float64()
		}
		low, high, ok := history.Interval(job, 0.9, time.Now()) // what to tell the user
		if n >= 500 && ok && low <= actual && actual <= high {
			held++
		}
		if err := history.Observe(job, actual, time.Now()); err != nil { // once it has finished
			log.Fatal(err)
		}
	}
	fmt.Printf("of the last 500 intervals %.0f %% held\n", float64(held)/5)
	for _, kind := range []string{"report", "mail", "video"} {
		low, high, ok := history.Interval(predict.Attrs{"kind": kind}, 0.9, time.Now())
		fmt.Printf("%s: %.3g to %.3g s, %v\n", kind, low, high, ok)
	}
	// Output:
	// of the last 500 intervals 91 % held
	// report: 5.66 to 278 s, true
	// mail: 1.04 to 1.9 s, true
	// video: 1.1 to 206 s, true
}

// A pool that saves, tells intervals and bounds waits.
func Example_pool() {
	dir, err := os.MkdirTemp("", "augur")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, ctx := filepath.Join(dir, "runtimes"), context.Background()
	send := func(context.Context) (int, error) { return 7, nil } // stands for work

	p, err := pool.Open(file, pool.Config{Workers: 8, Features: []string{"kind+customer", "kind"}, MaxWait: time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	task, err := pool.Go(ctx, p, predict.Attrs{"kind": "invoice", "customer": "acme"}, send)
	if err != nil {
		log.Fatal(err)
	}
	_, _, known := task.Interval(0.9)
	number, err := task.Value()
	fmt.Println(number, err, known, p.Close(ctx)) // Close waits for all tasks, and saves
	// Output:
	// 7 <nil> false <nil>
}

// Two users share four GPUs of a node, three to one.
func Example_gpus() {
	offers := []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 4}} // thousandths, of each device
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 16, Offers: offers})
	var list []*workload.Job
	for id := policy.JobID(1); id <= 60; id++ {
		user := "ads"
		if id > 30 {
			user = "research"
		}
		list = append(list, &workload.Job{
			Job: policy.Job{
				ID: id, Attrs: []policy.Attr{{Name: "user", Value: user}}, // all submitted at 0 s
				Stages: []policy.Stage{{Tasks: 1, Cores: 2, Needs: []policy.Need{{Name: "gpu", Amount: 1000}}}},
			},
			Runtimes: [][]policy.Duration{{time.Minute}}, // of each task of each stage; the policy does not see them
		})
	}
	shares, err := baseline.DRF(baseline.DRFConfig{Weights: map[string]float64{"research": 3}}) // and 1 for the others
	if err != nil {
		log.Fatal(err)
	}
	fair, err := central.New(central.Config{Turn: shares, Place: baseline.LeastFragmentation()})
	if err != nil {
		log.Fatal(err)
	}
	for _, scheduler := range []policy.Scheduler{baseline.NewFIFO(), fair} {
		jobs, truth := workload.Split(list)
		result, err := sim.Run(context.Background(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, scheduler)
		if err != nil {
			log.Fatal(err)
		}
		waits := make(map[string]float64)
		for _, r := range result.Jobs {
			user, _ := list[r.ID-1].Attr("user")
			waits[user] += r.FirstStart.Sub(r.Submitted).Minutes() / 30
		}
		fmt.Printf("mean wait: ads %.1f min, research %.1f min\n", waits["ads"], waits["research"])
	}
	// Output:
	// mean wait: ads 3.3 min, research 10.7 min
	// mean wait: ads 9.5 min, research 4.5 min
}

func narrowFirst(a, b *policy.Job) int { return cmp.Compare(a.Tasks(), b.Tasks()) }

// A policy of one's own by a forecast.
func foretold(*experiment.Cell, policy.Truth) (policy.Scheduler, error) {
	predictor, err1 := predict.New(predict.Config{Features: []string{"user+program", "user", "*"}})
	history, err2 := forecast.NewHistory(forecast.HistoryConfig{Predictor: predictor})
	shortest := func(j *central.Job, _ policy.Time) float64 {
		if runtime, ok := history.Runtime(j, 0); ok { // of a task of the first stage
			return -runtime.Mean()
		}
		return math.Inf(-1) // nothing is known yet
	}
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return central.New(central.Config{Turn: central.Scored(shortest), Forecast: history, Fill: baseline.EASY()})
}

// It learns from the jobs that end, and soon does better than the order of arrival.
func Example_foretold() {
	result, err := experiment.Run(context.Background(), experiment.Config{
		Jobs: experiment.Trace("examples/samples/jobs.swf", ""), Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 16}),
		Policies: append(experiment.Named("fifo"), experiment.Policy{Name: "foretold", New: foretold}),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Verdict()[0])
	// Output:
	// foretold: 0.78 of fifo's mean completion time; but its P99 is 1.29 of fifo's.
}

// A policy of one's own: an order, and what it is combined with.
func Example_order() {
	narrow := experiment.Policy{Name: "narrow", New: func(*experiment.Cell, policy.Truth) (policy.Scheduler, error) {
		return central.New(central.Config{Turn: baseline.Ordered(narrowFirst), Fill: baseline.EASY()})
	}}
	result, err := experiment.Run(context.Background(), experiment.Config{
		Jobs: experiment.Trace("examples/samples/jobs.swf", ""), Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 16}),
		Policies: append(experiment.Named("fifo", "easy"), narrow),
	})
	if err != nil {
		log.Fatal(err)
	}
	result.WriteTable(os.Stdout)
	// Output:
	// jobs.swf: 50 jobs, 222 tasks, on 1 node with 16 cores; load 0.99 over 2h2m26s
	//
	//   policy  mean JCT     P99  mean wait  slowdown  mean JCT    P99  faster  slower
	//                  s       s          s   bounded     ratio  ratio       %       %
	//     fifo     736.2  1950.0      350.2      2.34     1.000  1.000     0.0     0.0
	//     easy     643.8  1680.0      257.7      1.77     0.874  0.862    48.0     8.0
	//   narrow     555.7  2049.0      169.7      1.40     0.755  1.051    58.0    26.0
	//
	// Lower is better, except for values and shares of faster jobs; ratios are to fifo.
	// narrow: 0.75 of fifo's mean completion time; but its P99 is 1.05 of fifo's.
}

func TestNarrowFirst(t *testing.T) {
	policytest.Test(t, policytest.Config{Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
		return central.New(central.Config{Turn: policytest.Order(baseline.Ordered(narrowFirst)), Fill: baseline.EASY()})
	}})
}

// A table of one's own, brought to a load.
func Example_trace() {
	reader, err := trace.Open("examples/samples/jobs.csv", trace.ReaderConfig{
		Columns: "submit=queued_at:s,runtime=took:ms,tasks=n,user=owner,program=program",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Close()
	jobs, err := workload.ReadAll(reader.Jobs()) // in the order of submission
	if err != nil {
		log.Fatal(err)
	}
	const cores = 16
	busy, err := workload.ToLoad(jobs, cores, 0.9)
	if err != nil {
		log.Fatal(err)
	}
	user, _ := jobs[0].Attr("user")
	fmt.Printf("%d jobs, the first by %s; load %.2f, and now %.2f\n",
		len(jobs), user, workload.Measure(jobs).Load(cores), workload.Measure(busy).Load(cores))
	// Output:
	// 50 jobs, the first by u2; load 0.99, and now 0.90
}

const lines = `2026-03-02T10:00:00Z;ann;train;4;812s,790s
2026-03-02T10:01:00Z;bob;report;1;30s
2026-03-02T10:02:00Z;ann;train;4;700s,845s
2026-03-02T10:09:00Z;bob;report;1;45s
`

// A log in a format of one's own, and a policy of one's own.
func Example_format() {
	var jobs []*workload.Job
	for line := range strings.Lines(lines) {
		part := strings.Split(strings.TrimSpace(line), ";")
		at, err1 := time.Parse(time.RFC3339, part[0])
		cores, err2 := strconv.ParseInt(part[3], 10, 32)
		var took []time.Duration // of each task
		for text := range strings.SplitSeq(part[4], ",") {
			d, err := time.ParseDuration(text)
			if err != nil {
				log.Fatal(err)
			}
			took = append(took, d)
		}
		if err := errors.Join(err1, err2); err != nil {
			log.Fatal(err)
		}
		job := workload.NewJob(at, int32(cores), took, "user", part[1], "program", part[2])
		job.Requested = time.Hour // leave it out if nobody requested a time
		jobs = append(jobs, job)
	}
	narrow := experiment.Scored("narrow", func(j *central.Job, _ policy.Time) float64 { return -float64(j.Job.Tasks()) })
	result, err := experiment.Run(context.Background(), experiment.Config{
		Jobs: experiment.List("mine", jobs), Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 4}),
		Policies: append(experiment.Named("easy"), narrow), Loads: []float64{0.9},
	})
	if err != nil {
		log.Fatal(err)
	}
	result.WriteTable(os.Stdout)
	// Output:
	// mine: 4 jobs, 6 tasks, on 1 node with 4 cores; load 0.90 over 58m38s
	//
	//   policy  mean JCT     P99  mean wait  slowdown  mean JCT    P99  faster  slower
	//                  s       s          s   bounded     ratio  ratio       %       %
	//     easy    1320.9  2395.3      515.4     11.79     1.000  1.000     0.0     0.0
	//   narrow    1130.9  2395.3      317.9      5.22     0.856  1.000    25.0    25.0
	//
	// Lower is better, except for values and shares of faster jobs; ratios are to easy.
	// narrow: 0.86 of easy's mean completion time.
}

// A host: it reports events, and carries out the actions that the policy returns.
func Example_contract() {
	scheduler := baseline.NewFair() // or any other central policy
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 4}}}
	events := []policy.Event{
		{Kind: policy.Joined, Node: 7, Info: &policy.Node{ID: 7, Partition: 1, Cores: 8, Speed: 1}},
		{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: job, More: true},
		{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 1}}},
	}
	for _, event := range events {
		actions, err := scheduler.Step(&event, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(actions), "actions after", event.Kind)
	}
	// Output:
	// 0 actions after Joined
	// 0 actions after Submitted
	// 2 actions after Ready
}
