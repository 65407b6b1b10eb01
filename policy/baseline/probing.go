package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// The kinds of messages of probing. What each field of policy.Msg holds is in brackets.
const (
	_ uint32 = iota
	// from the centre to a node
	msgProbe    // a probe [job, round as Index, cores as N; slot as Count, estimate as Seq, remaining work as Value]
	msgLong     // a task, to wait for its turn [copy; cores as Count, estimate as Seq]
	msgGive     // the answer to msgAsk, a task [copy; cores as Count]
	msgGiveMore // the same, and more of the job wait [the same; remaining work as Value]
	msgNone     // the answer to msgAsk: no task of the job waits
	msgRob      // give up the probes behind a long task [thief as Seq, tries left as Count]
	msgNoLoot   // the answer to msgIdle if no node gave up any
	msgHeld     // after a restart: what a copy here is [copy; cores as Count, Seq is 1 if it is long]
	// from a node to the centre
	msgAsk    // the turn of a probe has come [job; slot as Count]
	msgReject // a probe is not wanted, because of a long task [job, round as Index; slot as Count]
	msgIdle   // nothing waits here
	msgLoot   // a probe for the thief [job; slot as Count, thief as Seq]
	msgEmpty  // nothing to rob here [thief as Seq, tries left as Count]
)

// probing is what the policies that probe have in common. Short jobs send probes to nodes
// drawn at random, and a task is bound to a node only when the turn of a probe comes there.
// Long jobs, if there are such, are placed by the centre.
//
// The centre stands for the schedulers of all jobs and for that of the long ones. It hears
// the ends of all copies, and for each probe and each task that it has sent it knows the
// node, so that it sends again what is lost there. A probe takes 4 bytes while its job goes
// on, a task 4, a node about 100.
type probing struct {
	rules
	rng   *rand.Rand
	view  policy.View[probingJob]
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
	name      string
	estimate  Estimator // nil: all jobs are short, and take no time
	cutoff    policy.Duration
	openShare float64
	ratio     float64
	minProbes int
	tries     int // to rob a node, when idle

	srpt, sticky, rejects bool
	bypass                float64
}

// probingJob is what probing keeps of a job.
type probingJob struct {
	estimate policy.Duration
	long     bool
	wants    bool            // it is in wanting
	left     int             // units that are not finished
	unsought int             // units of Ready stages that were never probed for, or need it anew
	slots    []policy.NodeID // where its probes are, 0 if that one was answered
	at       []policy.NodeID // where each unit was sent, 0 if it was not, or has started
}

type probingView = policy.JobView[probingJob]

// probed is what probing keeps of a node.
type probed struct {
	cores  int32
	there  bool
	open   bool
	longs  int32 // long tasks that were sent there and have not ended
	held   int64 // the cores of those
	memory int64
	// until is when, by estimates, the last of them ends.
	until policy.Time
	place queue.Handle // in waits
}

// replayedCopy is a copy that runs when the policy begins anew.
type replayedCopy struct {
	copy policy.Copy
	node policy.NodeID
}

func newProbing(r rules, src rand.Source) *probing {
	p := &probing{rules: r, rng: rand.New(src)}
	p.waits = queue.NewHeap(p.lessWait)
	return p
}

// Step is [policy.Scheduler].
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
	// to it (P4). So neither a Refused nor a message is reason enough to seek nodes.
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
	o.at = make([]policy.NodeID, units)
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
	sent := &o.at[flat(j.Job, ev.Copy)]
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

// ended lets go of what was sent of a job and never started.
func (p *probing) ended(j *probingView) {
	if !j.Own.long {
		return
	}
	for i := range j.Job.Stages {
		c := policy.Copy{Task: policy.Task{Stage: uint32(i)}}
		first := flat(j.Job, c)
		for k := range int(j.Job.Stages[i].Tasks) {
			p.unload(j, j.Own.at[first+k], uint32(i), 0)
		}
	}
}

// flat numbers the tasks of a job through all its stages.
func flat(j *policy.Job, c policy.Copy) int {
	n := int(c.Index)
	for i := range c.Stage {
		n += int(j.Stages[i].Tasks)
	}
	return n
}

// want lets a job be looked after with the next event that may change something.
func (p *probing) want(j *probingView) {
	if !j.Own.wants {
		j.Own.wants = true
		p.wanting = append(p.wanting, j)
	}
}

// seek sends out probes, or tasks, of the jobs that want it.
func (p *probing) seek(now policy.Time, actions []policy.Action) []policy.Action {
	kept := p.wanting[:0]
	for _, j := range p.wanting {
		j.Own.wants = false
		if j.Waiting == 0 {
			j.Own.unsought = 0
			continue
		}
		if j.Own.long {
			actions = p.placeAll(j, now, actions)
			j.Own.unsought = j.Waiting
		} else {
			actions = p.probe(j, actions)
		}
		if j.Own.unsought > 0 { // no node that is there could hold it
			j.Own.wants = true
			kept = append(kept, j)
		}
	}
	clear(p.wanting[len(kept):])
	p.wanting = kept
	return actions
}

// probe sends the probes for all tasks of a job that want some, to different nodes as
// long as there are.
func (p *probing) probe(j *probingView, actions []policy.Action) []policy.Action {
	o := &j.Own
	n := int(min(math.Ceil(p.ratio*float64(o.unsought)), policy.MaxTasks))
	if len(o.slots) == 0 { // its first
		n = max(n, p.minProbes)
		o.slots = make([]policy.NodeID, 0, n)
	}
	stage, _ := j.Next()
	p.all.rewind()
	for range n {
		node := p.pick(&p.all, &j.Job.Stages[stage])
		if node == 0 {
			return actions
		}
		o.slots = append(o.slots, node)
		actions = append(actions, p.probeTo(j, node, uint32(len(o.slots)-1), 0))
	}
	o.unsought = 0
	return actions
}

func (p *probing) probeTo(j *probingView, node policy.NodeID, slot, round uint32) policy.Action {
	stage, _ := j.Next()
	return policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{
		Kind: msgProbe, Count: slot, Seq: uint64(j.Own.estimate), Value: p.remaining(j),
		Copy: policy.Copy{Task: policy.Task{Job: j.Job.ID, Index: round}, N: uint32(j.Job.Stages[stage].Cores)},
	}}
}

// remaining returns the work of a job that is not finished, in task-seconds.
func (p *probing) remaining(j *probingView) float64 {
	return j.Own.estimate.Seconds() * float64(j.Own.left)
}

// pick draws a node that could hold a task of the stage, 0 if there is none.
func (p *probing) pick(s *sampler, stage *policy.Stage) policy.NodeID {
	for range len(s.nodes) {
		if id := s.draw(p.rng); p.holds(id, stage) {
			return id
		}
	}
	return 0
}

// holds reports whether a node is there and could hold a task of the stage if it were
// empty.
func (p *probing) holds(id policy.NodeID, stage *policy.Stage) bool {
	n := p.node(id)
	return n != nil && n.cores >= stage.Cores && (n.memory == 0 || n.memory >= stage.Memory)
}

// node returns a node that is there, else nil.
func (p *probing) node(id policy.NodeID) *probed {
	if uint64(id) >= uint64(len(p.nodes)) || !p.nodes[id].there {
		return nil
	}
	return &p.nodes[id]
}
