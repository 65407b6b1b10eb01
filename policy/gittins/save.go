package gittins

import (
	"io"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes how many jobs have come and how fast cores have been freed. What is known of runtimes is the Forecast's. See
// [policy.Keeper].
func (t *Turn) Save(w io.Writer) error { return snapshot.Save(w, turnHead, t.code) }

// Load replaces how many jobs have come and how fast cores have been freed. See [policy.Keeper].
func (t *Turn) Load(r io.Reader) error {
	next := *t
	err := snapshot.Load(r, turnHead, next.code)
	if err == nil {
		*t = next
	}
	return err
}

var turnHead = snapshot.Head{Kind: "gittins.Turn", Version: 1}

func (t *Turn) code(c *snapshot.Code) {
	c.Positive(&t.number)
	snapshot.Int(c, &t.begun)
	c.Positive(&t.freed)
	c.Bool(&t.explored)
}

var _ policy.Keeper = (*Turn)(nil)
