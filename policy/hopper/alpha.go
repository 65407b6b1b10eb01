package hopper

import (
	"fmt"
	"math"

	"example.com/augur/estimate"
)

// Dampening values that section 6.2.1 found best.
const (
	DampeningSpark  = 0.8 // data in memory: what jobs wait for is the network
	DampeningHadoop = 0.3 // most of the time is in the map phase
)

// Alpha returns the weight α of a job whose running phase feeds another one:
//
//	(transfer / work)^dampening
//
// with transfer what the phase downstream has yet to read, and work what the running phase
// has yet to do. The units of the two do not matter if they are the same for all jobs, since
// a common factor of all weights cancels. Both are finite and at least 0, and work is not 0, for then
// the phase is over. dampening is 0 to 1: 1 is as measured, 0 gives every job the weight 1.
//
// A job that has nothing left to transfer has weight 0, and then no slots beside jobs that have. So give
// weight 1 to a phase that no other phase reads, as the last of a job, unless it is to wait.
//
// # Source
//
// Hopper, sections 4.1, 5.2 and 6.2.1. The paper does not say how the dampening value acts; as an
// exponent it keeps a common factor of all weights a common factor.
func Alpha(transfer, work, dampening float64) (float64, error) {
	switch {
	case !(transfer >= 0) || math.IsInf(transfer, 1):
		return 0, fmt.Errorf("hopper: transfer is %v, must be finite and ≥ 0", transfer)
	case !(work > 0) || math.IsInf(work, 1):
		return 0, fmt.Errorf("hopper: work is %v, must be finite and > 0", work)
	case !(dampening >= 0 && dampening <= 1):
		return 0, fmt.Errorf("hopper: dampening is %v, must be 0 to 1", dampening)
	}
	return min(most, math.Pow(transfer/work, dampening)), nil
}

// A Flow is the data of a running phase, and of what the next one has read of it, in bytes.
// All are finite and at least 0, Consumed is at most Input, and Read at most Output.
type Flow struct {
	Input    float64 // of all its tasks
	Consumed float64 // of Input, that of the tasks that have ended
	Output   float64 // what these have written
	Read     float64 // of Output, what the next phase has read
}

// Ratio returns the bytes of output for each byte of input of the tasks that have ended, and false
// if none has, or none had input. Within a phase it varies little: by 7 % in the median, says
// section 5.2.
func (f *Flow) Ratio() (ratio float64, ok bool) {
	return f.Output / f.Consumed, f.Consumed > 0
}

// Transfer returns how much the next phase has yet to read, if the tasks that have not ended write
// ratio bytes for each byte of input:
//
//	Output + ratio * (Input - Consumed) - Read
//
// Use the phase's own [Flow.Ratio] where there is one, else that of like jobs: [Ratios].
//
// # Source
//
// Hopper, section 5.2.
func (f *Flow) Transfer(ratio float64) float64 {
	return max(0, f.Output-f.Read+float64(ratio*(f.Input-f.Consumed)))
}

// Work returns what the phase has yet to write with that ratio: the work left as section 5.2 has
// it, where section 4.1 has the number of tasks left. With it α is 1 for every job that has not
// begun, much output or little, so prefer the tasks, or their expected runtimes.
func (f *Flow) Work(ratio float64) float64 {
	return float64(ratio * (f.Input - f.Consumed))
}

// Ratios remembers how much output the phases of past jobs wrote for each byte of input. Phases
// that are alike, such as those of one recurring program, have a key in common. Recent jobs count
// more: it is an [estimate.Rolling] for each key. The zero Ratios is empty and ready to use.
//
// # Source
//
// Hopper, section 5.2.
type Ratios struct{ of map[string]*estimate.Rolling }

// Add notes the ratio of a phase that has ended, ≥ 0 and finite. It takes constant time.
func (r *Ratios) Add(key string, ratio float64) error {
	past := r.of[key]
	if past == nil {
		past = new(estimate.Rolling)
	}
	if err := past.Add(ratio); err != nil {
		return fmt.Errorf("hopper: ratio of %q: %w", key, err)
	}
	if r.of == nil {
		r.of = map[string]*estimate.Rolling{}
	}
	r.of[key] = past
	return nil
}

// Ratio returns the ratio to expect of a running phase: its own, if a task of it has ended, else
// that of phases with the key. It is false if there are none.
func (r *Ratios) Ratio(key string, f *Flow) (ratio float64, ok bool) {
	if ratio, ok = f.Ratio(); ok {
		return ratio, true
	}
	if past := r.of[key]; past != nil {
		return past.Value()
	}
	return 0, false
}
