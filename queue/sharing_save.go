package queue

import (
	"fmt"
	"io"
	"math"

	"example.com/augur/internal/snapshot"
)

// Save writes what the members were charged. What they hold, and whether they wait, is not saved.
func (s *Sharing[T]) Save(w io.Writer) error { return snapshot.Save(w, s.head(), s.code) }

// Load replaces what the members were charged by a snapshot of [Sharing.Save], of a Sharing with the same rule and with members
// of the same weights, added in the same order. Nobody may wait or hold anything. After an error s is as it was.
func (s *Sharing[T]) Load(r io.Reader) error {
	next := *s
	next.members.places = append(next.members.places[:0:0], s.members.places...)
	err := snapshot.Load(r, s.head(), next.code)
	if err == nil {
		*s = next
	}
	return err
}

func (s *Sharing[T]) head() snapshot.Head {
	weights := []float64{}
	for i := range s.members.places {
		weights = append(weights, s.members.places[i].e.weight)
	}
	return snapshot.Head{Kind: "queue.Sharing", Version: 1, Config: fmt.Sprintf("rule %d and weights %v", s.rule, weights)}
}

func (s *Sharing[T]) code(c *snapshot.Code) {
	c.Uint(&s.charges)
	c.Uint(&s.shifted)
	c.Check(s.shifted <= s.charges, "more charges than there were")
	c.Float(&s.start, -math.MaxFloat64, math.MaxFloat64)
	c.Float(&s.most, -math.MaxFloat64, math.MaxFloat64)
	for i := range s.members.places {
		m := &s.members.places[i].e
		m.use.code(c)
		m.served.code(c)
		c.Uint(&m.charged)
	}
}

func (s *sum) code(c *snapshot.Code) {
	c.Float(&s.hi, -math.MaxFloat64, math.MaxFloat64)
	c.Float(&s.lo, -math.MaxFloat64, math.MaxFloat64)
}
