package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"text/tabwriter"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/examples/internal/parts"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/queue"
)

// contender is a policy that can be chosen.
type contender struct {
	name, about string
	make        func(truth policy.Truth, seed uint64) (policy.Scheduler, error)
	requests    bool // it goes by the requested times
	classes     bool // it needs a cutoff between short jobs and long ones
	lake        bool // it needs the jobs of a data lake
	// learn makes, in place of make, one that may know more; it runs only if it is named.
	learn func(setting) (policy.Scheduler, error)
}

// of makes the policy.
func (c *contender) of(s setting) (policy.Scheduler, error) {
	if c.learn != nil {
		return c.learn(s)
	}
	return c.make(s.truth, s.seed)
}

var contenders = []contender{
	{name: "fifo", about: "first come, first served", make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewFIFO(), nil
	}},
	{name: "fair", about: "each free core to the job that has the fewest", make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewFair(), nil
	}},
	{name: "srpt", about: "least remaining work first; knows the true runtimes", make: func(truth policy.Truth, _ uint64) (policy.Scheduler, error) {
		return baseline.NewSRPT(truth)
	}},
	{name: "las", about: "least attained service first, in ten levels", make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewLAS(queue.MultilevelConfig{})
	}},
	{name: "drf", about: "dominant resource fairness of users, or of jobs without one", make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewDRF(baseline.DRFConfig{})
	}},
	{name: "easy", about: "FIFO with EASY backfilling, by requested times", requests: true, make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewEASY(), nil
	}},
	{name: "conservative", about: "FIFO with conservative backfilling, by requested times", requests: true, make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewConservative(), nil
	}},
	{name: "multifactor", about: "by age, size and fair share of users, with EASY backfilling", requests: true, make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewMultifactor(baseline.MultifactorConfig{})
	}},
	{name: "priority", about: "greatest priority first", make: func(policy.Truth, uint64) (policy.Scheduler, error) {
		return baseline.NewPriority(), nil
	}},
	{name: "random", about: "each free core to a job drawn at random", make: func(_ policy.Truth, seed uint64) (policy.Scheduler, error) {
		return baseline.NewRandom(rand.NewPCG(seed, 0x72616e646f6d))
	}},
	{name: "gs-oracle", about: "SLearn's generic scheduler, by true runtimes", learn: underLine(parts.Line{Turn: "gs", Forecast: "truth"})},
	{name: "gs-slearn", about: "the same, by those of sampled tasks: SLearn", learn: underLine(parts.Line{Turn: "gs", Forecast: "pilots"})},
	{name: "gs-3sigma", about: "the same, by history: 3Sigma", learn: underGS(history(slearn.HistoryConfig{}))},
	{name: "gs-3sigmatl", about: "the same, but thin jobs go first", learn: underGS(history(slearn.HistoryConfig{ThinLimit: 3}))},
	{name: "gs-pointest", about: "by the median of history", learn: underGS(history(slearn.HistoryConfig{Point: slearn.Median}))},
	{name: "gs-hybrid", about: "by history, corrected by sampled tasks", learn: underLine(parts.Line{Turn: "gs", Forecast: "hybrid"})},
	{name: "gs-chooser", about: "by history or sampled tasks, whichever has erred less on like jobs", learn: underLine(parts.Line{Turn: "gs", Forecast: "chooser"})},
	{name: "gs-slearn-dag", about: "by sampled tasks of the first stage, and history for the others: SLearn-DAG", learn: underGS((*parts.Setting).DAG)},
	{name: "gs-3sigma-dag", about: "by history of each stage: 3Sigma-DAG", learn: underGS(history(slearn.HistoryConfig{Stages: true}))},
	{name: "gs-las", about: "by attained service", learn: underLine(parts.Line{Turn: "gs", Forecast: "nothing"})},
	{name: "kairos", about: "least attained service on every node; see -kairos", learn: underKairos(kairos.LeastVariance)},
	{name: "kairos-random", about: "the same, between nodes of as many tasks at random", learn: underKairos(kairos.AtRandom)},
	{name: "kairos-sum", about: "the same, between these to the least sum of attained service", learn: underKairos(kairos.LeastSum)},
	{name: "sparrow", about: "probes to random nodes, late binding", learn: sparrow},
	{name: "hawk", about: "short jobs probe and steal, long ones go where they wait least; by -cutoff", learn: hawk, classes: true},
	{name: "eagle", about: "no short job behind a long one, and shortest remaining time first; by -cutoff", learn: eagle, classes: true},
	{name: "hopper", about: "hopper+grass:locality: slots by virtual sizes, with room for copies of slow tasks; copies by GRASS; see -hopper", learn: underHopper},
	{name: "srpt-late", about: "fewest+late:locality: fewest tasks left first; copies by LATE, best effort", learn: speculating(fewest, late, 0)},
	{name: "srpt-mantri", about: "the same; copies by Mantri", learn: speculating(fewest, mantri, 0)},
	{name: "srpt-grass", about: "the same; copies by GRASS; not the line srpt+grass, which knows the true runtimes", learn: speculating(fewest, grass, 0)},
	{name: "srpt-budgeted", about: "the same; a tenth of the cores is reserved for them", learn: speculating(fewest, grass, 0.1)},
	{name: "fair-grass", about: "each free core to the job that has the fewest; copies by GRASS", learn: speculating(fair, grass, 0)},
	{name: "drf-grass", about: "dominant resource fairness of jobs; copies by GRASS", learn: speculating(ofJobs, grass, 0)},
	{name: "bigc", about: "short jobs preempt long ones: Big-C; by -cutoff", learn: bigC, classes: true},
	{name: "3sigma", about: "greatest expected utility, by distributions of runtimes from history; see -3sigma and -deadlines", learn: underThreesigma(threesigma.ThreeSigma)},
	{name: "point-perf", about: "the same, by true runtimes", learn: underThreesigma(threesigma.PointPerfEst)},
	{name: "point-real", about: "the same, by point estimates from history", learn: underThreesigma(threesigma.PointRealEst)},
	{name: "3s-prio", about: "the same, but nothing is known of runtimes: deadlines first", learn: underThreesigma(threesigma.Prio)},
	{name: "3sigma-nodist", about: "3sigma by point estimates", learn: underThreesigma(threesigma.NoDist)},
	{name: "3sigma-nooe", about: "3sigma without handling of over-estimates", learn: underThreesigma(threesigma.NoOE)},
	{name: "3sigma-noadapt", about: "3sigma that takes all jobs for over-estimated", learn: underThreesigma(threesigma.NoAdapt)},
	{name: "wing-prio", about: "greatest priority first, in queues of organisations; see -wing", learn: byUsers},
	{name: "wing-raise", about: "the same, but raised to that of what is expected to read the output", learn: byHistory((*lakelab.Lab).Raise), lake: true},
	{name: "wing-agg", about: "value by compute time, of a job with all that depends on it: Wing-Agg", learn: byHistory((*lakelab.Lab).Agg), lake: true},
	{name: "wing-direct", about: "the same, of the job alone: Wing-Direct", learn: byHistory((*lakelab.Lab).Direct), lake: true},
	{name: "wing-mil", about: "what is left of it when the job would end, with all that depends on it: Wing-MIL", learn: byValuation(true), lake: true},
	{name: "mil", about: "the same, of the job alone: Millennium", learn: byValuation(false), lake: true},
	{name: "oracle-wing-agg", about: "wing-agg that knows the week to come", learn: byTruth(true), lake: true},
	{name: "oracle-wing-direct", about: "wing-direct that knows it", learn: byTruth(false), lake: true},
	{name: "oracle-wing-mil", about: "wing-mil that knows it", learn: byFate(true), lake: true},
	{name: "oracle-mil", about: "mil that knows it", learn: byFate(false), lake: true},
}

// baselines returns the contenders that are run unless others are named.
func baselines() (list []contender) {
	for _, c := range contenders {
		if c.learn == nil {
			list = append(list, c)
		}
	}
	return list
}

// choose returns the policies of a list of names.
func choose(list string) ([]contender, error) {
	if list == "all" {
		return baselines(), nil
	}
	var chosen []contender
	seen := make(map[string]bool)
	var names []string
	for _, c := range contenders {
		names = append(names, c.name)
	}
next:
	for name := range strings.SplitSeq(list, ",") {
		for _, c := range contenders {
			if c.name == name {
				if seen[name] {
					return nil, cli.Usagef("policy %q is named twice", name)
				}
				seen[name] = true
				chosen = append(chosen, c)
				continue next
			}
		}
		line, err := parts.Parse(name)
		switch {
		case seen[name]:
			return nil, cli.Usagef("policy %q is named twice", name)
		case err != nil && line.Known():
			return nil, cli.Usagef("policy %w", err)
		case err != nil:
			return nil, cli.Usagef("unknown policy %q, want some of %s, a line of parts %s, or all alone; see -list", name, strings.Join(names, ","), parts.Grammar)
		}
		seen[name] = true
		chosen = append(chosen, contender{name: name, learn: underLine(line), lake: line.Lake(), requests: line.Requests()})
	}
	return chosen, nil
}

func printList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "policies")
	for _, c := range contenders {
		about := c.about
		if c.lake {
			about += "; needs -workload lake"
		}
		if c.learn != nil {
			about += " (not among all)"
		}
		fmt.Fprintf(t, "  %s\t%s\n", c.name, about)
	}
	parts.List(t)
	if err := t.Flush(); err != nil {
		return err
	}
	return cli.WriteList(w)
}
