package value

import (
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/augur/internal/saturate"
)

// Worth is a value and the compute time spent on it, in slot-seconds or any other unit that is the same for all jobs.
type Worth struct{ Value, Compute float64 }

// Efficiency returns value per compute time. Ordering jobs by it, greatest first, gains the most
// value from the slots. If compute time is 0, it is +Inf; if the value is 0, it is 0.
//
// # Source
//
// Wing, section 5.
func (w Worth) Efficiency() float64 {
	if w.Value == 0 {
		return 0
	}
	return w.Value / math.Abs(w.Compute) // which may be -0
}

// A Record is what a [Store] learns from one job of a log. Leave out jobs early in the log, those of
// the first window for example: they may have read output written before the log starts.
type Record struct {
	// Template names the program that the job ran. It may be empty for an ad-hoc job.
	// User names who submitted it; it may be empty if unknown.
	Template, User string
	// Recurring says that the template is submitted again and again (Table 1). Other jobs are ad
	// hoc, and count for their user.
	Recurring bool

	// Valid: the log continues for a whole window after the job, so the fields below are complete, as
	// [Windowed.Valid] reports. Otherwise they are ignored. All are at least 0.
	Valid bool
	// Runtime is the time from the job's submission to its completion.
	Runtime time.Duration
	// Own is the value of the job's own output and its own compute time.
	Own Worth
	// Aggregate is the own worth and what comes back from dependents.
	Aggregate Worth
	// FanIn is the number of jobs on which the job depends directly, and FanOut the number of those that depend on it
	// directly. Downstream is the number of direct and indirect dependents. Dependents count if they are submitted within the
	// window. A TimeToDependency above 0 says that there was one, even if FanOut is 0.
	FanIn, FanOut, Downstream int
	// TimeToDependency is the time from the job's submission to the submission of its first dependent: 0 if
	// both are of one instant, or if there is no dependent.
	TimeToDependency time.Duration
}

func (r *Record) withDependents() bool { return r.FanOut > 0 || r.TimeToDependency > 0 }

// Record returns the record of job j, without names and Recurring. Quantity 0 of w is the value and quantity 1 the compute
// time. Dependents count if they are submitted within the window; to treat own values alike, count downloads within a window
// of the same width. Downstream leaves out those that MinWeight leaves out. Record returns an error if w has fewer than two
// quantities or there is no job j.
func (w *Windowed) Record(j uint32) (Record, error) {
	if len(w.own) < 2 {
		return Record{}, fmt.Errorf("value: %d quantities, want value and compute time", len(w.own))
	}
	if int64(j) >= int64(len(w.rank)) {
		return Record{}, fmt.Errorf("value: job %d is not in the graph, want below %d", j, len(w.rank))
	}
	r := w.rank[j]
	at := int(w.at[r])
	rec := Record{Own: Worth{w.own[0].sum(at, 1), w.own[1].sum(at, 1)}}
	var place [2]float64
	credits, ok := w.Aggregate(place[:0], j)
	if !ok {
		return rec, nil
	}
	rec.Valid, rec.Aggregate = true, Worth{credits[0], credits[1]}
	rec.Runtime, rec.FanIn = span(w.submitted[r], w.completed[r]), saturate.To[int](w.fan[r])
	for _, n := range w.sweep.lengths {
		rec.Downstream += int(n)
	}
	rec.Downstream-- // j itself
	readers := w.readers(r)
	if rec.FanOut, _ = slices.BinarySearch(readers, w.limit(j)); rec.FanOut > 0 { // in order of submission
		rec.TimeToDependency = span(w.submitted[r], w.submitted[readers[0]])
	}
	return rec, nil
}

// span returns the time from a to b, saturated at the longest Duration.
func span(a, b int64) time.Duration {
	if d := uint64(b) - uint64(a); d <= math.MaxInt64 {
		return time.Duration(d)
	}
	return math.MaxInt64
}

// check returns an error if a field is not allowed.
func (r *Record) check() error {
	if r.Recurring && r.Template == "" {
		return fmt.Errorf("a recurring job has no Template, want its name")
	}
	if !r.Valid {
		return nil
	}
	for _, x := range []struct {
		name   string
		amount float64
	}{
		{"Own.Value", r.Own.Value}, {"Own.Compute", r.Own.Compute},
		{"Aggregate.Value", r.Aggregate.Value}, {"Aggregate.Compute", r.Aggregate.Compute},
	} {
		if !(x.amount >= 0 && x.amount <= MaxSum) {
			return fmt.Errorf("%s is %v, want 0 to %v", x.name, x.amount, MaxSum)
		}
	}
	for _, x := range []struct {
		name   string
		amount int64
	}{
		{"Runtime", int64(r.Runtime)}, {"FanIn", int64(r.FanIn)}, {"FanOut", int64(r.FanOut)},
		{"Downstream", int64(r.Downstream)}, {"TimeToDependency", int64(r.TimeToDependency)},
	} {
		if x.amount < 0 {
			return fmt.Errorf("%s is %d, want at least 0", x.name, x.amount)
		}
	}
	return nil
}
