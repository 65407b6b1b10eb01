package hopper

import "fmt"

// A Demand is what a job asks for when slots are shared. Numbers are 0 to 1e15; Tasks and Weight are
// at least 1e-100 if they are not 0.
type Demand struct {
	// Tasks is the number of tasks left in the running phase, T, with those that run. A
	// job without any gets no slots, and is not counted where a share for each job is.
	// It need not be whole, as where tasks take several resources: of each take what part of the
	// cluster all the job's tasks would take, and the mean of these times the slots is Tasks
	// (section 6.3, footnote 2).
	Tasks float64
	// Tail is the shape of the Pareto tail of the tasks' runtimes, β, above 1, at most 1e100; less is
	// heavier.
	Tail float64
	// Weight is what one task's worth of work is worth, α. Give 1 to a phase that no other reads. If
	// the next phase reads while this one runs, it is
	//
	//	(what the next phase has yet to read / what this one has yet to do)^dampening
	//
	// in units that are the same for all jobs, since a common factor of all weights cancels, with
	// dampening from 0, where all have weight 1, to 1: see [DampeningHadoop]. A job of weight 0, as
	// where it is left out, gets only its Floor. If all jobs with tasks have weight 0, all have the same
	// weight, 1.
	Weight float64
	// Downstream is the work left in the transfer to the next phase, T′, in the unit of Tasks. It
	// decides no more than the order of jobs that are worth the same: the lesser one of Tasks and T′,
	// whichever is more, goes first.
	Downstream float64
	// Floor is the number of slots that the job has to have.
	Floor float64
}

// order is by what MaxSRPT orders jobs, least first: the larger of Tasks and Downstream.
//
// # Source
//
// Hopper, section 4.1.
func (d *Demand) order() float64 { return max(d.Tasks, d.Downstream) }

// Throughput returns the weighted rate of jobs with so many slots each, the sum of Weight *
// [Rate]: what the algorithms of this package are after. The error says that shares are not as many as
// jobs, or which job or share is outside its range; shares are 0 to 1e15.
func Throughput(jobs []Demand, shares []float64) (float64, error) {
	if len(jobs) != len(shares) {
		return 0, fmt.Errorf("hopper: %d shares for %d jobs, must be as many", len(shares), len(jobs))
	}
	if err := check(0, jobs); err != nil {
		return 0, err
	}
	sum := 0.0
	for i := range jobs {
		if !(shares[i] >= 0 && shares[i] <= most) {
			return 0, fmt.Errorf("hopper: job %d: its share is %v, must be 0 to %v", i, shares[i], most)
		}
		sum += float64(jobs[i].Weight * Rate(shares[i], jobs[i].Tasks, jobs[i].Tail))
	}
	return sum, nil
}

// most is the largest number of slots or tasks, and the largest weight; few is the least number of tasks
// and the least weight that is not 0, and light the largest tail, so that products and quotients of them are
// numbers.
const (
	most  = 1e15
	few   = 1e-100
	light = 1e100
)

func checkSlots(slots float64) error {
	if !(slots >= 0 && slots <= most) {
		return fmt.Errorf("hopper: slots is %v, must be 0 to %v", slots, most)
	}
	return nil
}

// check checks what all allocators are given.
func check(slots float64, jobs []Demand) error {
	if err := checkSlots(slots); err != nil {
		return err
	}
	for i := range jobs {
		d := &jobs[i]
		if err := d.check(uint64(i)); err != nil {
			return err
		}
		if !(d.Downstream >= 0 && d.Downstream <= most) {
			return fmt.Errorf("hopper: job %d: Downstream is %v, must be 0 to %v", i, d.Downstream, most)
		}
		if !(d.Floor >= 0 && d.Floor <= most) {
			return fmt.Errorf("hopper: job %d: Floor is %v, must be 0 to %v", i, d.Floor, most)
		}
	}
	return nil
}

// check checks what a [Pool] reads of the demand of a job.
func (d *Demand) check(job uint64) error {
	switch {
	case !(d.Tasks == 0 || d.Tasks >= few && d.Tasks <= most):
		return fmt.Errorf("hopper: job %d: Tasks is %v, must be 0, or %v to %v", job, d.Tasks, few, most)
	case !(d.Weight == 0 || d.Weight >= few && d.Weight <= most):
		return fmt.Errorf("hopper: job %d: Weight is %v, must be 0, or %v to %v", job, d.Weight, few, most)
	case !(d.Tail > 1 && d.Tail <= light):
		return fmt.Errorf("hopper: job %d: Tail is %v, must be > 1, at most %v", job, d.Tail, light)
	}
	return nil
}

// counts reports whether a job gets more than its floor. weighted is false if all weights
// are 0, which counts as all being 1.
func (d *Demand) counts(weighted bool) bool {
	return d.Tasks > 0 && (d.Weight > 0 || !weighted)
}

func (d *Demand) weight(weighted bool) float64 {
	if !weighted {
		return 1
	}
	return d.Weight
}

// anyWeight reports whether a job with tasks has a weight.
func anyWeight(jobs []Demand) bool {
	for i := range jobs {
		if jobs[i].Tasks > 0 && jobs[i].Weight > 0 {
			return true
		}
	}
	return false
}
