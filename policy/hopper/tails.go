package hopper

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/bits"

	"example.com/augur/estimate"
	"example.com/augur/policy/central"
)

// homogeneousTail is what section 6.4.2 takes for all jobs alike.
const homogeneousTail = 1.2

// A TailsConfig describes how the tails of groups of jobs are learnt. The zero TailsConfig has all defaults.
type TailsConfig struct {
	Start  float64 // the tail of a group until there are enough runtimes, > 1, at most 1e100; 0 means 1.2, as in section 6.4.2
	Enough int     // how many runtimes make a first fit, ≥ 2; 0 means 200
	Window int     // how many of the last runtimes of a group count, ≥ Enough; 0 means 1000 or Enough
	Every  int     // runtimes from one fit to the next, ≥ 1; 0 means 100
	// Groups is how many groups are known, ≥ 1; 0 means 10,000. When there are more, the one is forgotten whose
	// last runtime is the longest ago.
	Groups int
	// Top is the part of the runtimes, the longest, that the fit is of, in (0, 1); 0 means 0.1. All of
	// them are rarely Pareto from the least on.
	Top float64
	// Least and Most bound what comes out, 1 < Least ≤ Most ≤ 1e100; 0 means 1.05 and 4. A tail near 1 makes a
	// group worth any number of slots, and a fit may say that there is no mean at all.
	Least, Most float64
	// Step is what tails are rounded to a multiple of, ≥ 0; 0 means 0.05. A [Pool] is
	// fast with few different tails.
	Step float64
}

// groupTails knows the tail of each group of jobs, from the runtimes of tasks that have ended, and
// fits it anew as they come, by [estimate.Hill]. It holds 8 bytes for each runtime of the windows, and some
// 200 for each group.
//
// # Source
//
// Hopper, section 6.4.2, which says neither how many tasks are enough, nor what is fitted.
type groupTails struct {
	c       TailsConfig
	groups  map[string]*group
	recent  ring[group] // the one whose last runtime is the longest ago first
	longest []float64
}

type group struct {
	link     link[group] // in recent
	name     string
	runtimes []float64 // a ring once it is full
	next     int
	wait     int // runtimes until the next fit
	tail     float64
}

// newGroupTails returns tails that have seen no task. The error names the field that is outside
// its range.
func newGroupTails(c TailsConfig) (*groupTails, error) {
	c.Start = cmp.Or(c.Start, homogeneousTail)
	c.Enough = cmp.Or(c.Enough, 200)
	c.Window = cmp.Or(c.Window, max(1000, c.Enough))
	c.Every = cmp.Or(c.Every, 100)
	c.Groups = cmp.Or(c.Groups, 10_000)
	c.Top = cmp.Or(c.Top, 0.1)
	c.Least = cmp.Or(c.Least, 1.05)
	c.Most = cmp.Or(c.Most, 4)
	c.Step = cmp.Or(c.Step, 0.05)
	switch {
	case !(c.Start > 1 && c.Start <= light):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Start is %v, must be > 1, at most %v", c.Start, light)
	case c.Enough < 2:
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Enough is %d, must be at least 2", c.Enough)
	case c.Window < c.Enough:
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Window is %d, must be at least %d, Enough", c.Window, c.Enough)
	case c.Every < 1:
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Every is %d, must be at least 1", c.Every)
	case c.Groups < 1:
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Groups is %d, must be at least 1", c.Groups)
	case !(c.Top > 0 && c.Top < 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Top is %v, must be in (0, 1)", c.Top)
	case !(c.Least > 1 && c.Least <= c.Most && c.Most <= light):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Least and Most are %v and %v, must be > 1, at most %v, and Least at most Most", c.Least, c.Most, light)
	case !(c.Step > 0) || math.IsInf(c.Step, 1):
		return nil, fmt.Errorf("hopper: VirtualSizesConfig.Tails.Step is %v, must be finite and > 0", c.Step)
	}
	return &groupTails{c: c, groups: map[string]*group{}}, nil
}

// add notes the runtime of a task of a group that has ended by itself, finite and greater than
// 0, in any one unit; not of a copy that was killed. It reports whether the group's tail has
// changed, or that of one which is forgotten for it. It takes O(1) time, but for every c.Every-th, which
// takes O(w + k log k log(w/k)) on average, for a window of w of which the fit is of the k longest, and
// allocates.
func (t *groupTails) add(name string, runtime float64) (changed bool, err error) {
	if !(runtime > 0) || math.IsInf(runtime, 1) {
		return false, fmt.Errorf("hopper: runtime is %v, must be finite and > 0", runtime)
	}
	g, changed := t.group(name)
	if len(g.runtimes) < t.c.Window {
		g.runtimes = append(g.runtimes, runtime)
	} else {
		g.runtimes[g.next] = runtime
		g.next = (g.next + 1) % len(g.runtimes)
	}
	if g.wait--; g.wait > 0 {
		return changed, nil
	}
	g.wait = t.c.Every
	k := max(1, int(t.c.Top*float64(len(g.runtimes))))
	t.longest = longest(t.longest[:0], g.runtimes, min(k+1, len(g.runtimes)))
	shape, err := estimate.Hill(t.longest, nil, k)
	if err != nil {
		return changed, nil // the longest are all equal: there is no tail to see
	}
	before := g.tail
	if steps := math.Round(shape / t.c.Step); steps <= math.MaxFloat64 { // else they are too small to matter
		shape = steps * t.c.Step
	}
	g.tail = min(t.c.Most, max(t.c.Least, shape))
	return changed || g.tail != before, nil
}

// group returns a group as the most recent; if it is not known it is new. forgot says that one whose tail was
// learnt is forgotten for it: it has the tail of a new one then.
func (t *groupTails) group(name string) (g *group, forgot bool) {
	if g = t.groups[name]; g != nil {
		g.link.remove()
		t.recent.pushBack(&g.link, g)
		return g, false
	}
	if len(t.groups) == t.c.Groups {
		oldest := t.recent.front()
		oldest.link.remove()
		delete(t.groups, oldest.name)
		forgot = oldest.tail != t.c.Start
	}
	g = &group{name: name, tail: t.c.Start, wait: t.c.Enough}
	t.groups[name] = g
	t.recent.pushBack(&g.link, g)
	return g, forgot
}

// tail returns the tail of a group.
func (t *groupTails) tail(name string) float64 {
	if g := t.groups[name]; g != nil {
		return g.tail
	}
	return t.c.Start
}

// longest appends the k longest runtimes to dst, the least of them first and the others in any
// order: a fit reads no more of them.
func longest(dst, runtimes []float64, k int) []float64 {
	dst = append(dst, runtimes[:k]...)
	for i := k/2 - 1; i >= 0; i-- {
		sink(dst, i)
	}
	for _, x := range runtimes[k:] {
		if x > dst[0] {
			dst[0] = x
			sink(dst, 0)
		}
	}
	return dst
}

// sink moves element i of a heap, the least of which is first, down to its place.
func sink(heap []float64, i int) {
	for {
		least := 2*i + 1
		if least >= len(heap) {
			return
		}
		if least+1 < len(heap) && heap[least+1] < heap[least] {
			least++
		}
		if heap[i] <= heap[least] {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}

// learn takes in the runtimes of a stage that is over, as multiples of their median. A stage that reads another
// through a pipe is left out: its runtimes say for how long its tasks waited for their input. Those of
// copies that lost a race, or that the rule had killed, are what their last reports said. They are
// the longest: to leave them out makes the tail too light, and so does to know only that they are
// longer, since it is just those that would have been longest that are cut short.
func (v *VirtualSizes) learn(j *central.Job, finished *Runtimes, lost []float64) {
	median := finished.At(finished.Len() / 2)
	if v.config.Group == "" || finished.Len() < fewest || !(median > 0) {
		return
	}
	runtimes := v.runtimes[:0]
	for runtime := range finished.All() {
		runtimes = append(runtimes, runtime)
	}
	runtimes = append(runtimes, lost...)
	changed, own := false, v.jobs.Get(j.Job.ID)
	for i := range spread(len(runtimes)) {
		if x := runtimes[i] / median; x > 0 && x <= math.MaxFloat64 {
			c, err := v.tails.add(own.group, x)
			must(err)
			changed = changed || c
		}
	}
	v.runtimes = runtimes
	if changed {
		v.follows = v.enrolled
	}
}

// fewest is how many tasks a stage has at least of which tails are learnt, so that their
// median says something.
const fewest = 10

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

// follow gives one job the tail of its group, if tails have changed since it was last asked about:
// if all jobs were given it at once, a step would take time in proportion to their number.
func (v *VirtualSizes) follow() {
	own := v.members.front()
	if v.follows == 0 || own == nil {
		return
	}
	v.follows--
	own.seat.remove()
	v.members.pushBack(&own.seat, own)
	if tail := v.tails.tail(own.group); tail != own.tail {
		own.tail, own.changed = tail, true
		v.place(own)
	}
}

// enrol gives a job that comes its tail, and puts it behind those that are to follow.
func (v *VirtualSizes) enrol(own *sized) {
	if v.config.Group == "" {
		own.tail = v.tails.c.Start
		return
	}
	own.group, _ = own.Job.Job.Attr(v.config.Group)
	own.tail = v.tails.tail(own.group)
	v.members.pushBack(&own.seat, own)
	v.enrolled++
}
