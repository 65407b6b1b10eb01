package kairos

import (
	"io"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes the runtimes of tasks, from which adaptive nodes know how long a job waits for an idle core. The paper's nodes
// learn nothing. See [policy.Keeper].
func (s *Nodes) Save(w io.Writer) error { return snapshot.Save(w, s.head(), s.code) }

// Load replaces the runtimes of tasks. See [policy.Keeper].
func (s *Nodes) Load(r io.Reader) error {
	if err := snapshot.Load(r, s.head(), s.code); err != nil {
		return err
	}
	s.remember()
	return nil
}

func (s *Nodes) head() snapshot.Head {
	config := "the paper's nodes"
	if s.adaptive {
		config = "adaptive nodes"
	}
	return snapshot.Head{Kind: "kairos.Nodes", Version: 1, Config: config}
}

func (s *Nodes) code(c *snapshot.Code) {
	if s.adaptive {
		c.Binary("the runtimes", s.runtimes)
	}
}

var _ policy.Keeper = (*Nodes)(nil)
