package value

import "sync/atomic"

// Live holds the store in use. Any number of goroutines may read it while another one replaces it:
// none of them waits, and each sees either the old store or the new one, whole. So do several
// lookups that belong together on what one Load has returned. The zero Live holds a store that knows
// nothing. It must not be copied.
type Live struct{ p atomic.Pointer[Store] }

// Load returns the store in use, never nil.
func (l *Live) Load() *Store {
	if s := l.p.Load(); s != nil {
		return s
	}
	return &nothing
}

// Swap puts s into use, nil meaning a store that knows nothing, and returns the one before, never
// nil.
func (l *Live) Swap(s *Store) *Store {
	if old := l.p.Swap(s); old != nil {
		return old
	}
	return &nothing
}

var nothing Store

// Aggregate returns the value per compute time of jobs with all that depends on them, as
// [Store.Priority] of the store in use: what Wing-Agg goes by.
func (l *Live) Aggregate(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Priority(template, user)
	return s.Efficiency, ok
}

// Direct is like Aggregate, but of the job alone, as [Store.Direct]: what Wing-Direct goes by.
func (l *Live) Direct(template, user string) (efficiency float64, ok bool) {
	s, ok := l.Load().Direct(template, user)
	return s.Efficiency, ok
}
