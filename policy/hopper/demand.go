package hopper

import (
	"fmt"
	"math"
	"slices"
)

// A Demand is what a job asks for when slots are shared. Numbers are 0 to 1e15 where nothing
// else is said. Tasks and Weight count as 1e-100 if they are less, but not 0, and a Tail of more
// than 1e100 as that, so that products and quotients of them are numbers.
type Demand struct {
	// Tasks is the number of tasks left in the running phase, T, with those that run. A
	// job without any gets no slots, and is not counted where a share for each job is.
	// It need not be whole, as where tasks take several resources: of each take what part of the
	// cluster all the job's tasks would take, and the mean of these times the slots is Tasks
	// (section 6.3, footnote 2).
	Tasks float64
	// Tail is the shape of the Pareto tail of the tasks' runtimes, β, > 1; less is heavier.
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
// [Rate]: what the algorithms of this package are after. It is NaN if a Rate is, or if shares are not
// as many as jobs.
func Throughput(jobs []Demand, shares []float64) float64 {
	if len(jobs) != len(shares) {
		return math.NaN()
	}
	sum := 0.0
	for i := range jobs {
		sum += float64(jobs[i].Weight * Rate(shares[i], jobs[i].Tasks, jobs[i].Tail))
	}
	return sum
}

// most is the largest number of slots or tasks, and the largest weight; few is what less counts as, and
// light what larger tails do.
const (
	most  = 1e15
	few   = 1e-100
	light = 1e100
)

// bounded returns the demand as it counts.
func (d Demand) bounded() Demand {
	if d.Tasks > 0 {
		d.Tasks = max(d.Tasks, few)
	}
	if d.Weight > 0 {
		d.Weight = max(d.Weight, few)
	}
	d.Tail = min(d.Tail, light)
	return d
}

// bounded returns jobs that have been checked as they count: mostly just as they are.
func bounded(jobs []Demand) []Demand {
	own := false
	for i, d := range jobs {
		b := d.bounded()
		if b == d {
			continue
		}
		if !own {
			jobs, own = slices.Clone(jobs), true
		}
		jobs[i] = b
	}
	return jobs
}

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
		if !(d.Tail > 1) || math.IsInf(d.Tail, 1) {
			return fmt.Errorf("hopper: job %d: Tail is %v, must be finite and > 1", i, d.Tail)
		}
		for _, field := range [...]struct {
			name  string
			value float64
		}{{"Tasks", d.Tasks}, {"Weight", d.Weight}, {"Downstream", d.Downstream}, {"Floor", d.Floor}} {
			if !(field.value >= 0 && field.value <= most) {
				return fmt.Errorf("hopper: job %d: %s is %v, must be 0 to %v", i, field.name, field.value, most)
			}
		}
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
