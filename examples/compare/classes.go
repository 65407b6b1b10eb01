package main

import (
	"errors"
	"slices"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// classes is how jobs are told apart: those are long whose tasks take the cutoff or more, on
// average.
type classes struct {
	cutoff policy.Duration // 0: there are no classes
	share  float64         // of the work, in long jobs
	open   float64         // share of the nodes that hawk and eagle open to long jobs
}

func parseCutoff(s string) (policy.Duration, error) {
	x, err := cli.Decimal(s)
	if err != nil || !(x*1e9 >= 1 && x < 1e9) {
		return 0, errors.New("want a number of seconds above 0, below 1e9")
	}
	return policy.Duration(x * 1e9), nil
}

// cutoffOf returns a cutoff where no flag gives one: the 90th percentile of the mean task runtimes of the jobs, so
// that about one job in ten is long. The authors of Hawk and Eagle have cutoffs of 1129.532 s for Google's trace and 90.5811 s
// for Yahoo's, which leave 91 % of the jobs of either short.
func cutoffOf(list []*workload.Job) (policy.Duration, error) {
	var means []float64
	for _, j := range list {
		means = append(means, cli.MeanTask(j))
	}
	slices.Sort(means)
	cutoff := policy.Duration(cli.Quantile(means, 0.9) * 1e9)
	if cutoff == 0 {
		return 0, cli.Usagef("the tasks of nine jobs in ten take no time, so they give no cutoff; want -cutoff, the least mean task runtime of a long job")
	}
	return cutoff, nil
}

// classify measures the share of the work that is in long jobs. It is that of the nodes that are open to them too, but at least
// a hundredth, unless open is above 0. The authors of Hawk and Eagle take the share of the whole trace: 83 % for Google's
// and 98 % for Yahoo's.
func classify(list []*workload.Job, cutoff policy.Duration, open float64) classes {
	c := classes{cutoff: cutoff}
	work, long := 0.0, 0.0
	for _, j := range list {
		work += j.Work()
		if cli.MeanTask(j) >= cutoff.Seconds() {
			long += j.Work()
		}
	}
	if work > 0 {
		c.share = long / work
	}
	if c.open = open; open == 0 {
		c.open = min(1, max(0.01, c.share))
	}
	return c
}
