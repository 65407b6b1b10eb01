package kairos

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// A Report is a heartbeat as a centre hears it: how a node is, and up to what it knew then.
type Report struct {
	Node policy.NodeID
	// Number grows from each heartbeat to the next in the node's life, from 1 or more on. A
	// count will do, or the time.
	Number uint64
	// Seen is the number of the last assignment that the node had received from this
	// centre, 0 if there was none: numbers are each centre's own.
	Seen uint64

	// Tasks is how many tasks the node has, all that it has received and that have not ended,
	// whether they run or not, and Others how many of these came from other centres.
	Tasks, Others int
	// Variance is that of the services which all its tasks have attained, as a population,
	// and Sum is the sum of these, both ≥ 0. Units are the caller's, the same for all nodes.
	Variance, Sum float64
}

func (r *Report) check() error {
	nonNegative := func(x float64) bool { return x >= 0 && x <= math.MaxFloat64 }
	switch {
	case r.Node == 0 || r.Node > policy.MaxID:
		return fmt.Errorf("kairos: a heartbeat is from node %d, want 1 to %d", r.Node, policy.MaxID)
	case r.Number == 0:
		return fmt.Errorf("kairos: a heartbeat of node %d has number 0, want at least 1", r.Node)
	case r.Tasks < 0 || r.Tasks > math.MaxInt32:
		return fmt.Errorf("kairos: heartbeat %d of node %d says that it has %d tasks, want 0 to %d", r.Number, r.Node, r.Tasks, math.MaxInt32)
	case r.Others < 0 || r.Others > r.Tasks:
		return fmt.Errorf("kairos: heartbeat %d of node %d says that %d tasks are from other centres, want 0 to %d", r.Number, r.Node, r.Others, r.Tasks)
	case !nonNegative(r.Variance):
		return fmt.Errorf("kairos: heartbeat %d of node %d has variance %v, want a finite number of at least 0", r.Number, r.Node, r.Variance)
	case !nonNegative(r.Sum):
		return fmt.Errorf("kairos: heartbeat %d of node %d has sum %v, want a finite number of at least 0", r.Number, r.Node, r.Sum)
	}
	return nil
}

// Heartbeat tells the centre how a node was when it sent r. The result is false if that says
// nothing of how the node is now: if r is no newer than the last one that was taken, if the
// node is not there, or if it is of the node's life before it left and came back, as one
// that had seen nothing from this centre in this life may be. Nothing changes then.
//
// An error says that r cannot be true, or is not as its fields say. It takes O(log n) time
// for node IDs up to n and does not allocate.
func (c *Central[T]) Heartbeat(r Report) (taken bool, err error) {
	if err := r.check(); err != nil {
		return false, err
	}
	w := c.workers.Get(r.Node)
	if w == nil || r.Seen < w.joined || r.Number <= w.number {
		return false, nil
	}
	if r.Seen > w.sent {
		return false, fmt.Errorf("kairos: heartbeat %d of node %d has seen assignment %d, and the last one sent is %d", r.Number, r.Node, r.Seen, w.sent)
	}
	own := uint64(r.Tasks - r.Others)
	if own > r.Seen-w.joined {
		return false, fmt.Errorf("kairos: heartbeat %d of node %d says that it has %d tasks of this centre, and it has been sent %d", r.Number, r.Node, own, r.Seen-w.joined)
	}
	w.number, w.seen, w.others = r.Number, r.Seen, r.Others
	w.ended = r.Seen - w.joined - own
	w.variance, w.sum = r.Variance, r.Sum
	c.rank(w)
	return true, nil
}
