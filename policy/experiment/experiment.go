// Package experiment compares policies on a workload, a log or your own jobs, at some loads, with paired intervals. Start with
// [Run]:
//
//	result, err := experiment.Run(ctx, experiment.Config{
//		Jobs: experiment.Trace("mine.swf", ""), Nodes: sim.Cluster(sim.Partition{Nodes: 32, Cores: 4}),
//		Policies: experiment.Named("easy", "index-easy"), Loads: []float64{0.9}, Windows: 10,
//	})
//	err = errors.Join(err, result.WriteTable(os.Stdout))
//
// A run is one policy on one [Cell]: the jobs of a seed, a window of a log, or a thinned copy of it, at a load. All policies have
// the same jobs and the same luck in a cell. So they are compared cell by cell, which cancels the difference between cells. The
// baseline of the comparison is the first policy, or the one that Config.Baseline names.
//
// A policy is named by a spec of package policy/catalog, or is one's own: one function with [Scored], or a [Policy] with a constructor.
// [Result.WriteTable] prints eight columns and a verdict. [Result.WriteFile] writes every figure of every run in JSON, and package
// examples/page makes a page of HTML of it. The program examples/compare does all of this from a command line.
//
// A job must fit on the Nodes: each task on one of them, and a gang on all of them together. [Run] refuses other jobs, because
// leaving out the largest changes the comparison. To leave them out of the list yourself, see sim.Holds.
//
// # Intervals
//
// They are 95 % intervals by Student's t, and stay in the range of a figure: ratios and times use logarithms ([RatioInterval],
// [MeanWithin]), and shares the logarithms of odds. They are intervals over the cells: seeds stand for other jobs of the same
// workload, windows for other parts of the same log. Thinned copies have most of their jobs in common, so their intervals tell
// whether a result depends on a few jobs, and are too narrow for another log.
//
// # When not to use it
//
// For one run of one policy, or for what happens within a run, call sim.Run.
//
// # Cost
//
// The cost of the runs, as many at a time as there are cores. Memory holds the jobs of a cell until its last policy has ended, and
// the records of a run until the first policy's run in its cell has ended.
//
// # Source
//
// Intervals follow L. Wasserman, "All of Statistics", Springer 2004, sections 9.9 and 14.
package experiment

import (
	"errors"
	"fmt"
	"slices"

	"example.com/augur/internal/calendar"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Config describes an experiment. Jobs and Policies are required, and Nodes unless the log tells its own, but for what Setup gives.
type Config struct {
	Jobs     Jobs
	Nodes    []policy.Node // sim.Cluster makes them; empty: those of the Log
	Policies []Policy
	// Baseline names the policy that the others are compared with; "" is the first.
	Baseline string

	// Loads are offered loads, above 0, of the cores of the Nodes times their speeds. The arrivals are stretched to each, as
	// workload.ToLoad does it. None: they stay as they are.
	Loads []float64
	// Seeds, Windows or Thin say what varies. Seeds are those of Jobs, of random policies and of faults; none is the seed 1. Windows
	// is a number of windows of consecutive jobs, each in a cluster of its own. Thin is a number of copies that lack a
	// tenth of the jobs each. They are at least 2, or 0 for none.
	Seeds         []uint64
	Windows, Thin int

	// Host is what else the simulated host has: delays, costs and faults. Its Nodes, Jobs and Truth are not read, Faults.Seed is the
	// seed of the cell, and what follows a run must be nil: Begin sets it. It sets faults at chosen instants too, if there are Windows.
	Host sim.Config
	Trim float64 // share of the jobs at either end that the figures leave out: see sim.Result.Trim
	// Limited ends jobs when they have run for the time that they request, as most batch systems do: see workload.Limited.
	Limited bool

	// Setup, if not nil, completes a cell in place of stretching it to its Load. It may change all of it, but not the jobs themselves,
	// which cells share: it takes copies. It is called once for each cell, concurrently.
	Setup func(c *Cell) error
	// Begin, if not nil, may change the host of a run, for instance to record it; not Ended, which would leave no records. It
	// is called concurrently.
	Begin func(c *Cell, policy string, host *sim.Config) error
	// Ended, if not nil, gets each run that has ended, and may add to its row, which has no figures yet: result.Metrics() has them. It
	// is called concurrently; the result is not trimmed, and not kept.
	Ended func(c *Cell, row *Row, result *sim.Result) error
	// Progress, if not nil, is called after each run with the number of runs that are over, by one goroutine at a time.
	Progress func(ended, of int)
	// AtOnce is how many runs there are at a time; 0: as many as there are cores. With 1 they are in the order of the cells, then of the
	// policies, the baseline first.
	AtOnce int
}

// Jobs returns the log of a seed. [List], [Trace] and [Source] make some. It is called for each cell, concurrently, so it makes its random
// source from the seed: else jobs differ between loads. To change jobs of a Trace, change copies.
type Jobs func(seed uint64) (Log, error)

// A Log is jobs in order of submission. They are not changed.
type Log struct {
	Name string // in titles
	Jobs []*workload.Job
	// Nodes are the cluster that the log itself tells; empty if it does not. They are used if Config has none.
	Nodes []policy.Node
	// Skipped says what of the log holds no job, and how often; of a Trace it is what Reader.Skipped of package trace counts.
	Skipped []string
	// Past returns jobs that ended before, from which policies by history learn; nil: there are none. That of a window is the jobs
	// of the log before it.
	Past func() (workload.Source, error)
	Data any // for Config.Setup and constructors of policies
}

// List is the same jobs for all seeds, in any order. It completes copies of them. Jobs whose ID is 0 are numbered from 1.
// If no job has a Submitted, and each has an At, then Submitted counts from the earliest At. It is an error if
// no job has a Submitted, and only some have an At. The attributes hour and day follow from At, as package trace adds them.
func List(name string, jobs []*workload.Job) Jobs {
	jobs, err := completed(jobs)
	return func(uint64) (Log, error) { return Log{Name: name, Jobs: jobs}, err }
}

func completed(jobs []*workload.Job) ([]*workload.Job, error) {
	list, err := workload.ReadAll(workload.Of(jobs))
	if err != nil || len(list) == 0 {
		return nil, err
	}
	first := slices.MinFunc(list, func(a, b *workload.Job) int { return a.At.Compare(b.At) }).At // zero if one is
	submitted := slices.ContainsFunc(list, func(j *workload.Job) bool { return j.Submitted != 0 })
	dated := slices.ContainsFunc(list, func(j *workload.Job) bool { return !j.At.IsZero() })
	if first.IsZero() && dated && !submitted {
		at := slices.IndexFunc(jobs, func(j *workload.Job) bool { return j.At.IsZero() })
		return nil, fmt.Errorf("experiment: job %d of the list has no At, and others have: set At of each, or Submitted", at+1)
	}
	relative := first.IsZero() || submitted
	for i, j := range list {
		c := *j
		if c.ID == 0 {
			c.ID = policy.JobID(i + 1)
		}
		if !relative {
			c.Submitted = policy.Time(c.At.Sub(first))
		}
		c.Attrs = slices.Clip(c.Attrs)
		calendar.Add(&c.Job)
		list[i] = &c
	}
	return workload.ReadAll(workload.Of(list))
}

// Source is the jobs of a generator, such as
//
//	func(seed uint64) (workload.Source, error) {
//		g := workload.DefaultHeavyTail()
//		g.Seed = seed
//		return g.Source()
//	}
func Source(name string, of func(seed uint64) (workload.Source, error)) Jobs {
	return func(seed uint64) (Log, error) {
		source, err := of(seed)
		if err != nil {
			return Log{}, err
		}
		jobs, err := workload.ReadAll(source)
		return Log{Name: name, Jobs: jobs}, err
	}
}

// A Policy is one that is compared. With a Name alone it is that name or spec of package policy/catalog.
type Policy struct {
	Name string
	// New makes the policy of a run, with all its parts: a part that two runs share breaks both. It may learn from the Past of the
	// cell. A policy that asks the truth knows the runtimes, and the verdict says so. It is called concurrently.
	New func(c *Cell, truth policy.Truth) (policy.Scheduler, error)
	// Request is for jobs that request no time: the policy sees a request of so many times their runtime, at least 1. With 0 it sees none.
	// Policies that go by requests, such as EASY, need one. Others should not get it, because it tells the runtime.
	// For a line 0 stands for [RequestFactor] if the line goes by requests. The output says which policies see what.
	Request float64
	// Best are policies, and this one is in each cell the one of them with the least mean completion time. New is nil then.
	Best []Policy
}

// Scored is a policy of one's own that is one function, asked anew at each decision: the job with the greatest score goes first, as
// central.Scored says, and EASY fills the gaps. EASY needs requests, so its Request is [RequestFactor]. Where jobs request no time, set the
// Request of the result to 0 if score does not go by it: EASY then fills no gaps, and the verdict does not count the policy
// among those that are told the runtimes.
func Scored(name string, score func(j *central.Job, now policy.Time) float64) Policy {
	return Policy{Name: name, Request: RequestFactor, New: func(*Cell, policy.Truth) (policy.Scheduler, error) {
		return central.New(central.Config{Turn: central.Scored(score), Fill: baseline.EASY()})
	}}
}

// RequestFactor is how many times its runtime a job requests that does not say, where a policy needs a request.
const RequestFactor = 2

// Named returns the policies of some names or specs, such as "index-easy". [Run] refuses those that are unknown.
func Named(names ...string) (list []Policy) {
	for _, name := range names {
		list = append(list, Policy{Name: name})
	}
	return list
}

// A Cell is what all policies run on: the jobs of a seed, window or copy, at a load.
type Cell struct {
	Log
	Seed         uint64
	Load         float64 // asked for; 0: as the jobs come
	Window, Copy int     // from 1; 0: none
	Nodes        []policy.Node
	Host         sim.Config
	// Cutoff is the mean task runtime from which on a job is long; rows then tell short and long jobs apart. 0: they do not.
	Cutoff policy.Duration
	Report *Report // of its runs; what Setup sets is kept
}

// resolve gives lines their constructors.
func resolve(p Policy) (Policy, error) {
	switch {
	case p.Best != nil:
		p.Best = slices.Clone(p.Best)
		for i := range p.Best {
			var err error
			if p.Best[i], err = resolve(p.Best[i]); err != nil {
				return p, err
			}
		}
	case p.New == nil:
		line, err := catalog.Find(p.Name)
		if err != nil {
			return p, fmt.Errorf("experiment: Config.Policies: %w", err)
		}
		p.New = func(c *Cell, truth policy.Truth) (policy.Scheduler, error) {
			return line.New(catalog.Setting{Truth: truth, Seed: c.Seed, Past: c.Past})
		}
		if line.Requests && p.Request == 0 {
			p.Request = RequestFactor
		}
	}
	return p, nil
}

// check returns the policies with their constructors, the baseline first in order of running, and the place of the baseline.
func (c *Config) check() (policies []Policy, base int, err error) {
	varied := 0
	for _, some := range []bool{len(c.Seeds) > 1, c.Windows > 0, c.Thin > 0} {
		if some {
			varied++
		}
	}
	switch {
	case c.Jobs == nil:
		return nil, 0, errors.New("experiment: Config.Jobs is nil, want the jobs, as List, Trace or Source makes them")
	case len(c.Policies) == 0:
		return nil, 0, errors.New("experiment: Config.Policies is empty, want at least 1 policy")
	case varied > 1:
		return nil, 0, errors.New("experiment: two of Config.Seeds, Windows and Thin are set, want one: what varies")
	case c.AtOnce < 0:
		return nil, 0, fmt.Errorf("experiment: Config.AtOnce is %d, want a number of runs, or 0 for as many as there are cores", c.AtOnce)
	case c.Windows < 0 || c.Windows == 1 || c.Thin < 0 || c.Thin == 1:
		return nil, 0, fmt.Errorf("experiment: Config.Windows is %d and Thin %d, want at least 2 of one, or 0 for none", c.Windows, c.Thin)
	case !(c.Trim >= 0 && c.Trim < 0.5):
		return nil, 0, fmt.Errorf("experiment: Config.Trim is %v, want 0 to below 0.5", c.Trim)
	case c.Windows > 0 && len(c.Host.Faults.Outages)+len(c.Host.Faults.Jumps)+len(c.Host.Faults.Cancels)+len(c.Host.Faults.Restarts) > 0:
		return nil, 0, errors.New("experiment: Config.Host.Faults has Outages, Jumps, Cancels or Restarts, whose instants fit one run only, and Config.Windows begin at different instants; Config.Begin sets them for each run")
	case c.Host.Ended != nil || c.Host.Record != nil || c.Host.Watch != nil || c.Host.Progress != nil || c.Host.Pause != nil:
		return nil, 0, errors.New("experiment: Config.Host has Ended, Record, Watch, Progress or Pause, want nil: parallel runs would share them; Config.Begin sets them for each run")
	}
	for i, seed := range c.Seeds {
		if slices.Contains(c.Seeds[:i], seed) {
			return nil, 0, fmt.Errorf("experiment: Config.Seeds has %d twice, want each once", seed)
		}
	}
	for i, load := range c.Loads {
		if !(load > 0) || slices.Contains(c.Loads[:i], load) {
			return nil, 0, fmt.Errorf("experiment: Config.Loads has %v, want numbers above 0, each once", load)
		}
	}
	base = -1
	for i, p := range c.Policies {
		if p.Name == "" {
			return nil, 0, fmt.Errorf("experiment: Config.Policies[%d] has no Name, want one", i)
		}
		if p, err = resolve(p); err != nil {
			return nil, 0, err
		}
		if p.Request != 0 && !(p.Request >= 1) {
			return nil, 0, fmt.Errorf("experiment: Config.Policies[%d].Request is %v, want at least 1, or 0 for none", i, p.Request)
		}
		if slices.ContainsFunc(policies, func(q Policy) bool { return q.Name == p.Name }) {
			return nil, 0, fmt.Errorf("experiment: Config.Policies has %q twice, want each once", p.Name)
		}
		if p.Name == c.Baseline || c.Baseline == "" && i == 0 {
			base = i
		}
		policies = append(policies, p)
	}
	if base < 0 {
		return nil, 0, fmt.Errorf("experiment: Config.Baseline is %q, want one of the policies", c.Baseline)
	}
	return policies, base, nil
}
