package value

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/augur/dag"
)

// Window says what of a log is counted.
type Window struct {
	// Width is for how long after a job has completed the submissions of its dependents
	// count, direct ones or not: more than 0; 0 means a week, as in the paper.
	Width time.Duration
	// End is the instant at which the log ends.
	End int64
	// Least is the weight below which paths are not followed any further, 0 to 1: a job of which
	// less than this part comes back counts itself, but nothing that comes by it. What is
	// missed for it, a [Credit] says. 0 follows all paths.
	Least float64
}

const week = 7 * 24 * time.Hour

func (w Window) withDefaults() (Window, error) {
	if w.Width < 0 {
		return w, fmt.Errorf("value: Width is %v, must be more than 0, or 0 for a week", w.Width)
	}
	if !(w.Least >= 0 && w.Least <= 1) {
		return w, fmt.Errorf("value: Least is %v, must be 0 to 1", w.Least)
	}
	w.Width = cmp.Or(w.Width, week)
	return w, nil
}

// Windowed aggregates like [Aggregate], but counts for each job only what is submitted within a
// window after it completes. Else jobs early in a log would have more dependents there than late
// ones that are just like them. For the same reason it has an answer only for jobs that are
// valid: those that complete at least a window before the log ends. Dependencies and N count
// whether or not a window holds them, so what a job hands back to others is the same for all.
//
// What is in a window differs from job to job, so this is a pass for each job, over all that depend
// on it within its window: it takes time in proportion to the dependencies among these, about 0.1 µs
// for each job found. The number of pairs of a job and a dependent grows faster than the log.
// [Window].Least bounds that: 0.001 leaves less than half of the pairs and misses about 0.5 % of what
// all jobs are credited with, though far more of a single job of little value.
//
// One goroutine may use it at a time; Clone makes another one that shares the graph. It takes 44
// bytes a job, 8 more for each quantity unless Least is 0, and 4 bytes a dependency; a Clone takes
// 8 bytes a job.
//
// # Source
//
// Wing, section 4.5.1, "Fair multi-hop time windowing".
type Windowed struct {
	*history
	window Window
	sweep  sweep
}

// A history holds jobs by rank: in the order of submission, and those of one instant so that all
// dependencies lead from lesser to greater ranks.
type history struct {
	rank      []uint32 // of each job
	jobs      []uint32 // by rank, as all that follow
	submitted []int64
	completed []int64
	outStart  []uint32 // one more
	out       []uint32 // ranks, increasing
	fan       []float64
	own       [][]float64 // quantities by job
	below     [][]float64 // what Aggregate adds to own, by job; nil if no path is cut
}

// NewWindowed returns a Windowed of the jobs of g, given when each of them was submitted and
// completed, and amounts of one or more quantities, such as value and compute time: own[q][j] is
// that of job j, as for Aggregate. A job that had not completed when the log ended has completed at
// math.MaxInt64; it is not valid, but counts for others.
//
// It is an error if a job completes before it is submitted, or is submitted after one that depends
// on it. Amounts are kept, and must not change; all else is copied. It takes O(n log n + m) time.
func NewWindowed(g *dag.Graph, submitted, completed []int64, w Window, own ...[]float64) (*Windowed, error) {
	w, err := w.withDefaults()
	if err != nil {
		return nil, err
	}
	for _, x := range own {
		if err := check(g, x); err != nil {
			return nil, err
		}
	}
	if g == nil || len(own) == 0 {
		return nil, fmt.Errorf("value: no graph or no own values, want some")
	}
	if len(submitted) != g.Len() || len(completed) != g.Len() {
		return nil, fmt.Errorf("value: %d submissions and %d completions of %d jobs, want one for each", len(submitted), len(completed), g.Len())
	}
	for j, at := range submitted {
		if completed[j] < at {
			return nil, fmt.Errorf("value: job %d completes at %d, and is submitted at %d, want no earlier", j, completed[j], at)
		}
		for _, d := range g.Out(uint32(j)) {
			if submitted[d] < at {
				return nil, fmt.Errorf("value: job %d is submitted at %d, and job %d, which it depends on, at %d, want no later", d, submitted[d], j, at)
			}
		}
	}
	l := newHistory(g, submitted, completed)
	l.own = slices.Clone(own)
	if w.Least > 0 {
		for _, x := range own {
			l.below = append(l.below, fromDependents(g, x))
		}
	}
	return &Windowed{history: l, window: w, sweep: newSweep(g.Len())}, nil
}

func newHistory(g *dag.Graph, submitted, completed []int64) *history {
	n := g.Len()
	l := &history{
		rank: make([]uint32, n), jobs: slices.Clone(g.Order()),
		submitted: make([]int64, n), completed: make([]int64, n), fan: make([]float64, n),
		outStart: make([]uint32, 1, n+1), out: make([]uint32, 0, g.Edges()),
	}
	if numberedForward(g) && slices.IsSorted(submitted) {
		for r := range l.jobs {
			l.jobs[r] = uint32(r)
		}
	} else {
		slices.SortStableFunc(l.jobs, func(a, b uint32) int { return cmp.Compare(submitted[a], submitted[b]) })
	}
	for r, j := range l.jobs {
		l.rank[j] = uint32(r)
	}
	for r, j := range l.jobs {
		l.submitted[r], l.completed[r] = submitted[j], completed[j]
		l.fan[r] = float64(len(g.In(j)))
		from := len(l.out)
		for _, d := range g.Out(j) {
			l.out = append(l.out, l.rank[d])
		}
		slices.Sort(l.out[from:])
		l.outStart = append(l.outStart, uint32(len(l.out)))
	}
	return l
}

// Clone returns a Windowed with the same answers for another goroutine, which shares with w all that
// does not change.
func (w *Windowed) Clone() *Windowed {
	return &Windowed{history: w.history, window: w.window, sweep: newSweep(len(w.jobs))}
}

// Valid reports whether job j completes early enough for the whole window to be in the log.
func (w *Windowed) Valid(j uint32) bool {
	if int64(j) >= int64(len(w.rank)) {
		return false
	}
	completed := w.completed[w.rank[j]]
	return completed <= w.window.End && uint64(w.window.End)-uint64(completed) >= uint64(w.window.Width)
}

// limit returns the number of jobs that are submitted up to a window after job j, which is valid,
// completes: that of the first rank that does not count.
func (w *Windowed) limit(j uint32) uint32 {
	last := w.completed[w.rank[j]] + int64(w.window.Width) // at most End
	r, _ := slices.BinarySearchFunc(w.submitted, last, func(at, last int64) int {
		if at <= last {
			return -1
		}
		return 1
	})
	return uint32(r)
}

// A Credit is what of a quantity comes back to a job, or came to it in the first place.
type Credit struct {
	// Sum is what has been found.
	Sum float64
	// Missed is the most that would have been found too, but for the paths not followed: the
	// answer is at least Sum and at most Sum + Missed, up to rounding. It is 0 with Least 0. It
	// takes no notice of the window, and is so more than what is really missed.
	Missed float64
}

// Aggregate appends to dst, for each quantity, what job j is credited with: its own amount and what
// comes back to it from its dependents within its window. It returns dst and false if j is not
// valid. It allocates nothing if dst has room, after the first calls.
func (w *Windowed) Aggregate(dst []Credit, j uint32) ([]Credit, bool) {
	if !w.Valid(j) {
		return dst, false
	}
	w.sweep.run(w.history, w.rank[j], w.limit(j), w.window.Least, 1)
	return w.credits(dst), true
}

// Through appends to dst, for each quantity, what comes back to job j by d, which depends on it
// directly, within the window of j. A job's own amount and what comes by each of its direct
// dependents are its Aggregate, up to rounding and what is missed. So this is what is lost if d
// fails for want of j's output. It returns dst and false if j is not valid, or d does not depend on
// it directly.
func (w *Windowed) Through(dst []Credit, j, d uint32) ([]Credit, bool) {
	if !w.Valid(j) || int64(d) >= int64(len(w.rank)) {
		return dst, false
	}
	r := w.rank[d]
	if _, ok := slices.BinarySearch(w.readers(w.rank[j]), r); !ok {
		return dst, false
	}
	limit := w.limit(j)
	if r >= limit {
		return append(dst, make([]Credit, len(w.own))...), true
	}
	w.sweep.run(w.history, r, limit, w.window.Least, 1/w.fan[r])
	return w.credits(dst), true
}

// credits sums what the sweep has reached.
func (w *Windowed) credits(dst []Credit) []Credit {
	for q, own := range w.own {
		var c Credit
		for i, r := range w.sweep.reached {
			c.Sum += w.sweep.found[i] * own[w.jobs[r]]
		}
		if w.below != nil {
			for _, i := range w.sweep.cut {
				c.Missed += w.sweep.found[i] * w.below[q][w.jobs[w.sweep.reached[i]]]
			}
		}
		dst = append(dst, c)
	}
	return dst
}

func (l *history) readers(r uint32) []uint32 { return l.out[l.outStart[r]:l.outStart[r+1]] }

// ByHops sets sums[h] to what of quantity q comes back to job j, within its window, by paths of
// exactly h dependencies; sums[0] is its own. All together are its Aggregate if no path has
// len(sums) dependencies or more. Of Fig. 6, the part found within k hops is that of the first k+1
// sums. Least does not count here. It returns false, and leaves sums alone, if j is not valid or
// there is no such quantity.
//
// It takes time in proportion to the dependencies within the window for each hop, at most.
func (w *Windowed) ByHops(sums []float64, j uint32, q int) bool {
	if !w.Valid(j) || q < 0 || q >= len(w.own) {
		return false
	}
	clear(sums)
	first, limit := w.rank[j], w.limit(j)
	w.sweep.begin(first, limit, 1)
	for h := range sums {
		for i, r := range w.sweep.reached {
			sums[h] += w.sweep.found[i] * w.own[q][w.jobs[r]]
		}
		if h == len(sums)-1 || len(w.sweep.reached) == 0 {
			break
		}
		w.sweep.hop(w.history, first, limit)
	}
	return true
}
