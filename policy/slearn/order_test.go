package slearn

import (
	"fmt"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

// Five jobs on two cores: 1 runs, with 40 core-seconds of 90 left after 25 s. 2 and 5 wait
// behind it in the highest queue, 3 in the next and 4 in the one after that. So would 6, whose input is not there yet.
func TestCompare(t *testing.T) {
	g := jobtest.Must(NewScheduler(Config{Forecast: NewForecast(plans(func(j *policy.Job) Plan {
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
	for id := policy.JobID(1); id <= 6; id++ {
		c := policy.Copy{Task: policy.Task{Job: id}}
		send(policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}}, More: true})
		if id == 6 {
			break
		}
		for _, a := range send(policy.Event{Kind: policy.Ready, Copy: c}) {
			send(policy.Event{Kind: policy.Started, Copy: a.Copy, Node: 1})
		}
	}
	send(policy.Event{Kind: policy.Arrived, Time: policy.Time(25 * s)})

	var waiting []string
	for _, id := range slices.SortedFunc(slices.Values([]policy.JobID{1, 2, 3, 6, 4, 5}), g.Compare) {
		e, _ := g.Explain(id)
		waiting = append(waiting, fmt.Sprintf("%d in %d", id, e.Queue))
	}
	if want := []string{"1 in 0", "2 in 0", "5 in 0", "3 in 1", "4 in 2", "6 in 2"}; !slices.Equal(waiting, want) {
		t.Errorf("jobs wait: %v, want %v", waiting, want)
	}
}
