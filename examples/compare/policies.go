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
	"example.com/augur/examples/lab/probing"
	"example.com/augur/examples/lab/sigma"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

// setting is what a policy is made for.
type setting struct {
	catalog.Setting
	classes classes
	lake    *lakelab.Lake                // that the jobs are of; nil: none
	lab     func() (*lakelab.Lab, error) // what its history tells; nil if lake is
}

// contender is a policy that can be chosen.
type contender struct {
	catalog.Policy
	of      func(*setting) (policy.Scheduler, error) // makes it, if it is not one of package catalog
	classes bool                                     // it needs a cutoff between short jobs and long ones
	divides bool                                     // ... and opens a part of the nodes to long ones
	best    []string                                 // in each run it is the one of these with the least mean completion time
}

// all are the policies that run by default.
var all = []string{"fifo", "fair", "srpt", "las", "drf", "easy", "conservative", "multifactor", "priority", "random", "shortest", "index"}

// lab are the policies that only programs compare.
var lab = []contender{
	{Policy: catalog.Policy{Name: "sparrow", About: "probes to random nodes, late binding"}, of: sparrow},
	{Policy: catalog.Policy{Name: "hawk", About: "short jobs probe and steal, long jobs go to the shortest wait; by -cutoff"}, of: hawk, classes: true, divides: true},
	{Policy: catalog.Policy{Name: "eagle", About: "no short job waits behind a long one, and shortest remaining time first; by -cutoff"}, of: eagle, classes: true, divides: true},
	{Policy: catalog.Policy{Name: "bigc", About: "short jobs preempt long ones: Big-C; by -cutoff"}, of: bigC, classes: true},
	{Policy: catalog.Policy{Name: "3sigma", About: "greatest expected utility, by distributions of runtimes from history; see -3sigma and -deadlines"}, of: underThreesigma(sigma.ThreeSigma)},
	{Policy: catalog.Policy{Name: "point-perf", About: "the same, by true runtimes"}, of: underThreesigma(sigma.PointPerfEst)},
	{Policy: catalog.Policy{Name: "point-real", About: "the same, by point estimates from history"}, of: underThreesigma(sigma.PointRealEst)},
	{Policy: catalog.Policy{Name: "3s-prio", About: "the same without runtimes: jobs with deadlines first"}, of: underThreesigma(sigma.Prio)},
	{Policy: catalog.Policy{Name: "3sigma-nodist", About: "3sigma by point estimates"}, of: underThreesigma(sigma.NoDist)},
	{Policy: catalog.Policy{Name: "3sigma-nooe", About: "3sigma without handling of over-estimates"}, of: underThreesigma(sigma.NoOE)},
	{Policy: catalog.Policy{Name: "3sigma-noadapt", About: "3sigma that treats all jobs as over-estimated"}, of: underThreesigma(sigma.NoAdapt)},
	{Policy: catalog.Policy{Name: "oracle-wing-agg", About: "wing-agg that knows the week to come", Lake: true}, of: underOracle("oracle-wing-agg")},
	{Policy: catalog.Policy{Name: "oracle-wing-direct", About: "wing-direct that knows the week to come", Lake: true}, of: underOracle("oracle-wing-direct")},
	{Policy: catalog.Policy{Name: "oracle-wing-mil", About: "wing-mil that knows the week to come", Lake: true}, of: underOracle("oracle-wing-mil")},
	{Policy: catalog.Policy{Name: "oracle-mil", About: "mil that knows the week to come", Lake: true}, of: underOracle("oracle-mil")},
}

// clairvoyant bounds what policies without runtimes may reach. With gangs, no single policy that knows the runtimes is always best.
var clairvoyant = contender{
	Policy: catalog.Policy{Name: "clairvoyant", About: "the best mean in each run of three that know all runtimes: srpt-easy/truth, srpt-sjbf/truth and index-easy/truth"},
	best:   []string{"srpt-easy/truth", "srpt-sjbf/truth", "index-easy/truth"},
}

// contenders returns the policies that have a name.
func contenders() (list []contender) {
	for _, p := range catalog.Named() {
		list = append(list, contender{Policy: p})
	}
	return append(list, lab...)
}

// scheduler makes the policy.
func (c *contender) scheduler(s *setting) (policy.Scheduler, error) {
	if c.of != nil {
		return c.of(s)
	}
	return c.New(s.Setting)
}

// policy returns the policy for package experiment.
func (c contender) policy(o *options) experiment.Policy {
	p := experiment.Policy{Name: c.Name}
	for _, name := range c.best {
		if of, err := find(name); err == nil { // it is one of ours
			p.Best = append(p.Best, of.policy(o))
		}
	}
	if p.Best != nil {
		return p
	}
	if c.Requests {
		p.Request = cli.RequestFactor
	}
	p.New = func(cell *experiment.Cell, truth policy.Truth) (policy.Scheduler, error) {
		return c.scheduler(cell.Data.(*input).setting(o, cell.Seed, truth))
	}
	return p
}

// policiesOf returns the policies of a list of names and of specs of parts.
func policiesOf(list string) (chosen []contender, err error) {
	if list == "all" {
		list = strings.Join(all, ",")
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

// find returns the policy of a name or of a spec of parts.
func find(name string) (contender, error) {
	if name == clairvoyant.Name {
		return clairvoyant, nil
	}
	if i := slices.IndexFunc(lab, func(c contender) bool { return c.Name == name }); i >= 0 {
		return lab[i], nil
	}
	p, err := catalog.Find(name)
	if err != nil {
		return contender{}, cli.Usagef("%s; see -list", strings.TrimPrefix(err.Error(), "catalog: "))
	}
	return contender{Policy: p}, nil
}

func printList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	catalog.List(t)
	fmt.Fprintln(t, "more policies, for comparison")
	for _, c := range append(slices.Clone(lab), clairvoyant) {
		fmt.Fprintf(t, "  %s\t%s\n", c.Name, c.About)
	}
	fmt.Fprintf(t, "  all\tthe default of -policies: %s\n", strings.Join(all, ", "))
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
		case !c.Lake:
		case !lake:
			return cli.Usagef("policy %s without -workload lake, want both: it needs to know what jobs have read and written", c.Name)
		case o.Stretch:
			return cli.Usagef("policy %s with -nodes and -load, want one of these: stretched arrivals no longer fit the times of downloads", c.Name)
		}
	}
	return nil
}

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

// underThreesigma makes one of the systems of 3Sigma's Table 1 and section 6.2. A system that goes by history first
// learns from the past, if there is one, as if it had been there when those jobs ended.
func underThreesigma(system sigma.System) func(*setting) (policy.Scheduler, error) {
	return func(s *setting) (policy.Scheduler, error) {
		p, err := s.Predictor()
		if err != nil {
			return nil, err
		}
		c, err := system.Configure(s.ThreeSigma, p, s.Truth)
		if err != nil {
			return nil, err
		}
		if h, ok := c.Forecast.(*forecast.History); ok {
			if err := s.Teach(h); err != nil {
				return nil, err
			}
		}
		c.Seed = s.Seed
		return threesigma.NewScheduler(c)
	}
}

// underOracle makes Wing's scheduler with a ranker that knows the lake.
func underOracle(name string) func(*setting) (policy.Scheduler, error) {
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
