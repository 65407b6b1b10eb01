package policytest_test

import (
	"cmp"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
	"example.com/augur/queue"
)

// fewest is a whole policy: the job with the fewest tasks goes first.
type fewest struct {
	view    central.View
	waiting *queue.Heap[*central.Job] // the jobs with something to start
	places  map[policy.JobID]queue.Handle
}

func newFewest() *fewest {
	return &fewest{places: map[policy.JobID]queue.Handle{}, waiting: queue.NewHeap(func(a, b *central.Job) int {
		return cmp.Or(cmp.Compare(a.Job.Tasks(), b.Job.Tasks()), cmp.Compare(a.Job.ID, b.Job.ID))
	})}
}

// Step is [policy.Scheduler].
func (p *fewest) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	if j != nil {
		p.note(j)
	}
	if !p.view.Decide(ev) {
		return actions, nil
	}
	for {
		j, ok := p.waiting.Peek()
		if !ok || !p.view.Fits(j) {
			return actions, nil
		}
		actions = append(actions, p.view.Start(j, central.Where{}))
		p.note(j)
	}
}

// note puts a job into the queue while something of it waits.
func (p *fewest) note(j *central.Job) {
	place := p.places[j.Job.ID]
	if j.Waiting == 0 {
		p.waiting.Remove(place)
		delete(p.places, j.Job.ID)
	} else if !p.waiting.Fix(place) {
		p.places[j.Job.ID] = p.waiting.Push(j)
	}
}

// A whole policy, and the test that says whether it may be let loose on a cluster.
func Example() {
	var t *testing.T // that of the test function
	policytest.Test(t, policytest.Config{
		New: func(policy.Truth) (policy.Scheduler, error) { return newFewest(), nil },
	})
}
