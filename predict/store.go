package predict

import "slices"

// A store holds the values by key, and in two lists, of those that were used once and of those that were used more often, each from the
// most recently used to the least recently used one. What was used once does not push out what recurs, unless that has more
// than three quarters of the places. The keys of as many dropped values as there are places are kept: what comes again after that
// recurs too, such as a job a day among thousands that come once. This is 2Q: T. Johnson and D. Shasha, "2Q: a low overhead
// high performance buffer management replacement algorithm", VLDB 1994.
type store struct {
	values map[key]*value
	ends   [2]value // newer is the least recently used value of the list, and older the most recently used one
	once   int      // length of the first list
	limit  int

	dropped map[uint64]struct{} // what was used once
	ring    []uint64            // the same; the oldest is at next once there are limit of them
	next    int
}

func newStore(limit int) *store {
	s := &store{values: make(map[key]*value), limit: limit}
	for i := range s.ends {
		s.ends[i].newer, s.ends[i].older = &s.ends[i], &s.ends[i]
	}
	return s
}

// use makes the value v of a key the most recently used of those that recur, and returns it. If it is nil, use makes a new one.
func (s *store) use(k key, v *value, feature int) *value {
	if v == nil {
		return s.add(k, uint8(feature))
	}
	s.unlink(v)
	v.feature |= often
	s.link(v)
	return v
}

// often is a bit in value.feature: it was used more than once.
const often = 0x80

// add makes a new value of a key the most recently used one of its list, and drops the least recently used one of a list if there are
// too many.
func (s *store) add(k key, feature uint8) *value {
	if len(s.values) == s.limit {
		list := &s.ends[0]
		if s.once < max(1, s.limit/4) && s.once < len(s.values) {
			list = &s.ends[1]
		}
		if v := list.newer; v.feature&often == 0 {
			s.forget(v.key.short())
		}
		s.delete(list.newer)
	}
	if _, was := s.dropped[k.short()]; was {
		feature |= often
	}
	v := &value{key: k, feature: feature}
	s.values[k] = v
	s.link(v)
	return v
}

// forget notes that what was used once was dropped.
func (s *store) forget(k uint64) {
	if s.dropped == nil {
		s.dropped = make(map[uint64]struct{})
	}
	if len(s.ring) < s.limit {
		s.ring = append(s.ring, k)
	} else {
		delete(s.dropped, s.ring[s.next])
		s.ring[s.next] = k
		s.next = (s.next + 1) % s.limit
	}
	s.dropped[k] = struct{}{}
}

// forgotten returns what forget has noted, the oldest first.
func (s *store) forgotten() []uint64 { return slices.Concat(s.ring[s.next:], s.ring[:s.next]) }

func (s *store) delete(v *value) {
	s.unlink(v)
	delete(s.values, v.key)
}

// drop deletes the values that are to go, and reports whether there were any.
func (s *store) drop(goes func(v *value) bool) (some bool) {
	for _, v := range s.values {
		if goes(v) {
			s.delete(v)
			some = true
		}
	}
	return some
}

func (s *store) link(v *value) {
	list := &s.ends[1]
	if v.feature&often == 0 {
		list = &s.ends[0]
		s.once++
	}
	newest := list.older
	v.newer, v.older = list, newest
	newest.newer, list.older = v, v
}

func (s *store) unlink(v *value) {
	v.newer.older = v.older
	v.older.newer = v.newer
	v.newer = nil
	if v.feature&often == 0 {
		s.once--
	}
}

// byUse returns all values, those that were used once first, and the least recently used first.
func (s *store) byUse() []*value {
	list := make([]*value, 0, len(s.values))
	for i := range s.ends {
		for v := s.ends[i].newer; v != &s.ends[i]; v = v.newer {
			list = append(list, v)
		}
	}
	return list
}

// value returns the value of feature i of a job, nil if it was not observed.
func (p *Predictor) value(k *keys, i int) *value {
	if k.values != nil && k.values[i] != nil && k.values[i].newer != nil {
		return k.values[i]
	}
	return p.store.values[k.of[i]]
}

// look returns a value as of now, or nil if nothing of it is in the window. If some parts have left
// the window, it returns a reduced copy, in left, and also the remaining parts.
func (v *value) look(now int64, c *Config, left *value) (*value, []part) {
	if v == nil {
		return nil, nil
	}
	parts, some := v.expired(now, c)
	switch {
	case !some:
		return v, nil
	case len(parts) == 0:
		return nil, nil
	}
	*left = v.reduced(parts)
	return left, parts
}
