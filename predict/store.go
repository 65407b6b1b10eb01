package predict

// A store holds the values, in a list from the most recently used to the least recently used. What
// is used together lies together in memory, since nearly all time is spent on cache misses.
type store struct {
	buckets []uint32        // a hash table: the first id of each chain, or 0; their number is a power of two
	chunks  []*[chunk]value // by id
	links   []link          // by id; 0 is the head: before the newest and behind the oldest
	rings   rings
	limit   int
}

// chunk is how many values, or rings, are allocated at a time.
const chunk = 256

// A link holds the neighbours of a value in the list, and the next value of its bucket, by id.
type link struct{ newer, older, next uint32 }

func newStore(c *Config) *store {
	return &store{buckets: make([]uint32, 1), limit: c.Values, links: make([]link, 1), rings: rings{size: c.Recent}}
}

func (s *store) len() int { return len(s.links) - 1 }

// at returns the value with an id, from 1 on.
func (s *store) at(id uint32) *value {
	id--
	return &s.chunks[id/chunk][id%chunk]
}

// bucket returns where the chain of a key's bucket begins. The key is a hash.
func (s *store) bucket(k key) *uint32 { return &s.buckets[k.a&uint64(len(s.buckets)-1)] }

// find returns the id of a key's value, or 0, on a chain from the given id on.
func (s *store) find(k key, id uint32) uint32 {
	for id != 0 && s.at(id).key != k {
		id = s.links[id].next
	}
	return id
}

// put adds a value to the chain of its bucket.
func (s *store) put(id uint32) {
	first := s.bucket(s.at(id).key)
	s.links[id].next, *first = *first, id
}

// lookupAll looks up all values of a job: first their buckets, so that the cache misses overlap.
func (s *store) lookupAll(k *keys) {
	for i := range k.features() {
		k.ids[i] = *s.bucket(k.of[i])
	}
	for i := range k.features() {
		k.ids[i] = s.find(k.of[i], k.ids[i])
	}
}

// use returns the value of a key and makes it the most recently used. If there is none, it makes a
// new one, and drops the least recently used one if there are too many. The given id is a hint: it
// may be 0, or belong to another key by now.
func (s *store) use(k key, id uint32) *value {
	if id == 0 || s.at(id).key != k {
		id = s.find(k, *s.bucket(k))
	}
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
		if s.len() > len(s.buckets) {
			s.buckets = make([]uint32, 2*len(s.buckets))
			for old := uint32(1); old < id; old++ {
				s.put(old)
			}
		}
		s.put(id)
	default:
		id = s.links[0].newer
		s.unlink(id)
		v := s.at(id)
		at := s.bucket(v.key)
		for *at != id {
			at = &s.links[*at].next
		}
		*at = s.links[id].next
		s.rings.free(v.ring)
		*v = value{key: k}
		s.put(id)
	}
	l, newest := &s.links[id], s.links[0].older
	l.newer, l.older = 0, newest
	s.links[newest].newer = id
	s.links[0].older = id
	return s.at(id)
}

func (s *store) unlink(id uint32) {
	l := s.links[id]
	s.links[l.newer].older = l.older
	s.links[l.older].newer = l.newer
}
