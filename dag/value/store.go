package value

import "sync/atomic"

// A Store holds the values of past jobs, by template for recurring jobs and by user for ad-hoc jobs: Wing's WingStore. Build
// it from the records of a log, and build a new one every week or so, since dependencies change slowly. It is immutable, and
// so safe for concurrent use; [Live] replaces a store in use. The zero Store is empty.
//
// # Source
//
// Wing, sections 4.1 and 5.
type Store struct {
	templates, users map[string]Profile
}

// Priority returns the aggregate worth of past jobs like one of the given template and user. Its Efficiency is Wing-Agg's
// priority. If the template is recurring, its jobs count, and otherwise the ad-hoc jobs of the user. Priority returns false
// if the worth of none of them is known; it does not fall back from a recurring template to its user. It takes one or two
// map look-ups and allocates nothing.
//
// # Source
//
// Wing, section 5.
func (s *Store) Priority(template, user string) (Summary, bool) {
	p, ok := s.lookup(template, user)
	return p.Aggregate, ok
}

// Direct is like Priority, but without dependents: Wing-Direct of section 7.2.
func (s *Store) Direct(template, user string) (Summary, bool) {
	p, ok := s.lookup(template, user)
	return p.Own, ok
}

func (s *Store) lookup(template, user string) (Profile, bool) {
	p, ok := s.templates[template]
	if !ok {
		p = s.users[user]
	}
	return p, p.Valid > 0
}

// Live holds the store in use. Any number of goroutines may read it while another one replaces it.
// No reader waits, and each sees either the old store or the new one. Make look-ups that belong
// together on the result of one Load. The zero Live holds an empty store. A Live must not be copied.
type Live struct{ p atomic.Pointer[Store] }

// Load returns the store in use, never nil.
func (l *Live) Load() *Store {
	if s := l.p.Load(); s != nil {
		return s
	}
	return &nothing
}

// Swap puts s into use and returns the store used before, never nil. A nil s means an empty store.
func (l *Live) Swap(s *Store) *Store {
	if old := l.p.Swap(s); old != nil {
		return old
	}
	return &nothing
}

var nothing Store

// Priority returns the Efficiency of [Store.Priority] of the store in use, the priority of Wing-Agg.
func (l *Live) Priority(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Priority(template, user)
	return s.Efficiency, ok
}

// Direct returns the Efficiency of [Store.Direct] of the store in use, the priority of Wing-Direct.
func (l *Live) Direct(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Direct(template, user)
	return s.Efficiency, ok
}
