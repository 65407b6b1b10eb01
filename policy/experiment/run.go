package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.com/augur/internal/parallel"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Thinned is the share of the jobs that a thinned copy lacks.
const Thinned = 0.1

// A Failure is a run that has failed.
type Failure struct {
	Cell   *Cell
	Policy string
	Err    error
}

// Failures are the runs of an experiment that have failed, in the order of the cells and policies. There is at least one.
type Failures []Failure

// Error tells of the first failure, and counts the others.
func (f Failures) Error() string {
	others := ""
	if len(f) > 1 {
		others = fmt.Sprintf("; %d other runs failed too", len(f)-1)
	}
	return fmt.Sprintf("experiment: %s, policy %s: %v%s", f[0].Cell, f[0].Policy, f[0].Err, others)
}

// Unwrap returns the error of the first one.
func (f Failures) Unwrap() error { return f[0].Err }

// A SetupError says that the jobs of a cell cannot be read or completed.
type SetupError struct {
	Cell *Cell
	Err  error
}

// Error names the cell.
func (e *SetupError) Error() string { return fmt.Sprintf("experiment: %s: %v", e.Cell, e.Err) }

// Unwrap returns what is wrong.
func (e *SetupError) Unwrap() error { return e.Err }

// String names the cell: "window 3 at load 0.9".
func (c *Cell) String() string {
	text := fmt.Sprintf("seed %d", c.Seed)
	if c.Copy > 0 {
		text = fmt.Sprintf("copy %d", c.Copy)
	} else if c.Window > 0 {
		text = fmt.Sprintf("window %d", c.Window)
	}
	if c.Load > 0 {
		text += fmt.Sprintf(" at load %v", c.Load)
	}
	return text
}

// A ground is a cell, with what its runs share.
type ground struct {
	Cell
	once sync.Once
	err  error // of its setup

	lock   sync.Mutex
	base   *sim.Result // of the baseline, trimmed
	ended  int
	rows   []*Row        // by policy; nil: the run has failed, or is not over
	result []*sim.Result // that wait for the baseline's
	failed []error       // by policy
}

// Run runs each policy in each cell. The result does not depend on how many runs there are at a time.
//
// If runs fail, or a policy panics, the others go on: the Result has those that are done, and the error is [Failures]. If a cell cannot be set up
// the error is a [*SetupError] and the Result nil. If ctx ends, the Result has what is done until then, and the error is ctx.Err().
// Config errors name the field.
func Run(ctx context.Context, config Config) (*Result, error) {
	policies, base, err := config.check()
	if err != nil {
		return nil, err
	}
	grounds := config.grounds(len(policies))
	k := len(policies)
	var lock sync.Mutex
	ended := 0
	do := func(i int) error {
		g, p := grounds[i/k], i%k
		if p == 0 { // the baseline runs first, since the others are compared with it
			p = base
		} else if p <= base {
			p--
		}
		g.once.Do(func() { g.err = config.set(g) })
		if g.err != nil {
			return &SetupError{&g.Cell, g.err}
		}
		row, result, err := config.run(ctx, &g.Cell, policies[p])
		g.over(p, base, row, result, err, config.Trim)
		if config.Progress != nil {
			lock.Lock()
			defer lock.Unlock()
			ended++
			config.Progress(ended, len(grounds)*k)
		}
		return ctx.Err()
	}
	err = parallel.Each(len(grounds)*k, config.AtOnce, do)
	if setup := (*SetupError)(nil); errors.As(err, &setup) && ctx.Err() == nil {
		return nil, err
	}
	result, failures := config.gather(grounds, policies, base)
	if err := ctx.Err(); err != nil {
		return result, err
	}
	if failures != nil {
		return result, failures
	}
	return result, nil
}

// grounds returns the cells, by load, then by seed, window or copy.
func (c *Config) grounds(policies int) (list []*ground) {
	seeds := c.Seeds
	if len(seeds) == 0 {
		seeds = []uint64{1}
	}
	loads := c.Loads
	if len(loads) == 0 {
		loads = []float64{0}
	}
	for _, load := range loads {
		for i := range max(len(seeds), c.Windows, c.Thin) {
			g := &ground{Cell: Cell{Seed: seeds[min(i, len(seeds)-1)], Load: load, Nodes: slices.Clone(c.Nodes), Host: c.Host, Report: new(Report)},
				rows: make([]*Row, policies), result: make([]*sim.Result, policies), failed: make([]error, policies)}
			if c.Windows > 0 {
				g.Window = i + 1
			}
			if c.Thin > 0 {
				g.Copy = i + 1
			}
			list = append(list, g)
		}
	}
	return list
}

// set reads, cuts and completes the jobs of a cell.
func (c *Config) set(g *ground) (err error) {
	if g.Log, err = c.Jobs(g.Seed); err != nil {
		return err
	}
	if len(g.Nodes) == 0 {
		g.Nodes = slices.Clone(g.Log.Nodes)
	}
	if len(g.Nodes) == 0 && c.Setup == nil {
		return fmt.Errorf("Config.Nodes is empty, and %s does not tell its cluster; want at least 1 node, as sim.Cluster makes them", g.Name)
	}
	g.Host.Faults.Seed = g.Seed
	for _, why := range g.Log.Skipped {
		g.Report.Skipped = append(g.Report.Skipped, why)
		g.Report.Notes = append(g.Report.Notes, "left out: "+why)
	}
	all := g.Jobs
	if c.Windows > 0 {
		windows, err := workload.Windows(g.Jobs, c.Windows)
		if err != nil {
			return err
		}
		w := windows[g.Window-1]
		g.Jobs = w.Jobs
		g.Past = func() (workload.Source, error) { return w.Past, nil }
		g.Report.Window = fmt.Sprintf("%d/%d", g.Window, c.Windows)
	}
	if c.Thin > 0 {
		if g.Jobs, err = workload.Thin(g.Jobs, Thinned, g.Seed<<16|uint64(g.Copy)); err != nil {
			return err
		}
		g.Report.Copy = fmt.Sprintf("%d/%d", g.Copy, c.Thin)
	}
	for _, j := range g.Jobs {
		g.Report.sample = g.Report.sample*0x100000001b3 ^ uint64(j.ID) ^ uint64(j.Submitted) ^ math.Float64bits(j.Work())
	}
	if c.Setup != nil {
		err = c.Setup(&g.Cell)
	}
	if err == nil {
		if err = Fit(g.Jobs, g.Nodes); err != nil {
			err = cmp.Or(Fit(all, g.Nodes), err) // of the whole log, if that says it
		}
	}
	if err == nil && c.Setup == nil && g.Load > 0 {
		g.Jobs, err = workload.ToLoad(g.Jobs, workload.Capacity(g.Nodes), g.Load)
	}
	if err == nil {
		g.Report.fill(&g.Cell, c)
	}
	return err
}

// Fit returns an error if there are no jobs, if a node or a job is wrong, or if some jobs do not fit on the nodes: it says
// how many, and why the largest do not.
func Fit(jobs []*workload.Job, nodes []policy.Node) error {
	if len(jobs) == 0 {
		return errors.New("there are no jobs, want at least 1")
	}
	for i := range nodes {
		if err := nodes[i].Validate(); err != nil {
			return err
		}
	}
	var large []*workload.Job
	task, gang := int64(0), int64(0) // cores of the largest ones
	for _, j := range jobs {
		if err := j.Validate(); err != nil {
			return err
		}
		if sim.Holds(nodes, &j.Job) {
			continue
		}
		large = append(large, j)
		for i := range j.Stages {
			task, gang = max(task, int64(j.Stages[i].Cores)), max(gang, j.Stages[i].Width())
		}
	}
	if large == nil {
		return nil
	}
	node := int64(0)
	for i := range nodes {
		node = max(node, int64(nodes[i].Cores))
	}
	what := fmt.Sprintf("memory or other resources that the nodes do not have, such as job %d", large[0].ID)
	if all := coresOf(nodes); task > node {
		what = fmt.Sprintf("up to %d cores on one node; the largest has %d", task, node)
	} else if gang > all {
		what = fmt.Sprintf("up to %s cores at once, for a gang; all nodes have %s", thousands(gang), thousands(all))
	}
	return fmt.Errorf("%s of %s jobs need %s: take larger nodes, or leave these jobs out", thousands(len(large)), thousands(len(jobs)), what)
}

// coresOf returns the cores of all nodes.
func coresOf(nodes []policy.Node) (cores int64) {
	for i := range nodes {
		cores += int64(nodes[i].Cores)
	}
	return cores
}

// run runs a policy in a cell. The row has no ratios yet. A panic is an error.
func (c *Config) run(ctx context.Context, cell *Cell, p Policy) (row *Row, result *sim.Result, err error) {
	defer func() {
		if value := recover(); value != nil {
			row, result, err = nil, nil, fmt.Errorf("panic: %v, in %s", value, panicked())
		}
	}()
	best := ""
	if p.Best != nil {
		least := math.Inf(1)
		var of *Policy
		for i := range p.Best {
			_, result, err := c.simulate(ctx, cell, p.Best[i], nil)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", p.Best[i].Name, err)
			}
			if mean := result.Trim(c.Trim).Metrics().MeanJCT; of == nil || mean < least {
				of, least = &p.Best[i], mean
			}
		}
		best = of.Name
		name := p.Name
		p = *of
		p.Name = name
	}
	informed, result, err := c.simulate(ctx, cell, p, c.Begin)
	if err != nil {
		return nil, nil, err
	}
	row = &Row{Policy: p.Name, Best: best, Events: result.Events, informed: informed, told: p.Request > 0 && cell.Report.facts.unasked}
	if c.Ended != nil {
		if err := c.Ended(cell, row, result); err != nil {
			return nil, nil, err
		}
	}
	return row, result, nil
}

// panicked returns the innermost three functions of a panic that is being recovered.
func panicked() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	var top []string
	for in, more := false, true; more && len(top) < 3; {
		var f runtime.Frame
		f, more = frames.Next()
		if in = in || f.Function == "runtime.gopanic"; in && !strings.HasPrefix(f.Function, "runtime.") {
			top = append(top, fmt.Sprintf("%s (%s:%d)", f.Function, filepath.Base(f.File), f.Line))
		}
	}
	return strings.Join(top, ", called by ")
}

// simulate is one run. It reports whether the policy has asked the truth.
func (c *Config) simulate(ctx context.Context, cell *Cell, p Policy, begin func(*Cell, string, *sim.Config) error) (informed bool, result *sim.Result, err error) {
	source := workload.Of(cell.Jobs)
	if p.Request > 0 {
		if source, err = workload.FillRequested(source, p.Request); err != nil {
			return false, nil, err
		}
	}
	if c.Limited {
		source = workload.Limited(source)
	}
	host := cell.Host
	var truth *workload.Truth
	host.Nodes = cell.Nodes
	host.Jobs, truth = workload.SplitSource(source)
	host.Truth = truth
	watched := &watchedTruth{Truth: truth}
	scheduler, err := p.New(cell, watched)
	if err != nil {
		return false, nil, err
	}
	if begin != nil {
		if err := begin(cell, p.Name, &host); err != nil {
			return false, nil, err
		}
	}
	if host.Faults.NewPolicy == nil {
		host.Faults.NewPolicy = func() (policy.Scheduler, error) { return p.New(cell, watched) }
	}
	result, err = sim.Run(ctx, host, scheduler)
	return watched.asked, result, err
}

// A watchedTruth remembers whether it was asked.
type watchedTruth struct {
	policy.Truth
	asked bool
}

// Runtime implements [policy.Truth].
func (t *watchedTruth) Runtime(c policy.Copy) (policy.Duration, bool) {
	t.asked = true
	return t.Truth.Runtime(c)
}

// over takes the end of a run, and compares the runs that have ended with the baseline once that is there.
func (g *ground) over(p, base int, row *Row, result *sim.Result, err error, trim float64) {
	var trimmed *sim.Result
	if err == nil {
		trimmed = result
		if trim > 0 {
			trimmed = result.Trim(trim)
		}
		row.fill(&g.Cell, trimmed)
	}
	g.lock.Lock()
	defer g.lock.Unlock()
	g.rows[p], g.failed[p], g.result[p] = row, err, trimmed
	g.ended++
	if p == base {
		g.base = trimmed
	}
	if g.ended == len(g.rows) && g.base == nil { // that of the baseline has failed
		if base = slices.IndexFunc(g.result, func(r *sim.Result) bool { return r != nil }); base >= 0 {
			g.base = g.result[base]
		}
	}
	if g.base != nil {
		for i, r := range g.result {
			if r != nil {
				g.rows[i].compare(r, g.base, g.rows[base], g.Report)
				g.result[i] = nil
			}
		}
	}
	if g.ended == len(g.rows) { // nothing but rows is left
		g.base, g.Jobs, g.Data, g.Past = nil, nil, nil, nil
		clear(g.result)
	}
}
