package plan

import "fmt"

// tolerance is the share of a capacity by which Value lets it be exceeded.
const tolerance = 1e-9

// Value returns the sum of the utilities that a choice has, jobs in order: what Solution.Objective
// should be. It computes all anew and shares nothing with the solvers but the
// definition of what an option takes, so it can judge them.
//
// The error is that of Validate; or that there are not as many choices as jobs; that one is neither
// None nor an option of its job; or that a pool has not enough nodes in a slot, and how many it
// lacks. What is taken may exceed a capacity by one part in 10^9, for sums are rounded; a
// capacity of 0 by nothing. The value is 0 with an error.
//
// Value takes O(options + jobs × slots × shares) time, for the shares of a place, and memory for
// pools × slots.
func (p *Problem) Value(choice []int) (float64, error) {
	if err := p.Validate(); err != nil {
		return 0, err
	}
	if len(choice) != len(p.Jobs) {
		return 0, fmt.Errorf("plan: %d choices for %d jobs", len(choice), len(p.Jobs))
	}
	taken := make([][]float64, len(p.Capacity))
	for i := range taken {
		taken[i] = make([]float64, p.slotCount())
	}
	sum := 0.0
	for j, o := range choice {
		if o == None {
			continue
		}
		if o < 0 || o >= len(p.Jobs[j].Options) {
			return 0, fmt.Errorf("plan: choice %d of job %d, want None (%d) or 0 to %d", o, j, None, len(p.Jobs[j].Options)-1)
		}
		for _, s := range p.place(j, o) {
			for t := range taken[s.Pool] {
				taken[s.Pool][t] += p.at(j, o, int(s.Pool), t)
			}
		}
		sum += p.Jobs[j].Options[o].Utility
	}
	for i, slots := range taken {
		for t, x := range slots {
			if c := p.Capacity[i][t]; x > c+float64(c*tolerance) {
				return 0, fmt.Errorf("plan: pool %d has %v nodes in slot %d, and the choice takes %v: %v too many", i, c, t, x, x-c)
			}
		}
	}
	return sum, nil
}
