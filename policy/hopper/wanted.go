package hopper

import (
	"iter"
	"math"
	"math/bits"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A wanted is what the Ready stages of a job ask for in all. The job keeps it up to date as tasks finish, since it may have
// very many stages: to sum them up at each event would take time quadratic in their number.
type wanted struct {
	slots    int64   // of their tasks that are not finished
	memory   float64 // of these tasks, bytes
	work     int64   // tasks not finished of the stages that others read through pipes
	transfer int64   // tasks that read these
}

// opened counts a stage that is Ready, and that so many tasks read through pipes.
func (w *wanted) opened(stage *policy.Stage, readers int64) {
	units := int64(stage.Units())
	w.slots += stage.Width() * units
	w.memory += memoryOf(stage) * float64(units)
	w.transfer += readers
	if readers > 0 {
		w.work += units
	}
}

// finished counts a unit of a stage that has just finished, perhaps the last one.
func (w *wanted) finished(stage *policy.Stage, readers int64, last bool) {
	w.slots -= stage.Width()
	w.memory = max(0, w.memory-memoryOf(stage)) // it is a rounded sum
	if w.slots == 0 {
		w.memory = 0
	}
	if readers > 0 {
		w.work--
	}
	if last {
		w.transfer -= readers
	}
}

// memoryOf returns the bytes that a unit of a stage takes.
func memoryOf(stage *policy.Stage) float64 {
	return float64(stage.Memory) * float64(stage.Tasks/stage.Units())
}

// reads returns how many tasks read a stage through pipes.
func (own *sized) reads(stage uint32) int64 {
	if own.readers == nil {
		return 0
	}
	return own.readers[stage]
}

// readers returns how many tasks read each stage through pipes, nil if none reads any. A task ends no earlier than what
// it reads, so all of them are to be done as long as the stage is not finished.
func readers(stages []policy.Stage) []int64 {
	var tasks []int64
	for i := range stages {
		for _, read := range stages[i].Reads {
			if !read.Pipe {
				continue
			}
			if tasks == nil {
				tasks = make([]int64, len(stages))
			}
			tasks[read.Stage] += int64(stages[i].Units())
		}
	}
	return tasks
}

// weight returns the weight of a job, α.
func (w *wanted) weight(dampening float64) float64 {
	if w.work == 0 {
		return 1
	}
	return max(1, dampened(float64(w.transfer), float64(w.work), dampening))
}

// dampened returns (transfer / work)^dampening.
//
// # Source
//
// Hopper, sections 4.1, 5.2 and 6.2.1. The paper does not say how the dampening value acts; as an
// exponent it keeps a common factor of all weights a common factor.
func dampened(transfer, work, dampening float64) float64 {
	return min(most, math.Pow(transfer/work, dampening))
}

// demand returns the tasks left of a job, T, and its weight, α.
func (v *VirtualSizes) demand(own *sized) (tasks, weight float64) {
	w := &own.wanted
	tasks = float64(w.slots)
	if v.config.Memory && v.each > 0 {
		tasks = (tasks + w.memory*v.each) / 2 // the mean of the two, in cores
	}
	return tasks, w.weight(v.config.Dampening)
}

// homogeneousTail is what section 6.4.2 takes for all jobs alike.
const homogeneousTail = 1.2

// tails knows the tail of each group of jobs. It fits a Pareto tail to the last runtimes of a group's tasks by [estimate.Hill],
// and fits it anew as tasks end.
//
// # Source
//
// Hopper, section 6.4.2, which says neither how many tasks are enough, nor what is fitted.
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

// A group is jobs that have a tail of their own.
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

// add notes the runtime of a task of a group, > 0, in any one unit. It reports whether the group's tail has changed, or that
// of a group that is forgotten for it.
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
	shape, err := estimate.Hill(g.runtimes, nil, max(1, int(t.top*float64(len(g.runtimes)))))
	if err != nil {
		return changed // the longest are all equal: there is no tail to see
	}
	before := g.tail
	g.tail = min(t.greatest, max(t.least, math.Round(shape/t.step)*t.step))
	return changed || g.tail != before
}

// group returns a group, a new one if it is not known. If there are too many, the one is forgotten whose last runtime is the
// longest ago. forgot says that its tail was learnt: it has that of a new group then.
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

// fewest is the least number of finished tasks of a stage from which a tail is learnt: the median of fewer says little.
const fewest = 10

// learn takes in the runtimes of a stage that is over, as multiples of their median. A stage that reads another
// through a pipe is left out: its runtimes say for how long its tasks waited for their input. Those of
// copies that lost a race, or that the rule had killed, are what their last reports said. They are
// the longest: to leave them out makes the tail too light, and so does to know only that they are
// longer, since it is just those that would have been longest that are cut short.
func (v *VirtualSizes) learn(j *central.Job, finished, lost []float64) {
	if v.config.Group == "" || len(finished) < fewest || !(finished[len(finished)/2] > 0) {
		return
	}
	t, median := &v.tails, finished[len(finished)/2]
	t.runtimes = append(append(t.runtimes[:0], finished...), lost...)
	changed, group := false, v.jobs.Get(j.Job.ID).group
	for i := range spread(len(t.runtimes)) {
		if x := t.runtimes[i] / median; x > 0 && x <= math.MaxFloat64 {
			changed = t.add(group, x) || changed
		}
	}
	if changed {
		t.follows = len(t.members)
	}
}

// spread yields the numbers below n, each once, in an order in which the first of them are
// spread over all: a tail may be fitted, or a window be full, when only some of the runtimes of
// a stage have been added, and these must not be its shortest or its longest.
//
// The order is that of the numbers with their bits reversed: of the first i of them, as many as
// there should be are below any m, but for log2(n) or so (R. Béjian and H. Faure, "Discrépance de la
// suite de van der Corput", 1978).
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

// enrol gives a job the tail of its group, and puts it behind those that are to follow.
func (t *tails) enrol(own *sized) {
	own.tail = t.tail(own.group)
	t.members = slices.Insert(t.members, t.at, own)
	t.at++
}

// leave forgets a job. It is a no-op if the job is in no group.
func (t *tails) leave(own *sized) {
	i := slices.Index(t.members, own)
	if i < 0 {
		return
	}
	t.members = slices.Delete(t.members, i, i+1)
	if i < t.at {
		t.at--
	}
}

// next gives one job the tail of its group, if tails have changed since it was last asked about, and returns the job if its
// tail is another one; else nil. If all jobs followed at once, a step would take time in proportion to their number.
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
