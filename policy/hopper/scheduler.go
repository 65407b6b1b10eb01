package hopper

import "example.com/augur/policy"

// Scheduler is Hopper behind the contract, and what it is compared with: who gets the slots
// is for an [Allocator] to say, which tasks get copies for a [Speculator], and each goes with
// each.
//
// A slot is a core. While some are free the allocator says which job is next. That job has
// another copy of a task, if the rule wants one, or its next waiting task. If what it has next
// finds no room, as a wide task may not, the others wait with it, and where it is Refused it tries
// alone, one task at a time, until one gets through. That is for tasks that may look long for
// room: of more than one core, with memory, or that read through a pipe. For others a Refused is
// about that Start alone, and with the next event all goes on. Tasks are not preempted, but for those that a
// rule kills to start them anew. Gangs get no copies.
//
// All copies report at the same instants, one period apart, and then the rule is asked about
// their jobs. A copy that it wants starts when it is the job's turn, if the rule wants it still.
//
// Where tasks say which nodes hold what they read, and at most 16 nodes have free cores, a
// job's next task is one that is local there, if it has any.
//
// # Virtual sizes
//
// The demand of a job is the tasks left, with those that run, of its stages that are Ready. Under
// VirtualSizes the next slot goes to the job with the least virtual size of those that have less than
// their share, be it by a part of a slot. If there is none, any job with use for a slot may
// have it, unless Config.Keep says otherwise, and again the least virtual size goes first.
//
// Shares are those of a [Pool] in which all jobs are of one class, and have a task for each slot
// of their virtual sizes, to the nearest 1024th: what the job's own tail and α make of its tasks
// counts, and no more. With Config.Throughput jobs are of classes, as in sections 4.1 and 4.2, and
// those go first whose slots do most work, whatever their size: jobs of heavy tails then keep
// others waiting.
//
// Slots are whole, and shares are not. With more jobs than slots each has a share of less than
// one, so the smallest jobs have one each, and there are hardly any copies.
//
// # What to expect
//
// Most of what is gained is the rule's. These are runs of 600 jobs of Facebook of package workload,
// without Pipe and with MostTasks 501, on 20 nodes at loads of 0.9 and 1.5, of three seeds, all with
// DefaultConfig but for the Allocator and Copies. The mean completion time under Hopper was
//
//	from  3 % more to  7 % less than under Fair with copies InTurn
//	from 18 % more to 12 % less than under SRPT with them
//	from 20 % more to  7 % less than under SRPT with copies AfterOwn
//	from 25 to 48 % less than under SRPT with copies AfterAll
//
// At 1.5 SRPT was the better one on two seeds with InTurn, on all three with AfterOwn. So Hopper is
// worth most against a scheduler that makes copies wait for all tasks; try SRPT and Fair with the
// same rule on your own jobs too.
//
// # Cost
//
// Step takes time logarithmic in the number of jobs, and of the job's stages that run, for each event
// and each action. When a stage is Ready or its last task finishes, Step also moves up to 8 bytes for
// each stage of the job that runs: with 32,000 stages this takes about as long as the rest of the step.
// Besides, the rule and the [Tracker] are asked about each stage of a job once a period, and twice for each
// copy of the job that starts. Where tasks say which nodes hold what they read, each start looks at the share Config.Locality
// of the jobs. When a group's tail changes, its jobs are given the new one by and by, as one job is
// looked at for each task that finishes; until then they count with the one that Tail says. If memory
// counts, a node that comes or goes and changes how much of it there is for each core takes
// O(n log n) time for n jobs. It allocates only when a job comes, a stage is Ready or a tail is
// fitted, and while tables grow.
//
// In a restart, tails that were learnt are lost, and of several copies of a task the
// one that the host names first counts as the first.
//
// # Source
//
// Hopper, chapters 2 to 5. That slots are lent is ours, and which job goes first among those that
// have less than their share: the paper does not say what becomes of slots that a job cannot use.
// Algorithm 3 orders jobs by the larger of their running phase and the transfer after it; here only
// the former counts.
type Scheduler struct {
	config   Config
	view     policy.View[job]
	now      policy.Time // of the last event
	first    policy.Time // that of the first one, from which periods count
	heard    bool        // there was one
	lanes    [2]lane     // of tasks, and of copies where they have slots of their own
	tails    *groupTails
	local    locality
	open     []policy.NodeID // nodes with free cores, for one decision
	nodes    policy.Table[policy.NodeID, capacity]
	total    capacity
	each     float64       // cores for each byte, if memory counts
	extra    int64         // slots of copies beside the first of their task
	reported []*jobView    // since the last decision
	freed    bool          // a copy was Refused that nobody wants any more, since the last decision
	spare    []*phase      // of stages that are over, for stages to come
	lists    []lists       // of jobs that are over
	placed   int           // phases that say which nodes hold what their tasks read
	members  ring[jobView] // the jobs of groups, by when they were given their tail, longest ago first
	enrolled int           // how many these are
	follows  int           // how many of these have yet to be looked at, since a tail is another one
	runtimes []float64
}

// capacity is what nodes have.
type capacity struct{ cores, memory int64 }

type jobView = policy.JobView[job]

// Step implements [policy.Scheduler].
func (s *Scheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := s.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	if s.now = ev.Time; !s.heard {
		s.first, s.heard = ev.Time, true
	}
	switch ev.Kind {
	case policy.Joined:
		c := &capacity{int64(ev.Info.Cores), ev.Info.Memory}
		s.nodes.Put(ev.Node, c)
		s.resize(c.cores, c.memory)
	case policy.Left:
		c := s.nodes.Get(ev.Node)
		s.nodes.Delete(ev.Node)
		s.resize(-c.cores, -c.memory)
	case policy.Submitted:
		s.submitted(j)
	case policy.Ended:
		s.ended(j)
	case policy.Ready:
		s.ready(j, ev.Copy.Stage)
	case policy.Restored:
		for _, j := range s.view.Jobs() {
			actions = s.watchAll(j, actions)
		}
	default:
		if j != nil {
			actions = s.note(j, ev, actions)
		}
	}
	if ev.Kind == policy.Finished {
		s.follow()
	}
	if !s.view.Decide(ev) && (!s.freed || ev.More || ev.Replay) {
		return actions, nil
	}
	s.freed = false
	for _, j := range s.reported {
		j.Own.reported = false
		actions = s.review(j, actions)
		s.place(j)
	}
	s.reported = s.reported[:0]
	actions, all := s.fill(0, actions)
	if s.apart() && (all || s.config.Reserved > 0) {
		actions, _ = s.fill(1, actions)
	}
	return actions, nil
}

// apart reports whether copies have slots of their own.
func (s *Scheduler) apart() bool { return s.config.Reserved > 0 || s.config.Copies == AfterAll }

// lane returns the lane of tasks, 0, or of copies, 1.
func (s *Scheduler) lane(i int) *lane {
	if !s.apart() {
		i = 0
	}
	return &s.lanes[i]
}

// resize takes note of nodes that come or go.
func (s *Scheduler) resize(cores, memory int64) {
	s.total.cores += cores
	s.total.memory += memory
	slots := [2]int64{s.total.cores, s.total.cores}
	if s.config.Reserved > 0 {
		slots[1] = int64(float64(s.config.Reserved*float64(s.total.cores)) + 0.5)
		slots[1] = max(0, min(slots[1], s.total.cores-1)) // or no task would ever run
		slots[0] -= slots[1]
	}
	for i := range s.lanes {
		s.lanes[i].slots = slots[i]
		s.lanes[i].turns.resize(slots[i], s.total.memory)
	}
	if !s.config.Memory || s.total.memory <= 0 {
		return
	}
	if each := float64(s.total.cores) / float64(s.total.memory); each != s.each {
		s.each = each
		for _, j := range s.view.Jobs() {
			j.Own.changed = true
			s.place(j)
		}
	}
}

// fill gives away the free slots of a lane, and reports whether all jobs have what they want.
func (s *Scheduler) fill(lane int, actions []policy.Action) (_ []policy.Action, all bool) {
	l := &s.lanes[lane]
	for s.view.Free(0) > 0 && l.used < l.slots {
		h := l.turns.next()
		if h == nil {
			return actions, true
		}
		j := h.job
		var ok bool
		if s.copyNext(j, lane) {
			actions, ok = s.startCopy(j, actions)
		} else {
			actions, ok = s.startTask(j, actions)
		}
		if !ok {
			return actions, false
		}
		s.place(j)
		if j.Own.refused {
			return actions, false // it tries alone until one of its tasks gets through
		}
	}
	return actions, false
}

// copyNext reports whether what the job has next in a lane is a copy.
func (s *Scheduler) copyNext(j *jobView, lane int) bool {
	if !j.Own.asks || s.apart() {
		return lane == 1
	}
	return j.Waiting == 0 || s.config.Copies != AfterOwn
}

// startCopy starts the copy that the rule wants, and reports whether the job found room. If
// the rule wants it no more, nothing happens but that.
func (s *Scheduler) startCopy(j *jobView, actions []policy.Action) ([]policy.Action, bool) {
	own := &j.Own
	if own.asked != s.now {
		if actions = s.review(j, actions); !own.asks {
			return actions, true
		}
	}
	p := own.wish
	if p.width > s.view.Free(0) || !s.lane(1).fits(p.width) {
		return actions, false
	}
	a := s.view.Another(j, policy.Task{Job: j.Job.ID, Stage: p.stage, Index: own.move.Task}, 0)
	s.began(j, a.Copy, true)
	return s.review(j, append(actions, a)), true
}

// startTask starts the job's next task, and reports whether there was room for it.
func (s *Scheduler) startTask(j *jobView, actions []policy.Action) ([]policy.Action, bool) {
	stage, _ := j.Next()
	if !s.view.Fits(j) || !s.lane(0).fits(j.Job.Stages[stage].Width()) {
		return actions, false
	}
	a, ok := s.startLocal(j, stage)
	if !ok {
		a = s.view.Start(j, 0)
	}
	s.began(j, a.Copy, false)
	return append(actions, a), true
}

// place tells the lanes what a job has and wants.
func (s *Scheduler) place(j *jobView) {
	own := &j.Own
	task, another := &own.holdings[0], &own.holdings[1]
	if !s.apart() {
		s.lanes[0].place(task, j.Cores, own.memory, j.Waiting > 0 || own.asks)
		return
	}
	s.lanes[0].place(task, j.Cores-own.extraSlots, own.memory-own.extraMemory, j.Waiting > 0)
	s.lanes[1].place(another, own.extraSlots, own.extraMemory, own.asks)
}
