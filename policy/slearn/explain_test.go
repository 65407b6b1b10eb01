package slearn

import (
	"fmt"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// Five jobs on two cores: 1 runs, with 40 core-seconds of 90 left after 25 s. 2 and 5 wait
// behind it in the highest queue, 3 in the next and 4 in the one after that.
func TestExplain(t *testing.T) {
	g := must(NewGS(GSConfig{Forecast: NewForecast(plans(func(j *policy.Job) Plan {
		switch j.ID {
		case 1:
			return Plan{Work: 90}
		case 2:
			return Plan{Bypass: true}
		case 5:
			return Plan{When: Never}
		}
		return Plan{Work: 3000 * float64(j.ID)}
	}))}))
	send := func(ev policy.Event) []policy.Action {
		actions, err := g.Step(&ev, nil)
		if err != nil {
			t.Fatal(err)
		}
		return actions
	}
	send(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}})
	for id := policy.JobID(1); id <= 5; id++ {
		c := policy.Copy{Task: policy.Task{Job: id}}
		send(policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}}, More: true})
		for _, a := range send(policy.Event{Kind: policy.Ready, Copy: c}) {
			send(policy.Event{Kind: policy.Started, Copy: a.Copy, Node: 1})
		}
	}
	send(policy.Event{Kind: policy.Arrived, Time: policy.Time(25 * s)})

	var waiting []string
	for _, id := range slices.SortedFunc(slices.Values([]policy.JobID{1, 2, 3, 4, 5}), g.Compare) {
		e, _ := g.Explain(id)
		waiting = append(waiting, fmt.Sprintf("%d in %d", id, e.Queue))
	}
	if want := []string{"1 in 0", "2 in 0", "5 in 0", "3 in 1", "4 in 2"}; !slices.Equal(waiting, want) {
		t.Errorf("jobs wait: %v, want %v", waiting, want)
	}
	for _, test := range []struct {
		job        policy.JobID
		resistance float64
		line       string
	}{
		// A task is expected to run for 1 s as long as none has ended.
		{1, 0, "queue 0, estimated at 90 core-seconds, 50 attained, 2 cores (100 % of its queue's)"},
		{2, 40, "queue 0, bypasses the estimate, 0 attained, 0 cores (0 % of its queue's)"},
		{5, 40 + 4, "queue 0, goes by attained service, 0 attained, 0 cores (0 % of its queue's)"},
		{3, 40 + 4 + 4, "queue 1, estimated at 9000 core-seconds, 0 attained, 0 cores (0 % of its queue's)"},
		{4, 40 + 4 + 4 + 9000, "queue 2, estimated at 12000 core-seconds, 0 attained, 0 cores (0 % of its queue's)"},
	} {
		e, ok := g.Explain(test.job)
		if got := e.String(); !ok || got != test.line {
			t.Errorf("job %d: %s (%v), want %s", test.job, got, ok, test.line)
		}
		if got, ok := g.Resistance(test.job); !ok || got != test.resistance {
			t.Errorf("job %d meets a resistance of %v core-seconds (%v), want %v", test.job, got, ok, test.resistance)
		}
	}
	// One more comes to the tail of the highest queue, once it is ready; until then it is in
	// nobody's way.
	send(policy.Event{Kind: policy.Submitted, Time: policy.Time(25 * s), Copy: policy.Copy{Task: policy.Task{Job: 10}},
		Job: &policy.Job{ID: 10, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}}})
	for job, want := range map[policy.JobID]float64{10: 40 + 4 + 4 + 9000 + 12000, 4: 40 + 4 + 4 + 9000} {
		if got, _ := g.Resistance(job); got != want {
			t.Errorf("with a job that is not ready: job %d meets a resistance of %v core-seconds, want %v", job, got, want)
		}
	}
	if _, ok := g.Resistance(9); ok {
		t.Error("job 9 meets a resistance, but is unknown")
	}
	if _, ok := g.Explain(9); ok {
		t.Error("job 9 is explained, but unknown")
	}
}
