package slearn

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

func byUser() *predict.Predictor {
	return jobtest.Must(predict.New(predict.Config{Features: []string{"user"}}))
}

func newChooser(c ChooserConfig) *Chooser {
	c.Sampling.Src, c.Sampling.ThinLimit = rand.NewPCG(1, 2), 3
	c.History, c.SamplingErrors, c.HistoryErrors = newHistory(HistoryConfig{Point: Winner}), byUser(), byUser()
	return jobtest.Must(NewChooser(c))
}

// Which errors are learned of which jobs.
func TestChooserErrors(t *testing.T) {
	wide, thin := userJob(1, "u", 4), userJob(2, "u", 2)
	later, now := Plan{When: Later}, Plan{}
	tasks := moments(1, 3, 1, 3) // 16 core-seconds; a pilot's variance is 4/3 * (1 - 1/4), its mean 2
	expected := math.Sqrt(2 / math.Pi * math.Log(1.25))
	for _, test := range []struct {
		why           string
		job           *policy.Job
		r             Record
		sampling, old float64 // errors; -1 if none
	}{
		{"sampled", wide, Record{Plan: later, Estimated: true, Estimate: 24, Runtimes: tasks, Work: 16}, math.Log(1.5), math.Ln2},
		{"by history", wide, Record{Plan: now, Estimated: true, Estimate: 24, Runtimes: tasks, Work: 16}, expected, math.Ln2},
		{"no estimate", wide, Record{Plan: later, Runtimes: tasks, Work: 16}, expected, math.Ln2},
		{"thin", thin, Record{Plan: Plan{Bypass: true}, Runtimes: moments(1, 3), Work: 8}, -1, -1},
		{"cancelled", wide, Record{Outcome: policy.Cancelled, Plan: later, Runtimes: moments(1), Work: 2}, -1, -1},
		{"without work", wide, Record{Plan: now, Runtimes: moments(0, 0, 0, 0)}, 0, 50},
	} {
		c := ChooserConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: newHistory(HistoryConfig{}),
			SamplingErrors: byUser(), HistoryErrors: byUser()}
		if err := learn(c.History, wide, 4, 4, 4, 4); err != nil {
			t.Fatal(err)
		}
		test.r.Outcome = max(test.r.Outcome, policy.Done)
		chooser := jobtest.Must(NewChooser(c))
		test.r.Stages = []estimate.Moments{test.r.Runtimes}
		if err := chooser.Ended(test.job, test.r); err != nil {
			t.Fatal(err)
		}
		if plan, err := chooser.Plan(thin, 0); err != nil || !plan.Bypass {
			t.Errorf("%s: plan %+v (%v) of a thin job, want a bypass", test.why, plan, err)
		}
		for i, want := range []float64{test.sampling, test.old} {
			got, ok := []*predict.Predictor{c.SamplingErrors, c.HistoryErrors}[i].Estimate(wide, time.Time{})
			if ok != (want >= 0) || ok && math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: error %d is %v (%v), want %v", test.why, i, got, ok, want)
			}
		}
	}
}

func TestChooserSamples(t *testing.T) {
	for _, test := range []struct {
		sampling, history []float64 // errors
		want              bool
	}{
		{nil, nil, true}, {[]float64{3}, []float64{3}, false}, {nil, []float64{0}, true}, {[]float64{0}, nil, true},
		{[]float64{5, 5}, []float64{1, 1}, false}, {[]float64{0, 0}, []float64{7, 9}, true},
	} {
		c, j := newChooser(ChooserConfig{}), userJob(1, "u", 4)
		for i, p := range []*predict.Predictor{c.config.SamplingErrors, c.config.HistoryErrors} {
			for _, x := range [][]float64{test.sampling, test.history}[i] {
				if err := p.Observe(j, x, time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := c.samples(j, time.Time{}); got != test.want {
			t.Errorf("errors of %v by pilots and %v by history: sampled %v, want %v", test.sampling, test.history, got, test.want)
		}
	}
}
