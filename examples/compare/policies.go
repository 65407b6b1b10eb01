package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/examples/internal/parts"
	"example.com/augur/examples/lab/probing"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

// setting is what a policy is made for.
type setting struct {
	parts.Setting
	classes classes
	lake    *lakelab.Lake                // that the jobs are of; nil: none
	lab     func() (*lakelab.Lab, error) // what its history tells; nil if lake is
}

// contender is a policy that can be chosen.
type contender struct {
	name, about string
	of          func(*setting) (policy.Scheduler, error) // makes it
	all         bool                                     // it is run unless others are named
	requests    bool                                     // it goes by the requested times
	classes     bool                                     // it needs a cutoff between short jobs and long ones
	divides     bool                                     // ... and opens a part of the nodes to long ones
	lake        bool                                     // it needs the jobs of a data lake
}

var contenders = []contender{
	{name: "fifo", about: "first come, first served", of: line("fifo"), all: true},
	{name: "fair", about: "each free core to the job that has the fewest cores", of: line("fair"), all: true},
	{name: "srpt", about: "least remaining work first; knows the true runtimes", of: line("srpt"), all: true},
	{name: "las", about: "least attained service first, in ten levels, of which the first ends at 1000 core-seconds", of: line("las"), all: true},
	{name: "drf", about: "dominant resource fairness of users, or of jobs without one", of: line("drf"), all: true},
	{name: "easy", about: "FIFO with EASY backfilling, by requested times", of: line("fifo-easy"), all: true, requests: true},
	{name: "conservative", about: "FIFO with conservative backfilling, by requested times", of: line("fifo-conservative"), all: true, requests: true},
	{name: "sjbf", about: "easy, but what is shortest overtakes first", of: line("fifo-sjbf"), requests: true},
	{name: "easy++", about: "the same by the user's last two runtimes: fifo-sjbf/last-two", of: line("fifo-sjbf/last-two"), requests: true},
	{name: "multifactor", about: "by age, size and fair share of users, with EASY backfilling", of: line("multifactor-easy"), all: true, requests: true},
	{name: "priority", about: "greatest priority first", of: line("priority"), all: true},
	{name: "random", about: "each free core to a job drawn at random", of: line("random"), all: true},
	{name: "shortest", about: "shortest predicted first, by history: the line sjf", of: line("sjf"), all: true},
	{name: "index", about: "least Gittins rank first, by history and a job's own tasks; index/none is without history", of: line("index"), all: true},
	{name: "gs-oracle", about: "SLearn's generic scheduler, by true runtimes", of: line("gs/truth")},
	{name: "gs-slearn", about: "the same, by those of sampled tasks: SLearn", of: line("gs/pilots")},
	{name: "gs-3sigma", about: "the same, by history: 3Sigma", of: gsByHistory(slearn.HistoryConfig{})},
	{name: "gs-3sigmatl", about: "the same, but thin jobs go first", of: gsByHistory(slearn.HistoryConfig{ThinLimit: 3})},
	{name: "gs-pointest", about: "by the median of history", of: gsByHistory(slearn.HistoryConfig{Point: slearn.Median})},
	{name: "gs-hybrid", about: "by history, corrected by sampled tasks", of: line("gs/hybrid")},
	{name: "gs-chooser", about: "by history or sampled tasks, whichever has erred less on like jobs", of: line("gs/chooser")},
	{name: "gs-slearn-dag", about: "by sampled tasks of the first stage, and history for the others: SLearn-DAG", of: gs((*parts.Setting).DAG)},
	{name: "gs-3sigma-dag", about: "by history of each stage: 3Sigma-DAG", of: gsByHistory(slearn.HistoryConfig{Stages: true})},
	{name: "gs-las", about: "by attained service", of: line("gs/nothing")},
	{name: "kairos", about: "least attained service on every node; see -kairos", of: underKairos(kairos.LeastVariance)},
	{name: "kairos-random", about: "the same, between nodes of as many tasks at random", of: underKairos(kairos.AtRandom)},
	{name: "kairos-sum", about: "the same, between these to the least sum of attained service", of: underKairos(kairos.LeastSum)},
	{name: "kairos-adaptive", about: "a fair centre, and nodes on which a new task may suspend an older one; nothing to set", of: adaptive},
	{name: "sparrow", about: "probes to random nodes, late binding", of: sparrow},
	{name: "hawk", about: "short jobs probe and steal, long ones go where they wait least; by -cutoff", of: hawk, classes: true, divides: true},
	{name: "eagle", about: "no short job behind a long one, and shortest remaining time first; by -cutoff", of: eagle, classes: true, divides: true},
	{name: "hopper", about: "hopper+grass:locality: slots by virtual sizes, with room for copies of slow tasks; copies by GRASS; see -hopper", of: hopperGRASS},
	{name: "srpt-late", about: "fewest+late:locality: fewest tasks left first; copies by LATE, best effort", of: line("fewest+late:locality")},
	{name: "srpt-mantri", about: "the same; copies by Mantri", of: line("fewest+mantri:locality")},
	{name: "srpt-grass", about: "the same; copies by GRASS; not the line srpt+grass, which knows the true runtimes", of: line("fewest+grass:locality")},
	{name: "srpt-budgeted", about: "the same; a tenth of the cores is reserved for them", of: line("fewest+grass.reserved:locality")},
	{name: "fair-grass", about: "each free core to the job that has the fewest cores; copies by GRASS, and :locality", of: line("fair+grass:locality")},
	{name: "drf-grass", about: "dominant resource fairness of jobs; copies by GRASS", of: drfGRASS},
	{name: "bigc", about: "short jobs preempt long ones: Big-C; by -cutoff", of: bigC, classes: true},
	{name: "3sigma", about: "greatest expected utility, by distributions of runtimes from history; see -3sigma and -deadlines", of: underThreesigma(threesigma.ThreeSigma)},
	{name: "point-perf", about: "the same, by true runtimes", of: underThreesigma(threesigma.PointPerfEst)},
	{name: "point-real", about: "the same, by point estimates from history", of: underThreesigma(threesigma.PointRealEst)},
	{name: "3s-prio", about: "the same, but nothing is known of runtimes: deadlines first", of: underThreesigma(threesigma.Prio)},
	{name: "3sigma-nodist", about: "3sigma by point estimates", of: underThreesigma(threesigma.NoDist)},
	{name: "3sigma-nooe", about: "3sigma without handling of over-estimates", of: underThreesigma(threesigma.NoOE)},
	{name: "3sigma-noadapt", about: "3sigma that takes all jobs for over-estimated", of: underThreesigma(threesigma.NoAdapt)},
	{name: "wing-prio", about: "greatest priority first, in queues of organisations; see -wing", of: line("wing-prio")},
	{name: "wing-raise", about: "the same, but raised to that of what is expected to read the output", of: underWing("wing-raise"), lake: true},
	{name: "wing-agg", about: "value by compute time, of a job with all that depends on it: Wing-Agg", of: line("wing-agg"), lake: true},
	{name: "wing-direct", about: "the same, of the job alone: Wing-Direct", of: line("wing-direct"), lake: true},
	{name: "wing-mil", about: "what is left of it when the job would end, with all that depends on it: Wing-MIL", of: line("wing-mil"), lake: true},
	{name: "mil", about: "the same, of the job alone: Millennium", of: underWing("mil"), lake: true},
	{name: "index-mil", about: "the index, divided by that value where wing-mil divides it by predicted work", of: line("index-mil"), lake: true},
	{name: "oracle-wing-agg", about: "wing-agg that knows the week to come", of: underWing("oracle-wing-agg"), lake: true},
	{name: "oracle-wing-direct", about: "wing-direct that knows it", of: underWing("oracle-wing-direct"), lake: true},
	{name: "oracle-wing-mil", about: "wing-mil that knows it", of: underWing("oracle-wing-mil"), lake: true},
	{name: "oracle-mil", about: "mil that knows it", of: underWing("oracle-mil"), lake: true},
}

// policiesOf returns the policies of a list of names and of lines of parts.
func policiesOf(list string) (chosen []contender, err error) {
	if list == "all" {
		return slices.DeleteFunc(slices.Clone(contenders), func(c contender) bool { return !c.all }), nil
	}
	seen := make(map[string]bool)
	for name := range strings.SplitSeq(list, ",") {
		c, err := find(name)
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, cli.Usagef("policy %q is named twice", name)
		}
		seen[name] = true
		chosen = append(chosen, c)
	}
	return chosen, nil
}

// find returns the policy of a name or of a line of parts.
func find(name string) (contender, error) {
	var names []string
	for _, c := range contenders {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	l, err := parts.Parse(name)
	switch {
	case err != nil && l.Known():
		return contender{}, cli.Usagef("policy %w", err)
	case err != nil:
		if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) }); i >= 0 {
			return contender{}, cli.Usagef("unknown policy %q, want %s", name, names[i])
		}
		if base, _, line := strings.Cut(name, "/"); line && slices.Contains(names, base) {
			return contender{}, cli.Usagef("unknown policy %q: %s is the name of a whole policy, and a line of parts is %s; see -list", name, base, parts.Grammar)
		}
		return contender{}, cli.Usagef("unknown policy %q, want a name that -list shows, a line of parts %s, or all alone", name, parts.Grammar)
	}
	return contender{name: name, of: line(name), lake: l.Lake(), requests: l.Requests()}, nil
}

func printList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "policies")
	for _, c := range contenders {
		about := c.about
		if c.lake {
			about += "; needs -workload lake"
		}
		if !c.all {
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

// checkLake returns an error if a policy needs the jobs of the lake, submitted when the lake had them, and the flags
// choose others.
func checkLake(chosen []contender, o *options) error {
	g := o.Generator()
	lake := g != nil && g.Lake != nil
	if !lake && o.wing.queues != "" && o.wing.queues != "one" {
		return cli.Usagef("-wing queues=%s without -workload lake, want one: no queue has a share", o.wing.queues)
	}
	for _, c := range chosen {
		switch {
		case !c.lake:
		case !lake:
			return cli.Usagef("policy %s without -workload lake, want both: it goes by what jobs have read and written", c.name)
		case o.Stretch:
			return cli.Usagef("policy %s with -nodes and -load, want one of these: when output is downloaded means nothing if the arrivals are stretched", c.name)
		}
	}
	return nil
}

// line makes a line of parts.
func line(text string) func(*setting) (policy.Scheduler, error) {
	return func(s *setting) (policy.Scheduler, error) {
		l, err := parts.Parse(text)
		if err != nil {
			return nil, err
		}
		return l.New(&s.Setting)
	}
}

// gs makes SLearn's generic scheduler over an estimator, with the paper's parameters.
func gs(estimator func(*parts.Setting) (slearn.Estimator, error)) func(*setting) (policy.Scheduler, error) {
	return func(s *setting) (policy.Scheduler, error) {
		e, err := estimator(&s.Setting)
		if err != nil {
			return nil, err
		}
		return slearn.NewGS(slearn.GSConfig{Forecast: slearn.NewForecast(e)})
	}
}

func gsByHistory(c slearn.HistoryConfig) func(*setting) (policy.Scheduler, error) {
	return gs(func(s *parts.Setting) (slearn.Estimator, error) { return s.ByHistory(c) })
}

// underKairos makes Kairos, with a way to break ties between nodes.
func underKairos(tie kairos.Tie) func(*setting) (policy.Scheduler, error) {
	return func(s *setting) (policy.Scheduler, error) {
		c := s.Kairos
		c.Central.Tie, c.Central.Src = tie, rand.NewPCG(s.Seed, 0x6b6169726f73)
		return kairos.NewScheduler(c)
	}
}

func adaptive(*setting) (policy.Scheduler, error) { return kairos.NewAdaptive(kairos.AdaptiveConfig{}) }

// probes describes the policies of package probing that tell short jobs from long ones.
func (s *setting) probes() probing.Config {
	return probing.Config{
		Src:      rand.NewPCG(s.Seed, 0x70726f626573),
		Estimate: probing.MeanRuntime(s.Truth), Cutoff: s.classes.cutoff, LongShare: s.classes.open,
	}
}

func sparrow(s *setting) (policy.Scheduler, error) {
	return probing.NewSparrow(probing.Config{Src: s.probes().Src})
}

func hawk(s *setting) (policy.Scheduler, error) { return probing.NewHawk(s.probes()) }

func eagle(s *setting) (policy.Scheduler, error) { return probing.NewEagle(s.probes()) }

func bigC(s *setting) (policy.Scheduler, error) {
	return probing.NewBigC(probing.BigCConfig{Estimate: probing.MeanRuntime(s.Truth), Cutoff: s.classes.cutoff})
}

// hopperGRASS makes Hopper's scheduler.
func hopperGRASS(s *setting) (policy.Scheduler, error) {
	p := s.Setting
	p.Hopper = ofHopper(p.Hopper)
	return parts.Line{Turn: "hopper", Copy: "grass", Place: "locality"}.New(&p)
}

// drfGRASS makes dominant resource fairness of jobs with copies by GRASS. No attribute has the name that it takes for
// the user's, so each job counts as a user of its own.
func drfGRASS(s *setting) (policy.Scheduler, error) {
	c := central.Config{Place: new(hopper.Locality), CopyWhen: s.Hopper.CopyWhen}
	var err error
	for _, turn := range []*central.Turn{&c.Turn, &c.CopyTurn} {
		if *turn, err = baseline.DRF(baseline.DRFConfig{User: "\x00"}); err != nil {
			return nil, err
		}
	}
	copies := s.Hopper.SpeculationConfig
	if copies.Rule, err = hopper.NewGRASS(hopper.GRASSConfig{}); err != nil {
		return nil, err
	}
	if c.Copy, err = hopper.NewSpeculation(copies); err != nil {
		return nil, err
	}
	return central.New(c)
}

// underThreesigma makes one of the systems of 3Sigma's Table 1 and section 6.2. A system that goes by history first
// learns from the past, if there is one, as if it had been there when those jobs ended.
func underThreesigma(system threesigma.System) func(*setting) (policy.Scheduler, error) {
	return func(s *setting) (policy.Scheduler, error) {
		p, err := parts.Predictor()
		if err != nil {
			return nil, err
		}
		c, err := system.Configure(s.ThreeSigma, p, s.Truth)
		if err != nil {
			return nil, err
		}
		if h, ok := c.Forecast.(*forecast.History); ok {
			if err := s.Learn(func(j *workload.Job) error {
				h.Learn(&j.Job, j.MeanUnit(), j.Submitted.Add(j.Ideal()))
				return nil
			}); err != nil {
				return nil, err
			}
		}
		c.Seed = s.Seed
		return threesigma.NewScheduler(c)
	}
}

// underWing makes Wing's scheduler with one of its rankers.
func underWing(name string) func(*setting) (policy.Scheduler, error) {
	return func(s *setting) (policy.Scheduler, error) {
		r, err := s.ranker(name)
		if err != nil {
			return nil, err
		}
		return wing.NewScheduler(wing.Config{Ranker: r, Inherit: s.Inherit, Queues: s.Queues})
	}
}

// ranker makes a ranker of jobs, by what an oracle knows or by the history of the lake.
func (s *setting) ranker(name string) (wing.Ranker, error) {
	switch name {
	case "oracle-wing-agg":
		return s.lake.Oracle(true, nil)
	case "oracle-wing-direct":
		return s.lake.Oracle(false, nil)
	case "oracle-wing-mil":
		return s.lake.OracleMIL(true)
	case "oracle-mil":
		return s.lake.OracleMIL(false)
	}
	lab, err := s.lab()
	if err != nil {
		return nil, err
	}
	switch name {
	case "wing-raise":
		return lab.Raise()
	case "wing-agg":
		return lab.Agg()
	case "wing-direct":
		return lab.Direct()
	case "index-mil":
		return lab.Worth(pipeline.ValuationConfig{Dependents: true})
	}
	return lab.MIL(pipeline.ValuationConfig{Dependents: name == "wing-mil"})
}
