package slearn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

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
		{"1 pilots, and Tasks has 2", plans(func(*policy.Job) Plan { return Plan{When: Later, Pilots: 1, Tasks: []int{0, 1}} })},
		{"pilot 2 of stage 0, want 0 to 1", plans(func(*policy.Job) Plan { return Plan{When: Later, Pilots: 1, Tasks: []int{2}} })},
		{"pilot -1 of stage 0", plans(func(*policy.Job) Plan { return Plan{When: Later, Pilots: 1, Tasks: []int{-1}} })},
		{"pilot 1 of stage 0, want 0 to 1, each once", plans(func(*policy.Job) Plan { return Plan{When: Later, Pilots: 2, Tasks: []int{1, 1}} })},
	} {
		g := jobtest.Must(NewScheduler(Config{Forecast: NewForecast(test.e)}))
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

// wrong is an Estimator whose pilots tell nothing.
type wrong struct {
	*Sampling
	work float64
}

func (w wrong) Work(*policy.Job, policy.Time, []float64) float64 { return w.work }

func noEstimate(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
		gc := Config{Forecast: NewForecast(wrong{jobtest.Must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2)})), bad})}
		gc.Queues.First = 5
		g := jobtest.Must(NewScheduler(gc))
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
