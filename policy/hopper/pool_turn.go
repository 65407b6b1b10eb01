package hopper

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"example.com/augur/policy"
)

// Use says how many slots a job has now, 0 to 1e15, and whether it could use one more: a task of it
// waits, or a copy pays. A job that has just been set has none and wants none; [Pool.Set] keeps
// both. Shares do not depend on them. It is an error if the job is not there.
func (p *Pool) Use(id policy.JobID, slots float64, wants bool) error {
	if !(slots >= 0 && slots <= most) {
		return fmt.Errorf("hopper: job %d: slots in use are %v, must be 0 to %v", id, slots, most)
	}
	j := p.jobs.Get(id)
	if j == nil {
		return fmt.Errorf("hopper: job %d is not in the pool", id)
	}
	if wants != j.wants {
		if wants {
			p.wants++
		} else {
			p.wants--
		}
	}
	j.used, j.wants = slots, wants
	return nil
}

// Wants returns the number of jobs that could use one more slot, as of [Pool.Use].
func (p *Pool) Wants() int { return p.wants }

// Next returns the job whose turn the next slot is, and false if it is nobody's: the first that
// [Pool.Waiting] yields.
func (p *Pool) Next(short float64) (id policy.JobID, ok bool) {
	for id := range p.Waiting(short) {
		return id, true
	}
	return 0, false
}

// Waiting yields the jobs that want a slot and are short of some,
//
//	share - slots in use ≥ short
//
// by virtual size without weight, Level(Tail) * Tasks, least first; ties go to the lower ID. So
// with short 1-1e-9 they miss a whole slot of their share, and with 1e-9 a part of one. With
// math.Inf(-1) they are all that want, since a slot that nobody misses is better lent than idle. A
// job without tasks has size 0 and share 0, so it can but borrow.
//
// p must not change meanwhile.
func (p *Pool) Waiting(short float64) iter.Seq[policy.JobID] {
	return func(yield func(policy.JobID) bool) {
		type waiting struct {
			size float64
			id   policy.JobID
		}
		var all []waiting
		for id, j := range p.jobs.All() {
			if !j.wants {
				continue
			}
			if share, _ := p.Share(id); share-j.used >= short {
				size := 0.0
				if j.class != nil {
					size = j.class.level * j.tasks
				}
				all = append(all, waiting{size, id})
			}
		}
		slices.SortFunc(all, func(a, b waiting) int {
			return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.id, b.id))
		})
		for _, w := range all {
			if !yield(w.id) {
				return
			}
		}
	}
}
