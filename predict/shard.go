package predict

import (
	"cmp"
	"slices"
	"sync"
)

// A shard holds part of the values.
//
// Each call of a shard is for one value, so that jobs that have a feature's value in common
// wait for each other only as long as it takes to read or to change that value. Most of that
// time is spent waiting for memory, so what is used together lies together, and a value's use
// is noted in one place only: those of its neighbours in a list would be three more.
type shard struct {
	mu      sync.Mutex
	index   index
	chunks  []*[chunk]value // by id
	used    []uint64        // by id: when it was last used, on the clock
	clock   uint64
	oldest  []use // the values as they were when last sorted, the oldest first
	next    int   // in oldest; those before it have been dropped, or used since
	rings   rings
	limit   int
	dropped uint64
	_       [64]byte // keep locks apart in the cache
}

// chunk is how many values, or rings, are allocated at a time.
const chunk = 16

// A use says when a value was last used.
type use struct {
	at uint64
	id uint32
}

func (s *shard) init(limit, recent int) {
	s.limit = limit
	s.used = make([]uint64, 1)
	s.rings.size = recent
}

func (s *shard) len() int { return len(s.used) - 1 }

// at returns the value with an id, from 1 on.
func (s *shard) at(id uint32) *value {
	id--
	return &s.chunks[id/chunk][id%chunk]
}

// find returns the value of a key, or nil.
func (s *shard) find(k key) *value {
	if id := s.lookup(k); id != 0 {
		return s.at(id)
	}
	return nil
}

// lookup returns the id of a key's value, or 0.
func (s *shard) lookup(k key) uint32 {
	for i, id := s.index.first(k); id != 0; i, id = s.index.next(k, i) {
		if s.at(id).key == k {
			return id
		}
	}
	return 0
}

// use returns the value of a key as the newest; if there is none, it makes one, and drops the
// oldest if there are too many.
func (s *shard) use(k key) *value {
	id := s.lookup(k)
	if id == 0 {
		if s.len() < s.limit {
			s.used = append(s.used, 0)
			id = uint32(s.len())
			if id%chunk == 1 {
				s.chunks = append(s.chunks, new([chunk]value))
			}
		} else {
			id = s.drop()
		}
		s.at(id).key = k
		s.index.add(k, id)
	}
	s.clock++
	s.used[id] = s.clock
	return s.at(id)
}

// drop drops the value that was used the longest ago, and returns its id. Those not used since
// the values were last sorted are older than the others, and in order.
func (s *shard) drop() uint32 {
	for {
		for s.next < len(s.oldest) {
			u := s.oldest[s.next]
			s.next++
			if s.used[u.id] == u.at {
				v := s.at(u.id)
				s.index.remove(v.key, u.id)
				s.rings.free(v.ring)
				*v = value{}
				s.dropped++
				return u.id
			}
		}
		s.oldest, s.next = s.byUse(s.oldest[:0]), 0
	}
}

// byUse appends all values, the oldest first.
func (s *shard) byUse(uses []use) []use {
	for id := 1; id < len(s.used); id++ {
		uses = append(uses, use{s.used[id], uint32(id)})
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(a.at, b.at) })
	return uses
}
