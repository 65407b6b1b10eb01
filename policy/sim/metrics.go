package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"example.com/augur/estimate"
	"example.com/augur/policy"
)

// Metrics are the figures by which schedulers are compared. Times are in seconds. A figure without a value, such as
// the mean of no jobs, is NaN. Only jobs that are Done count, unless stated otherwise.
//
// The p-th percentile is the least value that at least p % of the values do not exceed (the inverse of the empirical
// distribution function, without interpolation).
type Metrics struct {
	Done     int // jobs all of whose tasks finished
	Failed   int // jobs that ended in any other way
	TimedOut int // those of the Failed that ran for their requested time: see [policy.Job].Limited

	// JCT is the job completion time, from submission to completion, also called
	// response time or flow time.
	MeanJCT, P50JCT, P90JCT, P99JCT float64
	// Wait is from a job's submission to the first start of a copy.
	MeanWait, P50Wait, P90Wait, P99Wait, MaxWait float64
	// Slowdown is the completion time over the ideal one ([JobRecord.Ideal]); jobs whose
	// ideal is 0 do not count. The ideal is at speed 1, so that on faster nodes a slowdown may be below 1.
	MeanSlowdown, MaxSlowdown float64
	// BoundedSlowdown is max(1, JCT / max(ideal, [SlowdownBound])), so that tiny jobs do not dominate.
	MeanBoundedSlowdown, P50BoundedSlowdown, MaxBoundedSlowdown float64
	// Fairness is Jain's index of the bounded slowdowns x of n jobs, (Σx)² / (n·Σx²): 1 if all are equally slow, 1/n
	// if one is infinitely slower than the others (R. Jain, D. Chiu and W. Hawe, "A quantitative measure of fairness
	// and discrimination for resource allocation in shared computer systems", DEC-TR-301, 1984).
	Fairness float64
	// Rho is the finish-time fairness of a job: its completion time divided by that in a share of its own, 1/n of the
	// cluster. n is the number of jobs present, itself included, averaged over its life. In its share a job takes its
	// ideal time, or longer if its work keeps the share's cores busy for longer: a lower bound, for nodes of speed 1.
	// Above 1 a job would have done better in its own share; Unfair is the fraction of such jobs. Jobs whose ideal is
	// 0 do not count (after K. Mahajan et al., "Themis: fair and efficient GPU cluster scheduling", NSDI 2020, which
	// measures n times the time alone on the whole cluster).
	MaxRho, Unfair float64

	Makespan    float64 // from the first submission to the last end of a job
	Utilization float64 // core-time held by copies over core-time of nodes that were there; named resources do not count
	Goodput     float64 // core-time of copies that finished, of jobs that are Done, over the same
	Wasted      float64 // core-seconds of all other copies, but for what was saved and gone on from

	Preemptions int     // suspensions; what was saved and stopped is in Stops
	Stops       int     // copies killed with Save
	Reloaded    float64 // core-seconds in which copies reloaded what was saved
	Copies      int     // copies started; a gang counts as one

	// MissRate is the fraction of jobs with a deadline, Done or not, that were not done by it.
	MissRate float64
	// Value is the sum of SLO.Utility of the deadlines that were met, NaN if no job has a deadline. A curve of threesigma's
	// Config.Utility is not known here.
	Value float64
}

// String returns the figures that most people look at, in one line: "100 jobs done, mean completion time 112 s, P99 1340 s; mean
// wait 48 s, longest 900 s; mean bounded slowdown 3.1; utilization 88 %". What has no value is left out.
func (m Metrics) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d jobs done", m.Done)
	for _, f := range [...]struct {
		before string
		value  float64
		unit   string
		some   bool
	}{
		{", failed ", float64(m.Failed), "", m.Failed > 0},
		{", mean completion time ", m.MeanJCT, " s", true}, {", P99 ", m.P99JCT, " s", true},
		{"; mean wait ", m.MeanWait, " s", true}, {", longest ", m.MaxWait, " s", true},
		{"; mean bounded slowdown ", m.MeanBoundedSlowdown, "", true}, {"; utilization ", 100 * m.Utilization, " %", true},
		{"; deadlines missed ", 100 * m.MissRate, " %", true}, {"; preemptions ", float64(m.Preemptions), "", m.Preemptions > 0},
	} {
		if f.some && !math.IsNaN(f.value) {
			b.WriteString(f.before + plain(f.value) + f.unit)
		}
	}
	return b.String()
}

// plain writes a number with three digits, and one of 1000 and more with all digits before the point.
func plain(x float64) string {
	if size := math.Abs(x); size >= 999.5 && size < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// SlowdownBound is the usual bound of bounded slowdowns (D. G. Feitelson, "Metrics for parallel job
// scheduling and their convergence", JSSPP 2001).
const SlowdownBound = 10 * time.Second

// Metrics computes the metrics of a run. It takes O(n log n) time for n jobs.
//
// After [Result.Trim] only r.Jobs count, except in the figures of the whole cluster: Makespan, Utilization, Goodput,
// Wasted, Preemptions, Stops, Reloaded and Copies.
func (r *Result) Metrics() Metrics {
	var m Metrics
	var jct, wait, slowdown, bounded []float64
	deadlines, missed, value, useful := 0, 0, 0.0, 0.0
	for _, jobs := range [...][]JobRecord{r.Jobs, r.Cut} {
		for i := range jobs {
			j := &jobs[i]
			m.Preemptions += j.Preemptions
			m.Stops += j.Stops
			m.Reloaded += j.Reloaded
			m.Copies += j.Copies
			m.Wasted += j.Wasted
			useful += j.Service - j.Wasted
		}
	}
	for i := range r.Jobs {
		j := &r.Jobs[i]
		if j.SLO != nil {
			deadlines++
			if j.MetDeadline() {
				value += j.SLO.Utility
			} else {
				missed++
			}
		}
		if !j.Done() {
			m.Failed++
			if j.Outcome == policy.TimedOut {
				m.TimedOut++
			}
			continue
		}
		m.Done++
		jct = append(jct, j.JCT().Seconds())
		wait = append(wait, j.FirstStart.Sub(j.Submitted).Seconds())
		if j.Ideal > 0 {
			slowdown = append(slowdown, float64(j.JCT())/float64(j.Ideal))
		}
		bounded = append(bounded, max(1, float64(j.JCT())/float64(max(j.Ideal, SlowdownBound))))
	}
	slices.Sort(jct)
	slices.Sort(wait)
	slices.Sort(bounded)
	m.MeanJCT, m.P50JCT, m.P90JCT, m.P99JCT = mean(jct), percentile(50, jct), percentile(90, jct), percentile(99, jct)
	m.MeanWait, m.P50Wait, m.P90Wait = mean(wait), percentile(50, wait), percentile(90, wait)
	m.P99Wait, m.MaxWait = percentile(99, wait), percentile(100, wait)
	m.MeanSlowdown, m.MaxSlowdown = mean(slowdown), math.NaN()
	if len(slowdown) > 0 {
		m.MaxSlowdown = slices.Max(slowdown)
	}
	m.MeanBoundedSlowdown, m.P50BoundedSlowdown, m.MaxBoundedSlowdown = mean(bounded), percentile(50, bounded), percentile(100, bounded)
	m.Fairness = jain(bounded)
	m.MaxRho, m.Unfair = r.unfair()
	m.Makespan = r.End.Sub(r.Begin).Seconds()
	m.Utilization, m.Goodput = r.Busy/r.Available, useful/r.Available
	m.MissRate, m.Value = math.NaN(), math.NaN()
	if deadlines > 0 {
		m.MissRate, m.Value = float64(missed)/float64(deadlines), value
	}
	return m
}

// jain returns Jain's index of positive numbers, NaN if there are none. No product is fused, so every processor gives
// the same.
func jain(x []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum, squares = sum+v, squares+float64(v*v)
	}
	return sum * sum / (float64(len(x)) * squares)
}

// A Comparison compares the completion times of two runs, job by job.
type Comparison struct {
	Jobs int // jobs that are Done in both runs and whose JCT in the second is not 0
	// RatioOfMeans is the mean JCT of the first run divided by that of the second, over these jobs; long jobs
	// dominate.
	RatioOfMeans float64
	// The percentiles are of the jobs' ratios, JCT in the first run over JCT in the second; all jobs count equally.
	P10Ratio, P50Ratio, P90Ratio float64
	// Faster and Slower are the fractions of these jobs whose ratio is below and above 1.
	Faster, Slower float64
}

// Compare compares two runs of the same jobs; ratios below 1 mean that a is faster. All figures are NaN if no job is
// Done in both. It takes O(n log n) time.
func Compare(a, b *Result) Comparison {
	times := make(map[policy.JobID]policy.Duration, len(b.Jobs))
	for i := range b.Jobs {
		if j := &b.Jobs[i]; j.Done() && j.JCT() > 0 {
			times[j.ID] = j.JCT()
		}
	}
	var first, second, ratios []float64
	faster, slower := 0, 0
	for i := range a.Jobs {
		j := &a.Jobs[i]
		if t, ok := times[j.ID]; ok && j.Done() {
			first = append(first, j.JCT().Seconds())
			second = append(second, t.Seconds())
			ratios = append(ratios, float64(j.JCT())/float64(t))
			switch {
			case j.JCT() < t:
				faster++
			case j.JCT() > t:
				slower++
			}
		}
	}
	slices.Sort(ratios)
	return Comparison{
		Jobs:         len(ratios),
		RatioOfMeans: mean(first) / mean(second),
		P10Ratio:     percentile(10, ratios), P50Ratio: percentile(50, ratios), P90Ratio: percentile(90, ratios),
		Faster: float64(faster) / float64(len(ratios)), Slower: float64(slower) / float64(len(ratios)),
	}
}

// mean returns the mean of x, NaN if x is empty or contains NaN. Unlike gonum's it is the same on every processor.
func mean(x []float64) float64 {
	var m estimate.Moments
	for _, v := range x {
		if m.Add(v) != nil {
			return math.NaN()
		}
	}
	return m.Sum() / float64(m.N())
}

func percentile(p float64, sorted []float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return stat.Quantile(p/100, stat.Empirical, sorted, nil)
}
