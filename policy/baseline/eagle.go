package baseline

import (
	"cmp"
	"math/rand/v2"

	"example.com/augur/policy"
)

// EagleConfig describes an Eagle policy. Src, Estimate and Cutoff are required; the other
// defaults are what the authors' simulator has for the Google trace, where the cutoff is
// 1129.532 s. For other traces it has cutoffs of 90.5811 s (Yahoo), 272.783 s (Cloudera) and
// 76.5951 s (Facebook), and shares of 98, 91 and 98 %.
type EagleConfig struct {
	Src rand.Source // draws the nodes
	// Estimate says what the tasks of a job take; a job that it knows nothing of is long.
	Estimate Estimator
	Cutoff   policy.Duration // a job is long if its tasks take that or more, > 0
	// LongShare is the share of the nodes on which long tasks may run, above 0, at most 1; 0
	// means 0.83.
	LongShare float64
	// ProbeRatio is the number of probes for each short task, 1 to 1000; 0 means 2.
	ProbeRatio float64
	MinProbes  int // the least number of probes of a short job, 1 to 10^6; 0 means 20
	// Bypass limits for how long a probe may be overtaken, in multiples of its own estimate;
	// finite, > 0; 0 means 5.
	Bypass float64
}

// Eagle keeps short tasks from ever waiting behind long ones, and lets short jobs with
// little left go first. Long tasks are placed as in [Hawk], on a part of the nodes; short
// jobs send probes, as in [Sparrow]. What is new:
//
//   - Divide, by succinct state sharing. A node that runs a long task, or has one in its
//     queue, rejects probes. What nodes have long tasks is told with the rejection, as a bit
//     vector, and the probe goes to a random other one. If that rejects it too, the
//     probe goes to a node that is open to short jobs only.
//   - Distributed shortest remaining processing time. A node serves the probe first whose job
//     has the least work left, without preemption, within the limits that EagleConfig sets.
//   - Stick to your probes. A node that has finished a task asks the same job for the next
//     one, until none waits. So jobs that began end soon. The probe keeps its place in the
//     queue: it goes next, if that overtakes what came before it within the same limits.
//
// What counts is nodes, not cores, as in the paper, whose nodes run one task at a time: of one with many
// cores a single long task keeps all short ones away, also from cores that are free. A host with such
// nodes had better let each core, or a few, be a node.
//
// What holds for Sparrow (parts, faults, gangs, cost) and Hawk (placing of long tasks) holds
// here, with MinProbes in place of 65,536 if that is more.
//
// # Source
//
// P. Delgado, D. Didona, F. Dinu and W. Zwaenepoel, "Job-aware scheduling in Eagle: divide
// and stick to your probes", SoCC 2016; parameters from the simulator of the authors, where the
// bypass limit too is on estimated durations and not on a number of probes. We differ: no probe
// ever waits for more than its limit, whoever is chosen. The bit vector is that of the centre,
// where all schedulers live, so it is fresher than one that a node was sent with its last long
// task. The work left is what the node was told with a probe or with the job's last task, where
// the simulator reads it from memory; so probes of a job of which nothing waits any more stay in
// the queue until the turn of the first of them, where the simulator takes them out.
type Eagle struct{ *probing }

// NewEagle returns an Eagle policy. The error names the field that is outside its range.
func NewEagle(c EagleConfig) (*Eagle, error) {
	if err := checkClasses("Eagle", c.Estimate, c.Cutoff); err != nil {
		return nil, err
	}
	p, err := newProbing(rules{
		name: "Eagle", estimate: c.Estimate, cutoff: c.Cutoff, openShare: cmp.Or(c.LongShare, 0.83),
		ratio: cmp.Or(c.ProbeRatio, 2), minProbes: cmp.Or(c.MinProbes, 20), bypass: cmp.Or(c.Bypass, 5),
		rejects: true, sticky: true,
	}, c.Src)
	if err != nil {
		return nil, err
	}
	return &Eagle{p}, nil
}
