package gittins

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/estimate"
	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// What the Turn promises.
func TestPromises(t *testing.T) {
	t.Run("where runtimes are known, it orders by the work that remains: SRPT", rankOfTheTruth)
	t.Run("where nothing is known, it orders by attained service: LAS", nothingKnown)
	t.Run("at each start, no job that waits has a lower rank than the next", nextIsTheLeast)
	t.Run("jobs that are not urgent overtake a job for less than K times its work", overtakingIsBounded)
	t.Run("a job that has waited for MaxWait gets one unit before all others", maxWait)
	t.Run("jobs of which nothing is known go first one at a time", explorers)
	t.Run("a job is urgent from when it might be late until nothing lets it be in time", deadlines)
}

const second = policy.Duration(time.Second)

// endless lets jobs overtake however long others wait.
const endless = math.MaxFloat64

func turn(c Config) *Turn {
	return jobtest.Must(New(c))
}

// ageing returns a Turn with another K.
func ageing(k float64, c Config) *Turn {
	t := turn(c)
	t.overtaking = k
	return t
}

func beliefs() *forecast.Beliefs {
	p := jobtest.Must(predict.New(predict.Config{Features: []string{"program"}}))
	return jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: p}))
}

func truth(of policy.Truth) central.Forecast {
	return jobtest.Must(forecast.Truth(of))
}

// drawn draws jobs of one or two stages, some of them gangs, whose tasks run equally long within a stage.
func drawn(rng *rand.Rand, n int) (list []*workload.Job) {
	at := policy.Time(0)
	for id := range policy.JobID(n) {
		at = at.Add(policy.Duration(rng.Int64N(int64(6 * second))))
		j := &workload.Job{Job: policy.Job{ID: id + 1, Submitted: at, Attrs: []policy.Attr{{Name: "program", Value: fmt.Sprint(id % 7)}}}}
		for i := range 1 + rng.IntN(2) {
			stage := policy.Stage{Tasks: uint32(1 + rng.IntN(6)), Cores: int32(1 + rng.IntN(2)), Gang: rng.IntN(4) == 0}
			if stage.Gang {
				stage.Tasks = min(stage.Tasks, 4)
			}
			if i > 0 {
				stage.Reads = []policy.Dep{{Stage: 0}}
			}
			d := policy.Duration(float64(second) * (1 + float64(id%7)) * math.Exp(rng.NormFloat64()))
			runtimes := make([]policy.Duration, stage.Tasks)
			for k := range runtimes {
				runtimes[k] = d
			}
			j.Stages, j.Runtimes = append(j.Stages, stage), append(j.Runtimes, runtimes)
		}
		list = append(list, j)
	}
	return list
}

// run returns when each job ends, s.
func run(t *testing.T, list []*workload.Job, c func(truth policy.Truth) central.Config) (ends []float64) {
	t.Helper()
	jobs, truth := workload.Split(list)
	p := jobtest.Must(central.New(c(truth)))
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 4}), Jobs: jobs, Truth: truth}, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range result.Jobs {
		ends = append(ends, j.Ended.Sub(0).Seconds())
	}
	return ends
}

// Where the runtimes are known the rank is the work that remains, as for SRPT, and what a unit of many cores keeps
// idle.
func rankOfTheTruth(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		list := drawn(rng, 60)
		many := list[30] // has more stages than the Forecast is asked about at each event
		for range 2*allAsked + rng.IntN(200) {
			tasks := 1 + rng.IntN(2)
			many.Stages = append(many.Stages, policy.Stage{Tasks: uint32(tasks), Cores: 1})
			many.Runtimes = append(many.Runtimes, slices.Repeat([]policy.Duration{policy.Duration(1 + rng.Int64N(int64(second)))}, tasks))
		}
		many.SLO = &policy.SLO{Deadline: policy.Never, Utility: 1}
		run(t, list, func(of policy.Truth) central.Config {
			g := turn(Config{})
			asked := &asked{Turn: g, ask: func(*central.Job) {
				for id, j := range g.view.Jobs() {
					want := 0.0
					if stage, ok := j.Next(); ok && g.freed > 0 {
						w := float64(j.Job.Stages[stage].Width())
						want = w * (w - 1) / 2 * g.view.Now().Sub(list[0].Submitted).Seconds() / g.freed
					}
					time := 0.0 // of all stages one after the other
					for i, stage := range j.Job.Stages {
						left := float64(stage.Units() - j.Stages[i].Finished)
						want += left * float64(stage.Width()) * list[id-1].Runtimes[i][0].Seconds()
						if left > 0 && j.Job.SLO != nil {
							time += list[id-1].Runtimes[i][0].Seconds()
						}
					}
					got, need, _, _ := g.left(g.jobs.Get(id))
					for _, x := range []float64{need.least, need.mid, need.great} {
						if !scalar.EqualWithinAbsOrRel(x, time, 1e-6, 1e-9) {
							t.Errorf("seed %d: job %d needs %+v, want %v s", seed, id, need, time)
						}
					}
					if !scalar.EqualWithinAbsOrRel(got, want, 1e-6, 1e-9) {
						t.Errorf("seed %d: job %d has rank %v, and its remaining work is %v", seed, id, got, want)
					}
					if again := g.jobs.Get(id).noted; len(again) > 0 {
						t.Errorf("seed %d: the next event of job %d asks about stages %v, which had none", seed, id, again)
					}
				}
			}}
			return central.Config{Turn: asked, Forecast: truth(of)}
		})
	}
}

// asked is a Turn that tells whenever it was asked for the next job.
type asked struct {
	*Turn
	ask func(next *central.Job)
}

func (a *asked) Next() *central.Job {
	next := a.Turn.Next()
	if next != nil {
		a.ask(next)
	}
	return next
}

// Where nothing is known the order is by attained service: LAS. A job keeps its place until it has an eighth more, or
// what it gets in a second.
func nothingKnown(t *testing.T) {
	for seed := range uint64(20) {
		list := drawn(rand.New(rand.NewPCG(seed, 1)), 60)
		starts := 0
		run(t, list, func(policy.Truth) central.Config {
			g := ageing(endless, Config{})
			return central.Config{Forecast: forecast.Nothing(), Turn: &asked{Turn: g, ask: func(next *central.Job) {
				starts++
				for id, j := range g.view.Jobs() {
					least := g.view.Service(j)
					if most := 9.0/8*least + j.Rate(); j.Waiting > 0 && g.jobs.Get(next.Job.ID).rank > max(most, minRank)*(1+1e-9) {
						t.Errorf("seed %d: job %d is next after %v core-seconds, and job %d has had %v", seed, next.Job.ID, g.view.Service(next), id, least)
					}
				}
			}}}
		})
		if starts < 100 {
			t.Errorf("seed %d: %d starts, want more", seed, starts)
		}
	}
}

// wide reports whether the next unit of a job keeps cores idle, which changes with time.
func wide(j *central.Job) bool {
	stage, _ := j.Next()
	return j.Job.Stages[stage].Width() > 1
}

// At each start, no job that waits goes before the one that is next, and no key of a job that waits is due to be
// worked out anew.
func nextIsTheLeast(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	moved := 0
	for seed := range uint64(30) {
		list := drawn(rand.New(rand.NewPCG(seed, 2)), 60)
		value := func(j *policy.Job, now policy.Time) (float64, policy.Time) {
			passed := now / policy.Time(2*second)
			return float64(1 + (policy.Time(j.ID)+passed)%3), (passed + 1) * policy.Time(2*second)
		}
		run(t, list, func(of policy.Truth) central.Config {
			g, know := ageing(20, Config{Worth: value}), beliefs()
			learn(t, know, 10*second) // or nothing is known at first
			return central.Config{Forecast: know, Turn: &asked{Turn: g, ask: func(next *central.Job) {
				if g.Reordered() {
					moved++
				}
				first := g.jobs.Get(next.Job.ID)
				if g.timed.Len() > g.waiting.Len() {
					t.Errorf("seed %d: %d jobs have an alarm, and %d wait", seed, g.timed.Len(), g.waiting.Len())
				}
				for id, j := range g.view.Jobs() {
					if j.Waiting > 0 && g.Compare(j, next) < 0 {
						t.Errorf("seed %d: job %d is next, and job %d goes before it", seed, next.Job.ID, id)
					}
					e := g.jobs.Get(id)
					_, waits := j.Next()
					if waits && e.due <= g.view.Now() {
						t.Errorf("seed %d: the key of job %d is out of date since %v", seed, id, e.due)
					}
					if waits && !e.has && !wide(j) { // else it changes with time, within what is due
						want, _, _, _ := g.left(e)
						worth, _ := value(j.Job, g.view.Now())
						if !scalar.EqualWithinRel(e.rank, want/worth, 1e-9) {
							t.Errorf("seed %d: job %d has rank %v, want %v/%v", seed, id, e.rank, want, worth)
						}
					}
				}
				if rank, ok := rankOf(g, next.Job.ID); !ok || first.key != math.Log(rank)+first.number/20 {
					t.Errorf("seed %d: job %d is next, and its rank is %v, %v", seed, next.Job.ID, rank, ok)
				}
			}}}
		})
	}
	if moved < 50 {
		t.Errorf("%d ranks changed while a pilot ran, want more", moved)
	}
}

// One core. A job of 1000 s comes first but for one that runs. Then jobs come one at a time, each just short enough
// to overtake it: what they take adds up to less than K times 1000 s, and to more than half of that. If they are
// urgent it is ten times as much.
func overtakingIsBounded(t *testing.T) {
	for _, k := range []float64{1, 5, 40} {
		for _, factor := range []float64{1, urgent} {
			const r = 1000.0
			list := []*workload.Job{bag(1, 0, 1, 1), bag(2, 0, 1, r)}
			at := 0.5
			for m := 1.0; m < 12*k; m++ {
				short := factor * r * math.Exp(-m/k) * 0.999
				j := bag(policy.JobID(2+m), at, 1, short)
				if factor > 1 {
					j.SLO = &policy.SLO{Deadline: j.Submitted.Add(policy.Duration(1.6e9 * short)), Utility: 1}
				}
				list = append(list, j)
				at = max(at, 1) + short - min(short/2, 1e-3) // comes just before the one before it ends
			}
			jobs, of := workload.Split(list)
			p := jobtest.Must(central.New(central.Config{Turn: ageing(k, Config{}), Forecast: truth(of)}))
			result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: of}, p)
			if err != nil {
				t.Fatal(err)
			}
			waited := result.Jobs[1].FirstStart.Sub(0).Seconds() - 1
			if bound := factor * r / (math.Exp(1/k) - 1); waited > bound || waited < bound/2 {
				t.Errorf("K = %v: %v s of later jobs went before, want at most %v s and at least half of it", k, waited, bound)
			}
		}
	}
}

// starts runs jobs of tasks of some seconds, which a Forecast knows but for those of 10 s, and returns the jobs of the tasks in the order
// of their starts.
func starts(t *testing.T, cores int32, c Config, list ...*workload.Job) (order []policy.JobID) {
	t.Helper()
	jobs, of := workload.Split(list)
	g := turn(c)
	ask := &asked{Turn: g}
	s := jobtest.Must(central.New(central.Config{Turn: ask, Forecast: but10{truth(of)}}))
	ask.ask = func(next *central.Job) {
		if s.View().Free(0) > 0 {
			order = append(order, next.Job.ID)
		}
	}
	if _, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: cores}), Jobs: jobs, Truth: of}, s); err != nil {
		t.Fatal(err)
	}
	return order
}

// but10 is a Forecast that knows nothing of what takes 10 s.
type but10 struct{ central.Forecast }

func (f but10) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	d, ok := f.Forecast.Runtime(j, stage)
	return d, ok && d.Mean() != 10
}

// bag returns a job of tasks on one core.
func bag(id policy.JobID, at float64, tasks int, runtime float64) *workload.Job {
	return &workload.Job{
		Job:      policy.Job{ID: id, Submitted: policy.Time(at * 1e9), Stages: []policy.Stage{{Tasks: uint32(tasks), Cores: 1}}},
		Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{policy.Duration(runtime * 1e9)}, tasks)},
	}
}

// Job 1 has two long tasks, and short jobs come faster than one core serves them.
func maxWait(t *testing.T) {
	list := []*workload.Job{bag(2, 0, 1, 2), bag(1, 0.5, 2, 50)}
	for id := range policy.JobID(100) {
		list = append(list, bag(id+3, 1.9*float64(id+1), 1, 2))
	}
	for _, test := range []struct {
		wait  float64
		first int // task that job 1 starts, and the other one
		then  int
	}{{0, 101, 102}, {20, 11, 22}, {100, 51, 102}} {
		order := starts(t, 1, Config{MaxWait: policy.Duration(test.wait * 1e9)}, list...)
		first := slices.Index(order, 1)
		if then := first + 1 + slices.Index(order[first+1:], 1); first != test.first || then != test.then {
			t.Errorf("MaxWait %v s: job 1 starts tasks %d and %d of all, want %d and %d", test.wait, first, then, test.first, test.then)
		}
	}
}

// What waits for MaxWait goes first until a unit starts, and not while its Start is under way. It waits anew if that unit fails, and goes
// on waiting if the Start is refused.
func TestMaxWaitOfManyTasks(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []policy.Event // at 31 s, about task 0 of job 1
		want   policy.JobID   // that is next then
	}{
		{"under way", nil, 2},
		{"runs", []policy.Event{{Kind: policy.Started}}, 2},
		{"failed", []policy.Event{{Kind: policy.Started}, {Kind: policy.Failed, Again: true}}, 2},
		{"refused", []policy.Event{{Kind: policy.Refused, Again: true}}, 1},
	} {
		g := turn(Config{MaxWait: 20 * second})
		s := stepper{jobtest.Must(central.New(central.Config{Turn: g, Forecast: says{forecast.Nothing(), []central.Distribution{forecast.Known(9)}}})), t}
		for id, tasks := range []uint32{1: 8, 2: 3} { // job 2 has the lesser rank
			if id := policy.JobID(id); id > 0 {
				s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(id, 0), Job: &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}})
				s.step(policy.Event{Kind: policy.Ready, More: true, Copy: task(id, 0)})
			}
		}
		if next := g.Next().Job.ID; next != 2 {
			t.Errorf("%s: job %d is next at first, want 2", test.name, next)
		}
		s.step(policy.Event{Time: policy.Time(30 * second), Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
		for _, ev := range test.events {
			ev.Time, ev.More, ev.Copy = policy.Time(31*second), true, task(1, 0)
			if ev.Kind != policy.Refused {
				ev.Node = 1
			}
			s.step(ev)
		}
		if next := g.Next().Job.ID; next != test.want {
			t.Errorf("%s: job %d is next, want %d", test.name, next, test.want)
		}
	}
}

// While job 1 is unknown and runs, the known job 3 goes before the unknown job 2. Once job 1 is known, though it wants nothing more, job 2
// goes first as soon as a known job has got a core. Reordered tells of it.
func TestExplorerBecomesKnown(t *testing.T) {
	of := []central.Distribution{nil, nil, nil, forecast.Known(9)} // by job
	g := turn(Config{})
	s := stepper{jobtest.Must(central.New(central.Config{Turn: g, Forecast: byJob{forecast.Nothing(), of}})), t}
	s.step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}})
	submit := func(id policy.JobID) {
		s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(id, 0), Job: &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}})
		s.step(policy.Event{Kind: policy.Ready, Copy: task(id, 0)})
	}
	for id := range policy.JobID(3) {
		submit(id + 1)
	}
	for i := range uint32(2) {
		s.step(policy.Event{Kind: policy.Started, Copy: task(1, i), Node: 1})
	}
	if s.Compare(3, 2) > 0 {
		t.Error("the unknown job 2 goes before job 3 while job 1 explores")
	}
	g.Reordered()
	of[1] = forecast.Known(5)
	s.step(policy.Event{Time: policy.Time(second), Kind: policy.Finished, Copy: task(1, 0), Node: 1, Service: second}) // job 3 starts
	if s.Compare(2, 3) > 0 || !g.Reordered() {
		t.Error("job 2 does not go before job 3 when nobody explores and job 3 has got a core, or Reordered does not say so")
	}
}

// byJob is a Forecast that has a distribution for each job.
type byJob struct {
	central.Forecast
	of []central.Distribution
}

func (f byJob) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	d := f.of[j.Job.ID]
	return d, d != nil
}

// Cores are freed by copies that hold some, and not by what is told again after a restart.
func TestFreed(t *testing.T) {
	g := turn(Config{})
	s := stepper{jobtest.Must(central.New(central.Config{Turn: g, Forecast: forecast.Nothing()})), t}
	s.step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 9, Speed: 1}})
	s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(1, 0), Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 3}}}})
	s.step(policy.Event{Kind: policy.Ready, More: true, Copy: task(1, 0)})
	for _, test := range []struct {
		ev   policy.Event
		want float64
	}{
		{policy.Event{Kind: policy.Finished, Copy: task(1, 0), Replay: true}, 0},
		{policy.Event{Kind: policy.Started, Copy: task(1, 1), Replay: true}, 0},
		{policy.Event{Kind: policy.Started, Copy: task(1, 2), Replay: true}, 0},
		{policy.Event{Kind: policy.Finished, Copy: task(1, 1)}, 3},
		{policy.Event{Kind: policy.Suspended, Copy: task(1, 2)}, 6},
		{policy.Event{Kind: policy.Killed, Copy: task(1, 2), Idle: true}, 6},
	} {
		test.ev.Node, test.ev.More = 1, true
		s.step(test.ev)
		if g.freed != test.want {
			t.Errorf("%v: %v cores have been freed, want %v", test.ev.Kind, g.freed, test.want)
		}
	}
}

// Unknown jobs alternate with known ones on one core. On several no second one starts while the first one runs, unless a core would
// idle.
func explorers(t *testing.T) {
	for _, test := range []struct {
		name  string
		cores int32
		list  []*workload.Job
		want  []policy.JobID
	}{
		{"one core", 1, []*workload.Job{bag(1, 0, 4, 1), bag(2, 0, 1, 10), bag(3, 0, 1, 10), bag(4, 0, 2, 10)}, []policy.JobID{2, 1, 3, 1, 4, 1, 1, 4}},
		{"three cores", 3, []*workload.Job{bag(1, 0, 40, 1), bag(2, 0, 1, 10), bag(3, 0, 1, 10)}, slices.Concat([]policy.JobID{2}, slices.Repeat([]policy.JobID{1}, 20), []policy.JobID{3}, slices.Repeat([]policy.JobID{1}, 20))},
		{"a core idles", 3, []*workload.Job{bag(1, 0, 1, 1), bag(2, 0, 1, 10), bag(3, 0, 1, 10), bag(4, 2, 1, 1)}, []policy.JobID{2, 1, 3, 4}},
		{"all are unknown", 1, []*workload.Job{bag(1, 0, 2, 10), bag(2, 0, 2, 10)}, []policy.JobID{1, 2, 1, 2}},
	} {
		if got := starts(t, test.cores, Config{}, test.list...); !slices.Equal(got, test.want) {
			t.Errorf("%s: starts %v, want %v", test.name, got, test.want)
		}
	}
}

// A task takes 10, 20, 30, 40 or 50 s, and its job has until 200 s: it is urgent from 200 - 30 - 40 s, when it would
// need Q(0.8) if it waited Q(0.5) longer, to 200 - 10 s, when nothing lets it be in time. A second stage doubles what
// it needs. Deadlines that are worth nothing do not count. Neither does the deadline of a job whose runtimes are not
// known.
func deadlines(t *testing.T) {
	d := sample(t, 10, 20, 30, 40, 50)
	for _, test := range []struct {
		name     string
		stages   int
		of       central.Distribution
		slo      *policy.SLO
		from, to policy.Time // s
	}{
		{"one", 1, d, &policy.SLO{Deadline: policy.Time(200 * second), Utility: 1}, 130, 190},
		{"two stages", 2, d, &policy.SLO{Deadline: policy.Time(200 * second), Utility: 1}, 60, 180},
		{"worth nothing", 1, d, &policy.SLO{Deadline: policy.Time(200 * second)}, 0, 0},
		{"none", 1, d, nil, 0, 0},
		{"nothing known", 1, nil, &policy.SLO{Deadline: policy.Time(200 * second), Utility: 1}, 0, 0},
	} {
		g := turn(Config{})
		var f central.Forecast = says{forecast.Nothing(), []central.Distribution{test.of}}
		if test.of == nil {
			f = forecast.Nothing()
		}
		p := jobtest.Must(central.New(central.Config{Turn: g, Forecast: f}))
		s := stepper{p, t}
		stages := make([]policy.Stage, test.stages)
		for i := range stages {
			stages[i] = policy.Stage{Tasks: 1, Cores: 1}
		}
		s.step(policy.Event{Kind: policy.Submitted, Copy: task(1, 0), Job: &policy.Job{ID: 1, Stages: stages, SLO: test.slo}})
		s.step(policy.Event{Kind: policy.Ready, Copy: task(1, 0)})
		first, _ := rankOf(g, 1)
		for at := range policy.Time(210) {
			s.step(policy.Event{Time: at * policy.Time(second), Kind: policy.Woken})
			want := first
			if test.from <= at && at < test.to {
				want = first / 10
			}
			if rank, _ := rankOf(g, 1); rank != want {
				t.Fatalf("%s: rank %v after %d s, want %v", test.name, rank, at, want)
			}
		}
	}
}

// says is a Forecast that has the same distributions for all jobs, by stage.
type says struct {
	central.Forecast
	of []central.Distribution
}

func (f says) Runtime(_ *central.Job, stage uint32) (central.Distribution, bool) {
	d := f.of[min(int(stage), len(f.of)-1)]
	return d, d != nil
}

// rankOf returns the rank by which a job has its place, and false if it has never had one.
func rankOf(g *Turn, id policy.JobID) (rank float64, ok bool) {
	e := g.jobs.Get(id)
	if e == nil || e.rank == 0 {
		return 0, false
	}
	return e.rank, true
}

// A stepper tells a scheduler of events.
type stepper struct {
	*central.Scheduler
	t *testing.T
}

func (s stepper) step(ev policy.Event) {
	s.t.Helper()
	if _, err := s.Step(&ev, nil); err != nil {
		s.t.Fatal(err)
	}
}

// started returns a turn that goes by distributions, on nodes 1, of speed 1, and 2, of speed 2. Job 1, which wants
// six tasks in each of two or more stages, has just come. Two of its tasks start at the next event without More.
func started(t *testing.T, of ...central.Distribution) (*Turn, stepper) {
	t.Helper()
	g := turn(Config{})
	p := jobtest.Must(central.New(central.Config{Turn: g, Forecast: says{forecast.Nothing(), of}}))
	s := stepper{p, t}
	for id := range policy.NodeID(2) {
		s.step(policy.Event{Kind: policy.Joined, More: true, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: 1, Cores: 1, Speed: float64(id + 1)}})
	}
	stages := []policy.Stage{{Tasks: 6, Cores: 1}}
	for range max(2, len(of)) - 1 {
		stages = append(stages, policy.Stage{Tasks: 6, Cores: 1, Reads: []policy.Dep{{Stage: 0}}})
	}
	s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(1, 0), Job: &policy.Job{ID: 1, Stages: stages}})
	s.step(policy.Event{Kind: policy.Ready, More: true, Copy: task(1, 0)})
	return g, s
}

func task(job policy.JobID, index uint32) policy.Copy {
	return policy.Copy{Task: policy.Task{Job: job, Index: index}}
}

// sample returns the distribution of some values, and their number.
func sample(t *testing.T, values ...float64) central.Distribution {
	t.Helper()
	var s estimate.Sample
	for _, x := range values {
		if err := s.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

// Stages of one forecast share one pilot. Where forecasts differ the ranks add up. Once the pilot runs, all that has
// not started counts in full.
func TestStagesThatDiffer(t *testing.T) {
	x, y := sample(t, 1, 2, 3, 40), sample(t, 5, 7, 9)
	pilot := func(d central.Distribution, tasks int) float64 {
		return estimate.Gittins{Tasks: tasks, Nonpreemptive: true}.Rank(d, 0)
	}
	for _, test := range []struct {
		name          string
		of            []central.Distribution
		before, start float64
	}{
		{"one", []central.Distribution{x}, pilot(x, 12), 12 * 11.5},
		{"two", []central.Distribution{x, y}, pilot(x, 6) + pilot(y, 6), 6*11.5 + 6*7},
		{"known", []central.Distribution{forecast.Known(4), forecast.Known(5)}, 54, 54},
		{"two by turns", []central.Distribution{x, y, x, y}, pilot(x, 12) + pilot(y, 12), 12*11.5 + 12*7},
	} {
		g, s := started(t, test.of...)
		if before, _ := rankOf(g, 1); !scalar.EqualWithinRel(before, test.before, 1e-9) {
			t.Errorf("%s: rank %v at first, want %v", test.name, before, test.before)
		}
		s.step(policy.Event{Kind: policy.Woken})
		if start, _ := rankOf(g, 1); !scalar.EqualWithinRel(start, test.start, 1e-9) {
			t.Errorf("%s: rank %v when a pilot starts, want %v", test.name, start, test.start)
		}
	}
}

// The rank follows what a Forecast says next. If it knows nothing of a stage, the rank is the service; what is no number counts as
// infinite; and neither leaves anything behind.
func TestForecastThatChanges(t *testing.T) {
	x, y := central.Distribution(forecast.Known(4)), central.Distribution(forecast.Known(5))
	for _, stages := range []int{2, 4 * allAsked} {
		of := make([]central.Distribution, stages)
		g := turn(Config{})
		s := stepper{jobtest.Must(central.New(central.Config{Turn: g, Forecast: says{forecast.Nothing(), of}})), t}
		s.step(policy.Event{Kind: policy.Submitted, Copy: task(1, 0), Job: &policy.Job{ID: 1, Stages: slices.Repeat([]policy.Stage{{Tasks: 6, Cores: 1}}, stages)}})
		for _, test := range []struct {
			name        string
			first, last central.Distribution // of the halves of the stages
			want        float64              // of two stages
		}{
			{"at first", x, y, 54},
			{"the other way round", y, x, 54},
			{"one for all", y, y, 60},
			{"infinite", x, forecast.Known(math.Inf(1)), math.Inf(1)},
			{"a number again", x, y, 54},
			{"no number", forecast.Known(math.NaN()), y, math.Inf(1)},
			{"nothing known of some", x, nil, 0},
			{"two infinities", forecast.Known(math.Inf(-1)), forecast.Known(math.Inf(1)), math.Inf(1)},
			{"known again", x, x, 48},
			{"nothing known", nil, nil, 0},
		} {
			for i := range of {
				of[i] = test.first
				if i >= stages/2 {
					of[i] = test.last
				}
			}
			for range stages { // are asked about in turn
				g.left(g.jobs.Get(1))
			}
			if rank, _, _, _ := g.left(g.jobs.Get(1)); rank != test.want*float64(stages/2) {
				t.Errorf("%d stages, %s: rank %v, want %v", stages, test.name, rank, test.want*float64(stages/2))
			}
		}
		for _, all := range []central.Distribution{sample(t, 1, 2, 40), sample(t, 3, 4, 5)} { // of which one pilot tells
			for i := range of {
				of[i] = all
			}
			for range stages {
				g.left(g.jobs.Get(1))
			}
			want := estimate.Gittins{Tasks: 6 * stages, Nonpreemptive: true}.Rank(all, 0)
			if rank, _, _, _ := g.left(g.jobs.Get(1)); !scalar.EqualWithinRel(rank, want, 1e-9) {
				t.Errorf("%d stages of %v: rank %v, want %v", stages, all, rank, want)
			}
		}
	}
}

// Whoever only asks hears of ranks that change with time: job 1, whose pilot runs on, falls behind job 2.
func TestCompareLater(t *testing.T) {
	of := []central.Distribution{sample(t, 10, 20)}
	g, s := started(t, of...)
	s.step(policy.Event{Kind: policy.Woken})
	s.step(policy.Event{Kind: policy.Started, More: true, Copy: task(1, 0), Node: 1})
	s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(2, 0), Job: &policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 18, Cores: 1}}}})
	s.step(policy.Event{Kind: policy.Ready, More: true, Copy: task(2, 0)})
	if s.Compare(1, 2) > 0 {
		t.Error("job 1 is behind job 2 at first")
	}
	at := g.Until()
	for ; at < policy.Time(100*second) && s.Compare(1, 2) < 0; at = g.Until() {
		if at >= policy.Time(10*second) {
			of[0] = sample(t, 20)
		}
		s.step(policy.Event{Time: at, Kind: policy.Woken, More: true})
		if changed := at >= policy.Time(10*second); g.Reordered() != changed {
			t.Errorf("at %v the order changes: %v, and Reordered says otherwise", at, changed)
		}
	}
	if now := g.view.Now(); s.Compare(1, 2) < 0 || now < policy.Time(10*second) || now > policy.Time(12*second) {
		t.Errorf("the order changed at %v, want 10 s or a little later", now)
	}
}

func TestConfig(t *testing.T) {
	if _, err := New(Config{MaxWait: -1}); err == nil || !strings.Contains(err.Error(), "Config.MaxWait is -1ns") {
		t.Errorf("MaxWait of -1: error %v", err)
	}
	if _, err := central.New(central.Config{Turn: turn(Config{})}); err == nil || !strings.Contains(err.Error(), "set central.Config.Forecast") {
		t.Errorf("no Forecast: error %v", err)
	}
	for _, value := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		p := jobtest.Must(central.New(central.Config{Turn: turn(Config{Worth: func(*policy.Job, policy.Time) (float64, policy.Time) { return value, policy.Never }}), Forecast: forecast.Nothing()}))
		job := &policy.Job{ID: 7, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
		submitted := &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 7}}, Job: job}
		if _, err := p.Step(submitted, nil); err == nil || !strings.Contains(err.Error(), "Worth of job 7") {
			t.Errorf("worth of %v: error %v", value, err)
		}
	}
}

// A rank by a Belief allocates nothing, of a job of one unit neither.
func TestRankAllocatesNothing(t *testing.T) {
	var b estimate.Belief
	if err := b.Observe(10, 1); err != nil {
		t.Fatal(err)
	}
	for _, g := range []group{{d: &b, work: 1, width: 1}, {d: &b, work: 9, width: 1}} {
		if n := testing.AllocsPerRun(100, func() { g.resolve(true, true) }); n > 0 {
			t.Errorf("%+v: %v allocations", g, n)
		}
	}
}

// The order keeps what central.Order asks.
func TestOrderKeepsItsPromises(t *testing.T) {
	for name, fill := range map[string]func() central.Filler{"alone": func() central.Filler { return nil }, "filled": baseline.Conservative} {
		t.Run(name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{Allocates: true, New: func(policy.Truth) (policy.Scheduler, error) {
				return central.New(central.Config{Turn: policytest.Order(turn(Config{})), Fill: fill(), Forecast: beliefs()})
			}})
		})
	}
}

func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		fill bool
		of   func(policy.Truth) central.Forecast
	}{
		{"Beliefs", false, func(policy.Truth) central.Forecast { return beliefs() }},
		{"Beliefs, EASY", true, func(policy.Truth) central.Forecast { return beliefs() }},
		{"Truth", false, func(of policy.Truth) central.Forecast { return truth(of) }},
		{"Nothing", false, func(policy.Truth) central.Forecast { return forecast.Nothing() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New: func(truth policy.Truth) (policy.Scheduler, error) {
					c := central.Config{Turn: turn(Config{}), Forecast: test.of(truth)}
					if test.fill {
						c.Fill = baseline.EASY()
					}
					return central.New(c)
				},
			})
		})
	}
}

// What a group adds to the rank of its job.
func TestGroup(t *testing.T) {
	b := new(estimate.Belief)
	if err := b.Observe(10, 1); err != nil {
		t.Fatal(err)
	}
	x := sample(t, 1, 2, 3, 40)
	rank := func(d central.Distribution, tasks int) float64 {
		return estimate.Gittins{Tasks: tasks, Nonpreemptive: true}.Rank(d, 0)
	}
	inf := math.Inf(1)
	for _, test := range []struct {
		name          string
		g             group
		pilots, whole float64
		need          need
	}{
		{"one unit, a Belief", group{d: b, work: 3, width: 3, stages: 1}, 3 * b.RootMean(), 3 * b.Mean(), need{b.Quantile(0.05), b.Quantile(0.5), b.Quantile(0.8)}},
		{"units, a Belief", group{d: b, work: 12, width: 3, stages: 1}, 3 * rank(b, 4), 12 * b.Mean(), need{b.Quantile(0.05), b.Quantile(0.5), b.Quantile(0.8)}},
		{"one unit", group{d: x, work: 3, width: 3, stages: 1}, 3 * 11.5, 3 * 11.5, need{1, 2, 40}},
		{"units of three stages", group{d: x, work: 12, width: 3, stages: 3}, 3 * rank(x, 4), 12 * 11.5, need{3, 6, 120}},
		{"known to take no time", group{d: forecast.Known(0), work: 12, width: 3, stages: 1}, 0, 0, need{0, 0, 0}},
		{"no number", group{d: forecast.Known(math.NaN()), work: 12, width: 3, stages: 1}, inf, inf, need{inf, inf, inf}},
		{"all finished", group{d: x, width: 3}, 0, 0, need{}},
	} {
		for _, of := range []struct{ pilots, deadline bool }{{true, true}, {false, false}} {
			want := sums{whole: test.whole}
			if of.pilots {
				want.pilots = test.pilots
			}
			if of.deadline {
				want.need = test.need
			}
			test.g.resolve(of.pilots, of.deadline)
			if test.g.sums != want {
				t.Errorf("%s, %v: %+v, want %+v", test.name, of, test.g.sums, want)
			}
		}
	}
}

// A rank holds for an eighth of the time so far, and a second at least: of a job that runs, or of which nothing is known yet. A job that
// starts again counts anew. 0 stands for ever.
func TestRankHolds(t *testing.T) {
	x := []central.Distribution{forecast.Known(1000)}
	for _, test := range []struct {
		name  string
		f     central.Forecast
		cores int32 // of the node, on which the job runs from 16 s on
		at    policy.Time
		want  float64
	}{
		{"known, waits", says{forecast.Nothing(), x}, 0, 96, 0},
		{"known, runs", says{forecast.Nothing(), x}, 1, 96, 10},
		{"known, has just started", says{forecast.Nothing(), x}, 1, 20, 1},
		{"unknown for ever, waits", forecast.Nothing(), 0, 96, 0},
		{"unknown, waits", beliefs(), 0, 96, 12},
		{"unknown, has just come", beliefs(), 0, 4, 1},
		{"unknown, runs", forecast.Nothing(), 1, 96, 10},
		{"unknown, two run", forecast.Nothing(), 2, 96, 10},
	} {
		g := turn(Config{})
		s := stepper{jobtest.Must(central.New(central.Config{Turn: g, Forecast: test.f})), t}
		at := func(seconds policy.Time) policy.Time { return seconds * policy.Time(second) }
		s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(1, 0), Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}})
		s.step(policy.Event{Kind: policy.Ready, More: true, Copy: task(1, 0)})
		if test.cores > 0 {
			s.step(policy.Event{Time: at(16), Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: test.cores, Speed: 1}})
			for i := range test.cores {
				s.step(policy.Event{Time: at(16), Kind: policy.Started, More: true, Copy: task(1, uint32(i)), Node: 1})
			}
		}
		s.step(policy.Event{Time: at(test.at), Kind: policy.Woken, More: true})
		_, _, _, due := g.left(g.jobs.Get(1))
		want := policy.Never
		if test.want > 0 {
			want = at(test.at).Add(policy.Duration(test.want * 1e9))
		}
		if due != want {
			t.Errorf("%s: holds until %v, want %v", test.name, due, want)
		}
	}
}

// learn teaches a forecast a job of one task.
func learn(t *testing.T, f *forecast.Beliefs, runtime policy.Duration) {
	t.Helper()
	if err := f.Learn(&policy.Job{Stages: []policy.Stage{{Tasks: 1}}}, []policy.Duration{runtime}, 0); err != nil {
		t.Fatal(err)
	}
}

// If all that a job has started fails, it ranks as before: one pilot is wanted again, for all stages, whichever of them have run.
func TestPilotsThatFail(t *testing.T) {
	for _, stages := range []int{1, 3, 2 * allAsked} {
		know := beliefs()
		for i := range 40 {
			learn(t, know, policy.Duration(1+i)*second)
		}
		g := turn(Config{})
		s := stepper{jobtest.Must(central.New(central.Config{Turn: g, Forecast: know})), t}
		s.step(policy.Event{Kind: policy.Submitted, More: true, Copy: task(1, 0), Job: &policy.Job{ID: 1, Stages: slices.Repeat([]policy.Stage{{Tasks: 2, Cores: 1}}, stages)}})
		ready := func(stage int) policy.Copy {
			return policy.Copy{Task: policy.Task{Job: 1, Stage: uint32(stage)}}
		}
		for i := range stages {
			s.step(policy.Event{Kind: policy.Ready, More: true, Copy: ready(i)})
		}
		rank := func() float64 {
			for range stages { // are asked about in turn
				g.left(g.jobs.Get(1))
			}
			rank, _, _, _ := g.left(g.jobs.Get(1))
			return rank
		}
		before := rank()
		s.step(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: int32(2 * stages), Speed: 1}})
		for _, kind := range []policy.EventKind{policy.Started, policy.Failed} {
			for i := range 2 * stages {
				c := ready(i / 2)
				c.Index = uint32(i % 2)
				s.step(policy.Event{Time: policy.Time(second), Kind: kind, More: true, Copy: c, Node: 1, Again: kind == policy.Failed})
			}
			if running := rank(); kind == policy.Started && !(running > 1.2*before) {
				t.Errorf("%d stages: rank %v while all run, and %v before", stages, running, before)
			}
		}
		if after := rank(); !scalar.EqualWithinRel(after, before, 1e-9) {
			t.Errorf("%d stages: rank %v after all have failed, and %v before", stages, after, before)
		}
	}
}

// One core serves mails of 1 s and reports that are always cut off after 10 s, somewhat slower than they come. Reports never become
// known by one that is done. Yet mails do not wait for them.
func TestKindThatIsAlwaysCutOff(t *testing.T) {
	var list []*workload.Job
	for i := range policy.JobID(400) {
		j := bag(i+1, 3*float64(i), 1, 1)
		j.Requested, j.Attrs = 10*second, []policy.Attr{{Name: "program", Value: "mail"}}
		if i%4 == 0 {
			j.Runtimes[0][0], j.Attrs[0].Value = 1000*second, "report"
		}
		list = append(list, j)
	}
	history := func() central.Forecast {
		p := jobtest.Must(predict.New(predict.Config{Features: []string{"program"}}))
		return jobtest.Must(forecast.NewHistory(forecast.HistoryConfig{Predictor: p}))
	}
	for name, c := range map[string]central.Config{
		"index, Beliefs":    {Turn: turn(Config{}), Forecast: beliefs()},
		"index, History":    {Turn: turn(Config{}), Forecast: history()},
		"Shortest, History": {Turn: baseline.Shortest(), Forecast: history()},
	} {
		result := runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), EndAtRequested: true}, list, jobtest.Must(central.New(c)))
		waited, mails := 0.0, 0.0
		for _, r := range result.Jobs {
			if r.Outcome == policy.Done {
				waited += r.Ended.Sub(r.Submitted).Seconds() - 1
				mails++
			}
		}
		if mails != 300 || waited/mails > 15 {
			t.Errorf("%s: %v mails waited for %.1f s in the mean, want 300 and at most 15 s", name, mails, waited/mails)
		}
	}
}
