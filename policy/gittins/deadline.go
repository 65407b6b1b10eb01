package gittins

import (
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// urgent is the divisor of an urgent job's rank.
const urgent = 10

// A need is the time that a job takes if it gets all its cores at once, s.
type need struct {
	least, mid, great float64 // with a probability of 0.05, 0.5 and 0.8
}

// urgency returns the divisor of a job's rank, and until when it holds.
func (n need) urgency(deadline, now policy.Time) (factor float64, until policy.Time) {
	left := deadline.Sub(now).Seconds()
	at := func(left float64) policy.Time {
		return deadline.Add(-saturate.To[policy.Duration](min(left, 4e9) * 1e9))
	}
	switch {
	case left > n.mid+n.great:
		return 1, max(at(n.mid+n.great), now+1)
	case left > n.least:
		return urgent, max(at(n.least), now+1)
	}
	return 1, policy.Never
}
