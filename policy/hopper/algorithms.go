package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// A Demand is a job's demand for slots. Numbers are 0 to 1e15; Tasks and Weight are at least 1e-100 if they are not
// 0.
type Demand struct {
	// Tasks is the number of remaining tasks of the running phase, T, including those that run. A job without tasks
	// gets no slots, and [EpsilonFair] does not count it among those that share.
	//
	// It may be a fraction. If tasks need several resources, it is the mean, over the resources, of the fraction of the
	// cluster that all the job's tasks would take, times the number of slots (section 6.3, footnote 2).
	Tasks float64
	// Tail is the shape β of the Pareto tail of the tasks' runtimes, above 1 and at most 1e100. A smaller β is a
	// heavier tail.
	Tail float64
	// Weight is the value of one task's work, α; 0 means 1, the weight of a phase that no other reads. If the next
	// phase reads while this one runs, it is
	//
	//	(what the next phase has yet to read / what this one has yet to do)^dampening
	//
	// with dampening from 0, where all weights are 1, to 1: see [DampeningHadoop]. Use the same units for all jobs; a
	// common factor of all weights cancels.
	Weight float64
	// Downstream is the remaining work of the transfer to the next phase, T′, in the unit of Tasks. It only breaks
	// ties: among jobs of the same worth, the one with the smaller max(Tasks, Downstream) goes first.
	Downstream float64
}

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
		}
	}
	return nil
}

// Allocate appends each job's slots to shares, in the order of jobs. It maximizes the sum of Weight * [Rate] over all
// jobs, for any mix of weights and tails. If the first slots of two jobs are worth the same, the job with the smaller
// max(Tasks, Downstream) goes first, then the earlier one in jobs. All slots are shared out, unless no job has tasks.
//
// After an error it returns shares as they were. It takes O(n log n) time, and allocates 56 bytes for each job.
//
// # Source
//
// Hopper, Algorithm 4 (section 4.2), for any number of tails and with weights. With one tail it is Pseudocode 1 and
// Algorithm 1 (section 3.4), except for rounding. With weights it has at least the throughput of Algorithm 3 (section
// 4.1), which as printed serves the first jobs of its order, whatever the later ones are worth. Example (AsPrinted),
// in example_algorithms_test.go, has all four.
func Allocate(shares []float64, slots float64, jobs []Demand) ([]float64, error) {
	return EpsilonFair(shares, slots, 1, jobs)
}

// EpsilonFair is [Allocate] such that no job with tasks has less than
//
//	(1 - ε) * slots / N
//
// with N the number of jobs with tasks. epsilon must be 0 to 1; the thesis' experiments take 0.1. With ε = 0 all jobs
// get the same.
//
// # Source
//
// Hopper, Algorithm 2 (section 3.5). In its formulae ε is a number of slots, ours times slots/N.
func EpsilonFair(shares []float64, slots, epsilon float64, jobs []Demand) ([]float64, error) {
	if !(epsilon >= 0 && epsilon <= 1) {
		return shares, fmt.Errorf("hopper: epsilon is %v, must be 0 to 1", epsilon)
	}
	if err := check(slots, jobs); err != nil {
		return shares, err
	}
	seats, line := make([]seat, len(jobs)), make([]*seat, 0, len(jobs))
	for i := range jobs {
		if jobs[i].Tasks > 0 {
			seats[i] = jobs[i].seat(policy.JobID(i))
			line = append(line, &seats[i])
		}
	}
	slices.SortFunc(line, byPlace)
	w := water{slots: slots, epsilon: epsilon}
	w.settle(line)
	for i := range seats {
		shares = append(shares, w.share(&seats[i]))
	}
	return shares, nil
}

// A seat is a job among those that share.
type seat struct {
	id    policy.JobID
	pays  float64 // the water level above which its first slots pay: 1/sqrt of what one is worth; 0: it has no tasks
	order float64 // max(T, T′)
	size  float64 // its virtual size, V
	grow  float64 // when the water stands at x, it has a use for grow * x slots, if that is more than V
	used  float64 // slots that it has; +Inf if it has no use for another one
}

// byPlace is the order in which jobs are served: first those whose first slots are worth most, and among equals those
// with the fewest tasks.
func byPlace(a, b *seat) int {
	return cmp.Or(cmp.Compare(a.pays, b.pays), cmp.Compare(a.order, b.order), cmp.Compare(a.id, b.id))
}

// seat returns the seat of a job with tasks.
func (d *Demand) seat(id policy.JobID) seat {
	root := math.Sqrt(d.Tail - 1)
	if d.Weight > 0 {
		root /= math.Sqrt(d.Weight)
	}
	pays := level(d.Tail) * root
	if d.Tail > 2 {
		pays = 1 / math.Sqrt(cmp.Or(d.Weight, 1)) // so that equal weights are exactly equal
	}
	return seat{id: id, pays: pays, order: max(d.Tasks, d.Downstream), size: level(d.Tail) * d.Tasks, grow: d.Tasks / root}
}

// water shares slots among jobs that stand in line, by place.
//
// The first V slots of a job are worth the same each. Beyond V another slot is worth α·T²/((β-1)·S²), the derivative of
// α times its [Rate]. Rate is concave, so shares are optimal if moving a slot to another job gains nothing: another slot is
// worth the same, λ, to each job that has more than V. The water level is x = 1/sqrt(λ). A job has
//
//	its floor                              if x is below (2/β)·sqrt((β-1)/α), or sqrt(1/α) for β > 2: there its slots begin to pay
//	max(floor, V, T·sqrt(α/(β-1))·x)       if x is above
//
// The level stands where the slots are used up. Either the water rises there, or one job, the one at the edge, has a part of V.
type water struct {
	slots, epsilon float64

	floor float64 // of each job
	level float64
	edge  int     // jobs before it have what the level says, those behind it have the floor,
	last  seat    // and this one, at the edge,
	over  float64 // has that
}

// settle finds the level. It takes O(k log k) time if the slots reach k jobs, and O(k) if they reach about as many as
// they did last time, since it begins to look there.
func (w *water) settle(line []*seat) {
	w.floor = (1 - w.epsilon) * w.slots / float64(max(1, len(line)))
	lo, hi, taken := 0, len(line), 0.0 // the edge is from lo to hi, and so much is taken before hi
	for k, step := w.edge, 1; lo < hi; step *= 2 {
		k = min(max(k, lo), hi-1)
		if sum := w.taken(line, k); sum+max(0, line[k].size-w.floor) >= w.slots {
			hi, taken = k, sum
		} else {
			lo = k + 1
		}
		switch {
		case lo == 0:
			k = hi - step
		case hi == len(line):
			k = lo + step
		default:
			k = (lo + hi) / 2
		}
	}
	w.edge, w.last, w.over = lo, seat{pays: math.Inf(1)}, w.floor
	if lo < len(line) {
		w.last = *line[lo]
		if left := w.slots - taken; left >= 0 {
			w.level, w.over = line[lo].pays, w.floor+left
			return
		}
	}
	w.rise(line)
}

// taken returns how many slots are taken when the water comes to the k-th job.
func (w *water) taken(line []*seat, k int) float64 {
	floor, level := w.floor, line[k].pays
	sum := floor * float64(len(line)-k)
	for _, s := range line[:k] {
		sum += max(floor, s.size, s.grow*level)
	}
	return sum
}

// rise sets the level at which the jobs before the edge take all slots that the others leave. At first all of them are
// taken to have more than V and the floor, which is too much. Then the level falls, and ever fewer have.
func (w *water) rise(line []*seat) {
	for w.level = math.Inf(1); ; {
		rest, growing := w.slots-w.floor*float64(len(line)-w.edge), 0.0
		for _, s := range line[:w.edge] {
			if s.grow*w.level > max(w.floor, s.size) {
				growing += s.grow
			} else {
				rest -= max(w.floor, s.size)
			}
		}
		level := rest / growing
		if !(level < w.level) {
			return
		}
		w.level = level
	}
}

// share returns the slots of a job.
func (w *water) share(s *seat) float64 {
	if s.pays == 0 {
		return 0
	}
	switch order := byPlace(s, &w.last); {
	case order < 0:
		return max(w.floor, s.size, s.grow*w.level)
	case order == 0:
		return w.over
	}
	return w.floor
}
