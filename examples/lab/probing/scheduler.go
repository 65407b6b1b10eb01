package probing

import (
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// The kinds of messages. What each field of policy.Msg holds is in brackets.
const (
	_ uint32 = iota
	// from the centre to a node
	msgProbe    // a probe [job, tasks left as Stage, round as Index, cores as N; slot as Count, estimate as Seq, memory as Value]
	msgLong     // a task, to wait for its turn [copy; cores as Count, estimate as Seq, memory as Value]
	msgGive     // the answer to msgAsk, a task [copy; cores as Count, memory as Value]
	msgGiveMore // the same, and more of the job wait [the same; tasks left as Seq]
	msgNone     // the answer to msgAsk: no task for this probe [job; slot as Count, Seq is 1 if none of the job waits]
	msgRob      // give up the probes behind a long task [thief as Seq, tries left as Count]
	msgNoLoot   // the answer to msgIdle if the thief gets nothing [Seq is 1 if it may ask again: all that were given up are dead, or their node has left]
	msgHeld     // after a restart: what a copy here is [copy; cores as Count, Seq is 1 if it is long, memory as Value]
	// from a node to the centre
	msgAsk    // the turn of a probe has come [job; slot as Count]
	msgReject // a probe is not wanted, because of a long task [job, round as Index; slot as Count]
	msgIdle   // nothing waits here
	msgLoot   // a probe is given up, for the thief [job, Index is 1 for the last of a row; slot as Count, thief as Seq, 0 if there is none]
	msgEmpty  // nothing to rob here [thief as Seq, tries left as Count]
)

// A kind says which policy it is, where they differ.
type kind uint8

const (
	sparrow kind = iota
	hawk
	eagle
)

// A Scheduler is the centre of a policy that probes. Make it with [NewSparrow], [NewHawk] or [NewEagle]. Short jobs
// send probes to random nodes, and a task is bound to a node only when the turn of a probe comes there. The centre
// places long jobs, if there are any.
//
// The centre stands for the schedulers of all jobs. It hears the ends of all copies, and knows the node of each probe
// and each task that it has sent, so that it can send again what is lost there. An unfinished job takes 8 bytes for
// each task, and for each probe that is out, of the most that were out at once; a node takes about 200.
type Scheduler struct {
	config    Config
	kind      kind
	minProbes int // of a short job
	batch     int // the most probes of a job that are out, and the most tasks of a long one that one Step sends
	rng       *rand.Rand
	view      books[jobState]
	nodes     []*nodeState // by ID; nil: not there

	all   sampler // the nodes that are there
	open  sampler // ... to long jobs
	short sampler // ... to short jobs only
	clear sampler // without a long task

	waits    *queue.Heap[policy.NodeID] // the nodes open to long jobs, least waiting time first
	wanting  []*jobView                 // jobs with tasks that nobody seeks a node for
	news     bool                       // something has happened that may help them
	vectors  uint64                     // how many there were
	replayed []replayedCopy
}

// nodeState is what the centre keeps of a node.
type nodeState struct {
	cores   int32
	open    bool
	victim  policy.NodeID // whom it is about to rob, under Hawk
	longs   int32         // long tasks that were sent there and have not ended
	held    int64         // the cores of those
	memory  int64
	work    float64    // the estimates of those, for all cores of the node together, ns
	running []longTask // those of them that run
	// until is when a further one would start there by estimates, or before that: see rank. It is longer ago than
	// all else if there is none.
	until  policy.Time
	place  queue.Handle // in waits
	vector *vector      // as of its last long task, under Eagle; nil if it had none
}

// longTask is a long task that runs on a node.
type longTask struct {
	task     policy.Task
	start    policy.Time
	estimate policy.Duration
	cores    int32
}

// replayedCopy is a copy that runs when the policy begins anew.
type replayedCopy struct {
	copy policy.Copy
	node policy.NodeID
}

// maxBatch keeps a job of very many tasks from filling the host's memory with actions. Ordinary jobs call for
// fewer probes.
const maxBatch = 1 << 16

// Step implements [policy.Scheduler].
func (p *Scheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Submitted && ev.Job != nil {
		if err := supported(ev.Job); err != nil {
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
		actions = p.escaped(ev.Node, actions)
	case ev.Kind == policy.Submitted:
		p.submitted(j)
	case ev.Kind == policy.Ready:
		j.Own.unsought += int(j.Job.Stages[ev.Copy.Stage].Units())
		p.want(j)
	case ev.Kind == policy.Ended:
		p.ended(j, ev.Time)
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

func (p *Scheduler) submitted(j *jobView) {
	o := &j.Own
	o.units, o.tasks = j.Job.Tasks(), byTask[sent](j.Job)
	o.left = o.units
	if p.config.Estimate == nil {
		return
	}
	d, ok := p.config.Estimate(j.Job)
	if !ok || d < 0 {
		d, ok = p.config.Cutoff, false
	}
	o.estimate, o.long = d, !ok || d >= p.config.Cutoff
}

// told takes note of what has happened to a copy.
func (p *Scheduler) told(j *jobView, ev *policy.Event) {
	o := &j.Own
	task := &o.tasks[ev.Copy.Stage][ev.Copy.Index]
	switch {
	case ev.Replay:
		switch ev.Kind {
		case policy.Started:
			p.replayed = append(p.replayed, replayedCopy{ev.Copy, ev.Node})
			p.load(j, ev.Node, ev.Copy.Stage, ev.Time)
			p.runs(j, ev)
		case policy.Finished:
			o.left--
		}
		return
	case ev.Kind == policy.Started:
		task.node = 0
		p.runs(j, ev)
	case ev.Kind == policy.Refused:
		p.unload(j, task.node, ev.Copy.Task, ev.Time)
		o.refused(task)
	case ev.Kind.End():
		p.unload(j, ev.Node, ev.Copy.Task, ev.Time)
		if ev.Kind == policy.Finished {
			o.left--
		}
	}
	if ev.Again {
		o.unsought++
		p.want(j)
	}
}

// ended lets go of what was sent of a job and never started.
func (p *Scheduler) ended(j *jobView, now policy.Time) {
	if !j.Own.long {
		return
	}
	for stage, tasks := range j.Own.tasks {
		for i, t := range tasks {
			p.unload(j, t.node, policy.Task{Job: j.Job.ID, Stage: uint32(stage), Index: uint32(i)}, now)
		}
	}
}
