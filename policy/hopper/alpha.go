package hopper

import (
	"fmt"
	"math"
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
