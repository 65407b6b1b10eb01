package sim

import (
	"cmp"
	"context"
	"slices"

	"example.com/augur/policy"
)

// jumps are the times over which the clock jumps.
type jumps struct {
	chosen     []Jump      // by their instants, those that are not yet over
	from, till policy.Time // the next one by chance; from is Never if there is none
	drawn      uint64      // by chance
}

// planJumps sorts the jumps.
func (s *cluster) planJumps() {
	f, j := &s.config.Faults, &s.jumps
	j.chosen = slices.Clone(f.Jumps)
	slices.SortStableFunc(j.chosen, func(a, b Jump) int { return cmp.Compare(a.At, b.At) })
	j.till = s.now
	s.nextJump()
}

// nextJump draws the next random jump after the last one.
func (s *cluster) nextJump() {
	f, j := &s.config.Faults, &s.jumps
	j.drawn++
	j.from = j.till.Add(exponential(f.MeanSteady, f.luck(luckSteady, j.drawn)))
	j.till = j.from.Add(exponential(f.MeanJump, f.luck(luckJump, j.drawn)))
	if f.MeanSteady == 0 {
		j.from = policy.Never
	}
}

// jump returns at, or, if at falls into a jump, the end of the jump. It returns the error of the context, since there
// may be countless short jumps until something else happens.
func (s *cluster) jump(ctx context.Context, at policy.Time) (policy.Time, error) {
	if at <= s.now {
		return at, nil // what is told at this instant is not all told yet
	}
	begin := at
	for again := true; again; {
		again = false
		for len(s.jumps.chosen) > 0 && s.jumps.chosen[0].At < at {
			c := s.jumps.chosen[0]
			s.jumps.chosen = s.jumps.chosen[1:]
			at = max(at, c.At.Add(c.For))
		}
		for s.jumps.from < at {
			at = max(at, s.jumps.till)
			s.nextJump()
			again = true
			if s.jumps.drawn%checkEvery == 0 && ctx.Err() != nil {
				return at, ctx.Err()
			}
		}
	}
	if at > begin {
		s.result.Faults.Jumps++
		s.agenda.postpone(at)
	}
	return at, nil
}

// postpone moves what is due before an instant to that instant, in the order of rule Time.
func (a *agenda) postpone(to policy.Time) {
	var due []timed
	for len(*a) > 0 && (*a)[0].at < to {
		due = append(due, (*a)[0])
		a.pop()
	}
	for _, t := range due {
		t.at = to
		a.push(t)
	}
}
