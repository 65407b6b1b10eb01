package sigma

import (
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/predict"
)

type nothing struct{}

func (nothing) Runtime(policy.Copy) (policy.Duration, bool) { return 0, false }

// A system needs a predictor, or a truth, or neither, and has a name of its own. Of those with a predictor, two have point estimates.
func TestConfigure(t *testing.T) {
	p, err := predict.New(predict.Config{Features: []string{predict.All}})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, s := range Systems() {
		names[s.String()] = true
		for _, test := range []struct {
			p     *predict.Predictor
			truth policy.Truth
			ok    bool
		}{{nil, nil, s == Prio}, {p, nil, s != PointPerfEst}, {nil, nothing{}, s == Prio || s == PointPerfEst}} {
			c, err := s.Configure(threesigma.Config{}, test.p, test.truth)
			if err == nil {
				_, err = threesigma.NewScheduler(c)
			}
			if (err == nil) != test.ok {
				t.Errorf("%v with predictor %v and truth %v: error %v", s, test.p != nil, test.truth, err)
			}
		}
	}
	if err := p.Observe(&policy.Job{}, 10, time.Time{}); err != nil {
		t.Fatal(err)
	}
	for s, want := range map[System]bool{ThreeSigma: false, NoOE: false, NoAdapt: false, PointRealEst: true, NoDist: true} {
		c, err := s.Configure(threesigma.Config{}, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := c.Forecast.(*forecast.History).Predict(&policy.Job{}, 0)
		if _, point := d.(forecast.Known); point != want {
			t.Errorf("%v has %T, want a point estimate: %v", s, d, want)
		}
	}
	if len(names) != 7 {
		t.Errorf("names %v, want 7", names)
	}
	if _, err := System(7).Configure(threesigma.Config{}, p, nothing{}); err == nil {
		t.Error("an unknown system is no error")
	}
}
