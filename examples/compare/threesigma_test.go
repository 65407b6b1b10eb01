package main

import (
	"testing"
	"time"

	"example.com/augur/examples/lab/sigma"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// Only the systems that go by history learn from the past, each job once.
func TestThreesigmaLearns(t *testing.T) {
	for _, system := range sigma.Systems() {
		asked := 0
		s := setting{Setting: catalog.Setting{Truth: nothing{}, Past: func() (workload.Source, error) {
			asked++
			return workload.Of(nil), nil
		}}}
		if _, err := underThreesigma(system)(&s); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 1}[system == sigma.Prio || system == sigma.PointPerfEst]; asked != want {
			t.Errorf("%v asks %d times for the past, want %d", system, asked, want)
		}
	}
}

type nothing struct{}

func (nothing) Runtime(policy.Copy) (policy.Duration, bool) { return 0, false }

// The interval is the width of a slot unless another is given.
func TestParseThreesigma(t *testing.T) {
	c, err := parseThreesigma("interval=30s,tail=10m,horizon=2h,late=giveup,preempt=no,slots=12,candidates=7,iterations=9,value=0.5,threshold=0.1")
	want := threesigma.Config{
		Interval: 30 * time.Second, Window: threesigma.Window{Slots: 12},
		Overestimate: threesigma.Overestimate{Threshold: 0.1, Tail: 600},
		BestEffort:   threesigma.BestEffort{Value: 0.5, Horizon: 2 * time.Hour},
		GiveUpLate:   true, NoPreemption: true, Candidates: 7, Iterations: 9,
	}
	same := c.Interval == want.Interval && c.Window == want.Window && c.Overestimate == want.Overestimate && c.BestEffort == want.BestEffort &&
		c.GiveUpLate == want.GiveUpLate && c.NoPreemption == want.NoPreemption && c.Candidates == want.Candidates && c.Iterations == want.Iterations
	if err != nil || !same {
		t.Errorf("got %+v, %v; want %+v", c, err, want)
	}
	if c, err := parseThreesigma("width=1500ms"); err != nil || c.Window != (threesigma.Window{Width: 1.5}) {
		t.Errorf("a window of %+v, %v; want slots of 1.5 s", c.Window, err)
	}
}
