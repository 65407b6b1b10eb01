package wing

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// A Queue is where jobs of an organisation wait. A queue that is the Parent of others groups these.
type Queue struct {
	Name   string // as policy.Job.Queue has it; not "", and of no other queue
	Parent string // the Name of a queue that comes before it; "": the whole cluster
	// Share is its part of Parent's cores. If Guaranteed and Maximum are equal the queue has hard boundaries, as in
	// the paper's simulations; Maximum 0 means 1, an elastic queue.
	Share queue.Share
}

// An Inheritance says from which of its dependents a job inherits priority.
type Inheritance uint8

// The kinds of inheritance.
const (
	FromNone  Inheritance = iota
	FromQueue             // dependents of its own queue
	FromAll               // any dependents: for priorities that mean the same in all queues
)

// Config describes a [Scheduler]. The zero Config is ready to use: it serves the jobs by their priorities, in one queue.
type Config struct {
	Ranker Ranker // nil: [ByPriority]
	// Queues are the queues of the cluster. Jobs of unknown queues, and of queues that have queues below them, wait in an
	// additional queue named "", which is guaranteed what the others leave: nothing if their shares add up to 1. Without any
	// Queues it is the single queue of all jobs (section 7.3).
	Queues []Queue
	// Inherit gives a job at least the priority of the jobs that wait for it: those that were submitted, read its
	// output and cannot start without it (policy.Inputs with Wait). The default is FromNone. For dependents that have
	// not come yet use [NewRaise].
	Inherit Inheritance
}

// NewScheduler returns the whole policy: the queues and the order of Wing. Which value a job has is the Ranker's to say, such as
// one of [NewLookup] or [NewMIL]. It returns an error that names the field that is out of range.
func NewScheduler(c Config) (*Scheduler, error) {
	q, err := NewTurn(c)
	if err != nil {
		return nil, err
	}
	s, err := central.New(central.Config{Turn: q})
	return &Scheduler{s, q}, err
}

// NewTurn returns the turn of a Scheduler. It returns an error that names the field that is out of range.
func NewTurn(c Config) (*Turn, error) {
	if c.Ranker == nil {
		c.Ranker = ByPriority()
	}
	if c.Inherit > FromAll {
		return nil, fmt.Errorf("wing: Config.Inherit is %d, want FromNone, FromQueue or FromAll", c.Inherit)
	}
	s := &Turn{
		ranker: c.Ranker, inherit: c.Inherit, queues: map[string]*jobQueue{},
		changes: queue.NewHeap(func(a, b *job) int { return order(a.until, b.until, a, b) }),
	}
	tree, err := queue.NewTree[*jobQueue](nil, 1) // until nodes come
	if err != nil {
		return nil, err
	}
	s.tree = tree
	left := 1.0
	for i, q := range c.Queues {
		parent := s.queues[q.Parent]
		switch {
		case q.Parent == "":
			left -= q.Share.Guaranteed
		case parent == nil:
			return nil, fmt.Errorf("wing: Config.Queues[%d].Parent is %q, want a queue that comes before it, or \"\"", i, q.Parent)
		}
		if q.Name == "" || s.queues[q.Name] != nil {
			return nil, fmt.Errorf("wing: Config.Queues[%d].Name is %q, want a name that is not \"\" and that no other queue has", i, q.Name)
		}
		if err := s.addQueue(q.Name, parent, q.Share); err != nil {
			return nil, fmt.Errorf("wing: Config.Queues[%d].Share of %q: %w", i, q.Name, err)
		}
	}
	if left < 1e-9 {
		left = 0 // but for rounding
	}
	if err := s.addQueue("", nil, queue.Share{Guaranteed: left}); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Turn) addQueue(name string, parent *jobQueue, share queue.Share) error {
	q := &jobQueue{name: name, parent: parent, waiting: queue.NewHeap(before)}
	above := s.tree.Root()
	if parent != nil {
		above = parent.handle
		parent.inner = true
	}
	handle, err := s.tree.Add(above, q, share)
	if err != nil {
		return err
	}
	q.handle = handle
	s.queues[name] = q
	s.listed = append(s.listed, q)
	return nil
}

// queueOf returns the queue where a job waits.
func (s *Turn) queueOf(j *policy.Job) *jobQueue {
	if q := s.queues[j.Queue]; q != nil && !q.inner {
		return q
	}
	return s.queues[""]
}
