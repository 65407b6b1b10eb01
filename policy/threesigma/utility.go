package threesigma

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// A Utility is what a job is worth if it completes at a time: a curve of straight pieces from one [Point] to the
// next. It is constant before the first point and after the last one. It never changes, may be copied, and is safe
// for concurrent use. The zero Utility is 0 at all times.
//
// Two points at the same time are a jump. At that time the curve has the value of the first of them, so that a job
// which completes on its deadline is in time: all curves are continuous from the left. Distribution functions are
// continuous from the right. So one call of CDF gives the probability of being in time, even if many jobs have the
// same runtime.
//
// Times are in seconds since any instant that all times of a call share, such as the host's epoch
// (policy.Time.Seconds); values are in the workload's unit of value. Seconds are rounded: a job that would end on its
// deadline to the last digit may count as late.
//
// # Source
//
// 3Sigma, section 3.1 and Fig. 3.
type Utility struct {
	points []Point
}

// A Point is a point of a curve.
type Point struct {
	Time  float64 // s, finite
	Value float64 // finite
}

// step returns the utility of a job with a deadline: value until the deadline, inclusive, then 0 (Fig. 3(a)).
func step(value, deadline float64) (Utility, error) {
	return NewUtility(Point{deadline, value}, Point{deadline, 0})
}

// NewUtility returns the utility through points in the order of their times. Values may be negative, and need not
// fall. At most two points may have the same time. Without any points the utility is 0. It copies the points, and
// returns an error that names the first invalid one.
//
// For a job that should be done soon, pass two points: its value now, and 0 at a horizon well beyond the time that a
// job may have to wait. Then value/horizon is the price of a second of delay, which weighs such jobs against each
// other and against those with deadlines. For a job with a deadline, pass its value at the deadline, and 0 at the same
// time (Fig. 3(a)).
func NewUtility(points ...Point) (Utility, error) {
	for i, p := range points {
		switch {
		case p.Time-p.Time != 0:
			return Utility{}, fmt.Errorf("threesigma: point %d of a utility is at %v s, want a finite time", i, p.Time)
		case p.Value-p.Value != 0:
			return Utility{}, fmt.Errorf("threesigma: point %d of a utility has the value %v, want a finite number", i, p.Value)
		case i > 0 && p.Time < points[i-1].Time:
			return Utility{}, fmt.Errorf("threesigma: point %d of a utility is at %v s, want at least %v s, that of the point before", i, p.Time, points[i-1].Time)
		case i > 1 && p.Time == points[i-2].Time:
			return Utility{}, fmt.Errorf("threesigma: point %d of a utility is the third at %v s, want at most two", i, p.Time)
		case i > 0 && math.IsInf(p.Time-points[i-1].Time, 1):
			return Utility{}, fmt.Errorf("threesigma: point %d of a utility is at %v s, too far from the %v s before", i, p.Time, points[i-1].Time)
		case i > 0 && math.IsInf(p.Value-points[i-1].Value, 0):
			return Utility{}, fmt.Errorf("threesigma: point %d of a utility has the value %v, too far from the %v before", i, p.Value, points[i-1].Value)
		}
	}
	return Utility{slices.Clone(points)}, nil
}

// own returns the curve that a job has of its own, in seconds since its submission, and the zero Utility if it has none.
func (c *Config) own(j *policy.Job) (Utility, error) {
	if c.Utility == nil {
		return Utility{}, nil
	}
	u, err := c.Utility(j)
	if err != nil {
		return Utility{}, fmt.Errorf("threesigma: Config.Utility of job %d: %w", j.ID, err)
	}
	most := float64(policy.MaxUtility)
	for _, p := range u.points {
		if !(p.Value >= 0 && p.Value <= most) {
			return Utility{}, fmt.Errorf("threesigma: Config.Utility of job %d has the value %v at %v s, want 0 to %v, at most the value before", j.ID, p.Value, p.Time, most)
		}
		most = p.Value
	}
	return u, nil
}

// later returns the curve moved to later times. Of more than two points that are then rounded to the same time, the first
// and the last one remain.
func (u Utility) later(seconds float64) Utility {
	points := make([]Point, 0, len(u.points))
	for _, p := range u.points {
		p.Time += seconds
		if n := len(points); n > 1 && points[n-2].Time == p.Time {
			points = points[:n-1]
		}
		points = append(points, p)
	}
	return Utility{points}
}

// At returns the utility of completing at a time, in O(points) time, and NaN for a NaN time.
func (u Utility) At(time float64) float64 {
	if math.IsNaN(time) {
		return math.NaN()
	}
	for i, p := range u.points {
		switch {
		case time > p.Time:
			continue
		case i == 0:
			return p.Value
		}
		a := u.points[i-1]
		share := (time - a.Time) / (p.Time - a.Time)
		return a.Value*(1-share) + p.Value*share
	}
	if n := len(u.points); n > 0 {
		return u.points[n-1].Value
	}
	return 0
}

// Expected returns the expected utility of a job that starts at a time and has a runtime T with distribution d
// (3Sigma, section 3.1),
//
//	E[U(start + T)] = ∫ U(start + t)·PDF(t) dt
//
// where T below 0 counts as 0; ExampleUtility_Expected in expected_test.go has the formula in Go. start is finite, in seconds
// since the same instant as the times of u. For a job that has already run for some time pass [After] for d, and the time
// when it started.
//
// It is exact up to rounding if d has closed forms, as a histogram has, and to three digits otherwise. If the
// expectation is much smaller than the largest value, a few units in the last place of that value may be lost. The
// result is within the range of u's values from start on. It is NaN if start is not finite or 1e308 s before the
// times of u, or if d has no values and the curve is not constant from start on.
//
// It takes one call of CDF for each jump from start on, and one of SurvivalIntegral for each sloping piece. If a job
// has many possible starts, pass a table of its histogram (histogram.Table): with 80 bins a call then takes 0.1 to
// 0.2 µs, and with the histogram itself up to thirty times as long. It does not allocate if d has closed forms.
func (u Utility) Expected(d Distribution, start float64) float64 {
	if start-start != 0 {
		return math.NaN()
	}
	n := len(u.points)
	if n == 0 {
		return 0
	}
	if math.IsInf(u.points[n-1].Time-start, 1) {
		return math.NaN()
	}
	sum := u.points[n-1].Value
	low, high := sum, sum
	for i := n - 1; i > 0; i-- {
		a, b := u.points[i-1], u.points[i]
		if b.Time < start {
			break
		}
		rise := b.Value - a.Value
		if a.Time == b.Time || a.Time > start && a.Time-start == b.Time-start { // so far off that they cannot be told apart
			low, high = min(low, a.Value), max(high, a.Value)
			sum -= rise * inTime(d, b.Time-start)
			continue
		}
		span := b.Time - a.Time
		from, to := max(a.Time, start)-start, b.Time-start
		first := a.Value
		if a.Time < start {
			first = min(max(b.Value-along(rise, span, to-from), min(a.Value, b.Value)), max(a.Value, b.Value))
		}
		low, high = min(low, first), max(high, first)
		if rise != 0 && from < to {
			sum -= along(rise, span, (to-from)-survivalIntegral(d, from, to))
		}
	}
	if math.IsNaN(sum) {
		return sum
	}
	return min(max(sum, low), high)
}

// along returns the part of a slope's rise over x, a part of its span.
func along(rise, span, x float64) float64 {
	if slope := rise / span; !math.IsInf(slope, 0) {
		return slope * x
	}
	return rise * (x / span)
}

// inTime returns the probability that the runtime is at most x, where mass of d below 0 counts as 0.
func inTime(d Distribution, x float64) float64 {
	if x < 0 {
		return 0
	}
	return d.CDF(x)
}

// A BestEffort is what jobs are worth that have neither a deadline nor a curve of their own ([Config.Utility]). Their
// worth falls linearly with their completion,
//
//	Value × (1 + waited/Horizon) × (1 - 0.9 × (completion - now)/Horizon)
//
// up to a Horizon from now, with waited the time since submission and completion the instant at which the job would end. Then a
// tenth is left, and falls slowly to a thousandth of the Value, so that all of them start sometime. A job is worth
// more the longer it has waited, up to a million Horizons. Otherwise short and narrow jobs would pass a wide one
// forever.
type BestEffort struct {
	// Value is above 0, at most 10^6, in the unit of policy.SLO.Utility; 0 means 0.01. It is the value of a job,
	// whatever its cores: by default a hundred best-effort jobs of one core each are worth a job with a deadline and
	// utility 1, even if that needs the cores of 200. To kill a job costs Value for each core and each Horizon of work
	// that is lost.
	Value float64
	// Horizon is at least a millisecond; 0 means an hour.
	Horizon policy.Duration
}

// from returns the utility of a job without a deadline from an instant on, without the bonus for having waited.
func (b BestEffort) from(now float64) (Utility, error) {
	horizon := b.Horizon.Seconds()
	return NewUtility(Point{now, b.Value}, Point{now + horizon, b.Value / 10}, Point{now + 100*horizon, b.Value / 1000})
}

// goingOn returns the value of letting a task or gang go on that started at since, where u is the utility from now
// on: its expected utility, plus the value of the work that it would have to repeat. runtime is nil if unknown.
func (b BestEffort) goingOn(u Utility, runtime Distribution, since, now float64, width int64) float64 {
	value := u.At(now)
	if runtime != nil {
		value = u.Expected(runtime, since)
	}
	again := max(0, now-since) / b.Horizon.Seconds()
	return value + b.Value*float64(width)*again
}
