// Package boost decides the priority boosts of workloads that wait for quota in Kueue: workloads with short predicted runtimes are
// admitted first, and none waits for ever. It knows nothing of Kubernetes. A controller reports finished workloads, and asks for
// the boosts of waiting ones:
//
//	b, err := boost.New(boost.Config{})
//	err = b.Learn(runs)                         // workloads that have finished
//	want := b.Decide(workload, room, time.Now()) // one that waits
//	if want != workload.Written { ... }          // write want; Decide then returns the same until the next epoch
//
// The boost of a workload is the [queue.Aging.Priority] of its predicted runtime and its submission, between 1 and the room
// of its class, which [Room] finds. So a workload without a boost, which the controller has not seen yet, comes last in its
// class, classes stay in order, and if the controller is gone, all that comes later is first come, first served.
//
// # Epochs
//
// The boosts of a class count from an epoch, which follows from the clock: so a controller that restarts has the same. When
// an epoch ends Decide returns other boosts for all that waits. With the default Config and a room of a million this is
// once in 11 years, counted from 1970; with a room of 99 once in 7·Tau.
//
// # Small rooms
//
// Of a room of n the steps are max(Resolution, 28/n) wide: 14 for runtimes from the floor to 1.2 million times that, and
// 14·Tau of submissions. Runtimes of a ratio below exp(28/n) share a boost, and go by their submission: with a room of 99,
// that is a ratio of 1.33, with one of 9 one of 22. A room of 0 has no boosts.
package boost

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"example.com/augur/predict"
	"example.com/augur/queue"
)

// Config describes a Booster. The zero Config is ready to use.
type Config struct {
	// Tau is how much later a workload with 1/e of the predicted runtime times Quota may be submitted and still go first; 0 means
	// an hour. The less it is, the nearer the order is to first come, first served.
	Tau time.Duration

	Floor      time.Duration // shorter runtimes, of a Quota of 1, count as this; 0 means a second
	Resolution float64       // step of ln(runtime) per unit of boost, > 0; 0 means 0.2
	Band       int32         // the greatest boost, > 0; 0 means 1,000,000
	Features   []string      // features by which workloads are similar, of the attributes of Workload; nil means DefaultFeatures
}

// DefaultFeatures are the default of Config.Features.
var DefaultFeatures = []string{"namespace+owner", "namespace+image", "image", "namespace", predict.All}

// A Booster learns from workloads that have finished, and decides the boosts of those that wait. Any number of goroutines may call its
// methods at once.
type Booster struct {
	config    Config
	aging     queue.Aging
	predictor *predict.Predictor

	learning sync.Mutex
	learned  map[string]bool // the IDs of all runs
}

// New returns a Booster that has learned nothing. The error names the option, its value and what is allowed.
func New(c Config) (*Booster, error) {
	c.Tau = cmp.Or(c.Tau, time.Hour)
	c.Floor = cmp.Or(c.Floor, time.Second)
	c.Resolution = cmp.Or(c.Resolution, 0.2)
	c.Band = cmp.Or(c.Band, 1_000_000)
	if c.Features == nil {
		c.Features = DefaultFeatures
	}
	if !(c.Resolution > 0) || math.IsInf(c.Resolution, 0) {
		return nil, fmt.Errorf("boost: Resolution is %v, want a finite number above 0", c.Resolution)
	}
	if c.Band < 1 {
		return nil, fmt.Errorf("boost: Band is %d, want at least 1", c.Band)
	}
	aging, err := queue.NewAging(c.Tau, c.Floor.Seconds())
	if err != nil {
		return nil, fmt.Errorf("boost: Tau and Floor: %w", err)
	}
	for _, f := range c.Features {
		if err := checkFeature(f); err != nil {
			return nil, err
		}
	}
	predictor, err := predict.New(predict.Config{Features: c.Features})
	if err != nil {
		return nil, fmt.Errorf("boost: %w", err)
	}
	return &Booster{config: c, aging: aging, predictor: predictor, learned: make(map[string]bool)}, nil
}

// A Run is a workload that has succeeded.
type Run struct {
	ID         string // no other workload has it
	Workload   Workload
	Start, End time.Time // from when to when it held its quota
}

// Learn learns from runs, in the order in which they ended, and from each once. It leaves out those that ended before they
// started, and returns their errors.
func (b *Booster) Learn(runs []Run) error {
	b.learning.Lock()
	defer b.learning.Unlock()
	runs = slices.SortedFunc(slices.Values(runs), func(x, y Run) int {
		return cmp.Or(x.End.Compare(y.End), cmp.Compare(x.ID, y.ID))
	})
	var errs []error
	for _, r := range runs {
		if b.learned[r.ID] {
			continue
		}
		b.learned[r.ID] = true
		if err := b.predictor.Observe(r.Workload, r.End.Sub(r.Start).Seconds(), r.End); err != nil {
			errs = append(errs, fmt.Errorf("workload %s/%s: %w", r.Workload.Namespace, r.Workload.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Forget tells that a run will not be told again, since its workload was deleted. What was learned from it stays.
func (b *Booster) Forget(id string) {
	b.learning.Lock()
	defer b.learning.Unlock()
	delete(b.learned, id)
}

// Written is what is written on a workload. The zero Written is nothing.
type Written struct {
	Boost   int32
	Seconds float64 // the runtime that was predicted when the workload was first seen
}

// Decide returns what should be written on a workload that waits, in a class with some room. A prediction that is written stays, so that
// the boost does not change while more is learned. If nothing is known, the workload counts as one of the least runtime: what
// comes before there is a history is served in its turn. Without room nothing is to be written.
func (b *Booster) Decide(w Workload, room int32, now time.Time) Written {
	room = min(room, b.config.Band)
	if room < 1 {
		return Written{}
	}
	seconds := w.Written.Seconds
	if !(seconds > 0) {
		seconds, _ = b.predictor.Estimate(w, now)
		seconds = round(max(seconds, b.config.Floor.Seconds()))
	}
	size := seconds * cmp.Or(max(w.Quota, 0), 1)
	resolution := max(b.config.Resolution, 2*reach/float64(room))
	since := w.Submitted.Sub(b.epoch(float64(resolution*float64(room)), now))
	return Written{int32(b.aging.Priority(size, since, int64(room), resolution)), seconds}
}

// reach is the logarithm of the greatest ratio of runtimes that have boosts of their own.
const reach = 14

// epoch is where boosts count from that reach over some logarithms. Half of those that are not for runtimes are for submissions
// of the past, half for those that come before the next epoch.
func (b *Booster) epoch(logs float64, now time.Time) time.Time {
	const century = 100 * 365 * 24 * 3600
	length := int64(min(max((logs-reach)/2*b.config.Tau.Seconds(), 1), century))
	return time.Unix((now.Unix()/length-1)*length, 0)
}

// round returns seconds as they are written, with three digits.
func round(seconds float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(seconds, 'g', 3, 64), 64)
	return r
}
