package baseline

import (
	"cmp"
	"math/rand/v2"

	"example.com/augur/policy"
)

// HawkConfig describes a Hawk policy. Src, Estimate and Cutoff are required; the other defaults
// are those of the paper for the Google trace.
type HawkConfig struct {
	Src rand.Source // draws the nodes
	// Estimate says what the tasks of a job take; a job that it knows nothing of is long.
	Estimate Estimator
	Cutoff   policy.Duration // a job is long if its tasks take that or more, > 0
	// LongShare is the share of the nodes on which long tasks may run, above 0, at most 1; 0
	// means 0.83.
	LongShare float64
	// ProbeRatio is the number of probes for each short task, 1 to 1000; 0 means 2.
	ProbeRatio float64
}

// stealTries is how many nodes an idle one asks for work under Hawk.
const stealTries = 10

// Hawk is a hybrid: short jobs, of which there are many, are scheduled as in [Sparrow], and
// long ones, which make most of the load, by the centre.
//
//   - A long task goes to the node where it would wait least: by the estimates of the long
//     tasks that were sent there and have not ended.
//   - Long tasks run on a part of the nodes only, short ones on all: so there are always some
//     that no long task blocks.
//   - A node is a queue, first in first out. One that becomes idle asks up to ten nodes
//     at random, of those open to long tasks, for the first row of probes that waits there
//     behind a long task, and takes over the first that it finds (randomized stealing).
//
// What holds for Sparrow (parts, faults, gangs, cost) holds here. A long task takes time
// logarithmic in the number of nodes to be placed; one step places at most 65,536 of a job.
//
// # Source
//
// P. Delgado, F. Dinu, A.-M. Kermarrec and W. Zwaenepoel, "Hawk: hybrid datacenter
// scheduling", USENIX ATC 2015, section 3. We differ: a node asks through the centre, which
// must know where each probe is, so a try takes as long as one there and back, and loot one
// way more. If nodes are lost so that too few are left for long jobs, others are opened to them.
type Hawk struct{ *probing }

// NewHawk returns a Hawk policy. The error names the field that is outside its range.
func NewHawk(c HawkConfig) (*Hawk, error) {
	if err := checkClasses("Hawk", c.Estimate, c.Cutoff); err != nil {
		return nil, err
	}
	p, err := newProbing(rules{
		name: "Hawk", estimate: c.Estimate, cutoff: c.Cutoff, openShare: cmp.Or(c.LongShare, 0.83),
		ratio: cmp.Or(c.ProbeRatio, 2), steals: true,
	}, c.Src)
	if err != nil {
		return nil, err
	}
	return &Hawk{p}, nil
}
