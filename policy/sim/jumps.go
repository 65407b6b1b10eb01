package sim

import (
	"cmp"
	"context"
	"slices"

	"example.com/augur/policy"
)

// jumps are the times over which the clock jumps.
type jumps struct {
	faults     *Faults
	chosen     []Jump      // by their instants, those that are not yet over
	from, till policy.Time // the next one by chance; from is Never if there is none
	drawn      uint64      // by chance
}

func newJumps(f *Faults, begin policy.Time) jumps {
	j := jumps{faults: f, chosen: slices.Clone(f.Jumps), till: begin}
	slices.SortStableFunc(j.chosen, func(a, b Jump) int { return cmp.Compare(a.At, b.At) })
	j.draw()
	return j
}

// draw draws the next random jump after the last one.
func (j *jumps) draw() {
	f := j.faults
	j.drawn++
	j.from = j.till.Add(exponential(f.MeanSteady, f.luck(luckSteady, j.drawn)))
	j.till = j.from.Add(exponential(f.MeanJump, f.luck(luckJump, j.drawn)))
	if f.MeanSteady == 0 {
		j.from = policy.Never
	}
}

// over returns at, or, if at falls into a jump, the end of the jump. It returns the error of the context, since there
// may be countless short jumps until something else happens.
func (j *jumps) over(ctx context.Context, at policy.Time) (policy.Time, error) {
	for again := true; again; {
		again = false
		for len(j.chosen) > 0 && j.chosen[0].At < at {
			at = max(at, j.chosen[0].At.Add(j.chosen[0].For))
			j.chosen = j.chosen[1:]
		}
		for j.from < at {
			at = max(at, j.till)
			j.draw()
			again = true
			if j.drawn%checkEvery == 0 && ctx.Err() != nil {
				return at, ctx.Err()
			}
		}
	}
	return at, nil
}

// checkEvery is the number of jumps between two looks at the context.
const checkEvery = 1 << 16
