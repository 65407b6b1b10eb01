package plan

import (
	"fmt"
	"math"
)

// A Problem is the MILP of a cycle: which job starts where and when, at most one way each, within the capacity. This file
// states it and checks plans; plan.go says where the solvers are, and Example_milp tries every assignment. Solvers do not
// change a Problem.
type Problem struct {
	// Capacity is how many nodes are free, by pool and slot: 0 to MaxNodes. A pool is a partition, or several
	// partitions taken together. All pools have equally many slots.
	Capacity [][]float64
	Jobs     []Job
}

// A Job is a job with the ways in which it may start.
type Job struct {
	// Profiles are shares of nodes by slot since the start: the probability that a job still runs, from 0 to 1, never
	// increasing. Beyond the last slot it is 0. Options at equally fast places share a profile.
	Profiles [][]float64
	Places   []Place // where it may run; Options share them
	Options  []Option
}

// A Place is what a job takes of the pools if it runs there: nodes of one pool or of several, pools increasing and
// none twice. A Place without shares takes nothing. Mostly there is one share: a gang in a partition.
//
// A gang that may be spread over several partitions needs a pool of these partitions together. It takes the same
// number of nodes from each larger pool that contains all these partitions too. With pools 0 for partition a, 1 for
// b, and 2 for both together, 3 nodes in a are {0, 3}, {2, 3}, and 3 nodes anywhere are {2, 3}. A running job takes
// from each pool what it holds there. If gangs may be spread over two sets of partitions, add a pool for the union of
// the sets: then whatever does not exceed the pools can be dealt out to the partitions (P. Hall, "On representatives
// of subsets", Journal of the London Mathematical Society 10(1), 1935). Leave out a pool that cannot be exceeded.
// This holds in each slot separately: dealt out slot by slot, a job might have to move.
type Place []Share

// A Share is what a Place takes of one pool, times the profile of the option.
type Share struct {
	Pool  int32   // its place in Problem.Capacity
	Nodes float64 // 0 to MaxNodes
}

// validate returns an error that names the first invalid share, given the number of pools.
func (pl Place) validate(pools int) error {
	for i, s := range pl {
		switch {
		case s.Pool < 0 || int(s.Pool) >= pools:
			return fmt.Errorf("share %d is of pool %d, and there are %d pools", i, s.Pool, pools)
		case i > 0 && s.Pool <= pl[i-1].Pool:
			return fmt.Errorf("share %d is of pool %d after pool %d, want pools to rise", i, s.Pool, pl[i-1].Pool)
		case !(s.Nodes >= 0 && s.Nodes <= MaxNodes):
			return fmt.Errorf("share %d has %v nodes, want 0 to %v", i, s.Nodes, MaxNodes)
		}
	}
	return nil
}

// in returns the nodes taken of a pool.
func (pl Place) in(pool int) float64 {
	for _, s := range pl {
		if int(s.Pool) == pool {
			return s.Nodes
		}
	}
	return 0
}

// An Option is one way to run a job: at a place, from one slot on.
type Option struct {
	Utility float64 // -MaxUtility to MaxUtility; one of 0 or less is worth no more than no option
	Place   int32   // of the job's Places
	Start   int32   // slot
	Profile int32   // of the job's Profiles
}

// MaxUtility bounds utilities, so that their sums are finite, and external solvers can tell them from their
// tolerances: from 10^15 on cbc says of some problems that they have no solution.
const MaxUtility = 1e13

// MaxNodes bounds nodes, so that rounding errors of sums stay below one node. A cluster of all possible cores has a
// thirtieth of that.
const MaxNodes = 1e18

// tolerance is the share of a capacity by which Value lets a choice exceed it.
const tolerance = 1e-9

// Value is the MILP of 3Sigma (section 4.3), read literally: it returns the objective
//
//	Σ U(j,o)·I(j,o)
//
// of a choice, in the order of jobs, and an error if the choice breaks a constraint. I(j,o) is 1 if o = choice[j],
// and no job has two options, since a choice has one number for each. The other constraint, in each pool p and slot
// t, is
//
//	Σ k(j,o,p)·R(j,o,t-start)·I(j,o) ≤ C(p,t)
//
// A choice may exceed a capacity by one part in 10^9, since sums are rounded, but a capacity of 0 by nothing. Value
// shares no code with the solvers, so it can check them: Solution.Objective should equal it.
//
// Value returns the error of Validate; or an error if there are not as many choices as jobs, if one is neither None
// nor an option of its job, or if a pool has too few nodes in a slot, and how many it lacks. With an error the value
// is 0. Value takes O(options + jobs × slots × shares) time, for the shares of a place.
func (p *Problem) Value(choice []int) (float64, error) {
	if err := p.Validate(); err != nil {
		return 0, err
	}
	if len(choice) != len(p.Jobs) {
		return 0, fmt.Errorf("plan: %d choices for %d jobs, want one for each", len(choice), len(p.Jobs))
	}
	objective, taken := 0.0, make([][]float64, len(p.Capacity)) // the left sides
	for pool := range taken {
		taken[pool] = make([]float64, p.slotCount())
	}
	for j, o := range choice {
		if o == None {
			continue
		}
		if o < 0 || o >= len(p.Jobs[j].Options) {
			return 0, fmt.Errorf("plan: choice %d of job %d, want None (%d) or 0 to %d", o, j, None, len(p.Jobs[j].Options)-1)
		}
		option := &p.Jobs[j].Options[o]
		objective += option.Utility
		for _, share := range p.Jobs[j].Places[option.Place] {
			for t := range taken[share.Pool] {
				taken[share.Pool][t] += p.at(j, o, int(share.Pool), t)
			}
		}
	}
	for pool, slots := range p.Capacity {
		for t, c := range slots {
			if x := taken[pool][t]; x > c+c*tolerance {
				return 0, fmt.Errorf("plan: pool %d has %v nodes in slot %d, and the choice takes %v: %v too many", pool, c, t, x, x-c)
			}
		}
	}
	return objective, nil
}

// at returns k(j,o,p)·R(j,o,t-start): the nodes that option o of job j takes of a pool in a slot, 0 if its place has
// no share of the pool. It takes O(shares) time.
func (p *Problem) at(j, o, pool, slot int) float64 {
	opt := &p.Jobs[j].Options[o]
	profile := p.Jobs[j].Profiles[opt.Profile]
	if t := slot - int(opt.Start); t >= 0 && t < len(profile) {
		return p.Jobs[j].Places[opt.Place].in(pool) * profile[t]
	}
	return 0
}

// slotCount returns the number of slots.
func (p *Problem) slotCount() int {
	if len(p.Capacity) == 0 {
		return 0
	}
	return len(p.Capacity[0])
}

// Validate returns an error that names what is invalid, nil if nothing is.
func (p *Problem) Validate() error {
	for i, slots := range p.Capacity {
		if len(slots) != p.slotCount() {
			return fmt.Errorf("plan: pool %d has %d slots, want the %d of pool 0", i, len(slots), p.slotCount())
		}
		for t, c := range slots {
			if !(c >= 0 && c <= MaxNodes) {
				return fmt.Errorf("plan: pool %d has %v nodes in slot %d, want 0 to %v", i, c, t, MaxNodes)
			}
		}
	}
	for j := range p.Jobs {
		if err := p.Jobs[j].validate(len(p.Capacity), p.slotCount()); err != nil {
			return fmt.Errorf("plan: job %d: %w", j, err)
		}
	}
	return nil
}

func (j *Job) validate(pools, slots int) error {
	for i, profile := range j.Profiles {
		last := 1.0
		for t, x := range profile {
			if !(x >= 0 && x <= last) {
				return fmt.Errorf("profile %d is %v in slot %d, want 0 to %v", i, x, t, last)
			}
			last = x
		}
	}
	for i, place := range j.Places {
		if err := place.validate(pools); err != nil {
			return fmt.Errorf("place %d: %w", i, err)
		}
	}
	for i := range j.Options {
		switch o := &j.Options[i]; {
		case !(math.Abs(o.Utility) <= MaxUtility):
			return fmt.Errorf("option %d has utility %v, want -%v to %v", i, o.Utility, MaxUtility, MaxUtility)
		case o.Place < 0 || int(o.Place) >= len(j.Places):
			return fmt.Errorf("option %d has place %d, want 0 to %d", i, o.Place, len(j.Places)-1)
		case o.Start < 0 || int(o.Start) >= slots:
			return fmt.Errorf("option %d starts in slot %d, want 0 to %d", i, o.Start, slots-1)
		case o.Profile < 0 || int(o.Profile) >= len(j.Profiles):
			return fmt.Errorf("option %d has profile %d, want 0 to %d", i, o.Profile, len(j.Profiles)-1)
		}
	}
	return nil
}
