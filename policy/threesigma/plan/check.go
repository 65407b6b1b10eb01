package plan

import (
	"fmt"
	"math"
)

// tolerance is the share of a capacity by which Value lets it be exceeded.
const tolerance = 1e-9

// Value returns the sum of the utilities that a choice has, jobs in order: what Solution.Objective
// should be. It computes all anew and shares nothing with the solvers but [Problem.At]'s
// definition, so it can judge them.
//
// The error is that of Validate; or that there are not as many choices as jobs; that one is neither
// None nor an option of its job; or that a partition has not enough nodes in a slot, and how many
// it lacks. What is taken may exceed a capacity by one part in 10^9, for sums are rounded; a
// capacity of 0 by nothing. The value is 0 with an error.
//
// Value takes O(options + jobs × slots) time, and memory for partitions × slots.
func (p *Problem) Value(choice []int) (float64, error) {
	if err := p.Validate(); err != nil {
		return 0, err
	}
	if len(choice) != len(p.Jobs) {
		return 0, fmt.Errorf("plan: %d choices for %d jobs", len(choice), len(p.Jobs))
	}
	taken := make([][]float64, len(p.Capacity))
	for i := range taken {
		taken[i] = make([]float64, p.Slots())
	}
	sum := 0.0
	for j, o := range choice {
		if o == None {
			continue
		}
		if o < 0 || o >= len(p.Jobs[j].Options) {
			return 0, fmt.Errorf("plan: choice %d of job %d, want None (%d) or 0 to %d", o, j, None, len(p.Jobs[j].Options)-1)
		}
		opt := &p.Jobs[j].Options[o]
		for t := range taken[opt.Partition] {
			taken[opt.Partition][t] += p.At(j, o, t)
		}
		sum += opt.Utility
	}
	for i, slots := range taken {
		for t, x := range slots {
			if c := p.Capacity[i][t]; x > min(math.MaxFloat64, c+float64(c*tolerance)) {
				return 0, fmt.Errorf("plan: partition %d has %v nodes in slot %d, and the choice takes %v: %v too many", i, c, t, x, x-c)
			}
		}
	}
	return sum, nil
}
