package queue

import (
	"fmt"
	"math"
	"time"

	"example.com/augur/internal/saturate"
)

// Aging orders elements by size and by age with keys that never change, the least first:
//
//	ln(max(size, floor)) + submitted/τ
//
// All keys age at one rate, so the order of two elements is the same at any time, and nothing has to be
// sorted or written again while they wait. An element of size R is passed only by elements of a size r < R that
// are submitted less than
//
//	τ·ln(max(R, floor)/max(r, floor))
//
// after it: with a τ of 10 minutes, one of 100 s is passed by those of 1 s for 46 minutes. So it does not wait for ever.
// How long it waits in all depends on the load: all that is submitted until then and is shorter may go first. A small τ is
// nearly first come, first served, a large one shortest first. To begin with, let τ be about the longest wait of a normal
// day, and the size the predicted runtime.
//
// A host keeps the key as it is ([Aging.Key]), as a priority that is an integer ([Aging.Priority]), or as the instant by which
// it sorts ([Aging.Time]). The zero Aging is not usable; make one with [NewAging].
type Aging struct {
	tau   float64 // ns
	floor float64
}

// NewAging returns the keys for a τ above 0. Sizes may have any unit; those below the floor, which is finite and above 0,
// count as the floor: so that what is predicted to take no time passes others for so long only, take the least size that
// matters. The error names the argument that is not allowed.
func NewAging(tau time.Duration, floor float64) (Aging, error) {
	switch {
	case tau <= 0:
		return Aging{}, fmt.Errorf("queue: the tau of an Aging is %v, want more than 0", tau)
	case !(floor > 0) || math.IsInf(floor, 0):
		return Aging{}, fmt.Errorf("queue: the floor of an Aging is %v, want a finite number above 0", floor)
	}
	return Aging{float64(tau), floor}, nil
}

// Key returns the key of an element. The instant of its submission is since any instant that is the same for all. A size that
// is NaN counts as the floor.
func (a Aging) Key(size float64, submitted time.Duration) float64 {
	return math.Log(a.size(size)) + float64(submitted)/a.tau
}

// size is what a size counts as.
func (a Aging) size(size float64) float64 {
	if size > a.floor {
		return size
	}
	return a.floor
}

// Priority returns the key as an integer from 1 to band, of which the greatest goes first:
//
//	band - ⌊(ln(max(size, floor)/floor) + submitted/τ)/resolution⌋
//
// The submission is since an epoch, and an integer out of range counts as the nearest in it. With a band of
// b and a resolution of ρ elements up to a size of R have a place of their own if they are submitted from the epoch on, for
//
//	τ·(ρ·b - ln(R/floor))
//
// Later ones share priority 1, and a host should choose a new epoch before that, and write the priorities of all that wait
// again. Sizes whose ratio is below exp(ρ) may share a priority, so the bound on the time in which an
// element is passed grows by τ·ρ. Priority panics if band is below 1 or resolution is not above 0.
func (a Aging) Priority(size float64, submitted time.Duration, band int64, resolution float64) int64 {
	if band < 1 || !(resolution > 0) {
		panic(fmt.Sprintf("queue: Priority with a band of %d and a resolution of %v, want at least 1 and more than 0", band, resolution))
	}
	behind := math.Floor((math.Log(a.size(size)/a.floor) + float64(submitted)/a.tau) / resolution)
	return band - min(max(saturate.To[int64](behind), 0), band-1)
}

// Time returns the key as an instant, of which the earliest goes first, for a host that sorts by the instants from which its elements may
// start:
//
//	submitted - τ·ln(longest/max(size, floor))
//
// A size above the longest counts as that, so the instant is never later than the submission. Time panics if the longest is below
// the floor, infinite or NaN, since all instants would be alike.
func (a Aging) Time(size, longest float64, submitted time.Time) time.Time {
	if !(longest >= a.floor && longest <= math.MaxFloat64) {
		panic(fmt.Sprintf("queue: Time with a longest of %v, want a finite number, at least the floor, %v", longest, a.floor))
	}
	return submitted.Add(-saturate.To[time.Duration](a.tau * math.Log(max(longest/a.size(size), 1))))
}
