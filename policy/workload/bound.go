package workload

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// MeanBound returns a lower bound, in seconds, of the mean completion time of jobs on these nodes: no schedule has a lesser
// mean, even if it knows all runtimes, stops tasks and lets them go on elsewhere. Only another copy of a task that is shorter
// than the first one can do better. Nodes count by their cores and speeds, and other resources do not. The bound is NaN without
// jobs or nodes. Jobs must be valid and in order of submission, and nodes valid, or else it is no bound.
//
// It takes O(n log n) time for n jobs, thirty times over, and 100 bytes for each job.
//
// # Bounds
//
// Let job j have the work W_j, in core-seconds, and let it be submitted at r_j and completed at C_j. The bound is the larger
// of two. Each relaxes the cluster to one machine that does A core-seconds of work a second, with A the [Capacity]. Let s be the
// largest speed.
//
// One machine: SRPT has the least sum of the C_j on it.
//
// Mean busy times: Let M_j be the mean, over the work of job j, of the instant at which that work is done. A unit of work,
// which is a task or a gang, has w cores and runs for p at speed 1. Half of it is done p/(2·s) before it ends, or earlier,
// since no node is faster. Its mean busy time is at most C_j - p/(2·s) therefore, and that of the whole job at most
//
//	M_j ≤ C_j - c_j    with c_j = Σ w·p² / (2·s·W_j), over its units
//
// In the same way c_j can be W_j/(2·A), since the machine does no more. Besides, a job takes at least [Job.Ideal] over s, L_j.
// So for any 0 ≤ λ_j ≤ 1
//
//	Σ (C_j - r_j) ≥ Σ λ_j·(M_j + c_j - r_j) + (1-λ_j)·L_j
//
// The least Σ λ_j·M_j has the machine that always serves, of the jobs that are there, the one with the largest λ_j/W_j and
// stops others for it. The right side is concave in λ. A few steps along its gradient look for a good λ; any λ is right.
//
// # Source
//
// SRPT: L. Schrage, "A proof of the optimality of the shortest remaining processing time discipline", Operations Research
// 16(3), 1968. Mean busy times: M. X. Goemans, M. Queyranne, A. S. Schulz, M. Skutella and Y. Wang, "Single machine
// scheduling with release dates", SIAM Journal on Discrete Mathematics 15(2), 2002. The sum over the units, the critical
// path, the speeds and λ are ours.
func MeanBound(jobs []*Job, nodes []policy.Node) float64 {
	if len(jobs) == 0 || len(nodes) == 0 {
		return math.NaN()
	}
	cores, fastest := Capacity(nodes), 0.0
	for i := range nodes {
		fastest = max(fastest, nodes[i].Speed)
	}
	all := make([]served, len(jobs))
	for i, j := range jobs {
		all[i] = newServed(j, jobs[0], cores, fastest)
	}
	serve(all, func(a, b *served) int { return cmp.Compare(a.left, b.left) })
	srpt := 0.0
	for i := range all {
		srpt += all[i].end - all[i].submitted
	}
	return max(srpt, meanBusy(all)) / float64(len(jobs))
}

// served is a job on the one machine. Times are in seconds.
type served struct {
	submitted float64 // since the first job
	length    float64 // on the machine
	least     float64 // L
	after     float64 // c: it is completed that long after its mean busy time, or later

	left, end float64
	busy      float64 // from its submission to its mean busy time, M - r
	weight    float64 // λ
}

func newServed(j, first *Job, cores, fastest float64) served {
	s := served{submitted: j.Submitted.Sub(first.Submitted).Seconds(), least: j.Ideal().Seconds() / fastest, weight: 1}
	work, squares := 0.0, 0.0
	for i, tasks := range j.Runtimes {
		width := float64(j.Stages[i].Cores)
		if j.Stages[i].Gang {
			width, tasks = width*float64(len(tasks)), []policy.Duration{slices.Max(tasks)}
		}
		for _, d := range tasks {
			work += width * d.Seconds()
			squares += width * d.Seconds() * d.Seconds()
		}
	}
	if s.length = work / cores; work > 0 {
		s.after = max(squares/work/fastest, s.length) / 2
	}
	return s
}

// serve runs the jobs on the machine in an order, which may look at what is left of them. A job stops if one comes that goes
// before it.
func serve(jobs []served, order func(a, b *served) int) {
	waiting := queue.NewHeap(order)
	now, next := 0.0, 0
	for next < len(jobs) || waiting.Len() > 0 {
		if waiting.Len() == 0 {
			now = max(now, jobs[next].submitted)
		}
		for ; next < len(jobs) && jobs[next].submitted <= now; next++ {
			j := &jobs[next]
			if j.left, j.busy, j.end = j.length, 0, j.submitted; j.length > 0 {
				waiting.Push(j)
			}
		}
		j, ok := waiting.Pop()
		if !ok {
			continue
		}
		j.end = now + j.left
		if next < len(jobs) && jobs[next].submitted < j.end {
			j.end = jobs[next].submitted
			j.left -= j.end - now
			waiting.Push(j)
		}
		j.busy += (j.end - now) / j.length * ((now+j.end)/2 - j.submitted)
		now = j.end
	}
}

// meanBusy returns the best bound by mean busy times that it finds.
func meanBusy(jobs []served) (best float64) {
	for step := range 30 {
		serve(jobs, func(a, b *served) int { return cmp.Compare(b.weight*a.length, a.weight*b.length) })
		sum := 0.0
		for i := range jobs {
			j := &jobs[i]
			flow := j.busy + j.after
			sum += j.weight*flow + (1-j.weight)*j.least
			if all := flow + j.least; all > 0 {
				j.weight = min(1, max(0, j.weight+(flow-j.least)/all*3/float64(step+1)))
			}
		}
		best = max(best, sum)
	}
	return best
}
