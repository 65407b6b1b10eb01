package workload

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// OfferedLoad is the load that jobs offer to a cluster.
type OfferedLoad struct {
	// Begin and End enclose the middle 99 % of the arrivals: half a per cent of the jobs was
	// submitted before Begin, and half a per cent after End.
	Begin, End policy.Time
	// Work is the core-seconds of the jobs submitted from Begin to End.
	Work float64
}

// Span returns the length of the interval over which the load is measured, in seconds.
func (o OfferedLoad) Span() float64 { return o.End.Sub(o.Begin).Seconds() }

// Load returns the load offered to the given number of cores: work / (span · cores). It is NaN if the span is 0. [Capacity]
// counts the cores of nodes.
func (o OfferedLoad) Load(cores float64) float64 {
	if !(o.Span() > 0) {
		return math.NaN()
	}
	return o.Work / (o.Span() * cores)
}

// Capacity returns the cores of all nodes, each times the speed of its node: the core-seconds of work, as [Job.Work] counts
// them, that the nodes do in a second.
func Capacity(nodes []policy.Node) (cores float64) {
	for i := range nodes {
		cores += float64(float64(nodes[i].Cores) * nodes[i].Speed)
	}
	return cores
}

// Measure returns the offered load of jobs, which must be in order of submission. It panics if a job is nil.
func Measure(jobs []*Job) OfferedLoad {
	if len(jobs) == 0 {
		return OfferedLoad{}
	}
	cut := len(jobs) / 200
	o := OfferedLoad{Begin: jobs[cut].Submitted, End: jobs[len(jobs)-1-cut].Submitted}
	for _, j := range jobs {
		if o.Begin <= j.Submitted && j.Submitted <= o.End {
			o.Work += j.Work()
		}
	}
	return o
}

// ToLoad stretches the arrivals of jobs, by [Stretch], so that the jobs offer the given load to the given number of cores,
// as [Measure] measures it. Cores are of speed 1: a core of speed 2 counts as two, as [Capacity] counts. The load is exact up to
// the rounding of arrivals to nanoseconds. jobs must be in order of submission; load and cores must be finite and above 0.
// ToLoad returns new jobs and leaves the old ones unchanged.
//
// Named resources, such as GPUs, do not count. Where these are scarcer, add up what the jobs need of them and call Stretch.
//
// Let the arrivals last much longer than the longest job. Otherwise little waits, whatever the load, and the utilization of a
// simulation is lower, since it counts the time in which the last jobs end.
func ToLoad(jobs []*Job, cores, load float64) ([]*Job, error) {
	if !(cores > 0) || math.IsInf(cores, 0) {
		return nil, fmt.Errorf("workload: load of %v cores, want a finite number above 0", cores)
	}
	if !(load > 0) || math.IsInf(load, 0) {
		return nil, fmt.Errorf("workload: load is to be %v, want a finite number above 0", load)
	}
	if err := inOrder(jobs); err != nil {
		return nil, err
	}
	offered := Measure(jobs)
	if !(offered.Span() > 0) || !(offered.Work > 0) {
		return nil, fmt.Errorf("workload: %d jobs with %v core-seconds of work over %v s cannot be brought to a load, want both above 0",
			len(jobs), offered.Work, offered.Span())
	}
	stretched, err := Stretch(jobs, offered.Load(cores)/load)
	if err != nil {
		return nil, fmt.Errorf("workload: a load of %v of %v cores, where it is %v: %w", load, cores, offered.Load(cores), err)
	}
	return stretched, nil
}

func inOrder(jobs []*Job) error {
	for i := range jobs {
		if jobs[i] == nil {
			return isNil(i)
		}
		if i == 0 {
			continue
		}
		if a, b := jobs[i-1], jobs[i]; b.Submitted < a.Submitted {
			return fmt.Errorf("workload: job %d is submitted before job %d, which precedes it; want order of submission", b.ID, a.ID)
		}
	}
	return nil
}

// Stretch multiplies the times between arrivals by a factor, which must be finite and above 0. Runtimes do not change, so
// the load is divided by the factor. Deadlines keep their distance from submission. Stretch returns new jobs and leaves the
// old ones unchanged. The error names a job that is nil or would be submitted too late.
func Stretch(jobs []*Job, factor float64) ([]*Job, error) {
	if !(factor > 0) || math.IsInf(factor, 0) {
		return nil, fmt.Errorf("workload: arrivals stretched by %v, want a finite factor above 0", factor)
	}
	stretched := make([]*Job, len(jobs))
	for i, j := range jobs {
		if j == nil {
			return nil, isNil(i)
		}
		first := jobs[0].Submitted
		at := float64(first) + (float64(j.Submitted)-float64(first))*factor
		if !near(j.Submitted) || math.Abs(at) > float64(farthest) {
			return nil, tooFar(j, at/1e9)
		}
		// Not at, which is rounded to the precision of a float64 at that time.
		moved, err := move(j, first.Add(saturate.To[policy.Duration](math.Round(float64(j.Submitted.Sub(first))*factor))))
		if err != nil {
			return nil, err
		}
		stretched[i] = moved
	}
	return stretched, nil
}

// Window returns the jobs submitted in [from, to), moved so that from is instant 0. Deadlines keep
// their distance from submission; IDs and calendar times stay. Inputs outside the window are
// dropped, as if those jobs were done before it. Window returns new jobs and leaves the old ones
// unchanged. The error names a job that is nil or would be too far from instant 0.
func Window(jobs []*Job, from, to policy.Time) (in []*Job, err error) {
	if from >= to || !near(from) {
		return nil, fmt.Errorf("workload: a window from %v s to %v s, want it to end later than it begins, within 4.6e9 s of instant 0", from.Seconds(), to.Seconds())
	}
	for i, j := range jobs {
		if j == nil {
			return nil, isNil(i)
		}
		if from <= j.Submitted && j.Submitted < to {
			in = append(in, j)
		}
	}
	in = closed(in)
	for i, j := range in {
		if !near(j.Submitted) {
			return nil, fmt.Errorf("workload: job %d is submitted at %v s, want it within 4.6e9 s of instant 0", j.ID, j.Submitted.Seconds())
		}
		if in[i], err = move(j, policy.Time(j.Submitted.Sub(from))); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// farthest bounds instants so that the difference of two of them cannot overflow.
const farthest = policy.Time(math.MaxInt64 / 2)

func near(t policy.Time) bool { return -farthest <= t && t <= farthest }

// move returns a copy of j that is submitted at instant to.
func move(j *Job, to policy.Time) (*Job, error) {
	ok := near(j.Submitted) && near(to)
	if ok && j.SLO != nil {
		left := float64(j.SLO.Deadline) - float64(j.Submitted)
		ok = near(j.SLO.Deadline) && math.Abs(float64(to)+left) <= float64(farthest)
	}
	if !ok {
		return nil, tooFar(j, to.Seconds())
	}
	m := *j
	m.Submitted = to
	if j.SLO != nil {
		slo := *j.SLO
		slo.Deadline = to.Add(slo.Deadline.Sub(j.Submitted))
		m.SLO = &slo
	}
	return &m, nil
}

func tooFar(j *Job, to float64) error {
	return fmt.Errorf("workload: job %d is moved from %v s to %v s, want both, and its deadline at both, within 4.6e9 s of instant 0",
		j.ID, j.Submitted.Seconds(), to)
}

// closed returns the jobs without inputs that are not among them.
func closed(jobs []*Job) []*Job {
	ids := make(map[policy.JobID]bool, len(jobs))
	for _, j := range jobs {
		ids[j.ID] = true
	}
	list := slices.Clone(jobs)
	for i, j := range list {
		if j.Inputs == nil {
			continue
		}
		without := *j
		without.Inputs = nil
		left := slices.DeleteFunc(slices.Clone(j.Inputs.Jobs), func(id policy.JobID) bool { return !ids[id] })
		if len(left) > 0 {
			without.Inputs = &policy.Inputs{Jobs: left, Wait: j.Inputs.Wait}
		}
		list[i] = &without
	}
	return list
}
