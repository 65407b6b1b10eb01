package wing_test

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/wing"
)

// naive decides as the comment of Scheduler says, and works everything out anew each time.
type naive struct {
	config wing.Config
	view   central.View
	jobs   map[policy.JobID]*naiveJob
	nodes  map[policy.NodeID]int64
	root   *naiveQueue
	stamp  int
}

type naiveJob struct {
	leaf     *naiveQueue
	cores    int64
	priority float64
}

type naiveQueue struct {
	queue    wing.Queue
	parent   *naiveQueue
	children []*naiveQueue
	charged  int // stamp of the last charge

	use, guaranteed, maximum, ask float64
	first                         *central.Job
}

func newNaive(c wing.Config) *naive {
	n := &naive{config: c, jobs: map[policy.JobID]*naiveJob{}, nodes: map[policy.NodeID]int64{}, root: &naiveQueue{}}
	rest := 1.0
	for _, q := range c.Queues {
		if q.Parent == "" {
			rest -= q.Share.Guaranteed
		}
		n.add(n.find(n.root, q.Parent), q)
	}
	other := wing.Queue{Name: "other"}
	other.Share.Guaranteed = max(0, rest)
	if rest < 1e-9 {
		other.Share.Guaranteed = 0
	}
	n.add(n.root, other)
	return n
}

func (n *naive) add(parent *naiveQueue, q wing.Queue) {
	if q.Share.Maximum == 0 {
		q.Share.Maximum = 1
	}
	n.stamp++
	parent.children = append(parent.children, &naiveQueue{queue: q, parent: parent, charged: n.stamp})
}

// find returns the queue of a name at or below q, nil if there is none.
func (n *naive) find(q *naiveQueue, name string) *naiveQueue {
	if q.queue.Name == name {
		return q
	}
	for _, c := range q.children {
		if found := n.find(c, name); found != nil {
			return found
		}
	}
	return nil
}

func (n *naive) leafOf(j *policy.Job) *naiveQueue {
	if q := n.find(n.root, j.Queue); q != nil && len(q.children) == 0 {
		return q
	}
	return n.find(n.root, "other")
}

// observe takes note of an event, and reports whether it is time to decide.
func (n *naive) observe(ev *policy.Event) (bool, error) {
	j, err := n.view.Observe(ev)
	if err != nil {
		return false, err
	}
	n.view.Unparked(func(*central.Job) {})
	switch ev.Kind {
	case policy.Joined:
		n.nodes[ev.Node] = int64(ev.Info.Cores)
	case policy.Left:
		delete(n.nodes, ev.Node)
	case policy.Submitted:
		n.jobs[j.Job.ID] = &naiveJob{leaf: n.leafOf(j.Job)}
	}
	if j != nil {
		n.charge(j)
	}
	return n.view.Decide(ev), nil
}

// own returns what is kept of a job besides the books.
func (n *naive) own(j *central.Job) *naiveJob { return n.jobs[j.Job.ID] }

// refused reports whether a job tries alone, since the host had no room for it.
func (n *naive) refused() bool {
	for _, j := range n.view.Jobs() {
		if j.Refused {
			return true
		}
	}
	return false
}

func (n *naive) charge(j *central.Job) {
	if j.Cores > n.own(j).cores {
		n.stamp++
		for q := n.own(j).leaf; q != nil; q = q.parent {
			q.charged = n.stamp
		}
	}
	n.own(j).cores = j.Cores
}

// prioritize works out the priorities of all jobs: their own, and then those of the jobs that wait
// for them, until nothing changes.
func (n *naive) prioritize(now policy.Time) {
	for _, j := range n.view.Jobs() {
		n.own(j).priority, _ = n.config.Ranker.Rank(j.Job, now)
	}
	for again := n.config.Inherit != wing.FromNone; again; {
		again = false
		for _, d := range n.view.Jobs() {
			if d.Job.Inputs == nil || !d.Job.Inputs.Wait {
				continue
			}
			for _, id := range d.Job.Inputs.Jobs {
				u := n.view.Job(id)
				if u == nil || n.config.Inherit == wing.FromQueue && n.own(u).leaf != n.own(d).leaf {
					continue
				}
				if n.own(d).priority > n.own(u).priority {
					n.own(u).priority = n.own(d).priority
					again = true
				}
			}
		}
	}
}

// decide starts what is next, one unit after the other.
func (n *naive) decide(now policy.Time) (actions []policy.Action) {
	n.prioritize(now)
	for {
		n.measure(n.root)
		leaf := n.next(n.root)
		if leaf == nil || !n.room(n.root, leaf) {
			return actions
		}
		j := leaf.first
		if stage, _ := j.Next(); !n.view.Possible(&j.Job.Stages[stage]) {
			n.view.Park(j)
			continue
		}
		if !n.view.Fits(j) {
			return actions
		}
		actions = append(actions, n.view.Start(j, central.Where{}))
		n.charge(j)
		if j.Refused {
			return actions
		}
	}
}

// measure works out limits, use and the first job of a queue and all below it.
func (n *naive) measure(q *naiveQueue) {
	if q == n.root {
		total := int64(0)
		for _, cores := range n.nodes {
			total += cores
		}
		q.guaranteed, q.maximum = float64(total), float64(total)
	} else {
		q.guaranteed = q.parent.guaranteed * q.queue.Share.Guaranteed
		q.maximum = q.parent.maximum * q.queue.Share.Maximum
	}
	q.use, q.first = 0, nil
	for _, c := range q.children {
		n.measure(c)
		q.use += c.use
	}
	for _, j := range n.view.Jobs() {
		if n.own(j).leaf != q {
			continue
		}
		q.use += float64(j.Cores)
		if j.Waiting > 0 && (q.first == nil || n.before(j, q.first)) {
			q.first = j
		}
	}
	if q.first != nil {
		stage, _ := q.first.Next()
		q.ask = math.Min(float64(q.first.Job.Stages[stage].Width()), q.maximum)
	}
}

func (n *naive) before(a, b *central.Job) bool {
	return cmp.Or(cmp.Compare(n.own(b).priority, n.own(a).priority),
		cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID)) < 0
}

// next returns the leaf below q whose turn it is, nil if there is none.
func (n *naive) next(q *naiveQueue) *naiveQueue {
	if len(q.children) == 0 {
		if q.first == nil {
			return nil
		}
		return q
	}
	var ready []*naiveQueue
	for _, c := range q.children {
		if leaf := n.next(c); leaf != nil && n.room(c, leaf) {
			ready = append(ready, c)
		}
	}
	if len(ready) == 0 {
		return nil
	}
	relative := func(q *naiveQueue) float64 {
		if q.guaranteed == 0 {
			return math.Inf(1)
		}
		return q.use / q.guaranteed
	}
	return n.next(slices.MinFunc(ready, func(a, b *naiveQueue) int {
		return cmp.Or(cmp.Compare(relative(a), relative(b)), cmp.Compare(a.charged, b.charged))
	}))
}

func (n *naive) room(q, leaf *naiveQueue) bool { return q.use+leaf.ask <= q.maximum*(1+1e-9) }
