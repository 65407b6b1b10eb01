package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/parts"
	"example.com/augur/internal/parallel"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A bed is a trace and the nodes that it runs on.
type bed struct {
	name, file, columns string
	cores               int // of a node, which has 8 GPUs
}

var (
	// Philly's machines have 8 GPUs or 2, and cores in proportion.
	philly = bed{"Philly", "philly/philly_to_2017-10-31.csv.gz", "philly_needs", 8}
	// The most common node of Alibaba's cluster has 96 cores and 8 GPUs: 549 of 1,213.
	alibaba = bed{"Alibaba", alibabaFile, "alibaba_gpu_needs", 96}
)

const alibabaFile = "alibaba_gpu/openb_pod_list_default.csv.gz"

var (
	loads  = []float64{0.7, 0.9}
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
	inUse     float64 // share of the GPUs from the first submission to the last
	mean, p90 float64 // of the waits, s
	failed    int
}

// A setting is the windows of a trace at a load.
type setting struct {
	bed      *bed
	load     float64
	nodes    []int                // of each window
	gpu, cpu []float64            // load of each
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
		if _, err := js.Request(); err != nil {
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

// measure runs so many windows of as many jobs each, one after the other, under all policies. Each window has as many nodes as
// make its load.
func measure(ctx context.Context, b *bed, jobs []*workload.Job, load float64, windows int) (*setting, error) {
	s := &setting{bed: b, load: load, nodes: make([]int, windows), gpu: make([]float64, windows), cpu: make([]float64, windows), outcomes: make(map[string][]outcome)}
	var lines []string
	for _, turn := range turns {
		for _, place := range places {
			lines = append(lines, turn+place)
			s.outcomes[turn+place] = make([]outcome, windows)
		}
	}
	clusters, lists := make([][]policy.Node, windows), make([][]*workload.Job, windows)
	for i := range windows {
		js := cli.Jobs{Name: b.name, List: jobs[len(jobs)*i/windows : len(jobs)*(i+1)/windows]}
		f := cli.ClusterFlags{Cores: b.cores, Load: load, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 8}}}
		var err error
		if clusters[i], err = f.Fit(&js); err != nil {
			return nil, err
		}
		lists[i] = js.List
		s.nodes[i], s.gpu[i] = len(clusters[i]), cli.Loads(js.List, clusters[i])["gpu"]
		s.cpu[i] = workload.Measure(js.List).Load(float64(len(clusters[i]) * b.cores))
	}
	return s, parallel.Each(windows*len(lines), func(k int) (err error) {
		i, line := k/len(lines), lines[k%len(lines)]
		if s.outcomes[line][i], err = runLine(ctx, clusters[i], lists[i], line); err != nil {
			return fmt.Errorf("%s, window %d, %s: %w", b.name, i+1, line, err)
		}
		return nil
	})
}

// runLine runs jobs under a policy.
func runLine(ctx context.Context, nodes []policy.Node, list []*workload.Job, text string) (o outcome, err error) {
	line, err := parts.Parse(text)
	if err != nil {
		return o, err
	}
	jobs, truth := workload.Split(list)
	p, err := line.New(&parts.Setting{Truth: truth, Seed: 1})
	if err != nil {
		return o, err
	}
	use := cli.NewInUse(list)
	monitor := sim.Monitor{Span: use.Add}
	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth, Watch: monitor.Event}, p)
	if err != nil {
		return o, err
	}
	m := result.Metrics()
	return outcome{use.Shares(nodes)["gpu"], m.MeanWait, m.P90Wait, m.Failed}, nil
}
