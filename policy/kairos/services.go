package kairos

import (
	"math/bits"

	"example.com/augur/policy"
)

// Heartbeat returns what the centre needs to know of a node at an instant (lines 46 to 50): the
// number of tasks that it holds, running, suspended and waiting; the variance of their attained
// services as a population, in s²; and the sum of these services, in s. All are 0 if there are
// no tasks. An instant before the node's last event is taken as that.
//
// It takes O(cores) time. Only the services of running tasks grow, so the others are kept in
// running sums, and those that run are added to a copy of these.
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

// services are the moments of a set of attained services, from which services are also taken
// out again. Being whole nanoseconds, they are summed exactly: what has left leaves no trace,
// and the order does not matter. That costs a few additions, where [estimate.Moments],
// which is for any numbers, takes some fifty.
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
	return float64(float64(w.hi)*0x1p128) + float64(float64(w.mid)*0x1p64) + float64(w.lo)
}
