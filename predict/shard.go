package predict

import "sync"

// A shard holds part of the values, in a list from the newest used to the oldest.
//
// Each call of a shard is for one value, so that jobs that have a feature's value in common
// wait for each other only as long as it takes to read or to change that value.
type shard struct {
	mu      sync.RWMutex
	values  map[key]*value
	list    value // its older is the newest value, its newer the oldest
	limit   int
	dropped uint64
	_       [64]byte // keep locks apart in the cache
}

func (s *shard) init(limit int) {
	s.values = make(map[key]*value)
	s.limit = limit
	s.dropped = 0
	s.list.newer, s.list.older = &s.list, &s.list
}

// use returns the value of a key as the newest; if there is none, it makes one, and drops the
// oldest if there are too many.
func (s *shard) use(k key) *value {
	v := s.values[k]
	if v != nil {
		if s.list.older == v {
			return v
		}
		v.unlink()
	} else {
		if len(s.values) == s.limit {
			oldest := s.list.newer
			oldest.unlink()
			delete(s.values, oldest.key)
			s.dropped++
		}
		v = &value{key: k}
		s.values[k] = v
	}
	v.newer, v.older = &s.list, s.list.older
	v.newer.older, v.older.newer = v, v
	return v
}

func (v *value) unlink() {
	v.newer.older, v.older.newer = v.older, v.newer
}
