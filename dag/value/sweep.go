package value

import (
	"math/bits"
	"slices"
)

// A sweep visits the dependents of a job by rank, so that each has received its full weight before
// it hands it on. It takes the next one from a set of ranks, to which it adds only greater ranks.
//
// In a chain each job reads only the one before, and is its only reader. A run goes over a chain in one step.
//
// INVARIANT between runs: words are 0.
type sweep struct {
	weight []float64 // by rank: weight received, before division by N; stale if not in the set
	words  []uint64  // the set, as bits
	at     int       // index in words; the words before it are 0
	end    int       // index in words; the words after it are 0

	reached []uint32  // by hop: ranks, increasing
	lengths []uint32  // by run: from each of them on, how many jobs of its chain
	found   []float64 // the weight of each
}

func newSweep(n int) sweep {
	return sweep{weight: make([]float64, n), words: make([]uint64, (n+63)/64)}
}

// run finds the dependents with a rank below limit of the job of rank r, which gets weight w. Jobs
// with a weight below least hand on nothing.
func (s *sweep) run(l *history, r, limit uint32, least, w float64) {
	s.begin(r, limit)
	if s.lengths = s.lengths[:0]; w < least {
		s.reach(r, 1, w)
		s.handOn(l, r, limit, w)
	} else {
		s.chain(l, r, limit, w)
	}
	for {
		r, ok := s.next()
		if !ok {
			return
		}
		w := s.weight[r] / l.fan[r]
		if w < least {
			s.reach(r, 1, w)
		} else {
			s.chain(l, r, limit, w)
		}
	}
}

// chain reaches a job and those after it in its chain, whose weight is the same.
func (s *sweep) chain(l *history, r, limit uint32, w float64) {
	chain := l.chain[l.at[r]:l.ends[r]]
	n, _ := slices.BinarySearch(chain, limit)
	s.reach(r, max(1, n), w)
	if n == len(chain) {
		s.handOn(l, chain[n-1], limit, w)
	}
}

func (s *sweep) reach(r uint32, n int, w float64) {
	s.reached, s.lengths, s.found = append(s.reached, r), append(s.lengths, uint32(n)), append(s.found, w)
}

// begin starts a sweep with the job of rank r.
func (s *sweep) begin(r, limit uint32) {
	s.reached, s.found = s.reached[:0], s.found[:0]
	s.at, s.end = int(r>>6), int(limit>>6)
}

// hop replaces the jobs found by their direct dependents with a rank below limit. first is the rank
// with which the sweep began.
func (s *sweep) hop(l *history, first, limit uint32) {
	for i, r := range s.reached {
		s.handOn(l, r, limit, s.found[i])
	}
	s.reached, s.found = s.reached[:0], s.found[:0]
	s.at = int(first >> 6)
	for {
		r, ok := s.next()
		if !ok {
			return
		}
		s.reached, s.found = append(s.reached, r), append(s.found, s.weight[r]/l.fan[r])
	}
}

// handOn gives weight w to the direct dependents of the job of rank r below limit.
func (s *sweep) handOn(l *history, r, limit uint32, w float64) {
	for _, d := range l.readers(r) {
		if d >= limit {
			break // ranks increase
		}
		i, bit := d>>6, uint64(1)<<(d&63)
		if s.words[i]&bit == 0 {
			s.words[i] |= bit
			s.weight[d] = w
		} else {
			s.weight[d] += w
		}
	}
}

// next removes the least rank from the set.
func (s *sweep) next() (r uint32, ok bool) {
	for ; s.at <= s.end && s.at < len(s.words); s.at++ {
		if word := s.words[s.at]; word != 0 {
			s.words[s.at] &= word - 1
			return uint32(s.at<<6 + bits.TrailingZeros64(word)), true
		}
	}
	return 0, false
}
