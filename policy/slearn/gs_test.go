package slearn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// What GS starts is what the definition says: of the queue that has the least of its share,
// the job that joined first; of idle cores, the job that was submitted first; and cores are
// idle only if nothing waits that finds room.
func TestAgainstDefinition(t *testing.T) {
	by, refusals := [4]int{}, 0
	for seed := range uint64(12) {
		jobs, plan := mixed(seed, 120)
		config := GSConfig{Forecast: NewForecast(plan)}
		config.Queues = queue.MultilevelConfig{Levels: 5, First: 2, Growth: 3}
		config.Decay = 2
		config.Sharing = queue.ByUse
		config.BySpeed = seed%3 == 0
		if seed%5 == 4 {
			config.Sharing = queue.ByNextUse
		}
		config.HoldBack = seed%4 >= 2
		config.Apart = seed%8 > 3
		g := must(NewGS(config))
		n := newNaive(config, plan)
		c := troubled(seed, jobs)
		one := len(c.Nodes) == 1
		p := watch{g, func(ev *policy.Event, actions []policy.Action) error {
			n.observe(ev)
			n.queueUp(ev.Time)
			if ev.Kind == policy.Refused {
				refusals++
				if one {
					return errors.New("refused on a single node")
				}
			}
			for _, a := range actions {
				if err := n.start(a, ev.Time); err != nil {
					return err
				}
				n.queueUp(ev.Time)
			}
			for id, j := range n.jobs {
				e, ok := g.Explain(id)
				if !ok || e.When != j.when || e.Queue != n.home(j, ev.Time) && j.when != Never || math.Abs(e.Attained-j.service(ev.Time)) > 1e-6 {
					return fmt.Errorf("job %d is in %v, want it in queue %d, known %d, with %v core-seconds", id, e, n.home(j, ev.Time), j.when, j.service(ev.Time))
				}
				const widest = 4
				if !ev.More && one && n.free >= widest && (j.queue >= 0 || !config.HoldBack && len(j.waiting) > 0) {
					return fmt.Errorf("job %d waits, but %d cores are free", id, n.free)
				}
			}
			return nil
		}}
		if _, err := sim.Run(t.Context(), c, p); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range by {
			by[i] += n.by[i]
		}
	}
	if min(by[0], by[1], by[2], by[3], refusals) < 100 {
		t.Errorf("%v tasks of jobs known now, later, never, and on idle cores, and %d refusals, want more of each", by, refusals)
	}
}

func TestGSErrors(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(*GSConfig)
	}{
		{"Forecast is nil", func(c *GSConfig) { c.Forecast = nil }},
		{"Forecast of no Estimator", func(c *GSConfig) { c.Forecast = NewForecast(nil) }},
		{"First is -1", func(c *GSConfig) { c.Queues.First = -1 }},
		{"Decay is 0.5", func(c *GSConfig) { c.Decay = 0.5 }},
		{"Decay is NaN", func(c *GSConfig) { c.Decay = math.NaN() }},
		{"queue 2 underflows", func(c *GSConfig) { c.Decay = 1e200 }},
		{"Levels is -1", func(c *GSConfig) { c.Queues.Levels, c.Apart = -1, true }},
		{"Levels is 65, want 1 to 64", func(c *GSConfig) { c.Queues.Levels = 65 }},
		{"Levels is 64, want 1 to 63", func(c *GSConfig) { c.Queues.Levels, c.Apart = 64, true }},
		{"Levels is 2147483647, want 1 to 63", func(c *GSConfig) { c.Queues.Levels, c.Apart = math.MaxInt32, true }},
		{"ShareRule is 9", func(c *GSConfig) { c.Sharing = 9 }},
	} {
		c := GSConfig{Forecast: forecast.Nothing()}
		test.change(&c)
		if _, err := NewGS(c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
}

// A plan that is not one is an error that names the job, which may come again.
func TestBadPlans(t *testing.T) {
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}
	submitted := policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: job}
	for _, test := range []struct {
		want string
		e    Estimator
	}{
		{"When is 7", plans(func(*policy.Job) Plan { return Plan{When: 7} })},
		{"NaN core-seconds", plans(func(*policy.Job) Plan { return Plan{Work: math.NaN()} })},
		{"-1 core-seconds", plans(func(*policy.Job) Plan { return Plan{Work: -1} })},
		{"+Inf core-seconds", plans(func(*policy.Job) Plan { return Plan{Work: math.Inf(1)} })},
		{"0 pilots, want 1 to 2", plans(func(*policy.Job) Plan { return Plan{When: Later} })},
		{"3 pilots, want 1 to 2", plans(func(*policy.Job) Plan { return Plan{When: Later, Pilots: 3} })},
	} {
		g := must(NewGS(GSConfig{Forecast: NewForecast(test.e)}))
		for range 2 {
			if _, err := g.Step(&submitted, nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		}
		if _, ok := g.Explain(1); ok {
			t.Errorf("%s: the job was taken", test.want)
		}
	}
}

// Pilots that give no estimate leave their job to go by attained service.
func TestNoEstimate(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		c := SamplingConfig{Src: rand.NewPCG(1, 2)}
		c.Statistic = func(*estimate.Sample) float64 { return bad }
		gc := GSConfig{Forecast: NewForecast(must(NewSampling(c)))}
		gc.Queues.First = 5
		g := must(NewGS(gc))
		jobs := []*workload.Job{bag(1, 0, slices.Repeat([]policy.Duration{s}, 40)...), bag(2, 0, 100*s, 100*s, 100*s)}
		js, truth := workload.Split(jobs)
		seen := false
		r, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: js, Truth: truth},
			watch{g, func(ev *policy.Event, _ []policy.Action) error {
				e, ok := g.Explain(1)
				if want := 0; ok && e.Done == e.Pilots {
					if e.Attained > 5+1e-6 {
						want = 1
					}
					if e.When != Never || e.Estimated || e.Queue != want && math.Abs(e.Attained-5) > 1e-6 {
						return fmt.Errorf("job 1 is in %v, want it in queue %d by attained service", e, want)
					}
					seen = true
				}
				return nil
			}})
		if err != nil || !seen || r.Metrics().Done != 2 {
			t.Errorf("an estimate of %v: %v, seen %v, %+v", bad, err, seen, r)
		}
	}
}
