package sigma

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/threesigma"
	"example.com/augur/predict"
)

type nothing struct{}

func (nothing) Runtime(policy.Copy) (policy.Duration, bool) { return 0, false }

// A system needs a predictor, or a truth, or neither, and has a name of its own.
func TestConfigure(t *testing.T) {
	p, err := predict.New(predict.Config{})
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
	if len(names) != 7 {
		t.Errorf("names %v, want 7", names)
	}
	if _, err := System(7).Configure(threesigma.Config{}, p, nothing{}); err == nil {
		t.Error("an unknown system is no error")
	}
}
