package predict

// A store holds the values by key, and in a list from the most recently used to the least recently used one.
type store struct {
	values map[key]*value
	ends   value // newer is the least recently used value, and older the most recently used one
	limit  int
}

func newStore(limit int) *store {
	s := &store{values: make(map[key]*value), limit: limit}
	s.ends.newer, s.ends.older = &s.ends, &s.ends
	return s
}

// use makes the value v of a key the most recently used, and returns it. If it is nil, use makes a
// new one, and drops the least recently used one if there are too many.
func (s *store) use(k key, v *value, feature int) *value {
	if v == nil {
		if len(s.values) == s.limit {
			s.delete(s.ends.newer)
		}
		v = &value{key: k, feature: uint8(feature)}
		s.values[k] = v
	} else {
		v.unlink()
	}
	newest := s.ends.older
	v.newer, v.older = &s.ends, newest
	newest.newer, s.ends.older = v, v
	return v
}

func (s *store) delete(v *value) {
	v.unlink()
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

func (v *value) unlink() {
	v.newer.older = v.older
	v.older.newer = v.newer
	v.newer = nil
}

// byUse returns all values, least recently used first.
func (s *store) byUse() []*value {
	list := make([]*value, 0, len(s.values))
	for v := s.ends.newer; v != &s.ends; v = v.newer {
		list = append(list, v)
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
