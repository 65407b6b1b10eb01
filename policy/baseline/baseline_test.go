package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// naive is what one keeps to check an order by hand: nothing but lists.
type naive struct {
	jobs []*naiveJob
	free int
}

type naiveJob struct {
	job     *policy.Job
	waiting int
	cores   int
	left    float64 // core-seconds of tasks that are not finished
}

func (n *naive) find(id policy.JobID) *naiveJob {
	for _, j := range n.jobs {
		if j.job.ID == id {
			return j
		}
	}
	return nil
}

// Each policy against its definition: whatever it starts is the first of all jobs that
// wait, found by looking at each of them; and it leaves no core free while one waits.
func TestAgainstDefinition(t *testing.T) {
	earlier := func(a, b *naiveJob) bool {
		return a.job.Submitted < b.job.Submitted || a.job.Submitted == b.job.Submitted && a.job.ID < b.job.ID
	}
	widest := func(a, b *policy.Job) int { return int(b.Stages[0].Tasks) - int(a.Stages[0].Tasks) }
	for _, test := range []struct {
		name   string
		make   func(policy.Truth) policy.Scheduler
		before func(a, b *naiveJob) bool
	}{
		{"FIFO", func(policy.Truth) policy.Scheduler { return NewFIFO() }, earlier},
		{"Fair", func(policy.Truth) policy.Scheduler { return NewFair() }, func(a, b *naiveJob) bool {
			return a.cores < b.cores || a.cores == b.cores && earlier(a, b)
		}},
		{"SRPT", func(tr policy.Truth) policy.Scheduler { return must(NewSRPT(tr)) }, func(a, b *naiveJob) bool {
			// The sums are made in another order.
			if math.Abs(a.left-b.left) > 1e-6 {
				return a.left < b.left
			}
			return earlier(a, b)
		}},
		{"Priority", func(policy.Truth) policy.Scheduler { return NewPriority() }, func(a, b *naiveJob) bool {
			return a.job.Priority > b.job.Priority || a.job.Priority == b.job.Priority && earlier(a, b)
		}},
		{"Ordered", func(policy.Truth) policy.Scheduler { return NewOrdered(widest) }, func(a, b *naiveJob) bool {
			c := widest(a.job, b.job)
			return c < 0 || c == 0 && earlier(a, b)
		}},
		{"Ordered by nothing", func(policy.Truth) policy.Scheduler { return NewOrdered(nil) }, earlier},
		{"Random", func(policy.Truth) policy.Scheduler { return must(NewRandom(rand.NewPCG(1, 2))) }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(5) {
				againstDefinition(t, seed, test.make, test.before)
			}
		})
	}
}

func againstDefinition(t *testing.T, seed uint64, makePolicy func(policy.Truth) policy.Scheduler, before func(a, b *naiveJob) bool) {
	rng := rand.New(rand.NewPCG(seed, 3))
	var jobs []*workload.Job
	now := policy.Duration(0)
	for id := policy.JobID(1); id <= 60; id++ {
		now += policy.Duration(rng.IntN(3)) * s
		runtimes := make([]policy.Duration, 1+rng.IntN(8))
		for i := range runtimes {
			runtimes[i] = policy.Duration(1+rng.IntN(20)) * s
		}
		j := bag(id, now, runtimes...)
		j.Priority = float64(rng.IntN(3))
		jobs = append(jobs, j)
	}
	js, truth := workload.Split(jobs)
	var n naive
	runtime := func(c policy.Copy) float64 {
		d, _ := truth.Runtime(c)
		return d.Seconds()
	}
	started := 0
	p := watch{makePolicy(truth), func(ev *policy.Event, actions []policy.Action) error {
		switch {
		case ev.Kind == policy.Joined:
			n.free += int(ev.Info.Cores)
		case ev.Kind == policy.Submitted:
			j := &naiveJob{job: ev.Job}
			for k := range ev.Job.Stages[0].Tasks {
				j.left += runtime(policy.Copy{Task: policy.Task{Job: ev.Job.ID, Index: k}})
			}
			n.jobs = append(n.jobs, j)
		case ev.Kind == policy.Ready:
			j := n.find(ev.Copy.Job)
			j.waiting = int(j.job.Stages[0].Tasks)
		case ev.Kind.End():
			j := n.find(ev.Copy.Job)
			j.cores--
			n.free++
			if ev.Kind == policy.Finished {
				j.left -= runtime(ev.Copy)
			} else if ev.Again {
				j.waiting++
			}
		case ev.Kind == policy.Ended:
			n.jobs = slices.DeleteFunc(n.jobs, func(j *naiveJob) bool { return j.job.ID == ev.Copy.Job })
		}
		for _, a := range actions {
			j := n.find(a.Copy.Job)
			if j.waiting == 0 || n.free == 0 {
				return fmt.Errorf("start of %v, but %d tasks wait and %d cores are free", a.Copy, j.waiting, n.free)
			}
			for _, other := range n.jobs {
				if before != nil && other.waiting > 0 && before(other, j) {
					return fmt.Errorf("start of %v, but job %d goes first", a.Copy, other.job.ID)
				}
			}
			j.waiting--
			j.cores++
			n.free--
			started++
		}
		if !ev.More && n.free > 0 {
			for _, j := range n.jobs {
				if j.waiting > 0 {
					return fmt.Errorf("%d cores are left free, but job %d waits", n.free, j.job.ID)
				}
			}
		}
		return nil
	}}
	config := sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 3, Cores: 4}), Jobs: js, Truth: truth,
		Faults: sim.Faults{Seed: seed, TaskFailure: 0.02},
	}
	if _, err := sim.Run(t.Context(), config, p); err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	if started < 100 {
		t.Errorf("seed %d: %d tasks were started, want more", seed, started)
	}
}

// Each of ten waiting jobs is drawn about equally often.
func TestRandomIsUniform(t *testing.T) {
	const rounds = 4000
	var first [11]int
	for seed := range uint64(rounds) {
		p := must(NewRandom(rand.NewPCG(seed, 5)))
		var actions []policy.Action
		for _, ev := range waitingJobs(10, 1) {
			var err error
			if actions, err = p.Step(&ev, actions[:0]); err != nil {
				t.Fatal(err)
			}
		}
		if len(actions) != 1 {
			t.Fatalf("%d tasks were started on one core, want 1", len(actions))
		}
		first[actions[0].Copy.Job]++
	}
	// A chi-square test with 9 degrees of freedom: 27.9 is exceeded once in 1,000 times.
	chi := 0.0
	for _, n := range first[1:] {
		d := float64(n) - rounds/10
		chi += d * d / (rounds / 10)
	}
	if chi > 27.9 {
		t.Errorf("drawn %v times, chi-square %.1f, want at most 27.9", first[1:], chi)
	}
}

// Job 1 has the core, so that the others go before it.
func TestCompare(t *testing.T) {
	fair := NewFair()
	for _, ev := range waitingJobs(3, 2) {
		if _, err := fair.Step(&ev, nil); err != nil {
			t.Fatal(err)
		}
	}
	jobs := []policy.JobID{4, 3, 2, 1} // 4 is unknown
	if got, want := slices.SortedFunc(slices.Values(jobs), fair.Compare), []policy.JobID{2, 3, 1, 4}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// Jobs with the same remaining work go by submission, whatever they have had before: 2 s have come and gone.
func TestSRPTTies(t *testing.T) {
	jobs, truth := workload.Split([]*workload.Job{bag(1, 0, 2*s, s/10, s/5), bag(2, s, s/10, s/5)})
	var order []policy.JobID
	w := watch{must(NewSRPT(truth)), func(_ *policy.Event, actions []policy.Action) error {
		for _, a := range actions {
			order = append(order, a.Copy.Job)
		}
		return nil
	}}
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth}
	if _, err := sim.Run(t.Context(), config, w); err != nil {
		t.Fatal(err)
	}
	if want := []policy.JobID{1, 1, 1, 2, 2}; !slices.Equal(order, want) {
		t.Errorf("tasks of jobs started in the order %v, want %v", order, want)
	}
}

func TestErrors(t *testing.T) {
	if _, err := NewSRPT(nil); err == nil {
		t.Error("no error from NewSRPT without a truth")
	}
	if _, err := NewRandom(nil); err == nil {
		t.Error("no error from NewRandom without a source")
	}
	_, empty := workload.Split(nil)
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	if _, err := must(NewSRPT(empty)).Step(&policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: job}, nil); err == nil {
		t.Error("no error from SRPT for a job that its truth does not know")
	}
}
