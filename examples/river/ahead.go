package augurriver

import (
	"math"
	"slices"
	"time"
)

// How many jobs should have a mark: as many as start before the next look. With fewer, workers that become free take jobs
// out of order. With more, a job that has just come, and is the next one by now, waits for those that were. There are two
// bounds on the number, and the lesser holds: as many start as did lately, and they have no more work than the workers can do.

// The starts of so many looks count.
const looks = 4

// likely returns how many jobs start before the next look if they start as lately, at least 1: the mean and two standard
// deviations of a Poisson count.
func (s *sweeper) likely(now time.Time) int {
	window := looks * s.config.Every
	s.starts = slices.DeleteFunc(s.starts, func(t time.Time) bool { return now.Sub(t) > window })
	mean := float64(len(s.starts)) * s.period(now).Seconds() / window.Seconds()
	return int(min(max(1, math.Ceil(mean+2*math.Sqrt(mean))), 1e6))
}

// fitting returns how many of these jobs, one after the other, the workers can do before the next look, at least 1. A job
// of which nothing is known counts as no work.
func (s *sweeper) fitting(first []int64, now time.Time) (n int) {
	running := 0
	for _, t := range s.tasks {
		if !t.began.IsZero() {
			running++
		}
	}
	batch := make(map[time.Time]int) // what started at the same instant was fetched at once
	for _, t := range s.starts {
		batch[t]++
		running = max(running, batch[t])
	}
	s.slots = max(running, s.slots*9/10) // some may be idle at the moment
	work := 0.0
	for work < float64(s.slots)*s.period(now).Seconds() && n < len(first) {
		work += s.tasks[first[n]].expected
		n++
	}
	return max(n, min(1, len(first)))
}

// period is the time from one look to the next.
func (s *sweeper) period(now time.Time) time.Duration {
	if s.last.IsZero() {
		return s.config.Every
	}
	return max(s.config.Every, now.Sub(s.last))
}
