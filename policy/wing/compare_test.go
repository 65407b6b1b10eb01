package wing_test

import (
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/wing"
	"example.com/augur/queue"
)

// The order of jobs that wait for different reasons, on 10 cores of which queue a may have 4 and queues b and c share
// the rest.
func TestCompare(t *testing.T) {
	p := jobtest.Must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{
		{Name: "a", Share: queue.Share{Guaranteed: 0.4, Maximum: 0.4}},
		{Name: "b", Share: queue.Share{Guaranteed: 0.3}},
		{Name: "c", Share: queue.Share{Guaranteed: 0.3}},
	}}))
	h := newHost(t, p)
	h.Join(1, 10)
	submit := func(id policy.JobID, in string, width uint32, priority float64, ready bool) {
		j := bag(id, width, priority)
		j.Queue, j.Stages[0].Gang = in, true
		for _, a := range h.Submit(j, ready) {
			h.Tell(policy.Event{Kind: policy.Started, Copy: a.Copy, Gang: []policy.Share{{Node: 1, Tasks: width}}})
		}
	}
	submit(1, "a", 3, 0, true)  // runs
	submit(2, "a", 2, 5, true)  // has no room in a
	submit(3, "a", 1, 4, true)  // behind 2
	submit(4, "b", 6, 0, true)  // runs, above the share of b
	submit(5, "b", 1, 0, true)  // runs: 10 cores are in use
	submit(6, "b", 1, 0, true)  // after c, which has nothing
	submit(7, "c", 2, 0, true)  // next
	submit(8, "c", 1, 0, false) // its input is not there
	if _, ok := p.Priority(99); ok {
		t.Error("a job that is not there has a priority")
	}
	// The queue that uses nothing is first, the one that has no room last, and then what is not there.
	order := []policy.JobID{99, 1, 2, 3, 4, 6, 7, 8}
	slices.SortFunc(order, p.Compare)
	if want := []policy.JobID{7, 8, 4, 6, 2, 3, 1, 99}; !slices.Equal(order, want) {
		t.Errorf("got the order %v, want %v", order, want)
	}
}
