package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A ShareRule says what the members of a [Sharing] share, and by which measure the next
// slot goes to one of them.
type ShareRule uint8

const (
	// ByService shares slots over time. The measure of a member is the service charged to it
	// so far and that which it holds, by its weight.
	//
	// A member that joins starts at the smaller of two numbers: the least measure among those
	// that wait, and the largest (charged service / weight) among them. So it hoards no credit
	// while it has nothing to do, and shares with the others what is given from now on. If its
	// own charged service by weight is larger than that, it keeps it, and so still owes what it
	// has had in excess. What is held leaves no trace when it is let go, however wrong it was.
	//
	// No member starves. While a member of weight w waits, from when it joins or has had its
	// turn until its next turn, each other member j takes slots that are worth at most
	//
	//	(w_j/w)·h + C_j
	//
	// where h is what the member held when its last turn was over, or was charged for that turn
	// if that was at once (0 if it had none), and C_j is the most that a slot of j is worth. (If
	// slots are worth more than was held for them, add that to h, and if they are worth less,
	// w_j/w_k times that for the member k of which w_k is the least.) So if all charges are
	// equal and at once, j has at most ⌊w_j/w⌋+1 turns meanwhile.
	ByService ShareRule = iota

	// ByUse shares the slots in use at an instant. The measure is use by weight, and use goes
	// down as slots are returned; the past does not count.
	//
	// A member without a slot does not starve: it is next after each other member was next
	// at most once. But a member of any weight gets that first slot before others get their
	// second, and if there are no more slots than members then weights mean nothing.
	ByUse

	// ByNextUse is as ByUse, but the measure is (use + 1)/weight: what it would be with one
	// slot more, of 1. It comes nearer to the weights when slots are few, and it starves: a
	// member whose weight is less than that of all others by the number of slots in use may
	// never be next while those wait.
	ByNextUse
)

// A Sharing divides slots among members, such as the levels of a queue or the tenants of a
// cluster, by weights: the next slot goes to the member with the least measure, of those
// that wait. No slot stays free while a member waits that could use it. The measure is
// that of a [ShareRule]. Ties go to the member whose last join, charge or hold is longest ago.
//
// A new member does not wait. Call [Sharing.Join] when it has something to start, and
// [Sharing.Leave] when it has nothing more. When a member takes a slot, let it hold something
// with [Sharing.Hold], and let go of it when the slot is returned: by use, 1; by service, what
// the slot is expected to give, such as a mean runtime, and when it is returned, charge what it
// gave with [Sharing.Charge]. If nothing is held, all slots that are free at that instant
// go to one member. Where slots count and not how long they are taken, or it is known what
// they give, charge at once instead. Do either before Leave, so that those who join later do not
// begin below what the last one had. Since Next returns the element and all else wants its
// handle, let T be a pointer to what keeps the handle, or an index.
//
// A change takes time logarithmic in the number of members, on average over many, and all
// else constant time. Only Add allocates, when there are more members than ever. The zero
// Sharing is not usable; make one with [NewSharing].
//
// # Source
//
// ByService is start-time fair queueing in another guise: P. Goyal, H. Vin and H. Cheng,
// "Start-time fair queueing: a scheduling algorithm for integrated services packet switching
// networks", SIGCOMM 1996, with slots for packets. Weighted sharing of queues of jobs: SLearn,
// section 5.1.1.
type Sharing[T any] struct {
	rule    ShareRule
	members table[shareMember[T]]
	turns   *Heap[uint32] // the places of those that wait, least measure first
	most    *Heap[uint32] // by service, the same, most served first
	charges uint64        // and holds and joins so far
	shifted uint64        // of these, those before the last shift
	start   float64       // what the last member that waited was served
}

type shareMember[T any] struct {
	x       T
	weight  float64
	use     float64 // charged in all
	held    float64
	served  float64 // by service: charged by weight, since where it began
	measure float64 // if it waits
	charged uint64  // number of the last charge, hold or join
	turn    Handle  // in turns, stale if it does not wait
	most    Handle  // in most, the same
}

// NewSharing returns a Sharing without members. The error is about a rule that there is not.
func NewSharing[T any](rule ShareRule) (*Sharing[T], error) {
	if rule > ByNextUse {
		return nil, fmt.Errorf("queue: ShareRule is %d, want ByService, ByUse or ByNextUse", rule)
	}
	s := &Sharing[T]{rule: rule}
	s.turns = NewHeap(func(a, b uint32) int {
		x, y := s.members.at(a), s.members.at(b)
		if x.measure != y.measure {
			return cmp.Compare(x.measure, y.measure)
		}
		return cmp.Compare(x.charged, y.charged)
	})
	s.most = NewHeap(func(a, b uint32) int { return cmp.Compare(s.members.at(b).served, s.members.at(a).served) })
	return s, nil
}

// Add adds a member, which does not wait and has no use. The error says that the weight is
// not a finite number above 0.
func (s *Sharing[T]) Add(x T, weight float64) (Handle, error) {
	if !goodWeight(weight) {
		return Handle{}, fmt.Errorf("queue: weight is %v, want a finite number above 0", weight)
	}
	return s.members.add(shareMember[T]{x: x, weight: weight, served: s.begin()}), nil
}

func goodWeight(w float64) bool { return w > 0 && !math.IsInf(w, 1) }

// Remove takes a member out and returns it. A stale handle changes nothing, and the result
// is false.
func (s *Sharing[T]) Remove(member Handle) (x T, ok bool) {
	m := s.members.get(member)
	if m == nil {
		return x, false
	}
	s.Leave(member)
	x = m.x
	s.members.remove(member)
	return x, true
}

// Join says that a member has something to start. If it waits already, nothing changes. The
// result is false if the handle is stale.
func (s *Sharing[T]) Join(member Handle) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	if _, waits := s.turns.Get(m.turn); waits {
		return true
	}
	m.served = max(m.served, s.begin())
	s.charges++
	m.charged = s.charges
	s.wait(member.slot, m)
	return true
}

// Leave says that a member has nothing more to start. The result is false if it did not
// wait.
func (s *Sharing[T]) Leave(member Handle) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	if _, waits := s.turns.Remove(m.turn); !waits {
		return false
	}
	s.most.Remove(m.most)
	if s.turns.Len() == 0 {
		s.start = m.served
	}
	return true
}

// Next returns the member whose turn it is, and false if none waits. It changes nothing: the
// turn passes on by [Sharing.Charge].
func (s *Sharing[T]) Next() (x T, ok bool) {
	first, ok := s.turns.Peek()
	if !ok {
		return x, false
	}
	return s.members.at(first).x, true
}

// Charge adds to the use of a member; a negative amount takes back. Members that do not wait
// are charged too. If the handle is stale, or the use would not be a finite number, nothing
// changes and the result is false. A use below 0 counts as 0 by use, so that no
// rounding makes a credit of it.
func (s *Sharing[T]) Charge(member Handle, amount float64) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	use, served := m.use+amount, m.served
	if s.rule == ByService {
		served += amount / m.weight
	}
	if !finite(use) || !finite(served) {
		return false
	}
	m.use, m.served = use, served
	s.most.Fix(m.most)
	s.charged(m, amount)
	return true
}

// Hold adds to what a member holds for the slots that it has; a negative amount lets go. By
// use, that counts as use does. It is as Charge in all else. What is held below 0 counts as
// 0.
func (s *Sharing[T]) Hold(member Handle, amount float64) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	held := m.held + amount
	if !finite(held) || s.rule == ByService && !finite(held/m.weight) {
		return false
	}
	m.held = held
	s.charged(m, amount)
	return true
}

// charged takes note of a charge or a hold.
func (s *Sharing[T]) charged(m *shareMember[T], amount float64) {
	if amount > 0 {
		s.charges++
		m.charged = s.charges
	}
	m.measure = s.measure(m)
	s.turns.Fix(m.turn)
	if s.charges-s.shifted > uint64(1024+64*len(s.members.places)) {
		s.shift()
	}
}

// shift takes from what all members were served where one would begin that joins now. Only
// differences count; if they were left to grow for ever, then service by a weight that is
// small would in the end be so large that service by one that is large is lost in rounding.
func (s *Sharing[T]) shift() {
	s.shifted = s.charges
	begin := s.begin()
	s.start = bounded(s.start - begin)
	waiting := slices.Collect(s.turns.All())
	for _, i := range waiting { // all leave before the order changes
		m := s.members.at(i)
		s.turns.Remove(m.turn)
		s.most.Remove(m.most)
	}
	for i := range s.members.places { // also those that are free: it does not matter
		m := &s.members.places[i].e
		m.served = bounded(m.served - begin)
	}
	for _, i := range waiting {
		s.wait(i, s.members.at(i))
	}
}

// wait puts a member among those that wait.
func (s *Sharing[T]) wait(place uint32, m *shareMember[T]) {
	m.measure = s.measure(m)
	m.turn = s.turns.Push(place)
	if s.rule == ByService {
		m.most = s.most.Push(place)
	}
}

// begin returns, by service, what a member is taken to have been served that joins now. The
// others have about the same measure, which is known from the one that holds the least.
func (s *Sharing[T]) begin() float64 {
	first, ok := s.turns.Peek()
	if !ok || s.rule != ByService {
		return s.start
	}
	most, _ := s.most.Peek()
	return min(s.members.at(first).measure, s.members.at(most).served)
}

// measure returns the measure of a member.
func (s *Sharing[T]) measure(m *shareMember[T]) float64 {
	switch s.rule {
	case ByUse:
		return max(0, m.use+m.held) / m.weight
	case ByNextUse:
		return (max(0, m.use+m.held) + 1) / m.weight
	}
	return m.served + max(0, m.held)/m.weight
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// bounded returns x, which is not NaN, or the number nearest to it if it is infinite.
func bounded(x float64) float64 { return max(-math.MaxFloat64, min(x, math.MaxFloat64)) }

// Held returns what a member holds, and false if the handle is stale.
func (s *Sharing[T]) Held(member Handle) (held float64, ok bool) {
	m := s.members.get(member)
	if m == nil {
		return 0, false
	}
	return m.held, true
}
