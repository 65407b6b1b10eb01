// Package plan decides which jobs start where and when, if each may be had in several ways: the
// optimisation problem of 3Sigma's scheduler as plain data, and solvers for it.
//
// A [Problem] has jobs, of each of which at most one [Option] is chosen. An option has a utility and
// takes nodes of one partition from a slot of time on, fewer and fewer as it becomes likely that
// the job has ended. The sum of what is taken must not exceed what a partition has in any slot, and
// the sum of utilities is to be as great as possible. This is a multiple-choice
// multi-dimensional knapsack with weights that are not negative.
//
// # Source
//
// J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma: distribution-based
// cluster scheduling for runtime uncertainty", EuroSys 2018, section 4.3.
package plan

import (
	"fmt"
	"math"
)

// A Problem is what is to be decided. Solvers do not change it.
type Problem struct {
	// Capacity is how many nodes are free, by partition and slot: finite, ≥ 0. All partitions have as
	// many slots.
	Capacity [][]float64
	Jobs     []Job
}

// A Job is something to be done in one of several ways, or not.
type Job struct {
	// Profiles are shares of nodes by slot since the start: the probability that a job still runs, from 0 to
	// 1, which never grows. Beyond the last slot it is 0. Options share them: those of one place by how
	// fast it is there.
	Profiles [][]float64
	Options  []Option
}

// An Option is one way to run a job: gang of nodes of one partition from one slot on.
type Option struct {
	Utility   float64 // finite; one of 0 or less is worth no more than no option
	Nodes     float64 // finite, ≥ 0
	Partition int32
	Start     int32 // slot
	Profile   int32 // of the job's Profiles
}

// None is the choice of no option.
const None = -1

// At returns the nodes that option o of job j takes in a slot. It does not check that these exist.
func (p *Problem) At(j, o, slot int) float64 {
	opt := &p.Jobs[j].Options[o]
	profile := p.Jobs[j].Profiles[opt.Profile]
	if t := slot - int(opt.Start); t >= 0 && t < len(profile) {
		return float64(opt.Nodes * profile[t])
	}
	return 0
}

// Slots returns the number of slots.
func (p *Problem) Slots() int {
	if len(p.Capacity) == 0 {
		return 0
	}
	return len(p.Capacity[0])
}

// Validate returns an error that names what is not as it must be, and nil if all is.
func (p *Problem) Validate() error {
	for i, slots := range p.Capacity {
		if len(slots) != p.Slots() {
			return fmt.Errorf("plan: partition %d has %d slots, and partition 0 has %d", i, len(slots), p.Slots())
		}
		for t, c := range slots {
			if !(c >= 0) || math.IsInf(c, 1) {
				return fmt.Errorf("plan: partition %d has %v nodes in slot %d, want a number of at least 0", i, c, t)
			}
		}
	}
	for j := range p.Jobs {
		if err := p.Jobs[j].validate(len(p.Capacity), p.Slots()); err != nil {
			return fmt.Errorf("plan: job %d: %w", j, err)
		}
	}
	return nil
}

func (j *Job) validate(partitions, slots int) error {
	for i, profile := range j.Profiles {
		last := 1.0
		for t, x := range profile {
			if !(x >= 0 && x <= last) {
				return fmt.Errorf("profile %d is %v in slot %d, want 0 to %v", i, x, t, last)
			}
			last = x
		}
	}
	for i := range j.Options {
		switch o := &j.Options[i]; {
		case math.IsNaN(o.Utility) || math.IsInf(o.Utility, 0):
			return fmt.Errorf("option %d has utility %v, want a finite number", i, o.Utility)
		case !(o.Nodes >= 0) || math.IsInf(o.Nodes, 1):
			return fmt.Errorf("option %d has %v nodes, want a number of at least 0", i, o.Nodes)
		case o.Partition < 0 || int(o.Partition) >= partitions:
			return fmt.Errorf("option %d is in partition %d, want 0 to %d", i, o.Partition, partitions-1)
		case o.Start < 0 || int(o.Start) >= slots:
			return fmt.Errorf("option %d starts in slot %d, want 0 to %d", i, o.Start, slots-1)
		case o.Profile < 0 || int(o.Profile) >= len(j.Profiles):
			return fmt.Errorf("option %d has profile %d, want 0 to %d", i, o.Profile, len(j.Profiles)-1)
		}
	}
	return nil
}
