package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

// The values of some flags are lists such as key=value,key=value. The examples name all keys.
const (
	faultsExample = "up=24h,down=10m,tasks=0.01,evicted=0.01,posts-lost=0.01,posts-late=0.05,posts-early=0.05,posts-twice=0.01,late=1s," +
		"actions-late=0.01,slip=5s,saves=0.01,steady=6h,jump=1m"
	kairosExample     = "quantum=50s,queue=4,starvation=on"
	hopperExample     = "epsilon=0.1,locality=0.03,group=group,period=3s,keep=off,copies=in-turn"
	wingExample       = "queues=hard,inherit=none,window=168h,hops=0"
	threesigmaExample = "interval=10s,slots=24,width=10s,tail=0s,threshold=0.05,value=0.01,horizon=1h,late=run,solver=search,iterations=1000,candidates=400,preempt=yes"
	savesExample      = "reload=60s,cost=10s"
	stragglersExample = "tail=1.5,bound=100,observed=on"
	localityExample   = "replicas=3,elsewhere=2"
	deadlinesExample  = "share=0.5,slack=20/40/60/80,utility=1,prefer=0.75,elsewhere=1.5"
)

// setters set what the keys stand for.
type setters map[string]func(value string) error

// parseSpec reads the value of a flag and returns its keys. The error names the flag and the wrong pair; unknown is its
// text for a key without a setter.
func parseSpec(flag, spec, unknown string, set setters) (seen map[string]bool, err error) {
	seen = make(map[string]bool)
	if spec == "" {
		return seen, nil
	}
	for part := range strings.SplitSeq(spec, ",") {
		key, value, _ := strings.Cut(part, "=")
		if seen[key] {
			return nil, cli.Usagef("%s: %q is given twice", flag, key)
		}
		seen[key] = true
		if set[key] == nil {
			return nil, cli.Usagef("%s: %q: %s", flag, part, unknown)
		}
		if err := set[key](value); err != nil {
			return nil, cli.Usagef("%s: %q: %w", flag, part, err)
		}
	}
	return seen, nil
}

func number(x *float64) func(string) error {
	return cli.Between(x, -math.MaxFloat64, math.MaxFloat64, "a number")
}

func probability(x *float64) func(string) error {
	return cli.Between(x, 0, 1, "a probability of 0 to 1")
}

const aDuration = "a duration above 0 and below 292 years, with a unit and without an exponent, such as 10m"

func positive(x *time.Duration) func(string) error { return cli.Span(x, 1, aDuration) }

// seconds reads a duration as a number of seconds.
func seconds(x *float64, least time.Duration, want string) func(string) error {
	return func(s string) error {
		var d time.Duration
		err := cli.Span(&d, least, want)(s)
		*x = d.Seconds()
		return err
	}
}

// parseFaults reads what -faults says.
func parseFaults(spec string, seed uint64) (sim.Faults, error) {
	f := sim.Faults{Seed: seed}
	seen, err := parseSpec("-faults", spec, "unknown fault, want some of "+faultsExample, setters{
		"up": positive(&f.MeanUp), "down": positive(&f.MeanDown),
		"tasks": probability(&f.TaskFailure), "evicted": probability(&f.TaskEviction),
		"posts-lost": probability(&f.PostLoss), "posts-late": probability(&f.PostLate),
		"posts-early": probability(&f.PostEarly), "posts-twice": probability(&f.PostTwice), "late": positive(&f.MeanLate),
		"actions-late": probability(&f.ActionLate), "slip": positive(&f.MeanSlip), "saves": probability(&f.SaveFails),
		"steady": positive(&f.MeanSteady), "jump": positive(&f.MeanJump),
	})
	if err != nil {
		return f, err
	}
	for _, pair := range []struct {
		of, by string
		some   bool // there is some of it
	}{
		{"up", "down", seen["up"]}, {"steady", "jump", seen["steady"]}, {"actions-late", "slip", f.ActionLate > 0},
		{"posts-late or posts-twice", "late", f.PostLate+f.PostTwice > 0},
	} {
		given := slices.ContainsFunc(strings.Split(pair.of, " or "), func(key string) bool { return seen[key] })
		if pair.some && !seen[pair.by] {
			return f, cli.Usagef("-faults: %q: %s without %s, want both", spec, pair.of, pair.by)
		}
		if seen[pair.by] && !given {
			return f, cli.Usagef("-faults: %q: %s without %s, want both", spec, pair.by, pair.of)
		}
	}
	if p := f.PostLoss + f.PostLate + f.PostEarly; p > 1 {
		return f, cli.Usagef("-faults: %q: posts-lost, posts-late and posts-early are %v together, want at most 1", spec, p)
	}
	return f, nil
}

// parseKairos reads what -kairos says.
func parseKairos(spec string) (kairos.Config, error) {
	c := kairos.Config{}
	queue := 4
	_, err := parseSpec("-kairos", spec, "unknown parameter, want some of "+kairosExample, setters{
		"quantum":    positive(&c.Node.Quantum),
		"queue":      cli.Whole(&queue, 0, kairos.MaxQueue),
		"starvation": cli.OneOf(&c.Node.Starvation, map[string]kairos.StarvationRule{"on": c.Node.Starvation, "off": kairos.Never}, "on or off"),
	})
	if err != nil {
		return c, err
	}
	if c.Queue = queue; queue == 0 {
		c.Queue = -1
	}
	if _, err := kairos.NewScheduler(c); err != nil {
		return c, cli.Usagef("-kairos: %q: %w", spec, err)
	}
	return c, nil
}

// defaultHopper returns the paper's parameters, with groups of jobs as the generators name them.
func defaultHopper() hopper.Config {
	return hopper.Config{TurnConfig: hopper.TurnConfig{Group: "group"}}
}

// parseHopper reads what -hopper says.
func parseHopper(spec string) (hopper.Config, error) {
	c := defaultHopper()
	_, err := parseSpec("-hopper", spec, "unknown parameter, want some of "+hopperExample, setters{
		"epsilon":  shareOrNone(&c.Epsilon),
		"locality": shareOrNone(&c.Locality),
		"group": func(value string) error {
			if c.Group = value; value == "" {
				c.Tail = 1.2 // for all jobs
			}
			return nil
		},
		"period": positive(&c.Period),
		"keep":   cli.OnOff(&c.Keep),
		"copies": cli.OneOf(&c.CopyWhen, map[string]central.When{"in-turn": central.InTurn, "after-own": central.AfterOwn, "after-all": central.AfterAll}, "in-turn, after-own or after-all"),
	})
	if err != nil {
		return c, err
	}
	if _, err := hopper.NewScheduler(ofHopper(c)); err != nil {
		return c, cli.Usagef("-hopper: %q: %w", spec, err)
	}
	return c, nil
}

// shareOrNone reads a share for a config in which 0 means the default, and below 0 none.
func shareOrNone(x *float64) func(value string) error {
	return func(value string) error {
		err := cli.Share(x)(value)
		if *x == 0 {
			*x = -1
		}
		return err
	}
}

// ofHopper returns the parameters for Hopper itself, which does not let copies wait for the tasks of all jobs.
func ofHopper(c hopper.Config) hopper.Config {
	if c.CopyWhen == central.AfterAll {
		c.CopyWhen = central.InTurn
	}
	return c
}

// wingOptions are the parameters of Wing's policies.
type wingOptions struct {
	queues  string // "": hard ones if the jobs are a lake's, else one
	inherit wing.Inheritance
	history pipeline.Config // Window, and Hops of aggregate values; 0: a week, and any
}

// parseWing reads what -wing says.
func parseWing(spec string) (w wingOptions, err error) {
	_, err = parseSpec("-wing", spec, "unknown parameter, want some of "+wingExample, setters{
		"queues":  cli.OneOf(&w.queues, map[string]string{"hard": "hard", "shared": "shared", "one": "one"}, "hard, shared or one"),
		"inherit": cli.OneOf(&w.inherit, map[string]wing.Inheritance{"none": wing.FromNone, "queue": wing.FromQueue, "all": wing.FromAll}, "none, queue or all"),
		"window":  positive(&w.history.Window),
		"hops": func(value string) error {
			if cli.Whole(&w.history.Hops, 0, math.MaxUint16)(value) != nil {
				return fmt.Errorf("want a whole number of 0, for any, to %d", math.MaxUint16)
			}
			return nil
		},
	})
	return w, err
}

// parseThreesigma reads what -3sigma says. What it does not say is left as 0, which is the default.
func parseThreesigma(spec string) (c threesigma.Config, err error) {
	set := setters{
		"interval":   positive(&c.Interval),
		"slots":      cli.Whole(&c.Window.Slots, 1, 1<<16),
		"width":      seconds(&c.Window.Width, 1, aDuration),
		"tail":       seconds(&c.Overestimate.Tail, 0, aDuration+", or 0s for as long as from submission to deadline"),
		"threshold":  cli.Between(&c.Overestimate.Threshold, math.SmallestNonzeroFloat64, 1, "a probability above 0, to 1"),
		"value":      cli.Above0(&c.BestEffort.Value),
		"horizon":    positive(&c.BestEffort.Horizon),
		"late":       cli.OneOf(&c.GiveUpLate, map[string]bool{"run": false, "giveup": true}, "run or giveup"),
		"solver":     cli.OneOf(&c.Solver, map[string]plan.Solver{"search": plan.Search{}, "greedy": plan.Greedy{}}, "search or greedy"),
		"iterations": cli.Whole(&c.Iterations, 1, math.MaxInt32),
		"candidates": cli.Whole(&c.Candidates, 1, math.MaxInt32),
		"preempt":    cli.OneOf(&c.NoPreemption, map[string]bool{"yes": false, "no": true}, "yes or no"),
	}
	for key, read := range set {
		set[key] = func(value string) error {
			if err := read(value); err != nil {
				return err
			}
			_, err := threesigma.NewScheduler(c) // whatever else it refuses, this pair has brought it
			return err
		}
	}
	_, err = parseSpec("-3sigma", spec, "unknown parameter, want some of "+threesigmaExample, set)
	return c, err
}

// stragglers are those of -stragglers.
type stragglers struct {
	workload.Stragglers
	own bool // ratios are those of the jobs themselves
}

// parseStragglers reads what -stragglers says.
func parseStragglers(spec string) (*stragglers, error) {
	s := &stragglers{}
	seen, err := parseSpec("-stragglers", spec, "unknown parameter, want some of "+stragglersExample+", or ratios=own", setters{
		"tail":     number(&s.Tail),
		"bound":    number(&s.Bound),
		"ratios":   cli.OneOf(&s.own, map[string]bool{"own": true}, "own"),
		"observed": cli.OnOff(&s.Observed),
	})
	if err != nil {
		return nil, err
	}
	if seen["tail"] == seen["ratios"] {
		return nil, cli.Usagef("-stragglers: %q: want one of tail= and ratios=own", spec)
	}
	trial := s.Stragglers
	if s.own {
		trial.Ratios = []float64{1}
	}
	if _, err := trial.Source(workload.Of(nil)); err != nil {
		return nil, cli.Usagef("-stragglers: %q: %w", spec, err)
	}
	return s, nil
}

// parseLocality reads what -locality says.
func parseLocality(spec string) (*workload.Locality, error) {
	l := new(workload.Locality)
	_, err := parseSpec("-locality", spec, "unknown parameter, want some of "+localityExample, setters{
		"replicas":  cli.Whole(&l.Replicas, 1, 16),
		"elsewhere": cli.Between(&l.Elsewhere, 1, math.MaxFloat64, "a finite number of at least 1"),
	})
	return l, err
}

// A saving lets jobs go on from where they were stopped.
type saving struct{ reload, cost policy.Duration }

// parseSaves reads what -saves says.
func parseSaves(spec string) (*saving, error) {
	s := new(saving)
	_, err := parseSpec("-saves", spec, "unknown parameter, want some of "+savesExample, setters{
		"reload": cli.Span(&s.reload, 0, "a duration of at least 0, such as 60s"),
		"cost":   cli.Span(&s.cost, 0, "a duration of at least 0, such as 10s"),
	})
	return s, err
}

// on returns the jobs, of which all stages without a pipe can be saved.
func (s *saving) on(jobs []*workload.Job) (saved []*workload.Job) {
	for _, j := range jobs {
		c := *j
		c.Stages = slices.Clone(j.Stages)
		workload.LetSave(&c.Job, func(int) policy.Duration { return s.reload })
		saved = append(saved, &c)
	}
	return saved
}

// parseDeadlines reads what -deadlines says.
func parseDeadlines(spec string) (*workload.Deadlines, error) {
	d := workload.DefaultDeadlines()
	_, err := parseSpec("-deadlines", spec, "unknown parameter, want some of "+deadlinesExample, setters{
		"share": number(&d.Share), "utility": number(&d.Utility), "prefer": number(&d.Prefer), "elsewhere": number(&d.Elsewhere),
		"slack": func(value string) error {
			d.Slack = nil
			for percent := range strings.SplitSeq(value, "/") {
				var x float64
				if err := number(&x)(percent); err != nil {
					return errors.New("want per cents separated by / after =")
				}
				d.Slack = append(d.Slack, x/100)
			}
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	if _, err := d.Source(workload.Of(nil)); err != nil {
		return nil, cli.Usagef("-deadlines: %q: %w", spec, err)
	}
	return &d, nil
}
