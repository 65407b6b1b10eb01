package slearn

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

func TestLearnOfNothing(t *testing.T) {
	nothing := &policy.Job{ID: 8, Attrs: []policy.Attr{{Name: "user", Value: "u"}}}
	c := must(NewChooser(ChooserConfig{
		Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: must(NewHistory(HistoryConfig{Predictor: pastOf(t)})),
		Errors: &predict.Chooser{Sampling: pastOf(t), History: pastOf(t)},
	}))
	if err := c.Learn(userJob(7, "u", 8), moments(1, 2, 3, 4, 5, 6, 7, 8), 72, time.Time{}); err != nil {
		t.Fatal(err)
	}
	state := func() string { return hostile.Dump(c.config.Errors) + hostile.Dump(c.config.History.config) }
	before := state()
	for i, err := range []error{
		c.Learn(nothing, moments(), 5, time.Time{}), c.config.History.Learn(nothing, 5, time.Time{}), c.config.History.Learn(nothing, 0, time.Time{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "job 8") {
			t.Errorf("call %d: error %v, want one that names the job", i, err)
		}
	}
	if after := state(); after != before {
		t.Errorf("it has become %s, from %s", after, before)
	}
}

func pastOf(t *testing.T) *predict.Predictor {
	p, err := predict.New(predict.Config{Features: []string{"user"}, Histogram: histogram.Config{Bins: 4}, Values: 10})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
