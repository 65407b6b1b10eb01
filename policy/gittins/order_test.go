package gittins

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Job 1 has two long tasks, and short jobs come faster than one core serves them.
func maxWait(t *testing.T) {
	list := []*workload.Job{bag(2, 0, 1, 2), bag(1, 0.5, 2, 50)}
	for id := range policy.JobID(100) {
		list = append(list, bag(id+3, 1.9*float64(id+1), 1, 2))
	}
	for _, test := range []struct {
		wait  float64
		first int // task that job 1 starts, and the other one
		then  int
	}{{0, 101, 102}, {20, 11, 22}, {100, 51, 102}} {
		order := starts(t, 1, Config{MaxWait: policy.Duration(test.wait * 1e9)}, list...)
		first := slices.Index(order, 1)
		if then := first + 1 + slices.Index(order[first+1:], 1); first != test.first || then != test.then {
			t.Errorf("MaxWait %v s: job 1 starts tasks %d and %d of all, want %d and %d", test.wait, first, then, test.first, test.then)
		}
	}
}

// What waits for MaxWait goes first until a unit starts, and not while its Start is under way. It waits anew if that unit
// fails, and goes on waiting if the Start is refused.
func TestMaxWaitOfManyTasks(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []policy.Event // at 31 s, about task 0 of job 1
		want   policy.JobID   // that is next then
	}{
		{"under way", nil, 2},
		{"runs", []policy.Event{{Kind: policy.Started}}, 2},
		{"failed", []policy.Event{{Kind: policy.Started}, {Kind: policy.Failed, Again: true}}, 2},
		{"refused", []policy.Event{{Kind: policy.Refused, Again: true}}, 1},
	} {
		g, s := script(t, Config{MaxWait: 20 * second}, says{forecast.Nothing(), []central.Distribution{forecast.Known(9)}})
		s.submit(1, 1, policy.Stage{Tasks: 8, Cores: 1})
		s.submit(2, 1, policy.Stage{Tasks: 3, Cores: 1}) // has the lesser rank
		if next := g.Next().Job.ID; next != 2 {
			t.Errorf("%s: job %d is next at first, want 2", test.name, next)
		}
		s.step(policy.Event{Time: policy.Time(30 * second), Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
		for _, ev := range test.events {
			ev.Time, ev.More, ev.Copy = policy.Time(31*second), true, task(1, 0)
			if ev.Kind != policy.Refused {
				ev.Node = 1
			}
			s.step(ev)
		}
		if next := g.Next().Job.ID; next != test.want {
			t.Errorf("%s: job %d is next, want %d", test.name, next, test.want)
		}
	}
}

// Unknown jobs alternate with known ones on one core. On several no second one starts while the first one runs, unless a core would
// idle.
func explorers(t *testing.T) {
	for _, test := range []struct {
		name  string
		cores int32
		list  []*workload.Job
		want  []policy.JobID
	}{
		{"one core", 1, []*workload.Job{bag(1, 0, 4, 1), bag(2, 0, 1, 10), bag(3, 0, 1, 10), bag(4, 0, 2, 10)}, []policy.JobID{2, 1, 3, 1, 4, 1, 1, 4}},
		{"three cores", 3, []*workload.Job{bag(1, 0, 40, 1), bag(2, 0, 1, 10), bag(3, 0, 1, 10)}, slices.Concat([]policy.JobID{2}, slices.Repeat([]policy.JobID{1}, 20), []policy.JobID{3}, slices.Repeat([]policy.JobID{1}, 20))},
		{"a core idles", 3, []*workload.Job{bag(1, 0, 1, 1), bag(2, 0, 1, 10), bag(3, 0, 1, 10), bag(4, 2, 1, 1)}, []policy.JobID{2, 1, 3, 4}},
		{"all are unknown", 1, []*workload.Job{bag(1, 0, 2, 10), bag(2, 0, 2, 10)}, []policy.JobID{1, 2, 1, 2}},
	} {
		if got := starts(t, test.cores, Config{}, test.list...); !slices.Equal(got, test.want) {
			t.Errorf("%s: starts %v, want %v", test.name, got, test.want)
		}
	}
}

// While job 1 is unknown and runs, the known job 3 goes before the unknown job 2. Once job 1 is known, though it wants
// nothing more, job 2 goes first as soon as a known job has got a core. Reordered tells of it.
func TestExplorerBecomesKnown(t *testing.T) {
	of := []central.Distribution{nil, nil, nil, forecast.Known(9)} // by job
	g, s := script(t, Config{}, byJob{forecast.Nothing(), of})
	s.join(0, 2)
	for id := range policy.JobID(3) {
		s.submit(id+1, 1, policy.Stage{Tasks: 2, Cores: 1})
		s.step(policy.Event{Kind: policy.Woken})
	}
	for i := range uint32(2) {
		s.step(policy.Event{Kind: policy.Started, Copy: task(1, i), Node: 1})
	}
	if s.Compare(3, 2) > 0 {
		t.Error("the unknown job 2 goes before job 3 while job 1 explores")
	}
	g.Reordered()
	of[1] = forecast.Known(5)
	s.step(policy.Event{Time: policy.Time(second), Kind: policy.Finished, Copy: task(1, 0), Node: 1, Service: second}) // job 3 starts
	if s.Compare(2, 3) > 0 || !g.Reordered() {
		t.Error("job 2 does not go before job 3 when nobody explores and job 3 has got a core, or Reordered does not say so")
	}
}

// byJob is a Forecast that has a distribution for each job.
type byJob struct {
	central.Forecast
	of []central.Distribution
}

func (f byJob) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	d := f.of[j.Job.ID]
	return d, d != nil
}

// starts runs jobs of tasks of some seconds, which a Forecast knows but for those of 10 s, and returns the jobs of the tasks
// in the order of their starts.
func starts(t *testing.T, cores int32, c Config, list ...*workload.Job) (order []policy.JobID) {
	t.Helper()
	run(t, sim.Partition{Nodes: 1, Cores: cores}, list, func(of policy.Truth) central.Config {
		g := turn(c)
		return central.Config{Forecast: but10{truth(of)}, Turn: &asked{Turn: g, ask: func(next *central.Job) {
			if g.view.Free(0) > 0 {
				order = append(order, next.Job.ID)
			}
		}}}
	})
	return order
}

// but10 is a Forecast that knows nothing of what takes 10 s.
type but10 struct{ central.Forecast }

func (f but10) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	d, ok := f.Forecast.Runtime(j, stage)
	return d, ok && d.Mean() != 10
}
