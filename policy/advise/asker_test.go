package advise_test

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
)

// asker is a host that asks an Advisor.
type asker struct {
	t       *testing.T
	script  []byte
	steps   int
	advisor *advise.Advisor
	policy  policy.Scheduler // behind it
	now     policy.Time
	nodes   [4]policy.Node // by ID; without cores: not there
	free    [4]int32
	jobs    []*advisedJob // that go on
	made    policy.JobID
}

type advisedJob struct {
	spec *policy.Job
	done [][]bool
	runs []advisedCopy
	next map[policy.Task]uint32
}

type advisedCopy struct {
	copy   policy.Copy
	node   policy.NodeID
	cores  int32
	stands bool
}

// of takes a number below n from the script.
func (h *asker) of(n int) int {
	if len(h.script) == 0 || n == 0 {
		return 0
	}
	b := h.script[0]
	h.script = h.script[1:]
	return int(b) % n
}

// tell tells the Advisor of an event that can be.
func (h *asker) tell(ev policy.Event) {
	h.t.Helper()
	h.steps++
	ev.Time = h.now
	if err := h.advisor.Observe(&ev); err != nil {
		h.t.Fatalf("%v: %v", ev.Kind, err)
	}
}

func (h *asker) join(id policy.NodeID) {
	if n := &h.nodes[id]; n.Cores == 0 {
		*n = policy.Node{ID: id, Partition: policy.PartitionID(1 + id%2), Cores: int32(2 + h.of(3)), Speed: 1}
		h.free[id] = n.Cores
		h.tell(policy.Event{Kind: policy.Joined, Node: id, Info: n})
	}
}

func (h *asker) leave(id policy.NodeID) {
	if h.nodes[id].Cores == 0 {
		return
	}
	for _, j := range slices.Clone(h.jobs) {
		for i := len(j.runs) - 1; i >= 0; i-- {
			if j.runs[i].node == id {
				h.end(j, i, policy.Lost)
			}
		}
	}
	h.nodes[id].Cores, h.free[id] = 0, 0
	h.tell(policy.Event{Kind: policy.Left, Node: id})
}

func (h *asker) submit() {
	if len(h.jobs) == 30 { // look asks for the order of each pair
		return
	}
	h.made++
	j := &advisedJob{spec: &policy.Job{ID: h.made, Submitted: h.now}, next: map[policy.Task]uint32{}}
	for range 1 + h.of(2) {
		tasks := 1 + h.of(3)
		j.spec.Stages = append(j.spec.Stages, policy.Stage{Tasks: uint32(tasks), Cores: int32(1 + h.of(2))})
		j.done = append(j.done, make([]bool, tasks))
	}
	h.jobs = append(h.jobs, j)
	c := policy.Copy{Task: policy.Task{Job: h.made}}
	h.tell(policy.Event{Kind: policy.Submitted, Copy: c, Job: j.spec})
	for i := range j.spec.Stages {
		c.Stage = uint32(i)
		h.tell(policy.Event{Kind: policy.Ready, Copy: c})
	}
}

// answer carries the first grant of a job out, or refuses it. It returns false if there is none.
func (h *asker) answer(j *advisedJob, carryOut bool) bool {
	for g := range h.advisor.Grants(j.spec.ID) {
		for id := policy.NodeID(1); carryOut && id < 4; id++ {
			if (g.Node == 0 || g.Node == id) && (g.Partition == 0 || g.Partition == h.nodes[id].Partition) && h.start(j, g.Copy, id) {
				return true
			}
		}
		h.tell(policy.Event{Kind: policy.Refused, Copy: g.Copy})
		return true
	}
	return false
}

// own starts a copy that nobody has granted, of a task that may be granted or run already.
func (h *asker) own(j *advisedJob) {
	stage := h.of(len(j.done))
	task := policy.Task{Job: j.spec.ID, Stage: uint32(stage), Index: uint32(h.of(len(j.done[stage])))}
	if j.done[stage][task.Index] {
		return
	}
	c := policy.Copy{Task: task, N: j.next[task]}
	for g := range h.advisor.Grants(j.spec.ID) {
		if g.Copy.Task == task {
			c.N = max(c.N, g.Copy.N+1) // it is another copy
		}
	}
	h.start(j, c, policy.NodeID(1+h.of(3)))
}

func (h *asker) start(j *advisedJob, c policy.Copy, id policy.NodeID) bool {
	cores := j.spec.Stages[c.Stage].Cores
	if h.free[id] < cores {
		return false
	}
	h.free[id] -= cores
	j.runs = append(j.runs, advisedCopy{copy: c, node: id, cores: cores})
	j.next[c.Task] = max(j.next[c.Task], c.N+1)
	h.tell(policy.Event{Kind: policy.Started, Copy: c, Node: id})
	return true
}

// end ends the i-th copy of a job, and the job if all is done.
func (h *asker) end(j *advisedJob, i int, kind policy.EventKind) {
	if i >= len(j.runs) {
		return
	}
	r := j.runs[i]
	done := &j.done[r.copy.Stage][r.copy.Index]
	if *done && kind == policy.Finished {
		kind = policy.Killed // it lost the race
	}
	j.runs = slices.Delete(j.runs, i, i+1)
	if !r.stands {
		h.free[r.node] += r.cores
	}
	*done = *done || kind == policy.Finished
	others := slices.ContainsFunc(j.runs, func(o advisedCopy) bool { return o.copy.Task == r.copy.Task })
	h.tell(policy.Event{Kind: kind, Copy: r.copy, Idle: r.stands, Again: !*done && !others})
	if len(j.runs) == 0 && !slices.ContainsFunc(j.done, func(s []bool) bool { return slices.Contains(s, false) }) {
		h.close(j, policy.Done)
	}
}

// close ends a job, with what runs of it.
func (h *asker) close(j *advisedJob, o policy.Outcome) {
	for _, r := range j.runs {
		if !r.stands {
			h.free[r.node] += r.cores
		}
		h.tell(policy.Event{Kind: policy.Killed, Copy: r.copy, Idle: r.stands})
	}
	h.jobs = slices.DeleteFunc(h.jobs, func(x *advisedJob) bool { return x == j })
	h.tell(policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: j.spec.ID}}, Outcome: o})
}

// obey does what else the policy wants done.
func (h *asker) obey() {
	for _, o := range h.advisor.Orders() {
		k := slices.IndexFunc(h.jobs, func(j *advisedJob) bool { return j.spec.ID == o.Copy.Job })
		if k < 0 {
			continue
		}
		j := h.jobs[k]
		i := slices.IndexFunc(j.runs, func(r advisedCopy) bool { return r.copy == o.Copy })
		switch {
		case o.Kind == policy.GiveUp:
			h.close(j, policy.GivenUp)
		case i < 0:
		case o.Kind == policy.Kill:
			h.end(j, i, policy.Killed)
		case o.Kind == policy.Suspend && !j.runs[i].stands:
			j.runs[i].stands = true
			h.free[j.runs[i].node] += j.runs[i].cores
			h.tell(policy.Event{Kind: policy.Suspended, Copy: o.Copy})
		case o.Kind == policy.Resume && j.runs[i].stands && h.free[j.runs[i].node] < j.runs[i].cores:
			h.tell(policy.Event{Kind: policy.Suspended, Copy: o.Copy, Idle: true})
		case o.Kind == policy.Resume && j.runs[i].stands:
			j.runs[i].stands = false
			h.free[j.runs[i].node] -= j.runs[i].cores
			h.tell(policy.Event{Kind: policy.Resumed, Copy: o.Copy})
		}
	}
}
