package policy

import "fmt"

// Observe takes note of ev. It returns the job that ev is about, nil if there is none.
// That pointer stays the same until Ended, when the View gives it for the last time, with
// nothing Waiting. An error says that ev is about a job, a stage, a task or a node that is
// not there, or that comes twice, or that a job, a node or a number is not as its comment
// says; nothing has changed then. That a copy is told of twice is not noticed: that is the
// work of a checker.
func (v *View[T]) Observe(ev *Event) (*JobView[T], error) {
	j, err := v.observe(ev)
	if err != nil {
		return nil, err
	}
	if ev.Kind != Refused {
		v.news = true
	}
	return j, nil
}

func (v *View[T]) observe(ev *Event) (*JobView[T], error) {
	if ev.Kind < Submitted || ev.Kind > Restored {
		return nil, fmt.Errorf("policy: an event has kind %d, want %d to %d (Event.Kind says what it is about)", ev.Kind, Submitted, Restored)
	}
	switch ev.Kind {
	case Joined:
		return nil, v.joined(ev)
	case Left:
		return nil, v.left(ev)
	case Arrived, Woken, Restored:
		return nil, nil
	case Submitted:
		return v.submitted(ev)
	}

	j := v.jobs.Get(ev.Copy.Job)
	if j == nil {
		return nil, fmt.Errorf("policy: %v of job %d, which was not submitted or has ended", ev.Kind, ev.Copy.Job)
	}
	if ev.Kind == Ended {
		v.jobs.Delete(ev.Copy.Job)
		v.forget(j)
		v.reclaim(j)
		return j, nil
	}
	if int64(ev.Copy.Stage) >= int64(len(j.Stages)) {
		return nil, fmt.Errorf("policy: %v of stage %d of job %d, which has %d", ev.Kind, ev.Copy.Stage, ev.Copy.Job, len(j.Stages))
	}
	stage, s := &j.Job.Stages[ev.Copy.Stage], &j.Stages[ev.Copy.Stage]
	if ev.Kind == Ready {
		if s.Ready {
			return nil, fmt.Errorf("policy: stage %d of job %d is ready twice", ev.Copy.Stage, ev.Copy.Job)
		}
		s.Ready = true
		j.Waiting += int(stage.Units())
		j.wake(ev.Copy.Stage)
		return j, nil
	}
	if ev.Copy.Index >= stage.Units() {
		return nil, fmt.Errorf("policy: %v of task %d of stage %d of job %d, which has %d", ev.Kind, ev.Copy.Index, ev.Copy.Stage, ev.Copy.Job, stage.Units())
	}
	if !s.Ready {
		return nil, fmt.Errorf("policy: %v of %v, whose stage is not ready", ev.Kind, ev.Copy)
	}
	if err := v.known(ev); err != nil {
		return nil, err
	}
	switch {
	case ev.Service < 0:
		return nil, fmt.Errorf("policy: %v of %v with %v of service, want at least 0 s", ev.Kind, ev.Copy, ev.Service)
	case ev.Kind == Progress && !(ev.Value >= 0 && ev.Value <= 1):
		return nil, fmt.Errorf("policy: %v of %v says that %v of its work is done, want 0 to 1", ev.Kind, ev.Copy, ev.Value)
	}
	if ev.Replay {
		v.replayed(ev, j, s)
	}
	v.account(ev, j, stage)
	switch {
	case ev.Again:
		v.answered(s, ev)
		v.again(j, ev.Copy)
	case ev.Kind == Refused:
		v.answered(s, ev)
	case ev.Kind == Finished:
		s.Finished++
		delete(s.attempts, ev.Copy.Index)
	}
	return j, nil
}

func (v *View[T]) joined(ev *Event) error {
	switch {
	case ev.Info == nil:
		return fmt.Errorf("policy: node %d has joined without its description", ev.Node)
	case ev.Info.ID != ev.Node:
		return fmt.Errorf("policy: node %d has joined with the description of node %d", ev.Node, ev.Info.ID)
	}
	if v.partition(ev.Node) != 0 {
		return fmt.Errorf("policy: node %d has joined twice (a policy serves one run)", ev.Node)
	}
	if err := ev.Info.Validate(); err != nil {
		return err
	}
	v.nodes = grown(v.nodes, int(ev.Node))
	v.free = grown(v.free, int(ev.Info.Partition))
	v.open.grow(int(ev.Node) + 1)
	n := &v.nodes[ev.Node]
	n.partition, n.cores = ev.Info.Partition, ev.Info.Cores
	v.giveNode(ev.Node, int64(n.cores))
	return nil
}

func (v *View[T]) left(ev *Event) error {
	if v.partition(ev.Node) == 0 {
		return fmt.Errorf("policy: node %d has left, but had not joined", ev.Node)
	}
	n := &v.nodes[ev.Node]
	v.giveNode(ev.Node, -int64(n.cores))
	n.cores = 0
	v.mark(ev.Node)
	return nil
}

// partition returns the partition of a node, 0 if the node is not there.
func (v *View[T]) partition(id NodeID) PartitionID {
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

func (v *View[T]) submitted(ev *Event) (*JobView[T], error) {
	switch {
	case ev.Job == nil:
		return nil, fmt.Errorf("policy: job %d was submitted without its description", ev.Copy.Job)
	case ev.Job.ID != ev.Copy.Job:
		return nil, fmt.Errorf("policy: job %d was submitted with the description of job %d; want Copy.Job to be the same", ev.Copy.Job, ev.Job.ID)
	}
	if v.jobs.Get(ev.Copy.Job) != nil {
		return nil, fmt.Errorf("policy: job %d was submitted twice", ev.Copy.Job)
	}
	if err := ev.Job.Validate(); err != nil {
		return nil, err
	}
	sorted, err := ev.Job.sorted()
	if err != nil {
		return nil, err
	}
	j := newJobView[T](len(ev.Job.Stages))
	j.Job, j.sorted = ev.Job, sorted
	v.jobs.Put(ev.Copy.Job, j)
	return j, nil
}

// newJobView returns a job of so many stages. Most jobs have one, which lies beside it.
func newJobView[T any](stages int) *JobView[T] {
	if stages > 1 {
		return &JobView[T]{Stages: make([]StageView, stages)}
	}
	both := new(struct {
		job   JobView[T]
		stage [1]StageView
	})
	both.job.Stages = both.stage[:]
	return &both.job
}

// sorted returns the job's stages, each after what it reads, nil if they are in such an
// order as they are.
func (j *Job) sorted() (*sorted, error) {
	for i := range j.Stages {
		for _, d := range j.Stages[i].Reads {
			if int64(d.Stage) < int64(i) {
				continue
			}
			graph, err := j.Graph()
			if err != nil {
				return nil, fmt.Errorf("policy: job %d: %w", j.ID, err)
			}
			order := graph.Order()
			place := make([]uint32, len(order))
			for k, stage := range order {
				place[stage] = uint32(k)
			}
			return &sorted{order, place}, nil
		}
	}
	return nil, nil
}

// known checks that the nodes of a copy's event have joined.
func (v *View[T]) known(ev *Event) error {
	if (ev.Kind == Started || ev.Kind.End() && !ev.Replay) && ev.Node == 0 && len(ev.Gang) == 0 {
		return fmt.Errorf("policy: %v of %v on no node", ev.Kind, ev.Copy)
	}
	if ev.Node != 0 && v.partition(ev.Node) == 0 {
		return fmt.Errorf("policy: %v of %v on node %d, which had not joined", ev.Kind, ev.Copy, ev.Node)
	}
	for _, share := range ev.Gang {
		if v.partition(share.Node) == 0 {
			return fmt.Errorf("policy: %v of %v on node %d, which had not joined", ev.Kind, ev.Copy, share.Node)
		}
	}
	if uint64(ev.Partition) >= uint64(max(1, len(v.free))) {
		return fmt.Errorf("policy: %v of %v on partition %d, which had not joined", ev.Kind, ev.Copy, ev.Partition)
	}
	return nil
}

// replayed takes the unit of a replayed event out of those that wait. After a restart units come by
// increasing index; what a host has started of its own accord may be any.
func (v *View[T]) replayed(ev *Event, j *JobView[T], s *StageView) {
	switch unit := ev.Copy.Index; {
	case s.picks == nil && unit == s.fresh:
		s.fresh++
		j.Waiting--
	case s.picks != nil || unit > s.fresh || len(s.again) > 0:
		j.picked(ev.Copy.Stage)
		if s.leave(&j.Job.Stages[ev.Copy.Stage], unit) {
			j.Waiting--
		}
	}
	if ev.Kind != Finished {
		v.used(s, ev.Copy)
	}
}
