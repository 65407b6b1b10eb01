package slearn

import (
	"fmt"
	"io"

	"example.com/augur/internal/snapshot"
	"example.com/augur/policy"
)

// Save writes what the Estimator has learnt, if that is a [policy.Keeper], as those of this package are.
func (f *Forecast) Save(w io.Writer) error { return snapshot.Save(w, f.head(), f.code) }

// Load replaces what the Estimator has learnt. See [policy.Keeper].
func (f *Forecast) Load(r io.Reader) error { return snapshot.Load(r, f.head(), f.code) }

func (f *Forecast) head() snapshot.Head {
	return snapshot.Head{Kind: "slearn.Forecast", Version: 1, Config: fmt.Sprintf("a %T", f.estimator)}
}

func (f *Forecast) code(c *snapshot.Code) { c.Keep("Estimator", f.estimator) }

// Save writes how jobs with each ratio have done, and the state of the source of random numbers, if it can be encoded. See
// [policy.Keeper].
func (s *Sampling) Save(w io.Writer) error { return snapshot.Save(w, s.head(), s.code) }

// Load replaces how jobs with each ratio have done. See [policy.Keeper].
func (s *Sampling) Load(r io.Reader) error {
	next := *s
	if s.ratio != nil {
		next.ratio = &adaptive{window: s.ratio.window}
	}
	err := snapshot.Load(r, s.head(), next.code)
	if err == nil {
		s.ratio = next.ratio
	}
	return err
}

func (s *Sampling) head() snapshot.Head {
	config := fmt.Sprintf("Ratio %v", s.config.Ratio)
	if s.ratio != nil {
		config = "a Ratio that adapts"
	}
	return snapshot.Head{Kind: "slearn.Sampling", Version: 1, Config: config}
}

func (s *Sampling) code(c *snapshot.Code) {
	if a := s.ratio; a != nil {
		c.Count(&a.jobs, 3*a.window)
		for i := range a.scores {
			snapshot.Slice(c, &a.scores[i], a.window, c.Positive)
		}
	}
	c.Source(s.config.Src)
}

// Save writes what the Predictor has learnt. See [policy.Keeper].
func (h *History) Save(w io.Writer) error { return snapshot.Save(w, h.head(), h.code) }

// Load replaces what the Predictor has learnt. See [policy.Keeper].
func (h *History) Load(r io.Reader) error { return snapshot.Load(r, h.head(), h.code) }

func (h *History) head() snapshot.Head {
	return snapshot.Head{Kind: "slearn.History", Version: 1, Config: fmt.Sprintf("Total %v and Stages %v", h.config.Total, h.config.Stages)}
}

func (h *History) code(c *snapshot.Code) {
	c.Part("Predictor", h.config.Predictor.Snapshot, h.config.Predictor.Restore)
}

// Save writes what the Sampling and both predictors have learnt. See [policy.Keeper].
func (h *Hybrid) Save(w io.Writer) error { return snapshot.Save(w, hybridHead, h.code) }

// Load replaces what the Sampling and both predictors have learnt. See [policy.Keeper].
func (h *Hybrid) Load(r io.Reader) error { return snapshot.Load(r, hybridHead, h.code) }

var hybridHead = snapshot.Head{Kind: "slearn.Hybrid", Version: 1}

func (h *Hybrid) code(c *snapshot.Code) {
	c.Keep("Sampling", h.sampling)
	c.Part("Means", h.config.Means.Snapshot, h.config.Means.Restore)
	c.Part("Spreads", h.config.Spreads.Snapshot, h.config.Spreads.Restore)
}

// Save writes what the Sampling and the History have learnt, and how much both have erred. See [policy.Keeper].
func (c *Chooser) Save(w io.Writer) error { return snapshot.Save(w, chooserHead, c.code) }

// Load replaces what the Sampling and the History have learnt, and how much both have erred. See [policy.Keeper].
func (c *Chooser) Load(r io.Reader) error { return snapshot.Load(r, chooserHead, c.code) }

var chooserHead = snapshot.Head{Kind: "slearn.Chooser", Version: 1}

func (c *Chooser) code(s *snapshot.Code) {
	s.Keep("Sampling", c.sampling)
	s.Keep("History", c.config.History)
	s.Part("SamplingErrors", c.config.SamplingErrors.Snapshot, c.config.SamplingErrors.Restore)
	s.Part("HistoryErrors", c.config.HistoryErrors.Snapshot, c.config.HistoryErrors.Restore)
}

// Save writes what the Sampling and the History have learnt. See [policy.Keeper].
func (d *DAG) Save(w io.Writer) error { return snapshot.Save(w, dagHead, d.code) }

// Load replaces what the Sampling and the History have learnt. See [policy.Keeper].
func (d *DAG) Load(r io.Reader) error { return snapshot.Load(r, dagHead, d.code) }

var dagHead = snapshot.Head{Kind: "slearn.DAG", Version: 1}

func (d *DAG) code(c *snapshot.Code) {
	c.Keep("Sampling", d.sampling)
	c.Keep("History", d.config.History)
}

// Save writes what each queue has been charged, and the mean runtime of all tasks. See [policy.Keeper].
func (g *Turn) Save(w io.Writer) error { return snapshot.Save(w, turnHead, g.code) }

// Load replaces what each queue has been charged, by a snapshot of as many queues with the same weights. See [policy.Keeper].
func (g *Turn) Load(r io.Reader) error {
	next := *g
	err := snapshot.Load(r, turnHead, next.code)
	if err == nil {
		g.runtimes = next.runtimes
	}
	return err
}

var turnHead = snapshot.Head{Kind: "slearn.Turn", Version: 1}

func (g *Turn) code(c *snapshot.Code) {
	c.Part("the shares", g.sharing.Save, g.sharing.Load)
	c.Part("the runtimes", g.runtimes.Save, g.runtimes.Load)
}

var _ = []policy.Keeper{(*Forecast)(nil), (*Sampling)(nil), (*History)(nil), (*Hybrid)(nil), (*Chooser)(nil), (*DAG)(nil), (*Turn)(nil)}
