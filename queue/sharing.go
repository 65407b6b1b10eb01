package queue

import (
	"fmt"
	"math"
)

// A ShareRule says what the members of a [Sharing] share, and by which measure the next
// slot goes to one of them.
type ShareRule uint8

const (
	// ByService shares slots over time. The measure of a member is the service charged to it
	// so far, by its weight; what is charged is never taken back, except to correct it. A
	// member that joins begins at the least measure of those that wait, so that it hoards no
	// credit while it has nothing to do; what it has had in excess it still owes.
	//
	// No member starves. While a member of weight w waits, from when it joins or has had its
	// turn until its next turn, each other member j is charged for its turns at most
	//
	//	(w_j/w)·c + C_j
	//
	// if nothing is taken back and weights stay, where c is what the member was charged since it
	// was last next, corrections for earlier turns among it (0 if it was never next or charged),
	// and C_j is the largest charge for a turn of j. What is charged to j besides, to correct
	// earlier turns, only makes its turns fewer. So if all charges are equal, j has at most
	// ⌊w_j/w⌋+1 turns meanwhile.
	//
	// A measure is a sum of charges by weight in float64. Beside one 10^15 times larger than
	// they are, further charges are lost and weights mean nothing.
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
// that of a [ShareRule]; of equal ones, the member goes first for which it is longer ago
// that it joined or was charged.
//
// A new member does not wait. Call [Sharing.Join] when it has something to start, and
// [Sharing.Leave] when it has nothing more. When a member takes a slot, charge it with
// [Sharing.Charge]: by use, 1 when the slot is taken and -1 when it is returned; by service,
// what the slot is expected to give, such as a mean runtime, or 1 to count slots only, and
// when it is returned the difference to what it gave. Without a charge at once, all slots
// that are free at that instant would go to one member; charge before Leave, so that those
// who join later do not begin below what the last one had. Since Next returns the element
// and all else wants its handle, let T be a pointer to what keeps the handle, or an index.
//
// A change takes time logarithmic in the number of members, and all else constant time. Only
// Add allocates, when there are more members than ever. The zero Sharing is not
// usable; make one with [NewSharing].
//
// # Source
//
// ByService is start-time fair queueing in another guise: P. Goyal, H. Vin and H. Cheng,
// "Start-time fair queueing: a scheduling algorithm for integrated services packet switching
// networks", SIGCOMM 1996, with slots for packets. Weighted sharing of queues of jobs:
// A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
// cluster job scheduling", NSDI 2022, section 5.1.
type Sharing[T any] struct {
	rule    ShareRule
	members table[shareMember[T]]
	turns   tournament // of those that wait, by place
	waiting int
	charges uint64  // and joins so far
	start   float64 // measure of the last member that waited
}

type shareMember[T any] struct {
	x       T
	weight  float64
	use     float64
	measure float64
	charged uint64 // number of the last charge or join
	waits   bool
}

// NewSharing returns a Sharing without members. The error is about a rule that there is not.
func NewSharing[T any](rule ShareRule) (*Sharing[T], error) {
	if rule > ByNextUse {
		return nil, fmt.Errorf("queue: ShareRule is %d, want ByService, ByUse or ByNextUse", rule)
	}
	return &Sharing[T]{rule: rule}, nil
}

// Add adds a member, which does not wait and has no use. The error says that the weight is
// not a finite number above 0.
func (s *Sharing[T]) Add(x T, weight float64) (Handle, error) {
	if !goodWeight(weight) {
		return Handle{}, fmt.Errorf("queue: weight is %v, want a finite number above 0", weight)
	}
	m := shareMember[T]{x: x, weight: weight}
	if s.rule == ByService {
		m.measure = s.least()
	} else {
		m.measure = s.measure(&m)
	}
	handle := s.members.add(m)
	s.turns.reserve(len(s.members.places))
	return handle, nil
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
	if m.waits {
		return true
	}
	if s.rule == ByService {
		m.measure = max(m.measure, s.least())
	}
	s.charges++
	m.charged = s.charges
	m.waits = true
	s.waiting++
	s.turns.set(member.slot, m.measure, m.charged)
	return true
}

// Leave says that a member has nothing more to start. The result is false if it did not
// wait.
func (s *Sharing[T]) Leave(member Handle) bool {
	m := s.members.get(member)
	if m == nil || !m.waits {
		return false
	}
	m.waits = false
	s.waiting--
	s.turns.drop(member.slot)
	if s.waiting == 0 {
		s.start = m.measure
	}
	return true
}

// Next returns the member whose turn it is, and false if none waits. It changes nothing: the
// turn passes on by [Sharing.Charge].
func (s *Sharing[T]) Next() (x T, ok bool) {
	first, ok := s.turns.first()
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
	use, measure := m.use+amount, m.measure+amount/m.weight
	if !finite(use) || s.rule == ByService && !finite(measure) {
		return false
	}
	m.use = use
	if s.rule == ByService {
		m.measure = measure
	} else {
		m.measure = s.measure(m)
	}
	if amount > 0 {
		s.charges++
		m.charged = s.charges
	}
	if m.waits {
		s.turns.set(member.slot, m.measure, m.charged)
	}
	return true
}

// SetWeight gives a member another weight. By service, this concerns what is charged from
// now on; by use, also what is in use. If the handle is stale, or the weight is not a finite
// number above 0, nothing changes and the result is false.
func (s *Sharing[T]) SetWeight(member Handle, weight float64) bool {
	m := s.members.get(member)
	if m == nil || !goodWeight(weight) {
		return false
	}
	m.weight = weight
	if s.rule != ByService {
		m.measure = s.measure(m)
		if m.waits {
			s.turns.set(member.slot, m.measure, m.charged)
		}
	}
	return true
}

// least returns the measure from which a member begins that joins now.
func (s *Sharing[T]) least() float64 {
	if first, ok := s.turns.first(); ok {
		return s.members.at(first).measure
	}
	return s.start
}

// measure returns the measure of a member by use.
func (s *Sharing[T]) measure(m *shareMember[T]) float64 {
	use := max(0, m.use)
	if s.rule == ByNextUse {
		use++
	}
	return use / m.weight
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Len returns the number of members.
func (s *Sharing[T]) Len() int { return s.members.n }

// Waiting returns the number of members that wait.
func (s *Sharing[T]) Waiting() int { return s.waiting }

// Get returns the member that a handle names, and false if the handle is stale.
func (s *Sharing[T]) Get(member Handle) (x T, ok bool) {
	m := s.members.get(member)
	if m == nil {
		return x, false
	}
	return m.x, true
}

// Use returns what a member was charged in all, and false if the handle is stale.
func (s *Sharing[T]) Use(member Handle) (use float64, ok bool) {
	m := s.members.get(member)
	if m == nil {
		return 0, false
	}
	return m.use, true
}
