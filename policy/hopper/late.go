package hopper

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// LATEConfig describes a [LATE] rule. The zero value has the values that its authors found best.
type LATEConfig struct {
	// Cap is the largest share of the cluster's slots in which extra copies run, SpeculativeCap,
	// > 0 and at most 1; 0 means 0.1.
	Cap float64
	// Slow is the quantile of progress rates below which a task is slow, SlowTaskThreshold, > 0
	// and at most 1; 0 means 0.25.
	Slow float64
	// Age is for how long a task has to have run before its rate is trusted, ≥ 0. Hadoop,
	// before LATE, waited for a minute.
	Age policy.Duration
}

// LATE copies the slow task that will end last: longest approximate time to end. Where machines
// differ, to copy whatever is behind the average, as Hadoop did, copies too much, and
// not what holds the job up.
//
// A task's progress rate is the share of its work that is done by the time for which it has
// run, and its time to end what is left by that rate. When there is a slot,
//
//  1. no copy is started if extra copies run in Cap of the cluster's slots already, nor in a
//     slot on a slow node, [Room.Slow];
//  2. of the tasks with one copy, those are candidates whose rate is below the Slow quantile
//     of the rates of all tasks of the phase;
//  3. the candidate with the longest time to end gets a copy; ties go to the lower task.
//
// It needs no t_new, and so works before a task of the phase has finished.
//
// The quantile is over tasks that run and tasks that are finished (whose rate is 1 by their
// runtime), and interpolates linearly between neighbours: otherwise the last
// task of a phase would never be slow. If all rates are equal none is. A task whose
// rate is not known is no candidate and not counted.
//
// Next takes O(n log n + log m) time with n tasks that run and m that are finished, and does not allocate once it
// has seen as many. [Nodes] tells which nodes are slow.
//
// # Source
//
// M. Zaharia, A. Konwinski, A. Joseph, R. Katz and I. Stoica, "Improving MapReduce performance in
// heterogeneous environments", OSDI 2008, section 4. That finished tasks count, and how the
// quantile is interpolated, are ours.
type LATE struct {
	config LATEConfig
	age    float64   // s
	rates  []float64 // of the tasks that run, increasing
}

// NewLATE returns the rule. The error names the field that is outside its range.
func NewLATE(c LATEConfig) (*LATE, error) {
	if c.Cap == 0 {
		c.Cap = 0.1
	}
	if c.Slow == 0 {
		c.Slow = 0.25
	}
	switch {
	case !(c.Cap > 0 && c.Cap <= 1):
		return nil, fmt.Errorf("hopper: LATEConfig.Cap is %v, want more than 0, at most 1, or 0 for 0.1", c.Cap)
	case !(c.Slow > 0 && c.Slow <= 1):
		return nil, fmt.Errorf("hopper: LATEConfig.Slow is %v, want more than 0, at most 1, or 0 for 0.25", c.Slow)
	case c.Age < 0:
		return nil, fmt.Errorf("hopper: LATEConfig.Age is %v, want at least 0 s", c.Age)
	}
	return &LATE{config: c, age: c.Age.Seconds()}, nil
}

// Next returns the slow task that will end last.
func (l *LATE) Next(p *Phase, r Room) (Move, bool) {
	if room := float64(l.config.Cap * float64(r.Slots)); r.Slow || float64(r.Copies) >= room-1e-9 { // 0.07 of 100 is 7
		return Move{}, false
	}
	threshold, ok := l.threshold(p)
	if !ok {
		return Move{}, false
	}
	best, longest := -1, math.Inf(-1)
	for i := range p.Running {
		r := &p.Running[i]
		if r.Copies == 1 && r.Elapsed >= l.age && r.Rate < threshold && r.Remaining > longest {
			best, longest = i, r.Remaining
		}
	}
	return p.duplicate(best)
}

// threshold returns the progress rate below which a task is slow, and false if no rate is known.
func (l *LATE) threshold(p *Phase) (rate float64, ok bool) {
	l.rates = l.rates[:0]
	for i := range p.Running {
		if rate := p.Running[i].Rate; !math.IsNaN(rate) {
			l.rates = append(l.rates, rate)
		}
	}
	n := len(l.rates) + p.Finished.Len()
	if n == 0 {
		return 0, false
	}
	slices.Sort(l.rates)
	return quantileOf(n, l.config.Slow, func(i int) float64 { return leastOfBoth(i, l.rates, &p.Finished) }), true
}

// leastOfBoth returns the i-th least of the rates and of those of tasks that finished with the given
// runtimes, both increasing. It takes O(log n) time.
func leastOfBoth(i int, rates []float64, runtimes *Runtimes) float64 {
	// finished returns the j-th least rate of a finished task.
	finished := func(j int) float64 { return 1 / runtimes.At(runtimes.Len()-1-j) }

	// Of the i least, low .. high are from rates: as few as leave none out that is less than one taken.
	low, high := max(0, i-runtimes.Len()), min(i, len(rates))
	for low < high {
		mid := (low + high) / 2
		if rates[mid] < finished(i-mid-1) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	switch j := i - low; {
	case low == len(rates):
		return finished(j)
	case j == runtimes.Len():
		return rates[low]
	default:
		return min(rates[low], finished(j))
	}
}

// quantileOf returns the p quantile of n > 0 values of which the i-th least is at(i), by linear
// interpolation between the two nearest. p is in [0, 1].
func quantileOf(n int, p float64, at func(i int) float64) float64 {
	h := float64(p * float64(n-1))
	i := min(int(h), n-1)
	low, part := at(i), h-float64(i)
	if part == 0 || i == n-1 {
		return low
	}
	high := at(i + 1)
	if high == low { // also if both are infinite
		return low
	}
	return low + float64(part*(high-low))
}
