package central

import (
	"errors"
	"io"
	"strings"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes what the parts have learnt from jobs that have ended: of those that are a [policy.Keeper], in the order of the
// fields of [Config]. It takes as long as they take.
func (s *Scheduler) Save(w io.Writer) error { return snapshot.Save(w, s.head(), s.code) }

// Load replaces what the parts have learnt by what [Scheduler.Save] of a scheduler with the same parts has written. Call it before
// the first event. See [policy.Keeper]; the error names the field of [Config].
func (s *Scheduler) Load(r io.Reader) error {
	if s.view.round > 0 {
		return errors.New("central: Load after the first event; load what was learnt into a new scheduler")
	}
	return snapshot.Load(r, s.head(), s.code)
}

// keepers yields the parts that learn.
func (s *Scheduler) keepers(yield func(name string, part policy.Keeper) bool) {
	c := &s.config
	for _, part := range []struct {
		name string
		is   any
	}{{"Forecast", c.Forecast}, {"Turn", c.Turn}, {"Fill", c.Fill}, {"Place", c.Place}, {"Copy", c.Copy}, {"Node", c.Node}, {"CopyTurn", c.CopyTurn}} {
		if k, ok := part.is.(policy.Keeper); ok && !yield(part.name, k) {
			return
		}
	}
}

func (s *Scheduler) head() snapshot.Head {
	var names []string
	for name := range s.keepers {
		names = append(names, name)
	}
	return snapshot.Head{Kind: "central.Scheduler", Version: 1, Config: strings.Join(names, ", ")}
}

func (s *Scheduler) code(c *snapshot.Code) {
	for name, part := range s.keepers {
		c.Part(name, part.Save, part.Load)
	}
}
