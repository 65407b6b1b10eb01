package gittins

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats/scalar"

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
	return jobtest.Must(NewTurn(c))
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

// run runs jobs under a scheduler.
func run(t *testing.T, nodes sim.Partition, list []*workload.Job, c func(truth policy.Truth) central.Config) *sim.Result {
	t.Helper()
	jobs, truth := workload.Split(list)
	result, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(nodes), Jobs: jobs, Truth: truth}, jobtest.Must(central.New(c(truth))))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// small are the nodes of most tests.
var small = sim.Partition{Nodes: 2, Cores: 4}

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
		run(t, small, list, func(of policy.Truth) central.Config {
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
		run(t, small, list, func(policy.Truth) central.Config {
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
		run(t, small, list, func(of policy.Truth) central.Config {
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
			result := run(t, sim.Partition{Nodes: 1, Cores: 1}, list, func(of policy.Truth) central.Config {
				return central.Config{Turn: ageing(k, Config{}), Forecast: truth(of)}
			})
			waited := result.Jobs[1].FirstStart.Sub(0).Seconds() - 1
			if bound := factor * r / (math.Exp(1/k) - 1); waited > bound || waited < bound/2 {
				t.Errorf("K = %v: %v s of later jobs went before, want at most %v s and at least half of it", k, waited, bound)
			}
		}
	}
}

// bag returns a job of tasks on one core.
func bag(id policy.JobID, at float64, tasks int, runtime float64) *workload.Job {
	return &workload.Job{
		Job:      policy.Job{ID: id, Submitted: policy.Time(at * 1e9), Stages: []policy.Stage{{Tasks: uint32(tasks), Cores: 1}}},
		Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{policy.Duration(runtime * 1e9)}, tasks)},
	}
}

func TestConfig(t *testing.T) {
	if _, err := NewTurn(Config{MaxWait: -1}); err == nil || !strings.Contains(err.Error(), "Config.MaxWait is -1ns") {
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

// The Turn keeps what central asks of a Turn, and what central.Order does.
func TestConformance(t *testing.T) {
	order := func(fill central.Filler) central.Config {
		return central.Config{Turn: policytest.Order(turn(Config{})), Fill: fill, Forecast: beliefs()}
	}
	for _, test := range []struct {
		name      string
		allocates bool
		make      func(policy.Truth) central.Config
	}{
		{"Beliefs", false, func(policy.Truth) central.Config { return central.Config{Turn: turn(Config{}), Forecast: beliefs()} }},
		{"Beliefs, EASY", false, func(policy.Truth) central.Config {
			return central.Config{Turn: turn(Config{}), Forecast: beliefs(), Fill: baseline.EASY()}
		}},
		{"Truth", false, func(of policy.Truth) central.Config { return central.Config{Turn: turn(Config{}), Forecast: truth(of)} }},
		{"Nothing", false, func(policy.Truth) central.Config {
			return central.Config{Turn: turn(Config{}), Forecast: forecast.Nothing()}
		}},
		{"Order", true, func(policy.Truth) central.Config { return order(nil) }},
		{"Order, Conservative", true, func(policy.Truth) central.Config { return order(baseline.Conservative()) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{Allocates: test.allocates, New: func(of policy.Truth) (policy.Scheduler, error) { return central.New(test.make(of)) }})
		})
	}
}

// learn teaches a forecast a job of one task.
func learn(t *testing.T, f *forecast.Beliefs, runtime policy.Duration) {
	t.Helper()
	if err := f.Learn(&policy.Job{Stages: []policy.Stage{{Tasks: 1}}}, []policy.Duration{runtime}, 0); err != nil {
		t.Fatal(err)
	}
}

// One core serves mails of 1 s and reports that are always cut off after 10 s, somewhat slower than they come. Reports never become
// known by one that is done. Yet mails do not wait for them.
func TestKindThatIsAlwaysCutOff(t *testing.T) {
	var list []*workload.Job
	for i := range policy.JobID(400) {
		j := bag(i+1, 3*float64(i), 1, 1)
		j.Requested, j.Limited, j.Attrs = 10*second, true, []policy.Attr{{Name: "program", Value: "mail"}}
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
		result := runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, list, jobtest.Must(central.New(c)))
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
