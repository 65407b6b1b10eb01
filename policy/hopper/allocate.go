package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Demand is a job's demand for slots. Numbers are 0 to 1e15; Tasks and Weight are at least 1e-100 if they are not
// 0.
type Demand struct {
	// Tasks is the number of remaining tasks of the running phase, T, including those that run. A job without tasks
	// gets no slots, and [EpsilonFair] does not count it among those that share.
	//
	// It may be a fraction. If tasks need several resources, compute for each resource the fraction of the cluster
	// that all the job's tasks would take. Tasks is the mean of these fractions times the number of slots (section
	// 6.3, footnote 2).
	Tasks float64
	// Tail is the shape β of the Pareto tail of the tasks' runtimes, above 1 and at most 1e100. A smaller β is a
	// heavier tail.
	Tail float64
	// Weight is the value of one task's work, α. Give 1 to a phase that no other reads. If the next phase reads while
	// this one runs, it is
	//
	//	(what the next phase has yet to read / what this one has yet to do)^dampening
	//
	// with dampening from 0, where all weights are 1, to 1: see [DampeningHadoop]. Use the same units for all jobs; a
	// common factor of all weights cancels. A job of weight 0, the default, gets only its Floor. If all jobs with
	// tasks have weight 0, they all count as weight 1.
	Weight float64
	// Downstream is the remaining work of the transfer to the next phase, T′, in the unit of Tasks. It only breaks
	// ties: among jobs of the same worth and Tail, the one with the smaller max(Tasks, Downstream) goes first.
	Downstream float64
	// Floor is the number of slots that the job is guaranteed.
	Floor float64
}

// order is the key by which MaxSRPT orders jobs, least first: the larger of Tasks and Downstream.
//
// # Source
//
// Hopper, section 4.1.
func (d *Demand) order() float64 { return max(d.Tasks, d.Downstream) }

// maxAmount is the largest number of slots or tasks and the largest weight. minAmount is the least number of tasks and
// the least weight besides 0. Within these bounds products and quotients stay finite.
const (
	maxAmount = 1e15
	minAmount = 1e-100
	maxTail   = 1e100
)

// check checks the arguments of the allocators.
func check(slots float64, jobs []Demand) error {
	if !(slots >= 0 && slots <= maxAmount) {
		return fmt.Errorf("hopper: slots is %v, must be 0 to %v", slots, maxAmount)
	}
	for i, d := range jobs {
		switch {
		case !(d.Tasks == 0 || d.Tasks >= minAmount && d.Tasks <= maxAmount):
			return fmt.Errorf("hopper: job %d: Tasks is %v, must be 0, or %v to %v", i, d.Tasks, minAmount, maxAmount)
		case !(d.Weight == 0 || d.Weight >= minAmount && d.Weight <= maxAmount):
			return fmt.Errorf("hopper: job %d: Weight is %v, must be 0, or %v to %v", i, d.Weight, minAmount, maxAmount)
		case !(d.Tail > 1 && d.Tail <= maxTail):
			return fmt.Errorf("hopper: job %d: Tail is %v, must be > 1, at most %v", i, d.Tail, maxTail)
		case !(d.Downstream >= 0 && d.Downstream <= maxAmount):
			return fmt.Errorf("hopper: job %d: Downstream is %v, must be 0 to %v", i, d.Downstream, maxAmount)
		case !(d.Floor >= 0 && d.Floor <= maxAmount):
			return fmt.Errorf("hopper: job %d: Floor is %v, must be 0 to %v", i, d.Floor, maxAmount)
		}
	}
	return nil
}

// Allocate appends each job's slots to shares, in the order of jobs. It maximizes
//
//	sum of Weight * Rate(share, Tasks, Tail)
//
// subject to
//
//	sum of shares ≤ slots    and    share ≥ Floor
//
// for any mix of weights, tails and floors. If the first slots of two jobs are worth the same, the job with the
// lesser Tail goes first, then the one with the smaller max(Tasks, Downstream), then the earlier one in jobs. All
// slots are shared out, unless no job has tasks.
//
// It returns an error if the floors of jobs with tasks add up to more than slots; one part in 10⁹ more, which is
// rounding, is allowed. After any error it returns shares as they were. It takes O(n log n) time, and allocates 48
// bytes for each job, or twice that if all weights are 0.
//
// # How
//
// Rate is concave, so shares are optimal if moving a slot to another job gains nothing. Then there is a common water
// level x at which a job has
//
//	its floor                if x is below sqrt(1/(α * slope(β))): there the first slots begin to pay,
//	V                        above that, until x = max(2/β, 1) * sqrt((β-1)/α)
//	T * sqrt(α/(β-1)) * x    above that
//
// with V = max(2/β, 1) * T (without the weight) and slope as in [Rate], but never less than its floor. (x is 1/sqrt
// of the weighted slope of Rate. For β ≤ 2 the two levels are the same.) Allocate sorts the knees of these curves and
// lets the water rise from one knee to the next until the slots are used up; in the last stretch the sum is linear in
// x.
//
// # Source
//
// This library's own. It solves at once what Hopper solves separately: jobs of one phase (Pseudocode 1 and Algorithm
// 1, section 3.4), equal floors (Algorithm 2, section 3.5), weights with one tail (Algorithm 3, section 4.1) and two
// tails with one weight (Algorithm 4, section 4.2). Example (AsPrinted) has the four. Allocate has the throughput of
// Algorithms 1, 2 and 4 where they apply. Algorithm 3, as printed, often has less: it serves the first jobs of its
// order, whatever the later ones are worth.
func Allocate(shares []float64, slots float64, jobs []Demand) ([]float64, error) {
	if err := checkFloors(slots, jobs); err != nil {
		return shares, err
	}
	if !slices.ContainsFunc(jobs, func(d Demand) bool { return d.Tasks > 0 && d.Weight > 0 }) {
		jobs = slices.Clone(jobs)
		for i := range jobs {
			jobs[i].Weight = 1
		}
	}
	n := len(shares)
	shares = append(shares, make([]float64, len(jobs))...)
	fill(shares[n:], slots, jobs)
	return shares, nil
}

// EpsilonFair is [Allocate] with the same floor for all jobs, in place of their own:
//
//	Floor = (1 - ε) * slots / N
//
// with N the number of jobs with tasks. epsilon must be 0 to 1; the paper's experiments take 0.1. With ε = 1 no job has
// a floor; with ε = 0 all jobs get the same. It takes the time of Allocate, and allocates 40 bytes more for each job.
//
// # Source
//
// Hopper, section 3.5, Algorithm 2. With ε = 1 it is Algorithm 1 of section 3.4 and, except for rounding, Pseudocode 1,
// for jobs of one tail. Example (AsPrinted) of [Allocate] has them. In the formulae of that section ε is a number of
// slots, ours times slots/N.
func EpsilonFair(shares []float64, slots, epsilon float64, jobs []Demand) ([]float64, error) {
	if !(epsilon >= 0 && epsilon <= 1) {
		return shares, fmt.Errorf("hopper: epsilon is %v, must be 0 to 1", epsilon)
	}
	busy := 0
	for i := range jobs {
		if jobs[i].Tasks > 0 {
			busy++
		}
	}
	jobs = slices.Clone(jobs)
	for i := range jobs {
		jobs[i].Floor = (1 - epsilon) * slots / float64(max(busy, 1))
	}
	return Allocate(shares, slots, jobs)
}

// checkFloors checks jobs and the sum of their floors.
func checkFloors(slots float64, jobs []Demand) error {
	if err := check(slots, jobs); err != nil {
		return err
	}
	floors := 0.0
	for i := range jobs {
		if jobs[i].Tasks > 0 {
			floors += jobs[i].Floor
		}
	}
	if floors > slots*(1+1e-9) {
		return fmt.Errorf("hopper: floors are %v slots in all, must be at most %v, the number of slots", floors, slots)
	}
	return nil
}

// fill sets the shares, all 0, of jobs that have been checked.
func fill(shares []float64, slots float64, jobs []Demand) {
	pays, grows, fixed := knees(shares, jobs)
	p, g := 0, 0   // knees behind us
	growing := 0.0 // sum of T * growth of jobs that grow; fixed is the slots of the others
	for g < len(grows) {
		// A job's own two knees may be at one level: paying goes first.
		if p < len(pays) && pays[p].key <= grows[g].key {
			i := pays[p].job
			room := slots - fixed - growing*pays[p].key
			if room <= 0 {
				break
			}
			base := level(jobs[i].Tail) * jobs[i].Tasks
			if room <= base-shares[i] {
				shares[i] += room
				rise(shares, pays[p].key, jobs, grows[:g])
				return
			}
			fixed += base - shares[i]
			shares[i] = base
			p++
			continue
		}
		if fixed+growing*grows[g].key >= slots {
			break
		}
		i := grows[g].job
		fixed -= shares[i]
		growing += jobs[i].Tasks * growth(jobs[i].Weight, jobs[i].Tail)
		g++
	}
	if g == 0 {
		return
	}
	for _, k := range grows[:g] { // what is taken off a sum over and over leaves some of it
		shares[k.job] = 0
	}
	fixed = 0
	for _, share := range shares {
		fixed += share
	}
	rise(shares, (slots-fixed)/growing, jobs, grows[:g])
}

// knees gives jobs their floors. It returns the levels at which they begin to want their virtual size, and to grow,
// in the order in which the water reaches them, and the sum of the floors.
func knees(shares []float64, jobs []Demand) (pays []turn, grows []rank, fixed float64) {
	pays, grows = make([]turn, 0, len(jobs)), make([]rank, 0, len(jobs))
	for i := range jobs {
		d := &jobs[i]
		if d.Tasks == 0 {
			continue
		}
		shares[i] = d.Floor
		fixed += d.Floor
		if d.Weight == 0 {
			continue
		}
		grow := growsAt(d.Weight, d.Tail)
		if d.Floor < level(d.Tail)*d.Tasks {
			pays = append(pays, turn{rank{paysAt(d.Weight, d.Tail), i}, d.Tail, d.order()})
		} else {
			grow = max(grow, d.Floor/(d.Tasks*growth(d.Weight, d.Tail)))
		}
		grows = append(grows, rank{grow, i})
	}
	slices.SortFunc(pays, turn.compare)
	slices.SortFunc(grows, rank.compare)
	return pays, grows, fixed
}

// rise sets the shares of jobs that grow, with the water at x.
func rise(shares []float64, x float64, jobs []Demand, grows []rank) {
	for _, k := range grows {
		d := &jobs[k.job]
		shares[k.job] = max(d.Floor, d.Tasks*growth(d.Weight, d.Tail)*x)
	}
}

// growth is the slots for each task of a growing job when the water is at 1.
func growth(weight, tail float64) float64 { return math.Sqrt(weight / (tail - 1)) }

// growsAt is the level above which a job has more than its virtual size.
func growsAt(weight, tail float64) float64 { return level(tail) * math.Sqrt((tail-1)/weight) }

// paysAt is the level at which the first slots of a job pay.
func paysAt(weight, tail float64) float64 {
	if tail > 2 {
		return math.Sqrt(1 / weight)
	}
	return growsAt(weight, tail)
}

// A rank is a job's index and its sort key.
type rank struct {
	key float64
	job int
}

func (a rank) compare(b rank) int { return cmp.Or(cmp.Compare(a.key, b.key), a.job-b.job) }

// A turn is a rank whose ties go by the jobs' tails, and then by their order.
type turn struct {
	rank
	tail, order float64
}

func (a turn) compare(b turn) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.tail, b.tail), cmp.Compare(a.order, b.order), a.job-b.job)
}
