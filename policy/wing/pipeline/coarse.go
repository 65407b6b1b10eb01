package pipeline

import (
	"cmp"
	"slices"

	"example.com/augur/dag/value"
)

// coarse joins drops to at most so many, none of 0 and no two at one instant. Where there are more,
// they are of about equal value, each at the time at which half of it is lost. At no instant is then
// more than one of so many parts lost too early or too late.
func coarse(drops []value.Drop, steps int) []value.Drop {
	slices.SortFunc(drops, func(a, b value.Drop) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Value, b.Value))
	})
	n := 0
	for _, d := range drops {
		switch {
		case d.Value == 0:
		case n > 0 && drops[n-1].At == d.At:
			drops[n-1].Value += d.Value
		default:
			drops[n] = d
			n++
		}
	}
	if drops = drops[:n]; n <= steps {
		return drops
	}
	total := 0.0
	for _, d := range drops {
		total += d.Value
	}
	part := total / float64(steps)
	var joined []value.Drop
	sum := 0.0
	for i := 0; i < len(drops); {
		end, group := i, 0.0
		bound := part * float64(len(joined)+1)
		for end < len(drops) && (end == i || sum+drops[end].Value <= bound || len(joined) == steps-1) {
			group += drops[end].Value
			sum += drops[end].Value
			end++
		}
		half, at := 0.0, i
		for half += drops[at].Value; 2*half < group && at < end-1; half += drops[at].Value {
			at++
		}
		joined = append(joined, value.Drop{At: drops[at].At, Value: group})
		i = end
	}
	return joined
}
