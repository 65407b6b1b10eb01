package pipeline_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
)

func TestForesightNaive(t *testing.T) {
	var dependents, raised, elsewhere, ties int
	eachRandom(t, func(t *testing.T, rng *rand.Rand, l *provenance.Log, r *pipeline.Result, n *naive) {
		c := pipeline.ForesightConfig{Threshold: 0.05 + rng.Float64()*0.5}
		queue := func(j uint32) string { return l.Orgs.Name(l.Jobs[j].Org) }
		if rng.IntN(2) == 0 {
			c.Queue = func(j *provenance.Job) string { return fmt.Sprint(j.User) }
			queue = func(j uint32) string { return fmt.Sprint(l.Jobs[j].User) }
		}
		queues, own := make([]string, 5), make([]float64, 5)
		for template := range uint32(5) {
			jobs := n.of(func(j uint32) bool { return l.Jobs[j].Template == template })
			var list []float64
			for _, j := range jobs {
				list = append(list, l.Jobs[j].Priority)
			}
			queues[template], own[template] = most(jobs, queue), medianOf(list)
			if len(jobs) > 1 && queues[template] != queue(jobs[0]) {
				ties++
			}
		}
		if rng.IntN(2) == 0 {
			for i := range own {
				own[i] = rng.Float64()
			}
			c.Priority = func(template uint32) float64 { return own[template] }
		}
		// The greatest priority of all that can be reached from a template in its queue.
		var greatest func(template uint32, seen map[uint32]bool) float64
		greatest = func(template uint32, seen map[uint32]bool) float64 {
			seen[template] = true
			best := own[template]
			for _, p := range r.Predictor.Predict(nil, template, c.Threshold) {
				if !seen[p.Template] && queues[p.Template] == queues[template] {
					best = max(best, greatest(p.Template, seen))
				}
			}
			return best
		}
		f, err := r.Foresight(c)
		if err != nil {
			t.Fatal(err)
		}
		for template := range uint32(5) {
			var want []wing.Dependent
			for _, p := range r.Predictor.Predict(nil, template, c.Threshold) {
				d := wing.Dependent{Queue: queues[p.Template], Priority: greatest(p.Template, make(map[uint32]bool)), After: p.After}
				want = append(want, d)
				dependents++
				if d.Priority > own[p.Template] {
					raised++
				}
				if d.Queue != queues[template] {
					elsewhere++
				}
			}
			if diff := cmp.Diff(want, f.Dependents(like(l.Templates.Name(template), "", 0))); diff != "" {
				t.Errorf("template %d: (-want +got)\n%s", template, diff)
			}
		}
	})
	t.Logf("dependents %d, raised by theirs %d, in other queues %d; queues that are not the first job's %d", dependents, raised, elsewhere, ties)
	if dependents == 0 || raised == 0 || elsewhere == 0 || ties == 0 {
		t.Error("some case has never come")
	}
}

func TestForesightConfig(t *testing.T) {
	r := dailyResult(t, 4)
	for _, c := range []struct {
		config pipeline.ForesightConfig
		want   string
	}{
		{pipeline.ForesightConfig{Threshold: -1}, "pipeline: ForesightConfig.Threshold is -1, want above 0 to 1"},
		{pipeline.ForesightConfig{Priority: func(t uint32) float64 { return math.Log(float64(t) - 1) }},
			`pipeline: ForesightConfig.Priority of template 0, "feed-#", is NaN, want a number`},
	} {
		if _, err := r.Foresight(c.config); fmt.Sprint(err) != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	f, err := r.Foresight(pipeline.ForesightConfig{Template: func(j *policy.Job) string { return "feed-#" }})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Dependents(&policy.Job{}); len(got) != 1 {
		t.Errorf("got %v, want the report", got)
	}
}

// Priorities may be infinite, and have a median all the same.
func TestForesightInfinite(t *testing.T) {
	l := dailyLog(t, 4)
	for i := range l.Jobs {
		l.Jobs[i].Priority = math.Inf(1 - i/2%2*2)
	}
	r, err := pipeline.Run(l, dailyConfig(4))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Foresight(pipeline.ForesightConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Dependents(like("feed-#", "", 0)); len(got) != 1 || got[0].Priority != math.Inf(-1) {
		t.Errorf("got %v, want one with the lower of the middle two", got)
	}
}

// Before a log was analysed there is nothing to foresee, and no need to ask whether that is so.
func TestNilKnowsNothing(t *testing.T) {
	job := &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "template", Value: "feed"}}}
	var foresight *pipeline.Foresight
	if got := foresight.Dependents(job); len(got) > 0 {
		t.Errorf("a nil Foresight foresees %v", got)
	}
	var forecasts *pipeline.Forecasts
	if got, ok := forecasts.Forecast(job); ok {
		t.Errorf("nil Forecasts forecast %v", got)
	}
}
