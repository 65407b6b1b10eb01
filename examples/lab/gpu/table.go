package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"example.com/augur/policy/experiment"
)

// published is what the authors of FGD released of their runs: the GPUs that are allocated when as many are asked for as there are, in
// percent, in the mean over their ten seeds. Column 100 of experiments/analysis/expected_results/analysis_allo_discrete.csv of
// hkust-adsl/kubernetes-scheduler-simulator, workload openb_pod_list_default, policies 01-Random, 05-BestFit and 06-FGD.
var published = map[string]string{"random fit": "86.30", "best fit": "92.86", "least fragmentation": "95.23"}

// writeSettings writes a table for each trace and load.
func writeSettings(w io.Writer, all []*setting, windows int) {
	for _, s := range all {
		low, high := s.nodes[0], s.nodes[0]
		for _, n := range s.nodes {
			low, high = min(low, n), max(high, n)
		}
		fmt.Fprintf(w, "\n### %s, load %v\n\n", s.bed.name, s.load)
		fmt.Fprintf(w, "%d windows on %d to %d nodes; load of GPUs %.2f and of cores %.2f in the mean.%s%s\n\n", windows, low, high,
			experiment.MeanInterval(s.gpu).Mean, experiment.MeanInterval(s.cpu).Mean, s.stretched(), s.left())
		fmt.Fprintln(w, "| policy | figure | first fit | best fit less first fit | least fragmentation less first fit |\n|---|---|---|---|---|")
		for _, turn := range turns {
			for k, f := range figures {
				name := ""
				if k == 0 {
					name = turn
				}
				fmt.Fprintf(w, "| %s | %s | %.2f | %s | %s |\n", name, f.name, s.mean(&f, turn), s.difference(&f, turn, places[1]), s.difference(&f, turn, places[2]))
			}
		}
	}
}

// stretched says by how much the arrivals of the windows are stretched.
func (s *setting) stretched() string {
	if s.bed.nodes == 0 {
		return ""
	}
	return fmt.Sprintf(" Gaps between arrivals are multiplied by %.3f to %.3f.", slices.Min(s.factor), slices.Max(s.factor))
}

// left says how many jobs were too large for a node.
func (s *setting) left() string {
	failed := 0
	for _, o := range s.outcomes[turns[0]] {
		failed += o.failed
	}
	if failed == 0 {
		return ""
	}
	return fmt.Sprintf(" %d jobs take more cores than a node has, and are left out.", failed)
}

// list returns a figure of all windows.
func (s *setting) list(f *figure, line string) (x []float64) {
	for i := range s.outcomes[line] {
		x = append(x, f.scale*f.of(&s.outcomes[line][i]))
	}
	return x
}

func (s *setting) mean(f *figure, line string) float64 {
	return experiment.MeanInterval(s.list(f, line)).Mean
}

// difference returns by how much a figure with a placer is above that with first fit, window by window.
func (s *setting) difference(f *figure, turn, place string) string {
	return between(s.list(f, turn+place), s.list(f, turn))
}

// between returns the mean of x less y, pair by pair, with its interval.
func between(x, y []float64) string {
	var d []float64
	for i := range x {
		d = append(d, x[i]-y[i])
	}
	m := experiment.MeanInterval(d)
	return fmt.Sprintf("%+.2f [%+.2f %+.2f]", m.Mean, m.Low, m.High)
}

// writeFilled writes the table of the second experiment.
func writeFilled(w io.Writer, got [][]filled) {
	fmt.Fprintf(w, "\n### A cluster of %d GPUs is filled\n\n%d seeds. In percent of the GPUs; differences are seed by seed.\n\n", gpus(), len(got[0]))
	fmt.Fprintln(w, "| placer | allocated at 100 % | less that of best fit | not allocated, GPUs | allocated at 130 % | published, at 100 % |\n|---|---|---|---|---|---|")
	lists := func(k int) (at100, at130 []float64) {
		for _, f := range got[k] {
			at100, at130 = append(at100, 100*f.at100), append(at130, 100*f.at130)
		}
		return at100, at130
	}
	best, _ := lists(1)
	for k := range fillers {
		at100, at130 := lists(k)
		m := experiment.MeanInterval(at100)
		less := "-"
		if k != 1 {
			less = between(at100, best)
		}
		fmt.Fprintf(w, "| %s | %.2f [%.2f %.2f] | %s | %.0f | %.2f | %s |\n", fillers[k].name, m.Mean, m.Low, m.High, less,
			math.Round((100-m.Mean)/100*float64(gpus())), experiment.MeanInterval(at130).Mean, cmp.Or(published[fillers[k].name], "-"))
	}
}

// gpus counts those of the cluster.
func gpus() (n int) {
	for _, k := range nodeKinds {
		n += k.nodes * int(k.gpus)
	}
	return n
}
