package predict

// A store holds the values, in a list from the most recently used to the least recently used. What
// is used together lies together in memory, since nearly all time is spent on cache misses.
type store struct {
	index  index
	chunks []*[chunk]value // by id
	links  []link          // by id; 0 is the head: before the newest and behind the oldest
	rings  rings
	limit  int
}

// chunk is how many values, or rings, are allocated at a time.
const chunk = 256

// A link holds the neighbours of a value in the list, by id.
type link struct{ newer, older uint32 }

func newStore(c *Config) *store {
	return &store{limit: c.Values, links: make([]link, 1), rings: rings{size: c.Recent}}
}

func (s *store) len() int { return len(s.links) - 1 }

// at returns the value with an id, from 1 on.
func (s *store) at(id uint32) *value {
	id--
	return &s.chunks[id/chunk][id%chunk]
}

// lookup returns the id of a key's value, or 0.
func (s *store) lookup(k key) uint32 {
	for i, id := s.index.first(k); id != 0; i, id = s.index.next(k, i) {
		if s.at(id).key == k {
			return id
		}
	}
	return 0
}

// lookupAll looks up all values of a job. It takes each step for all of them before the next step, so
// that their cache misses overlap.
func (s *store) lookupAll(k *keys) {
	if s.len() == 0 {
		return
	}
	sum := uint64(0)
	for i := range k.features() {
		sum += s.index.slots[s.index.home(tag(k.of[i]))]
	}
	k.fetched = sum
	for i := range k.features() {
		_, k.ids[i] = s.index.first(k.of[i])
	}
	for i := range k.features() {
		if id := k.ids[i]; id != 0 && s.at(id).key != k.of[i] {
			k.ids[i] = s.lookup(k.of[i])
		}
	}
}

// use returns the value of a key and makes it the most recently used. If there is none, it makes a
// new one, and drops the least recently used one if there are too many. The given id is a hint: it
// may be 0, or belong to another key by now.
func (s *store) use(k key, id uint32) *value {
	if id == 0 || s.at(id).key != k {
		id = s.lookup(k)
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
		s.index.add(k, id)
	default:
		id = s.links[0].newer
		s.unlink(id)
		v := s.at(id)
		s.index.remove(v.key, id)
		s.rings.free(v.ring)
		*v = value{key: k}
		s.index.add(k, id)
	}
	newest := s.links[0].older
	s.links[id] = link{newer: 0, older: newest}
	s.links[newest].newer = id
	s.links[0].older = id
	return s.at(id)
}

func (s *store) unlink(id uint32) {
	l := s.links[id]
	s.links[l.newer].older = l.older
	s.links[l.older].newer = l.newer
}
