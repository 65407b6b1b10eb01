package slearn_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
	"example.com/augur/predict"
)

func userJob(id policy.JobID, user string, tasks uint32) *policy.Job {
	return &policy.Job{ID: id, Attrs: []policy.Attr{{Name: "user", Value: user}}, Stages: []policy.Stage{{Tasks: tasks, Cores: 2}}}
}

func moments(runtimes ...float64) (m estimate.Moments) {
	for _, x := range runtimes {
		if err := m.Add(x); err != nil {
			panic(err)
		}
	}
	return m
}

func newHistory(c slearn.HistoryConfig) *slearn.History {
	c.Predictor = must(predict.New(predict.Config{Features: []string{"user"}}))
	return must(slearn.NewHistory(c))
}

// A user's three jobs took 1, 2 and 4 s for each task of two cores. E[1/t²] is 0.4375.
func TestHistory(t *testing.T) {
	for _, test := range []struct {
		name   string
		config slearn.HistoryConfig
		want   float64 // of a job of ten tasks
	}{
		{"utility", slearn.HistoryConfig{}, 20 / math.Sqrt(0.4375)},
		{"median", slearn.HistoryConfig{Point: slearn.Median}, 20 * 2},
		{"total", slearn.HistoryConfig{Point: slearn.Median, Total: true}, 5 * 2 * 2},
	} {
		h := newHistory(test.config)
		for i, runtime := range []float64{1, 2, 4} {
			tasks := 5.
			if err := h.Learn(userJob(policy.JobID(i+1), "u", 5), runtime*2*tasks, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		plan, err := h.Plan(userJob(9, "u", 10), 0)
		if err != nil || plan.When != slearn.Now || plan.Bypass {
			t.Errorf("%s: plan %v (%v), want an estimate", test.name, plan, err)
		}
		if math.Abs(plan.Work-test.want) > 1e-9 {
			t.Errorf("%s: %v core-seconds, want %v", test.name, plan.Work, test.want)
		}
		if plan, _ := h.Plan(userJob(9, "v", 10), 0); plan.When != slearn.Never {
			t.Errorf("%s: a new user's job is known %v, want Never", test.name, plan.When)
		}
	}
}

// Only jobs that ended well are learnt from, and thin jobs bypass.
func TestHistoryLearnsFromWhatIsDone(t *testing.T) {
	h := newHistory(slearn.HistoryConfig{Point: slearn.Winner, ThinLimit: 3})
	j := userJob(1, "u", 3)
	h.Ended(j, slearn.Record{Outcome: policy.Cancelled, Runtimes: moments(10, 10, 10), Work: 60})
	h.Ended(j, slearn.Record{Outcome: policy.Done, Runtimes: moments(15, 15), Work: 60})
	if _, ok := h.Predict(j, 0); ok {
		t.Error("learnt from jobs that were not done")
	}
	h.Ended(j, slearn.Record{Outcome: policy.Done, Runtimes: moments(10, 10, 10), Work: 60})
	if work, ok := h.Predict(j, 0); work != 60 || !ok {
		t.Errorf("predicts %v (%v), want 60", work, ok)
	}
	if plan, _ := h.Plan(userJob(2, "u", 2), 0); !plan.Bypass {
		t.Errorf("plan of a job of two tasks is %v, want a bypass", plan)
	}
	if plan, _ := h.Plan(userJob(2, "u", 3), 0); plan.Bypass {
		t.Errorf("plan of a job of three tasks is %v, want none", plan)
	}
}

func TestHistoryErrors(t *testing.T) {
	p := must(predict.New(predict.Config{}))
	for _, test := range []struct {
		want string
		c    slearn.HistoryConfig
	}{
		{"Predictor is nil", slearn.HistoryConfig{}},
		{"Point is 3", slearn.HistoryConfig{Predictor: p, Point: 3}},
		{"ThinLimit is -1", slearn.HistoryConfig{Predictor: p, ThinLimit: -1}},
	} {
		if _, err := slearn.NewHistory(test.c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", err, test.want)
		}
	}
}
