package main

import (
	"context"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
)

// A hopperSystem is a scheduler of package hopper with the parameters of section 6, but for the
// change. The name tells it from others.
type hopperSystem struct {
	name   string
	change func(c *hopper.Config)
	rival  allocator    // in place of Hopper's turn, if it is one
	copies central.When // of the rival
	alone  bool         // the rival runs no copies
	known  bool         // t_new is what the jobs have, and not learnt from tasks that have finished
}

var byHopper = hopperSystem{name: "Hopper"}

// ours is Hopper with a change.
func ours(what string, change func(c *hopper.Config)) hopperSystem {
	return hopperSystem{name: "Hopper, " + what, change: change}
}

// withoutCopies is a rival that runs none, to show what all copies together are worth.
func withoutCopies(a allocator) hopperSystem {
	return hopperSystem{name: a.name + ", no copies", rival: a, alone: true}
}

// An allocator says who gets the slots, in place of Hopper's turn.
type allocator struct {
	name string
	turn func() central.Turn
}

// What Hopper is compared with: fewest tasks left first, and fewest slots first.
var (
	bySRPT = allocator{"SRPT", func() central.Turn { return baseline.Fewest() }}
	byFair = allocator{"Fair", func() central.Turn { return baseline.Fair() }}
)

// speculating makes a scheduler in which copies run by best effort, or in a reserved share of the slots.
func (a allocator) speculating(c hopper.SpeculationConfig, copies central.When, reserved float64) (*central.Scheduler, error) {
	copier, err := hopper.NewSpeculation(c)
	if err != nil {
		return nil, err
	}
	return central.New(central.Config{
		Turn: a.turn(), Place: new(hopper.Locality), Copy: copier, CopyWhen: copies, Reserved: reserved, CopyTurn: a.turn(),
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

// rivalOf is what Hopper is compared with: an allocator whose copies run by best effort in one reading.
func rivalOf(a allocator, reading copyReading) hopperSystem {
	return hopperSystem{name: a.name + ", copies " + reading.name, rival: a, copies: reading.turn}
}

// scheduler makes the scheduler for some jobs.
func (s *hopperSystem) scheduler(d *hopperJobs) (_ policy.Scheduler, err error) {
	var c hopper.Config
	c.Loss = math.Inf(1) // copies need not pay, under the rivals either
	if s.known {
		c.Expected = func(t policy.Task) float64 { return d.list[t.Job-1].Luck.Base[t.Stage].Seconds() }
	}
	if s.change != nil {
		s.change(&c)
	}
	switch {
	case s.alone:
		return central.New(central.Config{Turn: s.rival.turn(), Place: new(hopper.Locality)})
	case s.rival.turn != nil:
		return s.rival.speculating(c.SpeculationConfig, s.copies, 0)
	}
	return hopper.NewScheduler(c)
}

// ask asks for the trial of a system.
func (b *hopperBed) ask(l *lab, s hopperSystem) *trial[hopperRun] {
	return ask(l, &bed[hopperJobs]{name: b.name, seeds: b.seeds, draw: b.draw}, s.name, s.run)
}

// A hopperRun is the sum of the completion times of the jobs of one seed, in s. All trials of a bed have the same jobs.
type hopperRun float64

func hopperTimes(run hopperRun) float64 { return float64(run) }

// run runs jobs under the system.
func (s *hopperSystem) run(ctx context.Context, d hopperJobs) (sum hopperRun, err error) {
	scheduler, err := s.scheduler(&d)
	if err != nil {
		return 0, err
	}
	result, err := sim.Run(ctx, sim.Config{Nodes: d.nodes, Jobs: d.jobs, Truth: d.truth}, scheduler)
	if err != nil {
		return 0, err
	}
	for k := range result.Jobs {
		sum += hopperRun(result.Jobs[k].JCT().Seconds())
	}
	return sum, nil
}
