// Package slab holds what comes and goes in great numbers, in pages.
package slab

import (
	"example.com/augur/policy"
)

// A Slab holds values that come and go, each at a fixed place. It grows by pages, so a pointer to a value stays valid
// as long as the value is there, and growing needs no spare room. The zero Slab is empty.
type Slab[T any] struct {
	pages []*[page]T
	free  []int32 // places to be used again
	end   int32   // places below have been used
}

const page = 512

// At returns the value at a place.
func (s *Slab[T]) At(place int32) *T {
	return &s.pages[uint32(place)/page][uint32(place)%page]
}

// Take returns a place for a value, which is zero.
func (s *Slab[T]) Take() int32 {
	if n := len(s.free); n > 0 {
		place := s.free[n-1]
		s.free = s.free[:n-1]
		return place
	}
	if int(s.end) == len(s.pages)*page {
		s.pages = append(s.pages, new([page]T))
	}
	s.end++
	return s.end - 1
}

// End returns the number of places that have been used at one time or another: 0 to End-1.
func (s *Slab[T]) End() int32 { return s.end }

// Drop frees a place.
func (s *Slab[T]) Drop(place int32) {
	var zero T
	*s.At(place) = zero
	s.free = append(s.free, place)
}

// Outcomes keeps the outcome of each job forever, a byte for each, in pages, so that one large ID does not take the
// memory of all smaller ones. The zero Outcomes is empty.
type Outcomes []*[outcomePage]policy.Outcome

const outcomePage = 4096

// Of returns the outcome of a job, 0 if it has not ended.
func (o Outcomes) Of(id policy.JobID) policy.Outcome {
	if k := int(id / outcomePage); k < len(o) && o[k] != nil {
		return o[k][id%outcomePage]
	}
	return 0
}

// Set sets the outcome of a job.
func (o *Outcomes) Set(id policy.JobID, outcome policy.Outcome) {
	k := int(id / outcomePage)
	if k >= len(*o) {
		*o = append(*o, make(Outcomes, k+1-len(*o))...)
	}
	if (*o)[k] == nil {
		(*o)[k] = new([outcomePage]policy.Outcome)
	}
	(*o)[k][id%outcomePage] = outcome
}
