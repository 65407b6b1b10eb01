package kairos

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// naiveAdaptive is an adaptive cluster in which all is known at once, but for what a node says of itself when a task has ended,
// which comes after the end: the rules of NewAdaptive and AdaptiveNode, with a look at every task for each decision.
type naiveAdaptive struct {
	now   policy.Time
	mute  []bool          // cores on which a task has just ended
	cores [][2]*naiveDuty // what runs, and what is suspended; nodes have one core
	jobs  []*naiveJob
	ended []policy.Duration // runtimes
}

type naiveJob struct {
	spec    *workload.Job
	waiting []policy.Duration
	out     int
	done    policy.Time
}

type naiveDuty struct {
	job                      *naiveJob
	runtime, attained, stood policy.Duration
}

// median returns that of the runtimes so far, and false if there are none.
func (s *naiveAdaptive) median() (policy.Duration, bool) {
	slices.Sort(s.ended)
	n := len(s.ended)
	if n == 0 {
		return 0, false
	}
	return s.ended[(n+1)/2-1], true
}

// next returns the job whose turn it is, nil if none waits.
func (s *naiveAdaptive) next() (first *naiveJob) {
	for _, j := range s.jobs {
		if j.spec.Submitted <= s.now && len(j.waiting) > 0 && (first == nil || j.out < first.out) {
			first = j
		}
	}
	return first
}

// place returns the core for a job, and from when on.
func (s *naiveAdaptive) place(j *naiveJob) (core int, at policy.Time) {
	core, at = -1, policy.Never
	for i, c := range s.cores {
		if c[0] == nil {
			return i, s.now
		}
	}
	m, ok := s.median()
	if !ok {
		return core, at
	}
	for i, c := range s.cores {
		if c[1] != nil || s.mute[i] {
			continue
		}
		zero := s.now.Add(c[0].stood - c[0].attained)
		from := max(zero.Add(policy.Duration(2*(j.out+1))*m), j.spec.Submitted.Add(m/10))
		if core < 0 || zero < s.now.Add(s.cores[core][0].stood-s.cores[core][0].attained) {
			core, at = i, from
		}
	}
	return core, at
}

// swap returns for how long a core's task goes on before it gives way.
func swap(c [2]*naiveDuty) policy.Duration {
	x := max(c[1].attained, 1e9)
	return x + x - x/2 - c[0].attained
}

// start starts what may start now, and returns how many tasks had to make way.
func (s *naiveAdaptive) start() (preemptions int) {
	for j := s.next(); j != nil; j = s.next() {
		core, at := s.place(j)
		if core < 0 || at > s.now {
			break
		}
		if s.cores[core][0] != nil {
			preemptions++
		}
		s.cores[core] = [2]*naiveDuty{{job: j, runtime: j.waiting[0]}, s.cores[core][0]}
		j.waiting = j.waiting[1:]
		j.out++
	}
	return preemptions
}

// run returns when each job is done, and how often tasks were suspended.
func (s *naiveAdaptive) run() (done []policy.Time, preemptions int) {
	for {
		// What is due now: ends, changes of place, and then what may start.
		s.mute = make([]bool, len(s.cores))
		for i := range s.cores {
			if d := s.cores[i][0]; d != nil && d.attained == d.runtime {
				s.mute[i] = true
				d.job.out--
				d.job.done = s.now
				s.ended = append(s.ended, d.runtime)
				s.cores[i] = [2]*naiveDuty{s.cores[i][1], nil}
			}
		}
		for i := range s.cores {
			if c := s.cores[i]; c[1] != nil && swap(c) <= 0 {
				s.cores[i] = [2]*naiveDuty{c[1], c[0]}
				preemptions++
			}
		}
		preemptions += s.start()
		clear(s.mute)
		preemptions += s.start()
		next := policy.Never
		if j := s.next(); j != nil {
			_, next = s.place(j)
		}
		// When is something due again?
		for _, j := range s.jobs {
			if j.spec.Submitted > s.now {
				next = min(next, j.spec.Submitted)
			}
		}
		for _, c := range s.cores {
			if c[0] != nil {
				next = min(next, s.now.Add(c[0].runtime-c[0].attained))
			}
			if c[1] != nil {
				next = min(next, s.now.Add(swap(c)))
			}
		}
		if next == policy.Never {
			for _, j := range s.jobs {
				done = append(done, j.done)
			}
			return done, preemptions
		}
		for _, c := range s.cores {
			if c[0] != nil {
				c[0].attained += next.Sub(s.now)
			}
			if c[1] != nil {
				c[1].stood += next.Sub(s.now)
			}
		}
		s.now = next
	}
}

// The scheduler does what the rules say, on nodes of one core that tell at once how they are.
func TestAdaptiveAgainstNaive(t *testing.T) {
	preempted := 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 31))
		list := unevenJobs(rng, 20, 8e9)
		tasks := 0
		for i, j := range list { // a histogram is exact only as long as it has no more values than bins
			if tasks += len(j.Runtimes[0]); tasks > 75 {
				list = list[:i]
				break
			}
		}
		naive := &naiveAdaptive{cores: make([][2]*naiveDuty, 1+rng.IntN(6))}
		for _, j := range list {
			naive.jobs = append(naive.jobs, &naiveJob{spec: j, waiting: slices.Clone(j.Runtimes[0])})
		}
		want, times := naive.run()
		preempted += times

		n := NewAdaptiveNodes()
		n.config.Heartbeat = 1
		s := under(baseline.Fair(), n)
		jobs, truth := workload.Split(list)
		r, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: len(naive.cores), Cores: 1}), Jobs: jobs, Truth: truth,
		}, s)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, j := range r.Jobs {
			if off := j.Ended.Sub(want[i]); max(off, -off) > 1000 { // heartbeats come a nanosecond apart
				t.Fatalf("seed %d: job %d is done at %v s, want %v s", seed, j.ID, j.Ended.Seconds(), want[i].Seconds())
			}
		}
		if got := r.Metrics().Preemptions; got != times {
			t.Errorf("seed %d: %d preemptions, want %d", seed, got, times)
		}
	}
	if preempted < 500 {
		t.Errorf("%d preemptions in all, want more", preempted)
	}
}

// nodesAfter returns nodes on which a task has run for so long.
func nodesAfter(runtime policy.Duration) *Nodes {
	n := NewAdaptiveNodes()
	n.learn(runtime)
	return n
}

// After a restart nodes say at once what they have, also where nothing moves: a short task suspends one from before.
func TestAdaptiveRestart(t *testing.T) {
	list := []*workload.Job{
		{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}, Runtimes: [][]policy.Duration{{1000e9}}},
		{Job: policy.Job{ID: 2, Submitted: 200e9, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}, Runtimes: [][]policy.Duration{{5e9}}},
	}
	newPolicy := func() (policy.Scheduler, error) { return under(baseline.Fair(), nodesAfter(5e9)), nil }
	s, _ := newPolicy()
	r := runtest.Run(t, sim.Config{
		Nodes:  sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		Faults: sim.Faults{Restarts: []policy.Time{100e9}, NewPolicy: newPolicy},
	}, list, s)
	if got, want := r.Jobs[1].Ended, policy.Time(205.5e9); got != want { // a tenth of the median after it has come
		t.Errorf("job 2 ends at %v s, want %v", got.Seconds(), want.Seconds())
	}
}

// A node of many cores offers the next one when one has been taken, and does not wait for its next heartbeat to be due.
func TestAdaptiveBurst(t *testing.T) {
	const cores = 8
	long := &workload.Job{Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: cores, Cores: 1}}}, Runtimes: [][]policy.Duration{nil}}
	list := []*workload.Job{long}
	for i := range cores {
		long.Runtimes[0] = append(long.Runtimes[0], 1000e9)
		list = append(list, &workload.Job{
			Job:      policy.Job{ID: policy.JobID(i + 2), Submitted: 100e9, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}},
			Runtimes: [][]policy.Duration{{5e9}},
		})
	}
	s := under(baseline.Fair(), nodesAfter(5e9))
	r := runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: cores}), Delay: 500_000}, list, s)
	for _, j := range r.Jobs[1:] {
		if took := j.Ended.Sub(j.Submitted).Seconds(); took > 5.6 { // a tenth of the median, and a few messages
			t.Errorf("job %d takes %v s, want 5.6 at most", j.ID, took)
		}
	}
}

// A centre believes an offer only if the node made it after the last task that took a core there had come, and after all ends that
// the centre has heard of.
func TestStaleOffers(t *testing.T) {
	c := NewAdaptiveNodes().centre
	c.joined(&policy.Node{ID: 1, Cores: 2})
	w := c.workers.Get(1)
	number := uint64(0)
	for _, step := range []struct {
		what string
		do   func()
		open bool
	}{
		{"two tasks take both cores", func() { c.send(1, copyOf(1), 0); c.send(1, copyOf(2), 0) }, false},
		{"an offer", func() { number++; c.hear(1, report{number, w.sent, 2, 0, offer{open: true}}) }, true},
		{"it is good for one task", func() { c.send(1, copyOf(3), 0) }, false},
		{"an offer of before that task has come", func() { number++; c.hear(1, report{number, w.sent - 1, 2, 0, offer{open: true}}) }, false},
		{"the offer of another core", func() { number++; c.hear(1, report{number, w.sent, 3, 0, offer{open: true}}) }, true},
		{"it may be of the core of a task that ends", func() { c.release(1, copyOf(1)) }, false},
		{"an offer of before the end", func() { number++; c.hear(1, report{number, w.sent, 3, 0, offer{open: true}}) }, false},
		{"the offer after the end", func() { number++; c.hear(1, report{number, w.sent, 2, 0, offer{open: true}}) }, true},
	} {
		if step.do(); c.full() == step.open {
			t.Errorf("%s: another task may come: %v, want %v", step.what, !step.open, step.open)
		}
	}
}

// Another copy of a task goes to another node than the task, though that has the greatest credit.
func TestCopiesApart(t *testing.T) {
	n := nodesAfter(1e6)
	s := under(baseline.Fair(), n)
	step := func(ev policy.Event) {
		t.Helper()
		if _, err := s.Step(&ev, nil); err != nil {
			t.Fatal(err)
		}
	}
	for id := policy.NodeID(1); id <= 3; id++ {
		step(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 1, Speed: 1}})
	}
	job := policy.Copy{Task: policy.Task{Job: 1}}
	step(policy.Event{Kind: policy.Submitted, Copy: job, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}}})
	step(policy.Event{Kind: policy.Ready, Copy: job})
	for id := policy.NodeID(1); id <= 3; id++ {
		m := policy.Msg{Kind: heartbeat, Seq: 2, Count: 1, Value: 10e9, Copy: policy.Copy{Task: policy.Task{Job: 1}, N: 1}}
		step(policy.Event{Time: policy.Time(10e9) + policy.Time(id), Kind: policy.Arrived, Node: id, Msg: m})
	}
	j := n.view.Job(1)
	if w, at := n.reach(j, 0); w.id != 1 || at > n.view.Now() {
		t.Fatalf("a task may go to node %d from %d ns on, want node 1 now, %d", w.id, at, n.view.Now())
	}
	if w := n.apart(j, held{policy.Copy{Task: policy.Task{Job: 1}, N: 1}, 0}); w.id != 2 {
		t.Errorf("a copy of the task on node 1 goes to node %d, want 2", w.id)
	}
}
