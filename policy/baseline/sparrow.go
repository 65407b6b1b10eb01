package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
)

// SparrowConfig describes a Sparrow policy. Src is required; start from [DefaultSparrow].
type SparrowConfig struct {
	Src rand.Source // draws the nodes
	// ProbeRatio is the number of probes for each task, 1 to 1000.
	ProbeRatio float64
	// MinProbes is the least number of probes of a job, 0 to 10^6.
	MinProbes int
}

// DefaultSparrow returns the configuration of the paper: two probes a task.
func DefaultSparrow(src rand.Source) SparrowConfig {
	return SparrowConfig{Src: src, ProbeRatio: 2}
}

// Sparrow is batch sampling with late binding. When a job of t tasks comes, 2t probes go to
// nodes drawn at random, where they wait in a queue, first in first out. When a core is free
// for the first probe, the node asks the job's scheduler for a task, and the t probes that
// come up first get one; to the others the scheduler says that none is left. So tasks go where
// queues are short in time, though nobody knows the queues, nor what tasks will take. The core
// waits for the answer, one way there and one back.
//
// It is a [policy.Distributed]: schedulers share no state but the queues of the nodes. Ours
// all live at the centre, which sends again what is lost with a node. Gangs are not served.
//
// A step of a part takes time in proportion to its queue; one of the centre, constant time
// for each action, and in proportion to all tasks and probes when a node is lost.
//
// # Source
//
// K. Ousterhout, P. Wendell, M. Zaharia and I. Stoica, "Sparrow: distributed, low latency
// scheduling", SOSP 2013, section 3. We differ: probes that are no longer needed are not
// called back (proactive cancellation) but wait for their turn, and there are neither
// priorities nor constraints on placement but the size of a node.
type Sparrow struct{ *probing }

// NewSparrow returns a Sparrow policy. The error names the field that is outside its range.
func NewSparrow(c SparrowConfig) (*Sparrow, error) {
	if err := validProbes("SparrowConfig", c.Src, c.ProbeRatio, c.MinProbes); err != nil {
		return nil, err
	}
	return &Sparrow{newProbing(rules{name: "Sparrow", ratio: c.ProbeRatio, minProbes: c.MinProbes, openShare: 1}, c.Src)}, nil
}

func validProbes(config string, src rand.Source, ratio float64, least int) error {
	switch {
	case src == nil:
		return fmt.Errorf("baseline: %s.Src is nil, want a source of randomness", config)
	case !(ratio >= 1 && ratio <= 1000):
		return fmt.Errorf("baseline: %s.ProbeRatio is %v, want 1 to 1000", config, ratio)
	case least < 0 || least > 1e6:
		return fmt.Errorf("baseline: %s.MinProbes is %d, want 0 to 1000000", config, least)
	}
	return nil
}

func validClasses(config string, e Estimator, cutoff policy.Duration, share float64) error {
	switch {
	case e == nil:
		return fmt.Errorf("baseline: %s.Estimate is nil, want an estimator of mean task runtimes", config)
	case cutoff <= 0:
		return fmt.Errorf("baseline: %s.Cutoff is %v, want above 0 s", config, cutoff)
	case !(share > 0 && share <= 1):
		return fmt.Errorf("baseline: %s.LongShare is %v, want above 0, at most 1", config, share)
	}
	return nil
}

func validBypass(config string, bypass float64) error {
	if !(bypass >= 0) || math.IsInf(bypass, 0) {
		return fmt.Errorf("baseline: %s.Bypass is %v, want a finite number of at least 0", config, bypass)
	}
	return nil
}
