package sim

import (
	"example.com/augur/policy"
)

// A slab holds values that come and go, each at a fixed place. It grows by pages, so a pointer to a value stays valid
// as long as the value is there, and growing needs no spare room. The zero slab is empty.
type slab[T any] struct {
	pages []*[slabPage]T
	free  []int32 // places to be used again
	end   int32   // places below have been used
}

const slabPage = 512

// at returns the value at a place.
func (s *slab[T]) at(place int32) *T {
	return &s.pages[uint32(place)/slabPage][uint32(place)%slabPage]
}

// take returns a place for a value, which is zero.
func (s *slab[T]) take() int32 {
	if n := len(s.free); n > 0 {
		place := s.free[n-1]
		s.free = s.free[:n-1]
		return place
	}
	if int(s.end) == len(s.pages)*slabPage {
		s.pages = append(s.pages, new([slabPage]T))
	}
	s.end++
	return s.end - 1
}

// drop frees a place.
func (s *slab[T]) drop(place int32) {
	var zero T
	*s.at(place) = zero
	s.free = append(s.free, place)
}

// outcomes keeps the outcome of each job forever, a byte for each, in pages, so that one large ID does not take the
// memory of all smaller ones. The zero outcomes is empty.
type outcomes []*[outcomePage]policy.Outcome

const outcomePage = 4096

// of returns the outcome of a job, 0 if it has not ended.
func (o outcomes) of(id policy.JobID) policy.Outcome {
	if k := int(id / outcomePage); k < len(o) && o[k] != nil {
		return o[k][id%outcomePage]
	}
	return 0
}

// set sets the outcome of a job.
func (o *outcomes) set(id policy.JobID, outcome policy.Outcome) {
	k := int(id / outcomePage)
	if k >= len(*o) {
		*o = append(*o, make(outcomes, k+1-len(*o))...)
	}
	if (*o)[k] == nil {
		(*o)[k] = new([outcomePage]policy.Outcome)
	}
	(*o)[k][id%outcomePage] = outcome
}
