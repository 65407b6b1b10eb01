package baseline

import (
	"cmp"
	"math/rand/v2"
)

// SparrowConfig describes a Sparrow policy. Src is required.
type SparrowConfig struct {
	Src rand.Source // draws the nodes
	// ProbeRatio is the number of probes for each task, 1 to 1000; 0 means 2, as in the paper.
	ProbeRatio float64
}

// Sparrow is batch sampling with late binding. When a job of t tasks comes, 2t probes go to
// nodes drawn at random, where they wait in a queue, first in first out. When a core is free
// for the first probe, the node asks the job's scheduler for a task, and the t probes that
// come up first get one; to the others the scheduler says that none is left, and the node lets go of
// all that it has of that job. So tasks go where
// queues are short in time, though nobody knows the queues, nor what tasks will take. The core
// waits for the answer, one way there and one back. A core may be idle beside a task, for as long as
// no probe of its job is on that node.
//
// It is a [policy.Distributed]: schedulers share no state but the queues of the nodes. Ours
// all live at the centre, which sends again what is lost with a node. Gangs are not served.
//
// A step of a part takes time in proportion to its queue; one of the centre, constant time
// for each action, and in proportion to all tasks and probes when a node is lost. At most 65,536
// probes of a job are out at a time, and one step sends at most twice as many for all jobs together.
// The rest follow as tasks start.
//
// # Source
//
// K. Ousterhout, P. Wendell, M. Zaharia and I. Stoica, "Sparrow: distributed, low latency
// scheduling", SOSP 2013, section 3. We differ: probes that are no longer needed are not
// called back (proactive cancellation) but wait until the turn of the first on their node, and there are
// neither priorities nor constraints on placement but the size of a node.
type Sparrow struct{ *probing }

// NewSparrow returns a Sparrow policy. The error names the field that is outside its range.
func NewSparrow(c SparrowConfig) (*Sparrow, error) {
	p, err := newProbing(rules{name: "Sparrow", ratio: cmp.Or(c.ProbeRatio, 2), openShare: 1}, c.Src)
	if err != nil {
		return nil, err
	}
	return &Sparrow{p}, nil
}
