package policytest_test

import (
	"cmp"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/view"
	"example.com/augur/queue"
)

// fewest is a whole policy: the job with the fewest tasks goes first. What it keeps of a
// job, besides what the View does, is its place in the queue.
type fewest struct {
	view    view.View[queue.Handle]
	waiting *queue.Heap[*view.Job[queue.Handle]] // the jobs with something to start
}

func newFewest() *fewest {
	return &fewest{waiting: queue.NewHeap(func(a, b *view.Job[queue.Handle]) int {
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
		actions = append(actions, p.view.Start(j, view.Where{}))
		p.note(j)
	}
}

// note puts a job into the queue while something of it waits.
func (p *fewest) note(j *view.Job[queue.Handle]) {
	if j.Waiting == 0 {
		p.waiting.Remove(j.Own)
	} else if !p.waiting.Fix(j.Own) {
		j.Own = p.waiting.Push(j)
	}
}

// A whole policy, and the test that says whether it may be let loose on a cluster.
func Example() {
	var t *testing.T // that of the test function
	policytest.Test(t, policytest.Config{
		New: func(policy.Truth) (policy.Scheduler, error) { return newFewest(), nil },
	})
}
