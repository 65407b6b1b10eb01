package wing

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/augur/dag"
	"example.com/augur/policy"
)

// A Dependent is a job that is expected to read the output of another one.
type Dependent struct {
	Queue    string
	Priority float64         // not NaN
	After    policy.Duration // from the submission of the job that it reads to its own
}

// RaiseConfig describes the Ranker of [NewRaise]. Ranker and Dependents are required.
type RaiseConfig struct {
	Ranker Ranker // says the priorities of the jobs by themselves
	// Dependents predicts which jobs will read the output of j: those of templates that have done so often enough (T1
	// of section 3), each after the median time that it took (T2). Neither caller nor callee changes the slice. Dependents of
	// other queues raise no job, since users' priorities are comparable within one queue only.
	Dependents func(j *policy.Job) []Dependent
	// LeadTime is how long before the expected dependent the job is raised, ≥ 0: long enough for the job to wait and run.
	// 0 means from its submission on.
	LeadTime policy.Duration
}

// NewRaise returns a Ranker that avoids priority inversion: a job has at least the priority of its expected dependents,
// before they arrive. To raise it when they arrive is mostly too late: a dependent whose input is missing has failed by
// then.
//
// Once raised, a job stays raised, since dependents may be late. For dependents that have arrived and wait see
// Config.Inherit of the [Scheduler]. NewRaise returns an error that names the field that is out of range.
//
// # Source
//
// Wing, section 4.4, footnote 9.
func NewRaise(c RaiseConfig) (Ranker, error) {
	switch {
	case c.Ranker == nil:
		return nil, errors.New("wing: RaiseConfig.Ranker is nil, want the priorities of jobs by themselves")
	case c.Dependents == nil:
		return nil, errors.New("wing: RaiseConfig.Dependents is nil, want a function that predicts dependents")
	case c.LeadTime < 0:
		return nil, fmt.Errorf("wing: RaiseConfig.LeadTime is %v, want 0 or more", c.LeadTime)
	}
	return &raise{c}, nil
}

type raise struct{ config RaiseConfig }

// Rank implements [Ranker]. It takes time in proportion to the dependents.
func (r *raise) Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time) {
	priority, until = r.config.Ranker.Rank(j, now)
	if math.IsNaN(priority) {
		priority = math.Inf(-1)
	}
	if until <= now {
		until = Never
	}
	dependents := r.config.Dependents(j)
	for i := range dependents {
		if d := &dependents[i]; d.Priority > priority && d.Queue == j.Queue && r.from(j, d) <= now {
			priority = d.Priority
		}
	}
	for i := range dependents {
		if d := &dependents[i]; d.Priority > priority && d.Queue == j.Queue {
			until = min(until, r.from(j, d))
		}
	}
	return priority, until
}

// from returns the instant from which on a dependent raises a job.
func (r *raise) from(j *policy.Job, d *Dependent) policy.Time {
	if r.config.LeadTime == 0 {
		return j.Submitted
	}
	return policy.Time(plus(plus(int64(j.Submitted), int64(d.After)), -int64(r.config.LeadTime)))
}

// Inherit appends to dst, for each node, the greatest priority of the node itself and of all nodes that depend on it,
// directly or not, and returns the longer slice. Use it to look further than one dependency ahead. Nodes are jobs or
// templates. Edges between templates may form cycles; those between jobs do not.
//
// It returns an error that names a priority that is NaN, or an edge to a node that does not exist. It takes O(n log n
// + m) time for n nodes and m edges.
func Inherit(dst, priorities []float64, edges []dag.Edge) ([]float64, error) {
	n := len(priorities)
	for i, p := range priorities {
		if math.IsNaN(p) {
			return dst, fmt.Errorf("wing: priority of node %d is %v, want a number", i, p)
		}
	}
	up := make([][]uint32, n) // of each node, those that it depends on
	for i, e := range edges {
		if uint64(e.From) >= uint64(n) || uint64(e.To) >= uint64(n) {
			return dst, fmt.Errorf("wing: edge %d is from %d to %d, want nodes below %d", i, e.From, e.To, n)
		}
		up[e.To] = append(up[e.To], e.From)
	}

	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(priorities[b], priorities[a]), cmp.Compare(a, b))
	})
	result := append(dst, priorities...)
	best := result[len(dst):]
	seen := make([]bool, n)
	var stack []uint32
	for _, i := range order { // the first to come by a node is the greatest
		if seen[i] {
			continue
		}
		seen[i] = true
		stack = append(stack, i)
		for len(stack) > 0 {
			d := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			best[d] = priorities[i]
			for _, u := range up[d] {
				if !seen[u] {
					seen[u] = true
					stack = append(stack, u)
				}
			}
		}
	}
	return result, nil
}
