package central

import (
	"fmt"

	"example.com/augur/policy"
)

// Observe updates the books with ev. It returns the job that ev is about, nil if it is about none. The pointer stays
// the same until Ended, when Observe returns it for the last time, with nothing Waiting. Observe returns an error and
// changes nothing if ev names a job, stage, task or node that does not exist or that comes twice, if a field is
// out of the range in its comment, or if ev is Started, without Replay, of a task that [View.Start] has never started.
// It does not notice an event of a copy that is reported twice: the checker of policy/sim does.
func (v *View) Observe(ev *policy.Event) (*Job, error) {
	j, err := v.observe(ev)
	if err != nil {
		return nil, err
	}
	v.now, v.before = ev.Time, v.news
	if ev.Kind != policy.Refused {
		v.news = some
		v.round++
	}
	return j, nil
}

// Withdraw removes a job whose Submitted was the last event, for a policy that refuses it. Decide then answers as if
// the job had never come.
func (v *View) Withdraw(j *Job) {
	v.jobs.Delete(j.Job.ID)
	v.news = v.before
}

func (v *View) observe(ev *policy.Event) (*Job, error) {
	if ev.Kind < policy.Submitted || ev.Kind > policy.Restored {
		return nil, fmt.Errorf("central: an event has kind %d, want %d (Submitted) to %d (Restored); set policy.Event.Kind", ev.Kind, policy.Submitted, policy.Restored)
	}
	switch ev.Kind {
	case policy.Joined:
		return nil, v.joined(ev)
	case policy.Left:
		return nil, v.left(ev)
	case policy.Arrived, policy.Woken, policy.Restored:
		return nil, nil
	case policy.Submitted:
		return v.submitted(ev)
	}

	j := v.jobs.Get(ev.Copy.Job)
	if j == nil {
		return nil, fmt.Errorf("central: %v of job %d, which was not submitted or has ended", ev.Kind, ev.Copy.Job)
	}
	if ev.Kind == policy.Ended {
		v.jobs.Delete(ev.Copy.Job)
		if last := len(v.parked) - 1; j.parked > 0 {
			v.parked[j.parked-1], v.parked[last].parked = v.parked[last], j.parked
			v.parked[last], v.parked = nil, v.parked[:last]
		}
		v.forget(j)
		v.reclaim(j)
		return j, nil
	}
	if int64(ev.Copy.Stage) >= int64(len(j.Stages)) {
		return nil, fmt.Errorf("central: %v of stage %d of job %d, which has %d", ev.Kind, ev.Copy.Stage, ev.Copy.Job, len(j.Stages))
	}
	stage, s := &j.Job.Stages[ev.Copy.Stage], &j.Stages[ev.Copy.Stage]
	if ev.Kind == policy.Ready {
		if s.Ready {
			return nil, fmt.Errorf("central: stage %d of job %d is ready twice", ev.Copy.Stage, ev.Copy.Job)
		}
		s.Ready = true
		j.Waiting += int(stage.Units())
		j.wake(ev.Copy.Stage)
		return j, nil
	}
	if ev.Copy.Index >= stage.Units() {
		return nil, fmt.Errorf("central: %v of task %d of stage %d of job %d, which has %d", ev.Kind, ev.Copy.Index, ev.Copy.Stage, ev.Copy.Job, stage.Units())
	}
	if !s.Ready {
		return nil, fmt.Errorf("central: %v of %v, whose stage is not ready", ev.Kind, ev.Copy)
	}
	if err := v.known(ev); err != nil {
		return nil, err
	}
	switch {
	case ev.Kind == policy.Started && !ev.Replay && s.unstarted(ev.Copy.Index):
		return nil, fmt.Errorf("central: Started of %v, which View.Start has not started; in a restart set policy.Event.Replay", ev.Copy)
	case ev.Saved < 0 || ev.Saved > 0 && !(ev.Kind.End() && stage.Saves):
		return nil, fmt.Errorf("central: %v of %v with %v saved, want at least 0 s, and 0 unless it is the end of a copy of a stage that Saves", ev.Kind, ev.Copy, ev.Saved)
	case ev.Service < 0:
		return nil, fmt.Errorf("central: %v of %v with %v of service, want at least 0 s", ev.Kind, ev.Copy, ev.Service)
	case ev.Kind == policy.Progress && !(ev.Value >= 0 && ev.Value <= 1):
		return nil, fmt.Errorf("central: %v of %v says that %v of its work is done, want 0 to 1", ev.Kind, ev.Copy, ev.Value)
	}
	v.unpark(j, ev.Copy.Stage)
	if ev.Replay {
		v.replayed(ev, j, s)
	}
	if ev.Kind == policy.Refused && ev.Partition == 0 {
		s.refused = v.round + 1
	}
	if ev.Saved > 0 {
		v.keep(s, ev)
	}
	v.account(ev, j, stage)
	if v.Resumes && (ev.Kind == policy.Suspended || len(v.halted) > 0) {
		v.halt(ev)
	}
	if v.Serves {
		v.serve(ev, j, stage)
	}
	switch {
	case ev.Again:
		v.answered(s, ev)
		v.again(j, ev.Copy)
	case ev.Kind == policy.Refused:
		v.answered(s, ev)
	case ev.Kind == policy.Finished:
		s.Finished++
		j.finished(ev.Copy)
		delete(s.attempts, ev.Copy.Index)
	}
	return j, nil
}

func (v *View) joined(ev *policy.Event) error {
	switch {
	case ev.Info == nil:
		return fmt.Errorf("central: node %d has joined without its description; set policy.Event.Info", ev.Node)
	case ev.Info.ID != ev.Node:
		return fmt.Errorf("central: node %d has joined with the description of node %d", ev.Node, ev.Info.ID)
	}
	if v.partition(ev.Node) != 0 {
		return fmt.Errorf("central: node %d has joined twice (a policy serves one run)", ev.Node)
	}
	if err := ev.Info.Validate(); err != nil {
		return err
	}
	v.nodes = grown(v.nodes, int(ev.Node))
	v.free = grown(v.free, int(ev.Info.Partition))
	v.open.grow(int(ev.Node) + 1)
	n := &v.nodes[ev.Node]
	n.partition, n.cores = ev.Info.Partition, ev.Info.Cores
	n.memory, n.speed = ev.Info.Memory, min(max(ev.Info.Speed, minSpeed), maxSpeed)
	v.giveNode(ev.Node, int64(n.cores))
	v.most = max(v.most, n.cores)
	v.there++
	v.grown = len(v.parked) > 0
	if n.memory > 0 {
		v.limited++
	}
	v.cores += int64(n.cores)
	v.memory += float64(ev.Info.Memory)
	v.offer(ev.Info)
	return nil
}

func (v *View) left(ev *policy.Event) error {
	if v.partition(ev.Node) == 0 {
		return fmt.Errorf("central: node %d has left, but had not joined; report policy.Joined first", ev.Node)
	}
	n := &v.nodes[ev.Node]
	v.giveNode(ev.Node, -int64(n.cores))
	v.there--
	if n.memory > 0 {
		v.limited--
	}
	v.cores -= int64(n.cores)
	v.memory -= float64(n.memory)
	n.cores = 0
	v.mark(ev.Node)
	if v.Stock(ev.Node) != nil {
		v.count(ev.Node, -1)
		v.stocks[ev.Node] = nil
	}
	return nil
}

// partition returns the partition of a node, 0 if the node is not there.
func (v *View) partition(id policy.NodeID) policy.PartitionID {
	if uint64(id) < uint64(len(v.nodes)) && v.nodes[id].cores > 0 {
		return v.nodes[id].partition
	}
	return 0
}

// grown returns a slice that has an element i.
func grown[E any](s []E, i int) []E {
	if i < len(s) {
		return s
	}
	return append(s, make([]E, i+1-len(s))...)
}

func (v *View) submitted(ev *policy.Event) (*Job, error) {
	switch {
	case ev.Job == nil:
		return nil, fmt.Errorf("central: job %d was submitted without its description; set policy.Event.Job", ev.Copy.Job)
	case ev.Job.ID != ev.Copy.Job:
		return nil, fmt.Errorf("central: job %d was submitted with the description of job %d; want policy.Copy.Job to be the same", ev.Copy.Job, ev.Job.ID)
	}
	if v.jobs.Get(ev.Copy.Job) != nil {
		return nil, fmt.Errorf("central: job %d was submitted twice", ev.Copy.Job)
	}
	if err := ev.Job.Validate(); err != nil {
		return nil, err
	}
	ranks, err := rank(ev.Job)
	if err != nil {
		return nil, err
	}
	j := &Job{Job: ev.Job, Stages: make([]Stage, len(ev.Job.Stages)), ranks: ranks, since: ev.Time}
	if len(j.Stages) > 1 {
		j.ready = newBitset(len(j.Stages))
	}
	v.jobs.Put(ev.Copy.Job, j)
	return j, nil
}

// rank returns the ranks of a job's stages, or nil if each comes after those that it reads already.
func rank(j *policy.Job) (*ranks, error) {
	for i := range j.Stages {
		for _, d := range j.Stages[i].Reads {
			if int64(d.Stage) < int64(i) {
				continue
			}
			graph, err := j.Graph()
			if err != nil {
				return nil, fmt.Errorf("central: job %d: %w", j.ID, err)
			}
			r := &ranks{graph.Order(), make([]uint32, len(j.Stages))}
			for at, stage := range r.order {
				r.at[stage] = uint32(at)
			}
			return r, nil
		}
	}
	return nil, nil
}

// known checks that the nodes of a copy's event have joined.
func (v *View) known(ev *policy.Event) error {
	if (ev.Kind == policy.Started || ev.Kind.End() && !ev.Replay) && ev.Node == 0 && len(ev.Gang) == 0 {
		return fmt.Errorf("central: %v of %v on no node; set policy.Event.Node or Gang", ev.Kind, ev.Copy)
	}
	if ev.Node != 0 && v.partition(ev.Node) == 0 {
		return fmt.Errorf("central: %v of %v on node %d, which had not joined; report policy.Joined first", ev.Kind, ev.Copy, ev.Node)
	}
	for _, share := range ev.Gang {
		if v.partition(share.Node) == 0 {
			return fmt.Errorf("central: %v of %v on node %d, which had not joined; report policy.Joined first", ev.Kind, ev.Copy, share.Node)
		}
	}
	if uint64(ev.Partition) >= uint64(max(1, len(v.free))) {
		return fmt.Errorf("central: %v of %v on partition %d, which had not joined; report policy.Joined of a node of it first", ev.Kind, ev.Copy, ev.Partition)
	}
	return nil
}

// replayed removes the unit of a replayed event from those that wait. In a restart units come by increasing index,
// except those that a host has started by itself.
func (v *View) replayed(ev *policy.Event, j *Job, s *Stage) {
	waited := false
	switch unit := ev.Copy.Index; {
	case s.picks == nil && unit == s.fresh:
		s.fresh++
		waited = true
	case s.picks != nil || unit > s.fresh || s.again > 0:
		j.picked(ev.Copy.Stage)
		waited = s.leave(&j.Job.Stages[ev.Copy.Stage], unit)
	}
	if waited {
		j.Waiting--
	}
	if ev.Kind == policy.Started {
		if !waited && v.runs == ev.Copy.Task {
			v.addExtra(j, ev.Copy)
		}
		v.runs = ev.Copy.Task
	}
	if ev.Kind != policy.Finished {
		v.used(s, ev.Copy)
	}
}
