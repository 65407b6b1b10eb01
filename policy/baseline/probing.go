package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/view"
	"example.com/augur/queue"
)

// The kinds of messages of probing. What each field of policy.Msg holds is in brackets.
const (
	_ uint32 = iota
	// from the centre to a node
	msgProbe    // a probe [job, tasks left as Stage, round as Index, cores as N; slot as Count, estimate as Seq, memory as Value]
	msgLong     // a task, to wait for its turn [copy; cores as Count, estimate as Seq, memory as Value]
	msgGive     // the answer to msgAsk, a task [copy; cores as Count, memory as Value]
	msgGiveMore // the same, and more of the job wait [the same; tasks left as Seq]
	msgNone     // the answer to msgAsk: no task for this probe [job; slot as Count, Seq is 1 if none of the job waits]
	msgRob      // give up the probes behind a long task [thief as Seq, tries left as Count]
	msgNoLoot   // the answer to msgIdle if no node gave up any
	msgHeld     // after a restart: what a copy here is [copy; cores as Count, Seq is 1 if it is long, memory as Value]
	// from a node to the centre
	msgAsk    // the turn of a probe has come [job; slot as Count]
	msgReject // a probe is not wanted, because of a long task [job, round as Index; slot as Count]
	msgIdle   // nothing waits here
	msgLoot   // a probe is given up, for the thief [job; slot as Count, thief as Seq, 0 if there is none]
	msgEmpty  // nothing to rob here [thief as Seq, tries left as Count]
)

// probing is what the policies that probe have in common. Short jobs send probes to nodes
// drawn at random, and a task is bound to a node only when the turn of a probe comes there.
// Long jobs, if there are such, are placed by the centre.
//
// The centre stands for the schedulers of all jobs and for that of the long ones. It hears
// the ends of all copies, and for each probe and each task that it has sent it knows the
// node, so that it sends again what is lost there. While a job goes on it takes 4 bytes for each
// probe that is out, of the most that there have been at once, and for each that was lost with a
// node, and 4 for each task, or 8 where probes stay for more; a node takes about 100.
type probing struct {
	rules
	batch int // the most probes of a job that are out, and the most tasks of a long one that one Step sends
	rng   *rand.Rand
	view  view.View[probingJob]
	nodes []probed // by ID

	all   sampler // the nodes that are there
	open  sampler // ... to long jobs
	short sampler // ... to short jobs only
	clear sampler // without a long task: the complement of the bit vector of Eagle

	waits    *queue.Heap[policy.NodeID] // the nodes open to long jobs, least waiting time first
	wanting  []*probingView             // jobs with tasks that nobody seeks a node for
	news     bool                       // something has happened that may help them
	replayed []replayedCopy
}

// rules is how the policies that probe differ.
type rules struct {
	name      string    // of the policy
	estimate  Estimator // nil: all jobs are short, and take no time
	cutoff    policy.Duration
	openShare float64
	ratio     float64
	minProbes int
	bypass    float64 // of the queues of nodes

	steals, sticky, rejects bool
}

// probingJob is what probing keeps of a job.
type probingJob struct {
	estimate policy.Duration
	long     bool
	wants    bool            // it is in wanting
	left     int             // units that are not finished
	unsought int             // units of Ready stages that were never probed for, or need it anew
	slots    []policy.NodeID // where its probes are; of a number of which there is none 0, or a link of spare
	spare    policy.NodeID   // the numbers that may be used again: a link to the first, 0 if there is none
	spares   int             // how many
	lost     int             // how many may not: what a node had sent before it left may come later
	number   numbering       // of units
	at       []policy.NodeID // where each unit was sent, 0 if it was not, or has started
	by       []uint32        // the number of the probe that each was given to, plus 1, if that stays there for more
}

type probingView = view.Job[probingJob]

// probed is what probing keeps of a node.
type probed struct {
	cores  int32
	there  bool
	open   bool
	longs  int32 // long tasks that were sent there and have not ended
	held   int64 // the cores of those
	memory int64
	// until is when, by estimates, the last of them ends: longer ago than all else if there was none.
	until policy.Time
	place queue.Handle // in waits
}

// replayedCopy is a copy that runs when the policy begins anew.
type replayedCopy struct {
	copy policy.Copy
	node policy.NodeID
}

// maxBatch keeps a job of very many tasks from filling the host's memory with actions. Ordinary jobs call for
// fewer probes.
const maxBatch = 1 << 16

// newProbing returns an error that names the field of the policy's config that is outside its
// range.
func newProbing(r rules, src rand.Source) (*probing, error) {
	switch {
	case src == nil:
		return nil, fmt.Errorf("baseline: %sConfig.Src is nil, want a source of randomness", r.name)
	case !(r.ratio >= 1 && r.ratio <= 1000):
		return nil, fmt.Errorf("baseline: %sConfig.ProbeRatio is %v, want 1 to 1000, or 0 for 2", r.name, r.ratio)
	case r.minProbes < 0 || r.minProbes > 1e6:
		return nil, fmt.Errorf("baseline: %sConfig.MinProbes is %d, want 1 to 1000000, or 0 for 20", r.name, r.minProbes)
	case !(r.openShare > 0 && r.openShare <= 1):
		return nil, fmt.Errorf("baseline: %sConfig.LongShare is %v, want above 0, at most 1, or 0 for 0.83", r.name, r.openShare)
	case !(r.bypass >= 0) || math.IsInf(r.bypass, 0):
		return nil, fmt.Errorf("baseline: %sConfig.Bypass is %v, want a finite number above 0, or 0 for 5", r.name, r.bypass)
	}
	p := &probing{rules: r, rng: rand.New(src), batch: max(maxBatch, r.minProbes)}
	p.waits = queue.NewHeap(p.lessWait)
	return p, nil
}

// Step implements [policy.Scheduler].
func (p *probing) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Submitted && ev.Job != nil {
		if err := noGangs(ev.Job, p.name); err != nil {
			return actions, err
		}
	}
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	switch {
	case ev.Kind == policy.Arrived:
		actions = p.arrived(ev, actions)
	case ev.Kind == policy.Joined:
		p.joined(ev.Info)
	case ev.Kind == policy.Left:
		p.left(ev.Node)
	case ev.Kind == policy.Submitted:
		p.submitted(j)
	case ev.Kind == policy.Ready:
		j.Own.unsought += int(j.Job.Stages[ev.Copy.Stage].Units())
		p.want(j)
	case ev.Kind == policy.Ended:
		p.ended(j)
	case ev.Kind == policy.Restored:
		actions = p.restored(actions)
	case ev.Kind >= policy.Started && ev.Kind <= policy.Lost:
		p.told(j, ev)
	}
	// A Refused must not be answered with the same Start, nor with a probe that soon leads
	// to it (rule No circles). So neither a Refused nor a message is reason enough to seek nodes.
	if ev.Kind != policy.Refused && ev.Kind != policy.Arrived {
		p.news = true
	}
	if ev.More || ev.Replay || !p.news {
		return actions, nil
	}
	p.news = false
	return p.seek(ev.Time, actions), nil
}

func noGangs(j *policy.Job, name string) error {
	for i := range j.Stages {
		if j.Stages[i].Gang {
			return fmt.Errorf("baseline: stage %d of job %d is a gang, want tasks that %s may start one by one", i, j.ID, name)
		}
	}
	return nil
}

func (p *probing) submitted(j *probingView) {
	o := &j.Own
	units := 0
	for i := range j.Job.Stages {
		units += int(j.Job.Stages[i].Tasks)
	}
	o.left = units
	o.number = newNumbering(j.Job)
	o.at = make([]policy.NodeID, units)
	if p.sticky {
		o.by = make([]uint32, units)
	}
	if p.estimate == nil {
		return
	}
	d, ok := p.estimate(j.Job)
	if !ok || d < 0 {
		d, ok = p.cutoff, false
	}
	o.estimate, o.long = d, !ok || d >= p.cutoff
}

// told takes note of what has happened to a copy.
func (p *probing) told(j *probingView, ev *policy.Event) {
	o := &j.Own
	unit := o.number.of(ev.Copy.Task)
	sent := &o.at[unit]
	switch {
	case ev.Replay:
		switch ev.Kind {
		case policy.Started:
			p.replayed = append(p.replayed, replayedCopy{ev.Copy, ev.Node})
			p.load(j, ev.Node, ev.Copy.Stage, ev.Time)
		case policy.Finished:
			o.left--
		}
		return
	case ev.Kind == policy.Started:
		*sent = 0
	case ev.Kind == policy.Refused:
		p.unload(j, *sent, ev.Copy.Stage, 0)
		o.refused(unit, *sent)
		*sent = 0
	case ev.Kind.End():
		p.unload(j, ev.Node, ev.Copy.Stage, ev.Service)
		if ev.Kind == policy.Finished {
			o.left--
		}
	}
	if ev.Again {
		o.unsought++
		p.want(j)
	}
}

// refused takes note that a node has let go of a probe that stayed there for more tasks, since
// the one that it was given was Refused. Node 0 says that the task is noted nowhere: it was Refused
// before, or its node was lost, and its probe has been dropped.
func (o *probingJob) refused(unit int, node policy.NodeID) {
	if o.by == nil || node == 0 {
		return
	}
	if slot := o.by[unit]; slot > 0 && o.slots[slot-1] == node {
		o.drop(slot - 1)
	}
}

// A link is the number that may be used again next, beside this bit, which no node has: so it is neither a
// node nor 0.
const linked policy.NodeID = 1 << 31

// put notes that a probe is sent to a node, and returns its number.
func (o *probingJob) put(node policy.NodeID) (slot uint32) {
	if o.spares == 0 {
		o.slots = append(o.slots, node)
		return uint32(len(o.slots) - 1)
	}
	slot = uint32(o.spare &^ linked)
	o.spare, o.slots[slot] = o.slots[slot], node
	o.spares--
	return slot
}

// drop notes that a probe that is out is no more.
func (o *probingJob) drop(slot uint32) {
	o.spare, o.slots[slot] = linked|policy.NodeID(slot), o.spare
	o.spares++
}

// out returns how many probes are out.
func (o *probingJob) out() int { return len(o.slots) - o.spares - o.lost }

// ended lets go of what was sent of a job and never started.
func (p *probing) ended(j *probingView) {
	if !j.Own.long {
		return
	}
	for i := range j.Job.Stages {
		t := policy.Task{Stage: uint32(i)}
		for ; t.Index < j.Job.Stages[i].Tasks; t.Index++ {
			p.unload(j, j.Own.at[j.Own.number.of(t)], t.Stage, 0)
		}
	}
}
