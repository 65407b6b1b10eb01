package main

import (
	"context"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A hopperPolicy is a scheduler of package hopper with the parameters of section 6, but for the
// change. The name tells it from others.
type hopperPolicy struct {
	name   string
	rule   hopperRule
	change func(c *hopper.Config)
	known  bool // t_new is what the jobs have, and not learnt from tasks that have finished
}

// A hopperRule is a rule of speculation; the zero one is GRASS.
type hopperRule struct {
	name string
	make func() (hopper.Speculator, error)
}

// scheduler makes the scheduler for some jobs.
func (p *hopperPolicy) scheduler(jobs []*workload.Job) (s *hopper.Scheduler, err error) {
	c := hopper.DefaultConfig()
	c.Group = "group"
	if p.rule.make != nil {
		if c.Rule, err = p.rule.make(); err != nil {
			return nil, err
		}
	}
	if p.known {
		c.Expected = func(t policy.Task) float64 { return jobs[t.Job-1].Luck.Base[t.Stage].Seconds() }
	}
	if p.change != nil {
		p.change(&c)
	}
	return hopper.NewScheduler(c)
}

// A lab runs policies on beds, each pair once, however many figures tell of it.
type lab struct {
	trials map[trialKey]*trial
	order  []*trial
}

// A trialKey is a bed, by all that it is, and the name of a policy.
type trialKey struct {
	bed    hopperBed
	policy string
}

// A trial is a policy on a bed, and what came of it, by seed.
type trial struct {
	bed    *hopperBed
	policy hopperPolicy
	runs   []hopperRun
}

// A hopperRun is what became of the jobs of one seed.
type hopperRun struct {
	times []float64 // completion times, by job, s
	tasks []int     // by job
	chain []int     // how many stages it has
	local float64   // % of the tasks of first stages that ran where their data is
	busy  float64   // % of the cores
}

// ask returns what will be the trial of a policy on a bed.
func (l *lab) ask(b *hopperBed, p hopperPolicy) *trial {
	key := trialKey{*b, p.name}
	t := l.trials[key]
	if t == nil {
		if l.trials == nil {
			l.trials = map[trialKey]*trial{}
		}
		t = &trial{bed: b, policy: p}
		l.trials[key] = t
		l.order = append(l.order, t)
	}
	return t
}

// run runs the trials that were asked for, each seed by itself.
func (l *lab) run(ctx context.Context) error {
	type one struct {
		t *trial
		i int // of the seed
	}
	var all []one
	for _, t := range l.order {
		for i := range t.bed.seeds {
			all = append(all, one{t, i})
		}
	}
	runs, err := inEach(ctx, all, func(o one) (hopperRun, error) {
		run, err := o.t.bed.run(ctx, o.i, &o.t.policy)
		if err != nil {
			err = fmt.Errorf("%s, %s, seed %d: %w", o.t.bed.name, o.t.policy.name, o.i+1, err)
		}
		return run, err
	})
	if err != nil {
		return err
	}
	for k, o := range all {
		o.t.runs = append(o.t.runs, runs[k])
	}
	return nil
}

// run runs the jobs of the i-th seed under a policy.
func (b *hopperBed) run(ctx context.Context, i int, p *hopperPolicy) (hopperRun, error) {
	list, err := b.jobs(uint64(i + 1))
	if err != nil {
		return hopperRun{}, err
	}
	s, err := p.scheduler(list)
	if err != nil {
		return hopperRun{}, err
	}
	watched := &placesWatch{Scheduler: s, jobs: list}
	result, err := b.simulate(ctx, list, watched)
	if err != nil {
		return hopperRun{}, err
	}
	run := hopperRun{local: watched.share(), busy: 100 * result.Busy / result.Available}
	for k := range result.Jobs {
		run.times = append(run.times, result.Jobs[k].JCT().Seconds())
		run.tasks = append(run.tasks, result.Jobs[k].Tasks)
		run.chain = append(run.chain, len(list[k].Stages))
	}
	return run, nil
}

// simulate runs jobs on the nodes of the bed.
func (b *hopperBed) simulate(ctx context.Context, list []*workload.Job, s policy.Scheduler) (*sim.Result, error) {
	jobs, truth := workload.Split(workload.Of(list))
	h := &b.params
	return sim.Run(ctx, sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: h.Nodes, Cores: int32(h.Cores), Memory: h.NodeMemory}), Jobs: jobs, Truth: truth,
	}, s)
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
