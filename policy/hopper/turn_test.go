package hopper_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/internal/runtest"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Algorithm 4 in the scheduler, as jobs come, shrink and go. 60 slots are shared by a job of 40 tasks with a tail of 1.2
// and one of 20 tasks with a tail of 1.6. Algorithm 2 by virtual sizes, without 1/sqrt(β-1), would give 35 and 25 for a rate of
// 89.7 at first, and 24 and 36 at 20 s.
func TestSchedulerSharesByAlgorithm4(t *testing.T) {
	var c hopper.Config
	c.Epsilon, c.Group = 1, "group"
	h := newHost(t, 60, setting{Config: c})
	h.s.hopper.Learnt("a", 1.2)
	h.s.hopper.Learnt("b", 1.6)
	h.submit(1, []policy.Stage{{Tasks: 40, Cores: 1}}, true, policy.Attr{Name: "group", Value: "a"})
	h.submit(2, []policy.Stage{{Tasks: 20, Cores: 1}}, false, policy.Attr{Name: "group", Value: "b"})
	finished := uint32(0)
	for _, tt := range []struct {
		at       time.Duration
		tasks    [2]float64 // that are left of the two jobs
		slots    int32      // of the cluster
		shares   [2]float64
		rate     float64
		whatCase string // of Algorithm 4
	}{
		{0 * time.Second, [2]float64{40, 20}, 60, [2]float64{60, 0}, 108, "the first tail has all"},
		{10 * time.Second, [2]float64{20, 20}, 60, [2]float64{43.3013, 16.6987}, 91.6240, "the second has what the first leaves"},
		{20 * time.Second, [2]float64{10, 20}, 60, [2]float64{27.8461, 32.1539}, 74.6439, "in proportion"},
		{30 * time.Second, [2]float64{10, 20}, 80, [2]float64{37.1281, 42.8719}, 84.3162, "in proportion"},
		{40 * time.Second, [2]float64{0, 20}, 80, [2]float64{0, 80}, 45, "one job"},
	} {
		h.now = policy.Time(tt.at)
		for ; float64(finished) < 40-tt.tasks[0]; finished++ {
			h.copy(policy.Finished, copyOf(1, finished, 0), time.Second, true)
		}
		if tt.at == 30*time.Second {
			h.step(policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Cores: 20, Speed: 1, Partition: 1}}, true)
		}
		rate := 0.0
		for i, want := range tt.shares {
			e, _ := h.s.Explain(policy.JobID(i + 1))
			if math.Abs(e.Share-want) > 1e-4 {
				t.Errorf("%v, %v tasks, %d slots (%s): the share of job %d is %v, want %v", tt.at, tt.tasks, tt.slots, tt.whatCase, i+1, e.Share, want)
			}
			rate += hopper.Rate(e.Share, tt.tasks[i], []float64{1.2, 1.6}[i])
		}
		if math.Abs(rate-tt.rate) > 1e-4 {
			t.Errorf("%v: the rate is %v, want %v", tt.at, rate, tt.rate)
		}
	}
}

func schedulerLocality(t *testing.T) {
	var shares []float64
	for _, k := range []float64{-1, 0.02, 0.1, 1} {
		c := paper()
		c.Rule, c.Locality = never{}, k
		b := newBooks(t, setting{Config: c})
		local, all := 0, 0
		b.after = func(ev *policy.Event) error {
			if ev.Kind == policy.Started {
				if stage := &b.jobs[ev.Copy.Job].job.Stages[ev.Copy.Stage]; len(stage.HoldersOf(ev.Copy.Index)) > 0 {
					all++
					if stage.Local(ev.Copy.Index, ev.Node) {
						local++
					}
				}
			}
			return nil
		}
		jobs := small(1000)
		jobs.pipe, jobs.stages, jobs.load, jobs.nodes, jobs.replicas = false, 1, 2, 24, 1
		b.run(t, jobs, sim.Config{})
		shares = append(shares, float64(local)/float64(all))
	}
	t.Logf("local with 0, 2, 10 and 100 %% of the jobs: %.3f", shares)
	for i := 1; i < len(shares); i++ {
		if shares[i] <= shares[i-1] {
			t.Errorf("local are %.3f of the tasks, want more the more jobs may be picked", shares)
		}
	}
}

// A job that is picked for its data goes on, while it has less than its share: here until it has
// no task left, though a smaller one waits, which none of the free slots is local to.
func TestSchedulerPicked(t *testing.T) {
	c := asking(never{}, time.Second)
	c.Locality, c.Epsilon = 1, 1
	h := host{t: t, s: newLine(t, setting{Config: c})}
	for n := range policy.NodeID(2) {
		h.step(policy.Event{Kind: policy.Joined, Node: n + 1, Info: &policy.Node{ID: n + 1, Cores: 3, Speed: 1, Partition: 1}}, true)
	}
	on := func(tasks uint32, n policy.NodeID) []policy.Stage {
		holders := make([]policy.NodeID, tasks)
		for i := range holders {
			holders[i] = n
		}
		return []policy.Stage{{Tasks: tasks, Cores: 1, Holders: holders}}
	}
	// Node 1 is full of job 1. Job 2 has its data there too, job 3 on node 2.
	h.submit(1, on(3, 1), false)
	h.submit(2, on(1, 1), true)
	h.submit(3, on(2, 2), false)
	got := fmt.Sprint(h.starts)
	if want := "[1 1 1 3 3 2]"; got != want {
		t.Errorf("jobs %v were given slots, want %v", got, want)
	}
}

// Tails of groups are learnt from the tasks that end, while copies of the slowest of them cut these
// short. A fit to k runtimes has a standard error of tail/sqrt(k). Of nine fits that are right, one is
// off by more than 3.63 of these in one run of 400, and their mean by more than 3/sqrt(9)
// as seldom.
func schedulerLearnsTails(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	const window, top = 4000, 0.1
	c := paper()
	c.Group, c.Locality = "group", 0
	s := jobtest.Must(hopper.NewScheduler(c))
	s.LearnFinely(window, top)
	tails := map[string]float64{}
	watch := watcher{s, func(ev *policy.Event) {
		if j := ev.Job; ev.Kind == policy.Submitted {
			group, _ := j.Attr("group")
			e, _ := s.Explain(j.ID)
			tails[group] = e.Tail
		}
	}}
	// 51 to 150 tasks: the median of a stage says enough
	jobs := bed{jobs: 500, nodes: 50, cores: 16, load: 0.9, least: 51, most: 151, stages: 1, replicas: 3}
	all, err := workload.ReadAll(jobs.source(t))
	if err != nil {
		t.Fatal(err)
	}
	for g := range 9 { // once all that straggles is over, a job says the tail of its group
		id := policy.JobID(len(all) + 1)
		all = append(all, &workload.Job{
			Job: policy.Job{
				ID: id, Submitted: policy.Time(1e9) * second, Attrs: []policy.Attr{{Name: "group", Value: "g" + strconv.Itoa(g)}},
				Stages: []policy.Stage{{Tasks: 1, Cores: 1}},
			},
			Runtimes: [][]policy.Duration{{1e9}},
		})
	}
	runtest.Run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 50, Cores: 16})}, all, watch)
	sum := 0.0
	for g := range 9 {
		got := tails["g"+strconv.Itoa(g)]
		want := 1 + 0.1*float64(g+1)
		off := (got - want) / (want / math.Sqrt(window*top))
		sum += off
		if math.Abs(off) > 3.63 {
			t.Errorf("tail is %.3f, want %.3f", got, want)
		}
	}
	if math.Abs(sum/9) > 1 {
		t.Errorf("tails are off by %.1f standard errors in the mean", sum/9)
	}
}

// grouped has no copies, and learns tails from few tasks.
var grouped = setting{Config: hopper.Config{
	SpeculationConfig: hopper.SpeculationConfig{Rule: never{}},
	TurnConfig:        hopper.TurnConfig{Epsilon: 1, Locality: -1, Dampening: -1, Group: "group"},
}}

// A new tail reaches the jobs of its group that were there before: one job, of this group or another,
// is looked at for each task that finishes.
func TestSchedulerTailsReachJobs(t *testing.T) {
	h := newHost(t, 10, grouped)
	h.s.hopper.LearnFrom(10, 10)
	stages := []policy.Stage{{Tasks: 10, Cores: 1}}
	const jobs = 6
	for id := policy.JobID(1); id <= jobs; id++ {
		c := policy.Copy{Task: policy.Task{Job: id}}
		job := &policy.Job{ID: id, Stages: stages, Attrs: []policy.Attr{{Name: "group", Value: []string{"b", "a"}[id%2]}}}
		h.step(policy.Event{Kind: policy.Submitted, Copy: c, Job: job}, true)
		h.step(policy.Event{Kind: policy.Ready, Copy: c}, id < jobs)
	}
	reached := func() (n int) {
		for id := policy.JobID(1); id <= jobs; id++ {
			if e, ok := h.s.Explain(id); ok && e.Tail != hopper.HomogeneousTail {
				n++
			}
		}
		return n
	}
	finished := 0
	for index := range uint32(10) { // of job 1, with all of its tasks in the 10 slots
		h.copy(policy.Started, copyOf(1, index, 0), 0, false)
	}
	for index := range uint32(10) {
		h.copy(policy.Finished, copyOf(1, index, 0), policy.Duration(1+index)*time.Second, false)
	}
	for ; ; finished++ {
		if got, want := reached(), min(1+finished/2, jobs/2); got != want {
			t.Fatalf("%d tasks after the change: %d jobs have the new tail, want %d", finished, got, want)
		}
		if finished == jobs {
			return
		}
		h.copy(policy.Started, copyOf(2, uint32(finished), 0), 0, true)
		h.copy(policy.Finished, copyOf(2, uint32(finished), 0), time.Second, false)
	}
}

// Tails are learnt of jobs in groups, and where a group is named all jobs are in one. Tasks that read through a pipe end when
// their input does, which says nothing of tails.
func TestSchedulerLearns(t *testing.T) {
	in := []policy.Attr{{Name: "group", Value: "a"}}
	for _, tt := range []struct {
		group string
		tail  float64
		attrs []policy.Attr
		pipe  bool
		want  bool
	}{
		{group: "group", want: true}, {group: "group", pipe: true}, {group: "group", tail: 1.2, attrs: in, want: true},
		{}, {attrs: in, want: true}, {tail: 1.2, attrs: in}, {group: "user", tail: 1.2, want: true},
	} {
		s := grouped
		s.Group, s.Tail = tt.group, tt.tail
		h := newHost(t, 11, s)
		h.s.hopper.LearnFrom(10, 10)
		h.submit(1, []policy.Stage{{Tasks: 10, Cores: 1, Reads: []policy.Dep{{Stage: 1, Pipe: tt.pipe}}}, {Tasks: 1, Cores: 1}}, false, tt.attrs...)
		h.copy(policy.Started, policy.Copy{Task: policy.Task{Job: 1, Stage: 1}}, 0, true)
		for index := range uint32(10) {
			h.copy(policy.Started, copyOf(1, index, 0), 0, true)
		}
		for index := range uint32(10) {
			h.copy(policy.Finished, copyOf(1, index, 0), policy.Duration(1+index)*time.Second, false)
		}
		if e, _ := h.s.Explain(1); (e.Tail != hopper.HomogeneousTail) != tt.want {
			t.Errorf("%+v: the tail is %v", tt, e.Tail)
		}
		h.submit(2, []policy.Stage{{Tasks: 1, Cores: 1}}, false, policy.Attr{Name: "group"})
		if e, _ := h.s.Explain(2); !tt.want && e.Tail != hopper.HomogeneousTail {
			t.Errorf("%+v: the tail of another group is %v", tt, e.Tail)
		}
	}
}

// A watcher sees what a policy is told, after it was told.
type watcher struct {
	*hopper.Scheduler
	see func(ev *policy.Event)
}

func (w watcher) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := w.Scheduler.Step(ev, actions)
	w.see(ev)
	return actions, err
}
