package hopper

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/queue"
)

// AllocateWhole is [Allocate] in whole slots: it appends to dst the slots of each job, in the order of
// jobs, for which
//
//	sum of Weight * Rate(slots, Tasks, Tail)
//
// is the greatest there is. Rounding what Allocate returns gives less: the part of a slot that one job
// loses may be worth more to another job than to the one that gets it.
//
// Each job has at least its Floor rounded down. There may be too few slots to round all floors up, so
// only their sum is rounded up: the slots that this adds go to jobs whose Floor is not whole, one to
// each, and first to those to which it is worth most. A number counts as whole if one part in 1e9 would
// make it so, but at most a millionth of a slot. For the floors of [EpsilonFair] set each Floor to
// (1 - ε) * slots / N.
//
// Where a slot is worth the same to several jobs, they go in the order of Allocate. All slots are given
// away, unless no job has tasks. slots must be 0 to [math.MaxInt32]. Errors are those of Allocate, and
// leave dst as it was. It takes O(n log n) time for n jobs, however many slots there are, and allocates
// 200 to 350 bytes for each job.
//
// # How
//
// Rate is concave: the next slot of a job is never worth more than its last one. So it is best to give
// slots one by one, each to the job to which it is worth most (B. Fox, "Discrete optimization via
// marginal analysis", Management Science 13(3), 1966). Most of these steps are done at once, by
// rounding down what Allocate gives for n slots fewer. The slots that this gives are worth at least as
// much as any other slot, save those that rounding up would give. There are at most n of those, for
// which there is room, so what is rounded down is a part of a best allocation.
//
// # Source
//
// Ours. Pseudocode 1 of Hopper rounds down job by job, and leaves slots without a job.
func AllocateWhole(dst []int, slots int, jobs []Demand) ([]int, error) {
	if slots > math.MaxInt32 {
		return dst, fmt.Errorf("hopper: slots is %d, must be 0 to %d", slots, math.MaxInt32)
	}
	floors, err := checkFloors(float64(slots), jobs)
	if err != nil {
		return dst, err
	}
	whole, used := make([]int, len(jobs)), 0
	for i := range jobs {
		if jobs[i].Tasks == 0 {
			continue
		}
		if jobs[i].Floor >= float64(slots-used)+1 { // checkFloors allows for a sum that rounding made too large
			return dst, floorsError(floors, float64(slots))
		}
		whole[i] = int(jobs[i].Floor)
		used += whole[i]
	}
	weighted := anyWeight(jobs)
	used += roundUp(whole, min(slots, int(math.Ceil(floors-rounding(floors))))-used, jobs, weighted)
	used = mostSlots(whole, slots, used, jobs)

	next := queue.NewHeap(turn.compare)
	for i := range jobs {
		if d := &jobs[i]; d.counts(weighted) {
			next.Push(d.turn(i, whole[i], weighted))
		}
	}
	for ; used < slots && next.Len() > 0; used++ {
		t, _ := next.Pop()
		whole[t.job]++
		next.Push(jobs[t.job].turn(t.job, whole[t.job], weighted))
	}
	return append(dst, whole...), nil
}

// rounding is by how much rounding may have changed a floor, or the sum of floors.
func rounding(floor float64) float64 { return min(1e-9*floor, 1e-6) }

// roundUp gives so many slots to jobs whose Floor is not whole, and returns how many it has given. Those whose Floor is
// whole but for rounding go first.
func roundUp(whole []int, slots int, jobs []Demand, weighted bool) int {
	var short []turn
	for i := range jobs {
		d := &jobs[i]
		part, eps := d.Floor-float64(whole[i]), rounding(d.Floor)
		if d.Tasks == 0 || part <= eps {
			continue
		}
		t := d.turn(i, whole[i], weighted)
		if part >= 1-eps {
			t.key = math.Inf(-1)
		}
		short = append(short, t)
	}
	slices.SortFunc(short, turn.compare)
	short = short[:max(0, min(slots, len(short)))]
	for _, t := range short {
		whole[t.job]++
	}
	return len(short)
}

// mostSlots gives away most slots at once, those of [Allocate] with one slot less for each job, and returns how many are
// used then.
func mostSlots(whole []int, slots, used int, jobs []Demand) int {
	fewer := slots - len(jobs)
	if used >= fewer {
		return used
	}
	jobs = slices.Clone(jobs)
	for i := range jobs {
		jobs[i].Floor = float64(whole[i])
	}
	shares := make([]float64, len(jobs))
	fill(shares, float64(fewer), jobs)
	used = 0
	for i, share := range shares {
		whole[i] = int(share)
		used += whole[i]
	}
	return used
}

// turn is when a job is next that has so many slots: jobs to which one more is worth most go first.
func (d *Demand) turn(job, slots int, weighted bool) turn {
	worth := 0.0
	if d.counts(weighted) {
		worth = d.weight(weighted) * d.next(float64(slots))
	}
	return turn{rank{-worth, job}, d.Tail, d.order()}
}

// next returns by how much [Rate] rises from so many slots, which are whole, to one more. It does not take one rate
// from another, of which little would be left, and what is linear has equal steps.
func (d *Demand) next(slots float64) float64 {
	best := float64(level(d.Tail) * d.Tasks)
	below := min(1, max(0, best-slots)) // the part of the slot that is below the virtual size
	above := max(slots, best)
	// T²/((β-1) S) falls by this from S = above to slots + 1.
	return float64(slope(d.Tail)*below) + float64(d.Tasks/above*((1-below)/(slots+1))*(d.Tasks/(d.Tail-1)))
}
