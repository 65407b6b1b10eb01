package predict

import "sync"

// A shard holds part of the values, in a list from the newest used to the oldest.
//
// Each call of a shard is for one value, so that jobs that have a feature's value in common
// wait for each other only as long as it takes to read or to change that value. Most of that
// time is spent waiting for memory, so what is used together lies together, and what changes
// places, the list, is kept where it takes little room.
type shard struct {
	mu      sync.Mutex
	index   index
	chunks  []*[chunk]value // by id
	links   []link          // by id; 0 is the head: before the newest and behind the oldest
	rings   rings
	limit   int
	dropped uint64
	_       [64]byte // keep locks apart in the cache
}

// chunk is how many values, or rings, are allocated at a time.
const chunk = 16

// A link holds the neighbours of a value in the list, by id.
type link struct{ newer, older uint32 }

func (s *shard) init(limit, recent int) {
	s.limit = limit
	s.links = make([]link, 1)
	s.rings.size = recent
}

func (s *shard) len() int { return len(s.links) - 1 }

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
	switch {
	case id != 0:
		if s.links[0].older == id {
			return s.at(id)
		}
		s.unlink(id)
	case s.len() < s.limit:
		s.links = append(s.links, link{})
		id = uint32(s.len())
		if id%chunk == 1 {
			s.chunks = append(s.chunks, new([chunk]value))
		}
		s.at(id).key = k
		s.index.add(k, id)
	default:
		id = s.links[0].newer
		s.unlink(id)
		v := s.at(id)
		s.index.remove(v.key, id)
		s.rings.free(v.ring)
		s.dropped++
		*v = value{key: k}
		s.index.add(k, id)
	}
	newest := s.links[0].older
	s.links[id] = link{newer: 0, older: newest}
	s.links[newest].newer = id
	s.links[0].older = id
	return s.at(id)
}

func (s *shard) unlink(id uint32) {
	l := s.links[id]
	s.links[l.newer].older = l.older
	s.links[l.older].newer = l.newer
}
