package value

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/augur/dag"
)

// WindowConfig describes the window of a [Windowed].
type WindowConfig struct {
	// Width is how long after the completion of a job its direct and indirect dependents may be
	// submitted and still count, more than 0; 0 means a week, as in the paper.
	Width time.Duration
	// End is the instant at which the log ends.
	End int64
	// MinWeight is the weight below which paths are not followed, 0 to 1; 0 follows all paths. A
	// dependent with a smaller weight counts, but its own dependents do not.
	MinWeight float64
}

const week = 7 * 24 * time.Hour

func (w WindowConfig) withDefaults() (WindowConfig, error) {
	if w.Width < 0 {
		return w, fmt.Errorf("value: Width is %v, must be more than 0, or 0 for a week", w.Width)
	}
	if !(w.MinWeight >= 0 && w.MinWeight <= 1) {
		return w, fmt.Errorf("value: MinWeight is %v, must be 0 to 1", w.MinWeight)
	}
	w.Width = cmp.Or(w.Width, week)
	return w, nil
}

// Windowed aggregates like [Aggregate], but for each job it counts only the dependents submitted within a window after the
// job completes. Otherwise jobs early in a log would have more dependents than equal jobs late in it. For the same reason it
// answers only for valid jobs: those that complete at least a window before the log ends. N counts all dependencies, inside
// a window or not, so the part that a dependent hands back does not depend on the window.
//
// Each job has a window of its own, so each needs a pass over its dependents in the window. A pass takes time in proportion
// to the dependencies among these, about 0.1 µs for each dependent. A chain, in which each job reads only the one before it and is
// its only reader, takes one step. The number of pairs of a job and a dependent grows faster
// than the log. Set [WindowConfig].MinWeight, for example to 0.001, to bound it: that misses little in total, but may miss
// much of a single job of little value.
//
// One goroutine may use a Windowed at a time; Clone makes another one that shares the graph. A Windowed takes 56 bytes per
// job, for each quantity 16 more, and 4 bytes per dependency. A Clone takes 8 bytes per job.
//
// # Source
//
// Wing, section 4.5.1, "Fair multi-hop time windowing".
type Windowed struct {
	*history
	window WindowConfig
	sweep  sweep
}

// A history holds jobs by rank: in the order of submission, and at one instant in topological order,
// so that all dependencies lead from lesser to greater ranks.
type history struct {
	rank      []uint32 // of each job
	jobs      []uint32 // by rank, like the fields below
	submitted []int64
	completed []int64
	outStart  []uint32 // one more
	out       []uint32 // ranks, increasing
	fan       []float64
	at        []uint32 // place in chain
	ends      []uint32 // place in chain after the last one of the job's
	chain     []uint32 // ranks, chain by chain, each increasing
	own       []sums   // quantities by place in chain
}

// NewWindowed returns a Windowed of the jobs of g. submitted and completed hold the instants of each job. own holds one or
// more quantities, such as value and compute time: own[q][j] is the amount of job j, as for Aggregate. If a job had not
// completed when the log ended, set its completion to math.MaxInt64; it is then not valid, but counts as a dependent.
//
// NewWindowed returns an error if a job completes before it is submitted, or is submitted after one
// of its dependents. It keeps nothing of what it is given. It takes O(n log n + m) time.
func NewWindowed(g *dag.Graph, submitted, completed []int64, w WindowConfig, own ...[]float64) (*Windowed, error) {
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
	for _, x := range own {
		l.own = append(l.own, newSums(len(l.chain), func(at int) float64 { return x[l.jobs[l.chain[at]]] }))
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
	l.link()
	return l
}

// link finds the chains.
func (l *history) link() {
	n := len(l.jobs)
	l.at, l.ends, l.chain = make([]uint32, n), make([]uint32, n), make([]uint32, 0, n)
	for r := range uint32(n) {
		if l.ends[r] > 0 {
			continue // it is in the chain of a job before
		}
		from := len(l.chain)
		for next := []uint32{r}; len(next) == 1 && (next[0] == r || l.fan[next[0]] == 1); next = l.readers(next[0]) {
			l.at[next[0]] = uint32(len(l.chain))
			l.chain = append(l.chain, next[0])
		}
		for _, r := range l.chain[from:] {
			l.ends[r] = uint32(len(l.chain))
		}
	}
}

// Sums are the partial sums of numbers, in a binary tree: the sum of a range adds only numbers of the range.
//
//	s[i] = s[2i] + s[2i+1]
type sums []float64

func newSums(n int, of func(i int) float64) sums {
	s := make(sums, 2*n)
	for i := range n {
		s[n+i] = of(i)
	}
	for i := n - 1; i > 0; i-- {
		s[i] = s[2*i] + s[2*i+1]
	}
	return s
}

// sum returns the sum of n numbers from i on, in O(log n) time.
func (s sums) sum(i, n int) (sum float64) {
	lo, hi := len(s)/2+i, len(s)/2+i+n
	for ; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			sum += s[lo]
			lo++
		}
		if hi%2 == 1 {
			hi--
			sum += s[hi]
		}
	}
	return sum
}

// Clone returns a Windowed with the same answers for another goroutine. It shares the constant data of w.
func (w *Windowed) Clone() *Windowed {
	return &Windowed{history: w.history, window: w.window, sweep: newSweep(len(w.jobs))}
}

// Valid reports whether the whole window of job j is in the log.
func (w *Windowed) Valid(j uint32) bool {
	if int64(j) >= int64(len(w.rank)) {
		return false
	}
	completed := w.completed[w.rank[j]]
	return completed <= w.window.End && uint64(w.window.End)-uint64(completed) >= uint64(w.window.Width)
}

// limit returns the first rank after the window of job j, which must be valid.
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

// Aggregate appends to dst the credit of job j for each quantity: its own amount and what comes back
// from its dependents within its window. If j is not valid, it returns dst and false. It allocates
// nothing, after the first calls, if dst has room.
func (w *Windowed) Aggregate(dst []float64, j uint32) ([]float64, bool) {
	if !w.Valid(j) {
		return dst, false
	}
	w.sweep.run(w.history, w.rank[j], w.limit(j), w.window.MinWeight, 1)
	return w.credits(dst), true
}

// Through appends to dst, for each quantity, the part of job j's credit that comes back through its direct dependent d
// within the window of j. This is the amount lost if d fails because the output of j is missing. The own amount of j and
// these parts of all direct dependents add up to its Aggregate, up to rounding and MinWeight. If j is not valid, or d is not
// a direct dependent, Through returns dst and false.
func (w *Windowed) Through(dst []float64, j, d uint32) ([]float64, bool) {
	if !w.Valid(j) || int64(d) >= int64(len(w.rank)) {
		return dst, false
	}
	r := w.rank[d]
	if _, ok := slices.BinarySearch(w.readers(w.rank[j]), r); !ok {
		return dst, false
	}
	limit := w.limit(j)
	if r >= limit {
		return append(dst, make([]float64, len(w.own))...), true
	}
	w.sweep.run(w.history, r, limit, w.window.MinWeight, 1/w.fan[r])
	return w.credits(dst), true
}

// credits appends the sums over the jobs that the sweep has reached.
func (w *Windowed) credits(dst []float64) []float64 {
	for _, own := range w.own {
		sum := 0.0
		for i, r := range w.sweep.reached {
			sum += w.sweep.found[i] * own.sum(int(w.at[r]), int(w.sweep.lengths[i]))
		}
		dst = append(dst, sum)
	}
	return dst
}

func (l *history) readers(r uint32) []uint32 { return l.out[l.outStart[r]:l.outStart[r+1]] }

// ByHops sets sums[h] to the amount of quantity q that comes back to job j within its window over paths of exactly h
// dependencies; sums[0] is the own amount. If all paths are shorter than len(sums), the sums add up to the Aggregate of j.
// In Fig. 6, the part found within k hops is that of the first k+1 sums. ByHops ignores MinWeight. If j is not valid or
// there is no such quantity, it returns false and leaves sums unchanged.
//
// Each hop takes at most time in proportion to the dependencies within the window.
func (w *Windowed) ByHops(sums []float64, j uint32, q int) bool {
	if !w.Valid(j) || q < 0 || q >= len(w.own) {
		return false
	}
	clear(sums)
	first, limit := w.rank[j], w.limit(j)
	w.sweep.begin(first, limit)
	w.sweep.reached, w.sweep.found = append(w.sweep.reached, first), append(w.sweep.found, 1)
	for h := range sums {
		for i, r := range w.sweep.reached {
			sums[h] += w.sweep.found[i] * w.own[q].sum(int(w.at[r]), 1)
		}
		if h == len(sums)-1 || len(w.sweep.reached) == 0 {
			break
		}
		w.sweep.hop(w.history, first, limit)
	}
	return true
}
