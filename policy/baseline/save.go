package baseline

import (
	"fmt"
	"io"
	"math"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes the usage of the users. See [policy.Keeper].
func (p *multifactor) Save(w io.Writer) error { return snapshot.Save(w, p.head(), p.code) }

// Load replaces the usage of the users. See [policy.Keeper].
func (p *multifactor) Load(r io.Reader) error {
	next := *p
	next.users, next.loaded = nil, true
	err := snapshot.Load(r, p.head(), next.code)
	if err == nil {
		*p = next
	}
	return err
}

func (p *multifactor) head() snapshot.Head {
	return snapshot.Head{Kind: "baseline.Multifactor", Version: 1, Config: fmt.Sprintf("a half-life of %v", p.halfLife)}
}

// code writes users in the order in which they came. What runs now has been charged for until since.
func (p *multifactor) code(c *snapshot.Code) {
	names := make([]string, len(p.users))
	for name, i := range p.byName {
		names[i] = name
	}
	snapshot.Int(c, &p.last)
	snapshot.Int(c, &p.next)
	snapshot.Slice(c, &names, math.MaxInt32, c.Text)
	if c.Loading() {
		p.users, p.byName = make([]account, len(names)), make(map[string]int32)
		for i, name := range names {
			p.byName[name] = int32(i)
		}
		c.Check(len(p.byName) == len(names), "a user is there twice")
	}
	for i := range p.users {
		u := &p.users[i]
		c.Positive(&u.usage)
		snapshot.Int(c, &u.since)
		c.Float(&u.factor, 0, 1)
	}
}

// Save writes the state of the source of random numbers, if it can be encoded. See [policy.Keeper].
func (p *random) Save(w io.Writer) error { return snapshot.Save(w, randomHead, p.code) }

// Load replaces the state of the source of random numbers. See [policy.Keeper].
func (p *random) Load(r io.Reader) error { return snapshot.Load(r, randomHead, p.code) }

var randomHead = snapshot.Head{Kind: "baseline.Random", Version: 1}

func (p *random) code(c *snapshot.Code) { c.Source(p.src) }

// Save writes which kinds of tasks have come, and how often. See [policy.Keeper].
func (p *leastFragmentation) Save(w io.Writer) error {
	return snapshot.Save(w, fragmentationHead, p.mix.code)
}

// Load replaces which kinds of tasks have come. See [policy.Keeper].
func (p *leastFragmentation) Load(r io.Reader) error {
	next := Fragmentation{MaxKinds: p.mix.MaxKinds, needing: p.mix.needing}
	err := snapshot.Load(r, fragmentationHead, next.code)
	if err == nil {
		p.mix, p.loaded = next, true
	}
	return err
}

var fragmentationHead = snapshot.Head{Kind: "baseline.LeastFragmentation", Version: 1}

func (f *Fragmentation) code(c *snapshot.Code) {
	c.Positive(&f.total)
	snapshot.Slice(c, &f.kinds, f.MaxKinds, func(k *kind) {
		cores := int(k.cores)
		c.Count(&cores, math.MaxInt32)
		k.cores = int32(cores)
		c.Positive(&k.weight)
		snapshot.Slice(c, &k.needs, math.MaxInt16, func(n *policy.Need) {
			c.Text(&n.Name)
			snapshot.Int(c, &n.Amount)
		})
		one := policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: k.cores, Needs: k.needs}}}
		c.Check(one.Validate() == nil && k.weight > 0, "a kind of task that there cannot be")
	})
}

var _ = []policy.Keeper{(*multifactor)(nil), (*random)(nil), (*leastFragmentation)(nil)}
