package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/internal/parallel"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A bed is a trace and the nodes that it runs on.
type bed struct {
	name, file, columns string
	cores               int // of a node, which has 8 GPUs
	nodes               int // of each window, whose arrivals are stretched to the load; 0: as many as make the load
}

var (
	// Philly's machines have 8 GPUs or 2, and cores in proportion.
	philly = bed{"Philly", "philly/philly_to_2017-10-31.csv.gz", "philly_needs", 8, 0}
	// The most common node of Alibaba's cluster has 96 cores and 8 GPUs: 549 of 1,213. As they come, the tasks would keep one to
	// three such nodes busy.
	alibaba = bed{"Alibaba", alibabaFile, "alibaba_gpu_needs", 96, 20}
)

const alibabaFile = "alibaba_gpu/openb_pod_list_default.csv.gz"

var (
	loads  = []float64{0.9, 1.1}
	turns  = []string{"fifo", "drf", "fifo-easy", "index", "index-easy"}
	places = []string{"", ":best-fit", ":least-fragmentation"} // "": the first node with room
)

// A figure is one of those that a run is judged by.
type figure struct {
	name  string
	scale float64
	of    func(*outcome) float64
}

var figures = []figure{
	{"GPUs in use, %", 100, func(o *outcome) float64 { return o.inUse }},
	{"mean wait, h", 1. / 3600, func(o *outcome) float64 { return o.mean }},
	{"P90 wait, h", 1. / 3600, func(o *outcome) float64 { return o.p90 }},
}

// An outcome is what came of a window under a policy.
type outcome struct {
	inUse     float64 // share of the GPUs from the first submission of the window to the last
	mean, p90 float64 // of the waits, s
	failed    int
}

// A setting is the windows of a trace at a load.
type setting struct {
	bed      *bed
	load     float64
	nodes    []int                // of each window
	gpu, cpu []float64            // load of each: see offered
	factor   []float64            // by which the arrivals of each are stretched
	outcomes map[string][]outcome // by policy, then by window
}

// writeWindows runs the windows of the traces, and writes what came out.
func (o *options) writeWindows(ctx context.Context, w, stderr io.Writer) error {
	var all []*setting
	for _, b := range []*bed{&philly, &alibaba} {
		js, ok, err := o.read(ctx, b, stderr)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if js.List, _, err = js.Requested(); err != nil {
			return err
		}
		for _, load := range loads {
			begun := time.Now()
			s, err := measure(ctx, b, js.List, load, o.windows)
			if err != nil {
				return err
			}
			fmt.Fprintf(stderr, "%s at load %v took %v\n", b.name, load, time.Since(begun).Round(time.Second))
			all = append(all, s)
		}
	}
	writeSettings(w, all, o.windows)
	return nil
}

// A window is the jobs of a part of a trace, and those of the part before it, which warm the cluster up.
type window struct {
	list  []*workload.Job
	warm  int // how many of the list only warm up
	nodes []policy.Node
}

// from returns the first submission of the window.
func (w *window) from() policy.Time { return w.list[w.warm].Submitted }

// measure cuts the trace into parts of as many jobs each, one more than windows, and runs each but the first after the one before
// it, under all policies. It makes the load of each, see [window.offered], by the nodes or by the arrivals.
func measure(ctx context.Context, b *bed, jobs []*workload.Job, load float64, windows int) (*setting, error) {
	s := &setting{bed: b, load: load, outcomes: make(map[string][]outcome)}
	var lines []string
	for _, turn := range turns {
		for _, place := range places {
			lines = append(lines, turn+place)
			s.outcomes[turn+place] = make([]outcome, windows)
		}
	}
	list := make([]window, windows)
	for i := range list {
		w := &list[i]
		cut := func(k int) int { return len(jobs) * k / (windows + 1) }
		w.list, w.warm = jobs[cut(i):cut(i+2)], cut(i+1)-cut(i)
		factor, err := w.fit(b, load)
		if err != nil {
			return nil, fmt.Errorf("%s, window %d: %w", b.name, i+1, err)
		}
		gpus, cores := w.offered(b)
		n := len(w.nodes)
		s.nodes, s.factor = append(s.nodes, n), append(s.factor, factor)
		s.gpu, s.cpu = append(s.gpu, gpus/float64(8*n)), append(s.cpu, cores/float64(b.cores*n))
	}
	return s, parallel.Each(windows*len(lines), 0, func(k int) (err error) {
		i, line := k/len(lines), lines[k%len(lines)]
		if s.outcomes[line][i], err = list[i].run(ctx, line); err != nil {
			return fmt.Errorf("%s, window %d, %s: %w", b.name, i+1, line, err)
		}
		return nil
	})
}

// fit gives the window its nodes: as many as bring the scarcer of GPUs and cores to a load, rounded up, or those of the bed. In the
// latter case it multiplies the gaps between arrivals by a factor, found by bisection, that makes the load.
func (w *window) fit(b *bed, load float64) (factor float64, err error) {
	busy := func() float64 { // nodes
		gpus, cores := w.offered(b)
		return max(gpus/8, cores/float64(b.cores))
	}
	nodes, factor := b.nodes, 1.0
	if nodes == 0 {
		nodes = int(math.Ceil(busy() / load))
	} else {
		unchanged, low, high := w.list, 1e-6, 1e6
		for range 60 {
			factor = math.Sqrt(low * high)
			if w.list, err = workload.Stretch(unchanged, factor); err != nil {
				return 0, err
			}
			if busy() > load*float64(nodes) {
				low = factor
			} else {
				high = factor
			}
		}
	}
	w.nodes = sim.Cluster(sim.Partition{Nodes: nodes, Cores: int32(b.cores), Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}}})
	return factor, nil
}

// offered returns how many GPUs and cores the jobs would use if none waited, in the mean from the first submission of the window to
// the last. That is the load that they offer, in GPUs and in cores. Tasks too wide for a node are left out.
func (w *window) offered(b *bed) (gpus, cores float64) {
	from, to := w.from(), w.list[len(w.list)-1].Submitted
	for _, j := range w.list {
		for k := range j.Stages {
			s := &j.Stages[k]
			if int(s.Cores) > b.cores {
				continue
			}
			for _, runtime := range j.Runtimes[k] {
				overlap := max(0, min(to, j.Submitted.Add(runtime)).Sub(max(from, j.Submitted)).Seconds())
				cores += overlap * float64(s.Cores)
				for _, need := range s.Needs {
					gpus += overlap * float64(need.Amount) / 1000
				}
			}
		}
	}
	span := to.Sub(from).Seconds()
	return gpus / span, cores / span
}

// run runs all jobs under a policy. The figures are those of the window.
func (w *window) run(ctx context.Context, text string) (o outcome, err error) {
	line, err := catalog.Parse(text)
	if err != nil {
		return o, err
	}
	jobs, truth := workload.Split(w.list)
	p, err := line.New(catalog.Setting{Truth: truth, Seed: 1})
	if err != nil {
		return o, err
	}
	use := cli.NewInUse(w.list, w.from())
	monitor := sim.Monitor{Span: use.Add}
	result, err := sim.Run(ctx, sim.Config{Nodes: w.nodes, Jobs: jobs, Truth: truth, Watch: monitor.Event}, p)
	if err != nil {
		return o, err
	}
	warm := make(map[policy.JobID]bool)
	for _, j := range w.list[:w.warm] {
		warm[j.ID] = true
	}
	result.Jobs = slices.DeleteFunc(result.Jobs, func(j sim.JobRecord) bool { return warm[j.ID] })
	m := result.Metrics()
	return outcome{use.Shares(w.nodes)["gpu"], m.MeanWait, m.P90Wait, m.Failed}, nil
}
