package hopper

import (
	"fmt"
	"io"
	"math"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes whether copies have paid. See [policy.Keeper].
func (s *Speculation) Save(w io.Writer) error { return snapshot.Save(w, s.head(), s.code) }

// Load replaces whether copies have paid. See [policy.Keeper].
func (s *Speculation) Load(r io.Reader) error {
	next := *s
	err := snapshot.Load(r, s.head(), next.code)
	if err == nil {
		*s = next
	}
	return err
}

func (s *Speculation) head() snapshot.Head {
	return snapshot.Head{Kind: "hopper.Speculation", Version: 1, Config: fmt.Sprintf("Loss %v and Period %v", s.config.Loss, s.config.Period)}
}

func (s *Speculation) code(c *snapshot.Code) {
	a := &s.account
	c.Positive(&a.worked)
	c.Positive(&a.spent)
	c.Positive(&a.saved)
	c.Count(&a.free, freeCopies)
	c.Count(&a.tasks, memoryTasks-1)
	snapshot.Int(c, &s.first)
	c.Bool(&s.heard)
}

// Save writes the tails of the groups of jobs, and the runtimes that they are fitted to. See [policy.Keeper].
func (t *turn) Save(w io.Writer) error { return snapshot.Save(w, t.head(), t.code) }

// Load replaces the tails of the groups of jobs. See [policy.Keeper].
func (t *turn) Load(r io.Reader) error {
	next := *t
	err := snapshot.Load(r, t.head(), next.code)
	if err == nil {
		*t = next
	}
	return err
}

func (t *turn) head() snapshot.Head {
	config := fmt.Sprintf("one Tail of %v", t.config.Tail)
	if t.config.Group != "" {
		config = fmt.Sprintf("Group %q and Tail %v", t.config.Group, t.config.Tail)
	}
	return snapshot.Head{Kind: "hopper.Turn", Version: 1, Config: config}
}

func (t *turn) code(c *snapshot.Code) {
	all := &t.tails
	snapshot.Int(c, &all.added)
	snapshot.Map(c, &all.groups, all.most, func(g **group) {
		if c.Loading() {
			*g = new(group)
		}
		x := *g
		snapshot.Slice(c, &x.runtimes, all.window, func(ran *float64) { c.Float(ran, math.SmallestNonzeroFloat64, math.MaxFloat64) })
		c.Count(&x.next, max(0, len(x.runtimes)-1))
		c.Count(&x.wait, max(all.enough, all.every))
		c.Float(&x.tail, math.Nextafter(1, 2), maxTail)
		snapshot.Int(c, &x.last)
	})
}

var _ = []policy.Keeper{(*Speculation)(nil), (*turn)(nil)}
