package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A ShareRule is the measure by which a [Sharing] chooses the member for the next slot.
type ShareRule uint8

const (
	// ByService shares slots over time: start-time fair queueing. The measure of a member is
	// (charged service + held service) / weight.
	//
	// A joining member starts at the smaller of two numbers: the least measure among the waiting
	// members, and the largest charged service / weight among them. So it saves up no credit while
	// it does not wait. If its own charged service / weight is larger, it starts there, and so
	// still pays for past excess, until [Sharing.EndBusyPeriod]. Held service leaves no trace when it is released, however wrong
	// it was.
	//
	// No member starves. While a member of weight w waits for its next turn, each other member j
	// takes slots worth at most
	//
	//	(w_j/w)·h + C_j
	//
	// where h is what the member held, or was charged at once, for its last turn (0 if it had
	// none), and C_j is the largest worth of a slot of j. (If slots turn out to be worth more than
	// was held for them, add the difference to h; if less, add w_j/w_k times the difference, where k
	// is the member of least weight.) So if all charges are equal and made at once, j has at most
	// ⌊w_j/w⌋+1 turns meanwhile.
	ByService ShareRule = iota

	// ByUse shares the slots in use at an instant. The measure is use/weight. The use goes down as
	// slots are returned, and the past does not count.
	//
	// No member without a slot starves: it is next after each other member was next at most once.
	// But a member gets its first slot before others get their second, whatever the weights. So
	// weights have no effect if there are at most as many slots as members.
	ByUse

	// ByNextUse is like ByUse, but the measure is (use + 1)/weight, that with one more slot of 1. It
	// follows the weights more closely if slots are few, but it can starve a member: one whose
	// weight is less than the total weight of the others divided by the number of slots in use
	// may never be next while they wait.
	ByNextUse
)

// A Sharing divides slots among members, such as the levels of a queue or the tenants of a
// cluster, by weighted fair queueing: the next slot goes to the waiting member with the least
// measure, as defined by a [ShareRule]. It is work-conserving: no slot stays free while a member
// waits that could use it. Ties go to the member whose last join, charge or hold is longest ago.
//
// A new member does not wait. Call [Sharing.Join] when it has something to start, and
// [Sharing.Leave] when it has nothing more. When a member takes a slot, call [Sharing.Hold], and
// release the hold when the slot is returned. By use, hold 1. By service, hold the expected
// service of the slot, such as a mean runtime, and when the slot is returned also call
// [Sharing.Charge] with the actual service. Without a hold, one member would get all slots that
// are free at an instant. If the service is known, or only the number of slots matters, call
// Charge at once instead. Call Hold or Charge before Leave; otherwise later joiners start with
// an unfair advantage. Next returns the element, but the other methods need its handle, so let
// T be a pointer to a struct that keeps the handle, or an index.
//
// A change takes amortised time logarithmic in the number of members, and a query constant time.
// Only Add allocates, when there are more members than ever before. The zero Sharing is not
// usable; make one with [NewSharing].
//
// # Source
//
// ByService is start-time fair queueing with slots for packets: P. Goyal, H. Vin and H. Cheng,
// "Start-time fair queueing: a scheduling algorithm for integrated services packet switching
// networks", SIGCOMM 1996. Weighted sharing of queues of jobs: SLearn, section 5.1.1.
type Sharing[T any] struct {
	rule       ShareRule
	members    table[shareMember[T]]
	turns      *Heap[uint32] // the places of those that wait, least measure first
	mostServed *Heap[uint32] // by service, the same, most served first
	charges    uint64        // and holds and joins so far
	shifted    uint64        // of these, those before the last shift
	start      float64       // what the last member that waited was served
	most       float64       // what any member was served at most
}

type shareMember[T any] struct {
	x          T
	weight     float64
	use        sum // charged in all
	held       sum
	served     sum     // by service: charged by weight, since where it began
	measure    float64 // if it waits
	charged    uint64  // number of the last charge, hold or join
	turn       Handle  // in turns, stale if it does not wait
	mostServed Handle  // in mostServed
}

// NewSharing returns a Sharing without members. It returns an error if rule is unknown.
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
	s.mostServed = NewHeap(func(a, b uint32) int { return cmp.Compare(s.members.at(b).served.hi, s.members.at(a).served.hi) })
	return s, nil
}

// Add adds a member, which does not wait yet and uses nothing. It returns an error if the weight is
// not between 1e-100 and 1e100.
func (s *Sharing[T]) Add(x T, weight float64) (Handle, error) {
	if !goodWeight(weight) {
		return Handle{}, fmt.Errorf("queue: weight is %v, want 1e-100 to 1e100", weight)
	}
	return s.members.add(shareMember[T]{x: x, weight: weight, served: sum{hi: s.begin()}}), nil
}

// SetWeight changes the weight of a member from now on: what it has had counts as before. It returns an error if the weight is not
// between 1e-100 and 1e100, and changes nothing if the handle is stale.
func (s *Sharing[T]) SetWeight(member Handle, weight float64) error {
	if !goodWeight(weight) {
		return fmt.Errorf("queue: weight is %v, want 1e-100 to 1e100", weight)
	}
	if m := s.members.get(member); m != nil {
		m.weight = weight
		m.measure = s.measure(m)
		s.turns.Fix(m.turn)
	}
	return nil
}

// Clone returns a copy, in which handles identify the same members. It takes time and memory linear in the number of members. With it
// a caller sees who would be next after some holds.
func (s *Sharing[T]) Clone() *Sharing[T] {
	c, _ := NewSharing[T](s.rule) // a rule that is known
	c.members = s.members.clone()
	c.turns.copy(s.turns)
	c.mostServed.copy(s.mostServed)
	c.charges, c.shifted, c.start, c.most = s.charges, s.shifted, s.start, s.most
	return c
}

// goodWeight reports whether no amount of 1e-200 to 1e200, divided by a weight, becomes infinite or 0.
func goodWeight(w float64) bool { return w >= 1e-100 && w <= 1e100 }

// Settled reports whether Remove of the member, and a later Add, would forget nothing: it does not wait and holds
// nothing, and by service its charged service / weight, which is its finish tag in fair queueing, is not above where a
// joining member starts; by use, it uses nothing. A member that is removed before loses what it owes. Settled returns
// false if the handle is stale.
func (s *Sharing[T]) Settled(member Handle) bool {
	m := s.members.get(member)
	if m == nil || m.held.hi > 0 {
		return false
	}
	if _, waits := s.turns.Get(m.turn); waits {
		return false
	}
	if s.rule == ByService {
		return m.served.hi <= s.begin()
	}
	return m.use.hi <= 0
}

// EndBusyPeriod forgives, by service, what members have had more than others: all start alike from now on, but for what
// they hold. Call it when slots are free and no member waits, so that nobody has missed anything. It changes nothing
// while a member waits.
func (s *Sharing[T]) EndBusyPeriod() {
	if s.turns.Len() == 0 {
		s.start = max(s.start, s.most)
	}
}

// Remove removes a member and returns it. If the handle is stale, it changes nothing and returns
// false. See [Sharing.Settled].
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

// Join makes a member wait: it has something to start. If it waits already, nothing changes. Join
// returns false if the handle is stale.
func (s *Sharing[T]) Join(member Handle) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	if _, waits := s.turns.Get(m.turn); waits {
		return true
	}
	if begin := s.begin(); m.served.hi < begin {
		m.served = sum{hi: begin}
	}
	s.charges++
	m.charged = s.charges
	s.wait(member.slot, m)
	return true
}

// Leave ends the waiting of a member: it has nothing more to start. It returns false if the member
// did not wait.
func (s *Sharing[T]) Leave(member Handle) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	if _, waits := s.turns.Remove(m.turn); !waits {
		return false
	}
	s.mostServed.Remove(m.mostServed)
	if s.turns.Len() == 0 {
		s.start = m.served.hi
	}
	return true
}

// Next returns the member whose turn it is, and false if none waits. It changes nothing:
// [Sharing.Charge] and [Sharing.Hold] pass the turn on.
func (s *Sharing[T]) Next() (x T, ok bool) {
	first, ok := s.turns.Peek()
	if !ok {
		return x, false
	}
	return s.members.at(first).x, true
}

// Charge adds amount to the use of a member, also if the member does not wait; a negative amount
// takes back. Amounts that are charged and taken back leave no rest. If the handle is stale, or the use
// would not be finite, Charge changes nothing and returns false. By use, a use below 0 counts as 0.
func (s *Sharing[T]) Charge(member Handle, amount float64) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	use, ok := m.use.plus(amount)
	served, also := m.served, true
	if s.rule == ByService {
		served, also = served.plus(amount / m.weight)
	}
	if !ok || !also {
		return false
	}
	m.use, m.served = use, served
	s.most = max(s.most, served.hi)
	s.mostServed.Fix(m.mostServed)
	s.charged(m, amount)
	return true
}

// Hold adds amount to the hold of a member, for the slots that it has; a negative amount releases.
// By use, a hold counts like use. A hold below 0 counts as 0. In all else it is like Charge.
func (s *Sharing[T]) Hold(member Handle, amount float64) bool {
	m := s.members.get(member)
	if m == nil {
		return false
	}
	held, ok := m.held.plus(amount)
	if !ok || s.rule == ByService && !finite(held.hi/m.weight) {
		return false
	}
	m.held = held
	s.charged(m, amount)
	return true
}

// charged updates the order after a charge or a hold.
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

// shift subtracts from the service of all members the point where a member would start that joins
// now. Only differences matter. Without the shift, service / weight of a small weight would grow so
// large that the service of a large weight is lost in rounding.
func (s *Sharing[T]) shift() {
	s.shifted = s.charges
	begin := s.begin()
	s.start, s.most = bounded(s.start-begin), bounded(s.most-begin)
	waiting := slices.Collect(s.turns.All())
	for _, i := range waiting { // all leave before the order changes
		m := s.members.at(i)
		s.turns.Remove(m.turn)
		s.mostServed.Remove(m.mostServed)
	}
	for i := range s.members.places { // free places too, which does no harm
		m := &s.members.places[i].e
		var ok bool
		if m.served, ok = m.served.plus(-begin); !ok {
			m.served = sum{hi: math.Copysign(math.MaxFloat64, -begin)}
		}
	}
	for _, i := range waiting {
		s.wait(i, s.members.at(i))
	}
}

// wait adds a member to those that wait.
func (s *Sharing[T]) wait(place uint32, m *shareMember[T]) {
	m.measure = s.measure(m)
	m.turn = s.turns.Push(place)
	if s.rule == ByService {
		m.mostServed = s.mostServed.Push(place)
	}
}

// begin returns, by service, the service / weight at which a joining member starts. The waiting
// members have about the same measure, and the one with the least hold shows it best.
func (s *Sharing[T]) begin() float64 {
	first, ok := s.turns.Peek()
	if !ok || s.rule != ByService {
		return s.start
	}
	most, _ := s.mostServed.Peek()
	return min(s.members.at(first).measure, s.members.at(most).served.hi)
}

// measure returns the measure of a member.
func (s *Sharing[T]) measure(m *shareMember[T]) float64 {
	switch s.rule {
	case ByUse:
		return max(0, m.use.hi+m.held.hi) / m.weight
	case ByNextUse:
		return (max(0, m.use.hi+m.held.hi) + 1) / m.weight
	}
	return m.served.hi + max(0, m.held.hi)/m.weight
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// bounded clamps x, which is not NaN, to finite numbers.
func bounded(x float64) float64 { return max(-math.MaxFloat64, min(x, math.MaxFloat64)) }

// Held returns what a member holds, and false if the handle is stale.
func (s *Sharing[T]) Held(member Handle) (held float64, ok bool) {
	m := s.members.get(member)
	if m == nil {
		return 0, false
	}
	return m.held.hi, true
}
