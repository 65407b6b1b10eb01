package host

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// books are what the engine knows. They follow from the events that the policy has heard, the actions that it has returned and the
// notes of the journal, so they come back with it.
type books struct {
	jobs   policy.Table[policy.JobID, job]
	newest policy.JobID
	names  map[string]policy.JobID // of jobs, those that have ended among them
	past   map[policy.JobID]Status // the last Config.Remember
	order  []policy.JobID          // in which they have ended
	comes  map[policy.JobID]coming // what a note says of a job that will be submitted

	copies map[policy.Copy]*running
	asks   map[policy.NodeID]map[policy.Copy]*running // by part, those whose Start has not been answered
	nodes  map[policy.NodeID]*node
	vacant policy.NodeID            // no ID of a machine below is free
	called map[string]policy.NodeID // by name
	joins  map[policy.NodeID]string // the name that a note gives a machine that will join

	free    map[policy.PartitionID][]*node  // that have a link: most free cores first, ties by ID
	outs    []*node                         // with orders that are to be given
	awaits  map[policy.JobID][]policy.JobID // who reads a job that has not ended
	changed []policy.JobID                  // of which something may follow
	refused map[policy.NodeID]bool          // parts that heard Refused, and no Woken since
	woken   bool                            // these are to be told at once
	lost    []policy.Copy                   // that have lost the race of their task
	timers  *queue.Heap[timer]
	waiters map[policy.JobID][]chan Status
	news    []Status              // jobs that have ended since the last Sync
	untold  map[policy.JobID]bool // of the past, those that Config.Ended was not called with
}

// coming is what the policy is not told of a job.
type coming struct {
	Name string
	Data []byte
}

type job struct {
	*policy.Job
	coming
	stages   []stage
	ready    []uint32 // stages that may start and of which the policy was not told Ready
	left     int      // stages that are not done
	inputs   int      // jobs that it reads and that have not ended
	copies   map[policy.Copy]*running
	asked    int // of these, those whose Start has not been answered
	finished int
	outcome  policy.Outcome // as soon as it is certain
	killed   bool           // its copies got a Kill
	reason   string         // of its last failure
}

type stage struct {
	tasks   []task   // or gangs
	left    int      // of these, not finished
	waits   int      // stages that it reads and that are not done
	readers []uint32 // stages that read it
	ready   bool     // the policy was told
}

type task struct {
	saved  policy.Duration // at speed 1
	used   uint32          // numbers of copies that were started are below
	failed uint32
	live   uint32 // copies that run, are suspended or are being started
	last   policy.EventKind
	done   bool
}

// running is a copy for which there was a Start, and which has not ended.
type running struct {
	policy.Copy
	job     *job
	part    policy.NodeID      // that asked
	named   policy.PartitionID // by its Start
	to      policy.NodeID      // where it is to start; 0: the engine chooses
	node    policy.NodeID      // 0: it was not started, or is a gang
	devices policy.Devices
	shares  []policy.Share // of a gang
	seats   []seat         // one for each machine; none: it was not started
	stands  bool
	killed  bool            // by the engine, or by order without Save
	saving  bool            // by order
	service policy.Duration // as the policy knows it
	since   policy.Time     // when it has begun to work, or gone on
	limit   policy.Time     // when its time ends; 0: never
}

// A seat is what a copy has on a machine, and what that has reported.
type seat struct {
	node           policy.NodeID
	tasks          uint32
	stands         bool
	end            policy.EventKind // 0: it has not ended there
	service, saved policy.Duration
}

// forget makes the books empty.
func (b *books) forget() {
	*b = books{
		names: map[string]policy.JobID{}, past: map[policy.JobID]Status{}, comes: map[policy.JobID]coming{},
		copies: map[policy.Copy]*running{}, asks: map[policy.NodeID]map[policy.Copy]*running{}, nodes: map[policy.NodeID]*node{}, free: map[policy.PartitionID][]*node{}, called: map[string]policy.NodeID{}, joins: map[policy.NodeID]string{},
		awaits: map[policy.JobID][]policy.JobID{}, refused: map[policy.NodeID]bool{}, waiters: map[policy.JobID][]chan Status{}, untold: map[policy.JobID]bool{},
		timers: queue.NewHeap(func(a, b timer) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.node, b.node), compare(a.copy, b.copy))
		}),
	}
}

// note takes note of what a part has heard and answered.
func (e *Engine) note(part policy.NodeID, ev *policy.Event, actions []policy.Action) error {
	e.last = max(e.last, ev.Time)
	switch {
	case ev.Kind == policy.Woken:
		delete(e.refused, part)
	case ev.Kind == policy.Refused:
		e.refused[part] = true
	}
	switch {
	case ev.Kind == policy.Woken:
	case part != 0: // the centre will hear of it
	case ev.Kind == policy.Joined:
		e.joined(ev)
	case ev.Kind == policy.Left:
		e.left(ev.Node)
	case ev.Kind == policy.Submitted:
		e.submitted(ev.Job)
	case ev.Kind == policy.Arrived, ev.Kind == policy.Restored:
	default:
		e.ofJob(e.jobs.Get(ev.Copy.Job), ev)
	}
	for i := range actions {
		switch a := &actions[i]; a.Kind {
		case policy.Start:
			j := e.jobs.Get(a.Copy.Job)
			if j == nil {
				continue // a part does not know yet that it has ended
			}
			r := &running{Copy: a.Copy, job: j, part: part, named: a.Partition}
			e.asked(r)
		case policy.GiveUp:
			if j := e.jobs.Get(a.Copy.Job); j != nil {
				e.ends(j, policy.GivenUp)
			}
		}
	}
	return nil
}

// ofJob takes note of an event of a job.
func (e *Engine) ofJob(j *job, ev *policy.Event) {
	r := e.copies[ev.Copy]
	switch {
	case j == nil: // a part has started something after its end
	case ev.Kind == policy.Ready:
		j.stages[ev.Copy.Stage].ready = true
		j.ready = slices.DeleteFunc(j.ready, func(s uint32) bool { return s == ev.Copy.Stage })
	case ev.Kind == policy.Ended:
		e.jobEnded(j, ev)
	case r == nil && (ev.Replay || e.config.Rebuild && ev.Kind == policy.Started): // what a replay says of copies that there were
		e.retold(j, ev)
	case r == nil:
	case ev.Kind == policy.Started:
		e.started(r, ev)
	case ev.Kind == policy.Suspended && !ev.Idle:
		r.stands, r.service, r.limit = true, ev.Service, 0
		r.seated(true)
		e.give(r, 1, false)
	case ev.Kind == policy.Resumed:
		r.stands = false
		r.seated(false)
		e.give(r, -1, false)
		e.runs(r, ev.Time)
	case ev.Kind == policy.Progress:
		r.service = ev.Service
	case ev.Kind == policy.Refused:
		e.answered(r)
		e.drop(r)
	case ev.Kind.End():
		e.copyEnded(r, ev)
	}
}

func (e *Engine) submitted(spec *policy.Job) {
	j := &job{Job: spec, coming: e.comes[spec.ID], stages: make([]stage, len(spec.Stages)), left: len(spec.Stages), copies: map[policy.Copy]*running{}}
	delete(e.comes, spec.ID)
	for i := range spec.Stages {
		s := &j.stages[i]
		s.left = int(spec.Stages[i].Units())
		s.tasks, s.waits = make([]task, s.left), len(spec.Stages[i].Reads)
		for _, d := range spec.Stages[i].Reads {
			j.stages[d.Stage].readers = append(j.stages[d.Stage].readers, uint32(i))
		}
	}
	e.jobs.Put(spec.ID, j)
	e.newest = max(e.newest, spec.ID)
	if j.Name != "" {
		e.names[j.Name] = spec.ID
	}
	if spec.Inputs != nil {
		for _, in := range spec.Inputs.Jobs {
			before, known := e.past[in]
			switch {
			case e.jobs.Get(in) != nil && spec.Inputs.Wait:
				j.inputs++
				e.awaits[in] = append(e.awaits[in], spec.ID)
			case e.jobs.Get(in) != nil || known && before.Outcome != policy.Done:
				j.outcome = policy.NoInput
			}
		}
	}
	if j.inputs == 0 {
		j.begin()
	}
	e.changed = append(e.changed, spec.ID)
}

// begin lets the stages start that read no other.
func (j *job) begin() {
	for i := range j.stages {
		if j.stages[i].waits == 0 && !j.stages[i].ready {
			j.ready = append(j.ready, uint32(i))
		}
	}
}

// ends decides how a job ends, unless that is decided.
func (e *Engine) ends(j *job, o policy.Outcome) {
	if j.outcome == 0 {
		j.outcome = o
		e.changed = append(e.changed, j.ID)
	}
}

func (e *Engine) jobEnded(j *job, ev *policy.Event) {
	for _, r := range j.copies { // that parts asked for and that nobody has heard of
		delete(e.copies, r.Copy)
		delete(e.asks[r.part], r.Copy)
	}
	j.outcome = ev.Outcome
	s := e.status(j, nil)
	s.Job, s.Ended = nil, ev.Time
	e.jobs.Delete(j.ID)
	e.remember(s)
	e.news = append(e.news, s)
	for _, id := range e.awaits[j.ID] {
		reader := e.jobs.Get(id)
		switch {
		case reader == nil:
		case ev.Outcome != policy.Done:
			e.ends(reader, policy.NoInput)
		default:
			if reader.inputs--; reader.inputs == 0 {
				reader.begin()
				e.changed = append(e.changed, id)
			}
		}
	}
	delete(e.awaits, j.ID)
}

// remember keeps how a job has ended, and forgets the one before so many others.
func (e *Engine) remember(s Status) {
	e.past[s.ID], e.untold[s.ID], e.order = s, true, append(e.order, s.ID)
	if s.Name != "" {
		e.names[s.Name] = s.ID
	}
	for len(e.order) > e.config.Remember {
		if name := e.past[e.order[0]].Name; name != "" && e.names[name] == e.order[0] {
			delete(e.names, name)
		}
		delete(e.past, e.order[0])
		delete(e.untold, e.order[0])
		e.order = e.order[1:]
	}
}

func (e *Engine) started(r *running, ev *policy.Event) {
	t := r.job.task(r.Task)
	t.used = max(t.used, ev.Copy.N+1)
	e.answered(r)
	r.node, r.devices, r.shares, r.service = ev.Node, ev.Devices, slices.Clone(ev.Gang), ev.Service
	if r.node != 0 {
		r.seats = []seat{{node: r.node, tasks: 1, service: ev.Service}}
	}
	for _, share := range r.shares {
		if at := slices.IndexFunc(r.seats, func(s seat) bool { return s.node == share.Node }); at >= 0 {
			r.seats[at].tasks += share.Tasks
		} else {
			r.seats = append(r.seats, seat{node: share.Node, tasks: share.Tasks, service: ev.Service})
		}
	}
	e.give(r, -1, false)
	e.give(r, -1, true)
	for _, s := range r.seats {
		e.nodes[s.node].copies[r.Copy] = r
	}
	from := ev.Time
	if ev.Service > 0 && !ev.Replay {
		from = from.Add(r.stage().Reload)
	}
	e.runs(r, from)
}

// seated says of all machines of a copy whether it is suspended there.
func (r *running) seated(stands bool) {
	for i := range r.seats {
		r.seats[i].stands = stands
	}
}

// copyEnded takes note of the end of a copy.
func (e *Engine) copyEnded(r *running, ev *policy.Event) {
	j, t := r.job, r.job.task(r.Task)
	if len(r.seats) > 0 {
		if !r.stands {
			e.give(r, 1, false)
		}
		e.give(r, 1, true)
		for _, s := range r.seats {
			delete(e.nodes[s.node].copies, r.Copy)
		}
	}
	e.drop(r)
	t.saved, t.last = max(t.saved, ev.Saved), ev.Kind
	switch {
	case ev.Kind == policy.Finished:
		e.finish(j, r.Task)
	case !t.done && !ev.Again && t.live == 0:
		e.ends(j, policy.TaskFailed)
	}
	if ev.Kind == policy.Failed {
		t.failed++
	}
	e.changed = append(e.changed, j.ID)
}

// finish takes note that a task is done, and its stage perhaps.
func (e *Engine) finish(j *job, id policy.Task) {
	t, s := j.task(id), &j.stages[id.Stage]
	t.done, t.saved = true, 0
	j.finished++
	if t.live > 0 {
		for c := range j.copies {
			if c.Task == id {
				e.lost = append(e.lost, c)
			}
		}
		slices.SortFunc(e.lost, compare)
	}
	if s.left--; s.left > 0 {
		return
	}
	for _, reader := range s.readers {
		if j.stages[reader].waits--; j.stages[reader].waits == 0 && j.inputs == 0 {
			j.ready = append(j.ready, reader)
		}
	}
	if j.left--; j.left == 0 {
		e.ends(j, policy.Done)
	}
}

// retold takes note of what a replay says of a task: how its last copy ended, or that a copy is there.
func (e *Engine) retold(j *job, ev *policy.Event) {
	t := j.task(ev.Copy.Task)
	t.used = max(t.used, ev.Copy.N+1)
	switch {
	case ev.Kind == policy.Finished:
		e.finish(j, ev.Copy.Task)
	case ev.Kind == policy.Started:
		r := &running{Copy: ev.Copy, job: j, named: ev.Partition}
		e.asked(r)
		e.started(r, ev)
	default:
		t.last, t.saved = ev.Kind, max(t.saved, ev.Saved)
	}
}

// asked takes note of a Start.
func (e *Engine) asked(r *running) {
	e.copies[r.Copy], r.job.copies[r.Copy] = r, r
	if e.asks[r.part] == nil {
		e.asks[r.part] = map[policy.Copy]*running{}
	}
	e.asks[r.part][r.Copy] = r
	r.job.asked++
	r.job.task(r.Task).live++
}

// answered takes note that a copy was started, or will not be.
func (e *Engine) answered(r *running) {
	delete(e.asks[r.part], r.Copy)
	r.job.asked--
}

// drop forgets a copy.
func (e *Engine) drop(r *running) {
	r.job.task(r.Task).live--
	delete(e.copies, r.Copy)
	delete(r.job.copies, r.Copy)
	e.changed = append(e.changed, r.job.ID)
}

// again reports whether a task needs another Start after an event.
func (e *Engine) again(ev *policy.Event) bool {
	if ev.Kind != policy.Refused && !ev.Kind.End() || ev.Kind == policy.Finished {
		return false
	}
	r := e.copies[ev.Copy]
	if r == nil || r.job.outcome != 0 {
		return false
	}
	t := r.job.task(ev.Copy.Task)
	return !t.done && t.live == 1 && t.used < policy.MaxCopies && !(ev.Kind == policy.Failed && int(t.failed)+1 >= e.config.Attempts)
}

func (j *job) task(t policy.Task) *task { return &j.stages[t.Stage].tasks[t.Index] }

// status returns how a job is. The map keeps what misfit has found.
func (e *Engine) status(j *job, found map[need]string) Status {
	s := Status{ID: j.ID, Name: j.Name, Job: j.Job, Submitted: j.Submitted, Finished: j.finished, Running: len(j.copies) - j.asked, Outcome: j.outcome, Reason: j.reason}
	switch j.outcome {
	case 0:
		for i := range j.stages {
			if j.stages[i].ready && j.stages[i].left > 0 {
				if why := e.misfit(&j.Stages[i], len(j.copies) > 0, found); why != "" {
					s.Reason = fmt.Sprintf("stage %d %s", i, why)
					break
				}
			}
		}
	case policy.Done:
		s.Reason = ""
	}
	return s
}

// A need is what a task or gang takes.
type need struct {
	cores  int32
	memory int64
	tasks  uint32 // of a gang; 0: it is a task
	named  [policy.MaxNames]policy.Need
	runs   bool // something of the job
}

// misfit says why the machines could not hold a task or gang of a stage if nothing ran on them or, if nothing of the job runs, not
// without those that are silent.
func (e *Engine) misfit(stage *policy.Stage, runs bool, found map[need]string) (why string) {
	n := need{cores: stage.Cores, memory: stage.Memory, runs: runs}
	if copy(n.named[:], stage.Needs); stage.Gang {
		n.tasks = stage.Tasks
	}
	if why, ok := found[n]; ok {
		return why
	}
	all, here := stage.UnitTasks(), stage.UnitTasks()
	for _, m := range e.nodes {
		holds := m.info.Holds(stage)
		if all -= min(all, holds); m.link != nil {
			here -= min(here, holds)
		}
		if here == 0 || all == 0 && runs {
			break
		}
	}
	switch {
	case len(e.nodes) == 0:
		why = "waits for machines, of which none has joined"
	case all > 0:
		why = "is too large for the machines that are there: " + n.String()
	case here > 0 && !runs:
		why = "waits for a machine that is silent: " + n.String()
	}
	found[n] = why
	return why
}

func (n need) String() string {
	s := fmt.Sprintf("a task takes cores %d", n.cores)
	if n.memory > 0 {
		s += fmt.Sprintf(", memory %v GiB", math.Round(float64(n.memory)/(1<<20))/(1<<10))
	}
	for _, x := range n.named {
		if x.Name != "" {
			s = fmt.Sprintf("%s, %s %v", s, x.Name, float64(x.Amount)/1000)
		}
	}
	if n.tasks > 0 {
		s += fmt.Sprintf(", and %d tasks start together", n.tasks)
	}
	return s
}

func (r *running) stage() *policy.Stage { return &r.job.Stages[r.Stage] }

func compare(a, b policy.Copy) int {
	return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Index, b.Index), cmp.Compare(a.N, b.N))
}
