package slearn

import (
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

// A restart that has lost how long tasks ran makes no runtimes of 0 s of them: such a job teaches nothing. One whose
// host still knows teaches what the same job without a restart does.
func TestRestartLosesRuntimes(t *testing.T) {
	c := func(index uint32) policy.Copy { return policy.Copy{Task: policy.Task{Job: 1, Index: index}} }
	job := &policy.Job{ID: 1, Attrs: []policy.Attr{{Name: "user", Value: "a"}}, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}
	for _, service := range []policy.Duration{0, 300 * s} {
		history := newHistory(HistoryConfig{})
		g := jobtest.Must(NewScheduler(Config{Forecast: NewForecast(history)}))
		for _, ev := range []policy.Event{
			{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}, Replay: true},
			{Kind: policy.Submitted, Copy: c(0), Job: job, Replay: true},
			{Kind: policy.Ready, Copy: c(0), Replay: true},
			{Kind: policy.Finished, Copy: c(0), Node: 1, Service: service, Replay: true},
			{Kind: policy.Started, Copy: c(1), Node: 1, Replay: true},
			{Kind: policy.Restored},
			{Kind: policy.Finished, Copy: c(1), Node: 1, Service: 300 * s, Time: policy.Time(300 * s), More: true},
			{Kind: policy.Ended, Copy: c(0), Outcome: policy.Done, Time: policy.Time(300 * s)},
		} {
			if _, err := g.Step(&ev, nil); err != nil {
				t.Fatalf("%v: %v", ev.Kind, err)
			}
		}
		work, ok := history.Predict(job, 0)
		if want := service > 0; ok != want || ok && work != 600 {
			t.Errorf("with %v of service: predicts %v core-seconds (%v), want 600 (%v)", service, work, ok, want)
		}
	}
}
