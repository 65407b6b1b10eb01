package slearn

import (
	"math"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

// A user's three jobs took 1, 2 and 4 s for each task of two cores. E[1/t²] is 0.4375.
func TestHistory(t *testing.T) {
	for _, test := range []struct {
		name   string
		config HistoryConfig
		want   float64 // of a job of ten tasks
	}{
		{"utility", HistoryConfig{}, 20 / math.Sqrt(0.4375)},
		{"median", HistoryConfig{Point: Median}, 20 * 2},
		{"total", HistoryConfig{Point: Median, Total: true}, 5 * 2 * 2},
	} {
		h := newHistory(test.config)
		for i, runtime := range []float64{1, 2, 4} {
			if err := learn(h, userJob(policy.JobID(i+1), "u", 5), slices.Repeat([]float64{runtime}, 5)...); err != nil {
				t.Fatal(err)
			}
		}
		plan, err := h.Plan(userJob(9, "u", 10), 0)
		if err != nil || plan.When != Now || plan.Bypass {
			t.Errorf("%s: plan %v (%v), want an estimate", test.name, plan, err)
		}
		if math.Abs(plan.Work-test.want) > 1e-9 {
			t.Errorf("%s: %v core-seconds, want %v", test.name, plan.Work, test.want)
		}
		if plan, _ := h.Plan(userJob(9, "v", 10), 0); plan.When != Never {
			t.Errorf("%s: a new user's job is known %v, want Never", test.name, plan.When)
		}
	}
}

func historyLearnsFromWhatIsDone(t *testing.T) {
	h := newHistory(HistoryConfig{Point: Winner, ThinLimit: 3})
	j := userJob(1, "u", 3)
	if err := h.Ended(j, Record{Outcome: policy.Cancelled, Runtimes: moments(10, 10, 10), Work: 60}); err != nil {
		t.Fatal(err)
	}
	if _, ok := h.Predict(j, 0); ok {
		t.Error("learnt from a job that was cancelled")
	}
	if err := learn(h, j, 5, 5, 20); err != nil {
		t.Fatal(err)
	}
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

// With Stages it learns each stage on its own, from a job of the past too. The gang of two counts as one task that holds
// both cores.
func TestStagesOfThePast(t *testing.T) {
	h := stagedHistory()
	j := userJob(1, "u", 2)
	j.Stages = append(j.Stages, policy.Stage{Tasks: 2, Cores: 1, Gang: true})
	if err := learn(h, j, 1, 3, 10); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2, 10} {
		if mean, ok := h.stage(j, uint32(i), j.Calendar(0)); !ok || mean != want {
			t.Errorf("tasks of stage %d take %v s (%v), want %v", i, mean, ok, want)
		}
	}
	if work, ok := h.Predict(j, 0); !ok || work != 2*2*2+2*10 {
		t.Errorf("work of %v core-seconds (%v), want 28", work, ok)
	}
}

// A predictor that finds features finds the number of a stage.
func TestStageIsFound(t *testing.T) {
	p := jobtest.Must(predict.New(predict.Config{}))
	h := jobtest.Must(NewHistory(HistoryConfig{Predictor: p, Stages: true, Point: Winner}))
	j := userJob(1, "u", 2)
	j.Stages = append(j.Stages, policy.Stage{Tasks: 1, Cores: 1})
	if err := learn(h, j, 1, 3, 10); err != nil {
		t.Fatal(err)
	}
	if features := p.Features(); !slices.Contains(features, "log(stage)") || !slices.Contains(features, "log(stage)+user") {
		t.Errorf("features %q are found, want log(stage) among them", features)
	}
}
