package hopper_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/paper"
)

// books stand between a host and a scheduler, and keep by themselves, as plainly as can be, what the
// scheduler's comments are about.
type books struct {
	*line
	cores int
	jobs  map[policy.JobID]*entry
	// start is called for each Start, before it counts, and after is, when there are no more.
	start func(j *entry, c policy.Copy, another bool) error
	after func(ev *policy.Event) error
	// kill is called for each Kill.
	kill func(j *entry, c policy.Copy) error
}

type entry struct {
	job      *policy.Job
	ready    []bool
	finished []int
	done     map[policy.Task]bool
	copies   map[policy.Copy]bool // that run, or were told to start; true: not the first of its task
	running  map[policy.Task]int  // how many of these there are
}

func newBooks(t *testing.T, s setting) *books {
	t.Helper()
	return &books{
		line: newLine(t, s), jobs: map[policy.JobID]*entry{},
		start: func(*entry, policy.Copy, bool) error { return nil },
		after: func(*policy.Event) error { return nil },
		kill:  func(*entry, policy.Copy) error { return nil },
	}
}

func (b *books) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	id := ev.Copy.Job
	j := b.jobs[id]
	switch ev.Kind {
	case policy.Joined:
		b.cores += int(ev.Info.Cores)
	case policy.Left:
		b.cores -= 4 // all nodes of these tests have as many
	case policy.Submitted:
		stages := len(ev.Job.Stages)
		b.jobs[id] = &entry{
			ev.Job, make([]bool, stages), make([]int, stages), map[policy.Task]bool{}, map[policy.Copy]bool{}, map[policy.Task]int{},
		}
	case policy.Ended:
		delete(b.jobs, id)
	case policy.Ready:
		j.ready[ev.Copy.Stage] = true
	case policy.Started:
		if ev.Replay {
			j.copies[ev.Copy] = j.runs(ev.Copy.Task)
			j.running[ev.Copy.Task]++
		}
	case policy.Refused, policy.Failed, policy.Killed, policy.Lost:
		j.end(ev.Copy)
	case policy.Finished:
		j.end(ev.Copy)
		j.done[ev.Copy.Task] = true
		j.finished[ev.Copy.Stage]++
	}
	before := len(actions)
	actions, err := b.line.Step(ev, actions)
	for _, a := range actions[before:] {
		j := b.jobs[a.Copy.Job]
		switch a.Kind {
		case policy.Start:
			another := j.runs(a.Copy.Task)
			if err == nil {
				err = b.start(j, a.Copy, another)
			}
			j.copies[a.Copy] = another
			j.running[a.Copy.Task]++
		case policy.Kill:
			if err == nil {
				err = b.kill(j, a.Copy)
			}
		}
	}
	if err == nil {
		err = b.after(ev)
	}
	return actions, err
}

func (j *entry) runs(task policy.Task) bool { return j.running[task] > 0 }

func (j *entry) end(c policy.Copy) {
	if _, ok := j.copies[c]; ok { // in a replay it may not be there
		delete(j.copies, c)
		j.running[c.Task]--
	}
}

// slots is how many slots the job has, and how many of these have copies.
func (j *entry) slots() (all, copies int) {
	for c, another := range j.copies {
		width := int(j.job.Stages[c.Stage].Width())
		all += width
		if another {
			copies += width
		}
	}
	return all, copies
}

// waiting is how many tasks wait, in ready stages.
func (j *entry) waiting() int {
	n := 0
	for i, ready := range j.ready {
		if !ready {
			continue
		}
		for index := range j.job.Stages[i].Units() {
			if task := (policy.Task{Job: j.job.ID, Stage: uint32(i), Index: index}); !j.done[task] && !j.runs(task) {
				n++
			}
		}
	}
	return n
}

// left is how many slots' worth of tasks are left in ready stages.
func (j *entry) left() float64 {
	n := 0.0
	for i, ready := range j.ready {
		if ready {
			n += float64(int(j.job.Stages[i].Units())-j.finished[i]) * float64(j.job.Stages[i].Width())
		}
	}
	return n
}

// alpha is the tasks left that read ready stages through pipes, over those left in these, dampened.
func (j *entry) alpha(dampening float64) float64 {
	transfer, work := 0, 0
	for i, ready := range j.ready {
		left := int(j.job.Stages[i].Units()) - j.finished[i]
		if !ready || left == 0 {
			continue
		}
		read := false
		for k, reader := range j.job.Stages {
			for _, d := range reader.Reads {
				if d == (policy.Dep{Stage: uint32(i), Pipe: true}) {
					transfer += int(reader.Units()) - j.finished[k]
					read = true
				}
			}
		}
		if read {
			work += left
		}
	}
	if work == 0 {
		return 1
	}
	return max(1, math.Pow(float64(transfer)/float64(work), dampening))
}

// demands is what all jobs ask for by these books, in the order of the given IDs.
func (b *books) demands(dampening float64) (ids []policy.JobID, demands []hopper.Demand, err error) {
	last := policy.JobID(0)
	for id := range b.jobs {
		last = max(last, id)
	}
	for id := policy.JobID(1); id <= last; id++ {
		j := b.jobs[id]
		if j == nil {
			continue
		}
		e, ok := b.Explain(id)
		if !ok {
			return nil, nil, fmt.Errorf("job %d is not there", id)
		}
		d := hopper.Demand{Tasks: j.left(), Tail: e.Tail, Weight: j.alpha(dampening)}
		if math.Abs(e.Alpha-d.Weight) > 1e-12*e.Alpha {
			return nil, nil, fmt.Errorf("job %d: α is %v, want %v", id, e.Alpha, d.Weight)
		}
		want := hopper.VirtualSize(d.Tasks, d.Tail, d.Weight)
		if math.Abs(e.VirtualSize-want) > 1e-9*want {
			return nil, nil, fmt.Errorf("job %d: virtual size is %v, want %v", id, e.VirtualSize, want)
		}
		if all, copies := j.slots(); int(e.Slots) != all || int(e.Copies) != copies {
			return nil, nil, fmt.Errorf("job %d has %v slots, %v of copies, want %v, %v", id, e.Slots, e.Copies, all, copies)
		}
		ids = append(ids, id)
		demands = append(demands, d)
	}
	return ids, demands, nil
}

// facebook is some small jobs, in groups, on 6 nodes of 4 cores.
func facebook(jobs int, change func(*paper.Hopper)) paper.Hopper {
	h := paper.Facebook()
	h.Jobs, h.Nodes, h.Cores, h.MostStages = jobs, 6, 4, 3
	h.Shares = [5]float64{0.8, 0.2, 0, 0, 0}
	h.Load = 0.9
	if change != nil {
		change(&h)
	}
	return h
}

// run runs jobs under the books.
func (b *books) run(t *testing.T, h paper.Hopper, c sim.Config) *sim.Result {
	t.Helper()
	source, err := h.Source()
	if err != nil {
		t.Fatal(err)
	}
	c.Jobs, c.Truth = workload.SplitSource(source)
	c.Nodes = sim.Cluster(sim.Partition{Nodes: h.Nodes, Cores: int32(h.Cores), Memory: h.NodeMemory})
	result, err := sim.Run(context.Background(), c, b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range result.Jobs {
		if j := &result.Jobs[i]; j.Outcome != policy.Done && j.Outcome != policy.TaskFailed && j.Outcome != policy.Cancelled {
			t.Fatalf("job %d is %v", j.ID, j.Outcome)
		}
	}
	return result
}

// run1 runs one job of one stage, whose tasks take 10 s, and returns when it was done.
func run1(t *testing.T, p policy.Scheduler, stage policy.Stage, nodes []policy.Node) time.Duration {
	t.Helper()
	runtimes := slices.Repeat([]policy.Duration{10 * time.Second}, int(stage.Tasks))
	jobs, truth := workload.Split([]*workload.Job{{
		Job: policy.Job{ID: 1, Stages: []policy.Stage{stage}}, Runtimes: [][]policy.Duration{runtimes},
	}})
	result, err := sim.Run(context.Background(), sim.Config{Jobs: jobs, Truth: truth, Nodes: nodes}, p)
	if err != nil {
		t.Fatal(err)
	}
	if j := &result.Jobs[0]; j.Outcome != policy.Done {
		t.Fatalf("the job is %v", j.Outcome)
	}
	return result.Jobs[0].JCT()
}
