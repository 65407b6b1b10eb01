package forecast

import (
	"fmt"
	"io"
	"math"
	"math/bits"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes what the Predictor has learnt. See [policy.Keeper].
func (h *History) Save(w io.Writer) error { return snapshot.Save(w, historyHead, h.code) }

// Load replaces what the Predictor has learnt. See [policy.Keeper].
func (h *History) Load(r io.Reader) error { return snapshot.Load(r, historyHead, h.code) }

var historyHead = snapshot.Head{Kind: "forecast.History", Version: 1}

func (h *History) code(c *snapshot.Code) {
	c.Part("Predictor", h.config.Predictor.Snapshot, h.config.Predictor.Restore)
}

// Save writes what was learned from jobs that have ended: what the Predictor has, and how much to trust it. It takes a few
// hundred kB, and what predict.Predictor.Snapshot takes, which is most of it. See [policy.Keeper].
func (b *Beliefs) Save(w io.Writer) error { return snapshot.Save(w, b.head(), b.code) }

// Load replaces what was learned. The Predictor must have the HalfLife and the Window of the one that was saved. See
// [policy.Keeper].
func (b *Beliefs) Load(r io.Reader) error {
	next := *b
	err := snapshot.Load(r, b.head(), next.code)
	if err == nil {
		next.known, next.asOf = next.learned > 0, bits.Len64(next.learned)
		*b = next
	}
	return err
}

func (b *Beliefs) head() snapshot.Head {
	config := "a Predictor"
	if b.config.Predictor == nil {
		config = "no Predictor"
	}
	return snapshot.Head{Kind: "forecast.Beliefs", Version: 1, Config: config}
}

func (b *Beliefs) code(c *snapshot.Code) {
	c.Uint(&b.learned)
	c.Positive(&b.kept)
	c.Positive(&b.exceeded)
	b.within.code(c)
	b.between.code(c)
	snapshot.Map(c, &b.features, math.MaxInt32, func(at *int) { c.Count(at, features-1) })
	c.Part("the stacking", b.stack.Save, b.stack.Load)
	if p := b.config.Predictor; p != nil {
		c.Part("Predictor", p.Snapshot, p.Restore)
	}
}

func (v *variance) code(c *snapshot.Code) {
	c.Positive(&v.squares)
	c.Positive(&v.degrees)
}

// Save writes the last two runtimes of each user. See [policy.Keeper].
func (l *lastTwo) Save(w io.Writer) error { return snapshot.Save(w, lastTwoHead, l.code) }

// Load replaces the last two runtimes of each user. See [policy.Keeper].
func (l *lastTwo) Load(r io.Reader) error {
	next := *l
	err := snapshot.Load(r, lastTwoHead, next.code)
	if err == nil {
		*l = next
	}
	return err
}

var lastTwoHead = snapshot.Head{Kind: "forecast.LastTwo", Version: 1}

func (l *lastTwo) code(c *snapshot.Code) {
	for _, users := range []*map[string]*recent{&l.users, &l.older} {
		snapshot.Map(c, users, maxUsers, func(u **recent) {
			if c.Loading() {
				*u = new(recent)
			}
			for i := range (*u).took {
				snapshot.Int(c, &(*u).took[i])
				c.Check((*u).took[i] >= 0, fmt.Sprintf("a runtime of %v", (*u).took[i]))
			}
			c.Uint(&(*u).units)
		})
	}
}

var _ = []policy.Keeper{(*History)(nil), (*Beliefs)(nil), (*lastTwo)(nil)}
