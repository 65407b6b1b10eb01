package wing_test

import (
	"fmt"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/wing"
	"example.com/augur/queue"
)

// drifting is a ranker of whose jobs about one in a thousand changes priority each second.
type drifting struct{}

func (drifting) Rank(j *policy.Job, now policy.Time) (float64, policy.Time) {
	const period = 1000 * policy.Time(s)
	shift := policy.Time(j.ID%1000) * policy.Time(s)
	k := (now + shift) / period
	return float64((uint32(j.ID)*7919 + uint32(k)*104729) % 1000), (k+1)*period - shift
}

// crowd has many gangs of two tasks wait in queues for the 16 cores of a node. A step, of a second,
// is the end of one that runs and the start of the next, with a job that comes in its stead: five events.
func crowd(tb testing.TB, p policy.Scheduler, names []string, jobs int) (step func()) {
	var actions, starts []policy.Action
	held := new(policy.Event)
	send := func(ev policy.Event) {
		var err error
		*held = ev
		if actions, err = p.Step(held, actions[:0]); err != nil {
			tb.Fatal(err)
		}
		for _, a := range actions {
			if a.Kind == policy.Start {
				starts = append(starts, a)
			}
		}
	}
	var now policy.Time
	id := policy.JobID(0)
	come := func(more bool) {
		id++
		job := &policy.Job{ID: id, Submitted: now, Queue: names[int(id)%len(names)], Priority: float64(id*7919%1000 + 1),
			Stages: []policy.Stage{{Tasks: 2, Cores: 1, Gang: true}}}
		copy := policy.Copy{Task: policy.Task{Job: id}}
		send(policy.Event{Time: now, Kind: policy.Submitted, Copy: copy, Job: job, More: true})
		send(policy.Event{Time: now, Kind: policy.Ready, Copy: copy, More: more})
	}
	send(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 16, Speed: 1}, More: true})
	for range jobs {
		come(true)
	}
	come(false)
	gang := []policy.Share{{Node: 1, Tasks: 2}}
	started := 0
	return func() {
		for ; started < len(starts); started++ {
			send(policy.Event{Time: now, Kind: policy.Started, Copy: starts[started].Copy, Gang: gang})
		}
		first := starts[0].Copy
		starts = starts[:copy(starts, starts[1:])]
		started--
		now = now.Add(s)
		send(policy.Event{Time: now, Kind: policy.Finished, Copy: first, Gang: gang, Service: s, More: true})
		send(policy.Event{Time: now, Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: first.Job}}, Outcome: policy.Done, More: true})
		come(false)
		if len(starts) != 8 {
			tb.Fatalf("%d gangs run, want 8", len(starts))
		}
	}
}

// A job is five events: it is submitted, ready, started, finished and over. Allocations are those of a job that comes, by
// the host and the View. Of those that are drifting, one in a thousand changes its priority meanwhile: a hundred of 100,000.
func BenchmarkJob(b *testing.B) {
	var names []string
	var queues []wing.Queue
	for i := range 20 {
		names = append(names, fmt.Sprint("organisation", i))
		queues = append(queues, wing.Queue{Name: names[i], Share: queue.Share{Guaranteed: 1. / 20}})
	}
	for _, test := range []struct {
		name  string
		new   func() policy.Scheduler
		names []string
	}{
		{"baseline.Priority", func() policy.Scheduler { return baseline.NewPriority() }, []string{""}},
		{"fixed/queues=1", func() policy.Scheduler {
			return jobtest.Must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority()}))
		}, []string{""}},
		{"fixed/queues=20", func() policy.Scheduler {
			return jobtest.Must(wing.NewScheduler(wing.Config{Ranker: wing.ByPriority(), Queues: queues}))
		}, names},
		{"drifting/queues=20", func() policy.Scheduler {
			return jobtest.Must(wing.NewScheduler(wing.Config{Ranker: drifting{}, Queues: queues}))
		}, names},
	} {
		for _, jobs := range []int{1_000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/jobs=%d", test.name, jobs), func(b *testing.B) {
				step := crowd(b, test.new(), test.names, jobs)
				b.ReportAllocs()
				for b.Loop() {
					step()
				}
			})
		}
	}
}
