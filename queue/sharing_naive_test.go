package queue

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// A naiveSharing looks at all members for the next one.
type naiveSharing struct {
	rule    ShareRule
	members []*naiveMember
	charges int
	start   float64
	most    float64
}

type naiveMember struct {
	id                int
	handle            Handle
	weight            float64
	use, held, served sum
	waits, removed    bool
	charged           int
}

func (s *naiveSharing) waiting() []*naiveMember {
	var waiting []*naiveMember
	for _, m := range s.members {
		if m.waits {
			waiting = append(waiting, m)
		}
	}
	slices.SortFunc(waiting, func(a, b *naiveMember) int {
		return cmp.Or(cmp.Compare(s.measure(a), s.measure(b)), cmp.Compare(a.charged, b.charged))
	})
	return waiting
}

func (s *naiveSharing) measure(m *naiveMember) float64 {
	switch s.rule {
	case ByUse:
		return max(0, m.use.hi+m.held.hi) / m.weight
	case ByNextUse:
		return (max(0, m.use.hi+m.held.hi) + 1) / m.weight
	}
	return m.served.hi + max(0, m.held.hi)/m.weight
}

func (s *naiveSharing) begin() float64 {
	begin := s.start
	for i, m := range s.waiting() {
		if i == 0 {
			begin = m.served.hi
		}
		begin = max(begin, m.served.hi)
	}
	if waiting := s.waiting(); len(waiting) > 0 {
		begin = min(begin, s.measure(waiting[0]))
	}
	return begin
}

func (s *naiveSharing) leave(m *naiveMember) {
	if m.waits {
		m.waits = false
		if len(s.waiting()) == 0 {
			s.start = m.served.hi
		}
	}
}

// sharingTrial does what data says to a Sharing and to a naive one.
func sharingTrial(rule ShareRule, data []byte) (err error) {
	fast, _ := NewSharing[int](rule)
	naive := &naiveSharing{rule: rule}
	for step := 0; len(data) >= 3; step, data = step+1, data[3:] {
		op, which, arg := data[0]%8, int(data[1]), data[2]
		if op == 0 || len(naive.members) == 0 {
			m := &naiveMember{id: len(naive.members), weight: 0.5 + float64(arg%8), served: sum{hi: naive.begin()}}
			if m.handle, err = fast.Add(m.id, m.weight); err != nil {
				return err
			}
			naive.members = append(naive.members, m)
			continue
		}
		m := naive.members[which%len(naive.members)]
		want, got := !m.removed, false
		switch op {
		case 1, 2:
			got = fast.Join(m.handle)
			if want && !m.waits {
				if begin := naive.begin(); m.served.hi < begin {
					m.served = sum{hi: begin}
				}
				naive.charges++
				m.waits, m.charged = true, naive.charges
			}
		case 3:
			want = m.waits
			got = fast.Leave(m.handle)
			naive.leave(m)
		case 4:
			if which%4 != 0 { // rarely
				continue
			}
			var x int
			if x, got = fast.Remove(m.handle); got && x != m.id {
				return fmt.Errorf("step %d: removed member %d, want %d", step, x, m.id)
			}
			naive.leave(m)
			m.removed = true
		case 7:
			got = want
			if arg%3 == 1 {
				fast = fast.Clone() // which is as good
			}
			if arg%3 == 2 {
				if err := fast.SetWeight(m.handle, 0.5+float64(arg%8)); err != nil {
					return err
				}
				m.weight = 0.5 + float64(arg%8)
				continue
			}
			fast.EndBusyPeriod()
			if len(naive.waiting()) == 0 {
				naive.start = max(naive.start, naive.most)
			}
		case 5, 6:
			if waiting := naive.waiting(); op == 5 && len(waiting) > 0 {
				m, want = waiting[0], true
			}
			amount := float64(int8(arg)) / 10
			if arg%3 == 0 {
				got = fast.Hold(m.handle, amount)
			} else {
				got = fast.Charge(m.handle, amount)
			}
			if want {
				if arg%3 == 0 {
					m.held, _ = m.held.plus(amount)
				} else {
					m.use, _ = m.use.plus(amount)
					m.served, _ = m.served.plus(amount / m.weight)
					naive.most = max(naive.most, m.served.hi)
				}
				if amount > 0 {
					naive.charges++
					m.charged = naive.charges
				}
			}
		}
		if got != want {
			return fmt.Errorf("step %d, op %d of member %d: got %v, want %v", step, op, m.id, got, want)
		}
		if err := naive.check(fast); err != nil {
			return fmt.Errorf("after step %d, op %d of member %d: %w", step, op, m.id, err)
		}
	}
	return nil
}

func (s *naiveSharing) check(fast *Sharing[int]) error {
	n := 0
	for _, m := range s.members {
		held, ok := fast.Held(m.handle)
		if ok == m.removed || ok && (held != m.held.hi || fast.members.get(m.handle).use != m.use) {
			return fmt.Errorf("member %d: got held %v, %v, want use %v, held %v, removed %v", m.id, held, ok, m.use, m.held, m.removed)
		}
		settled := ok && !m.waits && m.held.hi <= 0 && m.use.hi <= 0
		if s.rule == ByService {
			settled = ok && !m.waits && m.held.hi <= 0 && m.served.hi <= s.begin()
		}
		if got := fast.Settled(m.handle); got != settled {
			return fmt.Errorf("member %d: got settled %v, want %v", m.id, got, settled)
		}
		if ok {
			n++
		}
	}
	waiting := s.waiting()
	if fast.members.n != n || fast.turns.Len() != len(waiting) {
		return fmt.Errorf("got %d members of which %d wait, want %d and %d", fast.members.n, fast.turns.Len(), n, len(waiting))
	}
	if next, ok := fast.Next(); ok != (len(waiting) > 0) || ok && next != waiting[0].id {
		return fmt.Errorf("next: got %d, %v, want the first of %d", next, ok, len(waiting))
	}
	return nil
}

var shareRules = []ShareRule{ByService, ByUse, ByNextUse}

func FuzzSharing(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 0, 3, 1, 0, 0, 1, 1, 0, 6, 0, 5, 6, 0, 5, 3, 0, 0, 3, 1, 0, 1, 1, 0})
	addRandom(f, 100, 400, 3)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, rule := range shareRules {
			if err := sharingTrial(rule, data[:min(len(data), 1200)]); err != nil {
				t.Fatalf("rule %d: %v", rule, err)
			}
		}
	})
}
