package kairos

import (
	"fmt"
	"math"
	"math/bits"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// A MoveKind says what a [Move] asks for.
type MoveKind uint8

// The kinds of moves.
const (
	_ MoveKind = iota
	// Suspend takes Task off Core, where another one follows. It keeps its memory.
	Suspend
	// Start lets Task begin on Core.
	Start
	// Resume lets Task go on, on Core.
	Resume
)

var moveKinds = [...]string{"", "Suspend", "Start", "Resume"}

// String returns the kind's name.
func (k MoveKind) String() string {
	if k > 0 && int(k) < len(moveKinds) {
		return moveKinds[k]
	}
	return fmt.Sprintf("MoveKind(%d)", uint8(k))
}

// A Move is a command that a [Node] gives its host: suspend a task, start one or resume one. Carry out moves in their
// order: a core is left before it is taken.
type Move[K comparable] struct {
	Kind MoveKind
	Task K
	Core int // number of the core, 0 to Cores-1
}

// String returns the move in a line, as in
//
//	Resume b on core 0
func (m Move[K]) String() string { return fmt.Sprintf("%v %v on core %d", m.Kind, m.Task, m.Core) }

// Heartbeat returns what the centre needs to know of a node (lines 46 to 50): the number of its tasks, running,
// suspended and waiting; the variance of their attained services as a population, in s²; and the sum of these
// services, in s. All are 0 if there are no tasks. An instant before the node's last event counts as that.
//
// It takes O(cores) time. Only the services of running tasks grow, so it keeps running sums of the others and adds
// the running ones to a copy.
func (n *Node[K]) Heartbeat(now policy.Time) (tasks int, variance, sum float64) {
	clock, err := n.at(now)
	if err != nil {
		clock = n.clock
	}
	all := n.still
	for _, t := range n.cores {
		if t != nil {
			all.add(t.attained + clock - t.start)
		}
	}
	all.n += uint64(len(n.waiting)) // which have had no service
	return n.len(), all.variance(), all.total()
}

// A Report is a heartbeat as a centre hears it: the state of a node, and the last assignment that it had seen then.
type Report struct {
	Node policy.NodeID
	// Number increases from each heartbeat to the next in the node's life, from at least 1. It may be a count, or the
	// time.
	Number uint64
	// Seen is the number of the last assignment that the node had received from this centre, 0 if there was none:
	// each centre has its own numbers.
	Seen uint64

	// Tasks is the number of tasks that the node has received and that have not ended, whether or not they run.
	// Others is how many of these came from other centres.
	Tasks, Others int
	// Variance is the variance of the attained services of all its tasks, as a population, and Sum is their sum, both
	// ≥ 0. The caller chooses the units, the same for all nodes.
	Variance, Sum float64

	offer offer // of an adaptive node
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

// message encodes a heartbeat for a centre.
func (r *Report) message(centre int, measure float64) policy.Msg {
	return policy.Msg{
		Kind: heartbeat, Seq: r.Seen, Count: uint32(r.Tasks), Value: measure,
		Copy: policy.Copy{Task: policy.Task{Stage: uint32(centre), Index: uint32(r.Others)}, N: uint32(r.Number)},
	}
}

// reportOf decodes message.
func (s *Nodes) reportOf(ev *policy.Event, m *policy.Msg) Report {
	r := Report{Node: ev.Node, Number: uint64(m.Copy.N), Seen: m.Seq, Tasks: int(m.Count), Others: int(m.Copy.Index)}
	switch {
	case s.adaptive:
		credit := saturate.To[policy.Duration](min(max(m.Value, -float64(maxSpan)), float64(maxSpan)))
		r.offer = offer{m.Copy.Job == 1, ev.Time.Add(-credit)}
	case s.config.Central.Tie == LeastSum:
		r.Sum = m.Value
	default:
		r.Variance = m.Value
	}
	return r
}

// Heartbeat updates the centre with the state of a node when it sent r. It returns false, and changes nothing, if r
// says nothing about the present: if it is no newer than the last report taken, if the node is not there, or if r may
// be of the node's life before it left and came back, because it has seen nothing from this centre.
//
// It returns an error if r cannot be true or has a field out of range. It takes O(log n) time for n nodes and does
// not allocate.
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
	w.offer = r.offer
	w.offer.open = r.offer.open && r.Seen >= w.claimed && w.shown()
	c.rank(w)
	return true, nil
}

// The kinds of messages between the centres and the nodes. Centres of one Scheduler are numbered from 0. Fields that
// are not mentioned are 0.
const (
	_ uint32 = iota
	// assign: the node is to do a task. Copy, Seq is the number of the assignment, Count the
	// centre, Value the memory in bytes.
	assign
	// adopt: after a restart, the node has this task already. Fields are as in assign.
	adopt
	// begin: the node knows all that it needs, and may decide. Seq is the last number
	// of a centre, Count that centre.
	begin
	// withdraw: the job of an assignment is over, and the node shall not begin it. Copy, and Count is the
	// centre.
	withdraw
	// heartbeat: how the node is. Seq is the number of the last assignment seen of the
	// centre, Count the tasks, Copy.Stage the centre, Copy.Index the tasks of others, Copy.N
	// the number of the heartbeat, Value what ties are broken by. Of an adaptive node Copy.Job is 1 if it makes an offer,
	// and Value is the credit in ns.
	heartbeat
	// refuse: the node has no place for an assignment. Copy, and Count is the centre.
	refuse
)

// assignment makes a message of kind assign or adopt. Value is exact up to 2^53 bytes and limited to that, so that no
// task seems too large for a node that could just hold it.
func assignment(kind uint32, copy policy.Copy, number uint64, centre int, memory int64) policy.Msg {
	return policy.Msg{Kind: kind, Copy: copy, Seq: number, Count: uint32(centre), Value: float64(min(memory, 1<<53))}
}

// services are the moments of a set of attained services, from which services are also taken
// out again. Being whole nanoseconds, they are summed exactly: what has left leaves no trace,
// and the order does not matter, unlike in [estimate.Moments].
//
// A service is below 2^63 ns and there are fewer than 2^32, so that both products of n and the
// squares, and of the sum with itself, are below 2^192.
type services struct {
	n       uint64
	sum     wide
	squares wide
}

func (s *services) add(attained policy.Duration) {
	s.n++
	s.sum = s.sum.plus(wide{lo: uint64(attained)})
	s.squares = s.squares.plus(square(attained))
}

func (s *services) remove(attained policy.Duration) {
	s.n--
	s.sum = s.sum.minus(wide{lo: uint64(attained)})
	s.squares = s.squares.minus(square(attained))
}

// total returns the sum, in s.
func (s *services) total() float64 { return s.sum.float() / 1e9 }

// variance returns that of the services as a population, in s², and 0 if there are none:
// (n*squares - sum*sum) / n², of which the difference is exact.
func (s *services) variance() float64 {
	if s.n == 0 {
		return 0
	}
	scatter := s.squares.times(s.n).minus(s.sum.squared())
	n := 1e9 * float64(s.n)
	return scatter.float() / n / n
}

// A wide is the whole number hi * 2^128 + mid * 2^64 + lo.
type wide struct{ hi, mid, lo uint64 }

func square(d policy.Duration) wide {
	hi, lo := bits.Mul64(uint64(d), uint64(d))
	return wide{mid: hi, lo: lo}
}

func (w wide) plus(x wide) wide {
	lo, carry := bits.Add64(w.lo, x.lo, 0)
	mid, carry := bits.Add64(w.mid, x.mid, carry)
	hi, _ := bits.Add64(w.hi, x.hi, carry)
	return wide{hi, mid, lo}
}

func (w wide) minus(x wide) wide {
	lo, borrow := bits.Sub64(w.lo, x.lo, 0)
	mid, borrow := bits.Sub64(w.mid, x.mid, borrow)
	hi, _ := bits.Sub64(w.hi, x.hi, borrow)
	return wide{hi, mid, lo}
}

func (w wide) times(n uint64) wide {
	mid, lo := bits.Mul64(w.lo, n)
	hi, low := bits.Mul64(w.mid, n)
	mid, carry := bits.Add64(mid, low, 0)
	return wide{hi + w.hi*n + carry, mid, lo}
}

// squared returns w * w, for a w below 2^96.
func (w wide) squared() wide {
	high := w.times(w.mid)
	return w.times(w.lo).plus(wide{hi: high.mid, mid: high.lo})
}

// float returns the number as a float64.
func (w wide) float() float64 {
	return float64(w.hi)*0x1p128 + float64(w.mid)*0x1p64 + float64(w.lo)
}
