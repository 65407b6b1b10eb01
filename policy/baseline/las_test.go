package baseline

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/queue"
)

// Whatever LAS starts is of a job in the least level of all that wait, by service that is
// added up copy by copy.
func TestLASAgainstDefinition(t *testing.T) {
	var levels [6]int
	for seed := range uint64(20) {
		const cores = 12
		jobs := batch(seed, 150, 6, true)
		config := queue.MultilevelConfig{Levels: 6, First: 4, Growth: 2}
		l := must(NewLAS(config))
		type run struct {
			since   policy.Time
			service float64
			width   float64
			ended   bool
		}
		runs := map[policy.JobID]map[policy.Copy]*run{}
		waiting := map[policy.JobID]int{}
		service := func(id policy.JobID, now policy.Time) (sum float64) {
			for _, r := range runs[id] {
				if !r.ended {
					r.service = now.Sub(r.since).Seconds() * r.width
				}
				sum += r.service
			}
			return sum
		}
		level := func(service float64) (n int) {
			for end := config.First; n < 5 && service >= end; end *= config.Growth {
				n++
			}
			return n
		}
		p := watch{l, func(ev *policy.Event, actions []policy.Action) error {
			id := ev.Copy.Job
			switch {
			case ev.Kind == policy.Submitted:
				runs[id] = map[policy.Copy]*run{}
			case ev.Kind == policy.Ready:
				waiting[id] = int(jobs[id-1].Stages[0].Units())
			case ev.Kind == policy.Started:
				runs[id][ev.Copy] = &run{since: ev.Time, width: float64(jobs[id-1].Stages[0].Width())}
			case ev.Kind.End():
				r := runs[id][ev.Copy]
				r.ended, r.service = true, ev.Service.Seconds()*r.width
				if ev.Again {
					waiting[id]++
				}
			case ev.Kind == policy.Ended:
				delete(runs, id)
				delete(waiting, id)
			}
			for id := range runs {
				want := service(id, ev.Time)
				if got := l.View().Service(l.View().Job(id)); math.Abs(got-want) > 1e-6 {
					return fmt.Errorf("job %d has %v core-seconds, want %v", id, got, want)
				}
			}
			for _, a := range actions {
				got := service(a.Copy.Job, ev.Time)
				levels[level(got)]++
				for other, n := range waiting {
					if want := service(other, ev.Time); n > 0 && level(want+1e-6) < level(got-1e-6) {
						return fmt.Errorf("start of %v with %v core-seconds, but job %d has %v", a.Copy, got, other, want)
					}
				}
				waiting[a.Copy.Job]--
			}
			return nil
		}}
		_, err := simulate(t, sim.Config{
			Nodes:  sim.Cluster(sim.Partition{Nodes: 1, Cores: cores}),
			Faults: sim.Faults{Seed: seed, TaskFailure: 0.05},
		}, jobs, p)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if slices.Min(levels[:]) < 20 {
		t.Errorf("%v units started by level, want more of each", levels)
	}
}

// By default the first level ends at 1,000 core-seconds.
func TestLASCompare(t *testing.T) {
	l := must(NewLAS(queue.MultilevelConfig{}))
	c := policy.Copy{Task: policy.Task{Job: 1}}
	story := append(waitingJobs(2, 2), policy.Event{Kind: policy.Started, Copy: c, Node: 1})
	for _, test := range []struct {
		at   policy.Duration
		want []policy.JobID // 3 is unknown
	}{{999 * s, []policy.JobID{1, 2, 3}}, {1000 * s, []policy.JobID{2, 1, 3}}} {
		for _, ev := range append(story, policy.Event{Kind: policy.Arrived, Time: policy.Time(test.at)}) {
			if _, err := l.Step(&ev, nil); err != nil {
				t.Fatal(err)
			}
		}
		story = nil
		if got := slices.SortedFunc(slices.Values([]policy.JobID{3, 2, 1}), l.Compare); !slices.Equal(got, test.want) {
			t.Errorf("after %v the order is %v, want %v", test.at, got, test.want)
		}
	}
	if _, err := NewLAS(queue.MultilevelConfig{First: -1}); err == nil || !strings.Contains(err.Error(), "First is -1") {
		t.Errorf("error %v for a level below 0, want one that names First", err)
	}
}

// On two nodes of three cores each, one core of each is in use, and the host refuses job 3, of two cores,
// for a reason of its own. Narrow jobs of its level come and go for ever: none of them
// starts before job 3 does.
func TestLASRefusedStarvesNot(t *testing.T) {
	turn := must(LAS(queue.MultilevelConfig{Levels: 2, First: 1000}))
	p := of(turn)
	var tried []policy.JobID
	send := func(ev policy.Event) {
		t.Helper()
		actions, err := p.Step(&ev, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range actions {
			tried = append(tried, a.Copy.Job)
		}
	}
	of := func(id policy.JobID) policy.Copy { return policy.Copy{Task: policy.Task{Job: id}} }
	submit := func(at policy.Duration, id policy.JobID, cores int32) {
		job := &policy.Job{ID: id, Submitted: policy.Time(at), Stages: []policy.Stage{{Tasks: 1, Cores: cores}}}
		send(policy.Event{Kind: policy.Submitted, Time: policy.Time(at), Copy: of(id), Job: job, More: true})
		send(policy.Event{Kind: policy.Ready, Time: policy.Time(at), Copy: of(id)})
	}
	for _, n := range []policy.NodeID{1, 2} {
		send(policy.Event{Kind: policy.Joined, Node: n, Info: &policy.Node{ID: n, Partition: 1, Cores: 3, Speed: 1}})
	}
	for id := range policy.JobID(2) {
		submit(0, id+1, 1)
		send(policy.Event{Kind: policy.Started, Node: policy.NodeID(id + 1), Copy: of(id + 1)})
	}
	submit(0, 3, 2)
	tried = nil
	send(policy.Event{Kind: policy.Refused, Copy: of(3), Again: true})
	for id := policy.JobID(4); id < 10; id++ {
		at := policy.Duration(id) * s
		submit(at, id, 1)
		if want := []policy.JobID{3}; !slices.Equal(tried, want) {
			t.Fatalf("when job %d had come: tried to start %v, want %v", id, tried, want)
		}
		tried = nil
		send(policy.Event{Kind: policy.Refused, Time: policy.Time(at), Copy: of(3), Again: true})
		if first := turn.Next(); first == nil || first.Job.ID != 3 {
			t.Fatalf("next is %v, want job 3", first)
		}
	}
	send(policy.Event{Kind: policy.Finished, Time: policy.Time(20 * s), Node: 1, Copy: of(1)})
	send(policy.Event{Kind: policy.Started, Time: policy.Time(20 * s), Node: 1, Copy: of(3)})
	if want := []policy.JobID{3, 4, 5, 6}; !slices.Equal(tried, want) {
		t.Errorf("when a node was free: tried to start %v, want %v", tried, want)
	}
}
