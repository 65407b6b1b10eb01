package value

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Worth is what there is of value, and the compute time that it takes, in slot-seconds or any
// other unit that is the same for all jobs.
type Worth struct{ Value, Compute float64 }

// Efficiency returns value per compute time, by which jobs are ordered: the most value first for the
// slots there are. Without compute time it is infinite, and 0 if there is no value either.
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

// A Record is what a log tells of a job, for a [Store] to learn from. It is better to leave out jobs
// early in the log, which may have read what was written before it began.
type Record struct {
	// Template names the program that the job was a run of, and User who submitted it. That of
	// an ad-hoc job, or one whose user is not known, may be empty.
	Template, User string
	// Recurring says that the template is submitted again and again (Table 1). Other jobs are ad
	// hoc, and count for their user.
	Recurring bool

	// Known says that the log goes on for so long after the job that the rest can be known, as far
	// as it is counted for any job: what comes later is not worth less. Else the rest is ignored.
	Known bool
	// Own is the value of the job's own output and its own compute time.
	Own Worth
	// Aggregate is its own worth and what comes back to it.
	Aggregate Worth
	// First is the time from the job's submission to that of the first job that depends on it, and 0
	// if there is none.
	First time.Duration
}

// Record returns what w knows of job j, of which quantity 0 is the value and quantity 1 the compute
// time: all but names and Recurring. Dependents count if they are submitted within the window. It
// is an error if there are not two quantities or no job j. For own values to be fair too, downloads
// should be counted within a window as wide.
func (w *Windowed) Record(j uint32) (Record, error) {
	if len(w.own) < 2 {
		return Record{}, fmt.Errorf("value: %d quantities, want value and compute time", len(w.own))
	}
	if int64(j) >= int64(len(w.rank)) {
		return Record{}, fmt.Errorf("value: job %d is not in the graph", j)
	}
	r := w.rank[j]
	rec := Record{Own: Worth{w.own[0][j], w.own[1][j]}}
	var place [2]Credit
	credits, ok := w.Aggregate(place[:0], j)
	if !ok {
		return rec, nil
	}
	rec.Known = true
	rec.Aggregate = Worth{credits[0].Sum, credits[1].Sum}
	if readers := w.readers(r); len(readers) > 0 && readers[0] < w.limit(j) { // in order of submission
		rec.First = span(w.submitted[r], w.submitted[readers[0]])
	}
	return rec, nil
}

// span returns how much later b is than a, up to the longest Duration.
func span(a, b int64) time.Duration {
	if d := uint64(b) - uint64(a); d <= math.MaxInt64 {
		return time.Duration(d)
	}
	return math.MaxInt64
}

// check says what is wrong with a record.
func (r *Record) check() error {
	if r.Recurring && r.Template == "" {
		return fmt.Errorf("a recurring job without Template")
	}
	if !r.Known {
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
	if r.First < 0 {
		return fmt.Errorf("time First is %v, want more than 0, or 0 for none", r.First)
	}
	return nil
}

// newProfile sums up records. There must be at least one.
func newProfile(records []*Record, ratios bool) *Profile {
	var own, aggregate []Worth
	var first []time.Duration
	for _, r := range records {
		if !r.Known {
			continue
		}
		own, aggregate = append(own, r.Own), append(aggregate, r.Aggregate)
		if r.First > 0 {
			first = append(first, r.First)
		}
	}
	p := &Profile{
		Jobs: len(records), Known: len(own),
		Own: newSummary(own, ratios), Aggregate: newSummary(aggregate, ratios),
		Followed: len(first),
	}
	if p.Followed > 0 {
		lo, hi := middle(first)
		p.First = lo + (hi-lo)/2
	}
	return p
}

func newSummary(worths []Worth, ratios bool) Summary {
	if len(worths) == 0 {
		return Summary{}
	}
	var values, computes, efficiencies []float64
	for _, w := range worths {
		// Abs, since the order of the records would choose between 0 and -0
		values, computes = append(values, math.Abs(w.Value)), append(computes, math.Abs(w.Compute))
		efficiencies = append(efficiencies, w.Efficiency())
	}
	w := Worth{median(values), median(computes)}
	s := Summary{Jobs: len(worths), Value: w.Value, Compute: w.Compute, Efficiency: w.Efficiency()}
	if ratios {
		s.Efficiency = median(efficiencies)
	}
	return s
}

// median sorts numbers that are not negative, and returns their median.
func median(xs []float64) float64 {
	lo, hi := middle(xs)
	if lo == hi { // also if both are infinite
		return lo
	}
	return lo/2 + hi/2 // cannot overflow
}

// middle sorts some numbers and returns the middle two, which are one and the same of an odd number.
func middle[T float64 | time.Duration](xs []T) (lo, hi T) {
	slices.Sort(xs)
	return xs[(len(xs)-1)/2], xs[len(xs)/2]
}
