package policy

import (
	"fmt"
	"iter"
)

// A View is what nearly every central policy must remember: the jobs, which of their
// tasks wait for a Start, and how many cores are free. It is an optional help: a policy
// shows it each event first, [View.Observe], asks it when to decide, [View.Decide], and
// lets it make the Start actions, [View.Start].
//
// T is what the policy itself keeps for each job, in [JobView.Own].
//
// Free cores are counted, not placed: a cluster whose free cores are spread over many
// nodes may refuse a wide task that the count lets through. The task then waits for the
// next event (P4), which Decide takes care of; it is started under the same number. Cores
// of a Start count as taken from then on, before Started comes.
//
// A policy that chooses nodes asks which have free cores, [View.Open] and [View.Room], and
// what is local there, [View.Local], and starts it there, [View.StartLocal] and
// [View.StartOn]. What is local is worked out when it is asked for, stage by stage; a policy
// that does not ask pays nothing for it.
//
// All Starts must be made by the View, or its counts go wrong. A policy whose parts
// start the copies sends them what [View.Start] returned, and uses [View.Return] for what
// was lost on its way to them. It may send them what StartOn and its like returned just as well.
//
// The zero View is empty and ready to use. A call takes time in proportion to the nodes of
// the gang concerned, and to the stages of the job when it comes or ends and when one waits
// again that comes before others; for bags of tasks that is constant.
// A job takes about 100 bytes and each of its stages 56 more; tasks take none, except
// those that are tried again, and see [View.First] and [View.Local]. A node takes 16 bytes.
type View[T any] struct {
	jobs  Table[JobID, JobView[T]]
	nodes []node         // by NodeID
	open  bitset         // the nodes that are there and have room
	named map[Copy]place // of Starts that named a node and are not answered
	free  []int64        // cores, by PartitionID
	total int64          // free cores of all partitions, less those promised to a Start anywhere
	news  bool           // something other than Refused has come since the last decision
	spare []retries      // of stages whose jobs have ended, for stages to come
}

// A JobView is what a View knows of a job.
type JobView[T any] struct {
	Job    *Job
	Stages []StageView // as Job.Stages
	// Waiting is the number of units (tasks, or whole gangs) of Ready stages that want a
	// Start now.
	Waiting int
	// Cores is how many cores the job has: those of copies that run and of Starts that
	// are not answered yet.
	Cores int64
	Own   T // what the policy keeps; the View does not look at it

	next   uint32  // no stage before this one, in their order, has a unit waiting
	sorted *sorted // nil if each stage comes after those that it reads
}

// sorted is an order of a job's stages in which each comes after those that it reads.
type sorted struct {
	order []uint32 // the stages
	place []uint32 // of each stage in order
}

// A StageView is what a View knows of a stage.
type StageView struct {
	Ready    bool   // its tasks may start: the host has said so
	Finished uint32 // units that are finished

	fresh uint32 // units fresh .. were never tried, but for what picks says
	picks *picks // nil: units are started in order
	retries
}

// retries is what a View knows of the units of a stage that were tried more than once.
type retries struct {
	again    []uint32          // those to start again, next one last
	attempts map[uint32]uint32 // the next copy's number
}

// maxSpare is the largest number of units of a stage whose retries serve another stage
// when its job has ended, so that in the steady state a Refused allocates nothing.
const maxSpare = 1024

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
	if ev.Kind == Started && !s.Ready {
		return nil, fmt.Errorf("policy: %v of %v, whose stage is not ready", ev.Kind, ev.Copy)
	}
	if err := v.known(ev); err != nil {
		return nil, err
	}
	switch {
	case ev.Kind < Started || ev.Kind > Lost:
		return nil, fmt.Errorf("policy: an event has kind %d, want 1 to %d", ev.Kind, Restored)
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
	if ev.Info == nil || ev.Info.ID != ev.Node {
		return fmt.Errorf("policy: node %d has joined without its description", ev.Node)
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
	if ev.Job == nil || ev.Job.ID != ev.Copy.Job {
		return nil, fmt.Errorf("policy: job %d was submitted without its description", ev.Copy.Job)
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

// Decide reports whether the policy should now look for what to start: no further event
// of this instant is announced, this is no replay, and something has happened since the
// last decision besides refusals (P4). A true answer counts as a decision: asked again
// before the next event, it is false.
func (v *View[T]) Decide(ev *Event) bool {
	if ev.More || ev.Replay || !v.news {
		return false
	}
	v.news = false
	return true
}

// Job returns the view of a job that was submitted and has not ended, nil if there is
// none.
func (v *View[T]) Job(id JobID) *JobView[T] { return v.jobs.Get(id) }

// Jobs yields the jobs that were submitted and have not ended, by increasing ID.
func (v *View[T]) Jobs() iter.Seq2[JobID, *JobView[T]] { return v.jobs.All() }

// Front returns the job that goes first by an order, of those that have something waiting, and nil
// if none has; of equals, the smaller ID. It looks at all jobs: a policy whose jobs may be many that
// wait keeps them in a heap.
func (v *View[T]) Front(order func(a, b *JobView[T]) int) *JobView[T] {
	var front *JobView[T]
	for _, j := range v.jobs.All() {
		if j.Waiting > 0 && (front == nil || order(j, front) < 0) {
			front = j
		}
	}
	return front
}

// Next returns the first stage of the job that has a unit waiting, and false if none
// has. A stage comes after those that it reads, whose tasks may have to be started again
// before its own can run (H11).
func (j *JobView[T]) Next() (stage uint32, ok bool) {
	if j.Waiting == 0 {
		return 0, false
	}
	for ; int(j.next) < len(j.Stages); j.next++ {
		stage = j.next
		if j.sorted != nil {
			stage = j.sorted.order[j.next]
		}
		if j.waiting(stage) > 0 {
			return stage, true
		}
	}
	return 0, false
}

// wake notes that a stage has a unit waiting.
func (j *JobView[T]) wake(stage uint32) {
	if j.sorted != nil {
		stage = j.sorted.place[stage]
	}
	j.next = min(j.next, stage)
}

func (j *JobView[T]) waiting(stage uint32) int {
	s := &j.Stages[stage]
	if !s.Ready {
		return 0
	}
	if s.picks != nil {
		return s.picks.count
	}
	return int(j.Job.Stages[stage].Units()-s.fresh) + len(s.again)
}

// Start takes the next unit of j that waits (of its first stage with any; tasks to be
// tried again first, then those of [View.First], then by index) and returns the action that
// starts it on partition p, or anywhere if p is 0. It panics if nothing waits (see
// [JobView.Waiting]) or if no node of the partition has ever joined.
func (v *View[T]) Start(j *JobView[T], p PartitionID) Action { return v.take(j, v.next(j), p) }

// next takes out the next unit of j that waits.
func (v *View[T]) next(j *JobView[T]) Copy {
	stage, ok := j.Next()
	if !ok {
		panic("policy: Start of a job that has nothing waiting")
	}
	s := &j.Stages[stage]
	c := Copy{Task: Task{Job: j.Job.ID, Stage: stage}}
	j.Waiting--
	tried := false
	if s.picks != nil {
		c.Index, tried = s.pick(&j.Job.Stages[stage])
	} else if n := len(s.again); n > 0 {
		c.Index, tried = s.again[n-1], true
		s.again = s.again[:n-1]
	} else {
		c.Index = s.fresh
		s.fresh++
	}
	if tried {
		c.N = s.attempts[c.Index]
		v.used(s, c)
	}
	return c
}

// Another returns the action that starts one more copy of a task that runs and is not
// finished, on partition p, or anywhere if p is 0. It panics as Start does.
func (v *View[T]) Another(j *JobView[T], task Task, p PartitionID) Action {
	return v.take(j, v.more(j, task), p)
}

// more returns one more copy of a task.
func (v *View[T]) more(j *JobView[T], task Task) Copy {
	s := &j.Stages[task.Stage]
	c := Copy{task, max(1, s.attempts[task.Index])}
	v.used(s, c)
	return c
}

// Return takes back a Start of this View that will never be answered, because the message
// that carried it to a node was lost with the node: the task waits again. p is as it was in
// the Start, 0 if that named a node. It is a no-op if the job has ended.
func (v *View[T]) Return(c Copy, p PartitionID) {
	j := v.jobs.Get(c.Job)
	if j == nil {
		return
	}
	ev := Event{Kind: Refused, Copy: c, Partition: p}
	v.account(&ev, j, &j.Job.Stages[c.Stage])
	v.used(&j.Stages[c.Stage], c)
	v.again(j, c)
	v.news = true
}

// answered takes note of a copy's number when it has ended or was refused. That of a
// refused Start is used once more, so that it does not matter how often a Start was tried.
func (v *View[T]) answered(s *StageView, ev *Event) {
	if ev.Kind != Refused || ev.Replay {
		v.used(s, ev.Copy)
	} else if s.attempts[ev.Copy.Index] == ev.Copy.N+1 {
		s.attempts[ev.Copy.Index] = ev.Copy.N
	}
}

// used takes note of a copy's number.
func (v *View[T]) used(s *StageView, c Copy) {
	v.retry(s)
	s.attempts[c.Index] = max(s.attempts[c.Index], c.N+1)
}

// again takes note that the unit of a copy is to be started again.
func (v *View[T]) again(j *JobView[T], c Copy) {
	s := &j.Stages[c.Stage]
	if s.picks != nil && !s.enter(&j.Job.Stages[c.Stage], c.Index) {
		return // it waits already: we were told of it twice
	}
	v.retry(s)
	s.again = append(s.again, c.Index)
	j.Waiting++
	j.wake(c.Stage)
}

// retry makes room for a stage's retries, when it has its first.
func (v *View[T]) retry(s *StageView) {
	if s.attempts != nil {
		return
	}
	if n := len(v.spare); n > 0 {
		s.retries, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		s.attempts = make(map[uint32]uint32)
	}
}

// reclaim empties a job that has ended.
func (v *View[T]) reclaim(j *JobView[T]) {
	j.Waiting = 0
	for i := range j.Stages {
		s := &j.Stages[i]
		if s.attempts != nil && j.Job.Stages[i].Units() <= maxSpare {
			clear(s.attempts)
			v.spare = append(v.spare, retries{s.again[:0], s.attempts})
		}
		s.retries, s.picks = retries{}, nil
	}
}
