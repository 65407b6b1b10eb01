package baseline

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// SJBF is [EASY] with shortest-job backfilling: of the jobs that may overtake the first one, it starts the one whose next unit is
// expected to take the least time, and of equal ones the first in their order. The first job keeps its reservation as under EASY.
// With forecast.LastTwo for the expected times, over [FIFO], it is EASY++:
//
//	s, err := central.New(central.Config{Turn: baseline.FIFO(), Fill: baseline.SJBF(), Forecast: forecast.LastTwo()})
//
// Long jobs wait longer than under EASY, until they are the first. Do not use it where jobs must start in about their order.
//
// # Source
//
// D. Tsafrir, Y. Etsion and D. Feitelson, "Backfilling using system-generated predictions rather than user runtime estimates",
// IEEE Transactions on Parallel and Distributed Systems 18(6), 2007.
func SJBF() central.Filler { return newEASY(BackfillConfig{Shortest: true}) }

// BackfillConfig describes a filler made by [Backfill]. The zero value is that of [EASY].
type BackfillConfig struct {
	Shortest bool // what is shortest overtakes first, as in [SJBF]
	// Slack is by how much the first job may start later than at the reservation that it was given when it became the first, as a
	// share of the expected time of its next unit: finite, at least 0. A unit of which no time is known has no slack.
	Slack float64
}

// Backfill is [EASY] with options. The error says that Slack is not in its range.
//
// With a Slack, a job may overtake the first one if that can still start at its reservation and the slack. The slack is counted once,
// from the reservation that the job was given when it became the first, so that a stream of short jobs cannot use it again and
// again. Where EASY's first job starts no later than at its reservation, this one starts no later than at the end of its slack; its
// wait grows by the Slack times its expected time at most, while it is the first. Jobs behind it are delayed as it is, and then by their own slack. Do
// not use it where users are told when their jobs will start.
//
// # Source
//
// D. Talby and D. Feitelson, "Supporting priorities and improving utilization of the IBM SP scheduler using slack-based
// backfilling", IPPS/SPDP 1999. There every job has a reservation and a slack, by its priority and by how long jobs wait, and a
// search finds the cheapest schedule within the slacks. Here the first job alone has one, since EASY reserves for no other, and it
// goes by the job's own time, which bounds its slowdown if the expected times are exact.
func Backfill(c BackfillConfig) (central.Filler, error) {
	if !(c.Slack >= 0) || math.IsInf(c.Slack, 1) {
		return nil, fmt.Errorf("baseline: BackfillConfig.Slack is %v, want a finite number of at least 0", c.Slack)
	}
	return newEASY(c), nil
}

// compare says which of two candidates overtakes first.
func (p *easy) compare(a, b *candidate) int {
	if p.config.Shortest && a.time != b.time {
		return cmp.Compare(a.time, b.time)
	}
	return p.order.Compare(a.job, b.job)
}

// promise returns by when the first job, whose next unit takes so long, is to start at the latest: its slack after the reservation
// that it had when it became the first.
func (p *easy) promise(id policy.JobID, at policy.Time, time policy.Duration) policy.Time {
	if p.promised.job != id {
		p.promised = reservation{id, at}
		if slack := p.config.Slack * float64(time); time != unbounded && slack < float64(unbounded) {
			p.promised.at = at.Add(policy.Duration(slack))
		}
	}
	return p.promised.at
}
