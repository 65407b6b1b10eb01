package hopper_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// What the Scheduler promises.
func TestPromises(t *testing.T) {
	t.Run("its allocators give what the algorithms of the paper give", allocateAgreesWithThePaper)
	t.Run("after every event, its shares are those of the allocators that share all at once", schedulerShares)
	t.Run("the more jobs may go before smaller ones, the more tasks run where their data is", schedulerLocality)
	t.Run("it learns the tails of groups from the tasks that end", schedulerLearnsTails)
	t.Run("a straggler has no more copies at once than its rule says, however many cores are free", schedulerBoundsCopies)
	t.Run("over its life a straggler has at most 16 copies, however they end", schedulerBoundsLives)
}

// Whatever fits is started at once, but for what slots are kept from.
func TestSchedulerConformance(t *testing.T) {
	for _, c := range settings(t)[:4] {
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New:       func(policy.Truth) (policy.Scheduler, error) { return c.scheduler() },
				Allocates: c.Keep, // then jobs come faster than they end
				Keeps: func(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
					return p.(*line).Keeps(task.Job)
				},
			})
		})
	}
}

// Each turn with each rule of speculation, at least once.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for _, c := range settings(f) {
		configs = append(configs, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
			return c.scheduler()
		}})
	}
	policytest.Fuzz(f, configs...)
}

// A setting of a scheduler under test: Hopper, or what it is compared with.
type setting struct {
	name          string
	hopper.Config // of a rival its SpeculationConfig and Copies
	rival         func() central.Turn
}

// A spec of parts is what a setting makes.
type line struct {
	*central.Scheduler
	hopper *hopper.Scheduler // nil: it is a rival
}

func (s setting) scheduler() (*line, error) {
	if s.rival == nil {
		h, err := hopper.NewScheduler(s.Config)
		if err != nil {
			return nil, err
		}
		return &line{Scheduler: h.Scheduler, hopper: h}, nil
	}
	copies, err := hopper.NewSpeculation(s.SpeculationConfig)
	if err != nil {
		return nil, err
	}
	p, err := central.New(central.Config{
		Turn: s.rival(), Place: new(hopper.Locality), Copy: copies, CopyWhen: s.CopyWhen, CopyTurn: s.rival(),
	})
	return &line{Scheduler: p}, err
}

func newLine(t testing.TB, s setting) *line {
	t.Helper()
	l, err := s.scheduler()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Explain is that of Hopper.
func (l *line) Explain(id policy.JobID) (hopper.Explanation, bool) { return l.hopper.Explain(id) }

// Keeps reports whether free cores are kept from the tasks of a job.
func (l *line) Keeps(id policy.JobID) bool { return l.hopper != nil && l.hopper.Keeps(id) }

func fewest() central.Turn { return baseline.Fewest() }
func fair() central.Turn   { return baseline.Fair() }

// byDRF is dominant resource fairness of jobs: no attribute has such a name, and so each has a user of its own.
func byDRF() central.Turn {
	turn, err := baseline.DRF(baseline.DRFConfig{User: "\x00"})
	if err != nil {
		panic(err) // there is nothing that could be wrong
	}
	return turn
}

// paper is the paper's parameters, under rivals too.
func paper() hopper.Config {
	return hopper.Config{SpeculationConfig: hopper.SpeculationConfig{Loss: math.Inf(1)}}
}

// equal is equal shares, whatever jobs are worth and wherever their data is.
var equal = hopper.TurnConfig{Epsilon: -1, Locality: -1, Dampening: -1}

// never is a rule that wants no copies.
type never struct{}

func (never) Next(*hopper.Phase, hopper.Room) (hopper.Move, bool) { return hopper.Move{}, false }
func (never) Kills() bool                                         { return false }

// asking is parameters with a rule that is asked so often.
func asking(rule hopper.Speculator, period policy.Duration) hopper.Config {
	return hopper.Config{SpeculationConfig: hopper.SpeculationConfig{Rule: rule, Period: period}, TurnConfig: equal}
}

// settings are turns with rules of speculation, each of both at least once, by name.
func settings(t testing.TB) []setting {
	rules := speculators(t)
	of := func(name string, change func(*setting)) setting {
		s := setting{name: name, Config: paper()}
		change(&s)
		return s
	}
	return []setting{
		of("Fair", func(s *setting) { s.rival, s.Rule = fair, rules["Mantri"] }),
		of("Hopper", func(s *setting) { s.Group = "user" }),
		of("Hopper, kept", func(s *setting) { s.Keep, s.Epsilon, s.Rule = true, 1, rules["RAS"] }),
		of("Hopper, memory", func(s *setting) { s.Group, s.Memory, s.Rule = "user", true, rules["Simple"] }),
		of("DRF, after all", func(s *setting) { s.rival, s.CopyWhen = byDRF, central.AfterAll }),
		of("SRPT", func(s *setting) { s.rival, s.Rule = fewest, rules["LATE"] }),
		of("SRPT, after own", func(s *setting) { s.rival, s.CopyWhen, s.Rule = fewest, central.AfterOwn, rules["GS"] }),
	}
}

// allocators are Hopper and its rivals, with a rule that is asked so often.
func allocators(rule hopper.Speculator, period policy.Duration, epsilon float64) []setting {
	c := asking(rule, period)
	c.Epsilon = epsilon
	return []setting{
		{name: "Hopper", Config: c}, {name: "SRPT", Config: c, rival: fewest},
		{name: "Fair", Config: c, rival: fair}, {name: "DRF", Config: c, rival: byDRF},
	}
}

func schedulerShares(t *testing.T) {
	grass := speculators(t)["GRASS"]
	for _, tt := range []struct {
		name    string
		change  func(*hopper.Config)
		epsilon float64
		pipe    bool
		faults  bool
	}{
		{"ε 0.1", func(*hopper.Config) {}, 0.1, true, false},
		{"ε 0, groups", func(c *hopper.Config) { c.Epsilon, c.Group = -1, "group" }, 0, false, false},
		{"ε 1, groups, kept", func(c *hopper.Config) { c.Epsilon, c.Group, c.Keep = 1, "group", true }, 1, true, false},
		{"faults", func(c *hopper.Config) { c.Group = "group" }, 0.1, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := paper()
			c.Rule = grass
			tt.change(&c)
			compared, tails := 0, map[float64]bool{}
			compare := func(b *books, ev *policy.Event) error {
				ids, demands, err := b.demands(hopper.DampeningHadoop)
				if err != nil {
					return err
				}
				for i := range demands {
					d := &demands[i]
					tails[d.Tail] = true
				}
				want, err := hopper.EpsilonFair(nil, float64(b.cores), tt.epsilon, demands)
				if err != nil {
					return err
				}
				for i, id := range ids {
					if e, ok := b.Explain(id); !ok || math.Abs(e.Share-want[i]) > 1e-9*(1+want[i]) {
						return fmt.Errorf("after %v of %v: the share of job %d is %v, %t, want %v", ev.Kind, ev.Copy, id, e.Share, ok, want[i])
					}
					compared++
				}
				return nil
			}
			newLife := func() *books {
				b := newBooks(t, setting{Config: c})
				b.hopper.LearnFrom(40, 20)
				b.after = func(ev *policy.Event) error { return compare(b, ev) }
				return b
			}
			config := sim.Config{}
			if tt.faults {
				config.Faults = sim.Faults{Seed: 3, MeanUp: 10 * time.Minute, MeanDown: time.Minute, TaskFailure: 0.02}
				config.Delay = 50 * time.Millisecond
				config.Faults.Restarts = []policy.Time{200 * second, 201 * second, 900 * second}
				config.Faults.NewPolicy = func() (policy.Scheduler, error) { return newLife(), nil }
			}
			jobs := small(60)
			jobs.pipe = tt.pipe
			newLife().run(t, jobs, config)
			if compared < 2000 {
				t.Errorf("compared %d shares only", compared)
			}
			if c.Group != "" && len(tails) < 3 {
				t.Errorf("%d tails came up, want several", len(tails))
			}
		})
	}
}

// books stand between a host and a scheduler, and keep by themselves, as plainly as can be, what the
// scheduler's comments are about.
type books struct {
	*line
	cores int
	jobs  map[policy.JobID]*entry
	// start is called for each Start, before it counts, and after is, when there are no more.
	start func(j *entry, c policy.Copy, another bool) error
	after func(ev *policy.Event) error
}

type entry struct {
	job      *policy.Job
	ready    []bool
	finished []int
	done     map[policy.Task]bool
	copies   map[policy.Copy]bool // that run, or were told to start; true: not the first of its task
	running  map[policy.Task]int  // how many of these there are
}

func newBooks(t *testing.T, s setting) *books {
	t.Helper()
	return &books{
		line: newLine(t, s), jobs: map[policy.JobID]*entry{},
		start: func(*entry, policy.Copy, bool) error { return nil },
		after: func(*policy.Event) error { return nil },
	}
}

func (b *books) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	id := ev.Copy.Job
	j := b.jobs[id]
	switch ev.Kind {
	case policy.Joined:
		b.cores += int(ev.Info.Cores)
	case policy.Left:
		b.cores -= 4 // all nodes of these tests have as many
	case policy.Submitted:
		stages := len(ev.Job.Stages)
		b.jobs[id] = &entry{
			ev.Job, make([]bool, stages), make([]int, stages), map[policy.Task]bool{}, map[policy.Copy]bool{}, map[policy.Task]int{},
		}
	case policy.Ended:
		delete(b.jobs, id)
	case policy.Ready:
		j.ready[ev.Copy.Stage] = true
	case policy.Started:
		if ev.Replay {
			j.copies[ev.Copy] = j.runs(ev.Copy.Task)
			j.running[ev.Copy.Task]++
		}
	case policy.Refused, policy.Failed, policy.Killed, policy.Lost:
		j.end(ev.Copy)
	case policy.Finished:
		j.end(ev.Copy)
		j.done[ev.Copy.Task] = true
		j.finished[ev.Copy.Stage]++
	}
	before := len(actions)
	actions, err := b.line.Step(ev, actions)
	for _, a := range actions[before:] {
		j := b.jobs[a.Copy.Job]
		if a.Kind == policy.Start {
			another := j.runs(a.Copy.Task)
			if err == nil {
				err = b.start(j, a.Copy, another)
			}
			j.copies[a.Copy] = another
			j.running[a.Copy.Task]++
		}
	}
	if err == nil {
		err = b.after(ev)
	}
	return actions, err
}

func (j *entry) runs(task policy.Task) bool { return j.running[task] > 0 }

func (j *entry) end(c policy.Copy) {
	if _, ok := j.copies[c]; ok { // in a replay it may not be there
		delete(j.copies, c)
		j.running[c.Task]--
	}
}

// slots is how many slots the job has, and how many of these have copies.
func (j *entry) slots() (all, copies int) {
	for c, another := range j.copies {
		width := int(j.job.Stages[c.Stage].Width())
		all += width
		if another {
			copies += width
		}
	}
	return all, copies
}

// demand is T and T′ in slots, and α. T is what is left of stages that are ready, but for those that still read others through
// pipes. T′ is what is left of those that read stages in T through pipes.
func (j *entry) demand(dampening float64) (d hopper.Demand) {
	left := func(i int) float64 {
		return float64(int(j.job.Stages[i].Units())-j.finished[i]) * float64(j.job.Stages[i].Width())
	}
	reads := func(i, from int) bool {
		return slices.Contains(j.job.Stages[i].Reads, policy.Dep{Stage: uint32(from), Pipe: true}) && left(from) > 0
	}
	d.Weight = 1
	for i, ready := range j.ready {
		downstream, read := false, 0.0
		for k := range j.ready {
			downstream = downstream || reads(i, k)
			if reads(k, i) {
				read += left(k)
			}
		}
		if ready && !downstream {
			d.Tasks += left(i)
			d.Downstream += read
		}
	}
	if d.Downstream > 0 {
		d.Weight = max(1, math.Pow(d.Downstream/d.Tasks, dampening))
	}
	return d
}

// demands is what all jobs ask for by these books, in the order of the given IDs.
func (b *books) demands(dampening float64) (ids []policy.JobID, demands []hopper.Demand, err error) {
	last := policy.JobID(0)
	for id := range b.jobs {
		last = max(last, id)
	}
	for id := policy.JobID(1); id <= last; id++ {
		j := b.jobs[id]
		if j == nil {
			continue
		}
		e, ok := b.Explain(id)
		if !ok {
			return nil, nil, fmt.Errorf("job %d is not there", id)
		}
		d := j.demand(dampening)
		d.Tail = e.Tail
		if math.Abs(e.Alpha-d.Weight) > 1e-12*e.Alpha {
			return nil, nil, fmt.Errorf("job %d: α is %v, want %v", id, e.Alpha, d.Weight)
		}
		if e.Tasks != d.Tasks || e.Downstream != d.Downstream {
			return nil, nil, fmt.Errorf("job %d: T is %v and T′ %v, want %v and %v", id, e.Tasks, e.Downstream, d.Tasks, d.Downstream)
		}
		if all, copies := j.slots(); int(e.Slots) != all || int(e.Copies) != copies {
			return nil, nil, fmt.Errorf("job %d has %v slots, %v of copies, want %v, %v", id, e.Slots, e.Copies, all, copies)
		}
		ids = append(ids, id)
		demands = append(demands, d)
	}
	return ids, demands, nil
}

// run runs jobs under the books.
func (b *books) run(t *testing.T, jobs bed, c sim.Config) *sim.Result {
	t.Helper()
	c.Jobs, c.Truth = workload.SplitSource(jobs.source(t))
	c.Nodes = sim.Cluster(sim.Partition{Nodes: jobs.nodes, Cores: int32(jobs.cores)})
	result, err := sim.Run(context.Background(), c, b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range result.Jobs {
		if j := &result.Jobs[i]; j.Outcome != policy.Done && j.Outcome != policy.TaskFailed && j.Outcome != policy.Cancelled {
			t.Fatalf("job %d is %v", j.ID, j.Outcome)
		}
	}
	return result
}

// run1 runs one job of one stage, whose tasks take 10 s, and returns when it was done.
func run1(t *testing.T, p policy.Scheduler, stage policy.Stage, nodes []policy.Node) time.Duration {
	t.Helper()
	runtimes := slices.Repeat([]policy.Duration{10 * time.Second}, int(stage.Tasks))
	result := runtest.Run(t, sim.Config{Nodes: nodes}, []*workload.Job{{
		Job: policy.Job{ID: 1, Stages: []policy.Stage{stage}}, Runtimes: [][]policy.Duration{runtimes},
	}}, p)
	if j := &result.Jobs[0]; j.Outcome != policy.Done {
		t.Fatalf("the job is %v", j.Outcome)
	}
	return result.Jobs[0].JCT()
}
