package gittins

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// With MaxWait no job starts later than the bound says, and without it some do.
func TestMaxWaitIsKept(t *testing.T) {
	const most, longest = 300 * second, 12 * second
	for _, test := range []struct {
		name string
		easy bool
	}{{name: "alone"}, {name: "filled by EASY with exact runtimes", easy: true}} {
		broken := 0
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, 1))
			var list []*workload.Job
			for i := range 500 {
				runtime := policy.Duration(1+rng.IntN(3)) * second
				if rng.IntN(12) == 0 {
					runtime = longest
				}
				j := jobtest.Bag(policy.JobID(i+1), policy.Duration(i)*second*6/5, runtime)
				if rng.IntN(6) == 0 {
					s := &j.Stages[0]
					s.Tasks, s.Gang = uint32(2+rng.IntN(3)), true
					for range s.Tasks - 1 {
						j.Runtimes[0] = append(j.Runtimes[0], runtime)
					}
				}
				list = append(list, j)
			}
			for _, limit := range []policy.Duration{0, most} {
				jobs, truth := workload.Split(list)
				o := Options{MaxWait: limit, History: jobtest.Must(forecast.Truth(truth))}
				if test.easy {
					o.Fill = baseline.EASY()
				}
				r, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 4}), Jobs: jobs, Truth: truth}, jobtest.Must(NewScheduler(o)))
				if err != nil {
					t.Fatal(err)
				}
				for i := range r.Jobs {
					due := r.Jobs[i].Submitted.Add(most)
					before := 0
					for k := range r.Jobs[:i] {
						if r.Jobs[k].FirstStart > due {
							before++
						}
					}
					late := r.Jobs[i].FirstStart.Sub(due) > policy.Duration(before+1)*longest
					if late && limit > 0 {
						t.Errorf("%s, seed %d: job %d starts after %v, with %d before it, want at most %v", test.name, seed, i+1,
							r.Jobs[i].FirstStart.Sub(r.Jobs[i].Submitted), before, most+policy.Duration(before+1)*longest)
					}
					if late && limit == 0 {
						broken++
					}
				}
			}
		}
		if broken == 0 {
			t.Errorf("%s: no job waits for longer than the bound without it either", test.name)
		}
	}
}

// The zero Options is the Turn over Beliefs with a new Predictor, and nothing else.
func TestZeroOptions(t *testing.T) {
	list := jobtest.Generate(t, 200)
	run := func(p *central.Scheduler) *sim.Result {
		return runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 4})}, list, p)
	}
	history := jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: jobtest.Must(predict.New(predict.Config{}))}))
	want := run(jobtest.Must(central.New(central.Config{Turn: turn(Config{}), Forecast: history})))
	if got := run(jobtest.Must(NewScheduler(Options{}))); !reflect.DeepEqual(got, want) {
		t.Errorf("it ends after %v with a mean of %v, want %v with %v", got.End, got.Metrics().MeanJCT, want.End, want.Metrics().MeanJCT)
	}
	if _, err := NewScheduler(Options{MaxWait: -time.Second}); err == nil || !strings.Contains(err.Error(), "MaxWait is -1s") {
		t.Errorf("MaxWait of -1 s: error %v", err)
	}
}

// BenchmarkSave measures Save and Load of the whole policy when so many jobs have ended, and how long a snapshot is.
func BenchmarkSave(b *testing.B) {
	const jobs = 10_000
	history := jobtest.Must(forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: jobtest.Must(predict.New(predict.Config{}))}))
	for j, err := range jobtest.Must(workload.HeavyTail{Seed: 1, Jobs: jobs}.Source()) {
		if err == nil {
			err = history.Learn(&j.Job, j.UnitRuntimes(), j.Submitted.Add(j.Ideal()))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	s := jobtest.Must(NewScheduler(Options{History: history}))
	var text bytes.Buffer
	b.Run("save", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			text.Reset()
			if err := s.Save(&text); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(text.Len()), "B/snapshot")
	})
	b.Run("load", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := jobtest.Must(NewScheduler(Options{})).Load(bytes.NewReader(text.Bytes())); err != nil {
				b.Fatal(err)
			}
		}
	})
}
