package main

import (
	"context"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/lines"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A hopperSystem is a scheduler of package hopper with the parameters of section 6, but for the
// change. The name tells it from others.
type hopperSystem struct {
	name   string
	rule   hopperRule
	change func(c *hopper.Config)
	rival  allocator    // in place of Hopper's turn, if it is one
	copies central.When // of the rival
	known  bool         // t_new is what the jobs have, and not learnt from tasks that have finished
	line   lines.Line   // in place of all that, if it is one
}

var byHopper = hopperSystem{name: "Hopper"}

// ours is Hopper with a change.
func ours(what string, change func(c *hopper.Config)) hopperSystem {
	return hopperSystem{name: "Hopper, " + what, change: change}
}

// withoutCopies is a rival that runs none, to show what all copies together are worth.
func withoutCopies(a allocator) hopperSystem {
	return hopperSystem{name: a.name + ", no copies", change: func(c *hopper.Config) { c.Rule = nil }, rival: a}
}

// An allocator says who gets the slots, in place of Hopper's turn.
type allocator struct {
	name string
	turn func() (central.Turn, error)
}

// What Hopper is compared with: fewest tasks left first, fewest slots first, and dominant resource fairness of jobs,
// each of which has a user of its own, since no attribute has such a name.
var (
	bySRPT = allocator{"SRPT", func() (central.Turn, error) { return baseline.Fewest(), nil }}
	byFair = allocator{"Fair", func() (central.Turn, error) { return baseline.Fair(), nil }}
	byDRF  = allocator{"DRF", func() (central.Turn, error) { return baseline.DRF(baseline.DRFConfig{User: "\x00"}) }}
)

// speculating makes a scheduler in which copies run by best effort, or in a reserved share of the slots.
func (a allocator) speculating(c hopper.SpeculationConfig, copies central.When, reserved float64) (*central.Scheduler, error) {
	turn, err := a.turn()
	if err != nil {
		return nil, err
	}
	copyTurn, err := a.turn()
	if err != nil {
		return nil, err
	}
	copier, err := hopper.NewSpeculation(c)
	if err != nil {
		return nil, err
	}
	return central.New(central.Config{
		Turn: turn, Place: new(hopper.Locality), Copy: copier, CopyWhen: copies, Reserved: reserved, CopyTurn: copyTurn,
	})
}

// A copyReading is what may be meant by copies that are run by best effort.
type copyReading struct {
	name string
	turn central.When
}

// copyReadings are three. In turn, a job's copies go before its own tasks that wait, as in Fig. 2.1 of the thesis: at
// time 3 job A has the slot for a copy, though tasks of job B wait. After own, copies go after the job's tasks, as Hadoop
// and Spark have it. After all, a copy runs "whenever there is an open slot" in the sense of one that no task of any job
// wants. With the latter two the example of section 2 comes out otherwise: see [hopperExample].
var copyReadings = []copyReading{inTurn, {"after own", central.AfterOwn}, {"after all", central.AfterAll}}

var inTurn = copyReading{"in turn", central.InTurn}

// rival is what Hopper is compared with: an allocator whose copies run by best effort in one reading.
func rival(a allocator, reading copyReading) hopperSystem {
	return hopperSystem{name: a.name + ", copies " + reading.name, rival: a, copies: reading.turn}
}

// A hopperRule is a rule of speculation; the zero one is GRASS.
type hopperRule struct {
	name string
	make func() (hopper.Speculator, error)
}

// late and mantri are the other rules of speculation; the parameters are those of their papers.
var (
	late   = hopperRule{"LATE", func() (hopper.Speculator, error) { return hopper.NewLATE(hopper.LATEConfig{}) }}
	mantri = hopperRule{"Mantri", func() (hopper.Speculator, error) { return hopper.NewMantri(hopper.MantriConfig{}) }}
)

// ofLine is a line of parts.
func ofLine(l lines.Line) hopperSystem { return hopperSystem{name: l.String(), line: l} }

// under returns the system with another rule of speculation.
func (s hopperSystem) under(rule hopperRule) hopperSystem {
	s.name += ", " + rule.name
	s.rule = rule
	return s
}

// scheduler makes the scheduler for some jobs.
func (s *hopperSystem) scheduler(d *hopperJobs) (_ policy.Scheduler, err error) {
	if s.line.Turn != "" {
		return underLine(s.line, lines.Setting{Truth: d.truth, Seed: d.seed}, nil)
	}
	c := hopper.DefaultConfig()
	c.Group = "group"
	if s.rule.make != nil {
		if c.Rule, err = s.rule.make(); err != nil {
			return nil, err
		}
	}
	if s.known {
		c.Expected = func(t policy.Task) float64 { return d.list[t.Job-1].Luck.Base[t.Stage].Seconds() }
	}
	if s.change != nil {
		s.change(&c)
	}
	if s.rival.turn != nil {
		return s.rival.speculating(c.SpeculationConfig, s.copies, 0)
	}
	return hopper.NewScheduler(c)
}

// ask asks for the trial of a system.
func (b *hopperBed) ask(l *lab, s hopperSystem) *trial[hopperRun] {
	return ask(l, &bed[hopperJobs]{name: b.name, seeds: b.seeds, draw: b.draw}, s.name, s.run)
}

// A hopperRun is what became of the jobs of one seed.
type hopperRun struct {
	times []float64 // completion times, by job, s
	tasks []int     // by job
	chain []int     // how many stages it has
	local float64   // % of the tasks of first stages that ran where their data is
	busy  float64   // % of the cores
}

// What is told of each run.
var (
	hopperMean = figure[hopperRun]{"%s, mean JCT, s", func(run hopperRun) float64 { return meanOf(run.times) }}
	hopperBusy = figure[hopperRun]{"%s, cores in use, %%", func(run hopperRun) float64 { return run.busy }}
	localTasks = figure[hopperRun]{"%s: local tasks, %%", func(run hopperRun) float64 { return run.local }}
)

// run runs jobs under the system.
func (s *hopperSystem) run(ctx context.Context, d hopperJobs) (run hopperRun, err error) {
	scheduler, err := s.scheduler(&d)
	if err != nil {
		return run, err
	}
	watched := &placesWatch{Scheduler: scheduler, jobs: d.list}
	p := policy.Scheduler(watched)
	if s.line.Node != "" {
		p = scheduler // and not watched, as its parts would be hidden
	}
	result, err := d.simulate(ctx, p)
	if err != nil {
		return run, err
	}
	run = hopperRun{local: watched.share(), busy: 100 * result.Busy / result.Available}
	for k := range result.Jobs {
		run.times = append(run.times, result.Jobs[k].JCT().Seconds())
		run.tasks = append(run.tasks, result.Jobs[k].Tasks)
		run.chain = append(run.chain, len(d.list[k].Stages))
	}
	return run, nil
}

// simulate runs jobs under a scheduler.
func (d *hopperJobs) simulate(ctx context.Context, s policy.Scheduler) (*sim.Result, error) {
	return sim.Run(ctx, sim.Config{Nodes: d.nodes, Jobs: d.jobs, Truth: d.truth}, s)
}

// A placesWatch counts the first copies of tasks of first stages, and those of them that start where
// what they read lies.
type placesWatch struct {
	policy.Scheduler
	jobs       []*workload.Job // IDs count them from 1
	all, local int
}

// Step is [policy.Scheduler].
func (w *placesWatch) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if c := ev.Copy; ev.Kind == policy.Started && c.Stage == 0 && c.N == 0 {
		w.all++
		if w.jobs[c.Job-1].Stages[0].Local(c.Index, ev.Node) {
			w.local++
		}
	}
	return w.Scheduler.Step(ev, actions)
}

func (w *placesWatch) share() float64 { return 100 * float64(w.local) / float64(w.all) }
