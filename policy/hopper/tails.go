package hopper

import (
	"iter"
	"math"
	"math/bits"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy/central"
)

// homogeneousTail is the tail that section 6.4.2 assumes for all jobs.
const homogeneousTail = 1.2

// tails keeps the tail of each group of jobs. It fits a Pareto tail to the last runtimes of a group's tasks with
// [estimate.Hill], and again as more tasks end.
//
// # Source
//
// Hopper, section 6.4.2, which does not say how many tasks are enough, nor what is fitted.
type tails struct {
	start  float64 // the tail of a group until there are enough runtimes
	enough int     // how many runtimes make a first fit
	window int     // how many of the last runtimes of a group count
	every  int     // runtimes from one fit to the next
	most   int     // how many groups are known
	top    float64 // the part of the runtimes, the longest, that a fit is of: few runtimes are Pareto from the least on
	step   float64 // tails are rounded to a multiple of it
	// A tail near 1 makes a group worth any number of slots, and a fit may say that there is no mean at all: bounds.
	least, greatest float64

	groups   map[string]*group
	added    int64 // runtimes, of all groups
	runtimes []float64

	members  []*sized // the jobs of groups. Next gives them the tails of their groups one by one,
	at       int      // from this one on,
	follows  int      // for so many more turns, since a tail has changed
	finished bool     // a task has, and one job is to follow
}

// A group is a group of jobs with its own tail.
type group struct {
	runtimes []float64 // a ring once it is full
	next     int
	wait     int // runtimes until the next fit
	tail     float64
	last     int64 // tails.added at its last runtime
}

func newTails(start float64) tails {
	return tails{
		start: start, enough: 200, window: 1000, every: 100, most: 10_000, top: 0.1, step: 0.05, least: 1.05, greatest: 4,
		groups: map[string]*group{},
	}
}

// add adds the runtime of a task of a group, > 0, in any one unit. It reports whether that changes the group's tail,
// or that of a group that is forgotten to make room.
func (t *tails) add(name string, runtime float64) (changed bool) {
	g, changed := t.group(name)
	t.added++
	g.last = t.added
	if len(g.runtimes) < t.window {
		g.runtimes = append(g.runtimes, runtime)
	} else {
		g.runtimes[g.next] = runtime
		g.next = (g.next + 1) % len(g.runtimes)
	}
	if g.wait--; g.wait > 0 {
		return changed
	}
	g.wait = t.every
	shape, err := estimate.Hill(g.runtimes, max(1, saturate.To[int](t.top*float64(len(g.runtimes)))))
	if err != nil {
		return changed // the longest are all equal: there is no tail to see
	}
	before := g.tail
	g.tail = min(t.greatest, max(t.least, math.Round(shape/t.step)*t.step))
	return changed || g.tail != before
}

// group returns a group, and makes it if it is unknown. If there are too many groups, it forgets the one whose last
// runtime is the oldest. forgot reports that this group had a learnt tail, so that its jobs go back to the default.
func (t *tails) group(name string) (g *group, forgot bool) {
	if g = t.groups[name]; g != nil {
		return g, false
	}
	if len(t.groups) == t.most {
		oldest := ""
		for name, g := range t.groups {
			if other := t.groups[oldest]; other == nil || g.last < other.last {
				oldest = name
			}
		}
		forgot = t.groups[oldest].tail != t.start
		delete(t.groups, oldest)
	}
	g = &group{tail: t.start, wait: t.enough}
	t.groups[name] = g
	return g, forgot
}

// tail returns the tail of a group.
func (t *tails) tail(name string) float64 {
	if g := t.groups[name]; g != nil {
		return g.tail
	}
	return t.start
}

// fewest is the least number of finished tasks of a stage from which a tail is learnt: the median of fewer is too
// uncertain.
const fewest = 10

// learn adds the runtimes of a finished stage, as multiples of their median. It leaves out a stage that reads through
// a pipe, because its runtimes include waiting for input. lost holds the runtimes of copies that lost a race or that
// the rule killed, as their last reports predicted them. These are the longest, so leaving them out would make the
// tail too light. So would counting them as censored, since just the longest are cut short.
func (t *turn) learn(j *central.Job, finished, lost []float64) {
	own := t.jobs.Get(j.Job.ID)
	if !own.grouped || len(finished) < fewest || !(finished[len(finished)/2] > 0) {
		return
	}
	all, median := &t.tails, finished[len(finished)/2]
	all.runtimes = append(append(all.runtimes[:0], finished...), lost...)
	changed := false
	for i := range spread(len(all.runtimes)) {
		if x := all.runtimes[i] / median; x > 0 && x <= math.MaxFloat64 {
			changed = all.add(own.group, x) || changed
		}
	}
	if changed {
		all.follows = len(all.members)
	}
}

// spread yields the numbers below n, each once, in an order that spreads the first few over the whole range. A tail
// may be fitted, or a window filled, when only some of the runtimes of a stage have been added, and these must not be
// its shortest or its longest.
//
// The order reverses the bits of each number: among the first i numbers, as many as there should be are below any m,
// except for log2(n) or so (R. Béjian and H. Faure, "Discrépance de la suite de van der Corput", 1978).
func spread(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		unused := bits.LeadingZeros32(uint32(max(1, n) - 1))
		for i := range uint64(1) << (32 - unused) {
			if k := uint64(bits.Reverse32(uint32(i))) >> unused; k < uint64(n) && !yield(int(k)) {
				return
			}
		}
	}
}

// enrol gives a job the tail of its group, and adds it to the jobs that follow tail changes.
func (t *tails) enrol(own *sized) {
	own.tail = t.tail(own.group)
	t.members = slices.Insert(t.members, t.at, own)
	t.at++
}

// leave forgets a job. It does nothing if the job is in no group.
func (t *tails) leave(own *sized) {
	if !own.grouped {
		return
	}
	i := slices.Index(t.members, own)
	t.members = slices.Delete(t.members, i, i+1)
	if i < t.at {
		t.at--
	}
}

// next gives one job the tail of its group, if tails have changed since its last turn. It returns the job if that
// changes the job's tail, else nil. If all jobs followed at once, a step would take time in proportion to their
// number.
func (t *tails) next() *sized {
	if t.follows == 0 || len(t.members) == 0 {
		return nil
	}
	t.follows--
	own := t.members[t.at%len(t.members)]
	t.at = t.at%len(t.members) + 1
	if tail := t.tail(own.group); tail != own.tail {
		own.tail = tail
		return own
	}
	return nil
}
