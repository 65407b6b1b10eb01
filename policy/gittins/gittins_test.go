package gittins

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats/scalar"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

const s = policy.Duration(time.Second)

// endless lets jobs overtake however long others wait.
const endless = math.MaxFloat64

func turn(t testing.TB, c Config) *Turn {
	t.Helper()
	g, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func beliefs(t testing.TB) *forecast.Beliefs {
	t.Helper()
	p, err := predict.New(predict.Config{Features: []string{"program"}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: p})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func truth(t testing.TB, of policy.Truth) central.Forecast {
	t.Helper()
	f, err := forecast.Truth(of)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// drawn draws jobs of one or two stages, some of them gangs, whose tasks run equally long within a stage.
func drawn(rng *rand.Rand, n int) (list []*workload.Job) {
	at := policy.Time(0)
	for id := range policy.JobID(n) {
		at = at.Add(policy.Duration(rng.Int64N(int64(6 * s))))
		j := &workload.Job{Job: policy.Job{ID: id + 1, Submitted: at, Attrs: []policy.Attr{{Name: "program", Value: fmt.Sprint(id % 7)}}}}
		for i := range 1 + rng.IntN(2) {
			stage := policy.Stage{Tasks: uint32(1 + rng.IntN(6)), Cores: int32(1 + rng.IntN(2)), Gang: rng.IntN(4) == 0}
			if stage.Gang {
				stage.Tasks = min(stage.Tasks, 4)
			}
			if i > 0 {
				stage.Reads = []policy.Dep{{Stage: 0}}
			}
			d := policy.Duration(float64(s) * (1 + float64(id%7)) * math.Exp(rng.NormFloat64()))
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
	p, err := central.New(c(truth))
	if err != nil {
		t.Fatal(err)
	}
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 4}), Jobs: jobs, Truth: truth}, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range result.Jobs {
		ends = append(ends, j.Ended.Sub(0).Seconds())
	}
	return ends
}

// Where the runtimes are known the rank is the work that remains, as for SRPT, and what a unit of many cores keeps idle.
func TestRankOfTheTruth(t *testing.T) {
	for seed := range uint64(20) {
		list := drawn(rand.New(rand.NewPCG(seed, 1)), 60)
		run(t, list, func(of policy.Truth) central.Config {
			g := turn(t, Config{})
			asked := &asked{Turn: g, ask: func(*central.Job) {
				for id, j := range g.view.Jobs() {
					want := 0.0
					if stage, ok := j.Next(); ok && g.freed > 0 {
						w := float64(j.Job.Stages[stage].Width())
						want = w * (w - 1) / 2 * g.view.Now().Sub(g.begun).Seconds() / g.freed
					}
					for i, stage := range j.Job.Stages {
						left := float64(stage.Units() - j.Stages[i].Finished)
						want += left * float64(stage.Width()) * list[id-1].Runtimes[i][0].Seconds()
					}
					// Before a task has finished all stages count as like the first.
					whole := len(j.Job.Stages) == 1 || j.Stages[0].Finished > 0
					if got := g.rank(g.jobs.Get(id)); whole && (!scalar.EqualWithinAbsOrRel(got, want, 1e-6, 1e-9)) {
						t.Errorf("seed %d: job %d has rank %v, and its remaining work is %v", seed, id, got, want)
					}
				}
			}}
			return central.Config{Turn: asked, Forecast: truth(t, of)}
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

// Where nothing is known the order is by attained service: LAS.
func TestNothingKnown(t *testing.T) {
	for seed := range uint64(20) {
		list := drawn(rand.New(rand.NewPCG(seed, 1)), 60)
		want := run(t, list, func(policy.Truth) central.Config {
			return central.Config{Turn: baseline.Shortest(), Forecast: forecast.Nothing()}
		})
		got := run(t, list, func(policy.Truth) central.Config {
			return central.Config{Turn: turn(t, Config{Overtaking: endless}), Forecast: forecast.Nothing()}
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: jobs end otherwise than by attained service:\n%s", seed, diff)
		}
	}
}

// At each start, no job that waits has a lesser key than the one that is next, whose key is not out of date.
func TestNextIsTheLeast(t *testing.T) {
	moved := 0
	for seed := range uint64(30) {
		list := drawn(rand.New(rand.NewPCG(seed, 2)), 60)
		value := func(j *policy.Job) float64 { return float64(1 + j.ID%3) }
		run(t, list, func(of policy.Truth) central.Config {
			g := turn(t, Config{Value: value, Overtaking: 20})
			return central.Config{Forecast: beliefs(t), Turn: &asked{Turn: g, ask: func(next *central.Job) {
				if g.Reordered() {
					moved++
				}
				first := g.jobs.Get(next.Job.ID)
				for id, j := range g.view.Jobs() {
					if j.Waiting > 0 && before(g.jobs.Get(id), first) < 0 {
						t.Errorf("seed %d: job %d is next, and job %d goes before it", seed, next.Job.ID, id)
					}
				}
				if rank, ok := g.Rank(next.Job.ID); !ok || first.key != math.Log(rank)+first.number/20 {
					t.Errorf("seed %d: job %d is next, and its rank is %v, %v", seed, next.Job.ID, rank, ok)
				}
				if first.due <= g.view.Now() {
					t.Errorf("seed %d: job %d is next by a key that is out of date", seed, next.Job.ID)
				}
			}}}
		})
	}
	if moved < 50 {
		t.Errorf("%d ranks changed while a pilot ran, want more", moved)
	}
}

// One core. A job of 1000 s comes first but for one that runs. Then jobs come one at a time, each just short enough to overtake it: what they
// take adds up to less than K times 1000 s, and to more than half of that.
func TestOvertakingIsBounded(t *testing.T) {
	for _, k := range []float64{1, 5, 40} {
		const r = 1000.0
		bag := func(id policy.JobID, at, runtime float64) *workload.Job {
			return &workload.Job{
				Job:      policy.Job{ID: id, Submitted: policy.Time(at * 1e9), Stages: []policy.Stage{{Tasks: 1, Cores: 1}}},
				Runtimes: [][]policy.Duration{{policy.Duration(runtime * 1e9)}},
			}
		}
		list := []*workload.Job{bag(1, 0, 1), bag(2, 0, r)}
		at := 0.5
		for m := 1.0; m < 12*k; m++ {
			short := r * math.Exp(-m/k) * 0.999
			list = append(list, bag(policy.JobID(2+m), at, short))
			at = max(at, 1) + short - min(short/2, 1e-3) // comes just before the one before it ends
		}
		jobs, of := workload.Split(list)
		p, err := central.New(central.Config{Turn: turn(t, Config{Overtaking: k}), Forecast: truth(t, of)})
		if err != nil {
			t.Fatal(err)
		}
		result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: of}, p)
		if err != nil {
			t.Fatal(err)
		}
		waited := result.Jobs[1].FirstStart.Sub(0).Seconds() - 1
		if bound := r / (math.Exp(1/k) - 1); waited > bound || waited < bound/2 {
			t.Errorf("K = %v: %v s of later jobs went before, want at most %v s and at least half of it", k, waited, bound)
		}
	}
}

func TestConfig(t *testing.T) {
	for _, k := range []float64{0.5, -1, math.NaN(), math.Inf(1)} {
		if _, err := New(Config{Overtaking: k}); err == nil || !strings.Contains(err.Error(), "Config.Overtaking") {
			t.Errorf("Overtaking of %v: error %v", k, err)
		}
	}
	if _, err := central.New(central.Config{Turn: turn(t, Config{})}); err == nil || !strings.Contains(err.Error(), "want one") {
		t.Errorf("no Forecast: error %v", err)
	}
	for _, value := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		p, err := central.New(central.Config{Turn: turn(t, Config{Value: func(*policy.Job) float64 { return value }}), Forecast: forecast.Nothing()})
		if err != nil {
			t.Fatal(err)
		}
		job := &policy.Job{ID: 7, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
		submitted := &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 7}}, Job: job}
		if _, err := p.Step(submitted, nil); err == nil || !strings.Contains(err.Error(), "value of job 7") {
			t.Errorf("value of %v: error %v", value, err)
		}
	}
}

// The turn keeps to the contract, whatever the forecast and the filler.
func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		fill bool
		of   func(policy.Truth) central.Forecast
	}{
		{"Beliefs", false, func(policy.Truth) central.Forecast { return beliefs(t) }},
		{"Beliefs, EASY", true, func(policy.Truth) central.Forecast { return beliefs(t) }},
		{"Truth", false, func(of policy.Truth) central.Forecast { return truth(t, of) }},
		{"Nothing", false, func(policy.Truth) central.Forecast { return forecast.Nothing() }},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				Allocates: test.name != "Truth" && test.name != "Nothing",
				New: func(truth policy.Truth) (policy.Scheduler, error) {
					c := central.Config{Turn: turn(t, Config{}), Forecast: test.of(truth)}
					if test.fill {
						c.Fill = baseline.EASY()
					}
					return central.New(c)
				},
			})
		})
	}
}
