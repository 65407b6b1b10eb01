package probing

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// BigCConfig describes a BigC policy. Estimate and Cutoff are required.
type BigCConfig struct {
	// Estimate estimates how long the tasks of a job take. A job that it does not know is long.
	Estimate Estimator
	// Cutoff is the task time from which on a job is long, > 0.
	Cutoff policy.Duration
	// ShortShare is the share of the cores that short jobs may claim, above 0, at most 1; 0 means 0.95, as in the
	// paper.
	ShortShare float64
}

// BigC divides the cluster between two classes, short jobs and long ones, and preempts long tasks that are in the way
// of short ones.
//
//   - A free core goes to the short jobs, unless the long ones want it, hold less than their own share, and the short
//     ones hold all of theirs.
//   - Long tasks may use everything that short ones leave.
//   - If a short task finds no room, long tasks on a node are suspended, the one started last first, as long as the
//     long jobs keep their share. Short tasks are never preempted, not even by shorter ones.
//   - A suspended task keeps its work and its memory, and is resumed where it is when cores are free there, the
//     oldest first, before any new long task starts there.
//
// Within a class jobs go in the order of submission, as in FIFO. BigC is central. It refuses gangs.
//
// Step takes time logarithmic in the number of nodes and of waiting jobs, for each event and action; more if memory
// is scarce, or if much is suspended.
//
// # Source
//
// W. Chen, J. Rao and X. Zhou, "Preemptive, low latency datacenter scheduling via lightweight
// virtualization", USENIX ATC 2017, as P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel,
// "Kairos: preemptive data center scheduling without runtime estimates", SoCC 2018, section
// 5.1, compare with it. We differ: a share is a number of cores and not a set of nodes, and
// what is preempted stands still, where the original may leave it a part of its cores.
type BigC struct {
	view     books[bigcJob]
	estimate Estimator
	cutoff   policy.Duration
	share    float64

	nodes   []*bigcNode // by ID; nil: not there
	total   int64       // cores that are there
	used    [2]int64    // ... held by a class, or to be
	waiting [2]*queue.Heap[*bigcView]
	roomy   *queue.Heap[policy.NodeID] // most free cores first
	soft    *queue.Heap[policy.NodeID] // most cores first that are free or could be
	touched []policy.NodeID            // where cores were freed since the last decision
}

const (
	shortClass = iota
	longClass
)

// bigcJob is what BigC keeps of a job.
type bigcJob struct {
	class  int
	handle queue.Handle
	at     [][]policy.NodeID // where each task is being started, else 0
}

type bigcView = job[bigcJob]

// NewBigC returns a BigC policy. It returns an error that names the field that is out of range.
func NewBigC(c BigCConfig) (*BigC, error) {
	if err := checkClasses("BigCConfig", c.Estimate, c.Cutoff); err != nil {
		return nil, err
	}
	share := cmp.Or(c.ShortShare, 0.95)
	if !(share > 0 && share <= 1) {
		return nil, fmt.Errorf("probing: BigCConfig.ShortShare is %v, want above 0, at most 1, or 0 for 0.95", share)
	}
	p := &BigC{estimate: c.Estimate, cutoff: c.Cutoff, share: share}
	bySubmission := func(a, b *bigcView) int {
		return cmp.Or(cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
	}
	p.waiting = [2]*queue.Heap[*bigcView]{queue.NewHeap(bySubmission), queue.NewHeap(bySubmission)}
	p.roomy, p.soft = queue.NewHeap(p.moreFree), queue.NewHeap(p.moreSoft)
	return p, nil
}

// Step implements [policy.Scheduler].
func (p *BigC) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Submitted && ev.Job != nil {
		if err := supported(ev.Job); err != nil {
			return actions, err
		}
	}
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	switch ev.Kind {
	case policy.Joined:
		p.joined(ev.Info)
	case policy.Left:
		p.left(ev.Node)
	case policy.Submitted:
		o := &j.Own
		o.at = byTask[policy.NodeID](j.Job)
		if d, ok := p.estimate(j.Job); !ok || d < 0 || d >= p.cutoff {
			o.class = longClass
		}
	}
	if ev.Kind >= policy.Started && ev.Kind <= policy.Lost {
		p.told(j, ev)
	}
	if j != nil {
		p.place(j)
	}
	if !p.view.Decide(ev) {
		return actions, nil
	}
	return p.decide(actions), nil
}

func (p *BigC) place(j *bigcView) {
	waiting := p.waiting[j.Own.class]
	switch {
	case j.Waiting == 0:
		waiting.Remove(j.Own.handle)
	case !waiting.Fix(j.Own.handle):
		j.Own.handle = waiting.Push(j)
	}
}

// decide hands out the free cores, and takes some from long tasks, one unit at a time.
func (p *BigC) decide(actions []policy.Action) []policy.Action {
	for {
		before := len(actions)
		if p.used[longClass] < p.reserve() && p.used[shortClass] >= p.total-p.reserve() {
			actions = p.serveLong(actions)
		}
		if len(actions) == before {
			actions = p.serveShort(actions)
		}
		if len(actions) == before {
			actions = p.serveLong(actions)
		}
		if len(actions) == before {
			p.touched = p.touched[:0]
			return actions
		}
	}
}

// reserve returns the cores that are never taken from long jobs.
func (p *BigC) reserve() int64 {
	return saturate.To[int64](math.Floor((1 - p.share) * float64(p.total)))
}

// serveShort starts the first short task that waits, and makes room for it if it must.
func (p *BigC) serveShort(actions []policy.Action) []policy.Action {
	j, ok := p.waiting[shortClass].Peek()
	if !ok {
		return actions
	}
	i, _ := j.Next()
	stage := &j.Job.Stages[i]
	id := p.first(p.roomy, stage.Cores, func(n *bigcNode) bool { return n.holds(stage, n.free) })
	if spare := p.used[longClass] - p.reserve(); id == 0 && spare > 0 {
		id = p.first(p.soft, stage.Cores, func(n *bigcNode) bool {
			return n.holds(stage, n.free+n.running) && int64(stage.Cores-n.free) <= spare
		})
	}
	if id == 0 {
		return actions
	}
	for n := p.nodes[id]; n.free < stage.Cores; {
		actions = append(actions, policy.Action{Kind: policy.Suspend, Copy: p.stop(id, n.last())})
	}
	return p.start(j, id, actions)
}

// serveLong lets a suspended task go on, or else starts the first long one that waits.
func (p *BigC) serveLong(actions []policy.Action) []policy.Action {
	for len(p.touched) > 0 {
		id := p.touched[len(p.touched)-1]
		n := p.nodes[id]
		if k := n.oldest(); k >= 0 && n.longs[k].cores <= n.free {
			c := &n.longs[k]
			c.state = resuming
			n.stopped--
			p.take(id, c.cores, longClass)
			return append(actions, policy.Action{Kind: policy.Resume, Copy: c.copy})
		}
		p.touched = p.touched[:len(p.touched)-1]
	}
	j, ok := p.waiting[longClass].Peek()
	if !ok {
		return actions
	}
	i, _ := j.Next()
	stage := &j.Job.Stages[i]
	// What is suspended on a node would wait the longer, perhaps for ever: it may be what
	// the new task reads through a pipe.
	id := p.first(p.roomy, stage.Cores, func(n *bigcNode) bool { return n.stopped == 0 && n.holds(stage, n.free) })
	if id == 0 {
		return actions
	}
	return p.start(j, id, actions)
}

// start starts the next task of a job on a node that has room for it.
func (p *BigC) start(j *bigcView, id policy.NodeID, actions []policy.Action) []policy.Action {
	a := p.view.Start(j.record, central.Where{})
	a.Node = id
	p.enter(j, a.Copy, id)
	j.Own.at[a.Copy.Stage][a.Copy.Index] = id
	p.place(j)
	return append(actions, a)
}
