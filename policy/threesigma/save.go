package threesigma

import (
	"errors"
	"io"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes what the Forecast has learnt, if that is a [policy.Keeper], and how many cycles there were, which the seed of the
// solver goes by.
func (s *Scheduler) Save(w io.Writer) error { return snapshot.Save(w, s.head(), s.code) }

// Load replaces what the Forecast has learnt. Call it before the first event. See [policy.Keeper].
func (s *Scheduler) Load(r io.Reader) error {
	if s.view.Nodes() > 0 || s.now != 0 {
		return errors.New("threesigma: Load after the first event; load what was learnt into a new Scheduler")
	}
	next := *s
	err := snapshot.Load(r, s.head(), next.code)
	if err == nil {
		s.last, s.origin, s.heard, s.next = next.last, next.origin, next.heard, next.origin
	}
	return err
}

func (s *Scheduler) head() snapshot.Head {
	config := ""
	if _, ok := s.config.Forecast.(policy.Keeper); ok {
		config = "Forecast"
	}
	return snapshot.Head{Kind: "threesigma.Scheduler", Version: 1, Config: config}
}

func (s *Scheduler) code(c *snapshot.Code) {
	c.Uint(&s.last.N)
	snapshot.Int(c, &s.origin)
	c.Bool(&s.heard)
	c.Keep("Forecast", s.config.Forecast)
}

var _ policy.Keeper = (*Scheduler)(nil)
