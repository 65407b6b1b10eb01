package baseline

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// amounts are cores, bytes of memory, and thousandths of named resources by their place in View.Resources. What exceeds the array
// is not planned. Devices are not told apart. Where nodes have nothing but cores, those are all that is kept.
type amounts interface{ onlyCores | everything }

type (
	onlyCores  = [1]int64
	everything = [2 + policy.MaxNames]int64
)

// first returns as many of all amounts as are kept.
func first[A amounts](all *everything) (a A) {
	for i := 0; i < len(a); i++ {
		a[i] = all[i]
	}
	return a
}

// fitting returns how many tasks fit that each need so much, at most want. A task takes a core at least.
func fitting[A amounts](free, need *A, want int64) int64 {
	for i := 0; i < len(*need); i++ {
		switch x := (*need)[i]; {
		case x == 0:
		case (*free)[i] < x:
			return 0
		case want > 1:
			want = min(want, (*free)[i]/x)
		}
	}
	return want
}

// A step is what is free from an instant until that of the next step.
type step[A amounts] struct {
	at   policy.Time
	free A
}

// A timeline says what will be free at each instant, on one node or in the sum. Its steps have increasing instants, and the
// last step has no end. Two neighbouring steps differ in what is free.
type timeline[A amounts] []step[A]

// find returns the last step that begins at an instant or before, the first step if none does.
func (t timeline[A]) find(at policy.Time) int {
	i, end := 0, len(t)
	for end-i > 1 {
		if m := int(uint(i+end) / 2); t[m].at <= at {
			i = m
		} else {
			end = m
		}
	}
	return i
}

// forget drops what was before now.
func (t *timeline[A]) forget(now policy.Time) {
	if len(*t) > 0 {
		*t = slices.Delete(*t, 0, t.find(now))
	}
}

// add makes some tasks' needs free from one instant to another, or takes them if tasks is less than 0.
func (t *timeline[A]) add(need *A, tasks int64, from, to policy.Time) {
	if from = max(from, (*t)[0].at); from >= to {
		return
	}
	first := t.split(from)
	end := len(*t)
	if to != never {
		end = t.split(to)
	}
	for i := first; i < end; i++ {
		free := &(*t)[i].free
		for x := 0; x < len(*need); x++ {
			(*free)[x] += tasks * (*need)[x]
		}
	}
	t.merge(end)
	t.merge(first)
}

// split makes a step begin at an instant, and returns it.
func (t *timeline[A]) split(at policy.Time) int {
	i := t.find(at)
	if (*t)[i].at == at {
		return i
	}
	*t = slices.Insert(*t, i+1, step[A]{at, (*t)[i].free})
	return i + 1
}

// merge takes step i out if it changes nothing.
func (t *timeline[A]) merge(i int) {
	if i > 0 && i < len(*t) && (*t)[i].free == (*t)[i-1].free {
		*t = slices.Delete(*t, i, i+1)
	}
}

// earliest returns the first instant, now or later, from which so much is free for so long, or until an instant from which on it is
// free anyway. It is latest if there is none before.
func (t timeline[A]) earliest(now, latest, anyway policy.Time, need *A, time policy.Duration) policy.Time {
	if now >= latest {
		return latest
	}
	cores := (*need)[0]          // most often they are what decides
	start, end := latest, latest // of the room, if start is before latest; else none is open
	rest := t[t.find(now):]
	for i := range rest {
		s := &rest[i]
		if s.at >= end {
			return start
		}
		if s.free[0] < cores || len(s.free) > 1 && fitting(&s.free, need, 1) == 0 {
			start, end = latest, latest
		} else if start == latest {
			start = max(now, s.at)
			end = min(anyway, after(start, time))
		}
	}
	return start
}

// between returns the steps of a span of time.
func (t timeline[A]) between(from, to policy.Time) []step[A] {
	steps := t[t.find(from):]
	end, _ := slices.BinarySearchFunc(steps, to, func(s step[A], to policy.Time) int { return cmp.Compare(s.at, to) })
	return steps[:end]
}
