package slearn

import (
	"fmt"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

// Five jobs on two cores: 1 runs, with 40 core-seconds of 90 left after 25 s. 2 and 5 wait
// behind it in the highest queue, 3 in the next and 4 in the one after that.
func TestExplain(t *testing.T) {
	g := jobtest.Must(NewGS(GSConfig{Forecast: NewForecast(plans(func(j *policy.Job) Plan {
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
	for id, want := range map[policy.JobID]string{
		1: "queue 0, estimated at 90 core-seconds, 50 attained, 2 cores (100 % of its queue's)",
		2: "queue 0, bypasses the estimate, 0 attained, 0 cores (0 % of its queue's)",
		5: "queue 0, goes by attained service, 0 attained, 0 cores (0 % of its queue's)",
		4: "queue 2, estimated at 12000 core-seconds, 0 attained, 0 cores (0 % of its queue's)",
	} {
		e, ok := g.Explain(id)
		if got := e.String(); !ok || got != want {
			t.Errorf("job %d: %s (%v), want %s", id, got, ok, want)
		}
	}
	if _, ok := g.Explain(9); ok {
		t.Error("job 9 is explained, but unknown")
	}
}
