package estimate

import (
	"fmt"
	"io"
	"math"

	"example.com/augur/internal/snapshot"
)

// Save writes m, in 80 bytes.
func (m *Moments) Save(w io.Writer) error {
	return snapshot.Save(w, momentsHead, func(c *snapshot.Code) { m.code(c) })
}

// Load replaces m by a snapshot of [Moments.Save], with the same answers to the last bit. After an error m is as it was.
func (m *Moments) Load(r io.Reader) error {
	var next Moments
	err := snapshot.Load(r, momentsHead, next.code)
	if err == nil {
		*m = next
	}
	return err
}

var momentsHead = snapshot.Head{Kind: "estimate.Moments", Version: 1}

func (m *Moments) code(c *snapshot.Code) {
	snapshot.Int(c, &m.n)
	c.Check(m.n >= 0, "a number of values below 0")
	most := maxMoment * math.Max(1, float64(m.n))
	c.Float(&m.sum.hi, -most, most)
	c.Float(&m.sum.lo, -most, most)
	c.Float(&m.squares.hi, 0, most*maxMoment)
	c.Float(&m.squares.lo, -most*maxMoment, most*maxMoment)
}

// Save writes what s has learnt: about 200 bytes, and some 20 for each different error of each expert that has been observed.
func (s *Stacking) Save(w io.Writer) error { return snapshot.Save(w, s.head(), s.code) }

// Load replaces what s has learnt by a snapshot of [Stacking.Save], with the same answers to the last bit. It returns an error,
// and leaves s as it was, if that is of another number of experts, or damaged.
func (s *Stacking) Load(r io.Reader) error {
	next, err := NewStacking(len(s.experts))
	if err != nil {
		return err // the number is that of a Stacking
	}
	if err := snapshot.Load(r, s.head(), next.code); err != nil {
		return err
	}
	*s = *next
	return nil
}

func (s *Stacking) head() snapshot.Head {
	return snapshot.Head{Kind: "estimate.Stacking", Version: 1, Config: fmt.Sprintf("%d experts", len(s.experts))}
}

func (s *Stacking) code(c *snapshot.Code) {
	c.Floats(s.seen[:], zero, 0, math.MaxFloat64)
	c.Positive(&s.total)
	c.Positive(&s.bins)
	c.Count(&s.longest, beliefBins-1)
	c.Float(&s.sharper, -0.75, 3)
	c.Positive(&s.gradients)
	var known []int
	for i, e := range s.experts {
		if e != nil {
			known = append(known, i)
		}
	}
	last := -1
	snapshot.Slice(c, &known, len(s.experts), func(i *int) {
		c.Count(i, len(s.experts)-1)
		if c.Check(*i > last, "experts are not in order"); *i <= last {
			return
		}
		if last = *i; c.Loading() {
			s.experts[*i] = new(stackExpert)
		}
		s.experts[*i].code(c)
	})
}

// code writes the errors, and the shape that was made when some of them were not known yet: only where it has some.
func (e *stackExpert) code(c *snapshot.Code) {
	c.Floats(e.errors[:], zero, 0, math.MaxFloat64)
	c.Positive(&e.n)
	c.Positive(&e.due)
	c.Positive(&e.right)
	c.Positive(&e.prior)
	c.Float(&e.sum, stackTiny, math.MaxFloat64)
	c.Floats(e.shape[:], func(i int) float64 { return (4*normal(float64(i-beliefBins), 1) + stackTiny) / e.sum }, math.SmallestNonzeroFloat64, 1)
}

func zero(int) float64 { return 0 }
