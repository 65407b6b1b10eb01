package hopper

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// TurnConfig describes Hopper's turn. The zero TurnConfig is the thesis'.
type TurnConfig struct {
	// Epsilon is the part of its fair share that a job may lose, at most 1: see [EpsilonFair]. 0 means 0.1, and below 0 none.
	Epsilon float64
	// Keep reserves the slots of a share that its job cannot use yet, so that copies need not wait for a slot.
	// Otherwise other jobs borrow them.
	Keep bool
	// Locality is the fraction of jobs, smallest first, among which the job with the most local
	// tasks goes next, at most 1 (section 5.1). 0 means 0.03, and below 0 none.
	Locality float64
	// Tail is the tail β of the runtimes of tasks, > 1 and at most 1e100; 0 means 1.2, as in section 6.4.2.
	Tail float64
	// Group names the job attribute whose value is the job's group; jobs without the attribute form one group. Each
	// group has its own tail, learnt from its last 1000 tasks except those that read through pipes, and Tail until 200
	// have ended. If Group is empty and Tail is set, all jobs have Tail. If neither is set, Group is "group", and jobs
	// without that attribute have 1.2.
	Group string
	// Dampening is the exponent of the weights α of jobs whose running phase is read through pipes, at most 1,
	//
	//	α = (T′ / T)^Dampening
	//
	// and at least 1. T is the remaining tasks of the running phase: stages that are Ready and read no unfinished stage
	// through a pipe. T′ is the tasks of the stages that read it through pipes. They count as T only when their input is
	// finished, though they may start and hold slots before: until then α gives the job slots for them.
	// 0 means DampeningHadoop, and below 0 all jobs have the weight 1.
	Dampening float64
	// Memory counts memory beside cores, on nodes with limited memory: a task counts as the mean of its shares of the
	// cluster's cores and of its memory (section 6.3, footnote 2).
	Memory bool
}

// turn is Hopper's turn: see [NewTurn].
type turn struct {
	config TurnConfig
	view   *central.View
	slots  func() int64
	jobs   policy.Table[policy.JobID, sized]
	line   line
	local  locality
	each   float64 // cores for each byte, if memory counts
	tails  tails
	lone   bool // jobs without the attribute are in no group
}

// sized is a turn's record of a job.
type sized struct {
	*central.Job
	seat    seat // among those that share
	changed bool // its demand is another one than its seat says
	has     central.Usage
	wanted  wanted
	pipes   []piped // of each stage; nil if there are none
	grouped bool    // it is in a group, this one:
	group   string
	tail    float64 // of its tasks, β
	placed  int     // its stages that say which nodes hold what tasks read
}

// NewTurn returns the turn of a [Scheduler], to combine with other copies and placement by central.New. Shares are those of
// [EpsilonFair]. The next slot goes to the job with the smallest max(T, T′) among those that have less than their share, even
// by a part of a slot: see TurnConfig.Dampening. If there is none, it goes to the job with the smallest among all that can
// use a slot, unless Keep forbids that. If there are more jobs than slots, each share is below one slot, and there are hardly
// any copies.
//
// It learns the tails of groups from the ended tasks that a [Speculation] beside it reports. A group's jobs get its new tail
// one by one, at each task that finishes.
//
// A step takes time in proportion to the jobs that the slots reach, or that are passed over because they have their share,
// and moves up to 16 bytes for each job. It allocates only when a job comes or a tail is fitted. It returns an error that
// names the field that is out of range.
//
// # Source
//
// Hopper, chapters 3 to 5: shares are those of Algorithm 4, with weights (section 4.1) and fairness (section 3.5). The thesis
// does not say which job goes first among those that have less than their share, nor what happens to slots that a job cannot
// use: these rules are ours.
func NewTurn(c TurnConfig) (central.Turn, error) { return newTurn(c) }

func newTurn(c TurnConfig) (*turn, error) {
	lone := c.Group == "" && c.Tail == 0
	if lone {
		c.Group = "group"
	}
	c.Tail = cmp.Or(c.Tail, homogeneousTail)
	for _, x := range []struct {
		name  string
		value *float64
		other float64
	}{{"Epsilon", &c.Epsilon, 0.1}, {"Locality", &c.Locality, 0.03}, {"Dampening", &c.Dampening, DampeningHadoop}} {
		if !(*x.value <= 1) {
			return nil, fmt.Errorf("hopper: TurnConfig.%s is %v, want at most 1, below 0 for none, or 0 for %v", x.name, *x.value, x.other)
		}
		*x.value = max(0, cmp.Or(*x.value, x.other))
	}
	switch {
	case !(c.Tail > 1 && c.Tail <= maxTail):
		return nil, fmt.Errorf("hopper: TurnConfig.Tail is %v, must be > 1, at most %v, or 0 for %v", c.Tail, maxTail, homogeneousTail)
	}
	return &turn{config: c, line: line{water: water{epsilon: c.Epsilon}}, tails: newTails(c.Tail), lone: lone}, nil
}

// Bind implements [central.Turn].
func (t *turn) Bind(b central.Books) error {
	if err := b.Enter(&t.view); err != nil {
		return err
	}
	t.local.open.view, t.slots = b.View, b.Slots
	return nil
}

// Note implements [central.Turn].
func (t *turn) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Joined, policy.Left:
		t.resize()
	case policy.Submitted:
		own := &sized{Job: j, pipes: pipesOf(j.Job.Stages), tail: t.config.Tail}
		t.jobs.Put(j.Job.ID, own)
		if group, ok := j.Job.Attr(t.config.Group); t.config.Group != "" && (ok || !t.lone) {
			own.grouped, own.group = true, group
			t.tails.enrol(own)
		}
	case policy.Ended:
		own := t.jobs.Get(j.Job.ID)
		t.jobs.Delete(j.Job.ID)
		t.line.put(&own.seat, seat{})
		t.tails.leave(own)
		t.local.placed -= own.placed
	case policy.Ready:
		own, stage := t.jobs.Get(j.Job.ID), &j.Job.Stages[ev.Copy.Stage]
		own.opened(ev.Copy.Stage)
		own.changed = true
		if len(stage.Holders) > 0 {
			own.placed++
			t.local.placed++
		}
	case policy.Finished:
		own, stage := t.jobs.Get(j.Job.ID), &j.Job.Stages[ev.Copy.Stage]
		last := j.Stages[ev.Copy.Stage].Finished == stage.Units()
		own.finished(ev.Copy.Stage, last)
		own.changed, t.tails.finished = true, true
		if last && len(stage.Holders) > 0 {
			own.placed--
			t.local.placed--
		}
	}
	return nil
}

// resize updates the slots after the nodes have changed.
func (t *turn) resize() {
	cores, memory := t.view.Capacity()
	t.line.slots, t.line.known = min(float64(t.slots()), maxAmount), false
	if !t.config.Memory || memory <= 0 {
		return
	}
	if each := float64(cores) / memory; each != t.each {
		t.each = each
		for _, own := range t.jobs.All() {
			own.changed = true
			t.follow(own)
		}
	}
}

// Update implements [central.Turn].
func (t *turn) Update(j *central.Job, u central.Usage) {
	own := t.jobs.Get(j.Job.ID)
	if own.changed || own.has != u {
		own.has = u
		t.follow(own)
	}
	if t.tails.finished {
		t.tails.finished = false
		if own := t.tails.next(); own != nil {
			own.changed = true
			t.follow(own)
		}
	}
}

// follow updates the line with the demand of a job, its slots and whether it wants more.
func (t *turn) follow(own *sized) {
	is := own.seat
	if own.changed {
		own.changed, is = false, seat{}
		if d := t.demand(own); d.Tasks > 0 {
			is = d.seat(own.Job.Job.ID)
		}
	}
	if is.used = math.Inf(1); own.has.Wants {
		is.used = t.size(amount{own.has.Cores, own.has.Memory})
	}
	t.line.put(&own.seat, is)
}

// share returns the number of slots that a job should have, which may be more than it can use.
func (t *turn) share(id policy.JobID) float64 { return t.line.of(&t.jobs.Get(id).seat) }

// Next implements [central.Turn].
func (t *turn) Next() *central.Job {
	if j := t.first(short); j != nil || t.config.Keep {
		return j
	}
	return t.first(waits)
}

// first returns the job that goes first among those that are short of their share, or that want a slot.
func (t *turn) first(who among) *central.Job {
	for id := range t.line.all(who) {
		return t.view.Job(t.nearest(id, who))
	}
	return nil
}
