package baseline

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// SJBF is [EASY] with shortest-job backfilling: of the jobs that may overtake the first one, it starts the job whose next unit
// (a task, or a whole gang) has the least expected time. Ties go to the first in the order. The first job keeps its
// reservation as under EASY.
//
// EASY++ is SJBF over [FIFO], with expected times by forecast.LastTwo:
//
//	s, err := central.New(central.Config{Turn: baseline.FIFO(), Fill: baseline.SJBF(), Forecast: forecast.LastTwo()})
//
// A long job waits longer than under EASY until it is the first. Do not use SJBF where jobs must start roughly in their order.
//
// # Source
//
// D. Tsafrir, Y. Etsion and D. Feitelson, "Backfilling using system-generated predictions rather than user runtime estimates",
// IEEE Transactions on Parallel and Distributed Systems 18(6), 2007.
func SJBF() central.Filler { return newEASY(BackfillConfig{Shortest: true}) }

// BackfillConfig configures [Backfill]. The zero value gives [EASY].
type BackfillConfig struct {
	Shortest bool // the job with the least expected time overtakes first, as in [SJBF]
	// Slack is how long the first job may be delayed beyond its reservation, as a multiple of the expected time of its next
	// unit, finite and ≥ 0. A unit without an expected time has no slack.
	Slack float64
	// Longest limits what may start on the extra cores: a unit that takes longer, with a probability of 0.9, than Longest times
	// the first unit's expected time and Longest times the time to its reservation may not, finite and ≥ 0. 0: there is no limit.
	Longest float64
}

// Backfill returns [EASY] with options. It returns an error that names the option that is out of range.
//
// With a slack, a job may overtake the first one if the first one can still start by its latest start: its reservation plus its
// slack. The latest start is set once, when the job first becomes the first, so a stream of short jobs cannot delay it again and
// again. Wherever EASY guarantees that the first job starts by its reservation, Backfill guarantees that it starts by its
// latest start. The jobs behind it are delayed as much, and each by its own slack too once it is the first. Do not use a slack
// where users are told when their jobs will start.
//
// Longest is for loads in which some jobs run a thousand times as long as others. EASY starts any of them on extra cores, where
// they delay the jobs behind the first one, and those to come, for as long as they run. A Forecast that is not sure of a runtime
// hinders nothing: its 0.1-quantile is small. The bound is this library's own.
//
// # Source
//
// D. Talby and D. Feitelson, "Supporting priorities and improving utilization of the IBM SP scheduler using slack-based
// backfilling", IPPS/SPDP 1999. We differ: there every job has a reservation, and a slack that depends on its priority
// and on how long jobs wait, and a search finds the cheapest schedule within the slacks. Here only the first job has a
// slack, since EASY reserves for no other. It is proportional to the job's expected time, so it adds at most Slack to
// the job's slowdown, its completion time over its runtime, if the expected times are exact.
func Backfill(c BackfillConfig) (central.Filler, error) {
	for _, option := range []struct {
		name  string
		value float64
	}{{"Slack", c.Slack}, {"Longest", c.Longest}} {
		if !(option.value >= 0) || math.IsInf(option.value, 1) {
			return nil, fmt.Errorf("baseline: BackfillConfig.%s is %v, want a finite number of at least 0", option.name, option.value)
		}
	}
	return newEASY(c), nil
}

// compare orders two candidates by which overtakes first.
func (p *easy) compare(a, b *candidate) int {
	if p.config.Shortest && a.time != b.time {
		return cmp.Compare(a.time, b.time)
	}
	return p.order.Compare(a.job, b.job)
}

// promise returns the latest start of the first job: its reservation when it became the first, plus its slack. The arguments at and
// time are its present reservation and the expected time of its next unit.
func (p *easy) promise(id policy.JobID, at policy.Time, time policy.Duration) policy.Time {
	if promised, ok := p.promised[id]; ok {
		return promised
	}
	if slack := p.config.Slack * float64(time); time != unbounded && slack < float64(unbounded) {
		at = at.Add(saturate.To[policy.Duration](slack))
	}
	p.promised[id] = at
	return at
}
