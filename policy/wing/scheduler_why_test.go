package wing_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/wing"
	"example.com/augur/queue"
)

// Each reason for which a job waits, on 10 cores of which queue a may have 4 and queues b and c share
// the rest.
func TestExplain(t *testing.T) {
	p := must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority(), Queues: []wing.Queue{
		{Name: "a", Share: queue.Share{Guaranteed: 0.4, Maximum: 0.4}},
		{Name: "b", Share: queue.Share{Guaranteed: 0.3}},
		{Name: "c", Share: queue.Share{Guaranteed: 0.3}},
	}}))
	h := &host{t: t, p: p}
	h.join(10)
	submit := func(id policy.JobID, in string, width uint32, priority float64, ready bool) {
		j := bag(id, width, priority)
		j.Queue, j.Stages[0].Gang = in, true
		for _, a := range h.submit(j, ready) {
			h.tell(policy.Event{Kind: policy.Started, Copy: a.Copy, Gang: []policy.Share{{Node: 1, Tasks: width}}})
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
	for _, test := range []struct {
		id     policy.JobID
		reason string
		ahead  int
		asks   int64
		cores  int64
	}{
		{1, "waits for nothing", 0, 0, 3}, {2, "is first, but its queue is full", 0, 2, 0},
		{3, "waits for jobs ahead of it", 1, 1, 0}, {4, "waits for nothing", 0, 0, 6},
		{6, "is first, but other queues are before its own", 0, 1, 0}, {7, "is first, but too few cores are free", 0, 2, 0},
		{8, "waits for input", 0, 0, 0},
	} {
		e, ok := p.Explain(test.id)
		if !ok || e.Reason != test.reason || e.Ahead != test.ahead || e.Asks != test.asks || e.Cores != test.cores {
			t.Errorf("job %d: got %+v, want %+v", test.id, e, test)
		}
		if e.String() == "" || e.Until != wing.Never {
			t.Errorf("job %d: got %q, and its priority holds until %v", test.id, e, e.Until)
		}
	}
	if _, ok := p.Explain(99); ok {
		t.Error("a job that is not there is explained")
	}
	if _, ok := p.Priority(99); ok {
		t.Error("a job that is not there has a priority")
	}
	var waiting []string
	for q, id := range p.Waiting() {
		waiting = append(waiting, fmt.Sprint(q, id))
	}
	if want := []string{"a2", "a3", "b6", "c7"}; !slices.Equal(waiting, want) {
		t.Errorf("waiting are %v, want %v", waiting, want)
	}
	// The queue that uses nothing is first, the one that has no room last, and then what is not there.
	order := []policy.JobID{99, 1, 2, 3, 4, 6, 7, 8}
	slices.SortFunc(order, p.Compare)
	if want := []policy.JobID{7, 8, 4, 6, 2, 3, 1, 99}; !slices.Equal(order, want) {
		t.Errorf("got the order %v, want %v", order, want)
	}
	if e, _ := p.Explain(6); e.Use != 7 || e.Guaranteed != 3 || e.Maximum != 10 {
		t.Errorf("queue b: got %+v, want 7 cores of 3 to 10", e)
	}

	// When 4 has ended, its host starts 7 and refuses it; 6 waits for it.
	actions := h.tell(policy.Event{Kind: policy.Finished, Copy: policy.Copy{Task: policy.Task{Job: 4}}, Gang: []policy.Share{{Node: 1, Tasks: 6}}})
	if len(actions) == 0 || actions[0].Copy.Job != 7 {
		t.Fatalf("got %v, want a Start of job 7 first", actions)
	}
	h.tell(policy.Event{Kind: policy.Refused, Copy: actions[0].Copy, Again: true})
	if e, _ := p.Explain(7); e.Reason != "is next, but no nodes have room for it" {
		t.Errorf("job 7: got %v, want that no nodes have room", e)
	}
}

// Under an Advisor that grants nothing the job that could start is first, and waits for nothing in the cluster.
func TestExplainFirstOfAnOrder(t *testing.T) {
	p := must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority()}))
	a := must(advise.NewOrder(p))
	tell := func(ev policy.Event) {
		t.Helper()
		if err := a.Observe(&ev); err != nil {
			t.Fatal(err)
		}
	}
	tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 6, Speed: 1}})
	for id, width := range []uint32{4, 2, 8} {
		j := bag(policy.JobID(id+1), width, float64(10-id))
		j.Stages[0].Gang = true
		tell(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}, Job: j})
		tell(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: j.ID}}})
	}
	for id, want := range map[policy.JobID]string{1: "is first", 2: "waits for jobs ahead of it", 3: "waits for jobs ahead of it"} {
		if e, ok := p.Explain(id); !ok || e.Reason != want {
			t.Errorf("job %d: got %q, want %q", id, e.Reason, want)
		}
	}
}
